#include "pass_recording.hpp"

#include <utility>

#include "../../core/rollback.hpp"

namespace strata::detail {

PassRecording::PassRecording(Slots& slots, std::vector<PartRecorders*> systems, std::size_t parts)
    : slots_(slots), systems_(std::move(systems)) {
  if (systems_.empty()) return;
  recorders_.reserve(systems_.size() * parts);
  for (PartRecorders* const system : systems_) {
    system->prepare(parts);
    for (std::size_t part = 0; part < parts; ++part) recorders_.push_back(&(*system)[part]);
  }
  Rollback stop([&] { end_apart(slots_, recorders_); });
  begin_apart(slots_, recorders_);
  stop.dismiss();
}

PassRecording::~PassRecording() {
  if (recorders_.empty()) return;
  FirstError ignored;
  end(ignored);
  for (PartRecorders* const system : systems_) system->drop();
}

void PassRecording::finish() {
  if (recorders_.empty()) return;
  FirstError error;
  end(error);
  for (PartRecorders* const system : systems_) {
    if (!error.any()) error.catching([&] { system->merge(); });
  }
  if (!error.any()) return;
  for (PartRecorders* const system : systems_) system->drop();
  error.rethrow();
}

/// Ends recording. New entities that were recorded for a part (of the visited rows) may have handles of slots that the
/// world does not have yet (a slot is the world's record for an entity index). This function creates these slots. If
/// there is no memory for them, keeps the exception in `error`.
void PassRecording::end(FirstError& error) {
  end_apart(slots_, recorders_);
  for (ApartRecorder* const recorder : recorders_)
    error.catching([&] { recorder->handles.issue_taken(slots_); });
  recorders_.clear();
}

}  // namespace strata::detail
