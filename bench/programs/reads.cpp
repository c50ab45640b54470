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

/// An open loop of HTTP reads on 127.0.0.1: requests are due at a fixed rate, whether or not earlier ones
/// have been answered, and latency counts from the moment at which a request was due.
///
/// usage: bench_reads PORT PATH TOKEN RATE SECONDS CONNECTIONS
///
/// Prints JSON of one line: "answers", "errors", "unanswered", "seconds", the latencies "p50_us", "p90_us",
/// "p99_us", "p99_9_us", "max_us", and "late_p99_us", by how much the client itself was late where a
/// connection was free. SIGINT and SIGTERM end it early: it prints what it has measured.
namespace roost::bench {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto patience = 5s; ///< for what is under way at the end

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

/// One keep-alive connection with at most one request under way.
class connection {
public:
  using done = std::function<void(connection&, bool is_good)>;

  connection(asio::io_context& io, const options& given, const std::string& request, done when_done)
      : socket_(io), request_(request), done_(std::move(when_done)) {
    socket_.connect({asio::ip::address_v4::loopback(), given.port});
    socket_.set_option(tcp::no_delay{true});
  }

  void ask(clock::time_point due) {
    due_ = due;
    asio::async_write(socket_, asio::buffer(request_), [this](auto error, std::size_t) {
      if (error) return done_(*this, false);
      asio::async_read_until(socket_, answer_, "\r\n\r\n",
                             [this](auto failed, std::size_t head) { take_head(failed, head); });
    });
  }

  clock::time_point due() const { return due_; }

private:
  void take_head(const boost::system::error_code& error, std::size_t size) {
    if (error) return done_(*this, false);
    const std::string_view head{static_cast<const char*>(answer_.data().data()), size};
    const bool is_good = head.starts_with("HTTP/1.1 200 ");
    constexpr std::string_view name = "Content-Length: ";
    std::size_t body = 0;
    if (const auto at = head.find(name); at != std::string_view::npos)
      std::from_chars(head.data() + at + name.size(), head.data() + head.size(), body);
    answer_.consume(size);
    const auto missing = body > answer_.size() ? body - answer_.size() : 0;
    asio::async_read(socket_, answer_, asio::transfer_exactly(missing),
                     [this, is_good, body](auto failed, std::size_t) {
                       if (failed) return done_(*this, false);
                       answer_.consume(body);
                       done_(*this, is_good);
                     });
  }

  tcp::socket socket_;
  const std::string& request_;
  done done_;
  asio::streambuf answer_;
  clock::time_point due_;
};

class open_loop {
public:
  explicit open_loop(const options& given)
      : given_(given), signals_(io_, SIGINT, SIGTERM), timer_(io_),
        request_("GET " + given.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " +
                 given.token + "\r\n\r\n") {
    for (std::size_t i = 0; i < given.connections; ++i) {
      connections_.push_back(std::make_unique<connection>(
          io_, given, request_, [this](connection& each, bool is_good) { take_response(each, is_good); }));
      free_.push_back(connections_.back().get());
    }
  }

  void run() {
    signals_.async_wait([this](auto error, int) {
      if (!error) io_.stop();
    });
    started_ = clock::now();
    end_ =
        started_ + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(given_.seconds));
    wait_for_next();
    io_.run();
    stopped_ = std::min(clock::now(), end_);
  }

  void print() const {
    auto all = found_.latencies, late = found_.lateness;
    std::ranges::sort(all);
    std::ranges::sort(late);
    const auto us = [](const std::vector<std::int64_t>& from, double percent) {
      if (from.empty()) return 0.0;
      const auto place = static_cast<std::size_t>(percent / 100 * static_cast<double>(from.size() - 1));
      return static_cast<double>(from[place]) / 1000;
    };
    std::cout << "{\"answers\":" << all.size() << ",\"errors\":" << found_.errors
              << ",\"unanswered\":" << given_.connections - free_.size() - found_.errors + waiting_.size()
              << ",\"seconds\":" << std::chrono::duration<double>(stopped_ - started_).count()
              << ",\"p50_us\":" << us(all, 50) << ",\"p90_us\":" << us(all, 90)
              << ",\"p99_us\":" << us(all, 99) << ",\"p99_9_us\":" << us(all, 99.9)
              << ",\"max_us\":" << us(all, 100) << ",\"late_p99_us\":" << us(late, 99) << "}\n";
  }

private:
  clock::time_point due(std::int64_t number) const {
    return started_ + std::chrono::nanoseconds{
                          static_cast<std::int64_t>(static_cast<double>(number) * 1e9 / given_.rate)};
  }

  void wait_for_next() {
    timer_.expires_at(due(next_));
    timer_.async_wait([this](auto error) {
      if (error) return;
      for (const auto now = clock::now(); due(next_) <= now && due(next_) < end_; ++next_) start(due(next_));
      if (due(next_) < end_) return wait_for_next();
      timer_.expires_after(patience); // for what is still under way
      is_over_ = true;
      if (is_idle()) return io_.stop();
      timer_.async_wait([this](auto cancelled) {
        if (!cancelled) io_.stop();
      });
    });
  }

  void start(clock::time_point when) {
    if (free_.empty()) return waiting_.push_back(when);
    auto* chosen = free_.front();
    free_.pop_front();
    found_.lateness.push_back((clock::now() - when).count());
    chosen->ask(when);
  }

  void take_response(connection& from, bool is_good) {
    if (!is_good) { // the connection is not used again
      ++found_.errors;
    } else {
      found_.latencies.push_back((clock::now() - from.due()).count());
      if (waiting_.empty()) {
        free_.push_back(&from);
      } else {
        from.ask(waiting_.front());
        waiting_.pop_front();
      }
    }
    if (is_over_ && is_idle()) io_.stop();
  }

  bool is_idle() const { return waiting_.empty() && free_.size() + found_.errors == connections_.size(); }

  const options given_;
  asio::io_context io_{1};
  asio::signal_set signals_;
  asio::steady_timer timer_;
  const std::string request_;
  std::vector<std::unique_ptr<connection>> connections_;
  std::deque<connection*> free_;
  std::deque<clock::time_point> waiting_; ///< due, and without a free connection
  clock::time_point started_, end_, stopped_;
  std::int64_t next_ = 0;
  bool is_over_ = false;
  result found_;
};

std::optional<options> read(int count, char** words) {
  if (count != 7) return std::nullopt;
  try {
    options given{static_cast<unsigned short>(std::stoul(words[1])),
                  words[2],
                  words[3],
                  std::stod(words[4]),
                  std::stod(words[5]),
                  std::stoul(words[6])};
    if (given.rate > 0 && given.seconds > 0 && given.connections > 0) return given;
  } catch (const std::logic_error&) { // no number
  }
  return std::nullopt;
}

int run(int count, char** words) {
  const auto given = read(count, words);
  if (!given) {
    std::cerr << "usage: bench_reads PORT PATH TOKEN RATE SECONDS CONNECTIONS\n";
    return 2;
  }
  try {
    open_loop load{*given};
    load.run();
    load.print();
  } catch (const std::exception& failed) {
    std::cerr << "bench_reads: " << failed.what() << '\n';
    return 1;
  }
  return 0;
}

} // namespace
} // namespace roost::bench

int main(int count, char** words) { return roost::bench::run(count, words); }
