#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roost::store {

/// A store is `sqlite3://PATH` or `postgresql://…`, the latter as the client library reads it.
constexpr std::string_view sqlite_scheme = "sqlite3://", postgresql_scheme = "postgresql://";

/// Why a text cannot be a store's URL, and how to write it; nothing where it can. It repeats nothing of the
/// text, of which any part may belong to a password.
std::optional<std::string> store_url_error(const std::string& url);

} // namespace roost::store
