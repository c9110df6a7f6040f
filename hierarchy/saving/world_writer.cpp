#include "world_writer.hpp"

#include <algorithm>
#include <memory_resource>
#include <ostream>

#include "../../core/values/saved_types.hpp"
#include "../../core/values/value_bytes.hpp"
#include "../relations/pair.hpp"
#include "saved_components.hpp"

namespace strata::detail {

WorldWriter::WorldWriter(const SavedParts& parts, std::ostream& out, Undescribed undescribed,
                         OnProgress progress, const Codec* codec)
    : parts_(parts),
      original_(parts.originals != nullptr && !parts.originals->empty()
                    ? parts.store.registry().find_or_unknown<OriginalHandle>()
                    : Registry::kUnknown),
      out_(out),
      chunks_(out, std::pmr::new_delete_resource(), codec),
      undescribed_(undescribed),
      progress_(progress) {}

Outcome WorldWriter::write() {
  if (Outcome known = number_components(); !known) return known;
  if (Outcome known = list_resources(); !known) return known;
  write_options();
  write_components();
  write_slots();
  write_children();
  write_rows();
  write_members();
  write_names();
  write_pairs();
  write_off();
  write_resources();
  write_chunk(ChunkKind::end);
  if (!out_)
    return Outcome::refused(
        "the stream cannot be written: see that it is open and has space, then write again");
  return ends_ ? Outcome::refused("saving was cancelled") : Outcome::done();
}

/// Writes a chunk with the content that was collected in `chunks_`, and reports the progress. If saving was cancelled
/// or the stream has failed, only drops the content.
void WorldWriter::write_chunk(ChunkKind kind) {
  if (ends_) return chunks_.content().clear();
  chunks_.write(kind);
  if (kind == ChunkKind::rows) written_rows_ += rows_;
  // While the lists of slots are written, no progress is reported: the progress function could record the creation of
  // an entity, which changes the list of free slots.
  const bool reports = kind != ChunkKind::slots;
  ends_ =
      !out_ || (reports && !progress_({chunks_.position(), written_rows_, parts_.store.slots().in_use()}));
}

void WorldWriter::write_if(ChunkKind kind, bool wanted) {
  if (wanted && !chunks_.content().written().empty()) write_chunk(kind);
}

/// Returns: whether the library uses a component to store names, pairs, states or layers, or to mark entities for which
/// another component is switched off. Such facts are written in forms of their own, so the component itself is not.
bool WorldWriter::is_written_otherwise(ComponentId id) const {
  const Registry& registry = parts_.store.registry();
  const auto is_off_tag = [&](const Registry::Toggled& toggled) { return toggled.off == id; };
  return id == parts_.names.component() || is_of_pairs(registry[id].name) || registry.is_state_tag(id) ||
         parts_.layers.uses(id) ||
         std::any_of(registry.toggled().begin(), registry.toggled().end(), is_off_tag);
}

bool WorldWriter::is_used(ComponentId id) const {
  const Store& store = parts_.store;
  const SparsePool* const pool = store.side().find(id);
  const Pairs* const pairs = parts_.relations.find(id);
  const auto with = store.archetypes().with_component(id);
  return id == original_ || (pool != nullptr && pool->size() != 0) ||
         (pairs != nullptr && pairs->size() != 0) ||
         std::any_of(with.begin(), with.end(),
                     [](const Archetype* archetype) { return archetype->ranks().tables() != 0; });
}

/// Numbers the components that are written to the file: those that are in use (see `is_used`). Leaves out components
/// whose data are written in another form (see `is_written_otherwise`). With Undescribed::leave_out, also leaves out
/// components for whose types the program has not written members_of.
/// Returns: success; or a refusal that names a component which is neither left out nor can be saved.
Outcome WorldWriter::number_components() {
  const std::uint32_t count = parts_.store.registry().size();
  file_numbers_.assign(count, kNotSaved);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ComponentId id{i};
    if (is_written_otherwise(id) || !is_used(id)) continue;
    if (std::string why = number_one(id); !why.empty()) return Outcome::refused(std::move(why));
  }
  return Outcome::done();
}

