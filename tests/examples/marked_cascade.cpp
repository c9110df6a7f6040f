#include <strata/strata.hpp>

#include <array>
#include <iostream>

using strata::Dirty, strata::Entity, strata::OnParentChange, strata::OnSet, strata::Parent, strata::child_of;

struct Local { float x; };   // relative to the parent
struct Global { float x; };  // in the world

void give_global(strata::World& world, Entity entity, Local&) {
  if (!world.has<Global>(entity)) world.commands().add(entity, Global{});
}

template <>
inline constexpr strata::Hooks<Local> strata::hooks_of<Local> = {.on_add = give_global};

class Transforms {
 public:
  explicit Transforms(strata::World& world)
      : world_(world),
        marks_(world.observers().collect<Dirty, OnSet<Local>, OnParentChange>()),
        nodes_(world.query<const Local, Global, Parent<const Global>, Entity>()) {}

  /// Computes what has changed since the last call.
  void update() {
    std::cout << world_.pool<Dirty>().size() << " marked, visited:";
    nodes_.cascade().propagate([](const Local& local, Global& global, const Global* parent, Entity entity) {
      const float x = (parent != nullptr ? parent->x : 0) + local.x;
      std::cout << ' ' << entity.index() << " at " << x << ';';
      const bool moves = x != global.x;
      global.x = x;
      return moves;
    });
    std::cout << '\n';
  }

 private:
  strata::World& world_;
  std::array<strata::Subscription, 2> marks_;
  strata::Query<const Local, Global, Parent<const Global>, Entity> nodes_;
};

int main() {
  strata::World world;
  Transforms transforms(world);
  const Entity ship = world.create(Local{10});
  const Entity mast = world.create(child_of(ship), Local{2});
  const Entity sail = world.create(child_of(mast), Local{1});
  const Entity flag = world.create(child_of(mast), Local{3});
  const Entity raft = world.create(Local{50});
  transforms.update();
  transforms.update();  // nothing has changed

  world.set(mast, Local{4});
  transforms.update();

  world.patch<Local>(flag, [](Local& local) { local.x += 1; });
  world.set(mast, Local{5});  // the flag is visited once, after the mast
  transforms.update();

  if (!world.set_parent(sail, raft)) return 1;
  transforms.update();

  world.query<const Local, Entity>().each([&](const Local& local, Entity entity) {
    if (local.x > 40) world.set(entity, Local{local.x - 1});
  });
  transforms.update();
}
