#include "http_strategy.hpp"

#include "client_threads.hpp"
#include "requests.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

namespace roost::contention {

namespace {

using namespace std::chrono_literals;

constexpr auto server_retry = 50ms;
constexpr auto without_progress = 60s;

/// A keep-alive connection of one request at a time. Throws std::runtime_error when it is lost.
class http_connection {
public:
  explicit http_connection(unsigned short port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return;
    ::close(socket_);
    throw std::runtime_error("no server");
  }
  ~http_connection() { ::close(socket_); }
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;

  /// The answer's status.
  int ask(const std::string& request) {
    for (std::size_t sent = 0; sent < request.size();) {
      const auto more = ::send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (more <= 0) throw std::runtime_error("connection lost");
      sent += static_cast<std::size_t>(more);
    }
    std::string answer;
    std::size_t head = std::string::npos;
    while ((head = answer.find("\r\n\r\n")) == std::string::npos) receive(answer);
    const auto length = answer.find("Content-Length: ");
    const auto body = length < head ? std::stoul(answer.substr(length + 16)) : 0;
    while (answer.size() < head + 4 + body) receive(answer);
    return std::stoi(answer.substr(9, 3));
  }

private:
  void receive(std::string& into) {
    char part[4096];
    const auto count = ::recv(socket_, part, sizeof part, 0);
    if (count <= 0) throw std::runtime_error("connection lost");
    into.append(part, static_cast<std::size_t>(count));
  }

  int socket_;
};

std::string submission(const stay& wanted, const std::string& token) {
  const auto request = request_of(wanted, {});
  const auto& guest = request.tenant;
  const auto body =
      "{\"externalId\":\"" + request.external_id + "\",\"bookingId\":\"" + *request.reference +
      "\",\"checkInDate\":\"" + domain::to_string(request.check_in) + "\",\"checkOutDate\":\"" +
      domain::to_string(request.check_out) +
      "\",\"numberOfExtraTenants\":0,\"platformProviderPaymentValue\":650.5,\"otaCommissionValue\":35,"
      "\"tenant\":{\"firstName\":\"" +
      guest.first_name + "\",\"lastName\":\"" + *guest.last_name + "\",\"email\":\"" + guest.email +
      "\",\"fiscalId\":\"" + *guest.fiscal_id + "\",\"phone\":\"" + *guest.phone + "\",\"nationality\":\"" +
      *guest.nationality + "\"}}";
  return std::string("POST /") + platform_name +
         "/bookings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
         token + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class http_client final : public blocking_client {
public:
  explicit http_client(const server_address& server) : server_(server) {}

  decision decide(const stay& wanted, clock::time_point patience) override {
    decision made;
    const auto start = clock::now();
    const auto request = submission(wanted, server_.token);
    while (!is_accepted(request, made)) {
      ++made.retries;
      std::this_thread::sleep_for(server_retry);
      if (clock::now() >= patience) break;
    }
    made.result = outcome::unknown;
    made.time.waiting = clock::now() - start;
    return made;
  }

private:
  bool is_accepted(const std::string& request, decision& made) {
    try {
      if (!connection_) connection_ = std::make_unique<http_connection>(server_.port);
      const int status = connection_->ask(request);
      if (status == 201) return true;
      if (status != 503) throw std::logic_error("the server answered with " + std::to_string(status));
      ++made.errors; // busy, or not yet the writer
    } catch (const std::runtime_error&) {
      connection_.reset();
      ++made.errors;
    }
    return false;
  }

  const server_address server_;
  std::unique_ptr<http_connection> connection_;
};

class http_strategy final : public threaded_strategy {
public:
  explicit http_strategy(server_address server) : server_(std::move(server)) {}
  ~http_strategy() override = default;

private:
  std::unique_ptr<blocking_client> connect() override { return std::make_unique<http_client>(server_); }

  const server_address server_;
};

constexpr store::query decided_requests{
    "lab_decided", "select cast(reference as text), state, cast(decided_at as text) from booking_requests",
    nullptr, 3};

struct decided_request {
  outcome result{};
  domain::timestamp at{};
};

void wait_until_decided(store::session& db) {
  auto before = store::requests_by_state(db).pending;
  for (auto give_up = clock::now() + without_progress; before > 0;) {
    std::this_thread::sleep_for(50ms);
    const auto now = store::requests_by_state(db).pending;
    if (now < before) give_up = clock::now() + without_progress;
    if (clock::now() > give_up) throw std::runtime_error("the server decides no more requests");
    before = now;
  }
}

/// By the request's number. One that was sent again was dropped: the first decision counts.
std::unordered_map<std::uint64_t, decided_request> decided_by_number(store::session& db) {
  std::unordered_map<std::uint64_t, decided_request> found;
  db.internals().read_rows(decided_requests, {}, [&](const store::row& each) {
    const auto reference = domain::parse_uuid(*each[0]);
    decided_request one{*each[1] == "Success" ? outcome::booked : outcome::refused, {}};
    if (*each[1] == "Dropped" || !reference || !store::read_cell(*each[2], one.at)) return;
    found.emplace(number_of(*reference), one);
  });
  return found;
}

} // namespace

std::unique_ptr<strategy> make_http_strategy(const server_address& server) {
  return std::make_unique<http_strategy>(server);
}

void read_decisions(store::session& db, history& all, clock::time_point started) {
  wait_until_decided(db);
  const auto decided = decided_by_number(db);
  // The database's clock is this machine's; its moments are cut to milliseconds.
  const auto offset = std::chrono::system_clock::now().time_since_epoch() - clock::now().time_since_epoch();
  for (auto& each : all) {
    const auto found = decided.find(each.wanted.number);
    if (found == decided.end()) continue;
    const auto at = clock::time_point{found->second.at.time_since_epoch() + 1ms - offset};
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(at - started).count();
    each.result = found->second.result;
    each.time.deciding = std::chrono::nanoseconds{std::max<std::int64_t>(0, since - each.returned)};
    each.returned = std::max(each.returned, since);
  }
}

} // namespace roost::contention
