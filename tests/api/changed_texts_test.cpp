// JSON of any content: a text that was changed anywhere is refused, or is another sound world. As a fuzz target, each
// input is a list of changes to a small text, which is then read once.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <sstream>
#include <string>

#include "saving_sample.hpp"
#include "strata/json/json.hpp"

namespace strata::test::changed_texts_test {
namespace {

std::string written(const World& world) {
  std::ostringstream out;
  const Outcome done = write_json(world, out);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld read(const std::string& text, const World& known) {
  std::istringstream in(text);
  return read_json(in, known);
}

/// Returns: why a world is not sound, or is not the same after it was written and read; empty if it is.
std::string find_fault(const World& world, const World& known) {
  if (const Outcome sound = world.validate(); !sound) return sound.message();
  const LoadedWorld copy = read(written(world), known);
  if (!copy.outcome) return copy.outcome.message();
  if (const Outcome sound = copy.world.validate(); !sound) return sound.message();
  for (const WorldDifference& difference : find_differences(world, copy.world)) return difference.sentence;
  return digest(world) == digest(copy.world) ? "" : "the digest is another one";
}

/// Returns: where a value begins, from `at` on: behind a colon, a bracket or a comma.
std::size_t value_at(const std::string& text, std::size_t at) {
  const std::size_t found = text.find_first_of(":[,", at);
  return found == std::string::npos ? at : found + 1;
}

/// Changes a text at one place.
void change(std::string& text, Bytes& bytes, Log& log) {
  static constexpr const char* kValues[] = {"0,",
                                            "-1,",
                                            "4294967295,",
                                            "4294967296,",
                                            "1e400,",
                                            "\"\",",
                                            "\"1v1\",",
                                            "\"/child\",",
                                            "null,",
                                            "true,",
                                            "9223372036854775808,",
                                            "18446744073709551615,",
                                            "[],",
                                            "{},",
                                            "[[]],",
                                            "\"0x00\","};
  const std::size_t how = bytes.below(6);
  const std::size_t at = bytes.below(text.size());
  log("change ", how, " at ", at);
  switch (how) {
    case 0:
      text[at] = static_cast<char>(bytes.below(256));
      break;
    case 1:
      text[at] = static_cast<char>('0' + bytes.below(10));
      break;
    case 2:
      if (text.size() < 32'768) text.insert(at, text.substr(bytes.below(text.size()), bytes.below(200)));
      break;
    case 3:
      text.erase(at, bytes.below(60));
      break;
    case 4: {  // Another value in the place of one.
      const std::size_t begin = value_at(text, at);
      std::size_t end = text.find_first_of(",]}", begin);
      if (end == std::string::npos) break;
      const std::string value = kValues[bytes.below(std::size(kValues))];
      text.replace(begin, end - begin, value, 0, value.size() - 1);
      break;
    }
    default:  // One more value.
      text.insert(value_at(text, at), kValues[bytes.below(std::size(kValues))]);
  }
}

Disagreement texts_are_read_or_refused(Bytes& bytes, Log& log) {
  static const World known = make_sample();
  static const std::string whole = written(known);
  std::string text = whole;
  while (bytes.turn() && !text.empty()) change(text, bytes, log);
  const LoadedWorld copy = read(text, known);
  if (!copy.outcome && copy.world.size() != 0) return "a refused world has entities";
  const std::string fault = find_fault(copy.world, known);
  return fault.empty() ? Disagreement() : Disagreement(fault);
}

}  // namespace

TEST_SUITE("api/changed_texts") {
  STRATA_MODEL_TEST("a changed text is refused, or is another sound world", texts_are_read_or_refused,
                    .runs = 600, .turns = 3);
}

}  // namespace strata::test::changed_texts_test
