// What does not compile, and a part of the sentence that says why: see refused.sh.
#include <span>
#include <strata/strata.hpp>

using namespace strata;

namespace {

struct Local {
  float x;
};
struct Other {
  float x;
};
struct Shown {};
struct MovesWithErrors {
  MovesWithErrors(MovesWithErrors&&) noexcept(false);
};

void writes_parent_in_each(World& world) {
  // refused: use cascade(up), or Parent<const T> to read
  world.query<const Local, Parent<Local>>().each([](const Local&, Local*) {});
}

void writes_parent_in_each_block(World& world) {
  // refused: use cascade(up), or Parent<const T> to read
  world.query<const Other, Parent<Local>>().each_block([](std::span<const Other>, Parent<Local>::Span) {});
}

void takes_a_value_of_another_type(World& world) {
  // refused: a visiting function does not take what the query hands out
  // refused: Entity&, {anonymous}::Local&, const {anonymous}::Local*
  world.query<Entity, Local, Parent<const Local>>().each([](Entity, Shown&, const Local*) {});
}

void takes_too_few_in_blocks(World& world) {
  // refused: std::span<const {anonymous}::Local
  world.query<const Local, Maybe<Local>>().each_block([](std::span<const Local>) {});
}

void takes_a_copy_of_the_parent(World& world) {
  auto query = world.query<Local, Parent<const Local>>();
  // refused: {anonymous}::Local&, const {anonymous}::Local*
  query.children_of(Entity()).each([](Local&, Local&) {});
}

}  // namespace

struct Tracked {
  float x;
};
template <>
inline constexpr Tracking strata::tracking_of<Tracked> = Tracking::rows;

void looks_for_changes_of_the_parent(World& world) {
  auto query = world.query<const Local, Parent<const Tracked>>();
  // refused: changed<T> looks for entities whose own T was written
  query.changed<Tracked>().each([](const Local&, const Tracked*) {});
}

void writes_parents_of_what_changed(World& world) {
  auto query = world.query<const Tracked, Parent<Tracked>>();
  // refused: use cascade(up), or Parent<const T> to read
  query.changed<Tracked>().each([](const Tracked&, Tracked*) {});
}

void loops_over_written_parents(World& world) {
  auto query = world.query<Parent<Tracked>>();
  // refused (clang names no line): use cascade(up), or Parent<const T> to read
  for (auto [above] : query) above->x = 1;
}

void stores_what_is_no_component(World& world, Entity entity, MovesWithErrors& value) {
  // refused: give it a move constructor that is noexcept
  world.create(static_cast<MovesWithErrors&&>(value));
  // refused: a component is no pointer
  world.add(entity, static_cast<int*>(nullptr));
  // refused: a component is no array
  world.get<int[3]>(entity);
  // refused: a component is not const
  world.has<const Shown>(entity);
}

void names_the_parent_last(World& world, Entity parent, std::span<const std::uint32_t> parents) {
  // refused: child_of(parent) is the first argument: create(child_of(parent), ...)
  world.create(Tracked{}, child_of(parent));
  // refused: child_of(parent) is the first argument
  world.create_many(3, child_of(parent));
  // refused: child_of(parent) is the first argument
  world.build_hierarchy(parents, Tracked{}, child_of(parent));
  // refused: child_of(parent) is the first argument
  world.commands().create(Tracked{}, child_of(parent));
  // refused: only the library adds this component: record a pair of the relation
  world.commands().add(parent, child_of(parent));
}

struct Padded {
  char letter;
  int number;
};
template <>
inline constexpr auto strata::members_of<Padded> = strata::AsBytes{};
struct Holder {
  Shown shown;
};
template <>
inline constexpr auto strata::members_of<Holder> = strata::Members{member("shown", &Holder::shown)};

void describes_values_wrongly(World& world) {
  // refused: equal values of this type may have different bytes, because of padding
  world.component<Padded>();
  // refused: the library does not know what is in values of this type: write members_of for it
  world.component<Holder>();
}

void listens_with_another_type(World& world) {
  // refused: a function that listens to events takes an Event&
  (void)world.events().on<Local>([](Other&) {});
}

void emits_what_is_const(World& world, const Local& local) {
  // refused: functions may change an event: emit one that is not const
  world.events().emit(local);
}

