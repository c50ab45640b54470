#pragma once

#include "domain/date.hpp"
#include "domain/decimal.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The ledger of AI model calls (Management API, AI usage).
namespace roost::domain {

/// What a model was called for. Values are added, never renamed or removed.
enum class ai_feature {
  landlord_chat,
  utility_bill_extraction,
  booking_communication_summary,
  faq_generation,
  ticket_priority_analysis,
  cashflow_invoice_analysis,
};

/// By their values.
inline constexpr std::array<std::string_view, 6> ai_feature_names{
    "landlord_chat",  "utility_bill_extraction",  "booking_communication_summary",
    "faq_generation", "ticket_priority_analysis", "cashflow_invoice_analysis"};

constexpr const auto& names_of(ai_feature) { return ai_feature_names; }
std::string_view to_string(ai_feature feature);
std::optional<ai_feature> parse_ai_feature(std::string_view name);

/// The ledger is kept in one currency.
inline constexpr std::string_view ai_usage_currency = "USD";

/// How many digits a cost or a rate may have before and after the point.
inline constexpr long max_cost_digits = 15, max_cost_decimals = 18;

struct ai_tokens {
  std::int64_t input = 0, output = 0; ///< not cached
  std::int64_t cache_creation = 0, cache_read = 0;

  std::int64_t total() const { return input + output + cache_creation + cache_read; }
  friend bool operator==(const ai_tokens&, const ai_tokens&) = default;
};

/// One call of a model. A record never changes.
struct ai_usage_record {
  uuid id{};
  std::optional<uuid> account_id; ///< none: a system-wide call, which no user ever sees
  ai_feature feature = ai_feature::landlord_chat;
  std::string provider, model;
  ai_tokens tokens;
  decimal cost; ///< what the provider takes, in `currency`
  std::string currency{ai_usage_currency};
  std::string pricing_snapshot = "{}"; ///< JSON object: `currency`, and `perMTok` with the rates of this call
  std::optional<std::string> user_id, source, conversation_id, reference_id;
  std::optional<std::string> metadata; ///< JSON object of any content
  timestamp created_at{};

  friend bool operator==(const ai_usage_record&, const ai_usage_record&) = default;
};

/// Which records are meant; what is not given does not restrict them.
struct ai_usage_filter {
  std::optional<timestamp> from, to; ///< of `created_at`, both inclusive
  std::optional<ai_feature> feature;
};

struct ai_usage_page {
  std::vector<ai_usage_record> items; ///< the newest first; those of one moment by id, the greatest first
  std::int64_t total = 0;             ///< on all pages
};

struct ai_usage_totals {
  std::int64_t calls = 0;
  ai_tokens tokens;
  decimal cost;

  ai_usage_totals& operator+=(const ai_usage_totals& more);
};

/// Rates for a million tokens; none: the pricing snapshot does not say.
struct ai_price {
  std::optional<decimal> input, output;

  friend bool operator==(const ai_price&, const ai_price&) = default;
};

/// What a pricing snapshot says of the rates.
ai_price price_of(std::string_view pricing_snapshot);

/// What one feature used of one model.
struct ai_usage_share {
  ai_feature feature = ai_feature::landlord_chat;
  std::string model;
  ai_usage_totals used;
  ai_price price; ///< the current one: that of the account's newest record of this feature and model
};

/// What one feature used of one model on a UTC day.
struct ai_usage_day {
  date day{};
  ai_feature feature = ai_feature::landlord_chat;
  std::string model;
  ai_usage_totals used;
};

struct ai_usage_summary {
  ai_usage_totals totals;
  std::vector<ai_usage_share> breakdown; ///< by feature, then by model
};

} // namespace roost::domain
