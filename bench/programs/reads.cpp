#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// An open loop of HTTP reads on 127.0.0.1: requests are due at a fixed rate, regardless of earlier
/// responses, and latency counts from the time at which a request was due.
///
/// usage: bench_reads PORT PATH TOKEN RATE SECONDS CONNECTIONS
///
/// Prints one line of JSON: "responses", "errors", "unanswered", "seconds", the latencies "p50_us", "p90_us",
/// "p99_us", "p99_9_us", "max_us", and "late_p99_us", the delay of the client itself when a connection was
/// free. SIGINT and SIGTERM end it early: it prints the results so far.
namespace roost::bench {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto drain_timeout = 5s; ///< for requests in progress at the end

struct options {
  unsigned short port = 0;
  std::string path, token;
  double rate = 0, seconds = 0;
  std::size_t connections = 0;
};

struct result {
  std::vector<std::int64_t> latencies, lateness; ///< nanoseconds
  std::size_t errors = 0;
};

/// A keep-alive connection with at most one request in progress.
class connection {
public:
  using completion = std::function<void(connection&, bool succeeded)>;

  connection(asio::io_context& io, const options& options, const std::string& request, completion complete)
      : socket_(io), request_(request), complete_(std::move(complete)) {
    socket_.connect({asio::ip::address_v4::loopback(), options.port});
    socket_.set_option(tcp::no_delay{true});
  }

  void send(clock::time_point due) {
    due_ = due;
    asio::async_write(socket_, asio::buffer(request_), [this](auto error, std::size_t) {
      if (error) return complete_(*this, false);
      asio::async_read_until(socket_, response_, "\r\n\r\n",
                             [this](auto error, std::size_t head) { read_head(error, head); });
    });
  }

  clock::time_point due() const { return due_; }

private:
  void read_head(const boost::system::error_code& error, std::size_t size) {
    if (error) return complete_(*this, false);
    const std::string_view head{static_cast<const char*>(response_.data().data()), size};
    const bool succeeded = head.starts_with("HTTP/1.1 200 ");
    constexpr std::string_view name = "Content-Length: ";
    std::size_t body = 0;
    if (const auto at = head.find(name); at != std::string_view::npos)
      std::from_chars(head.data() + at + name.size(), head.data() + head.size(), body);
    response_.consume(size);
    const auto missing = body > response_.size() ? body - response_.size() : 0;
    asio::async_read(socket_, response_, asio::transfer_exactly(missing),
                     [this, succeeded, body](auto error, std::size_t) {
                       if (error) return complete_(*this, false);
                       response_.consume(body);
                       complete_(*this, succeeded);
                     });
  }

  tcp::socket socket_;
  const std::string& request_;
  completion complete_;
  asio::streambuf response_;
  clock::time_point due_;
};

class open_loop {
public:
  explicit open_loop(const options& options)
      : options_(options), signals_(io_, SIGINT, SIGTERM), timer_(io_),
        request_("GET " + options.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " +
                 options.token + "\r\n\r\n") {
    for (std::size_t i = 0; i < options.connections; ++i) {
      connections_.push_back(std::make_unique<connection>(
          io_, options, request_,
          [this](connection& connection, bool succeeded) { handle_response(connection, succeeded); }));
      free_.push_back(connections_.back().get());
    }
  }

  void run() {
    signals_.async_wait([this](auto error, int) {
      if (!error) io_.stop();
    });
    started_ = clock::now();
    end_ = started_ +
           std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(options_.seconds));
    wait_for_next();
    io_.run();
    stopped_ = std::min(clock::now(), end_);
  }

