#include "saving.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "../../core/contract.hpp"
#include "../../hierarchy/saving/digest.hpp"
#include "../../hierarchy/saving/world_reader.hpp"
#include "../../hierarchy/saving/world_writer.hpp"
#include "../../storage/changes/reading.hpp"
#include "detail/saved_world.hpp"
#include "world.hpp"

namespace strata {
namespace {

detail::Contents contents_of(const World& world, Undescribed undescribed) {
  const detail::WorldParts& parts = detail::parts_of(world);
  return {parts.store,
          parts.hierarchy.links(),
          parts.hierarchy.names(),
          parts.hierarchy.relations(),
          detail::list_of(parts.resources),
          undescribed};
}

LoadedWorld refused(const Outcome& outcome, const WorldOptions& options) {
  return {Outcome::refused("the world cannot be loaded: " + outcome.message()), World(options)};
}

void require_once(std::span<const Migration> migrations) {
  for (const Migration& migration : migrations) {
    const auto same = std::ranges::count(migrations, migration.saved_name, &Migration::saved_name);
    STRATA_EXPECTS(same == 1, "load: there are two migrations of \"" + migration.saved_name +
                                  "\": give one for each name");
  }
}

}  // namespace

std::uint64_t digest(const World& world, Undescribed undescribed) {
  const detail::UseScope use = detail::parts_of(world).store.reading("digest");
  const detail::Reading reading(detail::parts_of(world).store.guard(), "digest",
                                detail::ReadableWhile::rows_whole);
  return detail::digest_of(contents_of(world, undescribed));
}

std::vector<WorldDifference> find_differences(const World& first, const World& second, std::size_t most,
                                              Undescribed undescribed) {
  const detail::UseScope use = detail::parts_of(first).store.reading("find_differences");
  const detail::UseScope other = detail::parts_of(second).store.reading("find_differences");
  constexpr auto kWhen = detail::ReadableWhile::rows_whole;
  const detail::Reading reading(detail::parts_of(first).store.guard(), "find_differences", kWhen);
  const detail::Reading reading_second(detail::parts_of(second).store.guard(), "find_differences", kWhen);
  return detail::find_differences_of(contents_of(first, undescribed), contents_of(second, undescribed), most);
}

Outcome save(const World& world, std::ostream& out, const SaveOptions& options) {
  const detail::WorldParts& parts = detail::parts_of(world);
  const detail::UseScope use = parts.store.reading("save");
  const detail::Reading reading(parts.store.guard(), "save", detail::ReadableWhile::entities_complete);
  detail::WorldWriter writer(detail::parts_to_save(parts), out, options.undescribed, options.progress,
                             options.codec);
  return writer.write();
}

LoadedWorld load(std::istream& in, const World& known, const LoadOptions& options) {
  return detail::load_world(in, known, options, true);
}

World detail::make_empty_world(const WorldOptions& options, const World& known) {
  World world(options);
  WorldParts& parts = parts_of(world);
  const WorldParts& known_parts = parts_of(known);
  parts.store.registry().copy(known_parts.store.registry());
  list_of(parts.resources).add_types_of(list_of(known_parts.resources));
  return world;
}

LoadedWorld detail::load_world(std::istream& in, const World& known, const LoadOptions& options,
                               bool reads_resources) {
  const UseScope use = parts_of(known).store.reading("load");
  require_once(options.migrations);
  detail::ChunkReader chunks(in, detail::memory_of(options.world), options.codec);
  detail::SavedOptions saved;
  if (const Outcome read = detail::read_options(chunks, saved); !read) return refused(read, options.world);
  WorldOptions own = options.world;
  own.layout = saved.policy.layout;
  own.large_family = saved.policy.large_family;
  own.world_number = saved.world_number;
  own.sibling_names = saved.unique_names ? SiblingNames::unique : SiblingNames::any;
  LoadedWorld loaded{Outcome::done(), make_empty_world(own, known)};
  detail::WorldParts& parts = detail::parts_of(loaded.world);
  // No hooks are called until the world is loaded. A Pause object would be destroyed before `loaded`, so `pause` is
  // called instead: if the file is refused, destroying the new world must not call hooks either.
  parts.hierarchy.notifier().pause();
  detail::WorldReader reader(chunks, detail::parts_to_load(parts),
                             detail::parts_of(known).hierarchy.relations(),
                             {options.unknown, options.changed, options.migrations, reads_resources},
                             options.progress, loaded.notes);
  if (const Outcome read = reader.read(); !read) return refused(read, options.world);
  parts.hierarchy.notifier().resume();
  return loaded;
}

}  // namespace strata
