#include "store/columns/json_columns.hpp"

#include "json/writer.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_value.hpp"

namespace roost::store {

namespace {

template <typename Write>
std::string written(Write write) {
  json::writer json;
  write(json);
  return std::string(json.text());
}

/// An array in which `write(json, item)` writes each item.
template <typename Item, typename Write>
std::string array_of(const std::vector<Item>& items, Write write) {
  return written([&](json::writer& json) {
    json.begin_array();
    for (const auto& each : items) write(json, each);
    json.end_array();
  });
}

void write_items(json::writer& json, const std::vector<domain::due_item>& items) {
  json.begin_array();
  for (const auto item : items) json.value(to_string(item));
  json.end_array();
}

std::vector<domain::due_item> items_of(const rapidjson::Value& value) {
  expect(value.IsArray());
  std::vector<domain::due_item> items;
  for (const auto& each : value.GetArray()) items.push_back(parse_due_item(text_of(each)));
  return items;
}

} // namespace

std::string json_of(const domain::payment_terms& terms) {
  return written([&](json::writer& json) {
    json.begin_object();
    json.key("confirmation");
    write_items(json, terms.confirmation);
    json.key("check_in");
    write_items(json, terms.check_in);
    json.field("monthly_due_day", terms.monthly_due_day);
    json.end_object();
  });
}

std::string json_of(const std::vector<domain::tenant_category>& categories) {
  return array_of(categories, [](json::writer& json, const domain::tenant_category& each) {
    json.begin_object();
    json.field("name", each.name);
    json.field("integration_default", each.integration_default);
    json.end_object();
  });
}

std::string json_of(const std::vector<domain::admin_fee_tier>& tiers) {
  return array_of(tiers, [](json::writer& json, const domain::admin_fee_tier& each) {
    json.begin_object();
    json.field("from_days", each.from_days);
    json.field("cents", each.value.cents);
    json.end_object();
  });
}

std::string json_of(const std::vector<std::string>& words) {
  return array_of(words, [](json::writer& json, const std::string& each) { json.value(each); });
}

std::string json_of(const std::map<std::string, std::string>& texts) {
  return written([&](json::writer& json) {
    json.begin_object();
    for (const auto& [key, text] : texts) {
      json.data_key(key);
      json.value(text);
    }
    json.end_object();
  });
}

std::string json_of(const std::vector<domain::image>& images) {
  return array_of(images, [](json::writer& json, const domain::image& each) {
    json.begin_object();
    json.field("url", each.url);
    json.field("placeholder", each.placeholder);
    json.end_object();
  });
}

domain::payment_terms payment_terms_of(const rapidjson::Value& value) {
  const auto& day = member(value, "monthly_due_day");
  expect(day.IsInt());
  return {items_of(member(value, "confirmation")), items_of(member(value, "check_in")), day.GetInt()};
}

void read_json(std::string_view json, domain::payment_terms& into) { into = payment_terms_of(parsed(json)); }

void read_json(std::string_view json, std::vector<domain::tenant_category>& into) {
  const auto document = parsed(json);
  expect(document.IsArray());
  into.clear();
  for (const auto& each : document.GetArray()) {
    const auto& by_default = member(each, "integration_default");
    expect(by_default.IsBool());
    into.push_back({text_of(member(each, "name")), by_default.GetBool()});
  }
}

void read_json(std::string_view json, std::vector<domain::admin_fee_tier>& into) {
  into.clear();
  if (json == "[]") return; // nearly every unit
  const auto document = parsed(json);
  expect(document.IsArray());
  for (const auto& each : document.GetArray()) {
    const auto &days = member(each, "from_days"), &cents = member(each, "cents");
    expect(days.IsInt() && cents.IsInt64());
    into.push_back({days.GetInt(), {cents.GetInt64()}});
  }
}

void read_json(std::string_view json, std::map<std::string, std::string>& into) {
  const auto document = parsed(json);
  expect(document.IsObject());
  into.clear();
  for (const auto& each : document.GetObject()) into.emplace(text_of(each.name), text_of(each.value));
}

void read_json(std::string_view json, std::vector<std::string>& into) {
  const auto document = parsed(json);
  expect(document.IsArray());
  into.clear();
  for (const auto& each : document.GetArray()) into.push_back(text_of(each));
}

void read_json(std::string_view json, std::vector<domain::image>& into) {
  const auto document = parsed(json);
  expect(document.IsArray());
  into.clear();
  for (const auto& each : document.GetArray()) {
    const auto& placeholder = member(each, "placeholder");
    expect(placeholder.IsBool());
    into.push_back({text_of(member(each, "url")), placeholder.GetBool()});
  }
}

} // namespace roost::store
