#include "../../hierarchy/layers/layer_marks.hpp"

#include <doctest/doctest.h>

#include "../../storage/store_change.hpp"
#include "../support/components.hpp"

namespace strata::test::layer_marks_test {

using namespace detail;

TEST_SUITE("hierarchy/layer_marks") {
  TEST_CASE("a layer has a mark when one of its entities has, of each component on its own") {
    Store store{std::pmr::new_delete_resource()};
    Layers layers(store);
    const ComponentId mark = store.registry().id_of<SparseFrozen>();
    const ComponentId other = store.registry().id_of<SparseHealth>();
    std::vector<Entity> entities;
    for (const std::int32_t key : {0, 3, 3, -1, 8}) {
      entities.push_back(store.create_row(store.archetypes().empty(), store.tables().root()).entity);
      layers.set(entities.back(), key);
    }
    const auto marked = [&](ComponentId id) {
      LayerMarks marks(store, layers);
      std::vector<bool> answers;
      for (std::uint32_t i = 0; i < layers.count(); ++i)
        answers.push_back(marks.contains(Layers::Index{i}, id));
      CHECK(marks.contains(Layers::Index{0}, other) == false);
      return answers;
    };
    CHECK(marked(mark) == std::vector<bool>{false, false, false, false});
    store.add(entities[2], mark);
    store.add(entities[4], mark);
    CHECK(marked(mark) == std::vector<bool>{false, true, false, true});
    store.add(entities[0], mark);
    store.remove(entities[2], mark);
    ::new (store.add(entities[3], other).value) SparseHealth{1};
    CHECK(marked(mark) == std::vector<bool>{true, false, false, true});
    CHECK(marked(other) == std::vector<bool>{false, false, true, false});
  }
}

}  // namespace strata::test::layer_marks_test
