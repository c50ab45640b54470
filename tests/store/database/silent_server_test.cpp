#include "store/database/error.hpp"
#include "store/database/session.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace roost::store::silent_server_test {
using namespace std::chrono_literals;

/// Lets one client in as PostgreSQL does (Frontend/Backend Protocol, "Start-up"), and never says a word more.
class silent_server {
public:
  silent_server() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_, generic, size), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~silent_server() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(client_);
    ::close(listener_);
  }
  silent_server(const silent_server&) = delete;
  silent_server& operator=(const silent_server&) = delete;

  std::string url() const { return "postgresql://roost@127.0.0.1:" + std::to_string(port_) + "/roost"; }

private:
  void serve() {
    using namespace std::string_view_literals;
    client_ = ::accept(listener_, nullptr, nullptr);
    while (client_ >= 0) {
      const auto code = read_packet();
      if (code == protocol_3) {
        say("R\0\0\0\10\0\0\0\0S\0\0\0\30server_version\00015.0\0Z\0\0\0\5I"sv); // welcome, 15.0, ready
        return;
      }
      if (code == 0) return;
      say("N"); // neither TLS nor GSSAPI
    }
  }

  /// The number that says what a packet of the start asks for; 0 at the end of the connection.
  std::uint32_t read_packet() {
    std::uint32_t head[2]{};
    if (::recv(client_, head, sizeof head, MSG_WAITALL) != sizeof head) return 0;
    std::string rest(ntohl(head[0]) - sizeof head, '\0');
    if (!rest.empty()) ::recv(client_, rest.data(), rest.size(), MSG_WAITALL);
    return ntohl(head[1]);
  }

  void say(std::string_view bytes) { ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

  static constexpr std::uint32_t protocol_3 = 3U << 16U;
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int client_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

TEST(SilentServer, IsUnavailableSoonAfterItLetTheSessionIn) {
  const silent_server server;
  session asking{server.url()};
  const auto asked = std::chrono::steady_clock::now();
  try {
    asking.connect();
    FAIL() << "connected to a server that says nothing";
  } catch (const unavailable& refused) {
    EXPECT_EQ(std::string(refused.what()), "cannot connect to the store: it does not answer");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - asked, 8s);
}

} // namespace roost::store::silent_server_test
