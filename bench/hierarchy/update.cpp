#include <memory>

#include "questions.hpp"
#include "subject.hpp"

namespace strata::bench {
namespace {

template <class Value>
Work update_arrays(TreeData<Value>& data) {
  return {.step = [&data] { data.arrays.update(); }};
}

template <class Value>
Work update_scene(Layout layout, TreeData<Value>& data) {
  const auto scene = built_scene(layout, data.script);
  scene->world().settle();
  return {.step = [scene] { scene->update(); },
          .check = [scene, &data] { return scene->wrong_value(data.script, data.arrays); }};
}

/// The same in a world that has never been told to settle, a hundred frames after the build.
template <class Value>
Work update_unsettled(TreeData<Value>& data) {
  const auto scene = built_scene(Layout::adaptive, data.script);
  for (int frame = 0; frame < 100; ++frame) scene->update();
  return {.step = [scene] { scene->update(); },
          .check = [scene, &data] { return scene->wrong_value(data.script, data.arrays); }};
}

Bar affine_bar(const Subject& subject, Layout layout) {
  constexpr ShapeBars kPerParent{
      .wide = 1.0, .bushy = 2.5, .binary = 5, .chain = 9, .mixed = 5, .many_small = 5};
  constexpr ShapeBars kPerLevel{
      .wide = 1.0, .bushy = 1.0, .binary = 1.2, .chain = 1.4, .mixed = 1.2, .many_small = 1.2};
  return (layout == Layout::per_parent ? kPerParent : kPerLevel).of(subject.shape);
}

Bar pos_bar(const Subject& subject, Layout layout) {
  constexpr ShapeBars kPerLevel{
      .wide = 0.8, .bushy = 1.0, .binary = 1.5, .chain = 3, .mixed = 1.5, .many_small = 1.5};
  return layout == Layout::per_parent ? Bar{} : kPerLevel.of(subject.shape);
}

}  // namespace

void ask_update_affine(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Affine>> kQuestion{
      .name = "update_affine", .limit = update_arrays, .answer = update_scene, .bar = affine_bar};
  ask(suite, kQuestion, subject, subject.is_usual()).answer("by_itself", update_unsettled<Affine>);
}

void ask_update_pos(Suite& suite, const Subject& subject) {
  constexpr TreeQuestion<TreeData<Position>> kQuestion{
      .name = "update_pos", .limit = update_arrays, .answer = update_scene, .bar = pos_bar};
  ask(suite, kQuestion, subject, subject.is_usual()).answer("by_itself", update_unsettled<Position>);
}

}  // namespace strata::bench
