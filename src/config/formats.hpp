#pragma once

#include "config/problem.hpp"
#include "config/settings.hpp"
#include "config/text.hpp"

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The formats of values: what a rule accepts, and how it reads it.
namespace roost::config {

/// Reads and checks one kind of value.
template <class T>
struct format {
  std::function<T(const toml::node&)> read; ///< throws refusal
  bool secret = false;                      ///< may contain a password, which is never shown
};

/// Returns the value as errors may show it: shortened and masked.
std::string shown(const toml::node& node);

/// `VALUE is not EXPECTED; write for example EXAMPLE`.
refusal not_a(const toml::node& node, std::string_view expected, std::string_view example);

/// Returns the text of a node. Throws refusal for other types and for control characters.
std::string text_of(const toml::node& node, std::string_view expected, std::string_view example);

/// A text that `parse` converts; nullopt means that it is invalid.
template <class T>
format<T> text_format(std::string expected, std::string example,
                      std::function<std::optional<T>(const std::string&)> parse) {
  const auto read = [=](const toml::node& node) -> T {
    auto value = parse(text_of(node, expected, example));
    if (!value) throw not_a(node, expected, example);
    return std::move(*value);
  };
  return {read};
}

/// A text that satisfies `valid`.
template <class T = std::string>
format<T> valid_text(std::string expected, std::string example,
                     std::function<bool(const std::string&)> valid) {
  return text_format<T>(std::move(expected), std::move(example),
                        [valid = std::move(valid)](const std::string& text) {
                          return valid(text) ? std::optional(T(text)) : std::nullopt;
                        });
}

/// A list of texts that all satisfy `valid`.
format<std::vector<std::string>> list_format(std::string expected, std::string example,
                                             std::function<bool(const std::string&)> valid);

/// A text, possibly empty.
format<std::string> any_text();

/// A path; empty means no file.
format<std::filesystem::path> optional_path();

/// A duration of at least `min`, without a remainder in the unit of the result.
template <class Duration>
format<Duration> duration_format(Duration min);
extern template format<std::chrono::milliseconds> duration_format(std::chrono::milliseconds);
extern template format<std::chrono::nanoseconds> duration_format(std::chrono::nanoseconds);

/// Returns an integer in [min, max]; throws refusal otherwise.
std::int64_t integer_of(const toml::node& node, std::int64_t min, std::int64_t max);

template <class Integer>
format<Integer> integer_format(std::int64_t min, std::int64_t max) {
  return {[=](const toml::node& node) { return static_cast<Integer>(integer_of(node, min, max)); }};
}

/// Parses `address:port`, or `[address]:port` for IPv6.
std::optional<endpoint> parse_endpoint(const std::string& text);

/// Parses an http or https URL without user, query and fragment; removes trailing slashes.
std::optional<std::string> parse_base_url(const std::string& text);

/// Parses `file:FOLDER`, `smtp://host:port` or `smtps://user:password@host:port`.
std::optional<mail_transport> parse_transport(const std::string& text);

/// Returns whether the text is an IP address or a network.
bool is_network(const std::string& text);

/// Returns whether the text is an https URL without user and fragment. Throws refusal for one that is not in
/// ASCII.
bool is_https_url(const std::string& text);

/// Returns whether the text is an http or https URL that all programs interpret the same way
/// (oauth::parse_web_address). Assistants' addresses are compared with it.
bool is_exact_url(const std::string& text);
/// Returns whether the text is such a URL with https.
bool is_exact_https_url(const std::string& text);

/// Returns whether the text is a prefix of such https URLs that contains the whole host: `https://host` alone
/// would also match `https://host.elsewhere.example`.
bool is_exact_https_prefix(const std::string& text);

/// Returns whether the text is an email address, alone or as `Name <address>`. Its local part must be ASCII,
/// because not every mail server accepts others.
bool is_sender(const std::string& text);

/// Returns whether the text is a host name in lower case, without a scheme.
bool is_host_name(const std::string& text);

/// Returns whether the text is such a host name, or one with underscores, which container platforms allow in
/// names of services.
bool is_internal_host_name(const std::string& text);

/// Returns whether the text is a host name in lower case, with a port unless it is 443.
bool is_web_host(const std::string& text);
/// Returns whether the text is such a host, or `*` for any.
bool is_web_host_or_any(const std::string& text);

/// Returns whether the text is a product name as in a User-Agent, without a version (RFC 9110, 10.1.5).
bool is_product_name(const std::string& text);

/// Returns whether the text consists of lower-case letters, digits and dashes.
bool is_platform_name(const std::string& text);

/// `sqlite3://PATH` or `postgresql://…`.
format<std::string> store_url();

format<domain::platform_kind> platform_kind();

/// A list of rights, each at most once.
format<std::vector<domain::platform_right>> platform_rights();

/// One path segment that no built-in route starts with.
format<std::string> route_prefix();

format<std::optional<domain::uuid>> account_id();

/// The permissions of a role.
format<std::vector<std::string>> permissions();

} // namespace roost::config
