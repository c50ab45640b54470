#include "store/json_columns.hpp"

#include "store/enum_text.hpp"
#include "store/json_value.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace roost::store {

namespace {

using writer = rapidjson::Writer<rapidjson::StringBuffer>;

template <typename Write>
std::string written(Write write) {
  rapidjson::StringBuffer buffer;
  writer out(buffer);
  write(out);
  return {buffer.GetString(), buffer.GetSize()};
}

void put(writer& out, std::string_view text) {
  out.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void put_items(writer& out, const char* name, const std::vector<domain::due_item>& items) {
  out.Key(name);
  out.StartArray();
  for (const auto item : items) put(out, word(item));
  out.EndArray();
}

std::vector<domain::due_item> items_of(const rapidjson::Value& value) {
  expect(value.IsArray());
  std::vector<domain::due_item> items;
  for (const auto& each : value.GetArray()) items.push_back(parse_due_item(text_of(each)));
  return items;
}

} // namespace

std::string json_of(const domain::payment_terms& terms) {
  return written([&](writer& out) {
    out.StartObject();
    put_items(out, "confirmation", terms.confirmation);
    put_items(out, "check_in", terms.check_in);
    out.Key("monthly_due_day");
    out.Int(terms.monthly_due_day);
    out.EndObject();
  });
}

std::string json_of(const std::vector<domain::tenant_category>& categories) {
  return written([&](writer& out) {
    out.StartArray();
    for (const auto& each : categories) {
      out.StartObject();
      out.Key("name");
      put(out, each.name);
      out.Key("integration_default");
      out.Bool(each.integration_default);
      out.EndObject();
    }
    out.EndArray();
  });
}

std::string json_of(const std::vector<domain::admin_fee_tier>& tiers) {
  return written([&](writer& out) {
    out.StartArray();
    for (const auto& each : tiers) {
      out.StartObject();
      out.Key("from_days");
      out.Int(each.from_days);
      out.Key("cents");
      out.Int64(each.value.cents);
      out.EndObject();
    }
    out.EndArray();
  });
}

std::string json_of(const std::vector<std::string>& words) {
  return written([&](writer& out) {
    out.StartArray();
    for (const auto& each : words) put(out, each);
    out.EndArray();
  });
}

std::string json_of(const std::map<std::string, std::string>& texts) {
  return written([&](writer& out) {
    out.StartObject();
    for (const auto& [key, text] : texts) {
      out.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
      put(out, text);
    }
    out.EndObject();
  });
}

std::string json_of(const std::vector<domain::image>& images) {
  return written([&](writer& out) {
    out.StartArray();
    for (const auto& each : images) {
      out.StartObject();
      out.Key("url");
      put(out, each.url);
      out.Key("placeholder");
      out.Bool(each.placeholder);
      out.EndObject();
    }
    out.EndArray();
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