  void print() const {
    auto latencies = result_.latencies, lateness = result_.lateness;
    std::ranges::sort(latencies);
    std::ranges::sort(lateness);
    const auto us = [](const std::vector<std::int64_t>& sorted, double percent) {
      if (sorted.empty()) return 0.0;
      const auto index = static_cast<std::size_t>(percent / 100 * static_cast<double>(sorted.size() - 1));
      return static_cast<double>(sorted[index]) / 1000;
    };
    std::cout << "{\"responses\":" << latencies.size() << ",\"errors\":" << result_.errors
              << ",\"unanswered\":" << options_.connections - free_.size() - result_.errors + waiting_.size()
              << ",\"seconds\":" << std::chrono::duration<double>(stopped_ - started_).count()
              << ",\"p50_us\":" << us(latencies, 50) << ",\"p90_us\":" << us(latencies, 90)
              << ",\"p99_us\":" << us(latencies, 99) << ",\"p99_9_us\":" << us(latencies, 99.9)
              << ",\"max_us\":" << us(latencies, 100) << ",\"late_p99_us\":" << us(lateness, 99) << "}\n";
  }

private:
  clock::time_point due(std::int64_t number) const {
    return started_ + std::chrono::nanoseconds{
                          static_cast<std::int64_t>(static_cast<double>(number) * 1e9 / options_.rate)};
  }

  void wait_for_next() {
    timer_.expires_at(due(next_));
    timer_.async_wait([this](auto error) {
      if (error) return;
      for (const auto now = clock::now(); due(next_) <= now && due(next_) < end_; ++next_) start(due(next_));
      if (due(next_) < end_) return wait_for_next();
      timer_.expires_after(drain_timeout);
      has_ended_ = true;
      if (is_idle()) return io_.stop();
      timer_.async_wait([this](auto cancelled) {
        if (!cancelled) io_.stop();
      });
    });
  }

  void start(clock::time_point due) {
    if (free_.empty()) return waiting_.push_back(due);
    auto* connection = free_.front();
    free_.pop_front();
    result_.lateness.push_back((clock::now() - due).count());
    connection->send(due);
  }

  void handle_response(connection& connection, bool succeeded) {
    if (!succeeded) { // do not reuse the connection
      ++result_.errors;
    } else {
      result_.latencies.push_back((clock::now() - connection.due()).count());
      if (waiting_.empty()) {
        free_.push_back(&connection);
      } else {
        connection.send(waiting_.front());
        waiting_.pop_front();
      }
    }
    if (has_ended_ && is_idle()) io_.stop();
  }

  bool is_idle() const { return waiting_.empty() && free_.size() + result_.errors == connections_.size(); }

  const options options_;
  asio::io_context io_{1};
  asio::signal_set signals_;
  asio::steady_timer timer_;
  const std::string request_;
  std::vector<std::unique_ptr<connection>> connections_;
  std::deque<connection*> free_;
  std::deque<clock::time_point> waiting_; ///< times of due requests without a free connection
  clock::time_point started_, end_, stopped_;
  std::int64_t next_ = 0;
  bool has_ended_ = false;
  result result_;
};

std::optional<options> parse(int count, char** words) {
  if (count != 7) return std::nullopt;
  try {
    options parsed{static_cast<unsigned short>(std::stoul(words[1])),
                   words[2],
                   words[3],
                   std::stod(words[4]),
                   std::stod(words[5]),
                   std::stoul(words[6])};
    if (parsed.rate > 0 && parsed.seconds > 0 && parsed.connections > 0) return parsed;
  } catch (const std::logic_error&) { // not a number
  }
  return std::nullopt;
}

int run(int count, char** words) {
  const auto options = parse(count, words);
  if (!options) {
    std::cerr << "usage: bench_reads PORT PATH TOKEN RATE SECONDS CONNECTIONS\n";
    return 2;
  }
  try {
    open_loop load{*options};
    load.run();
    load.print();
  } catch (const std::exception& error) {
    std::cerr << "bench_reads: " << error.what() << '\n';
    return 1;
  }
  return 0;
}

} // namespace
} // namespace roost::bench

int main(int count, char** words) { return roost::bench::run(count, words); }
