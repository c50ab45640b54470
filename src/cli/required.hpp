#pragma once

#include "domain/uuid.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/overview.hpp"

#include <optional>
#include <string>

/// What a command names must be there: a list of what does not exist is no empty list.
namespace roost::cli {

/// Throw std::runtime_error where there is none with this id.
store::account_overview require_account(store::session& db, const domain::uuid& id);
store::unit_overview require_unit(store::session& db, const domain::uuid& id);

/// Nothing for an empty text. Throw usage_error for what is no id, std::runtime_error where there is none.
std::optional<domain::uuid> account_if_given(store::session& db, const std::string& text);
std::optional<domain::uuid> property_if_given(store::session& db, const std::string& text);
std::optional<domain::uuid> unit_if_given(store::session& db, const std::string& text);

} // namespace roost::cli
