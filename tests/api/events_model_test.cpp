// Events against a naive walk: random trees, and functions that stop, leave out, emit, queue, record, throw, and
// make others listen or end them.
#include "events_model.hpp"

#include <array>
#include <stdexcept>
#include <strata/strata.hpp>

#include "../support/components.hpp"
#include "../support/model_test.hpp"

namespace strata::test::events_model_test {

namespace {

using Kind = EventAction::Kind;

struct Ping {
  int value = 0;
};
/// Has a destructor, and is larger.
struct Pong {
  Counted counted;
  std::array<int, 100> rest{};
};

int value_of(const Ping& ping) {
  return ping.value;
}
int value_of(const Pong& pong) {
  return pong.counted.value();
}
void set_value(Ping& ping, int value) {
  ping.value = value;
}
void set_value(Pong& pong, int value) {
  pong.counted = Counted(value);
}

/// The world with the functions, which do what the model's do.
class Subject {
 public:
  World world;
  std::vector<Subscription> subscriptions;
  std::vector<EventAction> actions;
  std::vector<int> uses;
  std::vector<EventCall> calls;

  void listen(const EventAction& action) {
    if (action.entity && !world.alive(action.entity)) return;
    add(action.type, action.entity, action_of_new(action.other), 1);
  }
  void add(std::size_t type, Entity at, const EventAction& action, int times) {
    actions.push_back(action);
    uses.push_back(times);
    subscriptions.emplace_back();
    const std::size_t number = actions.size() - 1;
    subscriptions[number] = type == 0 ? make<Ping>(at, number) : make<Pong>(at, number);
  }
  std::size_t emit(std::size_t type, int value, Entity entity, Spread spread) {
    if (type == 0) return world.events().emit(Ping{value}, entity, spread);
    return world.events().emit(Pong{Counted(value)}, entity, spread);
  }
  void queue(std::size_t type, int value, Entity entity, Spread spread) {
    if (type == 0) return world.events().queue(Ping{value}, entity, spread);
    world.events().queue(Pong{Counted(value)}, entity, spread);
  }
  void end(std::size_t number) {
    const std::size_t which = number % subscriptions.size();
    if (which >= kPermanent) subscriptions[which].end();
  }

