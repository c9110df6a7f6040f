#include "pairs.hpp"

#include <new>
#include <utility>

#include "../../core/cache_line.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

constexpr std::uint32_t kEntriesPerPage = 4096;  // As of a pool; see PoolOptions.

}  // namespace

Pairs::Pairs(ComponentId id, const ComponentInfo& value, const RelationOptions& options,
             ComponentId source_component, std::pmr::memory_resource* memory)
    : id_(id),
      component_(value),
      options_(options),
      source_component_(source_component),
      heads_{PagedIndex(kEntriesPerPage, nullptr, 0, memory),
             PagedIndex(kEntriesPerPage, nullptr, 0, memory)},
      pages_(memory),
      values_(value, memory) {}

Pairs::~Pairs() {
  for (Record* const page : pages_) {
    pages_.memory()->deallocate(page, kPerPage * sizeof(Record), kCacheLine);
  }
}

std::uint32_t Pairs::find(Entity source, Entity target) const noexcept {
  std::uint32_t to = first(End::source, source);
  std::uint32_t from = to != kNone ? first(End::target, target) : kNone;
  // Both lists are searched in turns, so the shorter one decides.
  while (to != kNone && from != kNone) {
    if (record(to).ends[1] == target) return to;
    if (record(from).ends[0] == source) return from;
    to = next(End::source, to);
    from = next(End::target, from);
  }
  return kNone;
}

/// Makes room for the records and the value of one pair.
/// Errors: std::bad_alloc; no pair has changed then.
void Pairs::make_room() {
  if (free_ != kNone) return;
  if (used_ == pages_.size() << kPageBits) {
    reserve_one(pages_);
    pages_.push_back(static_cast<Record*>(pages_.memory()->allocate(kPerPage * sizeof(Record), kCacheLine)));
  }
  const std::uint32_t row = used_ >> options_.symmetric;
  if (!values_.of_tag() && values_.page_of(row) == values_.size()) values_.append();
}

/// Lets the list of an entity begin with `pair`, if it has none.
/// Errors: std::bad_alloc; nothing has changed then.
void Pairs::enter(End end, Entity entity, std::uint32_t pair) {
  PagedIndex& heads = heads_[to_position(end)];
  if (heads.find(entity.index()) != kNone) return;
  heads.reserve(entity.index());
  heads.try_enter(entity.index(), pair);
}

void Pairs::leave_if_entered(End end, Entity entity, std::uint32_t pair) noexcept {
  PagedIndex& heads = heads_[to_position(end)];
  if (heads.find(entity.index()) == pair) heads.leave(entity.index());
}

/// Undoes the calls of `enter` for a pair that is not listed.
void Pairs::leave_heads(std::uint32_t pair, Entity source, Entity target) noexcept {
  for (std::uint32_t i = 0; i < step(); ++i) {
    leave_if_entered(End::source, source, pair + i);
    leave_if_entered(End::target, target, pair + i);
    std::swap(source, target);
  }
}

std::uint32_t Pairs::prepare(Entity source, Entity target) {
  make_room();
  const bool is_new = free_ == kNone;
  const std::uint32_t pair = is_new ? used_ : free_;
  // Records without ends are not found by look-ups, so lists may begin with them before `link`.
  for (std::uint32_t i = 0; is_new && i < step(); ++i) ::new (&record(pair + i)) Record{};
  Rollback leave([&] { leave_heads(pair, source, target); });
  enter(End::source, source, pair);
  enter(End::target, target, pair);
  if (options_.symmetric) {
    enter(End::source, target, pair + 1);
    enter(End::target, source, pair + 1);
  }
  leave.dismiss();
  if (is_new) {
    used_ += step();
  } else {
    free_ = record(pair).links[0].next;
  }
  return pair;
}

void Pairs::cancel(std::uint32_t pair, Entity source, Entity target) noexcept {
  leave_heads(pair, source, target);
  release(pair);
}

void Pairs::link(std::uint32_t pair, Entity source, Entity target) noexcept {
  for (std::uint32_t i = 0; i < step(); ++i) {
    record(pair + i).ends = {source, target};
    list(End::source, pair + i);
    list(End::target, pair + i);
    std::swap(source, target);
  }
  size_ += step();
}

/// Appends a pair to the list of the entity at one end.
/// Contract: the entity has a list; `prepare` has let it begin with `pair` if there was none.
void Pairs::list(End end, std::uint32_t pair) noexcept {
  const std::size_t side = to_position(end);
  const std::uint32_t first = heads_[side].find(record(pair).ends[side].index());
  record(pair).links[side] = {kNone, pair};
  if (first == pair) return;
  const std::uint32_t last = std::exchange(record(first).links[side].previous, pair);
  record(last).links[side].next = pair;
  record(pair).links[side].previous = last;
}

/// Takes a pair out of the list of the entity at one end.
void Pairs::unlist(End end, std::uint32_t pair) noexcept {
  const std::size_t side = to_position(end);
  const auto [next, previous] = record(pair).links[side];
  const std::uint32_t index = record(pair).ends[side].index();
  const bool is_first = record(previous).links[side].next == kNone;
  if (is_first && next == kNone) return heads_[side].leave(index);
  if (is_first) {
    heads_[side].move(index, next);
  } else {
    record(previous).links[side].next = next;
  }
  const std::uint32_t behind = next != kNone ? next : heads_[side].find(index);
  record(behind).links[side].previous = previous;
}

