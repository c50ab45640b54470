#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roost::testing {

/// A parsed HTTP response.
struct raw_response {
  unsigned status = 0;
  std::multimap<std::string, std::string> headers; ///< with lower-case names
  std::string body;

  std::string header(const std::string& name) const {
    const auto it = headers.find(name);
    return it == headers.end() ? "" : it->second;
  }
};

/// Removes one response from the front of `text`; returns nullopt if it is incomplete. `bodiless` for the
/// response to HEAD.
inline std::optional<raw_response> take_response(std::string& text, bool bodiless = false) {
  const auto end = text.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  raw_response parsed;
  if (!text.starts_with("HTTP/1.1 ")) throw std::runtime_error("no status line: " + text.substr(0, 60));
  parsed.status = static_cast<unsigned>(std::stoul(text.substr(9, 3)));
  std::size_t at = text.find("\r\n") + 2;
  while (at < end + 2) {
    const auto line_end = text.find("\r\n", at);
    const std::string line = text.substr(at, line_end - at);
    const auto colon = line.find(": ");
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    parsed.headers.emplace(name, colon == std::string::npos ? "" : line.substr(colon + 2));
    at = line_end + 2;
  }
  const bool has_body = !bodiless && parsed.status >= 200 && parsed.status != 204 && parsed.status != 304;
  const std::size_t length =
      has_body ? std::strtoul(parsed.header("content-length").c_str(), nullptr, 10) : 0;
  if (text.size() < end + 4 + length) return std::nullopt;
  parsed.body = text.substr(end + 4, length);
  text.erase(0, end + 4 + length);
  return parsed;
}

/// A client that sends arbitrary bytes, including those that a well-behaved client never sends.
class raw_client {
public:
  static constexpr std::chrono::milliseconds default_timeout{20'000}; // a busy machine hashes slowly

  explicit raw_client(std::uint16_t port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ::close(fd_);
      throw std::runtime_error("connection refused");
    }
  }
  ~raw_client() { ::close(fd_); }
  raw_client(const raw_client&) = delete;
  raw_client& operator=(const raw_client&) = delete;

  /// Returns false if the server closed the connection before it received everything.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  void shut_down_sending() { ::shutdown(fd_, SHUT_WR); }

  /// Returns the next response; nullopt if the connection was closed or the timeout expired.
  std::optional<raw_response> receive(bool bodiless = false,
                                      std::chrono::milliseconds timeout = default_timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
      if (auto parsed = take_response(pending_, bodiless)) return parsed;
      if (!read_more(deadline)) return std::nullopt;
    }
  }

  raw_response exchange(std::string_view request, bool bodiless = false) {
    send(request);
    auto received = receive(bodiless);
    if (!received) throw std::runtime_error("no response to: " + std::string(request.substr(0, 80)));
    return *received;
  }

  /// Returns all bytes until the server closes the connection. Throws std::runtime_error if it does not.
  std::string receive_until_close(std::chrono::milliseconds timeout = default_timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (std::chrono::steady_clock::now() < deadline && read_more(deadline)) {
    }
    if (!closed_) throw std::runtime_error("the server did not close the connection");
    return std::exchange(pending_, {});
  }

  /// Returns the bytes up to the end of a text, and waits for it. Throws std::runtime_error if it does not
  /// arrive.
  std::string receive_until(std::string_view text, std::chrono::milliseconds timeout = default_timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    auto at = pending_.find(text);
    for (; at == std::string::npos; at = pending_.find(text))
      if (!read_more(deadline)) throw std::runtime_error("received only: " + pending_);
    auto received = pending_.substr(0, at + text.size());
    pending_.erase(0, received.size());
    return received;
  }

  /// Reads one chunk of the available bytes; returns false if the connection was closed.
  bool read_once() {
    read_more(std::chrono::steady_clock::now());
    return !closed_;
  }

  /// Waits for bytes and reads one chunk; returns false if the connection was closed or the timeout expired.
  bool read_some() { return read_more(std::chrono::steady_clock::now() + default_timeout); }

  bool is_closed_within(std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (std::chrono::steady_clock::now() < deadline && read_more(deadline)) {
    }
    return closed_;
  }

private:
  bool read_more(std::chrono::steady_clock::time_point deadline) {
    if (closed_) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waiting{fd_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(0, left.count()))) <= 0) return false;
    char chunk[65536];
    const auto count = ::recv(fd_, chunk, sizeof chunk, 0);
    if (count <= 0) {
      closed_ = true;
      return false;
    }
    pending_.append(chunk, static_cast<std::size_t>(count));
    return true;
  }

  int fd_;
  std::string pending_;
  bool closed_ = false;
};

/// Returns all responses in the bytes received over a connection.
inline std::vector<raw_response> responses_in(std::string text) {
  std::vector<raw_response> all;
  while (auto response = take_response(text)) all.push_back(std::move(*response));
  if (!text.empty()) throw std::runtime_error("bytes after the last response: " + text.substr(0, 60));
  return all;
}

} // namespace roost::testing
