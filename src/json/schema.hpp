#pragma once

#include "json/facts.hpp"

#include <string>
#include <string_view>
#include <vector>

/// OpenAPI schemas (JSON Schema 2020-12), generated from descriptions.
namespace roost::json {

/// Whether an object may have members that its description does not name.
enum class other_members { unsaid, refused, taken };

/// The schema of a value and of its nested values.
struct schema {
  facts said;
  std::string_view member = {};             ///< the member's name in its object
  std::vector<schema> members = {};         ///< the members of an object, in order
  std::vector<schema> items = {};           ///< an array: one schema; otherwise empty
  std::vector<std::string_view> bases = {}; ///< schemas whose members the object includes
  other_members others = other_members::unsaid;
  std::vector<std::string_view> examples = {}; ///< JSON
};

/// Schemas by name, to be served as part of an OpenAPI document.
class schemas {
public:
  void add(std::string_view name, const schema& of);

  /// Adds a schema without a description, as JSON.
  void add(std::string_view name, std::string_view json);

  /// Adds the schema of a described object (object.hpp), under its name.
  template <typename Object>
  void add(const Object& object) {
    add(object.name, schema_of(object));
  }

  /// Returns the JSON object of all schemas.
  std::string text() const { return '{' + text_ + '}'; }

private:
  std::string text_;
};

} // namespace roost::json
