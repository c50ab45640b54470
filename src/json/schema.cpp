#include "json/schema.hpp"

#include <algorithm>

namespace roost::json {

namespace {

constexpr std::string_view schema_place = "#/components/schemas/";

void write(writer& json, const schema& of);

void write_reference(writer& json, std::string_view name) {
  json.field("$ref", std::string{schema_place}.append(name));
}

/// Writes the types: the value's own, a second one, and null.
void write_type(writer& json, const facts& of) {
  if (of.type.empty()) return;
  const bool null_too = of.nullable && of.type != "null";
  if (of.also.empty() && !null_too) return json.field("type", of.type);
  json.key("type");
  json.begin_array();
  json.value(of.type);
  if (!of.also.empty()) json.value(of.also);
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

void write_facts(writer& json, const facts& of) {
  write_type(json, of);
  write_text(json, "format", of.format);
  write_text(json, "pattern", of.pattern);
  if (!of.names.empty()) write_array(json, "enum", of.names, [&](auto name) { json.value(name); });
  write_json(json, "const", of.constant);
  write_limit(json, "minimum", of.minimum);
  write_limit(json, "maximum", of.maximum);
  write_limit(json, "exclusiveMaximum", of.exclusive_maximum);
  write_limit(json, "minLength", of.min_length);
  write_limit(json, "maxLength", of.max_length);
  write_limit(json, "maxItems", of.max_items);
  write_json(json, "default", of.initial);
  write_json(json, "examples", of.examples);
  write_json(json, "additionalProperties", of.other_members);
}

void write_members(writer& json, const schema& of) {
  json.key("properties");
  json.begin_object();
  for (const auto& each : of.members) {
    json.data_key(each.member);
    write(json, each);
  }
  json.end_object();
  const auto is_required = [](const schema& each) { return each.schema_facts.required; };
  if (std::ranges::none_of(of.members, is_required)) return;
  write_array(json, "required", of.members, [&](const schema& each) {
    if (is_required(each)) json.value(each.member);
  });
}

/// Writes an object that includes the members of other schemas, with `allOf`.
void write_bases(writer& json, const schema& of) {
  json.key("allOf");
  json.begin_array();
  for (const auto base : of.bases) {
    json.begin_object();
    write_reference(json, base);
    json.end_object();
  }
  json.begin_object();
  json.field("type", "object");
  write_members(json, of);
  json.end_object();
  json.end_array();
}

void write(writer& json, const schema& of) {
  json.begin_object();
  if (!of.schema_facts.reference.empty()) {
    write_reference(json, of.schema_facts.reference);
  } else if (!of.bases.empty()) {
    write_bases(json, of);
  } else {
    write_facts(json, of.schema_facts);
    if (!of.members.empty()) write_members(json, of);
    if (!of.items.empty()) {
      json.key("items");
      write(json, of.items.front());
    }
    if (!of.alternatives.empty())
      write_array(json, "oneOf", of.alternatives, [&](const schema& each) { write(json, each); });
    if (of.others != other_members::unsaid)
      json.field("additionalProperties", of.others == other_members::taken);
    if (!of.examples.empty())
      write_array(json, "examples", of.examples, [&](auto example) { json.raw(example); });
  }
  write_text(json, "description", of.schema_facts.meaning);
  json.end_object();
}

} // namespace

void schemas::add(std::string_view name, const schema& of) {
  writer json;
  write(json, of);
  if (!text_.empty()) text_ += ',';
  text_.append(1, '"').append(name).append("\":").append(json.text());
}

} // namespace roost::json
