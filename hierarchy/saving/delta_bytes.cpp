#include "delta_bytes.hpp"

#include <algorithm>

#include "../../core/values/hash.hpp"
#include "../../core/values/saved_types.hpp"
#include "load_state.hpp"
#include "saved_components.hpp"

namespace strata::detail {
namespace {

constexpr std::string_view kHistoryDeltaMagic = "stratad\n";
constexpr std::uint8_t kDeltaVersion = 1;

/// Writes the lists of a WorldDelta. Before each list, writes how many elements it has.
class DeltaWriter {
 public:
  explicit DeltaWriter(ByteWriter& to) : to_(to) {}

  template <class List, class Write>
  void write_list(const List& list, Write write) {
    to_.write_size(list.size());
    for (const auto& one : list) write(one);
  }
  void write_entity(Entity entity) {
    to_.write_size(entity.index());
    to_.write_size(entity.generation());
  }
  void write_entities(const std::vector<Entity>& list) {
    write_list(list, [&](Entity entity) { write_entity(entity); });
  }
  void write_bytes(const std::vector<std::byte>& bytes) {
    to_.write_size(bytes.size());
    to_.write_bytes(bytes.data(), bytes.size());
  }
  void write_pairs(const std::vector<WorldDelta::PairEnds>& list) {
    write_list(list, [&](const WorldDelta::PairEnds& ends) {
      write_entity(ends.source);
      write_entity(ends.target);
    });
  }
  void write_component(const WorldDelta::OfComponent& of, const SavedParts& parts) {
    const ComponentInfo& info = parts.store.registry()[of.id];
    const Pairs* const pairs = parts.relations.find(of.id);
    to_.write_text(info.name);
    to_.write(info.is_tag());
    if (!info.is_tag()) write_type_of(*info.value);
    to_.write(pairs != nullptr);
    if (pairs != nullptr) write_relation_options(pairs->options(), to_);
    for (const auto* list : {&of.removed, &of.set, &of.on, &of.off}) write_entities(*list);
    write_pairs(of.removed_pairs);
    write_pairs(of.set_pairs);
    write_bytes(of.values);
    write_bytes(of.pair_values);
  }
  void write_type_of(const ValueType& type) {
    const std::size_t part = to_.begin_part();
    write_type(type, to_);
    to_.end_part(part);
  }

 private:
  ByteWriter& to_;
};

/// Reads what a DeltaWriter has written.
class DeltaReader {
 public:
  DeltaReader(ByteReader& from, const LoadedParts& parts) : from_(from), parts_(parts) {}

  bool read(WorldDelta& delta) {
    delta.before = from_.read<std::uint64_t>();
    delta.after = from_.read<std::uint64_t>();
    read_entities(delta.destroyed);
    read_entities(delta.created);
    read_list(delta.moves, 6, [&] {
      const Entity child = read_entity();
      const Entity parent = read_entity();
      return WorldDelta::Move{child, parent, read_entity()};
    });
    const std::size_t components = from_.read_count(8, sizeof(WorldDelta::OfComponent));
    for (std::size_t i = 0; i < components; ++i) {
      if (!read_component(delta.components.emplace_back())) return false;
    }
    read_list(delta.marked, 8, [&] {
      const Entity entity = read_entity();
      const auto itself = from_.read<std::uint8_t>();
      const auto subtree = from_.read<std::uint8_t>();
      return WorldDelta::Marked{entity, itself, subtree, from_.read<std::int32_t>()};
    });
    read_list(delta.named, 3, [&] {
      const Entity entity = read_entity();
      return WorldDelta::Named{entity, std::string(from_.read_text())};
    });
    const std::size_t resources = from_.read_count(2, sizeof(WorldDelta::OfResource));
    for (std::size_t i = 0; i < resources; ++i) {
      if (!read_resource(delta.resources.emplace_back())) return false;
    }
    return !from_.failed() && from_.left() == 0;
  }

  const std::string& fault() const { return fault_; }

