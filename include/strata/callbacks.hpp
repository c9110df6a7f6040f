// Documentation only: what code of the user may do while the library calls it.
#pragma once

/// The table lists all user code that the library calls. Its columns say whether this code may do the following in the
/// world in which the library works:
/// - "read by handle": read components by entity handle (`get`, `find`)
/// - "run a query": iterate a query
/// - "record": record changes with `World::commands`
/// - "restructure": make structural changes; these are listed below the table
/// "Refused" means that the call breaks a contract. "No" means that the code must not do this; it is not checked.
///
/// | user code                                    | read by handle     | run a query        | record  | restructure   |
/// |----------------------------------------------|--------------------|--------------------|---------|---------------|
/// | functions called by queries, bodies of       | yes                | yes                | yes     | refused       |
/// | range-for over queries, functions that a     |                    |                    |         |               |
/// | Recorder<Commands> (see below) has recorded  |                    |                    |         |               |
/// | functions called by parallel visits (`par`)  | yes, values that   | yes, with a Query  | no      | refused       |
/// |                                              | no other thread    | that no other      |         |               |
/// |                                              | writes             | thread uses        |         |               |
/// | functions of systems                         | yes, as far as     | yes, as far as     | yes     | refused,      |
/// |                                              | their parameters   | their parameters   |         | except with   |
/// |                                              | allow              | allow              |         | World&        |
/// | conditions of systems and sets of systems    | yes                | yes                | no      | no            |
/// | keys and comparisons of order_by and         | yes                | yes                | yes     | refused       |
/// | sort_children                                |                    |                    |         |               |
/// | keys and comparisons of sort and sort_step   | yes, except values | yes, if no term    | yes     | refused       |
/// | of the pool of T                             | of T               | names T            |         |               |
/// | fill functions of create_many                | yes, except new    | yes; new entities  | yes     | refused       |
/// |                                              | entities of later  | are not visited    |         |               |
/// |                                              | calls              |                    |         |               |
/// | functions that listen to events (Events::on) | yes                | yes                | yes     | refused       |
/// | destructor, move or copy of an event or of a | as the caller of   | as the caller of   | as the  | as the caller |
/// | function that listens to events              | Events             | Events             | caller  | of Events     |
/// | destructor of a value that is removed,       | yes, except what   | yes, except what   | yes     | refused       |
/// | replaced or destroyed with its entity        | is destroyed       | is destroyed       |         |               |
/// | destructor of a value in a recorded command  | yes                | yes                | yes     | refused       |
/// | that is not applied                          |                    |                    |         |               |
/// | destructors in ~World                        | yes; no entity is  | yes; visits        | no      | refused       |
/// |                                              | alive              | nothing            | effect  |               |
/// | move constructor, destructor of a value that | yes; entities      | refused            | yes     | refused       |
/// | was moved from, ComponentInfo::relocate      | whose values move  |                    |         |               |
/// |                                              | may not be found   |                    |         |               |
/// | constructors, ComponentInfo::copy and        | yes; entities that | refused            | yes     | refused       |
/// | remap_entities that create_many,             | are made or moved  |                    |         |               |
/// | build_hierarchy, instantiate, extract and    | may not be found   |                    |         |               |
/// | insert call;                                 |                    |                    |         |               |
/// | functions given to build_hierarchy;          |                    |                    |         |               |
/// | destructors of new values when one of these  |                    |                    |         |               |
/// | calls fails                                  |                    |                    |         |               |
/// | constructors of required components (see     | yes                | yes; refused in    | yes     | refused       |
/// | requires_of), functions of Given,            |                    | create_many,       |         |               |
/// | Requirement::make                            |                    | build_hierarchy    |         |               |
/// |                                              |                    | and add to many    |         |               |
/// |                                              |                    | entities           |         |               |
/// | functions registered by Observers, hooks of  | yes; what is       | yes                | yes     | refused       |
/// | components (see Hooks)                       | removed is still   |                    |         |               |
/// |                                              | there              |                    |         |               |
/// | the function given to World::patch           | as the caller of   | as the caller of   | as the  | as the caller |
/// |                                              | patch              | patch              | caller  | of patch      |
/// | ComponentInfo::copy that World::set by id    | yes                | yes                | yes     | refused       |
/// | calls                                        |                    |                    |         |               |
/// | the function keep_going of World::shrink     | yes                | yes                | yes     | refused       |
/// | copy constructors and ComponentInfo::copy    | yes                | yes                | yes     | refused       |
/// | that History::checkpoint calls               |                    |                    |         |               |
/// | copy constructors and ComponentInfo::copy    | yes                | yes                | refused | refused       |
/// | that History::restore and History::apply     |                    |                    |         |               |
/// | call                                         |                    |                    |         |               |
/// | functions OnProgress and OwnFormat::write    | yes                | yes                | yes     | refused       |
/// | that `save` calls                            |                    |                    |         |               |
/// | OwnFormat::write that `digest`,              | yes                | yes                | no      | refused       |
/// | `find_differences`, `to_json`,               |                    |                    |         |               |
/// | History::delta and History::digest call      |                    |                    |         |               |
/// | OnProgress, OwnFormat::read,                 | yes                | yes                | yes     | no            |
/// | Migration::Convert and constructors that     |                    |                    |         |               |
/// | `load` and `from_json` call; the cells say   |                    |                    |         |               |
/// | what they may do with the world that is      |                    |                    |         |               |
/// | passed to `load` or `from_json` as `known`   |                    |                    |         |               |
/// | constructors, OwnFormat::read and            | yes                | yes                | yes,    | refused       |
/// | OwnFormat::write that History::apply calls   |                    |                    | except  |               |
/// |                                              |                    |                    | create; |               |
/// |                                              |                    |                    | lost if |               |
/// |                                              |                    |                    | apply   |               |
/// |                                              |                    |                    | fails   |               |
/// | copies that `add` of many entities makes,    | yes                | yes, unless values | yes     | refused       |
/// | and their destructors                        |                    | are being moved    |         |               |
/// | contract handler                             | as the code that   | as the code that   | as that | as the code   |
/// |                                              | broke the contract | broke the contract | code    | that broke    |
/// |                                              |                    |                    |         | the contract  |
/// | memory resource, Codec, the clock of         | no                 | no                 | no      | no            |
/// | Schedule::measure_times, functions of an     |                    |                    |         |               |
/// | Executor apart from the `body` that they     |                    |                    |         |               |
/// | call                                         |                    |                    |         |               |
///
/// Structural changes are all calls that create or destroy entities, add or remove components, change the hierarchy or
/// the order of children, sort, defragment, shrink, set a storage or a layout, or flush. `World::set` is not one of
/// them: it replaces a value in its place, and is allowed wherever `get` is, except in functions called by parallel
/// visits, in conditions and in OwnFormat::write. These calls are refused wherever a query is: `roots`, `depth_first`,
/// `breadth_first`, `ancestors_with`, Relations::nearest, and registering an observer with Existing::notify.
///
/// A parallel visit (Query::par) may call its function on several threads. World::commands may be used by one thread
/// only, so the function must not record with it: it records with a Recorder (ParallelQuery::recording), which keeps
/// calls of functions for later. These calls are made when all rows have been visited, on the thread that began the
/// visit. A Recorder<Commands> calls its functions with a Commands, while the query still counts as iterating. A
/// Recorder for another object, such as a World, calls its functions when the iteration has ended, so these functions
/// may make structural changes.
///
/// If a call is refused, the message names the call and the operation that is under way. A refused call changes
/// nothing. A contract handler that aborts ends the process. Destructors and moves are noexcept: a contract broken
/// there also ends the process, unless the exception of the default handler is caught inside the destructor or move.
///
/// Events may be emitted and delivered wherever a query may run, and queued everywhere but in a memory resource.
/// Functions that are called with an event may emit and queue events, too, but must not call `deliver`. They may also
/// add and remove functions that listen to events. After a function has thrown, `emit` and `deliver` still call the
/// other functions.
///
/// When a subtree is destroyed, observers are notified of children before their parents. Values in tables are destroyed
/// in that order, too. Values in the side store (sparse sets) are destroyed before the values in tables, in any order.
///
/// Values are destroyed last: an operation first completes its change, then destroys the values that it removed. When
/// the destructors of these values run, destroyed entities are already not alive, not counted and not visited. A
/// component that is removed is gone, and a component that is replaced has its new value.
///
/// Commands recorded while a query iterates or an operation calls user code, including commands that destructors and
/// moves record, are applied when the outermost iteration or operation ends, in the order of recording. If this
/// operation is itself the work of a command, they are applied after all commands that are being applied, such as those
/// of a system. `Events::emit` and `Events::deliver` count as operations that call user code.
///
/// Other commands wait until `World::flush` applies them, or until commands that are recorded later, during an
/// iteration or operation, are applied. An iteration or operation that records nothing does not apply them, so several
/// threads may read although commands wait. Commands wait in this way if they were recorded at one of these times:
/// - while no query iterated and no operation called user code
/// - during an iteration or operation that ended by an exception, unless the iteration was a range-for, which applies
///   its commands at its end in any case
/// - while `save`, `load` or `from_json` called functions of the program
///
/// If applying a command breaks a contract, the command is discarded, together with the commands that are merged with
/// it: those that change components of the same entity. All others are applied, and then the exception is thrown; see
/// Commands.
///
/// If memory does not suffice to apply commands at the end of an operation, the operation itself is complete, the
/// commands stay recorded, and the operation throws nothing. An iteration, `emit`, `deliver`, `flush` and the run of a
/// schedule throw std::bad_alloc in this case; the commands stay recorded, too. Commands that were recorded during an
/// operation may move the entity's row. If the operation returns a reference, such as `add`, the reference is invalid
/// then.