void queues_a_pointer(World& world, Local* local) {
  // refused: an event is a value of an object type
  world.events().queue(local);
}

struct Dead {};
struct Frozen {};

void nests_terms(World& world) {
  // refused: Without<AnyOf<A, B>> is written as two terms: Without<A>, Without<B>
  (void)world.query<const Local, Without<AnyOf<Dead, Frozen>>>();
  // refused: With<AnyOf<A, B>> is written without With: AnyOf<A, B>
  (void)world.query<const Local, With<AnyOf<Dead, Frozen>>>();
  // refused: write AnyOf<A, B> for AnyOf<With<A>, B>
  (void)world.query<const Local, AnyOf<With<Dead>, Frozen>>();
  // refused: With<T> and Without<T> take one component type, Parent<T> or Up<T>
  (void)world.query<const Local, Without<With<Dead>>>();
  // refused: terms such as Entity and Maybe<T> are not nested, so write each as a term of its own
  (void)world.query<const Local, With<Entity>>();
}

void stores_terms(World& world, Entity entity) {
  // refused: a component is no term of a query such as With<T>: name the component T itself
  world.create(With<Dead>{});
  // refused: a component is no term of a query such as With<T>: name the component T itself
  (void)world.has<Maybe<Local>>(entity);
  // refused: a component is no term of a query such as With<T>: name the component T itself
  world.remove<Without<Frozen>>(entity);
  // refused: a component is no term of a query such as With<T>: name the component T itself
  (void)world.find<Parent<const Local>>(entity);
  // refused: a component is no term of a query such as With<T>: name the component T itself
  (void)world.get<AnyOf<Dead, Frozen>>(entity);
  // refused: a component is no term of a query such as With<T>: name the component T itself
  world.set(entity, Up<const Local>{});
  // refused: a component is no entity: put the handle into a struct that says what it is for
  world.add(entity, entity);
}

void records_states_as_components(World& world, Entity entity) {
  // refused: Disabled and Prefab are not added or removed as components: record disable(entity)
  world.commands().add<Disabled>(entity);
  // refused: Disabled and Prefab are not added or removed as components: record disable(entity)
  world.commands().remove<Prefab>(entity);
  // refused: Disabled and Prefab are not added or removed as components: record disable(entity)
  world.commands().create(Local{}, Disabled{});
}

void changes_several_components_at_once(World& world, Entity entity) {
  // refused: record all of them with world.commands() and call flush(), which moves the row once
  world.add(entity, Local{}, Other{});
  // refused: record all of them with world.commands() and call flush(), which moves the row once
  world.remove<Other, Local, Tracked>(entity);
  // refused: record all of them with world.commands() and call flush(), which moves the row once
  world.add<Tracked, Other>(entity);
}

void asks_a_temporary_query_to_remember(World& world) {
  // refused: the query remembers its last visit of changed entities: keep the query in a variable
  world.query<const Tracked>().changed<Tracked>().each([](const Tracked&) {});
  // refused: the query keeps the order for its next visit: keep the query in a variable
  world.query<const Local>().order_by<Local>(&Local::x).each([](const Local&) {});
}

void visits_parents_in_any_order(Schedule& schedule) {
  // refused: rows are visited in any order, and this system reads values of a parent or ancestor that it writes, too
  schedule.add<const Other, Local, Parent<const Local>>("place", [](const Other&, Local&, const Local*) {});
}

void visits_parents_in_any_order_perhaps(Schedule& schedule) {
  // refused: rows are visited in any order, and this system reads values of a parent or ancestor that it writes, too
  schedule.add<Maybe<Local>, Parent<const Local>>("place", [](Local*, const Local*) {});
}

void writes_parents_in_any_order(Schedule& schedule) {
  // refused: Parent<T> writes to the parent, which is only allowed in a pass from the leaves to the roots
  schedule.add<const Other, Parent<Local>>("sum", [](const Other&, Local*) {});
}

void decides_by_recording(Schedule& schedule) {
  // refused: a condition takes Resource<const T> and const World&
  schedule.add([](Local&) {}).run_if([](Commands&) { return true; });
}

void asks_for_the_value_of_a_tag(World& world) {
  // refused: a tag has none: add the term Entity and call world.has<T>(entity), or make two queries
  (void)world.query<const Local, Maybe<Frozen>>();
}
