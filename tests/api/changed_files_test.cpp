// Files of any content: one that was changed anywhere is refused, or is another sound world. As a fuzz target, each
// input is a list of changes to a small file, which is then read once.
#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>

#include "../support/saved_chunks.hpp"
#include "saving_sample.hpp"

namespace strata::test::changed_files_test {
namespace {

constexpr std::size_t kHeader = 12;       // Magic and version, which stand before the first chunk.
constexpr std::size_t kChunkHeader = 20;  // Tag, size and checksum.

std::string saved(const World& world) {
  std::ostringstream out;
  const Outcome done = save(world, out);
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld loaded(const std::string& bytes, const World& known) {
  std::istringstream in(bytes);
  return load(in, known);
}

/// Returns: why a world is not sound, or is not the same after it was saved and loaded; empty if it is.
std::string find_fault(const World& world, const World& known) {
  if (const Outcome sound = world.validate(); !sound) return sound.message();
  const LoadedWorld copy = loaded(saved(world), known);
  if (!copy.outcome) return copy.outcome.message();
  if (const Outcome sound = copy.world.validate(); !sound) return sound.message();
  for (const WorldDifference& difference : find_differences(world, copy.world)) return difference.sentence;
  return digest(world) == digest(copy.world) ? "" : "the digest is another one";
}

/// A file to which changes are made; its checksums are written anew in the end.
class ChangedFile {
 public:
  explicit ChangedFile(std::string file) : file_(std::move(file)) {}

  void change(Bytes& bytes, Log& log) {
    const std::size_t how = bytes.below(8);
    const std::size_t at = kHeader + bytes.below(file_.size() - kHeader);
    log("change ", how, " at byte ", at);
    switch (how) {
      case 0:
        file_[at] = static_cast<char>(bytes.below(256));
        break;
      case 1:
        file_[at] = static_cast<char>(file_[at] + (bytes.chance(2) ? 1 : -1));
        break;
      case 2:
        write_number(at, static_cast<std::uint32_t>(bytes.below(8)));
        break;
      case 3:
        write_number(at, 0u - static_cast<std::uint32_t>(bytes.below(8)));
        break;
      case 4:
        file_[at] = file_[kHeader + bytes.below(file_.size() - kHeader)];
        break;
      case 5:
        insert(at, file_.substr(kHeader + bytes.below(file_.size() - kHeader), 1 + bytes.below(8)));
        break;
      case 6:
        erase(at, 1 + bytes.below(8));
        break;
      default:
        repeat_chunk(at, bytes.chance(2));
    }
  }
  std::string finish() {
    repair_chunks(file_);
    return file_;
  }

 private:
  /// Returns: where the chunk begins in which a byte is; the last chunk that can be found if a size was changed.
  std::size_t chunk_at(std::size_t byte) const {
    std::size_t at = kHeader;
    for (;;) {
      std::uint64_t size = 0;
      if (at + kChunkHeader > file_.size()) return at;
      std::memcpy(&size, file_.data() + at + 4, sizeof size);
      if (size > file_.size() - at - kChunkHeader || at + kChunkHeader + size > byte) return at;
      if (at + kChunkHeader + size >= file_.size()) return at;
      at += kChunkHeader + static_cast<std::size_t>(size);
    }
  }
  void add_to_size(std::size_t chunk, std::int64_t change) {
    std::uint64_t size = 0;
    if (chunk + kChunkHeader > file_.size()) return;
    std::memcpy(&size, file_.data() + chunk + 4, sizeof size);
    size += static_cast<std::uint64_t>(change);
    std::memcpy(file_.data() + chunk + 4, &size, sizeof size);
  }
  void write_number(std::size_t at, std::uint32_t number) {
    std::memcpy(file_.data() + at, &number, std::min(sizeof number, file_.size() - at));
  }
  void insert(std::size_t at, const std::string& text) {
    const std::size_t chunk = chunk_at(at);
    if (at < chunk + kChunkHeader) return;
    file_.insert(at, text);
    add_to_size(chunk, static_cast<std::int64_t>(text.size()));
  }
  void erase(std::size_t at, std::size_t count) {
    const std::size_t chunk = chunk_at(at);
    if (at < chunk + kChunkHeader) return;
    const std::size_t before = file_.size();
    file_.erase(at, count);
    add_to_size(chunk, static_cast<std::int64_t>(file_.size()) - static_cast<std::int64_t>(before));
  }
  /// Adds the chunk in which a byte is once more, behind itself; or leaves it out.
  void repeat_chunk(std::size_t at, bool again) {
    const std::size_t chunk = chunk_at(at);
    std::uint64_t size = 0;
    if (chunk + kChunkHeader > file_.size()) return;
    std::memcpy(&size, file_.data() + chunk + 4, sizeof size);
    const std::size_t whole = kChunkHeader + static_cast<std::size_t>(size);
    if (size > file_.size() - chunk - kChunkHeader || file_.size() - whole <= kHeader + kChunkHeader) return;
    if (again && file_.size() < 16'384)
      file_.insert(chunk, file_.substr(chunk, whole));
    else
      file_.erase(chunk, whole);
  }

  std::string file_;
};

Disagreement files_are_read_or_refused(Bytes& bytes, Log& log) {
  static const World known = make_sample();
  static const std::string whole = saved(known);
  ChangedFile changed(whole);
  while (bytes.turn()) changed.change(bytes, log);
  const LoadedWorld read = loaded(changed.finish(), known);
  if (!read.outcome && read.world.size() != 0) return "a refused world has entities";
  const std::string fault = find_fault(read.world, known);
  return fault.empty() ? Disagreement() : Disagreement(fault);
}

}  // namespace

TEST_SUITE("api/changed_files") {
  STRATA_MODEL_TEST("a changed file is refused, or is another sound world", files_are_read_or_refused,
                    .runs = 1000, .turns = 3);
}

}  // namespace strata::test::changed_files_test
