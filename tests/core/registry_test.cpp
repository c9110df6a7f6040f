#include "../../core/registry.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"
#include "../support/refusal.hpp"

namespace strata::test::registry_test {

using namespace detail;

namespace {

struct AskedEarly {
  int value;
};
template <class T>
struct AskedLate {
  T value;
};

// Initialised in any order among those of the types themselves.
const detail::TypeNumber kAskedBeforeMain = detail::type_number_of<AskedEarly>();

}  // namespace

TEST_SUITE("core/registry") {
  TEST_CASE("a type has one number, asked before or after main begins") {
    CHECK(detail::type_number_of<AskedEarly>() == kAskedBeforeMain);
    CHECK(detail::assign_type_number<AskedEarly>() == kAskedBeforeMain);
    CHECK(detail::type_number_of<AskedLate<int>>() == detail::type_number_of<AskedLate<int>>());
    CHECK(detail::type_number_of<AskedLate<int>>() != kAskedBeforeMain);
  }
  TEST_CASE("an unknown type has an id that nothing has") {
    Registry registry(std::pmr::new_delete_resource());
    CHECK(registry.find_or_unknown<Velocity>() == Registry::kUnknown);
    CHECK(!registry.contains(Registry::kUnknown));
    const ComponentId id = registry.add(describe<Velocity>());
    CHECK(registry.find_or_unknown<Velocity>() == id);
    CHECK(registry.id_of<Velocity>() == id);
    CHECK(registry.find_or_unknown<Velocity>() == id);
  }
  TEST_CASE("components are numbered in the order in which they are first seen") {
    Registry registry(std::pmr::new_delete_resource());
    CHECK(!registry.find<Velocity>());
    CHECK(to_index(registry.id_of<Velocity>()) == 0);
    CHECK(to_index(registry.id_of<Position>()) == 1);
    CHECK(registry.id_of<Velocity>() == registry.find<Velocity>());
    CHECK(registry.size() == 2);
    Registry other(std::pmr::new_delete_resource());
    CHECK(to_index(other.id_of<Position>()) == 0);
  }
  TEST_CASE("a type and a description of the same name are one component") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentId id =
        registry.add({.name = "strata::test::Health", .size = sizeof(int), .alignment = 4});
    CHECK(registry.id_of<Health>() == id);
    CHECK(registry.find("strata::test::Health") == id);
    CHECK(!registry.find("Health"));
  }
  TEST_CASE("two components of one name must have one shape") {
    Registry registry(std::pmr::new_delete_resource());
    registry.id_of<Health>();
    CHECK_THROWS_AS(registry.add({.name = "strata::test::Health", .size = 8, .alignment = 8}),
                    ContractViolation);
    ComponentInfo tracked = describe<Health>();
    tracked.tracking = Tracking::blocks;
    CHECK_THROWS_AS(registry.add(tracked), ContractViolation);
    ComponentInfo stable = describe<Health>();
    stable.pool.removal = Removal::stable;
    CHECK_THROWS_WITH_AS(
        registry.add(stable),
        "component \"strata::test::Health\" is registered already, and differs in its pool options: give one "
        "of them another name",
        ContractViolation);
    CHECK(registry.size() == 1);
  }
  TEST_CASE("two descriptions of one component must have the same operations") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentInfo counted = describe<Counted>();
    const ComponentId id = registry.add(counted);
    CHECK(registry.add(counted) == id);
    ComponentInfo other = counted;
    other.destroy = [](void*, std::size_t) noexcept {};
    CHECK(says(refusal([&] { registry.add(other); }), "differs in its destroy operation"));
    ComponentInfo bytes{.name = counted.name, .size = counted.size, .alignment = counted.alignment};
    CHECK(says(refusal([&] { registry.add(bytes); }), "differs in its"));
    CHECK(registry.size() == 1);
  }
  TEST_CASE("the operations of one C++ type may be other functions in another shared library") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentId id = registry.id_of<Counted>();
    const char anchor = 0;
    ComponentInfo elsewhere = describe<Counted>();
    elsewhere.type = &anchor;
    elsewhere.destroy = [](void* values, std::size_t count) noexcept {
      std::destroy_n(static_cast<Counted*>(values), count);
    };
    CHECK(registry.add(elsewhere) == id);
    elsewhere.destroy = nullptr;
    CHECK(says(refusal([&] { registry.add(elsewhere); }), "differs in its destroy operation"));
  }
  TEST_CASE("names that only the library gives are refused") {
    Registry registry(std::pmr::new_delete_resource());
    CHECK(says(refusal([&] { registry.add({.name = "strata:layer 5"}); }), "the library's own"));
    CHECK(registry.size() == 0);
    registry.add({.name = "strata::layer 5"});
    registry.add({.name = "strata"});
    CHECK(registry.size() == 2);
  }
  TEST_CASE("a component that is stored elsewhere is still the one of its type and of its description") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentId health = registry.id_of<Health>();
    const ComponentId sparse = registry.id_of<SparseHealth>();
    const ComponentId late = registry.add(describe<Position>());
    const std::uint64_t epoch = registry.storage_epoch();
    CHECK(registry.find_as_declared<Health>() == health);
    registry.set_storage(health, Storage::sparse);
    registry.set_storage(late, Storage::sparse);
    CHECK(registry[health].storage == Storage::sparse);
    CHECK(registry.moved_components() == 2);
    CHECK(registry.storage_epoch() != epoch);
    CHECK(registry.id_of<Health>() == health);
    CHECK(registry.id_of<Position>() == late);
    CHECK(registry.add(describe<Health>()) == health);
    CHECK(registry.find_as_declared<Health>() == Registry::kUnknown);
    CHECK(registry.find_as_declared<Position>() == Registry::kUnknown);
    CHECK(registry.find_as_declared<SparseHealth>() == sparse);
    registry.set_storage(health, Storage::table);
    registry.set_storage(health, Storage::table);
    registry.set_storage(late, Storage::table);
    CHECK(registry.moved_components() == 0);
    CHECK(registry.find_as_declared<Health>() == health);
    CHECK(registry.find_as_declared<Position>() == late);
  }
  TEST_CASE("a broken description is refused") {
    Registry registry(std::pmr::new_delete_resource());
    CHECK_THROWS_AS(registry.add({.name = "odd", .size = 3, .alignment = 2}), ContractViolation);
    CHECK(registry.size() == 0);
  }
  TEST_CASE("an id of another world is refused") {
    const Registry registry(std::pmr::new_delete_resource());
    CHECK_THROWS_AS((void)registry[ComponentId{0}], ContractViolation);
  }
  TEST_CASE("addresses of descriptions stay") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentInfo* first = &registry[registry.id_of<Position>()];
    for (int i = 0; i < 1000; ++i) registry.add({.name = "c" + std::to_string(i)});
    CHECK(first == &registry[registry.id_of<Position>()]);
  }
  TEST_CASE("several threads find known components, and none registers one") {
    Registry registry(std::pmr::new_delete_resource());
    const ComponentId health = registry.id_of<Health>();
    registry.add(describe<Frozen>());
    {
      const Registry::Shared shared(registry);
      const Registry::Shared nested(registry);
      std::vector<std::thread> threads;
      std::atomic<int> wrong = 0;
      for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
          wrong += registry.id_of<Health>() == health && to_index(registry.id_of<Frozen>()) == 1 ? 0 : 1;
          wrong += says(refusal([&] { registry.id_of<Name>(); }), "several threads") ? 0 : 1;
        });
      }
      for (std::thread& thread : threads) thread.join();
      CHECK(wrong == 0);
    }
    CHECK(registry.size() == 2);
    CHECK(to_index(registry.id_of<Name>()) == 2);
  }
  TEST_CASE("out of memory leaves the registry as it was") {
    FailingMemory memory;
    {
      Registry registry(&memory);
      const std::size_t failures = sweep_out_of_memory(
          memory, [&] { registry.add({.name = "new"}); },
          [&] {
            CHECK(registry.size() == 0);
            CHECK(!registry.find("new"));
          });
      CHECK(failures > 0);
    }
    CHECK(memory.blocks() == 0);
  }
}

}  // namespace strata::test::registry_test
