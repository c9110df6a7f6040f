// Documentation only: what code of the user may do while the library calls it.
#pragma once

/// The table lists all places where the library calls user code. In all of them except a memory resource, components
/// may be read by entity handle, and changes may be recorded with `World::commands`. What else is allowed:
///
/// | code                                         | read by handle      | run a query         | record | change structure |
/// |----------------------------------------------|---------------------|---------------------|--------|------------------|
/// | visitors of queries, bodies of range-for     | yes                 | yes                 | yes    | refused          |
/// | keys, comparisons: order_by, sort_children   | yes                 | yes                 | yes    | refused          |
/// | keys, comparisons: sort, sort_step of T      | yes, except T       | without terms of T  | yes    | refused          |
/// | fill functions of create_many                | yes                 | yes, without the    | yes    | refused          |
/// |                                              |                     | entities being made |        |                  |
/// | functions that listen to events (Events::on) | yes                 | yes                 | yes    | refused          |
/// | destructor, move or copy of an event or of a | as at the call of   | as there            | as     | as there         |
/// | function that listens to events              | Events              |                     | there  |                  |
/// | destructor of a value that is removed,       | yes, except what    | yes, except what    | yes    | refused          |
/// | replaced or destroyed with its entity        | is destroyed        | is destroyed        |        |                  |
/// | destructor of a recorded value not applied   | yes                 | yes                 | yes    | refused          |
/// | destructors in ~World                        | no entity is alive  | visits nothing      | is     | refused          |
/// |                                              |                     |                     | lost   |                  |
/// | move constructor, destructor of a value that | yes; entities whose | refused             | yes    | refused          |
/// | was moved from, ComponentInfo::relocate      | values are moved    |                     |        |                  |
/// |                                              | may be missing      |                     |        |                  |
/// | constructor, copy constructor,               | yes; entities that  | refused             | yes    | refused          |
/// | ComponentInfo::copy, remap_entities, while   | are made may be     |                     |        |                  |
/// | making: create_many, build_hierarchy,        | missing             |                     |        |                  |
/// | instantiate; functions of build_hierarchy;   |                     |                     |        |                  |
/// | destructors of such values when that fails   |                     |                     |        |                  |
/// | functions of Given, Requirement::make, and   | yes                 | yes; refused in     | yes    | refused          |
/// | constructors of required components          |                     | create_many,        |        |                  |
/// |                                              |                     | build_hierarchy and |        |                  |
/// |                                              |                     | add to many         |        |                  |
/// | functions of Observers, hooks                | yes; what is removed| yes                 | yes    | refused          |
/// |                                              | is still there      |                     |        |                  |
/// | keep_going of shrink                         | yes                 | yes                 | yes    | refused          |
/// | contract handler                             | as allowed where    | as there            | as     | as there         |
/// |                                              | the contract broke  |                     | there  |                  |
/// | memory resource                              | no                  | no                  | no     | no               |
///
/// Structural changes are all calls that create or destroy entities, add or remove components, change the
/// hierarchy or the order of children, sort, defragment, shrink, set a storage or a layout, or flush.
/// `World::set` is not one of them: it replaces a value in its place, and is allowed wherever reading is.
///
/// "Refused" means that the call breaks a contract. The message names what is refused and what is under way. A refused
/// call changes nothing; a contract handler that aborts ends the process. Destructors and moves are noexcept: a
/// contract broken there also ends the process, unless the exception of the default handler is caught inside the
/// destructor or move. A memory resource must not use the world; this is not checked.
///
/// Events may be emitted and delivered wherever a query may run, and queued everywhere but in a memory resource.
/// Functions that are called with an event may emit and queue events, too, but not call `deliver`; they may also
/// register functions that listen, and remove such functions. After a function has thrown, `emit` and `deliver` still
/// call the others.
///
/// Values are destroyed last: an operation first completes its change, then destroys the values that it removed. To
/// their destructors, destroyed entities are not alive, not counted and not visited. A component that is removed is
/// gone, and a component that is replaced has its new value.
///
/// Commands recorded while a query iterates or an operation calls user code, also those that destructors and moves
/// record meanwhile, are applied when the outermost such iteration or operation ends, in the order of recording.
/// `Events::emit` and `deliver` are such operations. Commands recorded at another time wait for the next such end or
/// for `World::flush`; an iteration that records nothing applies nothing, so several threads may read although commands
/// are pending. Commands recorded during an iteration or operation that ended by an exception also wait, unless the
/// iteration was a range-for, which applies them at its end in any case.
///
/// If memory does not suffice to apply commands at the end of an operation, the operation itself is complete and the
/// commands stay recorded. At the end of an iteration, of `emit` and of `deliver`, and in `flush`, std::bad_alloc is
/// thrown. An operation such as `add` may return a reference: it is invalid if commands recorded meanwhile move the
/// entity's row.
