// What the code of a user may do while the library calls it: documentation only.
#pragma once

/// The library calls code of its user in the ways listed here. In all of them, components may be read by the handles of
/// entities, and changes may be recorded with `World::commands`. What else is allowed:
///
/// | code                                         | read by handle      | run a query         | record | change structure |
/// |----------------------------------------------|---------------------|---------------------|--------|------------------|
/// | visitors of queries, bodies of range-for     | yes                 | yes                 | yes    | refused          |
/// | keys, comparisons: order_by, sort_children   | yes                 | yes                 | yes    | refused          |
/// | keys, comparisons: sort, sort_step of T      | yes, but not T      | of terms but T      | yes    | refused          |
/// | fill functions of create_many                | yes                 | yes, without the    | yes    | refused          |
/// |                                              |                     | entities being made |        |                  |
/// | destructor of a value that is removed,       | yes, without what   | yes, without what   | yes    | refused          |
/// | replaced or destroyed with its entity        | is destroyed        | is destroyed        |        |                  |
/// | destructor of a recorded value not applied   | yes                 | yes                 | yes    | refused          |
/// | destructors in ~World                        | no entity is alive  | visits nothing      | is     | refused          |
/// |                                              |                     |                     | lost   |                  |
/// | move constructor, destructor of what was     | yes; entities whose | refused             | yes    | refused          |
/// | moved from, described `relocate`             | values are moved    |                     |        |                  |
/// |                                              | may be missing      |                     |        |                  |
/// | constructor, copy constructor, described     | yes; entities that  | refused             | yes    | refused          |
/// | `copy`, remap_entities, while entities are   | are made may be     |                     |        |                  |
/// | made: create_many, build_hierarchy,          | missing             |                     |        |                  |
/// | instantiate                                  |                     |                     |        |                  |
/// | keep_going of shrink                         | yes                 | yes                 | yes    | refused          |
/// | contract handler                             | as where the        | as there            | as     | as there         |
/// |                                              | contract is broken  |                     | there  |                  |
/// | memory resource                              | no                  | no                  | no     | no               |
///
/// Structural changes are all calls that create or destroy entities, add or remove components, change the hierarchy or the
/// order of its children, sort, settle, shrink, set a storage or a layout, or flush. `World::set` is none: it replaces a
/// value in its place, wherever reading is allowed.
///
/// "Refused" is a contract, whose message names what is refused and what is under way. Nothing has changed then, unless
/// the handler aborts. A contract that is broken in a function that is noexcept, as destructors and moves are, ends the
/// process unless the exception of the default handler is caught there. Nothing checks what a memory resource does: it is
/// to leave the world alone.
///
/// Values die last: an operation completes its change before it destroys the values that it took out of the world. Their
/// destructors see a world in which the entities that are destroyed are not alive, not counted and not visited, and a
/// component that is removed or replaced is gone or has its new value.
///
/// What is recorded while a query iterates or an operation calls code is applied when the outermost of them has ended,
/// in the order in which it was recorded, and so is what destructors and moves record while commands are applied. What was
/// recorded at another time waits for that, or for `World::flush`: an iteration that records nothing applies nothing, so
/// that several threads may read although commands are pending. So does what was recorded during an iteration or operation
/// that has ended by an exception. If memory does not suffice to apply commands at the end
/// of an operation, the operation has happened, and they stay recorded; the end of an iteration and `flush` let
/// std::bad_alloc out. A reference that an operation returns, as `add` does, is void if what was recorded meanwhile moves
/// the entity's row.