 private:
  template <class T, class Read>
  void read_list(std::vector<T>& list, std::size_t least, Read read) {
    const std::size_t count = from_.read_count(least, sizeof(T));
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) list.push_back(read());
  }
  Entity read_entity() {
    const auto index = static_cast<std::uint32_t>(from_.read_size());
    return {index, static_cast<std::uint32_t>(from_.read_size())};
  }
  void read_entities(std::vector<Entity>& list) {
    read_list(list, 2, [&] { return read_entity(); });
  }
  void read_pairs(std::vector<WorldDelta::PairEnds>& list) {
    read_list(list, 4, [&] {
      const Entity source = read_entity();
      return WorldDelta::PairEnds{source, read_entity()};
    });
  }
  void read_bytes(std::vector<std::byte>& bytes) {
    const std::size_t size = from_.read_count();
    if (const std::byte* const at = from_.read_bytes(size)) bytes.assign(at, at + size);
  }

  /// Reads from the delta the description of a type, and compares it with `type`, the type in the program. `type` is
  /// null if the program has not described what the values consist of (see members_of).
  /// Returns: whether the two types are equal; false if `type` is null or the description cannot be read.
  bool reads_type_of(const ValueType* type) {
    const std::size_t rest = from_.begin_part();
    const std::size_t size = from_.left();
    const std::byte* const bytes = from_.read_bytes(size);
    from_.end_part(rest);
    if (type == nullptr || from_.failed()) return false;
    ByteWriter own;
    write_type(*type, own);
    return std::ranges::equal(own.written(), std::span(bytes, size));
  }
  bool refuse(std::string why) {
    fault_ = std::move(why);
    return false;
  }

  bool read_component(WorldDelta::OfComponent& of) {
    const std::string name(from_.read_text());
    const bool is_tag = read_flag(from_);
    if (from_.failed()) return false;
    Registry& registry = parts_.store.registry();
    make_own_known(registry, name);
    const auto id = registry.find(name);
    if (!id || !may_be_written(registry, parts_.layers, *id))
      return refuse("it has the component " + in_quotes(name) + ", which the program does not know");
    of.id = *id;
    const ComponentInfo& info = registry[*id];
    if (info.is_tag() != is_tag || (!is_tag && !reads_type_of(info.value)))
      return from_.failed() ? false : refuse(in_quotes(name) + " has other members in the program");
    if (!is_tag && !info.value->has_first)
      return refuse("the values of " + in_quotes(name) + " have no default constructor");
    if (read_flag(from_) && !open_relation(of.id, read_relation_options(from_), name)) return false;
    for (auto* list : {&of.removed, &of.set, &of.on, &of.off}) read_entities(*list);
    read_pairs(of.removed_pairs);
    read_pairs(of.set_pairs);
    read_bytes(of.values);
    read_bytes(of.pair_values);
    if ((!of.on.empty() || !of.off.empty()) && !info.can_toggle)
      return refuse(in_quotes(name) + " cannot be switched off in the program");
    const bool has_pairs = !of.removed_pairs.empty() || !of.set_pairs.empty();
    return !from_.failed() && (!has_pairs || parts_.relations.find(of.id) != nullptr);
  }
  bool open_relation(ComponentId id, const RelationOptions& options, const std::string& name) {
    if (from_.failed()) return false;
    const Pairs* const known = parts_.relations.find(id);
    if (known != nullptr && known->options() != options)
      return refuse("the relation " + in_quotes(name) + " has other options in the program");
    static_cast<void>(parts_.relations.get(id, options));
    return true;
  }

  bool read_resource(WorldDelta::OfResource& of) {
    const std::string name(from_.read_text());
    of.is_removed = read_flag(from_);
    if (from_.failed()) return false;
    of.type = parts_.resources.find_type(name);
    if (of.type == nullptr || !of.type->is_saved || of.type->value_type() == nullptr ||
        of.type->make == nullptr)
      return refuse("it has the resource " + in_quotes(name) +
                    ", which the program does not know, or cannot make");
    if (of.is_removed) return true;
    if (!reads_type_of(of.type->value_type()))
      return from_.failed() ? false
                            : refuse("resource " + in_quotes(name) + " has other members in the program");
    read_bytes(of.value);
    return true;
  }

