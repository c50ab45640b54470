#pragma once

#include "domain/ai_usage.hpp"
#include "store/support/sample_booking.hpp"

#include <string>
#include <string_view>

/// Sample records of the AI usage ledger.
namespace roost::testing {

inline domain::decimal number(std::string_view text) { return domain::parse_decimal(text).value(); }

/// Returns a record of the first account.
inline domain::ai_usage_record sample_usage(unsigned long n, const char* created_at,
                                            const char* cost = "0.021075") {
  domain::ai_usage_record record;
  record.id = numbered_id(40, n);
  record.account_id = account_id(1);
  record.provider = "vendor";
  record.model = "model-1";
  record.tokens = {1, 20, 300, 4000};
  record.cost = number(cost);
  record.pricing_snapshot = R"({"currency":"USD","perMTok":{"input":3,"output":15}})";
  record.created_at = moment(created_at);
  return record;
}

} // namespace roost::testing
