// HiddenEntity: hides an entity from look-ups while one of its values is incomplete.
#pragma once

#include "store.hpp"

namespace strata::detail {

/// A scope during which an entity is hidden: look-ups by its handle do not find it, and look-ups in the pool (sparse
/// set) of the component `id` do not find it either. Used while the entity's value of this component is moved or
/// replaced, because that may run user code, and user code may look entities up. The destructor makes the entity
/// visible again.
class HiddenEntity {
 public:
  HiddenEntity(Store& store, Entity entity, ComponentId id)
      : slots_(store.slots()), entity_(entity), place_(slots_.find(entity)), pool_(store.side().find(id)) {
    if (place_.block != nullptr) slots_.hide(entity.index());
    if (pool_ != nullptr) position_ = pool_->hide(entity);
  }
  HiddenEntity(const HiddenEntity&) = delete;
  HiddenEntity& operator=(const HiddenEntity&) = delete;
  ~HiddenEntity() {
    if (place_.block != nullptr) slots_.place(entity_.index(), place_);
    if (position_ != SparsePool::kAbsent) pool_->show(position_, entity_);
  }

 private:
  Slots& slots_;
  Entity entity_;
  Place place_;
  SparsePool* pool_;
  std::uint32_t position_ = SparsePool::kAbsent;
};

}  // namespace strata::detail
