#include "byte_stream.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace strata {

ByteWriter::ByteWriter(std::pmr::memory_resource* memory) : bytes_(memory) {}

void ByteWriter::make_room(std::size_t bytes) {
  const std::size_t size = bytes_.size() + bytes;
  if (size > bytes_.capacity()) bytes_.reserve(std::max({size, 2 * bytes_.capacity(), std::size_t{64}}));
}

void ByteWriter::write_number(std::uint64_t number, std::size_t bytes) {
  make_room(bytes);
  for (std::size_t i = 0; i < bytes; ++i) bytes_.append(static_cast<std::byte>(number >> (8 * i)));
}

void ByteWriter::write_all(std::span<const std::uint32_t> numbers) {
  if constexpr (std::endian::native == std::endian::little)
    return write_bytes(numbers.data(), numbers.size_bytes());
  for (const std::uint32_t number : numbers) write(number);
}

void ByteWriter::write_size(std::uint64_t size) {
  make_room(10);
  for (; size >= 0x80; size >>= 7) bytes_.append(static_cast<std::byte>(size | 0x80));
  bytes_.append(static_cast<std::byte>(size));
}

void ByteWriter::write_bytes(const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  make_room(bytes);
  bytes_.append(static_cast<const std::byte*>(from), bytes);
}

void ByteWriter::write_text(std::string_view text) {
  make_room(text.size() + 10);
  write_size(text.size());
  write_bytes(text.data(), text.size());
}

std::uint64_t ByteReader::read_number(std::size_t bytes) noexcept {
  const std::byte* const at = read_bytes(bytes);
  std::uint64_t number = 0;
  for (std::size_t i = 0; at != nullptr && i < bytes; ++i) number |= std::uint64_t(at[i]) << (8 * i);
  return number;
}

std::uint64_t ByteReader::read_size() noexcept {
  std::uint64_t size = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = read_number(1);
    size |= (byte & 0x7F) << shift;
    if (byte < 0x80) {
      // `byte` is the last byte of the size. Each size has only one encoding, so a last byte of 0 is refused, unless it
      // is the only byte. Sizes of more than 64 bits are refused, too.
      if ((byte == 0 && shift != 0) || (shift == 63 && byte > 1)) break;
      return failed_ ? 0 : size;
    }
  }
  fail();
  return 0;
}

void ByteReader::read_all(std::span<std::uint32_t> numbers) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const std::byte* const at = read_bytes(numbers.size_bytes());
    if (numbers.empty()) return;
    at != nullptr ? std::memcpy(numbers.data(), at, numbers.size_bytes())
                  : std::memset(numbers.data(), 0, numbers.size_bytes());
  } else {
    for (std::uint32_t& number : numbers) number = read<std::uint32_t>();
  }
}

std::size_t ByteReader::read_count(std::size_t least, std::size_t memory) noexcept {
  const std::uint64_t count = read_size();
  if (count > left_.size() / std::max<std::size_t>(least, 1)) fail();
  return !failed_ && allow(static_cast<std::size_t>(count), memory) ? static_cast<std::size_t>(count) : 0;
}

bool ByteReader::allow(std::size_t count, std::size_t memory) noexcept {
  if (count > allowed_ / std::max<std::size_t>(memory, 1)) fail();
  if (!failed_) allowed_ -= count * memory;
  return !failed_;
}

std::string_view ByteReader::read_text() noexcept {
  const std::size_t size = read_count();
  const std::byte* const at = read_bytes(size);
  return at != nullptr ? std::string_view(reinterpret_cast<const char*>(at), size) : std::string_view();
}

}  // namespace strata
