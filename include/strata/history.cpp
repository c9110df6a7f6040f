#include "history.hpp"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/rollback.hpp"
#include "../../core/try_allocating.hpp"
#include "../../hierarchy/saving/delta_bytes.hpp"
#include "../../hierarchy/saving/delta_maker.hpp"
#include "../../hierarchy/saving/image_digest.hpp"
#include "../../hierarchy/saving/world_images.hpp"
#include "../../storage/changes/reading.hpp"
#include "detail/delta_applier.hpp"
#include "detail/saved_world.hpp"

namespace strata {

struct History::Checkpoints {
  struct Checkpoint {
    std::string name;
    std::shared_ptr<const detail::WorldImage> image;
  };

  Checkpoints(detail::WorldParts& of_world, HistoryLimits most)
      : world(of_world), limits(most), recorder(detail::parts_to_load(world), world.events.router()) {}

  std::uint64_t end() const { return begin + kept.size(); }
  const Checkpoint& at(std::uint64_t number) const { return kept[static_cast<std::size_t>(number - begin)]; }

  /// Checks the contract that no query iterates, no other change is under way, and no recorded commands wait to be
  /// applied.
  void require_rest(const char* operation) const {
    world.store.require_unlocked(operation, Entity());
    STRATA_EXPECTS(
        world.commands.buffer().empty(),
        std::string(operation) +
            " of a world while commands are recorded: flush them before, as they are no part of it");
    STRATA_EXPECTS(
        world.store.slots().recorded() == 0,
        std::string(operation) +
            " of a world while the commands of a system create entities: call it in a system that does "
            "not take Commands&, or outside of the schedule");
  }

  void restore(std::uint64_t number) {
    const detail::UseScope use = world.store.changing("restore");
    require_rest("restore");
    recorder.restore(at(number).image);
    world.typed.forget_archetypes();
    position = number;
    world.store.change_ended();
  }

  /// Applies a delta, which holds the differences between two checkpoints. Does not take a checkpoint of the result. If
  /// the delta is refused, some of its changes may have been made: the caller undoes them by `go_back`.
  /// Contract: no recorded commands are applied meanwhile (CommandBuffer::Deferral).
  Outcome apply(std::string_view bytes) {
    detail::WorldDelta delta;
    const detail::SavedParts parts = detail::parts_to_save(world);
    if (Outcome read = detail::read_delta(bytes, detail::parts_to_load(world), delta); !read) return read;
    const detail::LiveFacts facts(parts);
    const auto sum = [&] {
      const detail::ChangeGuard::Operation operation(world.store.guard(), "apply");  // Runs user code.
      return sum_of(delta, facts, parts);
    };
    if (sum() != delta.before)
      return Outcome::refused("the world is not in the state that the delta was made from");
    const detail::ChangeNotifier::Pause quiet(world.hierarchy.notifier());
    Outcome applied = detail::DeltaApplier(world, delta).apply();
    if (!applied) return applied;
    return sum() == delta.after ? Outcome::done()
                                : Outcome::refused("its result is not the state that it was made to lead to");
  }
  /// Restores the world from `image`, the saved state of a checkpoint, after applying a delta has failed. If restoring
  /// fails, too, the world keeps the part of the delta that was applied.
  void go_back(const std::shared_ptr<const detail::WorldImage>& image) noexcept {
    // Code of the program that was called during `apply` may have recorded commands. `restore` must not be called while
    // commands are recorded, nor while the guard has the mark that there are some.
    world.commands.buffer().drop_and_clear();
    static_cast<void>(world.store.guard().take_recorded());
    const auto restore = [&] {
      recorder.restore(image);
      // The restored slots are not reserved for commands that were recorded meanwhile with the Commands of a system.
      world.store.slots().remove_recorded(world.store.slots().recorded());
    };
#ifdef __cpp_exceptions
    try {
      restore();
    } catch (...) {  // The caller can try to restore a checkpoint again.
    }
#else
    restore();
#endif
    world.typed.forget_archetypes();
  }

  void drop_oldest() noexcept {
    while (kept.size() > 1 && (kept.size() > limits.checkpoints || recorder.bytes() > limits.bytes)) {
      kept.pop_front();
      ++begin;
    }
  }

