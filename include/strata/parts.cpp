#include "parts.hpp"

#include <utility>

#include "../../hierarchy/moving/part_moves.hpp"
#include "../../hierarchy/saving/world_writer.hpp"
#include "../../storage/changes/reading.hpp"
#include "../../storage/entity_selection.hpp"
#include "detail/saved_world.hpp"
#include "saving.hpp"

namespace strata {
namespace detail {

/// Gives the functions of this file access to the private members of a WorldPart, such as the World that holds its
/// entities.
struct PartAccess {
  static WorldPart make(World world) {
    // To the user, the entities of a part are in no world, so no hook or observer is notified of them.
    parts_of(world).hierarchy.notifier().pause();
    return WorldPart(std::move(world));
  }
  static WorldPart make_empty(std::pmr::memory_resource* memory) {
    WorldPart part = make(World({.layout = Layout::per_level, .memory = memory}));
    if (memory != nullptr) part.originals_ = OriginalHandles(memory);
    return part;
  }
  static World& world(WorldPart& part) { return part.world_; }
  static const World& world(const WorldPart& part) { return part.world_; }
  static WorldParts& parts(WorldPart& part) { return parts_of(part.world_); }
  static OriginalHandles& originals(WorldPart& part) { return part.originals_; }
  static SavedParts to_save(const WorldPart& part) {
    SavedParts parts = parts_to_save(parts_of(part.world_));
    parts.originals = &part.originals_;
    return parts;
  }
};

namespace {

/// Returns: the given entities that are alive and not below another given entity, each once.
std::vector<Entity> list_tops(const World& world, std::span<const Entity> entities) {
  std::vector<bool> is_given;
  std::vector<Entity> tops;
  for (const Entity entity : entities) {
    if (!world.alive(entity)) continue;
    if (entity.index() >= is_given.size()) is_given.resize(entity.index() + 1);
    if (!is_given[entity.index()]) tops.push_back(entity);
    is_given[entity.index()] = true;
  }
  std::erase_if(tops, [&](Entity top) {
    for (const Entity above : world.ancestors(top)) {
      if (above.index() < is_given.size() && is_given[above.index()]) return true;
    }
    return false;
  });
  return tops;
}

}  // namespace
}  // namespace detail

using detail::PartAccess;

ExtractedPart extract(World& world, Entity root, PartOptions options) {
  detail::WorldParts& parts = detail::parts_of(world);
  const detail::UseScope use = parts.store.changing("extract");
  parts.store.require_unlocked("extract", root);
  WorldPart part = PartAccess::make_empty(options.memory);
  Outcome extracted = Outcome::done();
  detail::CommandBuffer::Deferral deferral(parts.commands.buffer());
  {
    const detail::Store::Change change(parts.store, "extract", root);
    extracted = detail::extract_part(detail::parts_to_load(parts), parts.hierarchy.notifier(),
                                     detail::parts_to_load(PartAccess::parts(part)),
                                     PartAccess::originals(part), root, options.outside);
  }
  if (!extracted)
    part = PartAccess::make_empty(options.memory);  // Pairs to entities outside may have added entities.
  deferral.finish();
  return {std::move(extracted), std::move(part)};
}

InsertedPart insert(World& world, WorldPart& part, Entity parent) {
  detail::WorldParts& parts = detail::parts_of(world);
  const detail::UseScope use = parts.store.changing("insert");
  parts.store.require_unlocked("insert", parent);
  STRATA_EXPECTS(!detail::parts_of(PartAccess::world(part)).store.guard().locked(),
                 "insert of a part that is being inserted or written: do it when that has ended");
  InsertedPart inserted{Outcome::done(), {}};
  WorldPart none = PartAccess::make_empty(detail::parts_of(PartAccess::world(part)).store.memory());
  detail::CommandBuffer::Deferral deferral(parts.commands.buffer());
  {
    const detail::Store::Change change(parts.store, "insert", parent);
    if (parent) parts.store.require_alive("insert below", parent);
    inserted.outcome =
        detail::insert_part(detail::parts_to_load(PartAccess::parts(part)), PartAccess::originals(part),
                            detail::parts_to_load(parts), parts.hierarchy.notifier(), parent, inserted.roots);
  }
  if (!inserted.outcome) inserted.roots.clear();
  if (inserted.outcome) part = std::move(none);
  deferral.finish();
  return inserted;
}

Outcome save(const World& world, Entity root, std::ostream& out, PartOptions options) {
  return save(world, {&root, 1}, out, options);
}

Outcome save(const World& world, std::span<const Entity> roots, std::ostream& out, PartOptions options) {
  const detail::UseScope use = detail::parts_of(world).store.reading("save");
  const detail::Reading reading(detail::parts_of(world).store.guard(), "save",
                                detail::ReadableWhile::entities_complete);
  WorldPart part = PartAccess::make_empty(options.memory);
  const Outcome copied = detail::copy_part(
      detail::parts_to_save(detail::parts_of(world)), detail::parts_to_load(PartAccess::parts(part)),
      PartAccess::originals(part), detail::list_tops(world, roots), options.outside, options.undescribed);
  if (!copied) return Outcome::refused("the entities cannot be saved: " + copied.message());
  return save(part, out,
              {.undescribed = options.undescribed, .progress = options.progress, .codec = options.codec});
}

WorldPart detail::make_part(World world) {
  return PartAccess::make(std::move(world));
}

Outcome detail::save_matching(const World& world, const Matcher& query, std::ostream& out,
                              PartOptions options) {
  const UseScope use = parts_of(world).store.reading("save");
  EntitySelection selection(parts_of(world).store, true);
  select(selection, query);
  return save(world, selection.listed(), out, options);
}

Outcome save(const WorldPart& part, std::ostream& out, const SaveOptions& options) {
  const detail::Store& store = detail::parts_of(PartAccess::world(part)).store;
  const detail::UseScope use = store.reading("save");
  // Functions of the program cannot assign to the part while it is written.
  const detail::Reading reading(store.guard(), "save", detail::ReadableWhile::entities_complete);
  return detail::WorldWriter(PartAccess::to_save(part), out, options.undescribed, options.progress,
                             options.codec)
      .write();
}

ExtractedPart load_part(std::istream& in, const World& known, const LoadOptions& options) {
  LoadOptions own = options;
  own.world = {.memory = options.world.memory};
  LoadedWorld loaded = detail::load_world(in, known, own, false);
  return {std::move(loaded.outcome), detail::make_part(std::move(loaded.world)), std::move(loaded.notes)};
}

InsertedPart load_below(World& world, std::istream& in, Entity parent, const LoadOptions& options) {
  ExtractedPart loaded = load_part(in, world, options);
  if (!loaded.outcome) return {std::move(loaded.outcome), {}, std::move(loaded.notes)};
  InsertedPart inserted = insert(world, loaded.part, parent);
  inserted.notes = std::move(loaded.notes);
  return inserted;
}

}  // namespace strata
