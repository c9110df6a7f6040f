#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::world_resources_test {

namespace {

struct Settings {
  float gravity;
};

/// A component that gives something back to a resource at its end.
struct Loan {
  std::vector<int>* bank = nullptr;
  int sum = 0;

  Loan(std::vector<int>& from, int amount) : bank(&from), sum(amount) {}
  Loan(Loan&& other) noexcept : bank(std::exchange(other.bank, nullptr)), sum(other.sum) {}
  Loan& operator=(Loan&&) = delete;
  ~Loan() {
    if (bank != nullptr) bank->push_back(sum);
  }
};

/// Says at its end what was paid back.
struct Bank {
  std::vector<int> paid;
  int* total;
  explicit Bank(int& to) : total(&to) {}
  ~Bank() {
    for (const int sum : paid) *total += sum;
  }
};

}  // namespace

TEST_SUITE("api/world_resources") {
  TEST_CASE("a world has one of each") {
    World world;
    CHECK(world.resources().find<Settings>() == nullptr);
    CHECK(!world.resources().remove<Settings>());
    world.resources().set(Settings{9.81f});
    world.resources().get<Settings>().gravity *= 2;
    const World& reader = world;
    CHECK(reader.resources().get<Settings>().gravity == doctest::Approx(19.62));
    CHECK(reader.resources().find<Settings>() == world.resources().find<Settings>());
    world.resources().emplace<std::unique_ptr<int>>(std::make_unique<int>(3));
    CHECK(*world.resources().get<std::unique_ptr<int>>() == 3);
    CHECK(world.validate());
    CHECK(world.resources().remove<Settings>());
    CHECK(world.resources().find<Settings>() == nullptr);
  }
  TEST_CASE("asking for one that is not there names it") {
    World world;
    CHECK_THROWS_WITH_AS(
        (void)world.resources().get<Health>(),
        "resources: there is no strata::test::Health: call set first, or find, which returns null",
        ContractViolation);
  }
  TEST_CASE("resources may be set while a query iterates") {
    World world;
    world.create(Health{1});
    world.query<const Health>().each(
        [&](const Health& health) { world.resources().set(int{health.points}); });
    CHECK(world.resources().get<int>() == 1);
  }
  TEST_CASE("they come from the world's memory and outlive its entities") {
    FailingMemory memory;
    int total = 0;
    {
      World world({.memory = &memory});
      const std::size_t before = memory.bytes();
      Bank& bank = world.resources().emplace<Bank>(total);
      CHECK(memory.bytes() >= before + sizeof(Bank));
      for (int i = 1; i <= 4; ++i) world.create(Loan(bank.paid, i));
    }
    CHECK(total == 10);
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::world_resources_test
