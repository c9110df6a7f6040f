// to_json and from_json: write worlds as JSON, which people can read and compare, and read such JSON. These functions
// are in a library of their own, strata_json, which needs nlohmann-json.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>

#include "../parts.hpp"
#include "../saving.hpp"

namespace strata {

/// A JSON document whose objects keep the order of their members.
using Json = nlohmann::ordered_json;

/// The result of `to_json`.
struct WorldJson {
  Outcome outcome;  ///< If refused, its sentence says why, and names what cannot be written.
  Json json;        ///< Null if the call was refused.
};

/// Returns: a world as JSON, with everything that the binary format of `save` contains. Parents come before their
/// children; components and resources are written under their names. A reference to an entity is written as the
/// entity's path of names ("/house/door"), or as its handle ("12v3") if the entity has no path or another entity has
/// the same path. Numbers have enough digits to read the same number again. Infinities and NaN are written as strings.
/// Bytes, and values that the program writes by functions of its own (OwnFormat), are written as hexadecimal strings
/// ("0x01ff").
/// Errors: std::bad_alloc, and exceptions of functions that members_of lists.
/// Contract: no change of the world is under way. Queries may iterate during the call, if their functions write no
/// values.
STRATA_API WorldJson to_json(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Makes a new world from JSON that `to_json` has made. As with `load`, the components of the document must be
/// registered in `known`. The document need not be trusted: one that is not valid is refused. Either the whole world is
/// read or nothing. Members may be in any order, and so may entities, except that parents come before their children.
/// Returns: the world; or a refusal that names the place in the document, such as "entities[3].parent", and says what
/// is wrong there.
/// Errors: std::bad_alloc, and what the program's functions in descriptions of types throw (see members_of).
STRATA_API LoadedWorld from_json(const Json& json, const World& known, WorldOptions options = {});

/// Write some entities of a world with their subtrees as JSON, in the form of a small world. In the JSON, the entities
/// have other handles. An entity is written once, even if it is given more than once or is below another given entity.
/// Returns: the JSON; or a refusal, for the reasons for which `to_json` of a world or `save` of entities is refused.
/// Errors: as for `to_json` of a world.
/// Contract: as for `to_json` of a world. `options.outside` is `null` or `refuse`, because a document has no place for
/// references to entities outside of it.
/// Complexity: O(what is written). The call also takes that much memory, because the entities are copied first.
STRATA_API WorldJson to_json(const World& world, std::span<const Entity> roots,
                             const PartOptions& options = {.outside = OutsideReferences::null});
STRATA_API WorldJson to_json(const World& world, Entity root,
                             const PartOptions& options = {.outside = OutsideReferences::null});

/// Adds the entities of a JSON document to a world. The roots of the document are appended to the children of `parent`,
/// or become roots of the world if `parent` is null. The components of the document must be registered in the world.
/// Resources of the document are left out. Either all entities are added or none.
/// Returns: the added roots; or a refusal, for the reasons for which `from_json` or `insert` is refused.
/// Errors, Contract: as for `from_json` and `insert`.
/// Complexity: O(document + entities).
STRATA_API InsertedPart insert_json(World& world, const Json& json, Entity parent = Entity());

/// Write a world as JSON text, and read such text. `read_json` refuses a text in which an object has two members of one
/// name, or which is nested more deeply than the JSON of any world.
/// Errors: those of `to_json` and `from_json`, and what the stream throws.
STRATA_API Outcome write_json(const World& world, std::ostream& out,
                              Undescribed undescribed = Undescribed::refuse);
STRATA_API LoadedWorld read_json(std::istream& in, const World& known, WorldOptions options = {});

}  // namespace strata
