#include "part_moves.hpp"

#include <algorithm>
#include <unordered_map>

#include "../../storage/set_storage.hpp"
#include "../links/refusals.hpp"
#include "../relations/dependents.hpp"
#include "../relations/pair_report.hpp"
#include "../saving/part_entity.hpp"
#include "moved_removal.hpp"
#include "references.hpp"
#include "transferred_facts.hpp"

namespace strata::detail {
namespace {

/// Makes the stand-ins in a part, which is a world with entities taken from another world. If an entity of the part has
/// a pair (relation, target) and the target was not taken, a stand-in replaces the target in the part.
class Stubs {
 public:
  /// `originals` has the original handles of the entities of the part, by slot index. Stubs adds an element for each
  /// stand-in.
  Stubs(const LoadedParts& part, OriginalHandles& originals) : part_(part), originals_(originals) {}

  /// Returns: the entity of the part that stands in for `outside`, an entity that was not taken. The first call for
  /// `outside` creates the stand-in.
  /// Errors: std::bad_alloc.
  Entity get(Entity outside) {
    const auto [found, is_new] = known_.try_emplace(outside.bits());
    if (is_new) found->second = make(outside);
    return found->second;
  }

 private:
  Entity make(Entity outside) {
    const std::vector<ComponentId> ids{part_.store.registry().id_of<OutsideEntity>()};
    Archetype& archetype = part_.store.archetypes().get(Signature(ids, part_.store.memory()));
    const Entity entity = part_.store.create_row(archetype, part_.rows.branches().root()).entity;
    originals_.resize(entity.index() + 1);
    originals_[entity.index()] = outside;
    return entity;
  }

