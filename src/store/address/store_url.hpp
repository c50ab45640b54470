#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// The URL of a store is `sqlite3://PATH`, or a `postgresql://…` or `postgres://…` URL as parsed by libpq.
constexpr std::string_view sqlite_scheme = "sqlite3://";

/// Returns whether the text begins like the URL of a PostgreSQL database.
bool is_postgresql_url(std::string_view url);

/// Returns the server options that a PostgreSQL URL sets (`options=-csearch_path%3Droost`), decoded; empty if
/// there are none.
std::string postgresql_options(const std::string& url);

/// Returns why the text is not the URL of a store and how to write one; nullopt if it is valid. Never repeats
/// parts of the text, which may belong to a password.
std::optional<std::string> store_url_error(const std::string& url);

} // namespace roost::store
