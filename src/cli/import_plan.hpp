#pragma once

#include "cli/context.hpp"
#include "domain/portfolio.hpp"
#include "security/password.hpp"

#include <string>
#include <vector>

namespace roost::cli {

/// Prints the position of each new password that is one of the most common ones. Returns whether there is
/// one. A user's current password is not new.
bool print_password_problems(store::session& db, const std::vector<std::string>& names,
                             const std::vector<domain::portfolio>& files);

/// Hashes the passwords in a portfolio file. A password that is already stored keeps its hash: a new hash
/// would sign the user out.
void hash_passwords(store::session& db, domain::portfolio& file, const security::password_cost& cost);

/// Prints what the import of each of these files would do to the store. Changes nothing. Returns the exit
/// status: 1 if a file contradicts the store.
int print_plans(const arguments& args, const config::settings& settings,
                const std::vector<std::string>& names, std::vector<domain::portfolio> files);

} // namespace roost::cli
