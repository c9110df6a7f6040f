#include "world_reader.hpp"

#include <array>
#include <utility>

namespace strata::detail {
namespace {

Layout read_layout_of(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > static_cast<std::uint8_t>(Layout::adaptive)) from.fail();
  return from.failed() ? Layout::adaptive : static_cast<Layout>(byte);
}

}  // namespace

Outcome read_options(ChunkReader& chunks, SavedOptions& options) {
  if (!chunks.read_head() || !chunks.next()) return Outcome::refused(chunks.fault());
  ByteReader from = chunks.reader();
  options.policy.layout = read_layout_of(from);
  options.policy.large_family = from.read<std::uint32_t>();
  options.world_number = from.read<std::uint32_t>();
  options.unique_names = read_flag(from);
  const bool is_sound = chunks.kind() == ChunkKind::options && !from.failed() && from.left() == 0 &&
                        options.world_number <= Slots::kMostWorldNumber;
  return is_sound ? Outcome::done() : Outcome::refused(chunks.place() + ": these are no options of a world");
}

WorldReader::WorldReader(ChunkReader& chunks, const LoadedParts& parts, const RelationSet& known,
                         const LoadRules& rules, OnProgress progress, std::vector<LoadNote>& notes)
    : chunks_(chunks),
      progress_(progress),
      state_(parts, rules, notes),
      components_(state_, known),
      tree_(state_),
      rows_(state_),
      facts_(state_),
      resources_(state_) {}

Outcome WorldReader::read() {
  for (ChunkKind before = ChunkKind::options; before != ChunkKind::end; before = chunks_.kind()) {
    if (!chunks_.next()) return Outcome::refused(chunks_.fault());
    if (!read_chunk(before))
      return Outcome::refused(chunks_.place() + ": " +
                              (state_.fault.empty() ? "its content is not valid" : state_.fault));
    if (!progress_({chunks_.position(), rows_.count(), state_.parts.store.slots().in_use()}))
      return Outcome::refused("it was cancelled at byte " + std::to_string(chunks_.position()));
  }
  return Outcome::done();
}

/// Restores the data in the chunk (part of a saved world) that ChunkReader::next has read. `before` is the kind of the
/// chunk before it.
/// Returns: whether the content is valid, and the chunk may follow a chunk of that kind.
bool WorldReader::read_chunk(ChunkKind before) {
  const ChunkKind kind = chunks_.kind();
  if (kind <= ChunkKind::components && kind == before) return state_.refuse("it is there twice");
  if (before < ChunkKind::components && kind > ChunkKind::components)
    return state_.refuse("it does not belong there");
  if (before < ChunkKind::children && kind >= ChunkKind::children && !tree_.close_slots()) return false;
  if (before < ChunkKind::rows && kind >= ChunkKind::rows && !tree_.close()) return false;
  if (before < ChunkKind::members && kind >= ChunkKind::members && !rows_.close()) return false;
  if (before <= ChunkKind::pairs && kind > ChunkKind::pairs && !facts_.close_pairs()) return false;
  ByteReader from = chunks_.reader();
  while (kind != ChunkKind::end && from.left() != 0) {
    if (!read_next(kind, from) || from.failed()) return false;
  }
  return from.left() == 0;
}

/// Reads the next item of a chunk, such as one parent with its children or one name, with the reader for this kind of
/// chunk.
/// Returns: whether the content is valid; false if `kind` is `options` or `end`, whose chunks have no items.
bool WorldReader::read_next(ChunkKind kind, ByteReader& from) {
  switch (kind) {
    case ChunkKind::components:
      return components_.read_components(from);
    case ChunkKind::slots:
      return tree_.read_slots(from);
    case ChunkKind::children:
      return tree_.read_family(from);
    case ChunkKind::rows:
      return rows_.read_rows(from);
    case ChunkKind::members:
      return rows_.read_members(from);
    case ChunkKind::names:
      return facts_.read_name(from);
    case ChunkKind::pairs:
      return facts_.read_pair(from);
    case ChunkKind::off:
      return facts_.read_off(from);
    case ChunkKind::resources:
      return resources_.read_resource(from);
    case ChunkKind::options:
    case ChunkKind::end:
      break;
  }
  return false;
}

}  // namespace strata::detail
