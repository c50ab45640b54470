#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/migrations.hpp"
#include "support/store.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <cstdint>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace roost::store::connecting_test {
using namespace std::chrono_literals;

/// Accepts one client as PostgreSQL does (Frontend/Backend Protocol, "Start-up") and then stays silent.
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
        // authenticated, version 15.0, ready
        send("R\0\0\0\10\0\0\0\0S\0\0\0\30server_version\00015.0\0Z\0\0\0\5I"sv);
        return;
      }
      if (code == 0) return;
      send("N"); // neither TLS nor GSSAPI
    }
  }

  /// Returns the request code of a start-up packet; 0 at the end of the connection.
  std::uint32_t read_packet() {
    std::uint32_t header[2]{};
    if (::recv(client_, header, sizeof header, MSG_WAITALL) != sizeof header) return 0;
    std::string rest(ntohl(header[0]) - sizeof header, '\0');
    if (!rest.empty()) ::recv(client_, rest.data(), rest.size(), MSG_WAITALL);
    return ntohl(header[1]);
  }

  void send(std::string_view bytes) { ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

  static constexpr std::uint32_t protocol_3 = 3U << 16U;
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int client_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

TEST(Connecting, FailsSoonWhenTheServerStopsResponding) {
  const silent_server server;
  session session{server.url()};
  const auto started_at = std::chrono::steady_clock::now();
  try {
    session.connect();
    FAIL() << "connected to a silent server";
  } catch (const unavailable& error) {
    EXPECT_EQ(std::string(error.what()), "cannot connect to the store: the server does not respond");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - started_at, 8s);
}

TEST(Connecting, FailsWithoutAServer) {
  session session("postgresql://roost@127.0.0.1:1/roost");
  EXPECT_THROW(session.connect(), unavailable);
  EXPECT_THROW(schema_is_current(session), unavailable);
}

TEST(Connecting, SelectsTheDatabaseByTheScheme) {
  for (const auto* url : {"mysql://localhost/roost", "sqlite3://", ""})
    EXPECT_THROW(session{url}, std::invalid_argument) << url;
  EXPECT_TRUE(session("sqlite3://var/roost.db").is_sqlite());
  EXPECT_FALSE(session("postgresql://roost@127.0.0.1:5432/roost").is_sqlite());
}

/// A database of the test's server that cannot hold a store.
class UnsuitableDatabase : public testing::on_each_store {
protected:
  void TearDown() override {
    if (!name_.empty()) session().internals().script("drop", "drop database if exists " + name_ + " (force)");
  }

  /// Creates a database and returns its URL.
  std::string create(const std::string& properties) {
    const auto& url = store().url();
    name_ = url.substr(url.rfind('/') + 1) + "_other";
    session().internals().script("create", "create database " + name_ + " template template0 " + properties);
    return url.substr(0, url.rfind('/') + 1) + name_;
  }

  static std::string error_of(const std::string& url) {
    store::session db(url);
    try {
      migrate(db);
    } catch (const unsuitable_database& error) {
      return error.what();
    }
    return "";
  }

private:
  std::string name_;
};
ROOST_ON_POSTGRESQL(UnsuitableDatabase);

TEST_P(UnsuitableDatabase, HasAnotherEncodingThanUtf8) {
  EXPECT_NE(error_of(create("encoding 'LATIN1' locale 'C'")).find("encoding is LATIN1"), std::string::npos);
}

TEST_P(UnsuitableDatabase, HasNoEncoding) {
  EXPECT_NE(error_of(create("encoding 'SQL_ASCII' locale 'C'")).find("encoding is SQL_ASCII"),
            std::string::npos);
}

TEST_P(UnsuitableDatabase, HasNoSchema) {
  const auto url = create("encoding 'UTF8'");
  session().internals().script("path", "alter database " + url.substr(url.rfind('/') + 1) +
                                           " set search_path = missing");
  EXPECT_NE(error_of(url).find("names no schema that exists"), std::string::npos);
}

TEST_P(UnsuitableDatabase, IsTheOneOfTheUrlsOptions) {
  const auto url = create("encoding 'UTF8'");
  EXPECT_NE(error_of(url + "?options=-csearch_path%3Dmissing").find("names no schema that exists"),
            std::string::npos);
  EXPECT_EQ(error_of(url + "?options=-csearch_path%3Dpublic"), "");
}

TEST_P(UnsuitableDatabase, IsNotOneWithAShortScheme) {
  auto url = create("encoding 'UTF8'");
  url.replace(0, std::string_view("postgresql").size(), "postgres");
  EXPECT_EQ(error_of(url), "");
}

TEST(Connecting, CreatesTheFolderOfTheFile) {
  const testing::test_store folder(testing::store_kind::sqlite, false);
  session nested(folder.url() + ".d/a folder/with spaces=and equals.db");
  EXPECT_NO_THROW(migrate(nested));
}

} // namespace roost::store::connecting_test
