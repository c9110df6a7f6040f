#include <strata/storage_advisor.hpp>
#include <strata/strata.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <sstream>
#include <vector>

using strata::AnyOf, strata::Entity, strata::Maybe, strata::Parent, strata::Up, strata::With, strata::Without;
using strata::child_of;

struct Position { float x, y; };
template <> inline constexpr auto strata::members_of<Position> =
    strata::Members{strata::member("x", &Position::x), strata::member("y", &Position::y)};
struct Velocity { float x, y; };
struct Local { float x; };
struct Global { float x; };
struct Health { int points; };
struct Sprite { int z; };
struct Distance { float metres; };
struct Target { Entity entity; };
struct Burning { int degrees; };
struct Gravity { float y; };
struct Hit { int points; };
struct Body { int number; };
struct Wheel {};
struct Frozen {};
struct Enemy {};
struct Turret {};
struct DockedTo {};
struct Radar { int range; };

template <> inline constexpr strata::Storage strata::storage_of<Burning> = strata::Storage::sparse;
template <> inline constexpr strata::Storage strata::storage_of<Distance> = strata::Storage::sparse;
template <> inline constexpr strata::Storage strata::storage_of<Target> = strata::Storage::sparse;
template <> inline constexpr strata::PoolOptions strata::pool_options_of<Target> = {.removal = strata::Removal::stable};
template <> inline constexpr strata::Tracking strata::tracking_of<Health> = strata::Tracking::rows;
template <> inline constexpr strata::Tracking strata::tracking_of<Local> = strata::Tracking::rows;

template <> inline constexpr bool strata::can_toggle<Radar> = true;
template <> inline constexpr auto strata::requires_of<Turret> = strata::Requires<Local, Global>{};

int bodies = 0;
void end(strata::World&, Entity, Body&) { --bodies; }
template <> inline constexpr strata::Hooks<Body> strata::hooks_of<Body> = {.on_remove = end};

void entities(strata::World& world) {
  const auto e = world.create(Position{1, 2}, Velocity{3, 4});
  const auto wheel = world.create(child_of(e), Wheel{});
  world.add(e, Health{10});
  world.set(e, Health{5});
  std::cout << world.get<Health>(e).points << '\n';
  if (const Health* health = world.find<Health>(wheel)) std::cout << health->points << '\n';
  std::cout << world.has<Frozen>(e) << world.alive(e) << '\n';
  world.remove<Health>(e);
  world.destroy(e);
}

