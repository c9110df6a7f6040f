#include "world_images.hpp"

#include <utility>

#include "../../core/contract.hpp"
#include "../../storage/toggles.hpp"

namespace strata::detail {

TreeImage::TreeImage(const Links& from, const FamilyRows& rows, ImageMemory& memory)
    : links(memory.resource), queue(rows.queue()), bytes(memory, sizeof(TreeImage) + from.memory_use().used) {
  links.assign(from);
}

NamesImage::NamesImage(const SparsePool& from, const EntityNames& known, ImageMemory& memory)
    : names(from, memory) {
  order.reserve(known.size());
  known.for_each([&](Entity entity, std::string_view) { order.push_back(entity); });
}

PairsImage::PairsImage(const Pairs* from, const Pairs& known, Store& store, BlockPool& pool,
                       ImageMemory& memory)
    : pairs(known.id(), known.component(), known.options(), known.source_component(), store.registry(), pool,
            memory.resource),
      bytes(memory, sizeof(PairsImage) + (from != nullptr ? from->memory_use().used : 0)) {
  pairs.take_over_tags(known);
  if (from != nullptr) pairs.assign(*from);
}

PairsImage::~PairsImage() {
  pairs.clear();
  pairs.destroy_dead();
}

WorldRecorder::WorldRecorder(const LoadedParts& parts, EventRouter& events)
    : parts_(parts), events_(events), memory_(parts.store.memory()), rows_(parts.store, memory_) {}

std::string WorldRecorder::find_uncopyable() const {
  for (const Pairs* const pairs : parts_.relations.all()) {
    if (pairs->size() != 0 && !pairs->component().can_copy())
      return "the values of the pairs of \"" + pairs->component().name +
             "\" cannot be copied: remove the pairs first, or give their type a copy constructor";
  }
  if (std::string why = find_uncopyable_resource(parts_.resources); !why.empty()) return why;
  return rows_.find_uncopyable();
}

std::shared_ptr<const WorldImage> WorldRecorder::take() {
  const ChangeGuard::Operation operation(parts_.store.guard(), "checkpoint");
  auto image = std::make_shared<WorldImage>();
  // The slots are copied before any value: functions that copy values may record creations of entities, which reserve
  // slots. Such reservations are no part of the image.
  image->store = rows_.take(parts_.names.component());
  image->resources =
      take_resources(parts_.resources, last_ != nullptr ? last_->resources : ResourceImages(), memory_);
  image->names = take_names();
  image->pairs = take_pairs();
  if (last_ != nullptr && last_->store->rows == image->store->rows) {
    image->tree = last_->tree;
  } else {
    image->tree = std::make_shared<TreeImage>(parts_.links, parts_.rows, memory_);
  }
  return last_ = std::move(image);
}

std::shared_ptr<const NamesImage> WorldRecorder::take_names() {
  const SparsePool* const pool = parts_.store.side().find(parts_.names.component());
  if (pool == nullptr || pool->size() == 0) return nullptr;
  const NamesImage* const last = last_ != nullptr ? last_->names.get() : nullptr;
  if (last != nullptr && parts_.names.equals(last->names.pool, last->order)) return last_->names;
  return std::make_shared<NamesImage>(*pool, parts_.names, memory_);
}

std::vector<std::shared_ptr<const PairsImage>> WorldRecorder::take_pairs() {
  std::vector<std::shared_ptr<const PairsImage>> images;
  for (const Pairs* const pairs : parts_.relations.all()) {
    std::shared_ptr<const PairsImage>& taken = images.emplace_back();
    if (pairs->size() == 0) continue;
    if (last_ != nullptr && images.size() <= last_->pairs.size()) taken = last_->pairs[images.size() - 1];
    if (taken == nullptr || !copies_as_bytes(pairs->component()) || !taken->pairs.equals(*pairs))
      taken = std::make_shared<PairsImage>(pairs, *pairs, parts_.store, memory_.pool, memory_);
  }
  return images;
}

/// Restores a world to the state of an image (a copy of its contents), in three steps. The constructor makes the data
/// that the world will have, `apply` exchanges them with the present data, and the destructor destroys the replaced
/// data.
class WorldRecorder::Restoring {
 public:
  Restoring(WorldRecorder& recorder, const WorldImage& image)
      : parts_(recorder.parts_),
        image_(image),
        resources_(parts_.resources, image.resources),
        rows_(parts_.store, recorder.rows_, image.store, parts_.names.component()),
        links_(parts_.store.memory()),
        memory_(parts_.store.memory()) {
    rows_.prepare();
    if (rows_.changes_rows()) {
      links_.assign(image.tree->links);
      parts_.rows.reserve_queue(image.tree->queue);
    }
    prepare_names();
    prepare_pairs();
    recorder.events_.forget_gone();  // Handles of entities that are gone may be issued again.
    rows_.finish_pools();
    if (names_ != nullptr) parts_.store.side().record(*names_);
    resources_.prepare_plain();
  }

  void apply() noexcept {
    rows_.apply();
    if (rows_.changes_rows()) {
      parts_.links.swap(links_,
                        [&](Links::Family& family) { family.branch = rows_.branch(family.branch).number; });
      parts_.rows.restore_queue(image_.tree->queue);
    }
    if (names_ != nullptr)
      parts_.names.exchange(
          *names_, image_.names != nullptr ? std::span(image_.names->order) : std::span<const Entity>());
    for (const auto& [now, other] : pairs_) now->swap(other->pairs);
    parts_.relations.pairs_exchanged();
    parts_.states.update_guard();
    update_toggles(parts_.store);
    resources_.apply();
  }

 private:
  void prepare_names() {
    const SparsePool* const pool = parts_.store.side().find(parts_.names.component());
    const NamesImage* const names = image_.names.get();
    if (pool == nullptr || (names == nullptr && pool->size() == 0)) return;
    if (names != nullptr && !rows_.changes_rows() && parts_.names.equals(names->names.pool, names->order))
      return;
    names_ = std::make_unique<SparsePool>(*pool, parts_.store.memory());
    if (names == nullptr) return;
    names_->assign(names->names.pool);
    parts_.names.reserve(names->order.size());
  }

  void prepare_pairs() {
    const KnownRelations all = parts_.relations.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const PairsImage* const image = i < image_.pairs.size() ? image_.pairs[i].get() : nullptr;
      if (image == nullptr && all[i]->size() == 0) continue;
      if (image != nullptr && copies_as_bytes(all[i]->component()) && all[i]->equals(image->pairs)) continue;
      const Pairs* const from = image != nullptr ? &image->pairs : nullptr;
      pairs_.emplace_back(
          all[i], std::make_unique<PairsImage>(from, *all[i], parts_.store, parts_.store.pool(), memory_));
    }
  }

  const LoadedParts& parts_;
  const WorldImage& image_;
  ResourceRestoring resources_;  // Destroyed last, because replaced values may refer to replaced resources.
  RowRestorer rows_;
  Links links_;
  ImageMemory memory_;
  std::unique_ptr<SparsePool> names_;
  std::vector<std::pair<Pairs*, std::unique_ptr<PairsImage>>> pairs_;
};

void WorldRecorder::restore(const std::shared_ptr<const WorldImage>& image) {
  const ChangeGuard::Operation operation(parts_.store.guard(), "restore");
  Restoring restoring(*this, *image);
  STRATA_EXPECTS(
      !parts_.store.guard().has_recorded(),
      "restore: a function that copies values has recorded commands, but a restoration replaces what they "
      "refer to: record them before or after it");
  restoring.apply();
  events_.forget_gone();
  last_ = image;
}

}  // namespace strata::detail
