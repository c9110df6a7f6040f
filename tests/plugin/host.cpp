// Loads a plugin that contains the library, as this program does, and shares worlds with it.
// Usage: host <plugin>
#include <dlfcn.h>

#include <iostream>

#include "use_world.hpp"

namespace {

/// Counted before all others, so that the plugin gives their numbers to other types.
struct OnlyHereA {
  double values[4];
};
struct OnlyHereB {
  std::string text;
};

template <class Function>
Function find(void* plugin, const char* name) {
  auto* const function = reinterpret_cast<Function>(dlsym(plugin, name));
  if (function == nullptr) std::cerr << dlerror() << '\n';
  return function;
}

struct Plugin {
  const char* (*use)(strata::World&);
  strata::World* (*make_world)();
  void (*destroy_world)(strata::World*);
};

/// Lets both sides use a world in turns.
bool share(const char* whose, strata::World& world, const Plugin& plugin) {
  const strata::Entity kept = world.create(OnlyHereA{{1, 2, 3, 4}}, OnlyHereB{"kept"});
  world.destroy(kept);
  for (int turn = 0; turn < 3; ++turn) {
    const std::string theirs = plugin.use(world);
    const std::string ours = use(world);
    if (theirs.empty() && ours.empty()) continue;
    std::cerr << "turn " << turn << " of a world of the " << whose << ": plugin: " << theirs
              << ", host: " << ours << '\n';
    return false;
  }
  return true;
}

/// Returns: whether what the library throws has the type that this program catches.
bool catches(strata::World& world) {
  const strata::Entity entity = world.create(OnlyHereB{"has no other component"});
  try {
    world.get<OnlyHereA>(entity).values[0] = 1;
  } catch (const strata::ContractViolation&) {
    return world.destroy(entity);
  } catch (...) {
    std::cerr << "the library throws a type of its own\n";
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  void* const loaded = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    std::cerr << dlerror() << '\n';
    return 1;
  }
  const Plugin plugin{find<const char* (*)(strata::World&)>(loaded, "plugin_use"),
                      find<strata::World* (*)()>(loaded, "plugin_make_world"),
                      find<void (*)(strata::World*)>(loaded, "plugin_destroy_world")};
  if (plugin.use == nullptr || plugin.make_world == nullptr || plugin.destroy_world == nullptr) return 1;
  strata::World ours;
  if (!catches(ours) || !share("host", ours, plugin)) return 1;
  strata::World* const theirs = plugin.make_world();
  const bool shared = catches(*theirs) && share("plugin", *theirs, plugin);
  plugin.destroy_world(theirs);
  return shared ? 0 : 1;
}
