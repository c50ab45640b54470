#include "service/support/free_port.hpp"

#include <netinet/in.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace roost::testing {

std::uint16_t free_port() {
  std::random_device random;
  std::uniform_int_distribution<int> ports{20'000, 31'999};
  while (true) {
    const auto port = static_cast<std::uint16_t>(ports(random));
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    if (free) return port;
  }
}

} // namespace roost::testing
