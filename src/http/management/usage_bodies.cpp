#include "http/management/usage_bodies.hpp"

#include "domain/date.hpp"
#include "http/json/query_reader.hpp"
#include "http/management/management_api.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/object.hpp"
#include "portfolio/parse.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace roost::http {

namespace {

std::string feature_list() {
  std::string list;
  for (const auto name : domain::ai_feature_names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

domain::ai_usage_filter read_filter(query_reader& query) {
  constexpr std::string_view moment_rule = " must be a valid ISO 8601 date string";
  return {.from = query.value("from", domain::parse_iso_moment, moment_rule),
          .to = query.value("to", domain::parse_iso_moment, moment_rule),
          .feature = query.value("feature", domain::parse_name<domain::ai_feature>,
                                 " must be one of the following values: " + feature_list())};
}

constexpr std::int64_t max_records = 1000;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Converts a JSON pointer (RFC 6901) to the paths of other messages: `/3/cost` becomes `3.cost`.
std::string dotted_path(std::string pointer) {
  replace_all(pointer, "/", ".");
  replace_all(pointer, "~1", "/");
  replace_all(pointer, "~0", "~");
  return pointer.empty() ? "The body" : pointer.substr(1);
}

constexpr std::string_view submission_example =
    R"({"id":"5c0d7f52-43a9-4a0e-9a0b-51a1f6b6d001","accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
"feature":"landlord_chat","provider":"larkspur","model":"larkspur-medium-2","inputTokens":1840,"outputTokens":512,
"cacheCreationInputTokens":2100,"cost":0.021075,
"pricingSnapshot":{"currency":"USD","perMTok":{"input":3,"output":15}},
"conversationId":"2d6d2b4a-2b85-4b82-bb3d-e5228e8de943"})";

using domain::ai_tokens;
using domain::ai_usage_group, domain::ai_usage_grouping, domain::ai_usage_record, domain::ai_usage_share,
    domain::ai_usage_summary, domain::ai_usage_totals;
using json::included, json::list, json::member, json::minimum, json::part, json::refers_to;

constexpr json::constant dollars{R"("USD")"};

constexpr auto tokens_object = json::object<ai_tokens>(
    "",
    member("inputTokens", &ai_tokens::input, "Tokens sent to the model, without those of the prompt cache",
           minimum{0}),
    member("outputTokens", &ai_tokens::output, "Tokens that the model generated", minimum{0}),
    member("cacheCreationInputTokens", &ai_tokens::cache_creation, "Tokens written to the prompt cache",
           minimum{0}),
    member("cacheReadInputTokens", &ai_tokens::cache_read, "Tokens read from the prompt cache", minimum{0}),
    member("totalTokens", &ai_tokens::total, "The sum of the four", minimum{0}));

constexpr auto record_object = json::object<ai_usage_record>(
    "AiUsageRecord", member("id", &ai_usage_record::id, "The record's UUID"),
    member("accountId", &ai_usage_record::account_id, "UUID of the record's account: the user's",
           json::present),
    member("feature", &ai_usage_record::feature, "The purpose of the call", refers_to{"AiFeature"}),
    member("provider", &ai_usage_record::provider, "The model's vendor"),
    member("model", &ai_usage_record::model, "The vendor's name of the model"),
    included(&ai_usage_record::tokens, tokens_object),
    member("cost", &ai_usage_record::cost,
           "The provider's price in US dollars: an exact decimal with up to 18 places", minimum{0}),
    member("currency", &ai_usage_record::currency, "The currency of the cost: US dollars", dollars),
    member(
        "pricingSnapshot",
        [](const ai_usage_record& record) { return json::json_text{record.pricing_snapshot}; },
        "The prices that the cost was computed with; {} if the record has none",
        refers_to{"AiPricingSnapshot"}),
    member("userId", &ai_usage_record::user_id, "The user who made the call; null: not recorded"),
    member("source", &ai_usage_record::source, "Where the call came from; null: not recorded"),
    member("conversationId", &ai_usage_record::conversation_id, "The chat of the call; null: none"),
    member("referenceId", &ai_usage_record::reference_id,
           "The subject of the call, such as a utility bill; null: not recorded"),
    member(
        "metadata",
        [](const ai_usage_record& record) {
          return json::json_text{record.metadata ? std::string_view{*record.metadata} : "null"};
        },
        "Data that the feature added, with any content; null: none", json::of_type{"object"}, json::nullable),
    member("createdAt", &ai_usage_record::created_at, "When the call was recorded, in UTC"));

struct page_view {
  const usage_page_query& query;
  const domain::ai_usage_page& page;
};

/// Writes the page number as JavaScript does, because it may be as large as a double.
constexpr auto write_page_number = [](json::writer& json, const page_view& view) {
  const double number = view.query.page;
  std::array<char, 32> text; // of the longest double in the general form
  const bool has_exponent = number >= 1e21;
  const auto end = has_exponent
                       ? std::to_chars(text.begin(), text.end(), number).ptr
                       : std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed).ptr;
  json.number({text.begin(), end});
};

