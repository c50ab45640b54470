#include "store/columns/json_columns.hpp"

#include "domain/listing_edit.hpp"
#include "json/writer.hpp"
#include "store/database/columns.hpp"
#include "store/database/error.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <type_traits>

namespace roost::store {

namespace {

/// A member of a JSON object and the path from the record to its value.
template <std::size_t Size, typename... Steps>
struct json_member {
  const char (&name)[Size];
  domain::pack<Steps...> path;

  auto& of(auto& record) const {
    return path.pass_to([&](auto... steps) -> auto& { return follow(record, steps...); });
  }
};

template <std::size_t Size, typename... Steps>
constexpr json_member<Size, Steps...> stored(const char (&name)[Size], Steps... path) {
  return {name, {{path}...}};
}

constexpr auto members_of(const domain::payment_terms&) {
  using terms = domain::payment_terms;
  return domain::pack_of(stored("confirmation", &terms::confirmation), stored("check_in", &terms::check_in),
                         stored("monthly_due_day", &terms::monthly_due_day));
}
constexpr auto members_of(const domain::ai_budget&) {
  return domain::pack_of(stored("monthly_cents", &domain::ai_budget::monthly),
                         stored("warn_at", &domain::ai_budget::warn_at));
}
constexpr auto members_of(const domain::tenant_category&) {
  return domain::pack_of(stored("name", &domain::tenant_category::name),
                         stored("integration_default", &domain::tenant_category::integration_default));
}
constexpr auto members_of(const domain::admin_fee_tier&) {
  return domain::pack_of(stored("from_days", &domain::admin_fee_tier::from_days),
                         stored("cents", &domain::admin_fee_tier::value));
}
constexpr auto members_of(const domain::image&) {
  return domain::pack_of(stored("url", &domain::image::url),
                         stored("placeholder", &domain::image::placeholder));
}
constexpr auto members_of(const domain::booking_terms&) {
  using terms = domain::booking_terms;
  return domain::pack_of(
      stored("contract_type", &terms::contract_type), stored("check_in_time", &terms::check_in_time),
      stored("check_out_time", &terms::check_out_time), stored("payment_terms", &terms::payment_terms),
      stored("bills_included", &terms::bills, &domain::bills_terms::included),
      stored("bills_max_cents", &terms::bills, &domain::bills_terms::max_value),
      stored("cleaning_frequency", &terms::cleaning_frequency), stored("plan", &terms::plan));
}

// Writing

template <typename Item>
void write_value(json::writer& json, const std::vector<Item>& items);

template <typename Value>
void write_value(json::writer& json, const Value& value) {
  if constexpr (requires { members_of(value); }) {
    json.begin_object();
    const auto write_member = [&](const auto& member) {
      json.key(member.name);
      write_value(json, member.of(value));
    };
    members_of(value).pass_to([&](const auto&... each) { (write_member(each), ...); });
    json.end_object();
  } else if constexpr (std::is_enum_v<Value>) {
    json.value(to_string(value));
  } else if constexpr (std::is_same_v<Value, domain::money>) {
    json.value(value.cents);
  } else if constexpr (std::is_same_v<Value, std::optional<domain::money>>) {
    value ? json.value(value->cents) : json.null();
  } else {
    json.value(value);
  }
}

void write_value(json::writer& json, const std::map<std::string, std::string>& texts) {
  json.begin_object();
  for (const auto& [key, text] : texts) {
    json.data_key(key);
    json.value(text);
  }
  json.end_object();
}

constexpr domain::payment_line default_line; ///< paid by the tenant to the landlord

/// Omits default values, because the plan is most of a booking's row.
void write_value(json::writer& json, const domain::payment_line& line) {
  json.begin_object();
  json.field("kind", json::plain_text{domain::to_string(line.kind)});
  json.field("cents", line.amount.cents);
  json.field("due", line.due);
  if (line.payer != default_line.payer) json.field("payer", json::plain_text{domain::to_string(line.payer)});
  if (line.payee != default_line.payee) json.field("payee", json::plain_text{domain::to_string(line.payee)});
  if (line.period) {
    json.key("nights");
    json.begin_array();
    json.value(line.period->first);
    json.value(line.period->last);
    json.end_array();
  }
  json.end_object();
}

/// The values are JSON texts.
void write_value(json::writer& json, const domain::field_change& change) {
  json.begin_object();
  json.field("field", change.field);
  json.key("before");
  json.raw(change.before);
  json.key("after");
  json.raw(change.after);
  json.end_object();
}

template <typename Item>
void write_value(json::writer& json, const std::vector<Item>& items) {
  json.begin_array();
  for (const auto& each : items) write_value(json, each);
  json.end_array();
}

// Reading

void expect(bool is_valid) {
  if (!is_valid) throw failure("a JSON column has an invalid value");
}

rapidjson::Document parsed(std::string_view json) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  expect(!document.HasParseError());
  return document;
}

const rapidjson::Value& member(const rapidjson::Value& object, const char* name) {
  expect(object.IsObject());
  const auto it = object.FindMember(name);
  expect(it != object.MemberEnd());
  return it->value;
}

std::string text_of(const rapidjson::Value& value) {
  expect(value.IsString());
  return {value.GetString(), value.GetStringLength()};
}

void read_value(const rapidjson::Value& from, std::string& into) { into = text_of(from); }

void read_value(const rapidjson::Value& from, bool& into) {
  expect(from.IsBool());
  into = from.GetBool();
}

void read_value(const rapidjson::Value& from, int& into) {
  expect(from.IsInt());
  into = from.GetInt();
}

void read_value(const rapidjson::Value& from, domain::money& into) {
  expect(from.IsInt64());
  into.cents = from.GetInt64();
}

void read_value(const rapidjson::Value& from, std::optional<domain::money>& into) {
  into.reset();
  if (!from.IsNull()) read_value(from, into.emplace());
}

void read_value(const rapidjson::Value& from, std::map<std::string, std::string>& into) {
  expect(from.IsObject());
  into.clear();
  for (const auto& each : from.GetObject()) into.emplace(text_of(each.name), text_of(each.value));
}

template <typename Item>
void read_value(const rapidjson::Value& from, std::vector<Item>& into);

/// Reads an object with described members, a date or a word of an enumeration.
template <typename Value>
void read_value(const rapidjson::Value& from, Value& into) {
  if constexpr (requires { members_of(into); }) {
    members_of(into).pass_to(
        [&](const auto&... each) { (read_value(member(from, each.name), each.of(into)), ...); });
  } else {
    const auto text = text_of(from);
    expect(column_format<Value>::read(&text, into));
  }
}

void read_value(const rapidjson::Value& from, domain::payment_line& into) {
  into = default_line;
  read_value(member(from, "kind"), into.kind);
  read_value(member(from, "cents"), into.amount);
  read_value(member(from, "due"), into.due);
  if (from.HasMember("payer")) read_value(from["payer"], into.payer);
  if (from.HasMember("payee")) read_value(from["payee"], into.payee);
  if (!from.HasMember("nights")) return;
  const auto& nights = from["nights"];
  expect(nights.IsArray() && nights.Size() == 2);
  into.period.emplace();
  read_value(nights[0], into.period->first);
  read_value(nights[1], into.period->last);
}

/// Returns the value as JSON. Amounts keep their text: a double holds their digits.
std::string as_json(const rapidjson::Value& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  value.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

void read_value(const rapidjson::Value& from, domain::field_change& into) {
  into = {text_of(member(from, "field")), as_json(member(from, "before")), as_json(member(from, "after"))};
}

template <typename Item>
void read_value(const rapidjson::Value& from, std::vector<Item>& into) {
  expect(from.IsArray());
  into.clear();
  for (const auto& each : from.GetArray()) read_value(each, into.emplace_back());
}

} // namespace

template <typename Value>
bool json_format<Value>::write(std::string& to, const Value& value) {
  thread_local json::writer json;
  json.clear();
  write_value(json, value);
  return write_cell(to, json.text());
}

template <typename Value>
void json_format<Value>::parse(std::string_view json, Value& into) {
  read_value(parsed(json), into);
}

/// Avoids parsing the common case.
template <>
void json_format<std::vector<domain::admin_fee_tier>>::parse(std::string_view json,
                                                             std::vector<domain::admin_fee_tier>& into) {
  into.clear();
  if (json != "[]") read_value(parsed(json), into);
}

template struct json_format<domain::payment_terms>;
template struct json_format<domain::ai_budget>;
template struct json_format<std::vector<domain::tenant_category>>;
template struct json_format<std::vector<domain::admin_fee_tier>>;
template struct json_format<std::vector<std::string>>;
template struct json_format<std::map<std::string, std::string>>;
template struct json_format<std::vector<domain::image>>;
template struct json_format<std::vector<domain::field_change>>;
template struct json_format<domain::booking_terms>;

} // namespace roost::store
