// Documentation only: what code of the user may do while the library calls it.
#pragma once

/// The table lists all user code that the library calls, and says whether this code may read components by entity
/// handle (`get`, `find`), run queries, record changes with `World::commands`, and make structural changes (the column
/// "restructure"). In the columns after "user code", "the same" means: the same as in the cell to its left. In the
/// column "user code", "the same" means: the code that the row above names.
///
/// | user code                                    | read by handle     | run a query        | record | restructure    |
/// |----------------------------------------------|--------------------|--------------------|--------|----------------|
/// | functions called by queries, bodies of       | yes                | yes                | yes    | refused        |
/// | range-for over queries, functions that a     |                    |                    |        |                |
/// | Recorder<Commands> has recorded              |                    |                    |        |                |
/// | functions called by visits of `par`          | yes, what no other | yes, with queries  | no     | refused        |
/// |                                              | visit writes       | of their own       |        |                |
/// | functions of systems                         | yes, as far as     | the same           | yes    | refused,       |
/// |                                              | their parameters   |                    |        | except with    |
/// |                                              | allow              |                    |        | World&         |
/// | conditions of systems and sets of systems    | yes                | yes                | no     | no             |
/// | keys and comparisons of order_by and         | yes                | yes                | yes    | refused        |
/// | sort_children                                |                    |                    |        |                |
/// | keys and comparisons of sort and sort_step   | yes, except T      | without terms of T | yes    | refused        |
/// | of the pool of T                             |                    |                    |        |                |
/// | fill functions of create_many                | yes                | yes, without the   | yes    | refused        |
/// |                                              |                    | new entities       |        |                |
/// | functions that listen to events (Events::on) | yes                | yes                | yes    | refused        |
/// | destructor, move or copy of an event or of a | what the caller of | the same           | the    | the same       |
/// | function that listens to events              | Events may do      |                    | same   |                |
/// | destructor of a value that is removed,       | yes, except what   | yes, except what   | yes    | refused        |
/// | replaced or destroyed with its entity        | is destroyed       | is destroyed       |        |                |
/// | destructor of a value in a recorded command  | yes                | yes                | yes    | refused        |
/// | that is not applied                          |                    |                    |        |                |
/// | destructors in ~World                        | no entity is alive | visits nothing     | no     | refused        |
/// |                                              |                    |                    | effect |                |
/// | move constructor, destructor of a value that | yes; entities      | refused            | yes    | refused        |
/// | was moved from, ComponentInfo::relocate      | whose values are   |                    |        |                |
/// |                                              | moved may be       |                    |        |                |
/// |                                              | missing            |                    |        |                |
/// | constructors, ComponentInfo::copy and        | yes; entities that | refused            | yes    | refused        |
/// | remap_entities that create_many,             | are made or moved  |                    |        |                |
/// | build_hierarchy, instantiate, extract and    | may be missing     |                    |        |                |
/// | insert call;                                 |                    |                    |        |                |
/// | functions given to build_hierarchy;          |                    |                    |        |                |
/// | destructors of new values when one of these  |                    |                    |        |                |
/// | calls fails                                  |                    |                    |        |                |
/// | constructors of required components (see     | yes                | yes; refused in    | yes    | refused        |
/// | requires_of), functions of Given,            |                    | create_many,       |        |                |
/// | Requirement::make                            |                    | build_hierarchy    |        |                |
/// |                                              |                    | and add to many    |        |                |
/// |                                              |                    | entities           |        |                |
/// | functions of Observers, hooks of components  | yes; what is       | yes                | yes    | refused        |
/// |                                              | removed is still   |                    |        |                |
/// |                                              | there              |                    |        |                |
/// | ComponentInfo::copy that World::set by id    | yes                | yes                | yes    | refused        |
/// | calls                                        |                    |                    |        |                |
/// | the function keep_going of World::shrink     | yes                | yes                | yes    | refused        |
/// | copy constructors and ComponentInfo::copy    | yes                | yes                | yes    | refused        |
/// | that History::checkpoint calls               |                    |                    |        |                |
/// | the same that History::restore and           | yes                | yes                | re-    | refused        |
/// | History::apply call                          |                    |                    | fused  |                |
/// | functions OnProgress and OwnFormat::write    | yes                | yes                | yes    | refused        |
/// | that `save` calls                            |                    |                    |        |                |
/// | OwnFormat::write that other functions call,  | yes                | yes                | no     | no             |
/// | such as `digest` and `to_json`               |                    |                    |        |                |
/// | OnProgress, OwnFormat::read,                 | yes                | yes                | yes    | no             |
/// | Migration::Convert and constructors that     |                    |                    |        |                |
/// | `load` and `from_json` call, for operations  |                    |                    |        |                |
/// | on the world `known`                         |                    |                    |        |                |
/// | OwnFormat::read that History::apply calls    | yes                | yes                | yes,   | no             |
/// |                                              |                    |                    | lost   |                |
/// |                                              |                    |                    | if     |                |
/// |                                              |                    |                    | apply  |                |
/// |                                              |                    |                    | fails  |                |
/// | contract handler                             | what the code that | the same           | the    | the same       |
/// |                                              | broke the contract |                    | same   |                |
/// |                                              | may do             |                    |        |                |
/// | memory resource, Codec, the clock of         | no                 | no                 | no     | no             |
/// | Schedule::measure_times, functions of an     |                    |                    |        |                |
/// | Executor apart from the `body` that they     |                    |                    |        |                |
/// | call                                         |                    |                    |        |                |
///
/// Structural changes are all calls that create or destroy entities, add or remove components, change the hierarchy or
/// the order of children, sort, defragment, shrink, set a storage or a layout, or flush. `World::set` is not one of
/// them: it replaces a value in its place, and is allowed wherever `get` is, except in functions called by visits of
/// `par`, in conditions and in OwnFormat::write.
///
/// Visits of `par` may call functions on several threads. So these functions must not record changes with an object for
/// one thread, such as World::commands: they record with a Recorder (ParallelQuery::recording). The calls that a
/// Recorder has recorded are made when all rows have been visited, on the thread that began the visit. If the target of
/// the Recorder is not a Commands, but for example a World, the visit has ended by then, so structural changes are
/// allowed.
///
/// "Refused" means that the call breaks a contract. The message names what is refused and what is under way. A refused
/// call changes nothing; a contract handler that aborts ends the process. Destructors and moves are noexcept: a
/// contract broken there also ends the process, unless the exception of the default handler is caught inside the
/// destructor or move. "No" means that the code must not do this; it is not checked.
///
/// Events may be emitted and delivered wherever a query may run, and queued everywhere but in a memory resource.
/// Functions that are called with an event may emit and queue events, too, but must not call `deliver`. They may also
/// add and remove functions that listen to events. After a function has thrown, `emit` and `deliver` still call the
/// other functions.
///
/// Functions that observe see children before their parents when a subtree is destroyed. Values in tables are destroyed
/// in that order, too. Values in the side store (sparse sets) are destroyed before the values in tables, in any order.
///
/// Values are destroyed last: an operation first completes its change, then destroys the values that it removed. When
/// the destructors of these values run, destroyed entities are already not alive, not counted and not visited. A
/// component that is removed is gone, and a component that is replaced has its new value.
///
/// Commands recorded while a query iterates or an operation calls user code, including commands that destructors and
/// moves record, are applied when the outermost iteration or operation of this kind ends, in the order of recording.
/// `Events::emit` and `Events::deliver` count as operations that call user code. Commands recorded at another time are
/// applied when the next iteration or operation of this kind ends, or by `World::flush`; an iteration that records
/// nothing applies nothing, so several threads may read although commands are pending. If an iteration or operation
/// ends by an exception, the commands recorded during it are applied later, when the next iteration or operation ends,
/// or by `World::flush`, unless the iteration was a range-for, which applies them at its end in any case. The same is
/// true for commands that are recorded while `save`, `load` or `from_json` call functions of the program.
///
/// If applying a command breaks a contract, the command is discarded, together with the commands that are merged with
/// it: those that change components of the same entity. All others are applied, and then the exception is thrown; see
/// Commands.
///
/// If memory does not suffice to apply commands at the end of an operation, the operation itself is complete and the
/// commands stay recorded. At the end of an iteration, of `emit` and of `deliver`, and in `flush`, std::bad_alloc is
/// thrown. If an operation such as `add` returns a reference, the reference is invalid if commands that were recorded
/// during the operation move the entity's row.
