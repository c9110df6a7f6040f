#include "../../storage/side_store/value_pages.hpp"

#include <doctest/doctest.h>

#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::value_pages_test {

using namespace detail;

namespace {

template <class T>
ComponentInfo with_pages_of(std::uint32_t bytes) {
  ComponentInfo description = describe<T>();
  description.pool.value_page_bytes = bytes;
  return description;
}

}  // namespace

TEST_SUITE("storage/value_pages") {
  TEST_CASE("a page has as many rows as fit, a power of two, and at least one") {
    FailingMemory memory;
    CHECK(ValuePages(with_pages_of<Position>(1024), &memory).rows_per_page() == 64);
    CHECK(ValuePages(with_pages_of<Health>(1024), &memory).rows_per_page() == 256);
    CHECK(ValuePages(with_pages_of<Wide>(64), &memory).rows_per_page() == 1);
    CHECK(ValuePages(with_pages_of<std::array<char, 100>>(64), &memory).rows_per_page() == 1);
  }
  TEST_CASE("rows lie side by side on a page, aligned as the component asks for") {
    FailingMemory memory;
    ValuePages pages(with_pages_of<Wide>(256), &memory);
    for (int i = 0; i < 3; ++i) pages.append();
    CHECK(pages.rows() == 12);
    for (std::uint32_t row = 0; row < pages.rows(); ++row) {
      CHECK(reinterpret_cast<std::uintptr_t>(pages.at(row)) % alignof(Wide) == 0);
      CHECK(pages.at(row) == static_cast<void*>(pages.at_as<Wide>(row)));
      if (pages.row_in_page(row) != 0) CHECK(pages.at_as<Wide>(row) == pages.at_as<Wide>(row - 1) + 1);
    }
    CHECK(pages.reserved() == memory.bytes());
    pages.release(0);
    CHECK(!pages.has_memory(0));
    CHECK(pages.made() == 2);
    pages.renumber(2, 0);
    pages.truncate(1);
    CHECK(pages.has_memory(0));
    CHECK(pages.made() == 1);
    CHECK(pages.reserved() == memory.bytes());
  }
  TEST_CASE("a tag has no values, and room for any number of them") {
    FailingMemory memory;
    const ValuePages pages(describe<Frozen>(), &memory);
    CHECK(pages.of_tag());
    CHECK(pages.at(0) == nullptr);
    CHECK(pages.at(123'456) == nullptr);
    CHECK(pages.rows() > 4'000'000'000u);
    CHECK(memory.allocations() == 0);
  }
  TEST_CASE("out of memory adds no page") {
    FailingMemory memory;
    ValuePages pages(with_pages_of<Health>(64), &memory);
    CHECK(sweep_out_of_memory(
              memory, [&] { pages.append(); }, [&] { CHECK(pages.size() == 0); }) >= 1);
    CHECK(pages.size() == 1);
    CHECK(pages.made() == 1);
  }
}

}  // namespace strata::test::value_pages_test
