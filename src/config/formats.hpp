#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"

/// The formats of particular kinds of values.
namespace roost::config {

/// `address:port`, or `[address]:port` for IPv6.
format<endpoint> listen_endpoint();

/// IP addresses and networks.
format<std::vector<std::string>> networks();

/// An http or https URL without user, query and fragment; a trailing slash is removed.
format<std::string> base_url();

/// An http or https URL without user and fragment.
format<std::string> web_url();

/// Exact https URLs.
format<std::vector<std::string>> https_urls();

/// Prefixes of https URLs that contain the whole host: `https://host` alone would also match
/// `https://host.elsewhere.example`.
format<std::vector<std::string>> https_prefixes();

/// Empty, a path, or an https URL.
format<std::string> optional_file_or_https_url();

/// `sqlite3://PATH` or `postgresql://…`.
format<std::string> store_url();

/// `file:FOLDER`, `smtp://host:port` or `smtps://user:password@host:port`.
format<mail_transport> transport();

/// `local-part@domain` of RFC 5322, without a display name.
format<std::string> mail_address();

/// Host names in lower case, without a scheme.
format<std::vector<std::string>> host_names();

/// Host names in lower case, with a port unless it is 443.
format<std::vector<std::string>> web_hosts();

/// Product names as in a User-Agent, without a version (RFC 9110, 10.1.5).
format<std::vector<std::string>> product_names();

/// Lower-case letters, digits and dashes.
format<std::string> platform_name();

format<domain::platform_kind> platform_kind();

/// One path segment with which no route of the service's own begins.
format<std::string> route_prefix();

/// City names.
format<std::vector<std::string>> regions();

format<std::optional<domain::uuid>> account_id();

/// The permissions of a role.
format<std::vector<std::string>> permissions();

} // namespace roost::config
