#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"
#include "strategies.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <unordered_map>

namespace roost::contention {

namespace {

using namespace std::chrono_literals;

constexpr auto server_retry_interval = 50ms;
constexpr auto progress_timeout = 60s;

/// A keep-alive connection with one request at a time. Throws std::runtime_error if the connection is lost.
class http_connection {
public:
  explicit http_connection(unsigned short port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int enabled = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &enabled, sizeof enabled);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
    ::close(socket_);
    throw std::runtime_error("connection refused");
  }
  ~http_connection() { ::close(socket_); }
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;

  /// Sends a request and returns the status of the response.
  int exchange(const std::string& request) {
    for (std::size_t sent = 0; sent < request.size();) {
      const auto count = ::send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) throw std::runtime_error("connection lost");
      sent += static_cast<std::size_t>(count);
    }
    std::string response;
    std::size_t head = std::string::npos;
    while ((head = response.find("\r\n\r\n")) == std::string::npos) receive(response);
    const auto length = response.find("Content-Length: ");
    const auto body = length < head ? std::stoul(response.substr(length + 16)) : 0;
    while (response.size() < head + 4 + body) receive(response);
    return std::stoi(response.substr(9, 3));
  }

private:
  void receive(std::string& text) {
    char chunk[4096];
    const auto count = ::recv(socket_, chunk, sizeof chunk, 0);
    if (count <= 0) throw std::runtime_error("connection lost");
    text.append(chunk, static_cast<std::size_t>(count));
  }

  int socket_;
};

std::string submission(const stay_request& stay, const std::string& token) {
  const auto request = booking_request_for(stay, {});
  const auto& tenant = request.tenant;
  const auto body =
      "{\"externalId\":\"" + request.external_id + "\",\"bookingId\":\"" + *request.reference +
      "\",\"checkInDate\":\"" + domain::to_string(request.check_in) + "\",\"checkOutDate\":\"" +
      domain::to_string(request.check_out) +
      "\",\"numberOfExtraTenants\":0,\"platformProviderPaymentValue\":650.5,\"otaCommissionValue\":35,"
      "\"tenant\":{\"firstName\":\"" +
      tenant.first_name + "\",\"lastName\":\"" + *tenant.last_name + "\",\"email\":\"" + tenant.email +
      "\",\"fiscalId\":\"" + *tenant.fiscal_id + "\",\"phone\":\"" + *tenant.phone + "\",\"nationality\":\"" +
      *tenant.nationality + "\"}}";
  return std::string("POST /") + platform_name +
         "/bookings HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
         token + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class http_client final : public blocking_client {
public:
  explicit http_client(const server_address& server) : server_(server) {}

  decision decide(const stay_request& stay, clock::time_point deadline) override {
    decision decided;
    const auto start = clock::now();
    const auto request = submission(stay, server_.token);
    while (!is_accepted(request, decided)) {
      ++decided.retries;
      std::this_thread::sleep_for(server_retry_interval);
      if (clock::now() >= deadline) break;
    }
    decided.result = outcome::unknown;
    decided.time.waiting = clock::now() - start;
    return decided;
  }

private:
  bool is_accepted(const std::string& request, decision& decided) {
    try {
      if (!connection_) connection_ = std::make_unique<http_connection>(server_.port);
      const int status = connection_->exchange(request);
      if (status == 201) return true;
      if (status != 503) throw std::logic_error("the server responded with status " + std::to_string(status));
      ++decided.errors; // overloaded, or not yet the writer
    } catch (const std::runtime_error&) {
      connection_.reset();
      ++decided.errors;
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

constexpr store::query decisions_query{
    "lab_decided", "select cast(reference as text), state, cast(decided_at as text) from booking_requests",
    nullptr, 3};

struct stored_decision {
  outcome result{};
  domain::timestamp at{};
};

void wait_until_decided(store::session& db) {
  auto before = store::requests_by_state(db).pending;
  for (auto deadline = clock::now() + progress_timeout; before > 0;) {
    std::this_thread::sleep_for(50ms);
    const auto now = store::requests_by_state(db).pending;
    if (now < before) deadline = clock::now() + progress_timeout;
    if (clock::now() > deadline) throw std::runtime_error("the server stopped deciding requests");
    before = now;
  }
}

/// Returns decisions by request number. Repeated requests are dropped, so the first decision counts.
std::unordered_map<std::uint64_t, stored_decision> decided_by_number(store::session& db) {
  std::unordered_map<std::uint64_t, stored_decision> decisions;
  db.internals().read_rows(decisions_query, {}, [&](const store::row& row) {
    const auto reference = domain::parse_uuid(*row[0]);
    stored_decision decision{*row[1] == "Success" ? outcome::booked : outcome::refused, {}};
    if (*row[1] == "Dropped" || !reference || !store::read_cell(*row[2], decision.at)) return;
    decisions.emplace(number_of(*reference), decision);
  });
  return decisions;
}

} // namespace

std::unique_ptr<strategy> make_http_strategy(const server_address& server) {
  return std::make_unique<http_strategy>(server);
}

void read_decisions(store::session& db, history& operations, clock::time_point started) {
  wait_until_decided(db);
  const auto decided = decided_by_number(db);
  // The database uses this machine's clock, truncated to milliseconds.
  const auto offset = std::chrono::system_clock::now().time_since_epoch() - clock::now().time_since_epoch();
  for (auto& each : operations) {
    const auto it = decided.find(each.request.number);
    if (it == decided.end()) continue;
    const auto at = clock::time_point{it->second.at.time_since_epoch() + 1ms - offset};
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(at - started).count();
    each.result = it->second.result;
    each.time.deciding = std::chrono::nanoseconds{std::max<std::int64_t>(0, since - each.returned)};
    each.returned = std::max(each.returned, since);
  }
}

} // namespace roost::contention
