#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"

/// Checks of particular kinds of texts, and formats with messages of their own.
namespace roost::config {

/// Parses `address:port`, or `[address]:port` for IPv6.
std::optional<endpoint> parse_endpoint(const std::string& text);

/// Parses an http or https URL without user, query and fragment; removes a trailing slash.
std::optional<std::string> parse_base_url(const std::string& text);

/// Parses `file:FOLDER`, `smtp://host:port` or `smtps://user:password@host:port`.
std::optional<mail_transport> parse_transport(const std::string& text);

/// An IP address or a network.
bool is_network(const std::string& text);

/// An http or https URL without user and fragment.
bool is_web_url(const std::string& text);
bool is_https_url(const std::string& text);

/// A prefix of https URLs that contains the whole host: `https://host` alone would also match
/// `https://host.elsewhere.example`.
bool is_https_prefix(const std::string& text);

/// `local-part@domain` of RFC 5322, without a display name.
bool is_mail_address(const std::string& text);

/// A host name in lower case, without a scheme.
bool is_host_name(const std::string& text);

/// A host name in lower case, with a port unless it is 443.
bool is_web_host(const std::string& text);

/// A product name as in a User-Agent, without a version (RFC 9110, 10.1.5).
bool is_product_name(const std::string& text);

/// Lower-case letters, digits and dashes.
bool is_platform_name(const std::string& text);

/// `sqlite3://PATH` or `postgresql://…`.
format<std::string> store_url();

format<domain::platform_kind> platform_kind();

/// One path segment with which no route of the service's own begins.
format<std::string> route_prefix();

format<std::optional<domain::uuid>> account_id();

/// The permissions of a role.
format<std::vector<std::string>> permissions();

} // namespace roost::config
