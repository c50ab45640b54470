#pragma once

#include <sys/socket.h>

namespace roost::fetch {

/// Whether an address is a host's on the internet: none of the machine itself, of its networks, of many
/// hosts, or of those that stand for another address (RFC 6890, 2.2.2 and 2.2.3). What is neither IPv4 nor
/// IPv6 is not.
bool is_public_address(const sockaddr* address, socklen_t length);

} // namespace roost::fetch
