#include "http/management/usage_bodies.hpp"
#include "json/object.hpp"

#include <array>
#include <charconv>

namespace roost::http {

namespace {

using domain::ai_tokens;
using domain::ai_usage_record, domain::ai_usage_share, domain::ai_usage_summary, domain::ai_usage_totals;
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
    member("accountId", &ai_usage_record::account_id, "UUID of the account that it belongs to: the user's",
           json::present),
    member("feature", &ai_usage_record::feature, "What the model was called for", refers_to{"AiFeature"}),
    member("provider", &ai_usage_record::provider, "The model's vendor"),
    member("model", &ai_usage_record::model, "The vendor's name for it"),
    included(&ai_usage_record::tokens, tokens_object),
    member("cost", &ai_usage_record::cost,
           "What the provider charges in US dollars: an exact decimal of up to 18 places", minimum{0}),
    member("currency", &ai_usage_record::currency, "The currency of the cost: US dollars", dollars),
    member(
        "pricingSnapshot", [](const ai_usage_record& of) { return json::json_text{of.pricing_snapshot}; },
        "The prices that the cost was computed with; {} when the record came without",
        refers_to{"AiPricingSnapshot"}),
    member("userId", &ai_usage_record::user_id, "Who made the call; null: not recorded"),
    member("source", &ai_usage_record::source, "Where the call came from; null: not recorded"),
    member("conversationId", &ai_usage_record::conversation_id, "The chat that it was made in; null: none"),
    member("referenceId", &ai_usage_record::reference_id,
           "What it was about, such as a utility bill; null: not recorded"),
    member(
        "metadata",
        [](const ai_usage_record& of) {
          return json::json_text{of.metadata ? std::string_view{*of.metadata} : "null"};
        },
        "Data that the feature added, of any content; null: none", json::of_type{"object"}, json::nullable),
    member("createdAt", &ai_usage_record::created_at, "When the call was recorded, in UTC"));

struct page_view {
  const usage_page_query& query;
  const domain::ai_usage_page& page;
};

/// Shortest, as JavaScript writes it: a page number may be as large as a double.
constexpr auto write_page_number = [](json::writer& json, const page_view& of) {
  const double number = of.query.page;
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
        "items", [](const page_view& of) -> const auto& { return of.page.items; }, record_object,
        "The newest first; those of the same moment by id, the greatest first"),
    member(
        "total", [](const page_view& of) { return of.page.total; }, "Records on all pages", minimum{0}),
    json::written("page", write_page_number, "The page that was requested, from 1", json::of_type{"integer"},
                  minimum{1}),
    member(
        "limit", [](const page_view& of) { return of.query.limit; }, "Most records of a page, as requested",
        minimum{1}, json::maximum{max_page_limit}));

constexpr auto totals_object = json::object<ai_usage_totals>(
    "AiUsageTotals", member("calls", &ai_usage_totals::calls, "How many records there are", minimum{0}),
    included(&ai_usage_totals::tokens, tokens_object),
    member("cost", &ai_usage_totals::cost, "What the provider charges in US dollars: an exact decimal",
           minimum{0}));

constexpr auto price_object = json::object<domain::ai_price>(
    "",
    member("input", &domain::ai_price::input,
           "US dollars for a million tokens sent to the model; null: not in the record", minimum{0}),
    member("output", &domain::ai_price::output,
           "US dollars for a million tokens that the model generates; null: not in the record", minimum{0}));

constexpr auto share_object = json::object<ai_usage_share>(
    "", member("feature", &ai_usage_share::feature, "What the model was called for", refers_to{"AiFeature"}),
    member("model", &ai_usage_share::model, "The vendor's name for it"),
    included(&ai_usage_share::used, totals_object),
    part("pricePerMTok", &ai_usage_share::price, price_object,
         "The current rates for a million tokens in US dollars: those of the newest record of this feature "
         "and "
         "model, whatever the period"));

constexpr auto summary_object = json::object<ai_usage_summary>(
    "AiUsageSummary",
    member(
        "currency", [](const ai_usage_summary&) { return domain::ai_usage_currency; },
        "The currency of all costs and rates: US dollars", dollars),
    part("totals", &ai_usage_summary::totals, totals_object, "All records of the period"),
    list("breakdown", &ai_usage_summary::breakdown, share_object, "By feature, then by model"));

struct accepted_records {
  std::size_t received, accepted;
};

constexpr auto accepted_object =
    json::object<accepted_records>(
        "AiUsageTaken", member("received", &accepted_records::received, "Records in the request", minimum{0}),
        member("accepted", &accepted_records::accepted,
               "Records that were accepted: the first ones. Send the others again later", minimum{0}))
        .example(R"({"received":1,"accepted":1})");

constexpr std::string_view pricing_snapshot_schema = R"({"type":"object",
"description":"The prices that the cost was computed with",
"properties":{"currency":{"type":"string","const":"USD","description":"The currency of the rates: US dollars"},
"perMTok":{"type":"object",
"description":"Rates in US dollars for a million tokens; a price may have others than input and output",
"properties":{"input":{"type":"number","minimum":0,
"description":"US dollars for a million tokens sent to the model"},"output":{"type":"number","minimum":0,
"description":"US dollars for a million tokens that the model generates"}},
"additionalProperties":{"type":"number","minimum":0}}},
"examples":[{"currency":"USD","perMTok":{"input":3,"output":15}}]})";

} // namespace

std::string usage_page_json(const usage_page_query& wanted, const domain::ai_usage_page& found) {
  return json::text_of(page_object, page_view{wanted, found});
}

std::string usage_summary_json(const domain::ai_usage_summary& summary) {
  return json::text_of(summary_object, summary);
}

std::string usage_taken_json(std::size_t received, std::size_t taken) {
  return json::text_of(accepted_object, accepted_records{received, taken});
}

void add_usage_schemas(json::schemas& to) {
  to.add("AiFeature", json::schema{{.type = "string",
                                    .meaning = "What a model was called for. Values are added, never renamed",
                                    .names = domain::ai_feature_names}});
  to.add("AiPricingSnapshot", pricing_snapshot_schema);
  to.add(record_object);
  to.add(page_object);
  to.add(totals_object);
  to.add(summary_object);
  to.add(accepted_object);
}

} // namespace roost::http
