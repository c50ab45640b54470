#include "store/database/error.hpp"
#include "store/support/postgresql_proxy.hpp"
#include "support/store.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

/// A store behind a connection pooler that lends a session of the database to one transaction at a time.
namespace roost::testing::lending_pooler_test {

namespace asio = boost::asio;
using asio::ip::tcp;

/// A message of PostgreSQL's protocol; the first one of a client has no type.
struct message {
  char type = 0;
  std::string text; ///< with its length and, if there is one, its type
};

std::uint32_t number_at(const std::string& text, std::size_t position) {
  std::array<unsigned char, 4> bytes{};
  std::memcpy(bytes.data(), text.data() + position, bytes.size());
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U |
         bytes[3];
}

message read_message(tcp::socket& from, bool has_type) {
  const std::size_t type_size = has_type ? 1 : 0;
  message received{0, std::string(type_size + 4, '\0')};
  asio::read(from, asio::buffer(received.text));
  if (has_type) received.type = received.text[0];
  const auto size = type_size + number_at(received.text, type_size);
  const auto begun = received.text.size();
  received.text.resize(size);
  asio::read(from, asio::buffer(received.text.data() + begun, size - begun));
  return received;
}

void send(tcp::socket& to, const message& each) { asio::write(to, asio::buffer(each.text)); }

/// Lends the sessions in turn, and a new one first. So the session of the first client is hidden from the
/// first transaction of a second client, as if other clients were using it.
class lending_pooler {
public:
  explicit lending_pooler(const std::string& url, int max_clients = 100)
      : clients_left_(max_clients),
        proxy_(url, [this](tcp::socket& client, tcp::socket& server) { serve(client, server); }) {}

  const std::string& url() const { return proxy_.url(); }

private:
  void serve(tcp::socket& client, tcp::socket& server) {
    if (clients_left_-- <= 0) return;
    try {
      log_in(client, server);
      while (run_transaction(client)) {
      }
    } catch (const boost::system::system_error&) { // the client has left without a message
    }
  }

  /// Logs in to a session of the database on behalf of the client, and adds it to the pool.
  void log_in(tcp::socket& client, tcp::socket& server) {
    constexpr std::uint32_t ssl_request = 80877103;
    constexpr std::array<std::uint32_t, 4> needs_reply{3, 5, 10, 11}; // authentication requests
    auto startup = read_message(client, false);
    while (number_at(startup.text, 4) == ssl_request) {
      asio::write(client, asio::buffer("N", 1));
      startup = read_message(client, false);
    }
    send(server, startup);
    for (message from_server; from_server.type != 'Z';) {
      from_server = read_message(server, true);
      if (from_server.type == 'K') from_server.text.replace(5, 4, 4, '\x01'); // a process id of its own
      if (from_server.type == 'Z') give_back(server, true);
      send(client, from_server);
      if (from_server.type == 'R' &&
          std::ranges::find(needs_reply, number_at(from_server.text, 5)) != needs_reply.end())
        send(server, read_message(client, true));
    }
  }

  /// Returns false when the client leaves. The session of an open transaction is then no longer lent.
  bool run_transaction(tcp::socket& client) {
    auto request = read_message(client, true);
    if (request.type == 'X') return false;
    auto& lent = take();
    for (;;) {
      send(lent, request);
      if ((request.type == 'Q' || request.type == 'S') && !forward_results(lent, client)) break;
      request = read_message(client, true);
      if (request.type == 'X') return false;
    }
    give_back(lent, false);
    return true;
  }

  /// Returns whether the transaction is still open.
  static bool forward_results(tcp::socket& from, tcp::socket& to) {
    for (;;) {
      const auto result = read_message(from, true);
      send(to, result);
      if (result.type == 'Z') return result.text[5] != 'I';
    }
  }

  tcp::socket& take() {
    std::unique_lock lock{mutex_};
    given_back_.wait(lock, [this] { return !idle_.empty(); });
    auto* next = idle_.front();
    idle_.pop_front();
    return *next;
  }

  void give_back(tcp::socket& session, bool is_new) {
    {
      const std::lock_guard lock{mutex_};
      idle_.insert(is_new ? idle_.begin() : idle_.end(), &session);
    }
    given_back_.notify_one();
  }

  std::atomic<int> clients_left_;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::deque<tcp::socket*> idle_;
  postgresql_proxy proxy_; ///< the last member, because its threads use the others
};

class StoreBehindALendingPooler : public on_each_store {};
ROOST_ON_POSTGRESQL(StoreBehindALendingPooler);

TEST_P(StoreBehindALendingPooler, IsRefused) {
  const lending_pooler shared(store().url());
  store::session db(shared.url());
  EXPECT_THROW(db.connect(), store::unsuitable_database);
}

TEST_P(StoreBehindALendingPooler, IsNotUsedIfItCannotBeExamined) {
  const lending_pooler full(store().url(), 1);
  store::session db(full.url());
  try {
    db.connect();
    FAIL() << "it may lend the session to another client";
  } catch (const store::unavailable& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot examine the connection pooler"));
  }
}

} // namespace roost::testing::lending_pooler_test