constexpr auto page_object = json::object<page_view>(
    "AiUsagePage",
    list(
        "items", [](const page_view& view) -> const auto& { return view.page.items; }, record_object,
        "Newest first; those of the same moment by id, the greatest first"),
    member(
        "total", [](const page_view& view) { return view.page.total; }, "Records on all pages", minimum{0}),
    json::written("page", write_page_number, "The page that was requested, from 1", json::of_type{"integer"},
                  minimum{1}),
    member(
        "limit", [](const page_view& view) { return view.query.limit; },
        "The maximum number of records per page, as requested", minimum{1}, json::maximum{max_page_limit}));

constexpr auto totals_object = json::object<ai_usage_totals>(
    "AiUsageTotals", member("calls", &ai_usage_totals::calls, "The number of records", minimum{0}),
    included(&ai_usage_totals::tokens, tokens_object),
    member("cost", &ai_usage_totals::cost, "The provider's price in US dollars: an exact decimal",
           minimum{0}));

constexpr auto price_object = json::object<domain::ai_price>(
    "",
    member("input", &domain::ai_price::input,
           "US dollars per million tokens sent to the model; null: not in the record", minimum{0}),
    member("output", &domain::ai_price::output,
           "US dollars per million tokens that the model generates; null: not in the record", minimum{0}));

constexpr auto share_object = json::object<ai_usage_share>(
    "", member("feature", &ai_usage_share::feature, "The purpose of the call", refers_to{"AiFeature"}),
    member("model", &ai_usage_share::model, "The vendor's name of the model"),
    included(&ai_usage_share::used, totals_object),
    part("pricePerMTok", &ai_usage_share::price, price_object,
         "The current rates in US dollars per million tokens: those of the newest record of this feature and "
         "model in any period"));

constexpr json::only_where by_day{
    [](const ai_usage_group& group) { return group.by == ai_usage_grouping::day; }};
constexpr json::only_where by_user{
    [](const ai_usage_group& group) { return group.by == ai_usage_grouping::user; }};
constexpr json::only_where is_grouped{
    [](const ai_usage_summary& summary) { return summary.grouped_by.has_value(); }};

constexpr auto group_object = json::object<ai_usage_group>(
    "", member("day", &ai_usage_group::day, "With `groupBy=day`: the day, in UTC", by_day),
    member("userId", &ai_usage_group::user_id,
           "With `groupBy=user`: the user who made the calls; null: not recorded", by_user),
    included(&ai_usage_group::used, totals_object));

constexpr auto summary_object = json::object<ai_usage_summary>(
    "AiUsageSummary",
    member(
        "currency", [](const ai_usage_summary&) { return domain::ai_usage_currency; },
        "The currency of all costs and rates: US dollars", dollars),
    part("totals", &ai_usage_summary::totals, totals_object, "All records of the period"),
    list("breakdown", &ai_usage_summary::breakdown, share_object, "By feature, then by model"),
    list("groups", &ai_usage_summary::groups, group_object,
         "Only with `groupBy`: the days, or the users, with records", is_grouped));

struct accepted_records {
  std::size_t received, accepted;
};

constexpr auto accepted_object =
    json::object<accepted_records>(
        "AiUsageTaken", member("received", &accepted_records::received, "Records in the request", minimum{0}),
        member("accepted", &accepted_records::accepted,
               "Records that were accepted: the first ones. Send the others again later", minimum{0}))
        .example(R"({"received":1,"accepted":1})");

