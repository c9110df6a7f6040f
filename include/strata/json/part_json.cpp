#include <sstream>
#include <utility>

#include "../../../core/contract.hpp"
#include "../detail/saved_world.hpp"
#include "json.hpp"

namespace strata {

WorldJson to_json(const World& world, std::span<const Entity> roots, const PartOptions& options) {
  STRATA_EXPECTS(options.outside != OutsideReferences::keep,
                 "to_json: a document has no place for references to entities outside of it: pass "
                 "OutsideReferences::null or OutsideReferences::refuse");
  std::stringstream bytes;
  if (Outcome saved = save(world, roots, bytes, options); !saved) return {std::move(saved), {}};
  ExtractedPart loaded =
      load_part(bytes, world, {.world = {.memory = options.memory}, .codec = options.codec});
  if (!loaded.outcome) return {std::move(loaded.outcome), {}};
  World copy = detail::make_empty_world({.memory = options.memory}, world);
  detail::parts_of(copy).hierarchy.notifier().pause();  // Never resumed: the copy is temporary.
  if (InsertedPart put = insert(copy, loaded.part); !put.outcome) return {std::move(put.outcome), {}};
  return to_json(copy, options.undescribed);
}

WorldJson to_json(const World& world, Entity root, const PartOptions& options) {
  return to_json(world, std::span(&root, 1), options);
}

InsertedPart insert_json(World& world, const Json& json, Entity parent) {
  LoadedWorld loaded = from_json(json, world);
  WorldPart part = detail::make_part(std::move(loaded.world));
  if (!loaded.outcome) return {std::move(loaded.outcome), {}};
  return insert(world, part, parent);
}

}  // namespace strata
