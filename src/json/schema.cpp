#include "json/schema.hpp"

#include <algorithm>

namespace roost::json {

namespace {

constexpr std::string_view schema_place = "#/components/schemas/";

void write(writer& json, const schema& schema);

void write_reference(writer& json, std::string_view name) {
  json.field("$ref", std::string{schema_place}.append(name));
}

/// Writes the types: the value's own, a second one, and null.
void write_type(writer& json, const facts& facts) {
  if (facts.type.empty()) return;
  const bool null_too = facts.nullable && facts.type != "null";
  if (facts.also.empty() && !null_too) return json.field("type", facts.type);
  json.key("type");
  json.begin_array();
  json.value(facts.type);
  if (!facts.also.empty()) json.value(facts.also);
  if (null_too) json.value("null");
  json.end_array();
}

/// Writes an array, each element by `write_element`.
template <std::size_t Size, typename Range, typename Write>
void write_array(writer& json, const char (&name)[Size], const Range& range, Write write_element) {
  json.key(name);
  json.begin_array();
  for (const auto& each : range) write_element(each);
  json.end_array();
}

template <std::size_t Size>
void write_text(writer& json, const char (&name)[Size], std::string_view text) {
  if (!text.empty()) json.field(name, text);
}

template <std::size_t Size>
void write_json(writer& json, const char (&name)[Size], std::string_view text) {
  if (text.empty()) return;
  json.key(name);
  json.raw(text);
}

template <std::size_t Size>
void write_limit(writer& json, const char (&name)[Size], const std::optional<std::int64_t>& limit) {
  if (limit) json.field(name, *limit);
}

void write_facts(writer& json, const facts& facts) {
  write_type(json, facts);
  write_text(json, "format", facts.format);
  write_text(json, "pattern", facts.pattern);
  if (!facts.names.empty()) write_array(json, "enum", facts.names, [&](auto name) { json.value(name); });
  write_json(json, "const", facts.constant);
  write_limit(json, "minimum", facts.minimum);
  write_limit(json, "maximum", facts.maximum);
  write_limit(json, "exclusiveMaximum", facts.exclusive_maximum);
  write_limit(json, "minLength", facts.min_length);
  write_limit(json, "maxLength", facts.max_length);
  write_limit(json, "maxItems", facts.max_items);
  write_json(json, "default", facts.initial);
  write_json(json, "examples", facts.examples);
  write_json(json, "additionalProperties", facts.other_members);
  if (facts.read_only) json.field("readOnly", true);
}

void write_members(writer& json, const schema& schema) {
  json.key("properties");
  json.begin_object();
  for (const auto& each : schema.members) {
    json.data_key(each.member);
    write(json, each);
  }
  json.end_object();
  const auto is_required = [](const auto& each) { return each.schema_facts.required; };
  if (std::ranges::none_of(schema.members, is_required)) return;
  write_array(json, "required", schema.members, [&](const auto& each) {
    if (is_required(each)) json.value(each.member);
  });
}

/// Writes an object that includes the members of other schemas, with `allOf`.
void write_bases(writer& json, const schema& schema) {
  json.key("allOf");
  json.begin_array();
  for (const auto base : schema.bases) {
    json.begin_object();
    write_reference(json, base);
    json.end_object();
  }
  json.begin_object();
  json.field("type", "object");
  write_members(json, schema);
  json.end_object();
  json.end_array();
}

void write(writer& json, const schema& schema) {
  json.begin_object();
  if (!schema.schema_facts.reference.empty()) {
    write_reference(json, schema.schema_facts.reference);
  } else if (!schema.bases.empty()) {
    write_bases(json, schema);
  } else {
    write_facts(json, schema.schema_facts);
    if (!schema.members.empty()) write_members(json, schema);
    if (!schema.items.empty()) {
      json.key("items");
      write(json, schema.items.front());
    }
    if (!schema.alternatives.empty())
      write_array(json, "oneOf", schema.alternatives, [&](const auto& each) { write(json, each); });
    if (schema.others != other_members::unspecified)
      json.field("additionalProperties", schema.others == other_members::ignored);
    if (!schema.examples.empty())
      write_array(json, "examples", schema.examples, [&](auto example) { json.raw(example); });
  }
  write_text(json, "description", schema.schema_facts.meaning);
  json.end_object();
}

} // namespace

void schemas::add(std::string_view name, const schema& schema) {
  writer json;
  write(json, schema);
  if (!text_.empty()) text_ += ',';
  text_.append(1, '"').append(name).append("\":").append(json.text());
}

} // namespace roost::json
