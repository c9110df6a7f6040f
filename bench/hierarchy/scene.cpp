#include "scene.hpp"

namespace strata::bench {

template <class Value>
Scene<Value>::Scene(Layout layout, std::pmr::memory_resource* memory, Defragmentation defragmentation)
    : world_(WorldOptions{.layout = layout, .memory = memory, .defragmentation = defragmentation}),
      nodes_(world_.query<const Local, InWorld, Parent<const InWorld>>()) {}

template <class Value>
void Scene<Value>::build(const Script<Value>& script) {
  const std::size_t n = script.locals.size();
  for (std::size_t turn = 0; turn < n; ++turn) {
    const std::uint32_t parent = script.creation.parents[turn];
    const Value& local = script.locals[turn];
    if (parent == Tree::kNoParent) {
      entities_.push_back(world_.create(Local{local}, InWorld{local}));
    } else {
      entities_.push_back(world_.create(child_of(entities_[parent]), Local{local}, InWorld{local}));
    }
  }
}

template <class Value>
Complaint Scene<Value>::wrong_value(const Creation& creation, const Arrays<Value>& limit) const {
  const std::vector<Entity> handles = by_node(creation, entities_);
  return first_fault(handles.size(), "has another value in the world than the limit",
                     [&](std::uint32_t node) {
                       return agree(world_.get<InWorld>(handles[node]).value, limit.worlds[node]);
                     });
}

template <class Value>
Complaint Scene<Value>::wrong_node(const Creation& creation, const Arrays<Value>& limit) const {
  return wrong_tree<Value>(world_, by_node(creation, entities_), limit.parents, limit.locals);
}

// `update` stands here, beside the two checks above and little else: how far a compiler inlines into a loop depends on
// what is around it. Elsewhere the loop is slower.
template <class Value>
void Scene<Value>::update() {
  // A lambda, because a pointer to the function would be called for every row.
  nodes_.cascade().each([](const LocalOf<Value>& local, WorldOf<Value>& world, const WorldOf<Value>* parent) {
    update_world(local, world, parent);
  });
}

template <class Value>
void Scene<Value>::update(Executor& executor, std::size_t grain) {
  nodes_.cascade()
      .par(executor, grain)
      .each([](const LocalOf<Value>& local, WorldOf<Value>& world, const WorldOf<Value>* parent) {
        update_world(local, world, parent);
      });
}

template class Scene<Affine>;
template class Scene<Position>;
template class Scene<float>;
template class Scene<WithNormal>;

std::vector<Entity> by_node(const Creation& creation, const std::vector<Entity>& entities) {
  std::vector<Entity> handles(entities.size());
  for (std::size_t turn = 0; turn < entities.size(); ++turn) handles[creation.nodes[turn]] = entities[turn];
  return handles;
}

}  // namespace strata::bench