  detail::WorldParts& world;
  HistoryLimits limits;
  detail::WorldRecorder recorder;
  mutable std::array<detail::ImageDigest, 2> digests;  // Indexed by the values of Undescribed.
  std::deque<Checkpoint> kept;
  std::uint64_t begin = 0;
  std::uint64_t position = 0;
};

History::History(World& world, HistoryLimits limits)
    : checkpoints_(std::in_place, detail::parts_of(world), limits) {}

History::~History() = default;

namespace {

/// Returns: a refusal, which says that the History keeps no checkpoint with this number.
Outcome refuse_number(const History& history, std::uint64_t number) {
  const std::string kept = history.begin() == history.end()
                               ? "none is kept"
                               : "those from " + std::to_string(history.begin()) + " to " +
                                     std::to_string(history.end() - 1) + " are kept";
  return Outcome::refused("there is no checkpoint " + std::to_string(number) + ": " + kept);
}

}  // namespace

Outcome History::checkpoint(std::string_view name) {
  Checkpoints& all = *checkpoints_;
  const detail::UseScope use = all.world.store.changing("checkpoint");
  all.require_rest("checkpoint");
  if (const std::string why = all.recorder.find_uncopyable(); !why.empty())
    return Outcome::refused("no checkpoint can be taken: " + why);
  Checkpoints::Checkpoint taken{std::string(name), all.recorder.take()};
  const std::uint64_t next = all.kept.empty() ? all.begin : all.position + 1;
  all.kept.push_back(std::move(taken));
  if (next + 1 != all.end()) {
    std::swap(all.kept[static_cast<std::size_t>(next - all.begin)], all.kept.back());
    all.kept.resize(static_cast<std::size_t>(next + 1 - all.begin));
  }
  all.position = next;
  all.drop_oldest();
  all.world.store.change_ended();
  return Outcome::done();
}

Outcome History::restore(std::uint64_t number) {
  if (number < begin() || number >= end()) return refuse_number(*this, number);
  checkpoints_->restore(number);
  return Outcome::done();
}

std::uint64_t History::digest(std::uint64_t number, Undescribed undescribed) const {
  STRATA_EXPECTS(number >= begin() && number < end(),
                 "digest of checkpoint " + std::to_string(number) +
                     ", which is not kept: History::begin and end say which are");
  const detail::UseScope use = checkpoints_->world.store.reading("digest of a checkpoint");
  const detail::Reading reading(checkpoints_->world.store.guard(), "digest of a checkpoint",
                                detail::ReadableWhile::rows_whole);
  const detail::SavedParts parts = detail::parts_to_save(checkpoints_->world);
  const detail::Contents contents(parts.store, parts.links, parts.names, parts.relations, parts.resources,
                                  undescribed);
  detail::ImageDigest& digests = checkpoints_->digests[undescribed == Undescribed::refuse ? 0 : 1];
  return digests.compute(contents, parts, checkpoints_->at(number).image);
}

HistoryDelta History::delta(std::uint64_t from, std::uint64_t to, Undescribed undescribed) const {
  for (const std::uint64_t number : {from, to}) {
    if (number < begin() || number >= end()) return {refuse_number(*this, number), ""};
  }
  const detail::UseScope use = checkpoints_->world.store.reading("delta");
  const detail::Reading reading(checkpoints_->world.store.guard(), "delta",
                                detail::ReadableWhile::rows_whole);
  const detail::SavedParts parts = detail::parts_to_save(checkpoints_->world);
  detail::WorldDelta delta;
  Outcome made = detail::make_world_delta(parts, *checkpoints_->at(from).image, *checkpoints_->at(to).image,
                                          undescribed, delta);
  if (!made) return {Outcome::refused("no delta can be made: " + made.message()), ""};
  return {Outcome::done(), detail::write_delta(delta, parts)};
}

Outcome History::apply(std::string_view delta) {
  Checkpoints& all = *checkpoints_;
  const detail::UseScope use = all.world.store.changing("apply");
  all.require_rest("apply");
  if (const std::string why = all.recorder.find_uncopyable(); !why.empty())
    return Outcome::refused("no delta can be applied: " + why);
  const std::shared_ptr<const detail::WorldImage> image = all.recorder.take();
  STRATA_EXPECTS(
      all.world.commands.buffer().empty(),
      "apply: a function that copies values has recorded commands, but undoing the delta would replace what "
      "they refer to: record them before or after it");
  // Commands that are recorded meanwhile wait until the delta is applied. If they were applied between two changes of
  // the delta, they could prevent later changes, and observers would not be notified of what the commands change.
  detail::CommandBuffer::Deferral deferral(all.world.commands.buffer());
  detail::Rollback go_back([&] { all.go_back(image); });
  Outcome applied = all.apply(delta);
  if (!applied) return Outcome::refused("the delta cannot be applied: " + applied.message());
  go_back.dismiss();
  all.world.store.change_ended();
  detail::try_allocating([&] { deferral.finish(); });  // If memory runs out, the commands stay recorded.
  return applied;
}

bool History::undo() {
  if (begin() == end() || position() == begin()) return false;
  checkpoints_->restore(position() - 1);
  return true;
}

bool History::redo() {
  if (begin() == end() || position() + 1 == end()) return false;
  checkpoints_->restore(position() + 1);
  return true;
}

std::uint64_t History::position() const {
  STRATA_EXPECTS(begin() != end(), "position of a History without checkpoints: take one before");
  return checkpoints_->position;
}

std::uint64_t History::begin() const {
  return checkpoints_->begin;
}

std::uint64_t History::end() const {
  return checkpoints_->end();
}

std::string_view History::name(std::uint64_t number) const {
  STRATA_EXPECTS(number >= begin() && number < end(),
                 "name of checkpoint " + std::to_string(number) +
                     ", which is not kept: History::begin and end say which are");
  return checkpoints_->at(number).name;
}

std::size_t History::bytes() const {
  return checkpoints_->recorder.bytes();
}

}  // namespace strata
