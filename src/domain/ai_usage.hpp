#pragma once

#include "domain/date.hpp"
#include "domain/money.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The ledger of AI model calls (Management API, AI usage).
namespace roost::domain {

/// The feature that called a model. Values may be added, but never renamed or removed.
enum class ai_feature {
  landlord_chat,
  utility_bill_extraction,
  booking_communication_summary,
  faq_generation,
  ticket_priority_analysis,
  cashflow_invoice_analysis,
};

/// Indexed by ai_feature.
inline constexpr std::array<std::string_view, 6> ai_feature_names{
    "landlord_chat",  "utility_bill_extraction",  "booking_communication_summary",
    "faq_generation", "ticket_priority_analysis", "cashflow_invoice_analysis"};

constexpr const auto& names_of(ai_feature) { return ai_feature_names; }

/// The currency of all costs in the ledger.
inline constexpr std::string_view ai_usage_currency = "USD";

/// The maximum digits of a cost or a rate before and after the decimal point.
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
  std::optional<uuid> account_id; ///< nullopt: a system-wide call, hidden from all users
  ai_feature feature = ai_feature::landlord_chat;
  std::string provider, model;
  ai_tokens tokens;
  decimal cost; ///< charged by the provider, in `currency`
  std::string currency{ai_usage_currency};
  std::string pricing_snapshot = "{}"; ///< JSON object: `currency`, and `perMTok` with the rates of this call
  std::optional<std::string> user_id, source, conversation_id, reference_id;
  std::optional<std::string> metadata; ///< an arbitrary JSON object
  timestamp created_at{};

  friend bool operator==(const ai_usage_record&, const ai_usage_record&) = default;
};

/// Selects records; nullopt members do not restrict them.
struct ai_usage_filter {
  std::optional<timestamp> from, to; ///< of `created_at`, both inclusive
  std::optional<ai_feature> feature;
};

struct ai_usage_page {
  std::vector<ai_usage_record> items; ///< newest first; at the same time, highest id first
  std::int64_t total = 0;             ///< across all pages
};

struct ai_usage_totals {
  std::int64_t calls = 0;
  ai_tokens tokens;
  decimal cost;

  ai_usage_totals& operator+=(const ai_usage_totals& more) {
    calls += more.calls;
    tokens.input += more.tokens.input;
    tokens.output += more.tokens.output;
    tokens.cache_creation += more.tokens.cache_creation;
    tokens.cache_read += more.tokens.cache_read;
    cost += more.cost;
    return *this;
  }
};

/// Rates per million tokens; nullopt: not in the pricing snapshot.
struct ai_price {
  std::optional<decimal> input, output;

  friend bool operator==(const ai_price&, const ai_price&) = default;
};

/// One feature's use of one model.
struct ai_usage_share {
  ai_feature feature = ai_feature::landlord_chat;
  std::string model;
  ai_usage_totals used;
  ai_price price; ///< from the account's newest record of this feature and model
};

/// One feature's use of one model on a UTC day.
struct ai_usage_day {
  date day{};
  ai_feature feature = ai_feature::landlord_chat;
  std::string model;
  ai_usage_totals used;
};

/// By what a summary can be grouped in addition.
enum class ai_usage_grouping { user, day };

inline constexpr std::array<std::string_view, 2> ai_usage_grouping_names{"user", "day"};
constexpr const auto& names_of(ai_usage_grouping) { return ai_usage_grouping_names; }

/// The usage by one user, or on one UTC day.
struct ai_usage_group {
  ai_usage_grouping by = ai_usage_grouping::day;
  date day{};
  std::optional<std::string> user_id; ///< nullopt: not recorded
  ai_usage_totals used;
};

struct ai_usage_summary {
  ai_usage_totals totals;
  std::vector<ai_usage_share> breakdown;       ///< by feature, then by model
  std::optional<ai_usage_grouping> grouped_by; ///< nullopt: without groups
  std::vector<ai_usage_group> groups; ///< those with records: days ascending, users by id, nullopt last
};

} // namespace roost::domain
