#pragma once

#include "domain/account.hpp"
#include "domain/ai_usage.hpp"
#include "domain/unit.hpp"

#include <string>
#include <vector>

namespace roost::domain {

/// A unit in a portfolio file.
struct portfolio_unit {
  unit terms;
  unit_presentation presentation;
  std::vector<block> blocks; ///< manual and channel blocks; a nil id is replaced by a new one
  std::vector<imported_calendar> calendars;
  std::vector<link> links;
  std::vector<std::string> excluded_from; ///< platforms' names

  friend bool operator==(const portfolio_unit&, const portfolio_unit&) = default;
};

struct portfolio_property {
  property details;
  std::vector<portfolio_unit> units;

  friend bool operator==(const portfolio_property&, const portfolio_property&) = default;
};

/// A user whose password may not have been hashed yet.
struct portfolio_user {
  user details;
  std::optional<std::string> password; ///< plain text, to be hashed
  bool keeps_password = true;          ///< the file does not mention it: the stored one stays

  friend bool operator==(const portfolio_user&, const portfolio_user&) = default;
};

struct portfolio_account {
  account details;
  std::vector<portfolio_user> users;
  std::vector<portfolio_property> properties;
  std::vector<ai_usage_record> ai_usage;

  friend bool operator==(const portfolio_account&, const portfolio_account&) = default;
};

/// One portfolio file: whole landlord accounts.
struct portfolio {
  std::vector<portfolio_account> accounts;

  friend bool operator==(const portfolio&, const portfolio&) = default;
};

} // namespace roost::domain
