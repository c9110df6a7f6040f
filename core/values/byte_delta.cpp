#include "byte_delta.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "byte_stream.hpp"
#include "hash.hpp"

namespace strata {
namespace {

// A delta tells how to make the bytes `after` from the bytes `before`. It consists of kDeltaMagic, the size and hash of
// `before`, the size and hash of `after`, any number of steps, and the hash of everything before that hash. A step
// begins with a number: its lowest bit is a flag, the other bits are a size. If the flag is 0, that many new bytes
// follow. If the flag is 1, a position in `before` follows, from which that many bytes are copied. All numbers are
// little-endian.
constexpr std::string_view kDeltaMagic =
    "strata\x1A"
    "delta1\n";
/// `make_delta` looks for equal bytes in `before` and `after` by comparing pieces of this size, in bytes. It finds no
/// shorter run of equal bytes, and not every longer one (see PieceIndex).
constexpr std::size_t kWindow = 32;
constexpr std::size_t kHashBytes = 8;
/// Limits how many bytes a delta copies from `before`, as a multiple of the size of `before`. So applying a small delta
/// cannot take unlimited memory.
constexpr std::uint64_t kMostCopies = 4;

std::uint64_t hash_of(std::string_view bytes) {
  return detail::hash_bytes(std::as_bytes(std::span(bytes)));
}

/// A rolling hash: the hash of the last kWindow bytes of a sequence, updated byte by byte.
/// Source: M. Karp, R. Rabin, "Efficient randomized pattern-matching algorithms" (1987).
class RollingHash {
 public:
  void begin(const char* window) {
    hash_ = 0;
    for (std::size_t i = 0; i < kWindow; ++i) hash_ = hash_ * kBase + byte(window[i]);
  }
  void move(char leaves, char enters) { hash_ = hash_ * kBase + byte(enters) - kLeaving * byte(leaves); }
  /// Returns: the hash as a number of `count` bits.
  std::size_t bits(int count) const { return static_cast<std::size_t>(hash_ * kSpread >> (64 - count)); }

 private:
  static constexpr std::uint64_t kBase = 0x9E37'79B9'7F4A'7C15;
  static constexpr std::uint64_t kSpread = 0xD6E8'FEB8'6659'FD93;

  static std::uint64_t byte(char of) { return static_cast<unsigned char>(of) + std::uint64_t{1}; }
  static constexpr std::uint64_t kLeaving = [] {  // kBase to the power of kWindow.
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < kWindow; ++i) power *= kBase;
    return power;
  }();

  std::uint64_t hash_ = 0;
};

/// An index of pieces of a sequence: one piece of kWindow bytes at every kWindow-th byte. Finds a piece by its bytes.
/// Does not find every piece: among pieces with the same RollingHash::bits, only the first is in the index.
class PieceIndex {
 public:
  explicit PieceIndex(std::string_view bytes)
      : bytes_(bytes), bits_(std::max(4, static_cast<int>(std::bit_width(bytes.size() / kWindow * 2)))) {
    places_.assign(std::size_t{1} << bits_, kNone);
    for (std::size_t at = 0; at + kWindow <= bytes.size(); at += kWindow) {
      RollingHash hash;
      hash.begin(bytes.data() + at);
      std::size_t& place = places_[hash.bits(bits_)];
      if (place == kNone) place = at;
    }
  }

  static constexpr std::size_t kNone = ~std::size_t{0};

  /// Finds a piece in the index that is equal to the kWindow bytes at `window`. `hash` is the hash of these bytes.
  /// Returns: the position of the piece in the sequence; kNone if the index has no such piece.
  std::size_t find(const RollingHash& hash, const char* window) const {
    const std::size_t place = places_[hash.bits(bits_)];
    const bool is_found = place != kNone && std::equal(window, window + kWindow, bytes_.data() + place);
    return is_found ? place : kNone;
  }

 private:
  std::string_view bytes_;
  int bits_;
  std::vector<std::size_t> places_;
};

/// Writes a delta as a sequence of steps. A step either contains new bytes, or copies bytes from `before`.
class DeltaWriter {
 public:
  DeltaWriter(std::string_view before, std::string_view after) : before_(before), after_(after) {}

  std::string write() {
    out_.write_bytes(kDeltaMagic.data(), kDeltaMagic.size());
    for (const std::string_view bytes : {before_, after_}) {
      out_.write_size(bytes.size());
      out_.write(hash_of(bytes));
    }
    write_steps();
    out_.write(detail::hash_bytes(out_.written()));
    const std::span<const std::byte> written = out_.written();
    return {reinterpret_cast<const char*>(written.data()), written.size()};
  }

 private:
  void write_steps() {
    const PieceIndex index(before_);
    RollingHash hash;
    std::size_t at = 0;
    bool is_hashed = false;
    while (at + kWindow <= after_.size()) {
      if (!is_hashed) hash.begin(after_.data() + at);
      is_hashed = true;
      const std::size_t place = find(index, hash, at);
      if (place == PieceIndex::kNone) {
        if (at + kWindow < after_.size()) hash.move(after_[at], after_[at + kWindow]);
        ++at;
        continue;
      }
      at = copy(at, place);
      is_hashed = false;
    }
    write_new(after_.size());
  }

