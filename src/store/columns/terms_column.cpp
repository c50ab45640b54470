#include "store/columns/terms_column.hpp"

#include "json/writer.hpp"
#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"
#include "store/columns/json_value.hpp"

namespace roost::store {

namespace {

constexpr domain::payment_line usual; ///< the tenant pays the landlord

/// What is the same in nearly every line is left out: the plan is most of a booking's row.
void write_line(json::writer& json, const domain::payment_line& line) {
  json.begin_object();
  json.field("kind", json::plain_text{domain::to_string(line.kind)});
  json.field("cents", line.amount.cents);
  json.field("due", line.due);
  if (line.payer != usual.payer) json.field("payer", json::plain_text{domain::to_string(line.payer)});
  if (line.payee != usual.payee) json.field("payee", json::plain_text{domain::to_string(line.payee)});
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
  domain::payment_line line = usual;
  line.kind = parse_payment_kind(text_of(member(value, "kind")));
  line.amount = cents_of(member(value, "cents"));
  line.due = day_of(member(value, "due"));
  if (value.HasMember("payer")) line.payer = parse_payment_party(text_of(value["payer"]));
  if (value.HasMember("payee")) line.payee = parse_payment_party(text_of(value["payee"]));
  if (value.HasMember("nights")) line.period = nights_of(value["nights"]);
  return line;
}

} // namespace

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
  for (const auto& each : plan.GetArray()) into.plan.push_back(line_of(each));
}

} // namespace roost::store
