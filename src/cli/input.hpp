#pragma once

#include "config/settings.hpp"
#include "domain/text.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/overview.hpp"

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>

/// The input of commands: checked arguments, files and standard input.
namespace roost::cli {

/// Thrown for wrong usage of a command: exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws usage_error for a malformed id.
domain::uuid parse_id(const std::string& text);

/// Returns nullopt for an empty text.
std::optional<std::string> text_if_given(const std::string& text);

/// Parses one of these values, ignoring case. Returns nullopt for an empty text; throws usage_error for
/// others.
template <typename Value>
std::optional<Value> value_if_given(const std::string& option, const std::string& text,
                                    std::initializer_list<Value> values) {
  if (text.empty()) return std::nullopt;
  std::string known;
  for (const auto value : values) {
    const auto name = domain::lower_case(domain::to_string(value));
    if (domain::lower_case(text) == name) return value;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw usage_error(option + ": '" + text + "' is not one of " + known);
}

/// Returns the configured platform of this name; null if there is none.
const domain::platform* find_platform(const config::settings& settings, const std::string& name);

/// Throws usage_error unless a platform of this name is configured.
void require_platform(const config::settings& settings, const std::string& name);

/// Whether servers with this configuration decide the platform's requests: it is configured, and a
/// single-landlord platform's account exists.
bool is_decidable(store::session& db, const config::settings& settings, const std::string& platform);

/// Return the entity with this id; throw std::runtime_error if it does not exist.
store::account_overview require_account(store::session& db, const domain::uuid& id);
store::unit_overview require_unit(store::session& db, const domain::uuid& id);

/// Returns the id of the user with this email address; throws std::runtime_error if there is none.
domain::uuid require_user(store::session& db, const std::string& email);

/// Returns the account of a user; nullopt if the user does not exist.
std::optional<domain::uuid> account_of_user(store::session& db, const domain::uuid& id);
std::optional<domain::uuid> account_of_user(store::session& db, const std::string& email);

/// Parse an id and check that the entity exists, so that a list for an unknown id is not just empty. Return
/// nullopt for an empty text; throw usage_error for a malformed id, std::runtime_error for an unknown one.
std::optional<domain::uuid> account_if_given(store::session& db, const std::string& text);
std::optional<domain::uuid> property_if_given(store::session& db, const std::string& text);
std::optional<domain::uuid> unit_if_given(store::session& db, const std::string& text);

/// Reads a whole file or pipe. Throws usage_error if it cannot be read.
std::string read_file(const std::string& name);

/// Reads a line from standard input. On a terminal it shows `prompt` and hides the typed characters.
std::string read_hidden_line(const char* prompt);

} // namespace roost::cli
