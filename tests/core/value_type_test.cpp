#include "../../core/values/value_type.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../../core/contract.hpp"
#include "../../core/registry.hpp"
#include "../support/components.hpp"
#include "../support/described.hpp"
#include "../support/refusal.hpp"

namespace strata::test::value_type_test {

namespace {

using detail::is_described;
using detail::value_type_of;

struct Unknown {};
enum Loose { first, second };

static_assert(is_described<Item>() && is_described<Colour>() && is_described<int>() &&
              is_described<std::string>() && is_described<std::vector<std::optional<Entity>>>());
static_assert(!is_described<Unknown>() && !is_described<Loose>() && !is_described<std::vector<bool>>() &&
              !is_described<std::vector<Unknown>>() && !is_described<int*>() && !is_described<long double>());

const ValueType kNumber{.kind = ValueKind::integer, .size = 4};

ValueType structure_of(const std::vector<ValueMember>& members) {
  return {.kind = ValueKind::structure, .size = 8, .members = members};
}

}  // namespace

TEST_SUITE("core/value_type") {
  TEST_CASE("the types of the tests have no faults") {
    CHECK(detail::find_fault(value_type_of<Item>()).empty());
    CHECK(detail::find_fault(value_type_of<Token>()).empty());
    CHECK(detail::find_fault(value_type_of<Chain>()).empty());
    CHECK(value_type_of<Item>().members.size() == 10);
    CHECK(value_type_of<Item>().members[0].offset == 0);  // Of a base class.
  }
  TEST_CASE("faults of a description are named") {
    const auto fault = [](std::vector<ValueMember> members) {
      return detail::find_fault(structure_of(members));
    };
    CHECK(fault({{"a", &kNumber, 0}, {"b", &kNumber, 4}}).empty());
    CHECK(fault({{"a", &kNumber, 0}, {"a", &kNumber, 4}}) == "the value has a member \"a\" twice");
    CHECK(fault({{"a", &kNumber, 5}}) == "the value has a member \"a\" that does not fit into it");
    CHECK(fault({{"a", nullptr, 0}}) == "the value has a member \"a\" without a type");
    CHECK(fault({{"", &kNumber, 0}}) == "the value has a member without a name");
    const ValueType odd{.kind = ValueKind::real, .size = 3};
    CHECK(fault({{"a", &odd, 0}}) == "\"a\" is a real number that has not 4 or 8 bytes");
    const ValueType list{.kind = ValueKind::list, .size = 8, .element = &kNumber};
    CHECK(fault({{"a", &list, 0}}) == "\"a\" lacks one of the functions size_of, elements and resize");
    const ValueType array{.kind = ValueKind::array, .size = 8, .element = &odd, .count = 2};
    CHECK(fault({{"a", &array, 0}}) == "\"a\" is an array of another size than its elements");
    CHECK(detail::find_fault({.kind = ValueKind{99}}) == "the value is of an unknown kind");
    CHECK(detail::find_fault({.kind = ValueKind::own_format}) ==
          "the value lacks one of the functions write and read");
  }
  TEST_CASE("a type that contains itself is refused") {
    std::vector<ValueMember> members{{"a", nullptr, 0}};
    const ValueType type = structure_of(members);
    members[0].type = &type;
    CHECK(detail::find_fault(type) == "\"a\" contains itself, or is nested too deeply");
    CHECK(!detail::has_entities(type));
  }
  TEST_CASE("a component with a fault in its description is refused by name") {
    detail::Registry registry(std::pmr::new_delete_resource());
    ComponentInfo info = describe<Price>();
    info.value = &value_type_of<Token>();
    CHECK(refusal([&] {
            registry.add(info);
          }).find("component \"strata::test::Price\" has a size of 16 bytes") != std::string::npos);
    const ValueType odd{.kind = ValueKind::integer, .size = 3};
    info.value = &odd;
    CHECK(refusal([&] { registry.add(info); }).find("is described with a fault: the value is a number") !=
          std::string::npos);
    info = describe<Price>();
    CHECK(info.value == &value_type_of<Price>());
    registry.add(info);
    info.value = nullptr;
    CHECK(refusal([&] { registry.add(info); }).find("differs in its description of values") !=
          std::string::npos);
    CHECK(describe<Frozen>().value == nullptr);
    CHECK(describe<Health>().value == nullptr);
  }
}

}  // namespace strata::test::value_type_test
