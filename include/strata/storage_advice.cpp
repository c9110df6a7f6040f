#include "storage_advice.hpp"

#include <algorithm>
#include <ostream>

#include "detail/storage_advice_text.hpp"

namespace strata {
namespace {

std::string in_total(const StorageAdvice& advice) {
  const std::string per = advice.frames != 0 ? " a frame" : "";
  std::string text = "layout, after " + std::to_string(advice.frames) +
                     (advice.frames == 1 ? " frame: " : " frames: ") + "what was recorded costs about " +
                     detail::in_time(advice.cost_now) + per;
  const auto moves = std::count_if(advice.components.begin(), advice.components.end(),
                                   [](const StorageAdvice::Component& one) { return one.moves(); });
  if (moves == 0) {
    text += ", and no other layout saves enough to be recommended";
  } else {
    const double saved = advice.cost_now - advice.cost_recommended;
    text += "; as recommended " + detail::in_time(advice.cost_recommended) + per + ", " +
            detail::in_percent(advice.cost_now > 0 ? saved / advice.cost_now : 0) + " less";
  }
  if (advice.lost != 0) text += "; " + std::to_string(advice.lost) + " uses could not be counted";
  return text + '\n';
}

std::string in_a_word(const StorageAdvice::Component& one) {
  const std::string storage = one.recommended == Storage::sparse ? "side store" : "tables";
  return one.moves() ? storage : "keep, in the " + storage;
}

}  // namespace

const StorageAdvice::Component* StorageAdvice::find(ComponentId id) const {
  const auto found = std::find_if(components.begin(), components.end(),
                                  [&](const StorageAdvice::Component& one) { return one.id == id; });
  return found != components.end() ? &*found : nullptr;
}

std::string describe(const StorageAdvice& advice) {
  std::string text = in_total(advice);
  for (const StorageAdvice::Component& one : advice.components) {
    text += one.name + ": " + in_a_word(one) + ". " + one.reason + '\n';
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const StorageAdvice& advice) {
  return out << describe(advice);
}

}  // namespace strata
