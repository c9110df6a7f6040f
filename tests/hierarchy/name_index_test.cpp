#include "../../hierarchy/names/name_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "../../hierarchy/names/name_path.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"

namespace strata::test::name_index_test {

using namespace detail;

namespace {

constexpr std::uint32_t kParents = 3;
constexpr std::size_t kTexts = 12;

/// The index of names, compared with a list of (parent, text) in the order of insertion.
class IndexTest {
 public:
  IndexTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {}

  void turn() {
    const std::size_t kind = bytes_.below(8);
    if (kind < 5) {
      const auto parent = static_cast<std::uint32_t>(bytes_.below(kParents));
      insert(Entity(parent, parent),
             std::string(1 + bytes_.below(3) * 7, 'a') + std::to_string(bytes_.below(kTexts)));
    } else if (kind == 7 && bytes_.chance(4)) {
      log_("shrink");
      index_.shrink();
    } else if (!names_.empty()) {
      erase(bytes_.below(names_.size()));
    }
  }

  Disagreement compare() const {
    if (index_.size() != names_.size()) return "the size is wrong";
    for (const Named& name : names_) {
      const auto first = std::find_if(names_.begin(), names_.end(), [&](const Named& other) {
        return other.parent == name.parent && other.text == name.text;
      });
      const NameNode* const found = index_.find(name.parent, name.text);
      if (found != &first->value.node())
        return "another name than the first is found by \"" + name.text + '"';
    }
    if (index_.find(Entity(1, 1), "b") != nullptr) return "a name is found that is not there";
    const std::string broken = index_.check_invariants();
    return broken.empty() ? Disagreement() : broken;
  }

 private:
  struct Named {
    Entity parent;
    std::string text;
    NameValue value;
  };

  void insert(Entity parent, std::string text) {
    log_("insert ", text, " below ", parent);
    index_.reserve(1);
    names_.push_back({parent, text, NameValue(text, std::pmr::new_delete_resource())});
    index_.insert(names_.back().value.node(), Entity(next_++, 1), parent);
  }
  void erase(std::size_t number) {
    log_("erase number ", number);
    names_.erase(names_.begin() + static_cast<std::ptrdiff_t>(number));
  }

  Bytes& bytes_;
  Log& log_;
  NameIndex index_{std::pmr::new_delete_resource()};
  std::deque<Named> names_;
  std::uint32_t next_ = 0;
};

Disagreement index_agrees(Bytes& bytes, Log& log) {
  IndexTest test(bytes, log);
  while (bytes.turn()) {
    test.turn();
    if (Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

std::vector<std::string> names_in(std::string_view path, bool whole) {
  std::vector<std::string> names;
  NamePath reader(path);
  while (reader.next()) names.emplace_back(reader.name());
  CHECK(reader.whole() == whole);
  return names;
}

}  // namespace

TEST_SUITE("hierarchy/name_index") {
  STRATA_MODEL_TEST("the index of names behaves like a list", index_agrees, .runs = 80, .turns = 120);

  TEST_CASE("reserving fails without a change, and inserting needs no memory then") {
    FailingMemory memory;
    NameIndex index(&memory);
    const NameValue name("name", std::pmr::new_delete_resource());
    CHECK(index.find(Entity(), "name") == nullptr);
    sweep_out_of_memory(
        memory, [&] { index.reserve(100); }, [&] { CHECK(index.size() == 0); });
    memory.fail_at(1);
    std::vector<NameValue> copies(100, name);  // Their text is in other memory.
    for (std::uint32_t i = 0; i < 100; ++i) index.insert(copies[i].node(), Entity(i, 1), Entity(i % 7, 1));
    CHECK(index.check_invariants().empty());
    copies.clear();
    index.shrink();
    CHECK(index.memory_use().used == 0);
    CHECK(index.memory_use().reserved == 0);
  }
  TEST_CASE("hashes tell texts of all lengths apart") {
    std::vector<std::uint64_t> hashes;
    for (std::size_t size = 1; size < 40; ++size) {
      for (std::size_t changed = 0; changed < size; ++changed) {
        std::string text(size, 'x');
        text[changed] = 'y';
        hashes.push_back(hash_of_name(text));
      }
    }
    std::sort(hashes.begin(), hashes.end());
    CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
  }
  TEST_CASE("a path is read name by name, without its escapes") {
    using List = std::vector<std::string>;
    CHECK(names_in("a/b c/d", true) == List{"a", "b c", "d"});
    CHECK(names_in("a\\/b/\\\\", true) == List{"a/b", "\\"});
    CHECK(names_in("\\a\\b", true) == List{"ab"});
    CHECK(names_in("", false).empty());
    CHECK(names_in("a//b", false) == List{"a"});
    CHECK(names_in("a/", false) == List{"a"});
    CHECK(names_in("a/b\\", false) == List{"a"});
  }
}

}  // namespace strata::test::name_index_test
