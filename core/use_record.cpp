#include "use_record.hpp"

namespace strata::detail {
namespace {

constexpr std::uint64_t kRead = 1;
constexpr std::uint64_t kChange = std::uint64_t{1} << 16;
constexpr std::uint64_t kVersion = std::uint64_t{1} << 32;
constexpr std::uint64_t kReads = kChange - kRead;
constexpr std::uint64_t kChanges = kVersion - kChange;

constexpr std::uint64_t one(Use use) {
  return use == Use::read ? kRead : kChange;
}

}  // namespace

void UseRecord::Name::set(UseName name) {
  operation.store(name.operation, std::memory_order_release);
  object.store(name.object, std::memory_order_release);
}

UseName UseRecord::Name::get() const {
  return {operation.load(std::memory_order_acquire), object.load(std::memory_order_acquire)};
}

UseRecord::Begun UseRecord::begin(UserThread user, Use use, UseName name) {
  Entry* entry = find(user);
  if (entry == nullptr) entry = take(user);
  if (entry == nullptr) return {};
  const std::uint64_t before = entry->state_.load(std::memory_order_relaxed);  // Only this thread writes it.
  const bool is_first = (before & (kReads | kChanges)) == 0;
  const bool is_first_change = use == Use::change && (before & kChanges) == 0;
  if (is_first) entry->first_.set(name);
  if (is_first_change) entry->change_.set(name);
  entry->state_.store(before + one(use) + kVersion);
  // Uses by one thread may nest. Only the outermost use and the outermost change are checked against other threads. An
  // inner use needs no check: what conflicts with it also conflicts with an outer use, and was noticed when the outer
  // use began. Threads that begin a use later notice the outer use.
  if (is_first || is_first_change) {
    if (const std::optional<UseName> conflict = find_conflict(*entry, use)) {
      end(*entry, use);
      return {nullptr, conflict};
    }
  }
  return {entry, std::nullopt};
}

void UseRecord::end(Entry& entry, Use use) noexcept {
  const std::uint64_t after = entry.state_.load(std::memory_order_relaxed) - one(use) + kVersion;
  entry.state_.store(after);
  if ((after & (kReads | kChanges)) == 0) entry.owner_.store(nullptr, std::memory_order_release);
}

/// Returns: the entry of a thread; null if there is none.
UseRecord::Entry* UseRecord::find(UserThread user) {
  const std::size_t taken = taken_.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < taken; ++i) {
    // A relaxed load is enough, because only the thread itself writes its address to an entry.
    if (entries_[i].owner_.load(std::memory_order_relaxed) == user.thread) return &entries_[i];
  }
  return nullptr;
}

/// Gives a free entry to a thread.
/// Returns: the entry; null if none is free.
UseRecord::Entry* UseRecord::take(UserThread user) {
  for (std::size_t i = 0; i < kMostThreads; ++i) {
    const void* owner = nullptr;
    if (!entries_[i].owner_.compare_exchange_strong(owner, user.thread, std::memory_order_acq_rel)) continue;
    entries_[i].works_for_.store(user.works_for, std::memory_order_release);
    // `taken_` (how many entries a thread looks at) is raised here, before the use is written to this entry. Every
    // thread writes its own use before it reads `taken_`. So if another thread has read `taken_` too early to look at
    // this entry, its use is written already, and this thread finds it.
    std::size_t taken = taken_.load();
    while (taken <= i && !taken_.compare_exchange_weak(taken, i + 1)) {
    }
    return &entries_[i];
  }
  return nullptr;
}

/// Searches the entries of other threads for a use that conflicts with `use`, a use by the thread that owns the entry
/// `own`. Threads that work for the same thread (see UserThread) do not conflict.
/// Returns: the name of the conflicting use; nullopt if there is none.
std::optional<UseName> UseRecord::find_conflict(const Entry& own, Use use) const {
  const void* const works_for = own.works_for_.load(std::memory_order_relaxed);
  const std::size_t taken = taken_.load();
  for (std::size_t i = 0; i < taken; ++i) {
    const Entry& other = entries_[i];
    if (&other == &own) continue;
    for (std::uint64_t state = other.state_.load();;) {
      const bool changes = (state & kChanges) != 0;
      if (!changes && (use == Use::read || (state & kReads) == 0)) break;
      const bool is_related = other.works_for_.load(std::memory_order_acquire) == works_for;
      const UseName name = (changes ? other.change_ : other.first_).get();
      const std::uint64_t now = other.state_.load();
      if (now == state) {
        if (is_related) break;
        return name;
      }
      state = now;  // The name that was read may belong to a later use: look again.
    }
  }
  return std::nullopt;
}

std::string UseRecord::check_invariants() const {
  const std::size_t taken = taken_.load();
  for (std::size_t i = 0; i < kMostThreads; ++i) {
    const void* const owner = entries_[i].owner_.load();
    if (owner == nullptr && (entries_[i].state_.load() & (kReads | kChanges)) != 0)
      return "U4: entry " + std::to_string(i) + " has uses and no owner";
    if (owner == nullptr) continue;
    if (i >= taken) return "U6: entry " + std::to_string(i) + " has an owner and was never taken";
    for (std::size_t j = 0; j < i; ++j) {
      if (entries_[j].owner_.load() == owner)
        return "U5: entries " + std::to_string(j) + " and " + std::to_string(i) + " have the same owner";
    }
  }
  return "";
}

}  // namespace strata::detail
