#include "../../core/values/byte_stream.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "../../core/values/hash.hpp"
#include "../support/refusal.hpp"

namespace strata::test::byte_stream_test {

namespace {

std::string text_of(const ByteWriter& writer) {
  return {reinterpret_cast<const char*>(writer.written().data()), writer.written().size()};
}

std::uint64_t hash_of(std::string_view text) {
  return detail::hash_bytes(std::as_bytes(std::span(text)));
}

}  // namespace

TEST_SUITE("core/byte_stream") {
  TEST_CASE("numbers are written with their lowest byte first") {
    ByteWriter writer;
    writer.write(std::uint32_t{0x04030201});
    writer.write(std::int16_t{-2});
    writer.write(true);
    writer.write(1.0f);
    writer.write_text("ab");
    CHECK(text_of(writer) == std::string("\1\2\3\4\xFE\xFF\1\0\0\x80\x3F\2ab", 14));
  }
  TEST_CASE("what was written is read") {
    ByteWriter writer;
    writer.write(std::numeric_limits<std::int64_t>::min());
    writer.write(-0.0);
    writer.write(0.1f);
    writer.write(Entity(7, 9));
    for (const std::uint64_t size : {0ull, 127ull, 128ull, 300ull, ~0ull}) writer.write_size(size);
    ByteReader reader(writer.written());
    CHECK(reader.read<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
    CHECK(std::signbit(reader.read<double>()));
    CHECK(reader.read<float>() == 0.1f);
    CHECK(reader.read_entity() == Entity(7, 9));
    for (const std::uint64_t size : {0ull, 127ull, 128ull, 300ull, ~0ull}) CHECK(reader.read_size() == size);
    CHECK(reader.left() == 0);
    CHECK(!reader.failed());
  }
  TEST_CASE("a reader that has failed returns 0 from then on") {
    const std::array<std::byte, 3> bytes{std::byte{1}, std::byte{2}, std::byte{3}};
    ByteReader reader(bytes);
    CHECK(reader.read<std::uint32_t>() == 0);
    CHECK(reader.failed());
    CHECK(reader.read<std::uint8_t>() == 0);
    CHECK(reader.read_text().empty());
    CHECK(reader.read_bytes(0) == nullptr);
  }
  TEST_CASE("a size has one form, and no more than 64 bits") {
    const auto refused = [](std::string_view text) {
      ByteReader reader(std::as_bytes(std::span(text)));
      return reader.read_size() == 0 && reader.failed();
    };
    CHECK(refused(""));
    CHECK(refused("\x80"));
    CHECK(refused(std::string_view("\x80\0", 2)));
    CHECK(refused("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"));
    CHECK(refused("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x81\x01"));
  }
  TEST_CASE("a number of values that cannot be is refused before memory is taken") {
    const std::string_view text = "\x7F of something";
    ByteReader few(std::as_bytes(std::span(text)));
    CHECK(few.read_count() == 0);
    CHECK(few.failed());
    const std::string_view nine = "\x09of something";
    ByteReader large(std::as_bytes(std::span(nine)));
    CHECK(large.read_count(1, 1'000'000) == 0);
    CHECK(large.failed());
    ByteReader small(std::as_bytes(std::span(nine)));
    CHECK(small.read_count(1, 1000) == 9);
  }
  TEST_CASE("the hash is XXH64") {
    CHECK(hash_of("") == 0xEF46DB3751D8E999u);
    CHECK(hash_of("a") == 0xD24EC4F1A98C6E5Bu);
    CHECK(hash_of("abc") == 0x44BC2CF5AD770999u);
    CHECK(hash_of("Nobody inspects the spammish repetition") == 0xFBCEA83C8A378BF1u);
  }
  TEST_CASE("a writer refuses to end a part that it has not begun") {
    ByteWriter writer;
    writer.write(1);
    CHECK(says(refusal([&] { writer.end_part(0); }), "begin_part"));
    CHECK(says(refusal([&] { writer.end_part(5); }), "begin_part"));
    writer.end_part(4);
    CHECK(text_of(writer) == std::string(4, '\0'));
  }
  TEST_CASE("a reader fails when more bytes are said to follow a part than there are") {
    const std::string bytes(100, 'x');
    for (const std::size_t rest : {std::size_t{97}, std::size_t{1000}, ~std::size_t{0}}) {
      ByteReader reader(std::as_bytes(std::span(bytes).first(100)));
      reader.read_bytes(4);
      reader.read_bytes(96);
      reader.end_part(rest);
      CHECK(reader.failed());
      CHECK(reader.read<std::uint64_t>() == 0);
      CHECK(reader.left() == 0);
    }
  }
}

}  // namespace strata::test::byte_stream_test
