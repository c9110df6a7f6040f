#include "world_writer.hpp"

#include <algorithm>

#include "../../core/values/value_bytes.hpp"
#include "../relations/pair.hpp"
#include "type_format.hpp"

namespace strata::detail {

WorldWriter::WorldWriter(const SavedParts& parts, std::ostream& out, Undescribed undescribed)
    : parts_(parts), chunks_(out, parts.store.memory()), undescribed_(undescribed) {}

Outcome WorldWriter::write() {
  if (Outcome known = number_components(); !known) return known;
  write_options();
  write_components();
  write_slots();
  write_children();
  write_rows();
  write_members();
  write_names();
  write_pairs();
  write_states();
  write_off();
  write_layers();
  write_layouts();
  chunks_.write(ChunkKind::end);
  return Outcome::done();
}

void WorldWriter::write_if(ChunkKind kind, bool wanted) {
  if (wanted && !chunks_.content().written().empty()) chunks_.write(kind);
}

/// Returns: whether a component has a chunk of its own kind, so it is not written as a component.
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
  return (pool != nullptr && pool->size() != 0) || (pairs != nullptr && pairs->size() != 0) ||
         std::any_of(with.begin(), with.end(),
                     [](const Archetype* archetype) { return archetype->ranks().tables() != 0; });
}

/// Numbers the components that entities have.
Outcome WorldWriter::number_components() {
  const std::uint32_t count = parts_.store.registry().size();
  numbers_.assign(count, kNotSaved);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ComponentId id{i};
    if (is_written_otherwise(id) || !is_used(id)) continue;
    if (std::string why = number_one(id); !why.empty()) return Outcome::refused(std::move(why));
  }
  return Outcome::done();
}

/// Returns: why the component cannot be saved; empty if it can, or is left out.
std::string WorldWriter::number_one(ComponentId id) {
  const ComponentInfo& info = parts_.store.registry()[id];
  const std::string subject = "component \"" + info.name + "\" cannot be saved: ";
  if (Registry::is_internal(info.name))
    return subject + "the library keeps it, and the format does not have it";
  if (!info.is_tag() && info.value == nullptr) {
    if (undescribed_ == Undescribed::leave_out) return "";
    return subject + "its values are not described; write members_of for it";
  }
  numbers_[to_index(id)] = static_cast<std::uint32_t>(saved_.size());
  saved_.push_back(id);
  return "";
}

void WorldWriter::write_options() {
  ByteWriter& to = chunks_.content();
  const LayoutPolicy& policy = parts_.rows.policy();
  to.write(policy.layout);
  to.write(policy.large_family);
  to.write(parts_.store.slots().world_number());
  to.write(parts_.names.unique());
  chunks_.write(ChunkKind::options);
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
    if (pairs == nullptr) continue;
    const RelationOptions& options = pairs->options();
    to.write(options.exclusive);
    to.write(options.symmetric);
    to.write(options.acyclic);
    to.write(options.target_destroyed);
    to.write(options.source_destroyed);
    to.write(options.storage);
    to.write(options.queried);
  }
  chunks_.write(ChunkKind::components);
}

void WorldWriter::write_slots() {
  const Slots& slots = parts_.store.slots();
  ByteWriter& to = chunks_.content();
  to.write_size(slots.size());
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    numbers.push_back(slots.handle_of(i).generation());
    if (numbers.size() < kStep && i + 1 < slots.size()) continue;
    to.write_all(numbers);
    numbers.clear();
  }
  to.write_size(slots.free_count());
  slots.for_each_free([&](std::uint32_t index) { to.write(index); });
  std::size_t retired = 0;
  for (std::uint32_t i = 0; i < slots.size(); ++i) retired += slots.is_retired(i) ? 1 : 0;
  to.write_size(retired);
  for (std::uint32_t i = 0; i < slots.size() && retired != 0; ++i) {
    if (slots.is_retired(i)) to.write(i);
  }
  chunks_.write(ChunkKind::slots);
}

void WorldWriter::write_children() {
  ByteWriter& to = chunks_.content();
  std::vector<std::uint32_t> children;
  for (std::uint32_t node = 0; node < parts_.links.size(); ++node) {
    const Links::Family* const family = parts_.links.find_family(node);
    if (family == nullptr || family->count == 0) continue;
    children.clear();
    to.write(node);
    to.write(static_cast<std::uint8_t>(family->layout));
    to.write_size(family->count);
    for (std::uint32_t child = family->first; child != Links::kNone; child = parts_.links.next(child))
      children.push_back(child);
    to.write_all(children);
    write_if(ChunkKind::children, chunks_.is_full());
  }
  write_if(ChunkKind::children, true);
}

void WorldWriter::write_rows() {
  for (const Archetype* const archetype : parts_.store.archetypes().all()) {
    for (RankLists::Cursor at = archetype->ranks().first(); !at.at_end(); at.next()) {
      for (const Block* const first : at.tables()) add_rows(*archetype, table_of(*first));
    }
    write_runs(*archetype);
  }
}