  /// Searches `before` for the kWindow bytes at position `at` of `after`. First compares them with the bytes at
  /// position `at + shift_` of `before`, which continues the last copied run: bytes that follow each other in `after`
  /// often follow each other in `before`, too. If they differ, searches the pieces of `before` that are in `index`.
  /// Returns: the position in `before`; kNone if the bytes are at none of these positions.
  std::size_t find(const PieceIndex& index, const RollingHash& hash, std::size_t at) const {
    const std::size_t expected = at + shift_;
    const bool fits = expected <= before_.size() && before_.size() - expected >= kWindow;
    if (fits && after_.compare(at, kWindow, before_, expected, kWindow) == 0) return expected;
    return index.find(hash, after_.data() + at);
  }

  /// Extends a run of equal bytes, which begins at `at` in `after` and at `place` in `before`, in both directions as
  /// far as possible. Writes a step that copies the run, unless all copied runs together would then be longer than
  /// kMostCopies allows.
  /// Returns: the end of the run in `after`, even if no step was written.
  /// Contract: kWindow bytes at these positions are equal.
  std::size_t copy(std::size_t at, std::size_t place) {
    std::size_t first = at;
    for (; first > done_ && place > 0 && after_[first - 1] == before_[place - 1]; --first) --place;
    const std::size_t most = std::min(after_.size() - first, before_.size() - place);
    const auto end = std::mismatch(after_.begin() + static_cast<std::ptrdiff_t>(first),
                                   after_.begin() + static_cast<std::ptrdiff_t>(first + most),
                                   before_.begin() + static_cast<std::ptrdiff_t>(place));
    const auto count = static_cast<std::size_t>(end.first - after_.begin()) - first;
    shift_ = place - first;
    copied_ += count;
    // As soon as the copied runs would exceed the bytes that kMostCopies allows, this run and all later ones are not
    // copied: `write_new` later writes their bytes as new ones.
    if (copied_ > kMostCopies * before_.size()) return first + count;
    write_new(first);
    out_.write_size(std::uint64_t{count} << 1 | 1);
    out_.write_size(place);
    return done_ = first + count;
  }

  /// Writes the bytes of `after` up to `end` that are not written yet.
  void write_new(std::size_t end) {
    if (end == done_) return;
    out_.write_size(std::uint64_t{end - done_} << 1);
    out_.write_bytes(after_.data() + done_, end - done_);
    done_ = end;
  }

  std::string_view before_;
  std::string_view after_;
  ByteWriter out_;
  std::size_t done_ = 0;   // The number of bytes of `after` that are written.
  std::size_t shift_ = 0;  // Position in `before` minus that in `after`, in the last copy; may wrap around.
  std::uint64_t copied_ = 0;
};

/// Reads the steps of a delta, each of which contains new bytes or copies bytes from `before`. Calls
/// `add(std::string_view)` for each step, with the bytes that the step appends to `after`. Stops at the first step that
/// is not valid.
/// Returns: whether all steps are valid.
template <class Add>
bool for_each_step(std::string_view before, ByteReader from, Add add) {
  while (from.left() != 0) {
    const std::uint64_t step = from.read_size();
    const std::uint64_t count = step >> 1;
    if ((step & 1) == 0) {
      if (count > from.left()) return false;
      const std::byte* const bytes = from.read_bytes(static_cast<std::size_t>(count));
      if (from.failed() || count == 0) return false;
      add(std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count)));
    } else {
      const std::uint64_t place = from.read_size();
      if (from.failed() || place > before.size() || count > before.size() - place || count == 0) return false;
      add(before.substr(static_cast<std::size_t>(place), static_cast<std::size_t>(count)));
    }
  }
  return true;
}

DeltaResult refused(const char* why) {
  return {Outcome::refused(std::string("the delta cannot be applied: ") + why), ""};
}

}  // namespace

std::string make_delta(std::string_view before, std::string_view after) {
  return DeltaWriter(before, after).write();
}

DeltaResult apply_delta(std::string_view before, std::string_view delta) {
  if (!delta.starts_with(kDeltaMagic) || delta.size() < kDeltaMagic.size() + kHashBytes)
    return refused("these bytes were not made by make_delta");
  const std::span<const std::byte> bytes = std::as_bytes(std::span(delta));
  ByteReader end(bytes.last(kHashBytes));
  if (end.read<std::uint64_t>() != detail::hash_bytes(bytes.first(bytes.size() - kHashBytes)))
    return refused("it is cut off or damaged");
  ByteReader from(bytes.subspan(kDeltaMagic.size(), bytes.size() - kDeltaMagic.size() - kHashBytes));
  const std::uint64_t size_before = from.read_size();
  const auto hash_before = from.read<std::uint64_t>();
  const std::uint64_t size_after = from.read_size();
  const auto hash_after = from.read<std::uint64_t>();
  if (from.failed()) return refused("its content is not valid");
  if (size_before != before.size() || hash_before != hash_of(before))
    return refused("it was made from other bytes: pass those from which make_delta made it");
  std::uint64_t size = 0;
  const bool is_sound = for_each_step(before, from, [&](std::string_view step) { size += step.size(); });
  if (!is_sound || size != size_after || size > kMostCopies * before.size() + delta.size())
    return refused("its content is not valid");
  DeltaResult result{Outcome::done(), ""};
  result.after.reserve(static_cast<std::size_t>(size));
  static_cast<void>(for_each_step(before, from, [&](std::string_view step) { result.after += step; }));
  return hash_of(result.after) == hash_after ? std::move(result) : refused("its result has a wrong checksum");
}

}  // namespace strata
