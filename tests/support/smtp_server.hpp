#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <netinet/in.h>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace roost::support {

enum class smtp_behaviour {
  accept,
  defer_recipient,  ///< 451 to RCPT
  reject_recipient, ///< 550 to RCPT
  reject_sender,    ///< 550 to MAIL
  reject_message,   ///< 554 after the message
  hang_up_at_data,
  never_response, ///< not even a greeting
};

struct smtp_server_options {
  smtp_behaviour behaviour = smtp_behaviour::accept;
  std::string auth_plain; ///< base64 of what must be sent to sign in; empty: no sign-in is asked for
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                            ///< 0: a free one
  std::string rejection = "550 nobody of that name"; ///< of a recipient; may have several lines
};

/// A mail as a server got it: CRLF line ends, dot-stuffing undone.
struct received_mail {
  std::string sender, recipient, content;
};

/// A small SMTP server (RFC 5321) for tests, with a thread for each connection.
class smtp_server {
public:
  explicit smtp_server(smtp_server_options options = {})
      : options_(std::move(options)), behaviour_(options_.behaviour) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options_.port);
    const int db = 1; // the port may have been another server's a moment ago
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &db, sizeof db);
    ::inet_pton(AF_INET, options_.address.c_str(), &address.sin_addr);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    if (listener_ < 0 || ::bind(listener_, generic, length) != 0 || ::listen(listener_, SOMAXCONN) != 0 ||
        ::getsockname(listener_, generic, &length) != 0)
      throw std::system_error(errno, std::generic_category(), "SMTP server for tests");
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_connections(); });
  }
  smtp_server(const smtp_server&) = delete;
  smtp_server& operator=(const smtp_server&) = delete;

  ~smtp_server() {
    {
      const std::scoped_lock lock(mutex_);
      stopping_ = true;
      ::shutdown(listener_, SHUT_RDWR);
      for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
    }
    acceptor_.join();
    for (auto& conversation : conversations_) conversation.join();
    ::close(listener_);
  }

  std::uint16_t port() const { return port_; }

  /// From the next command on.
  void behave(smtp_behaviour as) { behaviour_ = as; }

  std::vector<received_mail> mails() const {
    const std::scoped_lock lock(mutex_);
    return mails_;
  }

  /// Every line that a client sent outside of messages.
  std::vector<std::string> commands() const {
    const std::scoped_lock lock(mutex_);
    return commands_;
  }

private:
  class conversation {
  public:
    conversation(smtp_server& server, int socket) : server_(server), socket_(socket) {}

    void run() {
      if (behaves(smtp_behaviour::never_respond)) {
        while (next_line()) {
        }
        return;
      }
      say("220 mail.test ESMTP");
      while (const auto line = next_line()) {
        note(*line);
        if (!answer(*line)) return;
      }
    }

  private:
    bool behaves(smtp_behaviour as) const { return server_.behaviour_.load() == as; }

    /// False when the conversation is over.
    bool answer(const std::string& line) {
      const auto command = std::string_view(line).substr(0, 4);
      if (command == "EHLO")
        say(server_.options_.auth_plain.empty() ? "250 mail.test" : "250-mail.test\r\n250 AUTH PLAIN");
      else if (command == "AUTH")
        return sign_in(line);
      else if (command == "MAIL")
        answer_sender(line);
      else if (command == "RCPT")
        answer_recipient(line);
      else if (command == "DATA")
        return take_message();
      else if (command == "QUIT")
        return say("221 bye"), false;
      else
        say("500 unknown command");
      return true;
    }

    bool sign_in(const std::string& line) {
      constexpr std::string_view with_response = "AUTH PLAIN ";
      std::optional<std::string> response;
      if (line.starts_with(with_response)) {
        response = line.substr(with_response.size());
      } else {
        say("334 ");
        response = next_line();
        if (!response) return false;
        note(*response);
      }
      signed_in_ = *response == server_.options_.auth_plain;
      say(signed_in_ ? "235 welcome" : "535 wrong credentials");
      return true;
    }

    void answer_sender(const std::string& line) {
      if (!server_.options_.auth_plain.empty() && !signed_in_) return say("530 sign in first");
      if (behaves(smtp_behaviour::reject_sender)) return say("550 not from you");
      mail_ = {.sender = address_in(line)};
      say("250 ok");
    }

    void answer_recipient(const std::string& line) {
      if (behaves(smtp_behaviour::defer_recipient)) return say("451 later");
      if (behaves(smtp_behaviour::reject_recipient)) return say(server_.options_.rejection);
      mail_.recipient = address_in(line);
      say("250 ok");
    }

    bool take_message() {
      if (behaves(smtp_behaviour::hang_up_at_data)) return false;
      say("354 go on");
      while (const auto line = next_line()) {
        if (*line == ".") {
          finish_message();
          return true;
        }
        mail_.content.append(*line, line->starts_with('.') ? 1 : 0).append("\r\n");
      }
      return false;
    }

    void finish_message() {
      if (behaves(smtp_behaviour::reject_message)) return say("554 no");
      {
        const std::scoped_lock lock(server_.mutex_);
        server_.mails_.push_back(std::exchange(mail_, {}));
      }
      say("250 taken");
    }

    static std::string address_in(const std::string& line) {
      const auto start = line.find('<') + 1;
      return line.substr(start, line.find('>') - start);
    }

    void note(const std::string& line) {
      const std::scoped_lock lock(server_.mutex_);
      server_.commands_.push_back(line);
    }

    void say(const std::string& line) {
      const auto text = line + "\r\n";
      ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); // a lost client shows at the next read
    }

    /// Without its CRLF; nothing when the client is gone.
    std::optional<std::string> next_line() {
      for (;;) {
        if (const auto end = received_.find("\r\n"); end != std::string::npos) {
          auto line = received_.substr(0, end);
          received_.erase(0, end + 2);
          return line;
        }
        char piece[4096];
        const auto length = ::recv(socket_, piece, sizeof piece, 0);
        if (length <= 0) return std::nullopt;
        received_.append(piece, static_cast<std::size_t>(length));
      }
    }

    smtp_server& server_;
    int socket_;
    std::string received_;
    received_mail mail_;
    bool signed_in_ = false;
  };

  void accept_connections() {
    for (;;) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      const std::scoped_lock lock(mutex_);
      if (stopping_) {
        ::close(socket);
        return;
      }
      open_.insert(socket);
      conversations_.emplace_back([this, socket] {
        conversation(*this, socket).run();
        const std::scoped_lock done(mutex_);
        open_.erase(socket);
        ::close(socket);
      });
    }
  }

  smtp_server_options options_;
  std::atomic<smtp_behaviour> behaviour_;
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  bool stopping_ = false;
  std::set<int> open_;
  std::vector<received_mail> mails_;
  std::vector<std::string> commands_;
  std::vector<std::thread> conversations_; ///< grows only in the acceptor
  std::thread acceptor_;
};

} // namespace roost::support
