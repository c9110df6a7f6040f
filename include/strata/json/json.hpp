// to_json and from_json: write worlds as JSON, which people can read and compare, and read such JSON. These functions
// are in a library of their own, strata_json, which needs nlohmann-json.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>

#include "../saving.hpp"

namespace strata {

/// A JSON document whose objects keep the order of their members.
using Json = nlohmann::ordered_json;

/// The result of `to_json`.
struct WorldJson {
  Outcome outcome;  ///< If refused, its sentence names a component that cannot be written.
  Json json;        ///< Null if it was refused.
};

/// Returns: all that `save` writes of a world, as JSON. Parents come before their children; components and resources
/// have their names. A reference to an entity is its path of names ("/house/door") if that leads to this entity only,
/// and otherwise its handle ("12v3"). Numbers have enough digits to read the same number again. Infinities and NaN are
/// written as texts, and so are bytes and values with an OwnFormat ("0x01ff").
/// Errors: std::bad_alloc, and what functions of members_of throw.
/// Contract: no change is under way. Queries may iterate, if their functions write no values meanwhile.
STRATA_API WorldJson to_json(const World& world, Undescribed undescribed = Undescribed::refuse);

/// Reads what `to_json` has made, and makes a new world from it. The rules of `load` hold here, too: a document may
/// have any content, and either the whole world is read or nothing. The order of members and of entities matters only
/// in that parents come before their children.
/// Returns: the world; or a refusal that names the place in the document, such as "entities[3].parent", and says what
/// is wrong there.
/// Errors: std::bad_alloc, and what functions of members_of throw.
STRATA_API LoadedWorld from_json(const Json& json, const World& known, WorldOptions options = {});

/// Write and read JSON as text. `read_json` refuses a text in which an object has a member twice, or with deeper
/// nesting than a world can have.
/// Errors: those of `to_json` and `from_json`, and what the stream throws.
STRATA_API Outcome write_json(const World& world, std::ostream& out,
                              Undescribed undescribed = Undescribed::refuse);
STRATA_API LoadedWorld read_json(std::istream& in, const World& known, WorldOptions options = {});

}  // namespace strata