  ByteReader& from_;
  const LoadedParts& parts_;
  std::string fault_;
};

/// Checks the slots of the entities that a delta creates. All slots below one that is used are allocated, too. So a
/// delta of few bytes could cause a large allocation, unless the number of new slots is limited in proportion to its
/// bytes.
/// Returns: success; or a refusal that names an entity whose slot is too far above those of the world.
Outcome check_slots(const WorldDelta& delta, std::size_t bytes, const Slots& slots) {
  constexpr std::size_t kFreeSlots = std::size_t{1} << 20;
  constexpr std::size_t kSlotsPerByte = 1024;
  const std::size_t most = slots.size() + kFreeSlots + kSlotsPerByte * bytes;
  const auto is_far = [&](Entity entity) { return entity.index() > most; };
  const auto far = std::ranges::find_if(delta.created, is_far);
  if (far == delta.created.end()) return Outcome::done();
  return Outcome::refused("it creates entity " + to_string(*far) +
                          ", but has too few bytes for a world with so many slots");
}

}  // namespace

std::string write_delta(const WorldDelta& delta, const SavedParts& parts) {
  ByteWriter to(parts.store.memory());
  DeltaWriter writer(to);
  to.write(delta.before);
  to.write(delta.after);
  writer.write_entities(delta.destroyed);
  writer.write_entities(delta.created);
  writer.write_list(delta.moves, [&](const WorldDelta::Move& move) {
    for (const Entity entity : {move.child, move.parent, move.previous}) writer.write_entity(entity);
  });
  writer.write_list(delta.components,
                    [&](const WorldDelta::OfComponent& of) { writer.write_component(of, parts); });
  writer.write_list(delta.marked, [&](const WorldDelta::Marked& marked) {
    writer.write_entity(marked.entity);
    to.write(marked.itself);
    to.write(marked.subtree);
    to.write(marked.layer);
  });
  writer.write_list(delta.named, [&](const WorldDelta::Named& named) {
    writer.write_entity(named.entity);
    to.write_text(named.name);
  });
  writer.write_list(delta.resources, [&](const WorldDelta::OfResource& of) {
    to.write_text(of.type->name);
    to.write(of.is_removed);
    if (of.is_removed) return;
    writer.write_type_of(*of.type->value_type());
    writer.write_bytes(of.value);
  });
  ByteWriter head;
  head.write_bytes(kHistoryDeltaMagic.data(), kHistoryDeltaMagic.size());
  head.write(kDeltaVersion);
  head.write(hash_bytes(to.written()));
  std::string bytes;
  for (const auto part : {head.written(), to.written()})
    bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
  return bytes;
}

Outcome read_delta(std::string_view bytes, const LoadedParts& parts, WorldDelta& delta) {
  if (!bytes.starts_with(kHistoryDeltaMagic)) return Outcome::refused("it is no delta of a History");
  ByteReader from(std::as_bytes(std::span(bytes)).subspan(kHistoryDeltaMagic.size()));
  const auto version = from.read<std::uint8_t>();
  if (!from.failed() && version != kDeltaVersion)
    return Outcome::refused("it has the format " + std::to_string(version) + ", which is not known");
  const auto hash = from.read<std::uint64_t>();
  const std::size_t left = from.left();
  if (from.failed() || hash != hash_bytes(std::as_bytes(std::span(bytes)).last(left)))
    return Outcome::refused("it is damaged or cut off");
  DeltaReader reader(from, parts);
  if (reader.read(delta)) return check_slots(delta, bytes.size(), parts.store.slots());
  return Outcome::refused(reader.fault().empty() ? "its content is not valid" : reader.fault());
}

}  // namespace strata::detail
