#include "domain/json.hpp"
#include "http/management/usage_bodies.hpp"

#include <array>
#include <charconv>

namespace roost::http {

namespace {

using domain::json_writer;

template <std::size_t Size>
void write_number(json_writer& json, const char (&name)[Size], const domain::decimal& number) {
  json.key(name);
  json.number(domain::to_string(number));
}

template <std::size_t Size>
void write_number(json_writer& json, const char (&name)[Size], const std::optional<domain::decimal>& number) {
  json.key(name);
  number ? json.number(domain::to_string(*number)) : json.null();
}

/// Shortest, as JavaScript writes it: a page number may be as large as a double.
template <std::size_t Size>
void write_number(json_writer& json, const char (&name)[Size], double number) {
  std::array<char, 32> text; // of the longest double in the general form
  const bool is_plain = number < 1e21;
  const auto end = is_plain ? std::to_chars(text.begin(), text.end(), number, std::chars_format::fixed).ptr
                            : std::to_chars(text.begin(), text.end(), number).ptr;
  json.key(name);
  json.number({text.begin(), end});
}

void write_tokens(json_writer& json, const domain::ai_tokens& tokens) {
  json.field("inputTokens", tokens.input);
  json.field("outputTokens", tokens.output);
  json.field("cacheCreationInputTokens", tokens.cache_creation);
  json.field("cacheReadInputTokens", tokens.cache_read);
  json.field("totalTokens", tokens.total());
}

void write_record(json_writer& json, const domain::ai_usage_record& record) {
  json.begin_object();
  json.field("id", domain::to_string(record.id));
  json.field("accountId",
             record.account_id ? std::optional{domain::to_string(*record.account_id)} : std::nullopt);
  json.field("feature", domain::to_string(record.feature));
  json.field("provider", record.provider);
  json.field("model", record.model);
  write_tokens(json, record.tokens);
  write_number(json, "cost", record.cost);
  json.field("currency", record.currency);
  json.key("pricingSnapshot");
  json.raw(record.pricing_snapshot);
  json.field("userId", record.user_id);
  json.field("source", record.source);
  json.field("conversationId", record.conversation_id);
  json.field("referenceId", record.reference_id);
  json.key("metadata");
  json.raw(record.metadata ? *record.metadata : "null");
  json.field("createdAt", record.created_at);
  json.end_object();
}

void write_totals(json_writer& json, const domain::ai_usage_totals& used) {
  json.field("calls", used.calls);
  write_tokens(json, used.tokens);
  write_number(json, "cost", used.cost);
}

void write_share(json_writer& json, const domain::ai_usage_share& share) {
  json.begin_object();
  json.field("feature", domain::to_string(share.feature));
  json.field("model", share.model);
  write_totals(json, share.used);
  json.key("pricePerMTok");
  json.begin_object();
  write_number(json, "input", share.price.input);
  write_number(json, "output", share.price.output);
  json.end_object();
  json.end_object();
}

} // namespace

std::string usage_page_json(const usage_page_query& wanted, const domain::ai_usage_page& found) {
  json_writer json;
  json.begin_object();
  json.key("items");
  json.begin_array();
  for (const auto& record : found.items) write_record(json, record);
  json.end_array();
  json.field("total", found.total);
  write_number(json, "page", wanted.page);
  json.field("limit", wanted.limit);
  json.end_object();
  return std::string{json.text()};
}

std::string usage_summary_json(const domain::ai_usage_summary& summary) {
  json_writer json;
  json.begin_object();
  json.field("currency", domain::ai_usage_currency);
  json.key("totals");
  json.begin_object();
  write_totals(json, summary.totals);
  json.end_object();
  json.key("breakdown");
  json.begin_array();
  for (const auto& share : summary.breakdown) write_share(json, share);
  json.end_array();
  json.end_object();
  return std::string{json.text()};
}

std::string usage_taken_json(std::size_t received, std::size_t taken) {
  json_writer json;
  json.begin_object();
  json.field("received", received);
  json.field("accepted", taken);
  json.end_object();
  return std::string{json.text()};
}

} // namespace roost::http