  /// Returns: the error of a call, in a word.
  template <class Call>
  EventError run(Call call) {
    try {
      call();
      return {};
    } catch (const ContractViolation& violation) {
      const std::string text = violation.what();
      if (text.find(" deep (see") != std::string::npos) return "too deep";
      if (text.find(" stay queued (see") != std::string::npos) return "too many rounds";
      return text.find("deliver while") != std::string::npos ? "nested" : text;
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

 private:
  template <class Event>
  Subscription make(Entity at, std::size_t number) {
    const auto function = [this, number](Event& event, Propagation& way) {
      calls.push_back({number, way.entity(), way.origin(), value_of(event)});
      set_value(event, next_value(value_of(event), number));
      if (uses[number]-- > 0) act(actions[number], number, value_of(event), way);
    };
    return at ? world.events().on<Event>(at, function) : world.events().on<Event>(function);
  }
  void act(const EventAction action, std::size_t number, int value, Propagation& way) {
    switch (action.kind) {
      case Kind::nothing:
        break;
      case Kind::stop:
        way.stop();
        break;
      case Kind::skip:
        way.skip_descendants();
        break;
      case Kind::end:
        end(action.other);
        break;
      case Kind::listen:
        listen(action);
        break;
      case Kind::emit:
        emit(action.type, value, action.entity, action.spread);
        break;
      case Kind::queue:
        queue(action.type, value, action.entity, action.spread);
        break;
      case Kind::destroy:
        world.commands().destroy(action.entity);
        break;
      case Kind::move:
        world.commands().set_parent(action.entity, action.parent);
        break;
      case Kind::fail:
        throw std::runtime_error("failed " + std::to_string(number));
      case Kind::drop_queued:
        world.events().drop_queued();
        break;
      case Kind::deliver:
        world.events().deliver();
        break;
    }
  }
};

/// Does the same in the world and in the model, and compares.
class Pair {
 public:
  Pair(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    const std::size_t depths = 1 + bytes.below(5);
    const std::size_t rounds = 1 + bytes.below(4);
    model_.depth_limit = depths;
    model_.round_limit = rounds;
    subject_.world.events().set_depth_limit(static_cast<std::uint32_t>(depths));
    subject_.world.events().set_round_limit(static_cast<std::uint32_t>(rounds));
    for (const std::size_t type : {0u, 1u}) add(type, Entity(), EventAction());
  }

  Disagreement turn() {
    for (int& uses : subject_.uses) uses = 2;
    for (NaiveEvents::Function& function : model_.functions) function.uses = 2;
    switch (bytes_.below(16)) {
      case 0:
      case 1:
      case 2:
        create();
        break;
      case 3:
        destroy();
        break;
      case 4:
        move();
        break;
      case 5:
      case 6:
      case 7:
        listen();
        break;
      case 8:
        end();
        break;
      case 9:
        restore();
        break;
      case 10:
      case 11:
      case 12:
        queue();
        break;
      case 13:
        if (Disagreement wrong = deliver()) return wrong;
        break;
      default:
        if (Disagreement wrong = emit()) return wrong;
    }
    return compare();
  }

 private:
  Entity any_entity() { return entities_.empty() ? Entity() : entities_[bytes_.below(entities_.size())]; }
  Entity entity_or_null() { return bytes_.chance(6) ? Entity() : any_entity(); }
  Spread any_spread() { return static_cast<Spread>(bytes_.below(3)); }

  void create() {
    Entity parent = entity_or_null();
    if (!model_.alive(parent)) parent = Entity();
    World& world = subject_.world;
    const Entity entity = parent ? world.create(child_of(parent)) : world.create();
    log_("create ", to_string(entity), " below ", to_string(parent));
    model_.create(entity, parent);
    entities_.push_back(entity);
  }
  void destroy() {
    const Entity entity = any_entity();
    if (!bytes_.chance(2)) return;
    log_("destroy ", to_string(entity));
    subject_.world.destroy(entity);
    model_.destroy(entity);
  }
  void move() {
    const Entity child = any_entity();
    const Entity parent = any_entity();
    log_("move ", to_string(child), " below ", to_string(parent));
    (void)subject_.world.set_parent(child, parent);
    model_.move(child, parent);
  }
  void restore() {
    const Entity entity = any_entity();
    if (!bytes_.chance(2) || !subject_.world.restore(entity)) return;
    log_("restore ", to_string(entity));
    model_.create(entity, Entity());
  }
  void listen() {
    const Entity at = bytes_.chance(3) ? Entity() : any_entity();
    const EventAction action{.kind = static_cast<Kind>(bytes_.below(12)),
                             .entity = entity_or_null(),
                             .parent = any_entity(),
                             .other = bytes_.below(64),
                             .type = bytes_.below(2),
                             .spread = any_spread()};
    const std::size_t type = bytes_.below(2);
    if (at && !model_.alive(at)) return;
    log_("function ", model_.functions.size(), " listens to ", type, " at ", to_string(at), ", does ",
         static_cast<int>(action.kind), " ", to_string(action.entity), " ", action.other, " ", action.type);
    add(type, at, action);
  }
  void add(std::size_t type, Entity at, const EventAction& action) {
    subject_.add(type, at, action, 2);
    model_.functions.push_back({type, at, action, 2});
  }
  void end() {
    const std::size_t number = bytes_.below(64);
    log_("end ", number % model_.functions.size());
    subject_.end(number);
    model_.end(number);
  }
  void queue() {
    const std::size_t type = bytes_.below(2);
    const Entity entity = entity_or_null();
    const Spread spread = any_spread();
    log_("queue ", type, " for ", to_string(entity), ", spread ", static_cast<int>(spread));
    subject_.queue(type, 1, entity, spread);
    model_.queue.push_back({type, 1, entity, spread});
  }

  Disagreement emit() {
    const std::size_t type = bytes_.below(2);
    const Entity entity = entity_or_null();
    const Spread spread = any_spread();
    const bool in_query = bytes_.chance(4);
    log_("emit ", type, " for ", to_string(entity), ", spread ", static_cast<int>(spread));
    const NaiveEvents::Way way = model_.send(type, 0, entity, spread);
    std::size_t calls = 0;
    const EventError error = run(in_query, [&] { calls = subject_.emit(type, 0, entity, spread); });
    if (error != way.error) return "another error: " + error.value_or("none");
    return error || calls == way.calls ? Disagreement() : "another number of calls";
  }
  Disagreement deliver() {
    const bool in_query = bytes_.chance(4);
    log_("deliver");
    const auto [expected, expected_error] = model_.deliver();
    Deliveries result;
    const EventError error = run(in_query, [&] { result = subject_.world.events().deliver(); });
    if (error != expected_error) return "another error: " + error.value_or("none");
    if (error) return {};
    return result.delivered == expected.delivered && result.dropped == expected.dropped
               ? Disagreement()
               : "another number of events was delivered";
  }
  /// Calls the subject, perhaps while a query iterates. Then recorded commands have run, or wait if there was an
  /// error.
  template <class Call>
  EventError run(bool in_query, Call call) {
    World& world = subject_.world;
    const EventError error = subject_.run([&] {
      if (!in_query) return call();
      const Entity seen = world.create();
      for (const auto [entity] : world.query<Entity>()) {
        if (entity != seen) continue;
        call();
        world.commands().destroy(seen);
      }
    });
    if (error) {
      if (in_query)
        world.query<Entity>().each([&](Entity entity) {
          if (!model_.alive(entity)) world.commands().destroy(entity);
        });
      world.flush();
    }
    model_.apply_recorded();
    return error;
  }

  Disagreement compare() {
    if (subject_.calls != model_.calls) return calls_differ();
    subject_.calls.clear();
    model_.calls.clear();
    if (subject_.world.events().queued() != model_.queue.size()) return "another number is queued";
    if (subject_.world.size() != model_.tree.size()) return "another number of entities is alive";
    for (const auto& [entity, node] : model_.tree) {
      const auto children = subject_.world.children(entity);
      if (!std::equal(children.begin(), children.end(), node.children.begin(), node.children.end()))
        return "other children of " + to_string(entity);
    }
    for (std::size_t i = 0; i < model_.functions.size(); ++i) {
      const NaiveEvents::Function& function = model_.functions[i];
      if (!function.gone && subject_.subscriptions[i].active() == function.ended)
        return "subscription " + std::to_string(i) + " says otherwise";
    }
    const Outcome valid = subject_.world.validate();
    return valid ? Disagreement() : valid.message();
  }
  std::string calls_differ() const {
    std::string text = "other calls than ";
    for (const EventCall& call : model_.calls)
      text += std::to_string(call.function) + "@" + to_string(call.entity) + " ";
    text += "namely ";
    for (const EventCall& call : subject_.calls)
      text += std::to_string(call.function) + "@" + to_string(call.entity) + " ";
    return text;
  }

  Bytes& bytes_;
  Log& log_;
  Subject subject_;
  NaiveEvents model_;
  std::vector<Entity> entities_;
};

Disagreement events_agree(Bytes& bytes, Log& log) {
  const CountedScope scope;
  if (bytes.turn()) {
    Pair pair(bytes, log);
    while (bytes.turn()) {
      if (Disagreement wrong = pair.turn()) return wrong;
    }
  }
  return scope.clean() ? Disagreement() : "an event was not destroyed once";
}

}  // namespace

TEST_SUITE("api/events") {
  STRATA_MODEL_TEST("events come to the same functions as in a naive walk", events_agree, .runs = 300);
}

}  // namespace strata::test::events_model_test
