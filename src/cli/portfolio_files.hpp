#pragma once

#include "config/settings.hpp"
#include "domain/portfolio.hpp"
#include "portfolio/context.hpp"
#include "security/password.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <string>

/// Portfolio files on their way into the store.
namespace roost::cli {

portfolio::context portfolio_context_of(const config::settings& settings);

/// Nothing when the file has problems, which were printed.
std::optional<domain::portfolio> parse_file(const std::string& name, portfolio::context with);

/// A password that the store has already keeps its hash: a new one would sign the user out.
void hash_passwords(store::session& db, domain::portfolio& in, const security::password_cost& cost);

} // namespace roost::cli
