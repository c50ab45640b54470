#include "http/management/usage_bodies.hpp"

#include "domain/date.hpp"
#include "http/json/body_errors.hpp"
#include "http/protocol/text_encoding.hpp"
#include "json/object.hpp"
#include "portfolio/parse.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

namespace {

/// Names that a class cannot take from outside: they are passed over, as they are in JavaScript.
bool is_passed_over(std::string_view name) { return name == "__proto__" || name == "constructor"; }

/// The fields of a query, and all that is wrong with them.
class query_reader {
public:
  query_reader(std::string_view query, std::initializer_list<std::string_view> known)
      : fields_(read_query(query)) {
    for (const auto& field : fields_)
      if (!is_passed_over(field.name) && std::ranges::find(known, field.name) == known.end())
        messages_.refuse("property " + field.name + " should not exist");
  }

  std::optional<domain::timestamp> moment(std::string_view name) {
    const auto* values = find(name);
    if (!values) return std::nullopt;
    const auto read = values->size() == 1 ? domain::parse_iso_moment(values->front()) : std::nullopt;
    if (!read) messages_.refuse(std::string(name) + " must be a valid ISO 8601 date string");
    return read;
  }

  std::optional<domain::ai_feature> feature(std::string_view name) {
    const auto* values = find(name);
    if (!values) return std::nullopt;
    const auto read =
        values->size() == 1 ? domain::parse_name<domain::ai_feature>(values->front()) : std::nullopt;
    if (!read)
      messages_.refuse(std::string(name) + " must be one of the following values: " + feature_list());
    return read;
  }

  /// A whole number of 1 or more, and at most `greatest` where that is given.
  double count(std::string_view name, std::optional<int> greatest, double otherwise) {
    const auto* values = find(name);
    if (!values) return otherwise;
    const double number = values->size() == 1 ? js_number(values->front()) : std::nan("");
    const auto expect = [&](bool holds, const std::string& rule) {
      if (!holds) messages_.refuse(std::string(name) + rule);
    };
    if (greatest) expect(number <= *greatest, " must not be greater than " + std::to_string(*greatest));
    expect(number >= 1, " must not be less than 1");
    expect(std::isfinite(number) && number == std::trunc(number), " must be an integer number");
    return number;
  }

  void throw_if_refused() const { messages_.throw_if_any(); }

private:
  const std::vector<std::string>* find(std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &query_field::name);
    return found == fields_.end() ? nullptr : &found->values;
  }

  static std::string feature_list() {
    std::string list;
    for (const auto name : domain::ai_feature_names) list.append(list.empty() ? "" : ", ").append(name);
    return list;
  }

  std::vector<query_field> fields_;
  message_list messages_;
};

domain::ai_usage_filter read_filter(query_reader& query) {
  domain::ai_usage_filter filter;
  filter.from = query.moment("from");
  filter.to = query.moment("to");
  filter.feature = query.feature("feature");
  return filter;
}

} // namespace

usage_page_query parse_usage_page_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature", "page", "limit"}};
  usage_page_query wanted;
  wanted.filter = read_filter(query);
  wanted.page = query.count("page", std::nullopt, wanted.page);
  const double limit = query.count("limit", max_page_limit, wanted.limit);
  query.throw_if_refused();
  wanted.limit = static_cast<int>(limit);
  return wanted;
}

domain::ai_usage_filter parse_usage_summary_query(std::string_view text) {
  query_reader query{text, {"from", "to", "feature"}};
  const auto filter = read_filter(query);
  query.throw_if_refused();
  return filter;
}

void add_usage_query_schemas(json::schemas& to) {
  const json::facts moment{.type = "string",
                           .meaning =
                               "ISO 8601. Without an offset it is UTC, and a date alone is its midnight",
                           .examples = R"(["2026-11-01T00:00:00.000Z"])"};
  to.add("DateTime", json::schema{moment});
  to.add("PageNumber", json::schema{{.type = "integer", .minimum = 1, .initial = "1"}});
  to.add("PageLimit",
         json::schema{{.type = "integer", .minimum = 1, .maximum = max_page_limit, .initial = "50"}});
}

