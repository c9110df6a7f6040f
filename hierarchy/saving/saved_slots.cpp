// The part of WorldWriter that writes the generation of each entity index, and the lists of the indices that are free
// and of those that are never used again.
#include "world_writer.hpp"

namespace strata::detail {

/// Writes three lists: the generations of all slots; the free slots, in the order in which they are issued; and the
/// retired slots, which have no generation left. Recorded commands are not written. So slots that these commands have
/// reserved for new entities are written as free ones, to be issued first.
void WorldWriter::write_slots() {
  const Slots& slots = parts_.store.slots();
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    numbers_.push_back(slots.handle_of(i).generation());
    write_numbers(SlotList::generations, kMostNumbers);
  }
  write_numbers(SlotList::generations, 1);
  slots.for_each_unplaced([&](std::uint32_t index) {
    numbers_.push_back(index);
    write_numbers(SlotList::free, kMostNumbers);
  });
  write_numbers(SlotList::free, 1);
  for (std::uint32_t i = 0; i < slots.size(); ++i) {
    if (slots.is_retired(i)) numbers_.push_back(i);
    write_numbers(SlotList::retired, kMostNumbers);
  }
  write_numbers(SlotList::retired, 1);
}

/// If `numbers_` has at least `least` elements, writes them as a part of the list `list`, in a chunk (part of a saved
/// world), and empties `numbers_`.
void WorldWriter::write_numbers(SlotList list, std::size_t least) {
  if (numbers_.size() < least) return;
  ByteWriter& to = chunks_.content();
  to.write(list);
  to.write_size(numbers_.size());
  to.write_all(numbers_);
  write_chunk(ChunkKind::slots);
  numbers_.clear();
}

}  // namespace strata::detail