  LoadedParts part_;
  OriginalHandles& originals_;
  std::unordered_map<std::uint64_t, Entity> known_;
};

/// `listed` has the entities that are destroyed if the subtree of `root`, which has `count` entities, is destroyed: the
/// entities of the subtree, and further entities that relations require to be destroyed with them.
/// Returns: a sentence that says why a relation forbids taking out the subtree alone; empty if no relation does.
std::string find_refusal(const Dependents& listed, const Links& links, Entity root, std::size_t count) {
  std::string refusal = listed.find_refusal();
  if (!refusal.empty() || listed.entities().size() == count) return refusal;
  // The first listed entity outside of the subtree was listed because it has a pair with an entity of the subtree.
  // Entities that were listed later may have no such pair, only a parent that was listed before them. So the message
  // names the first one.
  const auto outside = std::ranges::find_if(listed.entities(), [&](Entity entity) {
    return entity != root && !links.is_ancestor(root.index(), entity.index());
  });
  return "a relation destroys entity " + to_string(*outside) +
         " with it: first remove the pair that connects them, or make both parts of one tree and extract "
         "that";
}

/// Gives the new entities of a part the names, pairs and other facts of the original entities; see TransferredFacts.
/// `outside` decides what replaces references to entities that are not in the part. Writes the handle of each original
/// entity to `originals`, at the slot index of its new entity.
/// Returns: success; or the refusal of TransferredFacts::add.
Outcome add_facts(EntityTransfer& transfer, OutsideReferences outside, OriginalHandles& originals) {
  static_cast<void>(transfer.to().store.registry().id_of<OriginalHandle>());  // For saving the part.
  originals.resize(transfer.to().store.slots().size());
  for (std::size_t i = 0; i < transfer.entities().size(); ++i)
    originals[transfer.created()[i].index()] = transfer.entities()[i];
  Stubs stubs(transfer.to(), originals);
  const auto stand_for = [&](Entity entity) {
    return outside == OutsideReferences::keep ? stubs.get(entity) : Entity();
  };
  if (outside != OutsideReferences::null) return TransferredFacts(transfer, stand_for, nullptr).add();
  // OutsideReferences::null: this map replaces the handles of entities that were not transferred by null, and keeps all
  // other handles.
  const std::vector<std::uint32_t> order = order_by_bits(transfer.entities());
  const auto get_null = [](void*, Entity) { return Entity(); };
  const EntityMap map =
      EntityMap::make_sorted(transfer.entities(), transfer.entities(), order, get_null, nullptr);
  if (Outcome added = TransferredFacts(transfer, stand_for, &map).add(); !added) return added;
  std::size_t done = 0;
  replace_references(transfer.to().store, transfer.created(), map, done);
  return Outcome::done();
}

/// Removes the entities of a transfer from the source world. The values of these entities are in the destination world
/// already. The values are moved back temporarily in two cases:
/// - observers of the source world have to see the values
/// - there are pairs of relations that are stored in tables; removing these pairs may move rows, and rows that move
///   must have their values
/// Errors: std::bad_alloc; nothing has changed then.
void leave_world(const LoadedParts& from, ChangeNotifier& notifier, EntityTransfer& transfer,
                 const Dependents& listed) {
  MovedRemoval removal(from, transfer);
  removal.prepare();
  if (!from.store.listened() && !from.relations.any_in_tables()) return removal.remove(false);
  const std::vector<Entity> leaving(transfer.entities().rbegin(), transfer.entities().rend());
  PairReport removed(from.store, PairHappening::remove);
  if (from.store.listened()) removed.list(from.relations, leaving);
  transfer.return_rows();
  transfer.return_members();
  Rollback take_again([&] {
    transfer.take_rows_again();
    transfer.take_members_again();
  });
  if (from.relations.any()) from.relations.leave_tables(listed);
  removed.notify();
  notifier.destroying(leaving);
  take_again.dismiss();
  transfer.take_members_again();
  removal.remove(true);
}

Outcome refuse_extract(Entity root, const std::string& why) {
  return Outcome::refused("entity " + to_string(root) + " cannot be extracted: " + why);
}

}  // namespace

Outcome extract_part(const LoadedParts& from, ChangeNotifier& notifier, const LoadedParts& part,
                     OriginalHandles& originals, Entity root, OutsideReferences outside) {
  if (!from.store.alive(root)) return refuse_extract(root, stale_sentence(root));
  EntityTransfer transfer(from, part);
  if (const Outcome listed = transfer.list({&root, 1}); !listed)
    return refuse_extract(root, listed.message());
  Dependents listed(from.relations, from.links, from.store.memory());
  if (from.relations.any()) {
    listed.add(root);
    listed.complete();
    const std::string refusal = find_refusal(listed, from.links, root, transfer.entities().size());
    if (!refusal.empty()) return refuse_extract(root, refusal);
  }
  if (outside == OutsideReferences::refuse) {
    const ChangeGuard::Moving moving(from.store.guard());  // Calls functions of components.
    const std::string found = find_reference_outside(as_saved(from), transfer.entities());
    if (!found.empty()) return refuse_extract(root, found);
  }
  transfer.create(Entity());
  transfer.take_rows();
  Rollback undo([&] { transfer.undo(); });
  {
    // Copying values of pairs and replacing references runs user code, while the rows of `from` have no values. So
    // structural changes and queries of `from` are refused meanwhile.
    const ChangeGuard::Moving moving(from.store.guard());
    transfer.take_members();
    if (const Outcome added = add_facts(transfer, outside, originals); !added)
      return refuse_extract(root, added.message());
  }
  leave_world(from, notifier, transfer, listed);
  undo.dismiss();
  return Outcome::done();
}

Outcome copy_part(const SavedParts& from, const LoadedParts& part, OriginalHandles& originals,
                  std::span<const Entity> roots, OutsideReferences outside, Undescribed undescribed) {
  EntityTransfer transfer(from, part, undescribed);
  if (Outcome listed = transfer.list(roots); !listed || roots.empty()) return listed;
  if (outside == OutsideReferences::refuse) {
    std::string found = find_reference_outside(from, transfer.entities());
    if (!found.empty()) return Outcome::refused(std::move(found));
  }
  transfer.create(Entity());
  return add_facts(transfer, outside, originals);
}

std::vector<Entity> roots_of_part(const SavedParts& part) {
  const Slots& slots = part.store.slots();
  const ComponentId stub = part.store.registry().find_or_unknown<OutsideEntity>();
  std::vector<Entity> roots;
  for (std::uint32_t node = 0; node < slots.size(); ++node) {
    if (!slots.is_live(node) || part.links.parent(node) != Links::kNone) continue;
    const Entity entity = slots.handle_of(node);
    if (stub == Registry::kUnknown || !part.store.has(entity, stub)) roots.push_back(entity);
  }
  return roots;
}

namespace {

/// Moves the components of a part (a world with entities taken from another world) between tables and sparse sets, so
/// that each is stored as in the world to which `registry` belongs. Does not move components that `registry` does not
/// have, or that the library itself uses (see Registry::is_internal and Registry::keep). Components whose writes are
/// recorded (see Tracking) cannot be in sparse sets, so they stay in tables.
/// Errors: std::bad_alloc; some of the components may have been moved then.
void align_storages(Store& part, const Registry& registry) {
  for (std::uint32_t i = 0; i < part.registry().size(); ++i) {
    const ComponentInfo& info = part.registry()[ComponentId{i}];
    const auto id = registry.find(info.name);
    if (!id || Registry::is_internal(info.name) || registry.is_kept(*id)) continue;
    if (registry[*id].storage == info.storage) continue;
    if (registry[*id].storage == Storage::table || info.tracking == Tracking::none)
      set_storage(part, ComponentId{i}, registry[*id].storage);
  }
}

/// Finds the original handles of the entities of a part: those that they had in the world from which they were taken.
class Originals {
 public:
  /// `by_index` has the original handles, by the entities' slot indices in the part. It is empty if the part was loaded
  /// from a file. Then each entity has its original handle as the component OriginalHandle. If the file contains a
  /// whole world instead of a part, the entities do not have this component: loading has given them the handles that
  /// they had in that world.
  Originals(const Store& part, const OriginalHandles& by_index)
      : part_(part), by_index_(by_index), id_(part.registry().find_or_unknown<OriginalHandle>()) {}