/// Returns the schema of a pricing snapshot, which is stored as it was sent.
json::schema pricing_snapshot_schema() {
  const auto rate = [](std::string_view name, std::string_view meaning) {
    return json::schema{{.type = "number", .meaning = meaning, .required = false, .minimum = 0}, name};
  };
  const json::schema currency{{.type = "string",
                               .meaning = "The currency of the rates: US dollars",
                               .required = false,
                               .constant = dollars.value},
                              "currency"};
  const json::schema rates{
      .schema_facts = {.type = "object",
                       .meaning = "Rates in US dollars per million tokens; there may be others",
                       .required = false,
                       .other_members = R"({"type":"number","minimum":0})"},
      .member = "perMTok",
      .members = {rate("input", "US dollars per million tokens sent to the model"),
                  rate("output", "US dollars per million tokens that it generates")}};
  return {.schema_facts = {.type = "object", .meaning = "The prices that the cost was computed with"},
          .members = {currency, rates},
          .examples = {R"({"currency":"USD","perMTok":{"input":3,"output":15}})"}};
}

} // namespace

usage_page_query parse_usage_page_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature", "page", "limit"}};
  usage_page_query request;
  request.filter = read_filter(query);
  request.page = query.count("page", std::nullopt, request.page);
  const double limit = query.count("limit", max_page_limit, request.limit);
  query.throw_if_refused();
  request.limit = static_cast<int>(limit);
  return request;
}

usage_summary_query parse_usage_summary_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature", "groupBy"}};
  usage_summary_query request;
  request.filter = read_filter(query);
  request.group_by = query.value("groupBy", domain::parse_name<domain::ai_usage_grouping>,
                                 " must be one of the following values: user, day");
  query.throw_if_refused();
  return request;
}

std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account) {
  auto read = portfolio::parse_usage_records(body, max_records, now);
  if (read.broken) throw malformed_json(to_string(*read.broken));
  message_list messages;
  for (auto& problem : read.problems)
    messages.refuse(dotted_path(std::move(problem.pointer)) + ' ' + problem.text);
  messages.throw_if_any();
  const bool is_array = body[body.find_first_not_of(" \t\r\n")] == '[';
  for (std::size_t i = 0; i < read.records.size(); ++i)
    if (const auto& account = read.records[i].account_id; account && !has_account(*account))
      messages.refuse((is_array ? std::to_string(i) + '.' : "") + "accountId is not the id of an account");
  messages.throw_if_any();
  return std::move(read.records);
}

std::string usage_page_json(const usage_page_query& query, const domain::ai_usage_page& page) {
  return json::text_of(page_object, page_view{query, page});
}

std::string usage_summary_json(const domain::ai_usage_summary& summary) {
  return json::text_of(summary_object, summary);
}

std::string usage_accepted_json(std::size_t received, std::size_t accepted) {
  return json::text_of(accepted_object, accepted_records{received, accepted});
}

void add_usage_route_schemas(json::schemas& to) {
  const json::facts moment{.type = "string",
                           .meaning =
                               "ISO 8601. Without an offset, it is in UTC; a date alone means midnight",
                           .examples = R"(["2026-11-01T00:00:00.000Z"])"};
  to.add("DateTime", json::schema{moment});
  to.add("PageNumber", json::schema{{.type = "integer", .minimum = 1, .initial = "1"}});
  to.add("PageLimit",
         json::schema{{.type = "integer", .minimum = 1, .maximum = max_page_limit, .initial = "50"}});

  to.add("AiUsageEntry", portfolio::new_usage_record_schema());
  const json::schema record{{.reference = "AiUsageEntry"}};
  auto records = json::array_of(record);
  records.schema_facts.max_items = max_records;
  to.add(
      "AiUsageSubmission",
      json::schema{.schema_facts = {}, .alternatives = {record, records}, .examples = {submission_example}});

  to.add("AiFeature", json::schema{{.type = "string",
                                    .meaning = "The purpose of a call. Values are added, never renamed",
                                    .names = domain::ai_feature_names}});
  to.add("AiUsageGrouping", json::schema{{.type = "string",
                                          .meaning = "By what the summary is grouped in addition",
                                          .names = domain::ai_usage_grouping_names}});
  to.add("AiPricingSnapshot", pricing_snapshot_schema());
  to.add(record_object);
  to.add(page_object);
  to.add(totals_object);
  to.add(summary_object);
  to.add(accepted_object);
}

} // namespace roost::http