void many(strata::World& world) {
  const auto fill = [](std::span<const Entity>, std::span<Position>, std::span<Velocity>) {};
  const std::vector<Position> positions(3);
  std::vector<Entity> handles(3);
  world.create_many<Position, Velocity>(100'000, fill);
  world.create_many(1000, Health{10});
  world.create_many<Position>(handles, positions);
  const std::vector<std::uint32_t> parents{strata::kNoParent, 0, 0};
  const auto built = world.build_hierarchy(parents, positions);
  const auto prefab = built.entities[0];
  const auto copies = world.instantiate(prefab, 100);
  auto spawner = world.spawner<Position, Velocity>();
  const auto e = spawner.create({1, 2}, {3, 4});
  auto positions_of = world.accessor<Position>();
  positions_of.get(e).x += 1;
  std::cout << copies.size() << '\n';
}

void tree(strata::World& world) {
  const auto a = world.create(Position{}), b = world.create(Position{}), c = world.create(child_of(a));
  if (const auto done = world.set_parent(b, a); !done) std::cout << done.message() << '\n';
  if (!world.move_child_before(b, c)) return;
  world.sort_children(a, [](Entity left, Entity right) { return left < right; });
  for (const Entity child : world.children(a)) std::cout << child << ' ';
  for (const Entity node : world.depth_first(a)) std::cout << node << ' ';
  for (const Entity above : world.ancestors(c)) std::cout << above << ' ' << world.depth(above) << '\n';
  for (const Position& position : world.ancestors_with<Position>(c)) std::cout << position.x << '\n';
  world.query<Position>(child_of(a)).each([](Position& position) { position.x += 1; });
  world.set_layout(a, strata::Layout::per_parent);
  world.clear_parent(b);
  world.destroy(a, strata::ChildPolicy::orphan);
}

void names(strata::World& world) {
  const auto e = world.create(Position{});
  if (!world.names().set(e, "tank")) return;
  if (!world.names().find("tank/turret") && world.names().path(e) == "tank") world.names().remove(e);
  world.destroy(e);
}

void relations(strata::World& world) {
  const auto ship = world.create(Turret{}), port = world.create();
  world.relations().add<DockedTo>(ship, port);
  if (world.relations().target<DockedTo>(ship) == port) std::cout << world.relations().has<DockedTo>(ship);
  for (const Entity docked : world.relations().sources<DockedTo>(port)) std::cout << docked << '\n';
  world.query<const Local>().to<DockedTo>(port).each([](const Local& local) { std::cout << local.x; });
  world.destroy(port);
  world.destroy(ship);
}

void states(strata::World& world) {
  const auto e = world.create(Position{}), a = world.create(Position{});
  world.disable(e);
  world.disable_subtree(a);
  const auto hidden = world.query<const Position, With<strata::Disabled>>();
  std::cout << hidden.count() << world.disabled(a);
  world.enable(e);
  world.enable_subtree(a);
  world.add(e, Radar{5});
  world.disable<Radar>(e);
  std::cout << world.enabled<Radar>(e) << world.get<Radar>(e).range;
  world.destroy(a);
  world.destroy(e);
}

void prefabs(strata::World& world) {
  const auto tank = world.create(Position{});
  const auto turret = world.create(child_of(tank), Health{10});
  world.make_prefab(tank);
  const auto copy = world.instantiate(tank, Position{3, 4}, strata::override_at(turret, Health{30}));
  if (world.prefab_of(copy) == tank) std::cout << world.get<Health>(world.counterpart(copy, turret)).points;
  std::cout << (strata::digest(world, strata::Undescribed::leave_out) == 0);
  for (const auto& one : strata::find_differences(world, world, 1, strata::Undescribed::leave_out))
    std::cout << one.sentence;
  world.destroy(copy);
  world.destroy(tank);
}

void queries(strata::World& world) {
  auto query = world.query<Position, const Velocity>();
  const auto move = [](Position& position, const Velocity& velocity) { position.x += velocity.x; };
  query.each(move);
  query.each_block([](std::span<Position>, std::span<const Velocity>) {});
  for (auto [position, velocity] : query) position.y += velocity.y;
  std::cout << query.count() << query.first() << query.explain() << '\n';

  auto filtered = world.query<Entity, Maybe<Health>, With<Enemy>, Without<Frozen>, AnyOf<Burning, Sprite>>();
  filtered.each([](Entity, Health*) {});
  auto transforms = world.query<const Local, Global, Parent<const Global>, Up<const Health>>();
  const auto place = [](const Local& local, Global& global, const Global* parent, const Health*) {
    global.x = local.x + (parent ? parent->x : 0);
    return true;
  };
  transforms.cascade().each(place);
  strata::InlineExecutor executor;  // One thread. A program derives its own from strata::Executor.
  query.par(executor).each(move);
  transforms.cascade().par(executor).each(place);
  world.query<Entity, const Velocity>().par(executor).recording(world.commands()).each(
      [](auto& commands, Entity moving, const Velocity& velocity) { if (velocity.x > 9) commands.destroy(moving); });
  auto crew = world.query<const Health, With<Up<Enemy>>, Without<Up<Frozen>>, Without<Parent<Wheel>>>();
  crew.each([](const Health&) {});
  query.cascade().depth(2).each(move);
  std::cout << query.cascade().depths(1, 3).count() << '\n';
  const std::vector<Entity> entities{query.first()};
  query.each_of(entities, move);
  auto sums = world.query<Global, Parent<Global>>();
  sums.cascade(strata::up).each([](Global& global, Global* parent) { if (parent) parent->x += global.x; });
  auto both = world.query<Local, Global>();
  both.each(strata::on<Local>([](Local& local) { local.x += 1; }), strata::on<Global>([](Global&) {}));

  auto healths = world.query<const Health>();
  healths.changed<Health>().each([](const Health&) {});
  const auto e = world.create(Local{1}, Global{});
  world.add<strata::Dirty>(e);
  const auto changed = transforms.cascade().propagate(place);
  transforms.cascade().changed_subtrees<Local>().each(place);
  auto sprites = world.query<const Sprite>();
  sprites.order_by<Sprite>(&Sprite::z).each([](const Sprite&) {});
  world.set_layer(e, 3);
  world.layered_query<const Sprite>().each([](const Sprite&) {});
  world.query<Entity, const Health>().each([&](Entity hit, const Health&) { world.commands().add(hit, Burning{9}); });
  std::cout << changed.size() << '\n';
}

void systems(strata::World& world) {
  strata::InlineExecutor executor;
  strata::Schedule schedule(world);
  const auto move = [](Position& position, const Velocity& velocity) { position.x += velocity.x; };
  const auto draw = [](strata::Query<const Position>& positions) { std::cout << positions.count(); };
  const auto burn_out = [](Entity burning, const Burning& fire, strata::Commands& commands) {
    if (fire.degrees == 0) commands.remove<Burning>(burning);
  };
  schedule.set_executor(&executor);
  schedule.add("draw", draw).after("move");
  schedule.add("move", move).par();
  schedule.add(burn_out).par();
  schedule.run(0.02);
  std::cout << schedule.explain();
}

void observers(strata::World& world) {
  std::size_t calls = 0;
  const auto show = [&](Entity, const Health& health) { calls += health.points > 0 ? 1 : 0; };
  const auto count = [&](Entity) { ++calls; };
  const auto spawn = count;
  const auto added = world.observers().on_add<Health>(show);
  const auto removed = world.observers().on_remove<Health>(show);
  const auto destroyed = world.observers().on_destroy(count);
  const auto enters = world.observers().on_enter<Position, Without<Frozen>>(spawn, strata::Existing::notify);
  const auto marks = world.observers().collect<strata::Dirty, strata::OnSet<Position>, strata::OnParentChange>();
  const auto moor = [&](Entity, Entity) { ++calls; };
  const auto docked = world.observers().on_pair_add<DockedTo>(moor);
  const auto left = world.observers().on_pair_remove<DockedTo>(moor);
  const auto e = world.create(Position{1, 2}, Health{10});
  world.set(e, Health{5});
  world.patch<Health>(e, [](Health& health) { --health.points; });
  world.modified<Health>(e);
  const auto quiet = world.observers().quiet();
  world.destroy(e);
  std::cout << calls << '\n';
}

void events(strata::World& world) {
  const auto e = world.create();
  int hits = 0;
  const auto counts = [&](Hit&, strata::Propagation& at) { hits += at.entity() == e ? 1 : 0; };
  const auto told = world.events().on<Hit>([](Hit& hit) { --hit.points; });
  const auto notified_here = world.events().on<Hit>(e, counts);
  const auto make = [&](Entity, Body& body) { body.number = ++bodies; };
  const auto made = world.observers().on_add<Body>(make);
  world.add(e, Body{});
  world.events().emit(Hit{3}, e);
  world.events().emit(Hit{3}, e, strata::Spread::bubble);
  world.events().queue(Hit{3}, e);
  world.events().deliver();
  world.destroy(e);
  std::cout << hits << '\n';
}

void by_id(strata::World& world) {
  const auto id = world.component({.name = "script.speed", .size = 4, .alignment = 4});
  const auto e = world.create();
  float value = 1;
  world.add(e, id, &value);
  const std::array<strata::Term, 1> terms{{{strata::Role::value, id}}};
  world.query(terms).each([](const strata::RuntimeQuery::Row& row) { *static_cast<float*>(row.value(0)) += 1; });
  for (const strata::ComponentValue& one : world.components(e)) std::cout << one.info->name << '\n';
  std::cout << (world.find_component("script.speed") == id) << world.component_info(id).size << '\n';
  world.each_table([](const strata::TableView& table) { std::cout << table.rows() << '\n'; });
}

void side_store(strata::World& world) {
  world.create(Burning{9}, Distance{3}, Target{});
  world.pool<Distance>().sort(&Distance::metres);
  world.pool<Burning>().sort_like<Distance>();
  world.pool<Target>().compact();
  world.pool<Burning>().clear();
  world.set_storage<Burning>(strata::Storage::table);
  strata::StorageAdvisor advisor(world);
  advisor.start();
  std::cout << advisor.report();
}

void whole() {
  strata::World numbered({.world_number = 2});
  strata::World manual({.defragmentation = strata::Defragmentation::manual});
  strata::World world({.layout = strata::Layout::per_level});
  world.resources().set(Gravity{-10});
  std::cout << world.resources().get<Gravity>().y << world.stats();
  world.defragment(20'000);
  world.shrink();
  if (const auto valid = world.validate(); !valid) std::cout << valid.message();
}

void data() {
  strata::World world;
  const auto level = world.create(Position{1, 2});
  world.create(child_of(level), Position{3, 4});
  strata::History history(world);
  if (!history.checkpoint("start")) return;
  world.set(level, Position{5, 6});
  if (!history.checkpoint("move")) return;
  history.undo();
  history.redo();
  std::stringstream file;
  if (!strata::save(world, file)) return;
  strata::LoadedWorld loaded = strata::load(file, world);
  if (!loaded.outcome) return;
  strata::ExtractedPart taken = strata::extract(world, level);
  if (!taken.outcome) return;
  const strata::InsertedPart put = strata::insert(loaded.world, taken.part);
  std::cout << loaded.world.size() << put.roots.size();
}

int main() {
  std::cout.setstate(std::ios::failbit);  // what these print is of no interest
  strata::World world;
  entities(world);
  many(world);
  tree(world);
  names(world);
  relations(world);
  states(world);
  prefabs(world);
  queries(world);
  systems(world);
  observers(world);
  events(world);
  by_id(world);
  side_store(world);
  whole();
  data();
  std::cout.clear();
  std::cout << "entities: " << world.size() << '\n';
}
