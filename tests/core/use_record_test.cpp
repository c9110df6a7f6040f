#include "../../core/use_record.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../support/model_test.hpp"

namespace strata::test::use_record_test {

using namespace detail;

namespace {

constexpr std::size_t kThreads = 6;
constexpr std::array<const char*, 4> kNames = {"add", "get", "save", "destroy"};

/// A use that is under way.
struct Started {
  UseRecord::Entry* entry;
  Use use;
  std::string name;
};

/// Threads are numbers here; the last two work for the first one.
struct Model {
  std::array<std::vector<Started>, kThreads> of_thread;

  static std::size_t works_for(std::size_t thread) { return thread + 2 >= kThreads ? 0 : thread; }

  /// Returns: the names of uses of other threads one of which a conflict may name.
  std::vector<std::string> conflicts(std::size_t thread, Use use) const {
    for (const Started& own : of_thread[thread]) {
      if (own.use == Use::change || use == Use::read) return {};  // Noticed when the outer one began.
    }
    std::vector<std::string> names;
    for (std::size_t other = 0; other < kThreads; ++other) {
      if (works_for(other) == works_for(thread)) continue;
      const std::vector<Started>& uses = of_thread[other];
      const Started* named = nullptr;
      for (const Started& one : uses) {
        if (one.use == Use::change) {
          named = &one;
          break;
        }
      }
      if (named == nullptr && use == Use::change && !uses.empty()) named = &uses.front();
      if (named != nullptr) names.push_back(named->name);
    }
    return names;
  }
};

Disagreement begin(UseRecord& record, Model& model, const std::array<char, kThreads>& threads,
                   std::size_t thread, Use use, const char* name) {
  const UserThread user{&threads[thread], &threads[Model::works_for(thread)]};
  const std::vector<std::string> expected = model.conflicts(thread, use);
  const UseRecord::Begun begun = record.begin(user, use, {name, "!"});
  if (expected.empty() != !begun.conflict)
    return begun.conflict ? "a conflict with " + begun.conflict->text() : "a conflict was not noticed";
  if (!begun.conflict) {
    if (begun.entry == nullptr) return "a use was not recorded";
    model.of_thread[thread].push_back({begun.entry, use, name});
    return {};
  }
  if (begun.entry != nullptr) return "a refused use was recorded";
  for (const std::string& other : expected) {
    if (begun.conflict->text() == other + "!") return {};
  }
  return "the conflict names " + begun.conflict->text();
}

Disagreement uses_agree(Bytes& bytes, Log& log) {
  const auto record = std::make_unique<UseRecord>();
  const std::array<char, kThreads> threads{};
  Model model;
  while (bytes.turn()) {
    const std::size_t thread = bytes.below(kThreads);
    std::vector<Started>& own = model.of_thread[thread];
    if (own.empty() || bytes.chance(2)) {
      const Use use = bytes.chance(3) ? Use::change : Use::read;
      const char* const name = kNames[bytes.below(kNames.size())];
      log("thread ", thread, use == Use::read ? " reads: " : " changes: ", name);
      if (Disagreement wrong = begin(*record, model, threads, thread, use, name)) return wrong;
    } else {
      log("thread ", thread, " ends");
      record->end(*own.back().entry, own.back().use);
      own.pop_back();
    }
    if (const std::string wrong = record->check_invariants(); !wrong.empty()) return wrong;
  }
  return {};
}

STRATA_MODEL_TEST("a record of uses behaves like a list of the uses of each thread", uses_agree, .runs = 300);

}  // namespace

TEST_SUITE("core/use_record") {
  TEST_CASE("uses that do not end in the order of nesting leave nothing behind") {
    const auto record = std::make_unique<UseRecord>();
    const char thread = 0;
    const char other = 0;
    const UseRecord::Begun first = record->begin({&thread, &thread}, Use::read, {"first"});
    const UseRecord::Begun second = record->begin({&thread, &thread}, Use::change, {"second"});
    record->end(*first.entry, Use::read);
    const UseRecord::Begun refused = record->begin({&other, &other}, Use::read, {"other"});
    REQUIRE(refused.conflict);
    CHECK(refused.conflict->text() == "second");
    record->end(*second.entry, Use::change);
    CHECK_FALSE(record->begin({&other, &other}, Use::change, {"other"}).conflict);
  }

  TEST_CASE("a thread that finds no free entry is not recorded, and later ones are again") {
    const auto record = std::make_unique<UseRecord>();
    const std::vector<char> threads(UseRecord::kMostThreads + 1);
    std::vector<UseRecord::Entry*> entries;
    for (const char& thread : threads)
      entries.push_back(record->begin({&thread, &thread}, Use::read, {"read"}).entry);
    CHECK(entries.back() == nullptr);
    CHECK(entries[UseRecord::kMostThreads - 1] != nullptr);
    record->end(*entries[7], Use::read);
    CHECK(record->begin({&threads.back(), &threads.back()}, Use::read, {"read"}).entry == entries[7]);
    CHECK(record->check_invariants().empty());
  }

  TEST_CASE("of several threads, never are two inside of which one changes") {
    const auto record = std::make_unique<UseRecord>();
    const std::array<char, 4> ids{};
    std::atomic<std::uint32_t> inside{0};  // Readers, and 256 for each thread that changes.
    std::atomic<std::uint32_t> wrong{0};
    std::atomic<std::uint32_t> done{0};
    std::vector<std::thread> threads;
    for (const char& id : ids) {
      threads.emplace_back([&] {
        for (std::uint32_t i = 0; i < 3000; ++i) {
          const Use use = i % 3 == 0 ? Use::change : Use::read;
          const UseRecord::Begun begun = record->begin({&id, &id}, use, {"use"});
          if (begun.entry == nullptr) continue;
          const std::uint32_t own = use == Use::change ? 256 : 1;
          const std::uint32_t before = inside.fetch_add(own);
          if (before >= 256 || (use == Use::change && before != 0)) ++wrong;
          inside.fetch_sub(own);
          record->end(*begun.entry, use);
          ++done;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(done > 0);
    CHECK(record->check_invariants().empty());
  }
}

}  // namespace strata::test::use_record_test
