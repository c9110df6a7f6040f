#include "../../core/resources.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::resources_test {

namespace {

struct Immovable {
  Immovable(int a, int b) : sum(a + b) {}
  Immovable(const Immovable&) = delete;
  Immovable& operator=(const Immovable&) = delete;
  int sum;
};

/// Removes or replaces the resource of its type when it is destroyed.
struct Leaving {
  Resources* resources;
  bool removes;
  Leaving(Resources* of, bool whether) : resources(of), removes(whether) {}
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() {
    if (resources == nullptr) return;
    removes ? (void)resources->remove<Leaving>() : (void)resources->emplace<Leaving>(nullptr, false);
  }
};

/// Notes its number in a list when it is destroyed.
template <int number>
struct Noting {
  std::vector<int>* list;
  explicit Noting(std::vector<int>& to) : list(&to) {}
  Noting(const Noting&) = delete;
  Noting& operator=(const Noting&) = delete;
  ~Noting() { list->push_back(number); }
};

struct Throwing {
  explicit Throwing(bool fail) {
    if (fail) throw std::runtime_error("on purpose");
  }
};

struct First {
  int value;
};
struct Second {
  std::array<int, 3> values;
};

struct Fixture {
  CountedScope scope;
  FailingMemory memory;
  std::optional<Resources> owned{&memory};
  Resources& resources = *owned;

  ~Fixture() {
    owned.reset();
    CHECK(memory.blocks() == 0);
    CHECK(memory.complaint().empty());
    CHECK(scope.clean());
  }
};

}  // namespace

}  // namespace strata::test::resources_test

template <>
inline constexpr std::string_view strata::name_of<strata::test::resources_test::First> = "one name for two";
template <>
inline constexpr std::string_view strata::name_of<strata::test::resources_test::Second> = "one name for two";

namespace strata::test::resources_test {

TEST_SUITE("core/resources") {
  TEST_CASE_FIXTURE(Fixture, "a resource is found by its type, and no other") {
    CHECK(resources.find<int>() == nullptr);
    int& number = resources.emplace<int>(3);
    CHECK(resources.find<int>() == &number);
    CHECK(resources.find<unsigned>() == nullptr);
    CHECK(resources.size() == 1);
    CHECK(resources.remove<int>());
    CHECK(!resources.remove<int>());
    CHECK(resources.find<int>() == nullptr);
    CHECK(resources.check_invariants() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "immovable, over-aligned, move-only and aggregate types are built in their place") {
    CHECK(resources.emplace<Immovable>(3, 4).sum == 7);
    CHECK(resources.emplace<Wide>(2.f).aligned());
    CHECK(*resources.emplace<Owner>(5).value == 5);
    CHECK(resources.emplace<Health>(6).points == 6);
    CHECK(resources.emplace<std::vector<int>>(3u, 1).size() == 3);
    CHECK(resources.check_invariants() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a value that is replaced is destroyed once, after the new one is there") {
    resources.emplace<Counted>(1);
    CHECK(resources.emplace<Counted>(resources.find<Counted>()->value() + 1).value() == 2);
    CHECK(Counted::live() == 1);
    CHECK(resources.size() == 1);
    CHECK(resources.check_invariants() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "all are destroyed at the end, the last created first") {
    std::vector<int> destroyed;
    resources.emplace<Noting<1>>(destroyed);
    resources.emplace<Noting<2>>(destroyed);
    resources.emplace<Noting<3>>(destroyed);
    resources.emplace<Noting<4>>(destroyed);
    resources.remove<Noting<3>>();
    resources.emplace<Noting<1>>(destroyed);
    CHECK(destroyed == std::vector{3, 1});
    owned.reset();
    CHECK(destroyed == std::vector{3, 1, 1, 4, 2});
  }
  TEST_CASE_FIXTURE(Fixture, "a constructor that throws and memory that runs out change nothing") {
    resources.emplace<Throwing>(false);
    const Throwing* const before = resources.find<Throwing>();
    CHECK_THROWS_AS(resources.emplace<Throwing>(true), std::runtime_error);
    CHECK(resources.find<Throwing>() == before);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { resources.emplace<Counted>(1); },
        [&] {
          CHECK(resources.find<Counted>() == nullptr);
          CHECK(resources.check_invariants() == "");
        });
    CHECK(failures >= 1);
  }
  TEST_CASE_FIXTURE(Fixture, "a type of the same name must be the same") {
    resources.emplace<First>(1);
    CHECK_THROWS_WITH_AS(static_cast<void>(resources.find<Second>()),
                         "the resource one name for two is known with another size or alignment: give one of "
                         "the types another name",
                         ContractViolation);
    CHECK_THROWS_AS(resources.emplace<Second>(), ContractViolation);
    CHECK(resources.size() == 1);
  }
  TEST_CASE_FIXTURE(Fixture, "the memory in use is what was taken") {
    resources.emplace<Wide>(2.f);
    resources.emplace<int>(2);
    CHECK(resources.memory_use().reserved == memory.bytes());
  }
  TEST_CASE_FIXTURE(Fixture, "the destructor of a value that is replaced may remove or replace the new one") {
    for (const bool removes : {true, false}) {
      resources.emplace<Leaving>(&resources, removes);
      resources.emplace<Leaving>(nullptr, removes);
      CHECK((resources.find<Leaving>() == nullptr) == removes);
      CHECK(resources.size() == (removes ? 0 : 1));
      CHECK(resources.check_invariants() == "");
    }
  }
}

}  // namespace strata::test::resources_test