/// Gives a component its number in the file. With Undescribed::leave_out, leaves out a component whose values are not
/// described: it gets no number.
/// Returns: empty if the component has a number or is left out; otherwise why it cannot be saved.
std::string WorldWriter::number_one(ComponentId id) {
  const ComponentInfo& info = parts_.store.registry()[id];
  const std::string subject = "component \"" + info.name + "\" cannot be saved: ";
  if (Registry::is_internal(info.name))
    return subject + "the library keeps it, and the format does not have it";
  if (!info.is_tag() && info.value == nullptr) {
    if (undescribed_ == Undescribed::leave_out) return "";
    return subject + "its values are not described; write members_of for it";
  }
  file_numbers_[to_index(id)] = static_cast<std::uint32_t>(saved_.size());
  saved_.push_back(id);
  return "";
}

/// Lists the resources that are saved. Sorts them by name: the order in which they were created is not part of the
/// contents of a world, so the file must not depend on it.
/// Returns: success; or a refusal that names a resource whose values are not described, unless Undescribed::leave_out
/// leaves it out.
Outcome WorldWriter::list_resources() {
  for (const ResourceNode* resource = parts_.resources.first(); resource != nullptr;
       resource = resource->next) {
    const ResourceType& type = *resource->type;
    if (!type.is_saved) continue;
    if (type.value_type() != nullptr) {
      resources_.push_back(&type);
    } else if (undescribed_ == Undescribed::refuse) {
      return Outcome::refused("resource \"" + std::string(type.name) +
                              "\" cannot be saved: its values are not described; write members_of or "
                              "is_saved_resource for it");
    }
  }
  std::sort(resources_.begin(), resources_.end(),
            [](const ResourceType* a, const ResourceType* b) { return a->name < b->name; });
  return Outcome::done();
}

void WorldWriter::write_options() {
  ByteWriter& to = chunks_.content();
  const LayoutPolicy& policy = parts_.rows.policy();
  to.write(policy.layout);
  to.write(policy.large_family);
  to.write(parts_.store.slots().world_number());
  to.write(parts_.names.unique());
  write_chunk(ChunkKind::options);
}

void WorldWriter::write_components() {
  ByteWriter& to = chunks_.content();
  to.write_size(saved_.size());
  for (const ComponentId id : saved_) {
    const ComponentInfo& info = parts_.store.registry()[id];
    to.write_text(info.name);
    to.write(info.storage);
    to.write(info.is_tag());
    if (!info.is_tag()) write_type(*info.value, to);
    const Pairs* const pairs = parts_.relations.find(id);
    to.write(pairs != nullptr);
    if (pairs != nullptr) write_relation_options(pairs->options(), to);
  }
  write_chunk(ChunkKind::components);
}

void WorldWriter::write_children() {
  for (std::uint32_t node = 0; node < parts_.links.size(); ++node) {
    const Links::Family* const family = parts_.links.find_family(node);
    if (family == nullptr || (family->count == 0 && family->chooses_layout == 0)) continue;
    auto how = static_cast<std::uint8_t>(family->layout | (family->chooses_layout != 0 ? kChoosesLayout : 0));
    for (std::uint32_t child = family->first; child != Links::kNone; child = parts_.links.next(child)) {
      numbers_.push_back(child);
      if (numbers_.size() < kMostNumbers || child == family->last) continue;
      write_family(node, how);
      how = kContinues;
    }
    write_family(node, how);
  }
  write_if(ChunkKind::children, true);
}

/// Writes the slot indices in `numbers_` as children of the entity with slot index `node`, and empties `numbers_`.
/// `how` is the byte with the flags of this family (the entity with its children); see kChoosesLayout.
void WorldWriter::write_family(std::uint32_t node, std::uint8_t how) {
  ByteWriter& to = chunks_.content();
  to.write(node);
  to.write(how);
  to.write_size(numbers_.size());
  to.write_all(numbers_);
  numbers_.clear();
  write_if(ChunkKind::children, chunks_.is_full());
}

void WorldWriter::write_rows() {
  // Loop by index: the program's progress function is called while rows are written. It may create archetypes, which
  // are appended to this list and may move it in memory. They have no rows, so nothing is written for them.
  for (std::size_t i = 0; i < parts_.store.archetypes().all().size(); ++i) {
    const Archetype& archetype = *parts_.store.archetypes().all()[i];
    most_rows_ = most_rows_of(archetype);
    for (RankLists::Cursor at = archetype.ranks().first(); !at.at_end(); at.next()) {
      for (const Block* const first : at.tables()) add_rows(archetype, table_of(*first));
    }
    write_runs(archetype);
  }
}

