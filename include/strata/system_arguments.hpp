// What systems take as arguments apart from queries, commands and the world: resources, and the time that has passed.
#pragma once

namespace strata {

/// An argument of a system: a resource of the world. A resource is a value of the world that belongs to no entity. The
/// system writes it, or only reads it if T is const. The resource is looked up each time the system runs; see
/// Resources.
/// Contract: when the system runs, the world has the resource.
template <class T>
class Resource {
 public:
  explicit Resource(T& value) : value_(&value) {}

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  T* value_;
};

/// An argument of a system: the time since the system last ran, which is the sum of the times passed to Schedule::run
/// since then. For a system that runs in fixed steps (System::fixed_step), the time is the length of a step. Time
/// during which the system is disabled does not count.
/// Units: those of Schedule::run, usually seconds.
struct Elapsed {
  double seconds;
};

}  // namespace strata
