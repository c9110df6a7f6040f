// ByteWriter and ByteReader: numbers and texts as bytes, in little-endian order on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>

#include "../compiler.hpp"
#include "../contract.hpp"
#include "../entity.hpp"
#include "../plain_list.hpp"

namespace strata {

namespace detail {

/// A type of numbers, or an enumeration, whose values are written as bytes.
template <class T>
concept PlainNumber = (std::is_arithmetic_v<T> || std::is_enum_v<T>)&&sizeof(T) <= 8;

/// Returns: an integer whose lowest sizeof(T) bytes are the bits of `number`. Its higher bytes have no meaning.
template <PlainNumber T>
std::uint64_t bits_of(T number) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
  } else {
    return static_cast<std::uint64_t>(number);
  }
}

}  // namespace detail

/// Writes numbers and texts to memory as bytes.
class ByteWriter {
 public:
  STRATA_API explicit ByteWriter(std::pmr::memory_resource* memory = std::pmr::new_delete_resource());

  // Errors of all functions that write: std::bad_alloc; nothing has been written then.

  /// Writes all bytes of a number, the lowest one first.
  template <detail::PlainNumber T>
  void write(T number) {
    write_number(detail::bits_of(number), sizeof(T));
  }
  /// Writes all bytes of each of the numbers, as `write` does.
  STRATA_API void write_all(std::span<const std::uint32_t> numbers);
  void write(Entity entity) { write(entity.bits()); }
  /// Writes the `bytes` least significant bytes of a number; `bytes` is at most 8.
  STRATA_API void write_number(std::uint64_t number, std::size_t bytes);
  /// Writes a number in 1 to 10 bytes; a small number takes fewer bytes than a large one.
  STRATA_API void write_size(std::uint64_t size);
  STRATA_API void write_bytes(const void* from, std::size_t bytes);
  /// Writes the size of a text, then its characters.
  STRATA_API void write_text(std::string_view text);

  /// Begins a part, which consists of what is written until `end_part`. Leaves 4 bytes before the part, to which
  /// `end_part` writes the size of the part.
  /// Returns: the position of the part, for `end_part`.
  std::size_t begin_part() {
    write(std::uint32_t{0});
    return bytes_.size();
  }
  /// Ends the part for which `begin_part` returned `begin`: writes its size into the 4 bytes before it.
  /// Contract: `clear` was not called since `begin_part`, and the part has less than 4 GiB.
  void end_part(std::size_t begin) {
    STRATA_EXPECTS(
        begin >= 4 && begin <= bytes_.size() && bytes_.size() - begin <= 0xFFFF'FFFF,
        "end_part of a ByteWriter: no part of less than 4 GiB begins there: pass what begin_part has "
        "returned");
    const std::size_t size = bytes_.size() - begin;
    for (std::size_t i = 0; i < 4; ++i) bytes_[begin - 4 + i] = static_cast<std::byte>(size >> (8 * i));
  }

  /// Returns: what has been written.
  /// Invalidates: the span, by every function that writes.
  std::span<const std::byte> written() const noexcept { return {bytes_.data(), bytes_.size()}; }
  /// Discards what has been written, and keeps the memory.
  void clear() noexcept { bytes_.clear(); }

 private:
  STRATA_API void make_room(std::size_t bytes);

  detail::PlainList<std::byte> bytes_;
};

/// Reads what a ByteWriter has written. A function fails if too few bytes are left, or if what it reads is not valid;
/// then it returns 0, null or an empty text. After the first failure, all functions fail, and `failed` returns true. So
/// one test at the end is enough.
class ByteReader {
 public:
  /// Contract: the bytes outlive this object.
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : ByteReader(bytes, bytes.size()) {}
  /// Reads bytes that were decompressed from `stored` bytes. The memory that values may take (see `read_count`) is also
  /// limited in proportion to `stored`. So a small file that decompresses to very many bytes cannot cause large
  /// allocations.
  ByteReader(std::span<const std::byte> bytes, std::size_t stored) noexcept
      : begin_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        left_(bytes),
        allowed_(kFree + kMostGrowth * std::min(bytes.size(), kMostCounted * stored)) {}

