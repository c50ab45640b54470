#include "store/columns/json_columns.hpp"

#include "json/writer.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_value.hpp"

namespace roost::store {

namespace {

template <typename Write>
std::string json_text(Write write) {
  json::writer json;
  write(json);
  return std::string(json.text());
}

/// Returns a JSON array whose items are written by `write(json, item)`.
template <typename Item, typename Write>
std::string array_of(const std::vector<Item>& items, Write write) {
  return json_text([&](json::writer& json) {
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

template <typename Enum>
Enum enum_of(const rapidjson::Value& value) {
  Enum result{};
  const auto text = text_of(value);
  expect(column_format<Enum>::read(&text, result));
  return result;
}

std::vector<domain::due_item> items_of(const rapidjson::Value& value) {
  expect(value.IsArray());
  std::vector<domain::due_item> items;
  for (const auto& each : value.GetArray()) items.push_back(enum_of<domain::due_item>(each));
  return items;
}

domain::payment_terms payment_terms_of(const rapidjson::Value& value) {
  const auto& day = member(value, "monthly_due_day");
  expect(day.IsInt());
  return {items_of(member(value, "confirmation")), items_of(member(value, "check_in")), day.GetInt()};
}

constexpr domain::payment_line default_line; ///< paid by the tenant to the landlord

/// Omits default values, because the plan is most of a booking's row.
void write_line(json::writer& json, const domain::payment_line& line) {
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

domain::date day_of(const rapidjson::Value& value) {
  const auto day = domain::parse_date(text_of(value));
  expect(day.has_value());
  return *day;
}

domain::money cents_of(const rapidjson::Value& value) {
  expect(value.IsInt64());
  return {value.GetInt64()};
}

domain::nights nights_of(const rapidjson::Value& value) {
  expect(value.IsArray() && value.Size() == 2);
  return {day_of(value[0]), day_of(value[1])};
}

domain::payment_line line_of(const rapidjson::Value& value) {
  domain::payment_line line = default_line;
  line.kind = enum_of<domain::payment_kind>(member(value, "kind"));
  line.amount = cents_of(member(value, "cents"));
  line.due = day_of(member(value, "due"));
  if (value.HasMember("payer")) line.payer = enum_of<domain::payment_party>(value["payer"]);
  if (value.HasMember("payee")) line.payee = enum_of<domain::payment_party>(value["payee"]);
  if (value.HasMember("nights")) line.period = nights_of(value["nights"]);
  return line;
}

} // namespace

std::string json_of(const domain::payment_terms& terms) {
  return json_text([&](json::writer& json) {
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
  return json_text([&](json::writer& json) {
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
  if (json == "[]") return; // the common case
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

std::string json_of(const domain::booking_terms& terms) {
  thread_local json::writer json;
  json.clear();
  json.begin_object();
  json.field("contract_type", terms.contract_type);
  json.field("check_in_time", terms.check_in_time);
  json.field("check_out_time", terms.check_out_time);
  json.key("payment_terms");
  json.raw(json_of(terms.payment_terms));
  json.field("bills_included", terms.bills.included);
  json.key("bills_max_cents");
  terms.bills.max_value ? json.value(terms.bills.max_value->cents) : json.null();
  json.field("cleaning_frequency", terms.cleaning_frequency);
  json.key("plan");
  json.begin_array();
  for (const auto& line : terms.plan) write_line(json, line);
  json.end_array();
  json.end_object();
  return std::string{json.text()};
}

void read_json(std::string_view json, domain::booking_terms& into) {
  const auto document = parsed(json);
  into.contract_type = text_of(member(document, "contract_type"));
  into.check_in_time = text_of(member(document, "check_in_time"));
  into.check_out_time = text_of(member(document, "check_out_time"));
  into.payment_terms = payment_terms_of(member(document, "payment_terms"));
  const auto &included = member(document, "bills_included"), &cap = member(document, "bills_max_cents");
  expect(included.IsBool());
  into.bills.included = included.GetBool();
  into.bills.max_value = cap.IsNull() ? std::optional<domain::money>{} : cents_of(cap);
  into.cleaning_frequency = text_of(member(document, "cleaning_frequency"));
  const auto& plan = member(document, "plan");
  expect(plan.IsArray());
  into.plan.clear();
  for (const auto& line : plan.GetArray()) into.plan.push_back(line_of(line));
}

} // namespace roost::store
