#pragma once

#include <sys/socket.h>

namespace roost::fetch {

/// Whether an address belongs to a single host on the public internet: not to this machine or its networks,
/// not multicast or broadcast, and not embedding another address (RFC 6890, 2.2.2 and 2.2.3). False for
/// anything but IPv4 and IPv6.
bool is_public_address(const sockaddr* address, socklen_t length);

} // namespace roost::fetch