/// Returns: how many rows to write to the first chunk of an archetype: as many as fit in a chunk, but at most
/// kMostRows. If not all values can be copied as bytes, at most kFew, because the size of such values is known only
/// after some have been written.
std::uint32_t WorldWriter::most_rows_of(const Archetype& archetype) const {
  constexpr std::size_t kFew = 64;
  std::size_t most = kMostRows;
  for (const ComponentId id : archetype.signature().ids()) {
    const ComponentInfo& info = parts_.store.registry()[id];
    if (!info.is_tag() && info.value != nullptr && !can_copy_bytes(*info.value)) most = kFew;
  }
  const std::size_t fit = ChunkWriter::kFullBytes / (row_bytes_of(archetype) + kRowOverhead);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(fit, 1, most));
}

void WorldWriter::add_rows(const Archetype& archetype, const Table& table) {
  for (const Block* block = table.first_block(); block != nullptr && block->count != 0; block = block->next) {
    for (std::uint32_t row = 0; row < block->count && !ends_;) {
      const std::uint32_t count = std::min(block->count - row, most_rows_ - rows_);
      runs_.push_back({block, row, count});
      rows_ += count;
      row += count;
      if (rows_ == most_rows_) write_runs(archetype);
    }
  }
}

/// Writes the rows in `runs_`, which all have this archetype, as a chunk, and empties `runs_`.
void WorldWriter::write_runs(const Archetype& archetype) {
  if (runs_.empty()) return;
  std::vector<ComponentId> ids;
  for (const ComponentId id : archetype.signature().ids()) {
    if (number_of(id) != kNotSaved) ids.push_back(id);
  }
  if (original_ != Registry::kUnknown) ids.push_back(original_);
  ByteWriter& to = chunks_.content();
  to.write_size(ids.size());
  for (const ComponentId id : ids) to.write_size(number_of(id));
  write_marks(archetype);
  to.write_size(rows_);
  for (const Run& run : runs_) {
    const Entity* const entities = archetype.format().entities(*run.block) + run.first;
    numbers_.resize(run.count);
    for (std::uint32_t i = 0; i < run.count; ++i) numbers_[i] = entities[i].index();
    to.write_all(numbers_);
  }
  numbers_.clear();
  for (const ComponentId id : ids) write_column(id);
  most_rows_ = rows_that_fit(rows_, row_bytes_of(archetype));
  write_chunk(ChunkKind::rows);
  runs_.clear();
  rows_ = 0;
}

/// Writes the values of one component for the rows in `runs_`; nothing for a tag. If `id` is `original_` (the component
/// OriginalHandle, which has no column), writes for each row the original handle of its entity, from
/// `parts_.originals`.
void WorldWriter::write_column(ComponentId id) {
  const ComponentInfo& info = parts_.store.registry()[id];
  if (info.is_tag()) return;
  for (const Run& run : runs_) {
    if (id != original_) {
      write_values(*info.value, run.block->format->find(*run.block, run.first, id), run.count,
                   chunks_.content());
      continue;
    }
    const Entity* const entities = run.block->format->entities(*run.block) + run.first;
    for (std::uint32_t i = 0; i < run.count; ++i)
      chunks_.content().write((*parts_.originals)[entities[i].index()].bits());
  }
}

/// Returns: how much memory one row of an archetype takes, in bytes, plus the size of the original handle of its entity
/// (see OriginalHandle) if the file contains such handles.
std::size_t WorldWriter::row_bytes_of(const Archetype& archetype) const {
  return archetype.format().row_bytes() + (original_ != Registry::kUnknown ? sizeof(OriginalHandle) : 0);
}

/// Chooses how many rows the next chunk gets. Its rows are expected to have the size of those in the present chunk,
/// which is collected but not written yet, and has `count` rows. `row_bytes` is how much memory a row takes. In a chunk
/// of members of a sparse set, members count as rows.
/// Returns: as many rows as fit into about ChunkWriter::kFullBytes bytes; but at most four times `count`, at most
/// kMostRows, and at least 1. A row counts as its size in the file or, if that is more, as `row_bytes` + kRowOverhead:
/// this is how RowReader counts it when it decides whether to refuse the chunk.
/// Contract: `count` is not 0.
std::uint32_t WorldWriter::rows_that_fit(std::uint32_t count, std::size_t row_bytes) {
  const std::size_t bytes =
      std::max(chunks_.content().written().size() / count + 1, row_bytes + kRowOverhead);
  const std::size_t fit = std::min<std::size_t>(ChunkWriter::kFullBytes / bytes, std::size_t{4} * count);
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(fit, 1, kMostRows));
}

