// The public API: the one header that a program includes.
//
// Public names are in namespace strata, and are listed here by the header that declares them. Everything else
// is in strata::detail and may change at any time.
//
//   core/component.hpp: describe
//   core/component_info.hpp: ComponentId, ComponentInfo, check_description, to_index
//   core/component_traits.hpp: Component, PoolOptions, Removal, Storage, Tracking
//   core/component_traits.hpp: can_toggle, is_copyable, is_tag, name_of, pool_options_of, storage_of, tracking_of
//   core/contract.hpp: CallSite, ContractFailure, ContractHandler, ContractViolation, set_contract_handler
//   core/entity.hpp: Entity, to_string
//   core/entity_map.hpp: EntityMap
//   core/executor.hpp: Executor, InlineExecutor, RangeFunction
//   core/hooks.hpp: ComponentHooks, Hooks, hooks_of
//   core/memory_use.hpp: MemoryUse
//   core/outcome.hpp: Outcome
//   core/requirements.hpp: Given, Requirement, Requires, requires_of
//   core/resources.hpp: Resources, is_saved_resource
//   core/states.hpp: Disabled, Prefab
//   core/subscription.hpp: Subscription
//   core/values/byte_delta.hpp: DeltaResult, apply_delta, make_delta
//   core/values/byte_stream.hpp: ByteReader, ByteWriter
//   core/values/conversion.hpp: RenamedMember
//   core/values/members.hpp: AsBytes, Members, OwnFormat, member, members_of
//   core/values/saved_value.hpp: SavedValue
//   core/values/value_text.hpp: ValueDifference, find_difference, to_text
//   core/values/value_type.hpp: ValueKind, ValueMember, ValueType
//   hierarchy/creation/built_hierarchy.hpp: BuiltHierarchy, kNoParent
//   hierarchy/events/event_router.hpp: Deliveries
//   hierarchy/events/propagation.hpp: Propagation, Spread
//   hierarchy/layers/layered_query.hpp: LayeredQuery
//   hierarchy/links/policies.hpp: ChildPolicy, Layout, Defragmentation, SiblingNames
//   hierarchy/moving/outside_references.hpp: OutsideReferences
//   hierarchy/prefabs/instance_of.hpp: InstanceOf
//   hierarchy/relations/pair.hpp: Any, Pair
//   hierarchy/relations/related_entities.hpp: RelatedEntities
//   hierarchy/relations/relation_options.hpp: PairCleanup, RelationOptions, relation_options_of
//   hierarchy/saving/codec.hpp: Codec
//   hierarchy/saving/comparison.hpp: WorldDifference
//   hierarchy/saving/contents.hpp: Undescribed
//   hierarchy/saving/load_rules.hpp: ChangedComponents, LoadNote, Migration, UnknownComponents, migration
//   hierarchy/saving/progress.hpp: OnProgress, SavingProgress
//   hierarchy/states/states.hpp: DisabledBy
//   query/changes/dirty.hpp: Dirty
//   query/matching/direction.hpp: Direction, down, up
//   query/matching/runtime_term.hpp: ChildOf, Role, Term, kChildOf, kMaxTerms
//   query/parallel/recorder.hpp: Recorder
//   query/query.hpp: Query
//   query/runtime_query.hpp: ConstRuntimeQuery, RuntimeQuery
//   query/terms/operators.hpp: on
//   query/terms/term_types.hpp: AnyOf, Maybe, Parent, Up, With, Without
//   storage/sorting/sorting.hpp: sorting::ByPermutation, sorting::BySwaps, sorting::InPlace, sorting::Insertion
//   storage/sorting/sorting.hpp: sorting::QuickSort, sorting::Stable
//   include/strata/access_guard.hpp: AccessGuard
//   include/strata/accessor.hpp: Accessor
//   include/strata/bulk_operations.hpp: BulkOperations
//   include/strata/commands.hpp: Commands, child_of
//   include/strata/component_operations.hpp: ComponentOperations
//   include/strata/component_value.hpp: ComponentValue, ConstComponentValue
//   include/strata/events.hpp: Events
//   include/strata/history.hpp: History, HistoryDelta, HistoryLimits
//   include/strata/json/json.hpp: Json, WorldJson, from_json, insert_json, read_json, to_json, write_json
//   include/strata/names.hpp: Names
//   include/strata/observers.hpp: Existing, Observers, OnAdd, OnCreate, OnParentChange, OnRemove, OnSet
//   include/strata/parts.hpp: ExtractedPart, InsertedPart, PartOptions, WorldPart
//   include/strata/parts.hpp: extract, insert, load_below, load_part, save
//   include/strata/pool.hpp: Pool
//   include/strata/prefab_operations.hpp: PrefabOperations, override_at
//   include/strata/relations.hpp: Relations
//   include/strata/saving.hpp: LoadedWorld, LoadOptions, SaveOptions, digest, find_differences, load
//   include/strata/saving.hpp: load_file, save, save_file
//   include/strata/schedule.hpp: Schedule, SystemTime
//   include/strata/spawner.hpp: Spawner
//   include/strata/state_operations.hpp: StateOperations
//   include/strata/storage_advice.hpp: StorageAdvice, describe
//   include/strata/storage_advisor.hpp: StorageAdvisor
//   include/strata/system.hpp: System, SystemSet
//   include/strata/system_arguments.hpp: Elapsed, Resource
//   include/strata/table_view.hpp: TableView
//   include/strata/tbb/tbb_executor.hpp: TbbExecutor
//   include/strata/tree_operations.hpp: TreeOperations
//   include/strata/world.hpp: World
//   include/strata/world_options.hpp: WorldOptions
//   include/strata/world_stats.hpp: WorldStats, describe
//   include/strata/zstd/zstd.hpp: zstd_codec
#pragma once

#include "../../core/executor.hpp"
#include "../../core/values/value_text.hpp"
#include "events.hpp"
#include "world.hpp"

#include "history.hpp"
#include "parts.hpp"
#include "saving.hpp"
#include "schedule.hpp"
