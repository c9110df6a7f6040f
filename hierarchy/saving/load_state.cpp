#include "load_state.hpp"

#include <cstring>
#include <utility>

#include "../../core/rollback.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {

bool LoadState::refuse(std::string why) {
  fault = std::move(why);
  return false;
}

bool LoadState::refuse_entity(std::uint32_t index, const std::string& why) {
  return refuse("the entity with index " + std::to_string(index) + ' ' + why);
}

const SavedComponent* LoadState::read_number(ByteReader& from) {
  const std::uint64_t number = from.read_size();
  if (from.failed() || number >= components.size()) {
    from.fail();
    return nullptr;
  }
  return &components[static_cast<std::size_t>(number)];
}

bool LoadState::read_entity(ByteReader& from, Entity& entity) {
  const Slots& slots = parts.store.slots();
  const auto index = from.read<std::uint32_t>();
  if (from.failed()) return false;
  if (index >= slots.size() || !slots.is_live(index)) return refuse_entity(index, "is not there");
  entity = slots.handle_of(index);
  return true;
}

void LoadState::make_values(const SavedComponent& component, void* values, std::size_t count) const {
  const ComponentInfo& info = parts.store.registry()[component.id];
  const bool is_plain = info.destroy == nullptr && can_copy_bytes(*info.value);
  if (component.conversion == nullptr && is_plain) return;
  if (info.value->make != nullptr) return info.value->make(values, count);
  std::memset(values, 0, count * info.size);
}

bool LoadState::read_values_of(const SavedComponent& component, void* values, std::size_t count,
                               ByteReader& from) {
  if (!component.is_skipped()) {
    const ComponentInfo& info = parts.store.registry()[component.id];
    if (!info.is_tag()) return read_as(*info.value, component, values, count, from);
  }
  return component.type == nullptr || skip_values(*component.type, count, from) || refuse_values(component);
}

bool LoadState::read_as(const ValueType& to, const SavedValues& saved, void* values, std::size_t count,
                        ByteReader& from) {
  bool are_sound = true;
  if (saved.conversion == nullptr) {
    are_sound = read_values(to, values, count, from);
  } else {
    for (std::size_t i = 0; i < count && are_sound; ++i)
      are_sound = convert_one(saved, at_offset(values, i * to.size), from);
  }
  return are_sound || refuse_values(saved);
}

bool LoadState::refuse_values(const SavedValues& saved) {
  if (fault.empty()) refuse("the values of " + in_quotes(saved.name) + " are not valid");
  return false;
}

bool LoadState::convert_one(const SavedValues& saved, void* value, ByteReader& from) {
  const std::byte* const begin = from.read_bytes(0);
  const std::size_t position = from.position();
  std::string unfit;
  // A number that does not fit into its new type is an error, unless the migration has a conversion function
  // (`saved.convert`): that function gets the saved value and can convert the number itself.
  if (!convert_values(*saved.conversion, value, 1, from, saved.convert == nullptr ? &unfit : nullptr))
    return unfit.empty() ? false : refuse(unfit.append(" into ").append(in_quotes(saved.name)));
  if (saved.convert == nullptr) return true;
  const SavedValue seen(*saved.conversion->from, {begin, from.position() - position});
  return saved.convert(seen, value) ||
         refuse("a value of " + in_quotes(saved.name) + " is refused by its migration");
}

bool LoadState::read_value(const SavedComponent& component, void* to, ByteReader& from) {
  const ComponentInfo& info = parts.store.registry()[component.id];
  make_values(component, to, 1);
  Rollback destroy([&] { info.destroy_values(to, 1); });
  if (!read_values_of(component, to, 1, from)) return false;
  destroy.dismiss();
  return true;
}

}  // namespace strata::detail