  /// Stores the original handles of `entities`, in the same order. `map_to` and `handles` use the stored handles.
  /// Errors: std::bad_alloc.
  void list(std::span<const Entity> entities) {
    handles_.reserve(entities.size());
    for (const Entity entity : entities) handles_.push_back(of(entity));
    order_ = order_by_bits(handles_);
  }

  Entity of(Entity entity) const {
    if (entity.index() < by_index_.size()) return by_index_[entity.index()];
    const void* const value = id_ != Registry::kUnknown ? part_.find(entity, id_) : nullptr;
    return value != nullptr ? static_cast<const OriginalHandle*>(value)->entity() : entity;
  }
  EntityMap map_to(std::span<const Entity> created) const {
    return EntityMap::make_sorted(handles_, created, order_);
  }
  std::span<const Entity> handles() const { return handles_; }

 private:
  const Store& part_;
  const OriginalHandles& by_index_;
  ComponentId id_;
  std::vector<Entity> handles_;
  std::vector<std::uint32_t> order_;
};

/// The values of a part refer to its entities by their original handles (see Originals). In the values of the new
/// entities, replaces the original handles by the handles of the new entities. If an exception is thrown, puts the
/// original handles back into the values that were changed already.
void update_references(const EntityTransfer& transfer, const Originals& originals) {
  const Store& store = transfer.to().store;
  const ChangeGuard::Moving moving(store.guard());
  std::size_t done = 0;
  Rollback restore([&] {
    const std::vector<std::uint32_t> order = order_by_bits(transfer.created());
    restore_references(store, transfer.created(),
                       EntityMap::make_sorted(transfer.created(), originals.handles(), order), done);
  });
  replace_references(store, transfer.created(), originals.map_to(transfer.created()), done);
  restore.dismiss();
}

/// Returns: whether the store has values that may contain entity handles.
bool refers_to_entities(const Store& store) {
  bool refers = false;
  store.side().for_each([&](const SparsePool& pool) {
    refers = refers || (pool.size() != 0 && pool.component().remap != nullptr);
  });
  store.tables().for_each([&](const Table& table) {
    for (const Column& column : table.archetype().format().columns())
      refers = refers || (!table.empty() && column.component->remap != nullptr);
  });
  return refers;
}

/// Removes all rows of a part, and all members of the pools in `transfer`, without calling destructors: the values have
/// been moved away. After that, the part can only be destroyed.
void abandon_values(Store& part, const EntityTransfer& transfer) noexcept {
  for (const EntityTransfer::Members& members : transfer.members()) members.pool->abandon();
  part.tables().for_each([&](Table& table) { part.rows().retract(table, table.row_count()); });
}

Outcome refuse_insert(const Outcome& why) {
  return Outcome::refused("the part cannot be inserted: " + why.message());
}

}  // namespace

Outcome insert_part(const LoadedParts& part, const OriginalHandles& by_index, const LoadedParts& to,
                    ChangeNotifier& notifier, Entity above, std::vector<Entity>& roots) {
  align_storages(part.store, to.store.registry());
  // Functions of the program, such as observers, cannot replace the part (`by_index` is a member of it), save it or
  // insert it: when its values have been moved out, it can only be destroyed.
  const ChangeGuard::Operation inserting(part.store.guard(), "insert");
  roots = roots_of_part(as_saved(part));
  if (roots.empty()) return Outcome::done();
  EntityTransfer transfer(part, to);
  if (const Outcome listed = transfer.list(roots); !listed) return refuse_insert(listed);
  Originals originals(part.store, by_index);
  const bool has_references = part.relations.any() || refers_to_entities(part.store);
  PairReport added_pairs(to.store, PairHappening::add);
  if (has_references) originals.list(transfer.entities());
  {
    const ChangeNotifier::Pause quiet(notifier);
    transfer.create(above);
    transfer.take_rows();
    Rollback undo([&] { transfer.undo(); });
    transfer.take_members();
    const EntityMap references = originals.map_to(transfer.created());
    // If the target of a pair was outside of the part, `find_alive` looks for it in the world `to` by its original
    // handle. A new entity may have the same handle by chance, so `find_alive` ignores the new entities.
    const auto order =
        part.relations.any() ? order_by_bits(transfer.created()) : std::vector<std::uint32_t>();
    const EntityMap created = EntityMap::make_sorted(transfer.created(), transfer.created(), order);
    const auto find_alive = [&](Entity outside) {
      const Entity original = originals.of(outside);
      return to.store.alive(original) && !created.contains(original) ? original : Entity();
    };
    if (const Outcome added = TransferredFacts(transfer, find_alive, &references).add(); !added)
      return refuse_insert(added);
    added_pairs.list(to.relations, transfer.created());
    if (has_references) update_references(transfer, originals);
    undo.dismiss();
  }
  abandon_values(part.store, transfer);
  std::copy_n(transfer.created().begin(), roots.size(), roots.begin());
  notifier.created(transfer.created());
  added_pairs.notify();
  return Outcome::done();
}

}  // namespace strata::detail