namespace {

constexpr std::size_t max_records = 1000;

std::string fault_of(const portfolio::json_error& error) {
  return error.text + ", at line " + std::to_string(error.line) + ", column " + std::to_string(error.column);
}

void replace_all(std::string& in, std::string_view what, std::string_view with) {
  for (auto at = in.find(what); at != std::string::npos; at = in.find(what, at + with.size()))
    in.replace(at, what.size(), with);
}

/// A JSON pointer (RFC 6901) as the path of other messages: `/3/cost` is `3.cost`.
std::string path_of(std::string pointer) {
  replace_all(pointer, "/", ".");
  replace_all(pointer, "~1", "/");
  replace_all(pointer, "~0", "~");
  return pointer.empty() ? "The body" : pointer.substr(1);
}

using domain::ai_usage_record;
using json::member, json::minimum, json::optional;

/// How long a text may be, and how many tokens a record may have.
struct at_most {
  std::int64_t characters;
  constexpr void apply(json::facts& to) const {
    to.min_length = 1;
    to.max_length = characters;
  }
};

template <std::size_t Size>
constexpr auto token_count(const char (&name)[Size], std::int64_t domain::ai_tokens::*counter,
                           std::string_view meaning) {
  constexpr std::int64_t most = 1'000'000'000'000;
  return member(
      name, [counter](const ai_usage_record& of) { return of.tokens.*counter; }, meaning, optional,
      minimum{0}, json::maximum{most}, json::initially{"0"});
}

/// Reading is portfolio::parse_usage_records()'s, whose records stand in portfolio files, too.
constexpr auto entry =
    json::object<ai_usage_record>(
        "AiUsageEntry",
        member("id", &ai_usage_record::id, "A UUID that you generate; a record with a known ID is skipped"),
        member("accountId", &ai_usage_record::account_id,
               "UUID of the account that it belongs to; null: a system-wide call"),
        member("feature", &ai_usage_record::feature, "What the model was called for",
               json::refers_to{"AiFeature"}),
        member("provider", &ai_usage_record::provider, "The model's vendor", at_most{256}),
        member("model", &ai_usage_record::model, "The vendor's name for it", at_most{256}),
        token_count("inputTokens", &domain::ai_tokens::input,
                    "Tokens sent to the model, without those of the prompt cache"),
        token_count("outputTokens", &domain::ai_tokens::output, "Tokens that the model generated"),
        token_count("cacheCreationInputTokens", &domain::ai_tokens::cache_creation,
                    "Tokens written to the prompt cache"),
        token_count("cacheReadInputTokens", &domain::ai_tokens::cache_read,
                    "Tokens read from the prompt cache"),
        member(
            "totalTokens", [](const ai_usage_record& of) { return of.tokens.total(); },
            "The sum of the four, if it is given", optional, minimum{0}),
        member("cost", &ai_usage_record::cost,
               "What the provider charges in US dollars: at most 18 decimals, kept exactly", optional,
               minimum{0}, json::initially{"0"}),
        member("currency", &ai_usage_record::currency, "The currency of the cost: US dollars", optional,
               json::constant{R"("USD")"}, json::initially{R"("USD")"}),
        member("pricingSnapshot", &ai_usage_record::pricing_snapshot,
               "The prices that the cost was computed with", optional, json::refers_to{"AiPricingSnapshot"}),
        member("userId", &ai_usage_record::user_id, "Who made the call", optional),
        member("source", &ai_usage_record::source, "Where the call came from", optional),
        member("conversationId", &ai_usage_record::conversation_id, "The chat that it was made in", optional),
        member("referenceId", &ai_usage_record::reference_id, "What it was about, such as a utility bill",
               optional),
        member("metadata", &ai_usage_record::metadata, "Any data that the feature adds", optional,
               json::of_type{"object"}),
        member("createdAt", &ai_usage_record::created_at,
               "When the call was recorded, in UTC. Default: the time of the request", optional))
        .closed();

constexpr std::string_view submission_schema = R"({"oneOf":[{"$ref":"#/components/schemas/AiUsageEntry"},
{"type":"array","maxItems":1000,"items":{"$ref":"#/components/schemas/AiUsageEntry"}}],
"examples":[{"id":"5c0d7f52-43a9-4a0e-9a0b-51a1f6b6d001","accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
"feature":"landlord_chat","provider":"larkspur","model":"larkspur-medium-2","inputTokens":1840,"outputTokens":512,
"cacheCreationInputTokens":2100,"cost":0.021075,
"pricingSnapshot":{"currency":"USD","perMTok":{"input":3,"output":15}},
"conversationId":"2d6d2b4a-2b85-4b82-bb3d-e5228e8de943"}]})";

} // namespace

void add_usage_submission_schemas(json::schemas& to) {
  to.add(entry);
  to.add("AiUsageSubmission", submission_schema);
}

std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account) {
  auto read = portfolio::parse_usage_records(body, max_records, now);
  if (read.broken) throw malformed_json(fault_of(*read.broken));
  message_list messages;
  for (auto& problem : read.problems)
    messages.refuse(path_of(std::move(problem.pointer)) + ' ' + problem.text);
  messages.throw_if_any();
  const bool is_array = body[body.find_first_not_of(" \t\r\n")] == '[';
  for (std::size_t i = 0; i < read.records.size(); ++i)
    if (const auto& account = read.records[i].account_id; account && !has_account(*account))
      messages.refuse((is_array ? std::to_string(i) + '.' : "") + "accountId is not the id of an account");
  messages.throw_if_any();
  return std::move(read.records);
}

} // namespace roost::http
