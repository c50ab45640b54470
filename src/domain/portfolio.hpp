#pragma once

#include "domain/account.hpp"
#include "domain/unit.hpp"

#include <string>
#include <vector>

namespace roost::domain {

/// A unit as a portfolio file brings it.
struct portfolio_unit {
  unit terms;
  unit_presentation presentation;
  std::vector<block> blocks; ///< manual and channel ones; a nil id asks for a new one
  std::vector<link> links;
  std::vector<std::string> excluded_from; ///< platforms' names
};

struct portfolio_property {
  property details;
  std::vector<portfolio_unit> units;
};

/// A user whose password has not been hashed yet.
struct portfolio_user {
  user details;
  std::optional<std::string> password;
};

/// One row of the AI usage ledger.
struct ai_usage_record {
  uuid id{};
  std::string feature, provider, model;
  std::int64_t input_tokens = 0, output_tokens = 0, cache_creation_input_tokens = 0,
               cache_read_input_tokens = 0;
  std::string cost = "0"; ///< a decimal number's text: costs are far below a cent
  std::string currency = "USD";
  std::string pricing_snapshot = "{}"; ///< JSON object
  std::optional<std::string> user_id, source, conversation_id, reference_id,
      metadata; ///< metadata: JSON object
  timestamp created_at{};
};

struct portfolio_account {
  account details;
  std::vector<portfolio_user> users;
  std::vector<portfolio_property> properties;
  std::vector<ai_usage_record> ai_usage;
};

/// One portfolio file: whole landlord accounts.
struct portfolio {
  std::vector<portfolio_account> accounts;
};

} // namespace roost::domain