std::uint32_t Pairs::remove(std::uint32_t pair) noexcept {
  const std::uint32_t number = options_.symmetric ? pair & ~1u : pair;
  for (std::uint32_t i = 0; i < step(); ++i) {
    unlist(End::source, number + i);
    unlist(End::target, number + i);
    record(number + i).ends = {};
  }
  size_ -= step();
  if (component_.destroy == nullptr) {
    release(number);
    return step();
  }
  record(number).links[0].next = kNone;
  if (dead_.first == kNone) {
    dead_.first = number;
  } else {
    record(dead_.last).links[0].next = number;
  }
  dead_.last = number;
  return step();
}

void Pairs::clear() noexcept {
  for (std::uint32_t number = 0; number < used_; ++number) {
    if (is_pair(number)) remove(number);
  }
}

void Pairs::destroy_dead() noexcept {
  while (dead_.first != kNone) {
    const std::uint32_t number = dead_.first;
    component_.destroy(value(number), 1);
    dead_.first = record(number).links[0].next;
    release(number);
  }
}

/// Makes the records of a pair free.
void Pairs::release(std::uint32_t pair) noexcept {
  record(pair).links[0].next = std::exchange(free_, pair);
}

void Pairs::shrink() noexcept {
  while (used_ != 0 && !has_dead()) {
    const std::uint32_t last = used_ - step();
    if (is_pair(last)) break;
    used_ = last;
  }
  free_ = kNone;
  for (std::uint32_t number = used_; number != 0 && !has_dead();) {
    number -= step();
    if (!is_pair(number)) release(number);
  }
  const std::size_t keep = (std::size_t{used_} + kPerPage - 1) >> kPageBits;
  for (; pages_.size() > keep; pages_.pop_back()) {
    pages_.memory()->deallocate(pages_.back(), kPerPage * sizeof(Record), kCacheLine);
  }
  pages_.shrink_to_fit();
  const std::uint32_t rows = used_ >> options_.symmetric;
  if (!values_.of_tag()) values_.truncate((rows + values_.rows_per_page() - 1) / values_.rows_per_page());
  values_.shrink_to_fit();
  for (PagedIndex& heads : heads_) heads.shrink();
}

MemoryUse Pairs::memory_use() const noexcept {
  const std::size_t value_bytes = component_.size;
  const std::size_t used = size_ * sizeof(Record) + (size_ >> options_.symmetric) * value_bytes;
  const std::size_t reserved = pages_.size() * kPerPage * sizeof(Record) + values_.reserved() +
                               memory_use_of(pages_).reserved + heads_[0].reserved() + heads_[1].reserved();
  return {used, reserved};
}

std::string Pairs::check_pair(std::uint32_t pair) const {
  const Entity source = record(pair).ends[0];
  const Entity target = record(pair).ends[1];
  const std::string which = "the pair of \"" + component_.name + "\" from entity " + to_string(source) +
                            " to entity " + to_string(target);
  if (!target || source == target) return "I10: " + which + " has equal ends, or an end is null";
  if (find(source, target) != pair) return "I10: " + which + " is there twice, or is not found";
  if (options_.exclusive && next(End::source, pair) != kNone) return "I11: " + which + " is not the only one";
  if (options_.symmetric && (record(pair ^ 1).ends[0] != target || record(pair ^ 1).ends[1] != source)) {
    return "I12: " + which + " has no reverse";
  }
  return "";
}

/// Checks a list of pairs that begins with `first`, and adds the number of pairs in it to `seen`.
std::string Pairs::check_list(End end, std::uint32_t first, std::uint32_t& seen) const {
  const std::size_t side = to_position(end);
  std::uint32_t last = first;
  for (std::uint32_t pair = first; pair != kNone; pair = next(end, pair), ++seen) {
    const bool is_linked = pair == first || record(pair).links[side].previous == last;
    if (!is_linked || record(pair).ends[side] != record(first).ends[side] || seen > size_) {
      return "I9: the list of entity " + to_string(record(first).ends[side]) + " in \"" + component_.name +
             "\" is broken";
    }
    last = pair;
  }
  return record(first).links[side].previous == last ? "" : "I9: a list does not know its last pair";
}

std::string Pairs::check_invariants() const {
  std::uint32_t pairs = 0;
  std::array<std::uint32_t, 2> listed{};
  for (std::uint32_t number = 0; number < used_; ++number) {
    if (!is_pair(number)) continue;
    ++pairs;
    if (std::string broken = check_pair(number); !broken.empty()) return broken;
    for (const End end : {End::source, End::target}) {
      if (first(end, entity(end, number)) != number) continue;
      if (std::string broken = check_list(end, number, listed[to_position(end)]); !broken.empty())
        return broken;
    }
  }
  if (pairs != size_ || listed[0] != size_ || listed[1] != size_) {
    return "I9: \"" + component_.name + "\" has " + std::to_string(size_) + " pairs, and " +
           std::to_string(listed[0]) + " and " + std::to_string(listed[1]) + " are listed";
  }
  std::uint32_t unused = 0;
  for (const std::uint32_t head : {free_, dead_.first}) {
    for (std::uint32_t number = head; number != kNone; number = record(number).links[0].next) {
      if (is_pair(number) || unused > used_) return "I13: a pair is listed as free";
      unused += step();
    }
  }
  return unused + size_ == used_ ? "" : "I13: a record is neither a pair nor free";
}

}  // namespace strata::detail
