#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace roost::fuzz {

/// A server on this machine that answers one connection with the lines of a script: the first line as a
/// greeting, then one for each line that the client sends, except for the lines of a message. It closes the
/// connection at the script's end.
class scripted_server {
public:
  explicit scripted_server(std::string script)
      : script_(std::move(script)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_, any, size) != 0 || listen(listener_, 1) != 0 ||
        getsockname(listener_, any, &size) != 0)
      throw std::runtime_error("a server on this machine cannot be started");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  scripted_server(const scripted_server&) = delete;
  scripted_server& operator=(const scripted_server&) = delete;
  ~scripted_server() {
    shutdown(listener_, SHUT_RDWR); // ends accept(), if no client has come
    thread_.join();
    close(listener_);
  }

  std::uint16_t port() const { return port_; }

private:
  void serve() {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    std::string_view rest = script_;
    std::string received;
    bool in_message = false;
    while (answer(client, rest, in_message) && receive(client, received, in_message)) continue;
    shutdown(client, SHUT_RDWR);
    close(client);
  }

  /// Sends the next reply, which may have several lines. Returns false at the end.
  static bool answer(int client, std::string_view& rest, bool& in_message) {
    if (rest.empty()) return false;
    bool more = true;
    while (more && !rest.empty()) {
      const auto line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const auto text = std::string{line} + "\r\n";
      if (send(client, text.data(), text.size(), MSG_NOSIGNAL) < 0) return false;
      in_message = line.starts_with("354");
      more = line.size() > 3 && line[3] == '-';
    }
    return true;
  }

  /// Receives a line, or a message up to its dot. Returns false if the client has gone.
  static bool receive(int client, std::string& received, bool in_message) {
    const std::string_view end = in_message ? "\r\n.\r\n" : "\r\n";
    while (received.find(end) == std::string::npos) {
      char part[4096];
      const auto size = recv(client, part, sizeof part, 0);
      if (size <= 0) return false;
      received.append(part, static_cast<std::size_t>(size));
    }
    received.erase(0, received.find(end) + end.size());
    return true;
  }

  const std::string script_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

} // namespace roost::fuzz
