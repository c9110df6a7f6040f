// A plugin that contains the library, and uses worlds of the program that loads it.
#include "use_world.hpp"

namespace {

// The types of the plugin are counted in another order than those of the program.
struct OwnA {
  int value;
};
struct OwnB {
  std::string text;
};

std::string use_own_types(strata::World& world) {
  const strata::Entity entity = world.create(OwnA{1}, OwnB{"two"}, Mass{3});
  if (world.get<OwnA>(entity).value != 1 || world.get<OwnB>(entity).text != "two")
    return "types of the plugin's own";
  if (world.query<const OwnB, const Mass>().count() != 1) return "a query of types of the plugin's own";
  world.destroy(entity);
  return "";
}

std::string g_reported;

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char* plugin_use(strata::World& world) {
  g_reported = use_own_types(world);
  if (g_reported.empty()) g_reported = use(world);
  return g_reported.c_str();
}
EXPORTED strata::World* plugin_make_world() {
  return new strata::World();
}
EXPORTED void plugin_destroy_world(strata::World* world) {
  delete world;
}
