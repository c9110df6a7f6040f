#include "../../core/requirement_lists.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../core/registry.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::requirement_lists_test {

using namespace detail;

namespace {

struct Engine {
  int power = 0;
};
struct Fuel {
  int litres;
};
struct Ship {
  int hull = 0;
};
struct Egg {};
struct Hen {};
struct Nest {};

Fuel half_full() {
  return {50};
}

}  // namespace
}  // namespace strata::test::requirement_lists_test

using namespace strata::test::requirement_lists_test;

template <>
inline constexpr auto strata::requires_of<Ship> = strata::Requires<Engine>{};
template <>
inline constexpr auto strata::requires_of<Engine> = strata::Requires<strata::Given<half_full>>{};
template <>
inline constexpr auto strata::requires_of<Egg> = strata::Requires<Hen>{};
template <>
inline constexpr auto strata::requires_of<Hen> = strata::Requires<Nest>{};
template <>
inline constexpr auto strata::requires_of<Nest> = strata::Requires<Fuel, Hen>{};

namespace strata::test::requirement_lists_test {
namespace {

ComponentInfo number(std::string name, std::span<const Requirement> requirements = {}) {
  return {.name = std::move(name), .size = 4, .alignment = 4, .requirements = requirements};
}

std::string required_by(const Registry& registry, std::string_view name) {
  std::string names;
  for (const RequiredComponent& required : registry.required_by(*registry.find(name)))
    names += registry[required.id].name + ' ';
  return names;
}

}  // namespace

TEST_SUITE("core/requirement_lists") {
  TEST_CASE("a type is registered after those that it requires, which it lists with their first values") {
    Registry registry(std::pmr::get_default_resource());
    CHECK(registry.adds_plainly());
    const ComponentId ship = registry.id_of<Ship>();
    CHECK_FALSE(registry.adds_plainly());
    const auto required = registry.required_by(ship);
    REQUIRE(required.size() == 2);
    CHECK(required[0].id == registry.id_of<Engine>());
    CHECK(required[1].id == registry.id_of<Fuel>());
    Fuel fuel{};
    make_required(required[1], registry[required[1].id], &fuel);
    CHECK(fuel.litres == 50);
    CHECK(registry.required_by(registry.id_of<Fuel>()).empty());
    CHECK(registry.check_invariants() == "");
  }

  TEST_CASE("the nearest come first, in their order, and each is listed once") {
    Registry registry(std::pmr::get_default_resource());
    registry.add(number("d"));
    const Requirement of_b[] = {{.name = "d"}};
    registry.add(number("b", of_b));
    registry.add(number("e"));
    const Requirement of_c[] = {{.name = "e"}, {.name = "b"}};
    registry.add(number("c", of_c));
    const Requirement of_a[] = {{.name = "b"}, {.name = "c"}, {.name = "b"}};
    const ComponentId a = registry.add(number("a", of_a));
    CHECK(required_by(registry, "a") == "b c d e ");
    CHECK(required_by(registry, "c") == "e b d ");
    CHECK(registry[a].requirements.size() == 3);
    CHECK(registry.check_invariants() == "");
  }

  TEST_CASE("a cycle is refused by a sentence that names the chain, and nothing of it is registered") {
    Registry registry(std::pmr::get_default_resource());
    CHECK(says(refusal([&] { registry.id_of<Egg>(); }), " requires "));
    const std::string hen(name_of<Hen>);
    const std::string nest(name_of<Nest>);
    CHECK(says(refusal([&] { registry.id_of<Egg>(); }),
               ("in a cycle: \"" + hen + "\" requires \"" + nest + "\" requires \"" + hen + '"').c_str()));
    CHECK(registry.size() == 0);

    const Requirement itself[] = {{.name = "a"}};
    CHECK(says(refusal([&] { registry.add(number("a", itself)); }), "in a cycle: \"a\" requires \"a\""));
    CHECK(registry.size() == 0);
  }

  TEST_CASE("what cannot be required is refused by a sentence that names both") {
    Registry registry(std::pmr::get_default_resource());
    const Requirement unknown[] = {{.name = "b"}};
    CHECK(says(refusal([&] { registry.add(number("a", unknown)); }),
               "component \"a\" requires \"b\", which this world does not know"));
    ComponentInfo object = number("b");
    object.destroy = [](void*, std::size_t) noexcept {};
    registry.add(object);
    CHECK(says(refusal([&] { registry.add(number("a", unknown)); }),
               "component \"a\" requires \"b\", whose values are not plain bytes"));
    CHECK_FALSE(registry.find("a"));
  }

  TEST_CASE("a description that differs in its requirements is refused") {
    Registry registry(std::pmr::get_default_resource());
    registry.add(number("b"));
    const Requirement required[] = {{.name = "b"}};
    const ComponentId a = registry.add(number("a", required));
    CHECK(registry.add(number("a", required)) == a);
    CHECK(says(refusal([&] { registry.add(number("a")); }), "differs in its requirements"));
  }

  TEST_CASE("a chain of 1,000 components lists all") {
    Registry registry(std::pmr::get_default_resource());
    std::string name = "0";
    registry.add(number(name));
    for (int i = 1; i < 1000; ++i) {
      const Requirement required[] = {{.name = name}};
      const std::string next = std::to_string(i);
      registry.add(number(next, required));
      name = next;
    }
    CHECK(registry.required_by(*registry.find("999")).size() == 999);
  }

  TEST_CASE("nothing is registered by halves when memory runs out") {
    FailingMemory memory;
    {
      Registry registry(&memory);
      sweep_out_of_memory(
          memory, [&] { registry.id_of<Ship>(); }, [&] { CHECK(registry.check_invariants() == ""); });
      CHECK(registry.required_by(registry.id_of<Ship>()).size() == 2);
    }
    CHECK(memory.blocks() == 0);
  }
  TEST_CASE("a component that is required twice counts once in the lists of others") {
    Registry registry(std::pmr::new_delete_resource());
    registry.add(number("first"));
    registry.add(number("b"));
    const Requirement twice[] = {{.name = "b"}, {.name = "b"}};
    registry.add(number("p", twice));
    const Requirement of_q[] = {{.name = "p"}};
    registry.add(number("q", of_q));
    CHECK(required_by(registry, "q") == "p b ");
  }
}

}  // namespace strata::test::requirement_lists_test
