#include <strata/strata.hpp>

#include <algorithm>
#include <iostream>
#include <string>

using strata::Entity, strata::Propagation, strata::Spread, strata::child_of;

// Components.
struct Name { std::string text; };
struct Health { int points; };
struct Armour { int points; };
struct Sealed {};

// Events: any types.
struct Click { int x, y; };
struct Damage { int points; };
struct Destroyed { std::string what; };

class Window {
 public:
  Window() {
    // Listens everywhere, as long as the subscription exists.
    log_ = events_.on<Click>([this](Click&, Propagation& at) {
      if (at.entity() == at.origin()) std::cout << "click on the " << world_.get<Name>(at.origin()).text << ": ";
    });
    // These listen at one entity and end with it, so their subscriptions need not be kept.
    events_.on<Click>(close_, [this](Click&, Propagation& at) {
      std::cout << "it closes the dialog\n";
      world_.commands().destroy(dialog_);  // applied when the event has ended
      at.stop();                           // the dialog does not see the click
    }).detach();
    events_.on<Click>(dialog_, [](Click& click, Propagation&) {
      std::cout << "the dialog is dragged from " << click.x << ", " << click.y << '\n';
    }).detach();
  }

  void click(Entity widget) {
    if (events_.emit(Click{4, 2}, widget, Spread::bubble) == 0) std::cout << "click on what is gone\n";
  }
  void click_around() {
    click(title_);
    click(close_);
    click(close_);
  }

 private:
  strata::World world_;
  strata::Events& events_ = world_.events();
  Entity desktop_ = world_.create(Name{"desktop"});
  Entity dialog_ = world_.create(child_of(desktop_), Name{"dialog"});
  Entity title_ = world_.create(child_of(dialog_), Name{"title"});
  Entity close_ = world_.create(child_of(dialog_), Name{"close button"});
  strata::Subscription log_;
};

class Ship {
 public:
  Ship() {
    world_.create(child_of(bridge_), Name{"radar"}, Health{10});
    world_.create(child_of(vault_), Name{"gold"}, Health{10});
    // Armour takes its share before the damage goes on to what is inside.
    armours_ = events_.on<Damage>([this](Damage& damage, Propagation& at) {
      if (const Armour* const armour = world_.find<Armour>(at.entity())) {
        damage.points = std::max(0, damage.points - armour->points);
      }
      if (world_.has<Sealed>(at.entity())) at.skip_descendants();
    });
    hits_ = events_.on<Damage>([this](Damage& damage, Propagation& at) { hit(damage, at.entity()); });
    destructions_ = events_.on<Destroyed>([](Destroyed& event) { std::cout << event.what << " is destroyed\n"; });
  }

  void shoot(int points) {
    events_.queue(Damage{points}, hull_, Spread::sink);
    const strata::Deliveries result = events_.deliver();
    std::cout << result.delivered << " events; " << world_.size() << " parts are left\n";
  }

 private:
  void hit(const Damage& damage, Entity part) {
    Health* const health = world_.find<Health>(part);
    if (health == nullptr) return;
    health->points -= damage.points;
    if (health->points > 0) return;
    events_.queue(Destroyed{world_.get<Name>(part).text});  // delivered in the same call
    world_.commands().destroy(part);                        // applied when all is delivered
  }

  strata::World world_;
  strata::Events& events_ = world_.events();
  Entity hull_ = world_.create(Name{"hull"}, Armour{5});
  Entity bridge_ = world_.create(child_of(hull_), Name{"bridge"}, Health{50});
  Entity vault_ = world_.create(child_of(hull_), Name{"vault"}, Health{50}, Sealed{});
  strata::Subscription armours_, hits_, destructions_;
};

int main() {
  Window window;
  window.click_around();
  Ship ship;
  ship.shoot(8);
  ship.shoot(13);
}
