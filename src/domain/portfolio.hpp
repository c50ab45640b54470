#pragma once

#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
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