void WorldWriter::add_rows(const Archetype& archetype, const Table& table) {
  constexpr std::uint32_t kMostRows = 1u << 15;
  for (const Block* block = table.first_block(); block != nullptr && block->count != 0; block = block->next) {
    runs_.push_back({block, block->count});
    rows_ += block->count;
    const std::size_t bytes = std::size_t{rows_} * archetype.format().row_bytes();
    if (rows_ >= kMostRows || bytes >= (std::size_t{1} << 20)) write_runs(archetype);
  }
}

/// Writes a chunk with the rows of all runs.
void WorldWriter::write_runs(const Archetype& archetype) {
  if (runs_.empty()) return;
  std::vector<ComponentId> ids;
  for (const ComponentId id : archetype.signature().ids()) {
    if (numbers_[to_index(id)] != kNotSaved) ids.push_back(id);
  }
  ByteWriter& to = chunks_.content();
  to.write_size(ids.size());
  for (const ComponentId id : ids) to.write_size(numbers_[to_index(id)]);
  to.write_size(rows_);
  for (const Run& run : runs_) {
    const Entity* const entities = archetype.format().entities(*run.block);
    indices_.resize(run.count);
    for (std::uint32_t row = 0; row < run.count; ++row) indices_[row] = entities[row].index();
    to.write_all(indices_);
  }
  for (const ComponentId id : ids) {
    const ComponentInfo& info = parts_.store.registry()[id];
    if (info.is_tag()) continue;
    for (const Run& run : runs_)
      write_values(*info.value, archetype.format().find(*run.block, 0, id), run.count, to);
  }
  chunks_.write(ChunkKind::rows);
  runs_.clear();
  rows_ = 0;
}

void WorldWriter::write_members() {
  ByteWriter& to = chunks_.content();
  parts_.store.side().for_each([&](const SparsePool& pool) {
    if (pool.size() == 0 || numbers_[to_index(pool.id())] == kNotSaved) return;
    const ComponentInfo& info = pool.component();
    for (std::uint32_t position = 0; position < pool.size();) {
      const std::uint32_t count = std::min(pool.size() - position, 1u << 14);
      to.write_size(numbers_[to_index(pool.id())]);
      to.write_size(count);
      for (std::uint32_t i = 0; i < count; ++i) to.write(pool.entities()[position + i].index());
      for (std::uint32_t i = 0; i < count && !info.is_tag(); ++i)
        write_values(*info.value, pool.value_at(position + i), 1, to);
      chunks_.write(ChunkKind::members);
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
    const std::uint32_t number = numbers_[to_index(pairs->id())];
    if (pairs->size() == 0 || number == kNotSaved) continue;
    const ComponentInfo& info = pairs->component();
    pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        if (pairs->options().symmetric && targets[i].index() < source.index())
          continue;  // The reverse was written.
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

void WorldWriter::write_states() {
  ByteWriter& to = chunks_.content();
  parts_.store.tables().for_each([&](const Table& table) {
    const StateFlags& flags = table.archetype().state_flags();
    for (const State state : kStates) {
      const int why = (flags.itself.contains(state) ? 1 : 0) | (flags.subtree.contains(state) ? 2 : 0);
      for (const Block* block = table.first_block(); why != 0 && block != nullptr; block = block->next) {
        for (std::uint32_t row = 0; row < block->count; ++row) {
          to.write(block->format->entities(*block)[row].index());
          to.write(state);
          to.write(static_cast<std::uint8_t>(why));
        }
      }
    }
    write_if(ChunkKind::states, chunks_.is_full());
  });
  write_if(ChunkKind::states, true);
}

void WorldWriter::write_off() {
  ByteWriter& to = chunks_.content();
  for (const Registry::Toggled& toggled : parts_.store.registry().toggled()) {
    const SparsePool* const pool = parts_.store.side().find(toggled.off);
    const std::uint32_t number = numbers_[to_index(toggled.id)];
    if (pool == nullptr || number == kNotSaved) continue;
    for (const Entity entity : pool->entities()) {
      to.write_size(number);
      to.write(entity.index());
    }
    write_if(ChunkKind::off, chunks_.is_full());
  }
  write_if(ChunkKind::off, true);
}

void WorldWriter::write_layers() {
  ByteWriter& to = chunks_.content();
  parts_.store.tables().for_each([&](const Table& table) {
    const Layers::Index layer = parts_.layers.find(table.archetype());
    if (layer == Layers::Index{}) return;
    for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
      for (std::uint32_t row = 0; row < block->count; ++row) {
        to.write(block->format->entities(*block)[row].index());
        to.write(parts_.layers.key_of(layer));
      }
    }
    write_if(ChunkKind::layers, chunks_.is_full());
  });
  write_if(ChunkKind::layers, true);
}

void WorldWriter::write_layouts() {
  ByteWriter& to = chunks_.content();
  for (std::uint32_t node = 0; node < parts_.links.size(); ++node) {
    const Links::Family* const family = parts_.links.find_family(node);
    if (family == nullptr || family->chooses_layout == 0) continue;
    to.write(node);
    to.write(static_cast<std::uint8_t>(family->layout));
    write_if(ChunkKind::layouts, chunks_.is_full());
  }
  write_if(ChunkKind::layouts, true);
}

}  // namespace strata::detail