  template <detail::PlainNumber T>
  T read() noexcept {
    if constexpr (std::endian::native == std::endian::little && std::is_arithmetic_v<T> &&
                  !std::is_same_v<T, bool>) {
      T number{};
      if (const std::byte* const at = read_bytes(sizeof(T))) std::memcpy(&number, at, sizeof(T));
      return number;
    }
    const std::uint64_t bits = read_number(sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      const auto half = static_cast<std::uint32_t>(bits);
      T number;
      std::memcpy(&number, sizeof(T) == 4 ? static_cast<const void*>(&half) : &bits, sizeof number);
      return number;
    } else {
      return static_cast<T>(bits);
    }
  }
  Entity read_entity() noexcept { return Entity::from_bits(read<std::uint64_t>()); }
  /// Reads a number of `bytes` bytes; `bytes` is at most 8.
  STRATA_API std::uint64_t read_number(std::size_t bytes) noexcept;
  /// Reads what `write_size` has written.
  STRATA_API std::uint64_t read_size() noexcept;
  /// Reads one number into each element of `numbers`. On failure, sets all elements to 0.
  STRATA_API void read_all(std::span<std::uint32_t> numbers) noexcept;
  /// Reads the number of values that follow. Each value has at least `least` bytes, and takes `memory` bytes of memory
  /// when it has been read. Fails if too few bytes are left for that many values, or if all values counted so far by
  /// this reader would together take more memory than its bytes allow (see kMostGrowth). So a wrong number never leads
  /// to a large allocation.
  /// Returns: the number of values; 0 on failure.
  STRATA_API std::size_t read_count(std::size_t least = 1, std::size_t memory = 1) noexcept;
  /// Called before memory is allocated for values whose number was not read by `read_count`. Counts `count` more values
  /// that take `memory` bytes of memory each. Fails if all values counted so far, by this function and `read_count`,
  /// would together take more memory than the reader's bytes allow (see kMostGrowth).
  /// Returns: false if reading has failed, now or before.
  STRATA_API bool allow(std::size_t count, std::size_t memory) noexcept;
  /// Reads the next `bytes` bytes.
  /// Returns: their address; null on failure.
  const std::byte* read_bytes(std::size_t bytes) noexcept {
    if (failed_ || bytes > left_.size()) {
      fail();
      return nullptr;
    }
    const std::byte* const at = left_.data();
    left_ = left_.subspan(bytes);
    return at;
  }
  /// Returns: the text that `write_text` has written; empty on failure. The result is not a copy: it refers to the
  /// bytes that the reader reads.
  STRATA_API std::string_view read_text() noexcept;

  /// Begins a part that a ByteWriter has written: until `end_part`, only the bytes of the part can be read. Fails if
  /// the size of the part, which is read first, is greater than the number of bytes left; the part is empty then.
  /// Returns: the number of bytes that follow the part, to be passed to `end_part`.
  std::size_t begin_part() noexcept {
    const auto size = read<std::uint32_t>();
    if (size > left_.size()) fail();
    const std::size_t rest = failed_ ? left_.size() : left_.size() - size;
    left_ = left_.first(left_.size() - rest);
    return rest;
  }
  /// Ends a part. `rest` is what `begin_part` has returned. Fails if the part was not read to its end, or if fewer than
  /// `rest` bytes follow it.
  void end_part(std::size_t rest) noexcept {
    const std::byte* const at = left_.data() + left_.size();
    const auto most = static_cast<std::size_t>(end_ - at);
    if (!left_.empty() || rest > most) fail();
    left_ = {at, std::min(rest, most)};
  }

  /// Marks the bytes as invalid: all further reading fails.
  void fail() noexcept { failed_ = true; }
  bool failed() const noexcept { return failed_; }
  std::size_t left() const noexcept { return left_.size(); }
  /// Returns: how many bytes have been read.
  std::size_t position() const noexcept { return static_cast<std::size_t>(left_.data() - begin_); }

 private:
  // The values counted by `read_count` and `allow` may together take kFree bytes of memory, plus kMostGrowth bytes for
  // each byte that the reader was given. If the given bytes were decompressed from `stored` bytes (see the
  // constructor), at most kMostCounted * stored of them count.
  static constexpr std::size_t kFree = std::size_t{1} << 20;
  static constexpr std::size_t kMostGrowth = std::size_t{1} << 14;
  static constexpr std::size_t kMostCounted = 32;

  const std::byte* begin_;
  const std::byte* end_;
  std::span<const std::byte> left_;
  std::size_t allowed_;  // The bytes of memory that counted values may still take.
  bool failed_ = false;
};

}  // namespace strata
