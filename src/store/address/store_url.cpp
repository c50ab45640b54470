#include "store/address/store_url.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <libpq-fe.h>
#include <memory>

namespace roost::store {

namespace {

/// libpq accepts both.
constexpr std::string_view postgresql_schemes[] = {"postgresql://", "postgres://"};

/// Returns what follows the scheme of a PostgreSQL URL; nullopt for any other text.
std::optional<std::string_view> address_of(std::string_view url) {
  for (const auto scheme : postgresql_schemes)
    if (url.starts_with(scheme)) return url.substr(scheme.size());
  return std::nullopt;
}

constexpr const char* usage =
    R"(is not a store; write for example "sqlite3://var/roost.db" or "postgresql://user@host:5432/roost")";

constexpr const char* encoding_hint =
    "; write @ : / ? # % of a password percent-encoded, as %40 %3A %2F %3F %23 %25, for example "
    R"("postgresql://user:password@host:5432/roost")";

using conninfo = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

/// Returns null if libpq cannot read the URL.
conninfo parse(const std::string& url) { return {PQconninfoParse(url.c_str(), nullptr), &PQconninfoFree}; }

/// Returns the value of an option; nullopt if the URL does not set it.
std::optional<std::string_view> option_of(const conninfo& options, std::string_view keyword) {
  for (const auto* option = options.get(); option->keyword != nullptr; ++option)
    if (option->keyword == keyword && option->val != nullptr) return option->val;
  return std::nullopt;
}

/// Returns whether the predicate holds for all parts of a comma-separated list, as of several hosts or ports.
template <class Predicate>
bool all_parts(std::string_view text, Predicate predicate) {
  for (;;) {
    const auto comma = text.find(',');
    if (!predicate(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

/// An empty port means the default of libpq.
bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return text.empty() || (error == std::errc{} && rest == text.data() + text.size() && port > 0);
}

std::ptrdiff_t count_parts(std::string_view text) { return std::ranges::count(text, ',') + 1; }

/// Returns whether the part before the parameters, `user:password@host:port/database`, contains an @ other
/// than the one after user and password, which libpq ends at the first @ or at a slash before it.
bool has_stray_at(std::string_view address) {
  const auto end_of_user = address.find_first_of("@/");
  if (end_of_user == std::string_view::npos) return false;
  const auto rest = address.substr(end_of_user + 1);
  return rest.substr(0, rest.find('?')).find('@') != std::string_view::npos;
}

/// libpq would read user and password up to the @, but this program would start the parameters at their ?.
bool has_question_mark_in_password(std::string_view address) {
  const auto end = address.find_first_of("@/");
  return end != std::string_view::npos && address[end] == '@' &&
         address.substr(0, end).find('?') != std::string_view::npos;
}

/// Returns whether the URL has a user or a port but no host, which libpq would resolve to a local socket. The
/// URL of a socket has none of the three, or names its folder: `?host=/run/postgresql`.
bool lacks_host(const conninfo& options, std::string_view address) {
  const auto hosts = option_of(options, "host");
  if (!hosts) return !address.substr(0, address.find_first_of("/?")).empty();
  return !all_parts(*hosts, [](std::string_view host) { return !host.empty(); });
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, text) != values.end();
}

/// Returns why the values of the parameters cannot work; empty if they can. libpq checks them only when it
/// connects.
std::string_view parameter_error(const conninfo& options) {
  if (!is_one_of(option_of(options, "sslmode").value_or("prefer"),
                 {"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}))
    return "its sslmode is not one that PostgreSQL's library knows";
  if (!is_one_of(option_of(options, "target_session_attrs").value_or("any"),
                 {"any", "read-write", "primary"}))
    return "its target_session_attrs does not lead to a server that can be written to";
  return {};
}

/// Returns what is wrong with a PostgreSQL URL; empty if it is valid.
std::string_view postgresql_error(const std::string& url, std::string_view address) {
  const auto options = parse(url);
  if (!options) return "PostgreSQL's library cannot read it";
  const auto host = option_of(options, "host").value_or("");
  if (has_stray_at(address) || has_question_mark_in_password(address) ||
      host.find('@') != std::string_view::npos)
    return "user and password do not end at its only @";
  if (lacks_host(options, address)) return "its host is empty";
  if (!all_parts(option_of(options, "port").value_or(""), is_port))
    return "its port is not a number from 1 to 65535";
  const auto ports = count_parts(option_of(options, "port").value_or(""));
  if (ports != 1 && ports != count_parts(option_of(options, "hostaddr").value_or(host)))
    return "it has another number of ports than of hosts";
  return parameter_error(options);
}

} // namespace

bool is_postgresql_url(std::string_view url) { return address_of(url).has_value(); }

std::string postgresql_options(const std::string& url) {
  const auto options = parse(url);
  return options ? std::string(option_of(options, "options").value_or("")) : std::string();
}

std::optional<std::string> store_url_error(const std::string& url) {
  if (const auto address = address_of(url); address && !address->empty()) {
    const auto error = postgresql_error(url, *address);
    if (error.empty()) return std::nullopt;
    return std::string("is not a store: ").append(error).append(encoding_hint);
  }
  // SOCI expects the file name in quotes.
  const bool is_file = url.starts_with(sqlite_scheme) && url.size() > sqlite_scheme.size() &&
                       url.find_first_of(std::string_view("\"\0", 2)) == std::string::npos;
  return is_file ? std::nullopt : std::optional<std::string>(usage);
}

} // namespace roost::store
