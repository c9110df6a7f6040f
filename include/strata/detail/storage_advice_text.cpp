#include "storage_advice_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace strata::detail {
namespace {

std::string decimals(double number, int digits) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, number);
  return text.data();
}

/// Returns: a number as text, with a comma between groups of three digits. A number that is not whole is rounded: to
/// one decimal if it is below 10, otherwise to a whole number.
std::string grouped(double number) {
  if (number < 10 && number != std::floor(number)) return decimals(number, 1);
  std::string text = decimals(number, 0);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, 1, ',');
  return text;
}

/// Writes counts as text, such as "3 times a frame". Counts are divided by the number of frames; if there are no
/// frames, the text gives the total.
class Rate {
 public:
  explicit Rate(std::uint64_t frames) : frames_(frames) {}

  std::string times(std::uint64_t count) const {
    if (count == 0) return "never";
    const std::string number = grouped(each(count));
    return (number == "1" ? "once" : number + " times") + (frames_ != 0 ? " a frame" : "");
  }
  std::string rows(std::uint64_t count) const {
    const std::string number = grouped(each(count));
    return number + (number == "1" ? " row" : " rows") + (frames_ != 0 ? " a frame" : "");
  }

 private:
  double each(std::uint64_t count) const {
    return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, frames_));
  }

  std::uint64_t frames_;
};

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = names.size() > kMost ? kMost - 1 : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == shown && shown == names.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + names[i];
  }
  return shown == names.size() ? text : text + " and others";
}

std::string changes_in_words(const StorageAdvice::Component::Use& use, const Rate& rate) {
  const AccessCounts& counts = use.accesses;
  if (counts.changes() == 0) return "It is never added or removed";
  const std::string bytes =
      grouped(std::round(static_cast<double>(counts.changed_bytes) / static_cast<double>(counts.changes())));
  return "It is added or removed " + rate.times(counts.changes()) + ", which in tables moves rows of " +
         bytes + " other bytes";
}

std::string iterations_in_words(const StorageAdvice::Component::Use& use, const Rate& rate) {
  if (use.iterated == 0) return "no query visits it";
  std::string text = "queries with a term for it visit " + rate.rows(use.iterated);
  if (use.iterated_with.empty()) return text + ", for it alone";
  text += ", together with " + listed(use.iterated_with);
  return use.iterated_alone == 0 ? text : text + " (" + rate.rows(use.iterated_alone) + " for it alone)";
}

std::string look_ups_in_words(const AccessCounts& counts, const Rate& rate) {
  if (counts.look_ups() == 0) return "it is never looked up";
  return "it is looked up " + rate.times(counts.look_ups()) +
         (counts.missed == 0
              ? ""
              : " (" +
                    in_percent(static_cast<double>(counts.missed) / static_cast<double>(counts.look_ups())) +
                    " for entities without it)");
}

std::string weighed_in_words(const StorageAdvice::Component& advice, std::uint64_t frames) {
  const std::string other = advice.recommended == Storage::sparse ? "the tables" : "the side store";
  if (advice.saving <= 0 || !std::isfinite(advice.saving)) {
    return "Neither storage would cost noticeably less.";
  }
  return "Compared to " + other + ", that saves about " + in_time(advice.saving) +
         (frames != 0 ? " a frame, " : ", ") + in_percent(advice.saved_share()) +
         " of the cost of all uses that involve it.";
}

}  // namespace

std::string unqualified(std::string_view name) {
  const std::size_t arguments = name.find('<');
  const std::size_t colon = name.substr(0, arguments).rfind("::");
  return std::string(colon != name.npos ? name.substr(colon + 2) : name);
}

std::string in_time(double ns) {
  if (ns < 1e3) return decimals(ns, ns < 10 ? 1 : 0) + " ns";
  if (ns < 1e6) return decimals(ns / 1e3, ns < 1e4 ? 1 : 0) + " us";
  return decimals(ns / 1e6, ns < 1e7 ? 1 : 0) + " ms";
}

std::string in_percent(double share) {
  return decimals(share * 100, 0) + " %";
}

std::string reason_for(const StorageAdvice::Component& advice, Kept kept, std::uint64_t frames) {
  const Rate rate(frames);
  const StorageAdvice::Component::Use& use = advice.use;
  const std::string facts = changes_in_words(use, rate) + "; " + iterations_in_words(use, rate) + "; " +
                            look_ups_in_words(use.accesses, rate) + ". ";
  switch (kept) {
    case Kept::too_few_uses:
      return facts + "That is too little to tell.";
    case Kept::tracked:
      return facts + "Its changes are tracked, which only tables do.";
    case Kept::visited_in_blocks:
      return facts + "Queries visit it in blocks, which only tables have.";
    case Kept::of_library:
      return facts + "The library adds and removes it, and chooses its storage.";
    case Kept::no:
      break;
  }
  return facts + weighed_in_words(advice, frames);
}

}  // namespace strata::detail
