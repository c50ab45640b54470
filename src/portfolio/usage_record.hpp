#pragma once

#include "domain/ai_usage.hpp"
#include "portfolio/description.hpp"

/// The descriptions of a record of the AI usage ledger: in an account, and alone (docs/portfolio.md).
namespace roost::portfolio::objects {

using domain::ai_tokens, domain::ai_usage_record;

inline constexpr std::int64_t max_usage_count = 1'000'000'000'000;

inline bool read_ledger_currency(reader& in, std::string& to) {
  if (!in.is(json_type::text) || in.node().text != domain::ai_usage_currency)
    return in.refuse("must be " + std::string{domain::ai_usage_currency});
  to = in.node().text;
  return true;
}

/// An object of any content, but rates are numbers.
inline bool read_pricing(reader& in, std::string& to) {
  if (!read_json_object(in, to)) return false;
  return in.members([&](std::string_view name) {
    std::string currency;
    domain::decimal rate;
    if (name == "currency") return read_ledger_currency(in, currency);
    return name != "perMTok" || in.members([&](std::string_view) { return read_cost(in, rate); });
  });
}

inline bool finish_usage(reading<ai_usage_record>& at) {
  const auto* stated = at.in.find("totalTokens", json_type::number);
  if (!stated) return true;
  const auto sum = at.to.tokens.total();
  return scaled(domain::parse_decimal(stated->text).value(), 0) == sum ||
         at.in.refuse_member("totalTokens", "must be the sum of the four counters, " + std::to_string(sum));
}

template <auto Member>
inline constexpr auto tokens = via(&ai_usage_record::tokens, Member);

/// A record in an account is of that account.
inline void begin_usage(reading<ai_usage_record>& at) {
  if (const auto& account = at.in.file().account; !account.is_nil()) at.to.account_id = account;
}

/// `id`, `account` and `created_at` are the members that differ between the places of a record.
template <typename Id, typename Account, typename CreatedAt>
constexpr auto usage_record(Id id, Account account, CreatedAt created_at) {
  using record_type = ai_usage_record;
  constexpr kind::whole count{0, max_usage_count};
  constexpr json::initially zero{"0"};
  return record<record_type>(
      {.begin = begin_usage, .finish = finish_usage}, id, account,
      field("feature", kind::choice{domain::ai_feature_names}, &record_type::feature,
            "The purpose of the call", json::refers_to{"AiFeature"}),
      field("provider", kind::name, &record_type::provider, "The model's vendor"),
      field("model", kind::name, &record_type::model, "The vendor's name of the model"),
      field("inputTokens", count, tokens<&ai_tokens::input>,
            "Tokens sent to the model, without those of the prompt cache", optional, zero),
      field("outputTokens", count, tokens<&ai_tokens::output>, "Tokens that the model generated", optional,
            zero),
      field("cacheCreationInputTokens", count, tokens<&ai_tokens::cache_creation>,
            "Tokens written to the prompt cache", optional, zero),
      field("cacheReadInputTokens", count, tokens<&ai_tokens::cache_read>,
            "Tokens read from the prompt cache", optional, zero),
      field("totalTokens", count, not_kept<std::int64_t>{}, "The sum of the four counters", optional,
            not_written),
      field("cost", kind::cost, &record_type::cost,
            "The provider's price in US dollars: at most 18 decimals, kept exactly", optional, zero),
      field("currency", kind::simple<std::string>{read_ledger_currency, {.type = "string"}},
            &record_type::currency, "The currency of the cost: US dollars", optional,
            json::constant{R"("USD")"}, json::initially{R"("USD")"}),
      field("pricingSnapshot", kind::json_object{read_pricing}, &record_type::pricing_snapshot,
            "The prices of the model at the time of the call", optional,
            json::refers_to{"AiPricingSnapshot"}),
      field("metadata", kind::json_object{}, &record_type::metadata, "An object of any content", optional),
      field("userId", kind::name, &record_type::user_id, "The user who made the call", optional),
      field("source", kind::name, &record_type::source, "Where the call came from", optional),
      field("conversationId", kind::name, &record_type::conversation_id, "The chat of the call", optional),
      field("referenceId", kind::name, &record_type::reference_id,
            "The subject of the call, such as a utility bill", optional),
      created_at);
}

/// A record that was read over the API names its account.
inline constexpr checked_by is_own_account{[](reading<ai_usage_record>& at, const domain::uuid& id) {
  const auto& account = at.in.file().account; // nil: its id is a problem already
  return account.is_nil() || id == account || at.in.refuse("must be the ID of the enclosing account");
}};

/// A record in an account.
inline constexpr auto usage_object =
    usage_record(field("id", kind::id, &ai_usage_record::id, "", unique_in<&uniqueness::usage_records>),
                 field("accountId", kind::id, not_kept<domain::uuid>{}, "The account of the record", optional,
                       not_written, is_own_account),
                 field("createdAt", kind::moment, &ai_usage_record::created_at, ""));

inline constexpr auto standalone_id =
    field("id", kind::id, &ai_usage_record::id,
          "A UUID that the sender generates; a record with a known ID is skipped");
inline constexpr auto standalone_account = field("accountId", kind::id, &ai_usage_record::account_id,
                                                 "The account of the record; null: a system-wide call");

/// A record that stands alone and names its account.
inline constexpr auto standalone_usage_object = usage_record(
    standalone_id, standalone_account, field("createdAt", kind::moment, &ai_usage_record::created_at, ""));

/// A record that stands alone and was created at the time of reading unless it says otherwise.
inline constexpr auto new_usage_object =
    usage_record(standalone_id, standalone_account,
                 field("createdAt", kind::moment, &ai_usage_record::created_at,
                       "The time of the call in UTC. Default: the time of the request", optional));

} // namespace roost::portfolio::objects
