#pragma once

#include "json/schema.hpp"
#include "json/writer.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace roost::http {

/// The start of a reference to a schema in an OpenAPI document, before its name.
inline constexpr std::string_view schema_prefix = "#/components/schemas/";

/// Writes an object with the schemas of these names, and with those that they refer to, directly or
/// indirectly. In their examples, members with a name in `examples` have its value. Throws std::logic_error
/// for a name without a schema.
void write_used_schemas(json::writer& to, const json::schemas& all, std::set<std::string> names,
                        const std::map<std::string, std::string>& examples);

} // namespace roost::http
