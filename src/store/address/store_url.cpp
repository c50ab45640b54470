#include "store/address/store_url.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <libpq-fe.h>
#include <memory>

namespace roost::store {

namespace {

constexpr const char* wanted =
    R"(is not a store; write for example "sqlite3://var/roost.db" or "postgresql://user@host:5432/roost")";

constexpr const char* encode =
    "; write @ : / ? # % of a password percent-encoded, as %40 %3A %2F %3F %23 %25, for example "
    R"("postgresql://user:password@host:5432/roost")";

using conninfo = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

/// Nothing where the URL does not name it.
std::optional<std::string_view> option_of(const conninfo& from, std::string_view keyword) {
  for (const auto* option = from.get(); option->keyword != nullptr; ++option)
    if (option->keyword == keyword && option->val != nullptr) return option->val;
  return std::nullopt;
}

/// Several hosts with their ports are separated by commas.
template <class Predicate>
bool all_parts(std::string_view text, Predicate holds) {
  for (;;) {
    const auto comma = text.find(',');
    if (!holds(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

/// An empty one is the library's default.
bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return text.empty() || (error == std::errc{} && rest == text.data() + text.size() && port > 0);
}

/// Whether what stands before the parameters, `user:password@host:port/database`, holds an @ that does not
/// end user and password. The library takes the first one for that, and a slash before it for the database.
bool has_stray_at(std::string_view address) {
  const auto end_of_user = address.find_first_of("@/");
  if (end_of_user == std::string_view::npos) return false;
  const auto behind = address.substr(end_of_user + 1);
  return behind.substr(0, behind.find('?')).find('@') != std::string_view::npos;
}

/// The library would take user and password up to the @, but their ? would begin the parameters here.
bool has_question_mark_in_password(std::string_view address) {
  const auto end = address.find_first_of("@/");
  return end != std::string_view::npos && address[end] == '@' &&
         address.substr(0, end).find('?') != std::string_view::npos;
}

/// Whether no host is named although a user or a port is, which the library would take for a socket of this
/// machine. Who means a socket leaves all three out, or names its folder: `?host=/run/postgresql`.
bool lacks_host(const conninfo& named, std::string_view address) {
  const auto hosts = option_of(named, "host");
  if (!hosts) return !address.substr(0, address.find_first_of("/?")).empty();
  return !all_parts(*hosts, [](std::string_view host) { return !host.empty(); });
}

/// What is wrong with a URL of PostgreSQL; empty: nothing.
std::string_view postgresql_fault(const std::string& url) {
  const auto address = std::string_view(url).substr(postgresql_scheme.size());
  const conninfo named(PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree);
  if (!named) return "PostgreSQL's library cannot read it";
  const auto host = option_of(named, "host").value_or("");
  if (has_stray_at(address) || has_question_mark_in_password(address) ||
      host.find('@') != std::string_view::npos)
    return "user and password do not end at its only @";
  if (lacks_host(named, address)) return "its host is empty";
  if (!all_parts(option_of(named, "port").value_or(""), is_port))
    return "its port is not a number from 1 to 65535";
  return {};
}

} // namespace

std::optional<std::string> store_url_error(const std::string& url) {
  if (url.starts_with(postgresql_scheme) && url.size() > postgresql_scheme.size()) {
    const auto fault = postgresql_fault(url);
    if (fault.empty()) return std::nullopt;
    return std::string("is not a store: ").append(fault).append(encode);
  }
  // SOCI takes the file's name in quotes.
  const bool is_file = url.starts_with(sqlite_scheme) && url.size() > sqlite_scheme.size() &&
                       url.find_first_of(std::string_view("\"\0", 2)) == std::string::npos;
  return is_file ? std::nullopt : std::optional<std::string>(wanted);
}

} // namespace roost::store
