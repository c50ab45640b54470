#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"

namespace roost::config {

/// `address:port`, or `[address]:port` for IPv6.
format<endpoint> listen_endpoint();

/// IP addresses and networks.
format<std::vector<std::string>> networks();

/// An http or https URL without user, query and fragment; a slash at its end is taken off.
format<std::string> base_url();

/// An http or https URL without user and fragment.
format<std::string> web_url();

/// Exact https URLs.
format<std::vector<std::string>> https_urls();

/// Beginnings of https URLs that contain the whole host: `https://host` alone would also match
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

/// Where https pages are: host names in lower case, with a port if it is not 443.
format<std::vector<std::string>> web_hosts();

/// Products as a User-Agent names them, without a version (RFC 9110, 10.1.5).
format<std::vector<std::string>> product_names();

} // namespace roost::config
