#pragma once

#include "json/facts.hpp"

#include <string>
#include <string_view>
#include <vector>

/// OpenAPI schemas (JSON Schema 2020-12), made from descriptions.
namespace roost::json {

/// Whether an object takes members that its description does not name.
enum class other_members { unsaid, refused, taken };

/// The schema of a value, and of the values in it.
struct schema {
  facts said;
  std::string_view member = {};             ///< its name in the object that it is part of
  std::vector<schema> members = {};         ///< of an object, in their order
  std::vector<schema> items = {};           ///< of an array: one, else none
  std::vector<std::string_view> bases = {}; ///< schemas whose members the object has as well
  other_members others = other_members::unsaid;
  std::vector<std::string_view> examples = {}; ///< JSON
};

/// Schemas by name, to be served as part of an OpenAPI document.
class schemas {
public:
  void add(std::string_view name, const schema& of);

  /// Adds a schema that is not an object's, given as JSON.
  void add(std::string_view name, std::string_view json);

  /// Adds the schema of a described object (object.hpp), under its name.
  template <typename Object>
  void add(const Object& object) {
    add(object.name, schema_of(object));
  }

  /// The JSON object of all of them.
  std::string text() const { return '{' + text_ + '}'; }

private:
  std::string text_;
};

} // namespace roost::json
