#include "../../core/signature.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::signature_test {

using namespace detail;

namespace {

std::vector<ComponentId> ids(std::initializer_list<std::uint32_t> numbers) {
  std::vector<ComponentId> result;
  for (const std::uint32_t number : numbers) result.push_back(ComponentId{number});
  return result;
}

Signature signature(std::initializer_list<std::uint32_t> numbers) {
  return Signature(ids(numbers), std::pmr::new_delete_resource());
}

Signature with(const Signature& set, std::uint32_t id) {
  return set.with(ComponentId{id}, std::pmr::new_delete_resource());
}
Signature without(const Signature& set, std::uint32_t id) {
  return set.without(ComponentId{id}, std::pmr::new_delete_resource());
}

bool holds(const Signature& signature, std::initializer_list<std::uint32_t> numbers) {
  const std::vector<ComponentId> expected = ids(numbers);
  return std::equal(signature.ids().begin(), signature.ids().end(), expected.begin(), expected.end());
}

}  // namespace

TEST_SUITE("core/signature") {
  TEST_CASE("a signature is sorted and holds each id once") {
    CHECK(holds(signature({3, 1, 2, 3}), {1, 2, 3}));
    CHECK(holds(signature({}), {}));
  }
  TEST_CASE("with and without change one id") {
    CHECK(holds(with(signature({1, 3}), 2), {1, 2, 3}));
    CHECK(holds(with(signature({1, 3}), 3), {1, 3}));
    CHECK(holds(with(signature({1, 3}), 9), {1, 3, 9}));
    CHECK(holds(without(signature({1, 3}), 1), {3}));
    CHECK(holds(without(signature({1, 3}), 2), {1, 3}));
  }
  TEST_CASE("equal sets are equal and have the same hash, however they were made") {
    const Signature a = signature({5, 2});
    const Signature b = with(signature({2}), 5);
    CHECK(a == b);
    CHECK(SignatureHash()(a.ids()) == SignatureHash()(b.ids()));
    CHECK(a != signature({2}));
  }
  TEST_CASE("a changed signature, or a copy, takes its memory where it is told to") {
    FailingMemory memory;
    const Signature one = signature({1});
    const Signature two = one.with(ComponentId{2}, &memory);
    CHECK(memory.blocks() == 1);
    const Signature copy(two, &memory);
    CHECK(memory.blocks() == 2);
    CHECK(copy == two);
  }
}

}  // namespace strata::test::signature_test
