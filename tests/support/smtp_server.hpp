#pragma once

#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <chrono>
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

enum class smtp_behavior {
  accept,
  defer_recipient,  ///< 451 to RCPT
  reject_recipient, ///< 550 to RCPT
  reject_sender,    ///< 550 to MAIL
  reject_message,   ///< 554 after the message
  hang_up_at_data,
  hang_up_after_message, ///< instead of confirming it
  never_confirm,         ///< no reply after the message
  never_respond,         ///< not even with a greeting
  ignore_quit,           ///< no reply to QUIT
};

struct smtp_server_options {
  smtp_behavior behavior = smtp_behavior::accept;
  std::string auth_plain; ///< base64 of the required credentials; empty: no authentication
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;                          ///< 0: any free port
  bool smtputf8 = false;                           ///< supports international addresses (RFC 6531)
  std::chrono::milliseconds confirmation_delay{};  ///< between a message and its confirmation
  std::string rejection = "550 no such recipient"; ///< the reply to a rejected recipient; may be multi-line
};

/// A received mail with CRLF line endings and dot-stuffing removed.
struct received_mail {
  std::string sender, recipient, content;
};

/// A small SMTP server (RFC 5321) for tests, with a thread for each connection.
class smtp_server {
public:
  explicit smtp_server(smtp_server_options options = {})
      : options_(std::move(options)), behavior_(options_.behavior) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options_.port);
    const int enabled = 1; // another server may have used the port recently
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &enabled, sizeof enabled);
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

  /// Takes effect with the next command.
  void set_behavior(smtp_behavior behavior) { behavior_ = behavior; }

  std::vector<received_mail> mails() const {
    const std::scoped_lock lock(mutex_);
    return mails_;
  }

  /// Returns every line that clients sent outside messages.
  std::vector<std::string> commands() const {
    const std::scoped_lock lock(mutex_);
    return commands_;
  }

private:
  class conversation {
  public:
    conversation(smtp_server& server, int socket) : server_(server), socket_(socket) {}

    void run() {
      if (behaves(smtp_behavior::never_respond)) {
        while (next_line()) {
        }
        return;
      }
      reply("220 mail.test ESMTP");
      while (const auto line = next_line()) {
        note(*line);
        if (!reply_to(*line)) return;
      }
    }

  private:
    bool behaves(smtp_behavior behavior) const { return server_.behavior_.load() == behavior; }

    /// Returns false at the end of the conversation.
    bool reply_to(const std::string& line) {
      const auto command = std::string_view(line).substr(0, 4);
      if (command == "EHLO")
        reply(std::string("250-mail.test\r\n") + (server_.options_.smtputf8 ? "250-SMTPUTF8\r\n" : "") +
              (server_.options_.auth_plain.empty() ? "250 8BITMIME" : "250 AUTH PLAIN"));
      else if (command == "AUTH")
        return sign_in(line);
      else if (command == "MAIL")
        reply_to_sender(line);
      else if (command == "RCPT")
        reply_to_recipient(line);
      else if (command == "DATA")
        return take_message();
      else if (command == "QUIT")
        return behaves(smtp_behavior::ignore_quit) || (reply("221 bye"), false);
      else
        reply("500 unknown command");
      return true;
    }

    bool sign_in(const std::string& line) {
      constexpr std::string_view with_credentials = "AUTH PLAIN ";
      std::optional<std::string> response;
      if (line.starts_with(with_credentials)) {
        response = line.substr(with_credentials.size());
      } else {
        reply("334 ");
        response = next_line();
        if (!response) return false;
        note(*response);
      }
      signed_in_ = *response == server_.options_.auth_plain;
      reply(signed_in_ ? "235 welcome" : "535 wrong credentials");
      return true;
    }

    void reply_to_sender(const std::string& line) {
      if (!server_.options_.auth_plain.empty() && !signed_in_) return reply("530 sign in first");
      if (behaves(smtp_behavior::reject_sender)) return reply("550 not from you");
      mail_ = {.sender = address_in(line)};
      reply("250 ok");
    }

    void reply_to_recipient(const std::string& line) {
      if (behaves(smtp_behavior::defer_recipient)) return reply("451 later");
      if (behaves(smtp_behavior::reject_recipient)) return reply(server_.options_.rejection);
      mail_.recipient = address_in(line);
      reply("250 ok");
    }

    bool take_message() {
      if (behaves(smtp_behavior::hang_up_at_data)) return false;
      reply("354 go on");
      while (const auto line = next_line()) {
        if (*line == ".") {
          return finish_message();
        }
        mail_.content.append(*line, line->starts_with('.') ? 1 : 0).append("\r\n");
      }
      return false;
    }

    /// Returns false at the end of the conversation.
    bool finish_message() {
      if (behaves(smtp_behavior::reject_message)) return reply("554 no"), true;
      {
        const std::scoped_lock lock(server_.mutex_);
        server_.mails_.push_back(std::exchange(mail_, {}));
      }
      if (behaves(smtp_behavior::hang_up_after_message)) return false;
      if (behaves(smtp_behavior::never_confirm)) {
        while (next_line()) {
        }
        return false;
      }
      std::this_thread::sleep_for(server_.options_.confirmation_delay);
      reply("250 taken");
      return true;
    }

    static std::string address_in(const std::string& line) {
      const auto start = line.find('<') + 1;
      return line.substr(start, line.find('>') - start);
    }

    void note(const std::string& line) {
      const std::scoped_lock lock(server_.mutex_);
      server_.commands_.push_back(line);
    }

    void reply(const std::string& line) {
      const auto text = line + "\r\n";
      ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); // the next read detects a lost client
    }

    /// Returns the next line without its CRLF; nullopt if the client disconnected.
    std::optional<std::string> next_line() {
      for (;;) {
        if (const auto end = received_.find("\r\n"); end != std::string::npos) {
          auto line = received_.substr(0, end);
          received_.erase(0, end + 2);
          return line;
        }
        char chunk[4096];
        const auto length = ::recv(socket_, chunk, sizeof chunk, 0);
        if (length <= 0) return std::nullopt;
        received_.append(chunk, static_cast<std::size_t>(length));
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
  std::atomic<smtp_behavior> behavior_;
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  bool stopping_ = false;
  std::set<int> open_;
  std::vector<received_mail> mails_;
  std::vector<std::string> commands_;
  std::vector<std::thread> conversations_; ///< modified only by the acceptor thread
  std::thread acceptor_;
};

} // namespace roost::support