/// Writes the states (such as disabled) and the layer (a group of entities with one integer key) of the entities of an
/// archetype.
void WorldWriter::write_marks(const Archetype& archetype) {
  ByteWriter& to = chunks_.content();
  const StateFlags flags = archetype.state_flags();
  for (const StateSet states : {flags.itself, flags.subtree, flags.above}) {
    std::uint64_t bits = 0;
    for (const State state : kStates) bits |= std::uint64_t{states.contains(state)} << to_index(state);
    to.write_size(bits);
  }
  const Layers::Index layer = parts_.layers.find(archetype);
  to.write(layer != Layers::Index{});
  if (layer != Layers::Index{}) to.write(parts_.layers.key_of(layer));
}

void WorldWriter::write_members() {
  ByteWriter& to = chunks_.content();
  parts_.store.side().for_each([&](const SparsePool& pool) {
    if (pool.size() == 0 || number_of(pool.id()) == kNotSaved) return;
    const ComponentInfo& info = pool.component();
    std::uint32_t most = info.size + kRowOverhead < ChunkWriter::kFullBytes / 64 ? 64 : 1;
    for (std::uint32_t position = 0; position < pool.size() && !ends_;) {
      const std::uint32_t count = std::min(pool.size() - position, most);
      to.write_size(number_of(pool.id()));
      to.write_size(count);
      for (std::uint32_t i = 0; i < count; ++i) to.write(pool.entities()[position + i].index());
      for (std::uint32_t i = 0; i < count && !info.is_tag(); ++i)
        write_values(*info.value, pool.value_at(position + i), 1, to);
      most = rows_that_fit(count, info.size);
      write_chunk(ChunkKind::members);
      position += count;
    }
  });
}

void WorldWriter::write_names() {
  parts_.names.for_each([&](Entity entity, std::string_view text) {
    chunks_.content().write(entity.index());
    chunks_.content().write_text(text);
    write_if(ChunkKind::names, chunks_.is_full());
  });
  write_if(ChunkKind::names, true);
}

void WorldWriter::write_pairs() {
  ByteWriter& to = chunks_.content();
  for (const Pairs* const pairs : parts_.relations.all()) {
    const std::uint32_t number = number_of(pairs->id());
    if (pairs->size() == 0 || number == kNotSaved) continue;
    const ComponentInfo& info = pairs->component();
    pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        if (pairs->options().symmetric && targets[i].index() < source.index())
          continue;  // The reverse pair was written.
        to.write_size(number);
        to.write(source.index());
        to.write(targets[i].index());
        if (!info.is_tag()) write_values(*info.value, pairs->value(source, i), 1, to);
        write_if(ChunkKind::pairs, chunks_.is_full());
      }
    });
  }
  write_if(ChunkKind::pairs, true);
}

void WorldWriter::write_off() {
  ByteWriter& to = chunks_.content();
  for (const Registry::Toggled& toggled : parts_.store.registry().toggled()) {
    const SparsePool* const pool = parts_.store.side().find(toggled.off);
    const std::uint32_t number = number_of(toggled.id);
    if (pool == nullptr || number == kNotSaved) continue;
    for (const Entity entity : pool->entities()) {
      to.write_size(number);
      to.write(entity.index());
      write_if(ChunkKind::off, chunks_.is_full());
    }
  }
  write_if(ChunkKind::off, true);
}

void WorldWriter::write_resources() {
  ByteWriter& to = chunks_.content();
  for (const ResourceType* const type : resources_) {
    // Looked up only now, because functions of the program may have replaced or removed it since `list_resources`.
    const ResourceNode* const resource = parts_.resources.find(type->name);
    if (resource == nullptr) continue;
    to.write_text(type->name);
    write_type(*type->value_type(), to);
    write_values(*type->value_type(), type->value_of(*resource), 1, to);
    write_if(ChunkKind::resources, chunks_.is_full());
  }
  write_if(ChunkKind::resources, true);
}

}  // namespace strata::detail
