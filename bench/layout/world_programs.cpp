#include <stdexcept>

#include "../../include/strata/storage_advisor.hpp"
#include "world_program.hpp"

namespace layout {
namespace {

/// Moves a component to where the advice says.
template <class T>
void apply(strata::World& world, const strata::StorageAdvice& advice) {
  for (const strata::ComponentAdvice& one : advice.components) {
    if (one.name != strata::name_of<T> || !one.moves()) continue;
    world.set_storage<T>(one.recommended);
  }
}

}  // namespace

std::unique_ptr<Program> make_all_in_tables(const Setup& setup) {
  return std::make_unique<WorldProgram<Storage::table>>(setup);
}

std::unique_ptr<Program> make_all_in_side_store(const Setup& setup) {
  return std::make_unique<WorldProgram<Storage::sparse>>(setup);
}

std::unique_ptr<Program> make_as_advised(const Setup& setup, const strata::StorageAdvice& advice) {
  constexpr Storage kDeclared = Storage::table;
  auto program = std::make_unique<WorldProgram<kDeclared>>(setup);
  strata::World& world = program->world();
  apply<Position<kDeclared>>(world, advice);
  apply<Velocity<kDeclared>>(world, advice);
  apply<Health<kDeclared>>(world, advice);
  apply<Damage<kDeclared>>(world, advice);
  apply<Sprite<kDeclared>>(world, advice);
  apply<Data<kDeclared>>(world, advice);
  apply<Burning<kDeclared>>(world, advice);
  apply<Stunned<kDeclared>>(world, advice);
  return program;
}

strata::StorageAdvice advise(const Setup& setup, unsigned frames) {
  WorldProgram<Storage::table> program(setup);
  // Status effects are as many as they will be.
  unsigned number = 0;
  for (; number < setup.effect_frames(); ++number) program.frame(number);
  strata::StorageAdvisor probe(program.world());
  probe.start();
  for (const unsigned end = number + frames; number < end; ++number, probe.next_frame())
    program.frame(number);
  probe.stop();
  return probe.advise();
}

}  // namespace layout
