#include "service/office_support/office_load.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <stdexcept>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr auto office_response_timeout = 15s;
constexpr auto office_pause = 2ms;

struct connection_refused : std::exception {};

std::unique_ptr<raw_client> connect(std::uint16_t port) {
  try {
    return std::make_unique<raw_client>(port);
  } catch (const std::runtime_error&) {
    throw connection_refused{};
  }
}

http_exchange exchange_with(std::uint16_t port) {
  return [port](const http_call& call) {
    const auto connection = connect(port);
    connection->send(to_request(call.method, call.path, call.fields, call.body));
    return connection->receive(false, office_response_timeout);
  };
}

} // namespace

office_load::office_load(office_settings settings) : settings_(std::move(settings)) {
  for (unsigned i = 0; i < settings_.clients; ++i) members_.push_back(std::make_unique<member>(settings_, i));
  for (auto& each : members_) threads_.emplace_back([this, &each] { run(*each); });
}

office_load::~office_load() { finish(); }

void office_load::run(member& self) {
  while (!stopped_) {
    const unsigned run = run_;
    if (const std::uint16_t port = port_) {
      try {
        if (self.checked_run == run)
          self.user.act(exchange_with(port));
        else if (self.user.check_reads(exchange_with(port), office_user::depth::single_bookings))
          self.checked_run = run;
      } catch (const connection_refused&) { // the server is not there any more
      } catch (const std::exception& error) {
        self.user.report(error.what());
      }
    }
    std::this_thread::sleep_for(office_pause);
  }
}

void office_load::set_port(std::uint16_t port) {
  if (port != 0) ++run_;
  port_ = port;
}

bool office_load::has_checked() const {
  return std::ranges::all_of(members_, [&](const auto& each) { return each->checked_run == run_; });
}

office_counts office_load::acknowledged() const {
  office_counts sum;
  for (const auto& each : members_) {
    const auto counts = each->user.acknowledged();
    sum.blocks += counts.blocks;
    sum.moved_blocks += counts.moved_blocks;
    sum.freed_blocks += counts.freed_blocks;
    sum.bookings += counts.bookings;
    sum.moves += counts.moves;
    sum.cancellations += counts.cancellations;
  }
  return sum;
}

void office_load::finish() {
  stopped_ = true;
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

bool office_load::check_reads(std::uint16_t port) {
  return std::ranges::all_of(members_, [&](const auto& each) {
    return each->user.check_reads(exchange_with(port), office_user::depth::lists);
  });
}

std::vector<std::string> office_load::differences(store::session& db) const {
  const auto bookings = read_bookings(db);
  const auto blocks = read_office_blocks(db);
  auto all = nights_sold_twice(bookings, blocks);
  for (const auto& each : members_)
    std::ranges::move(each->user.differences(bookings, blocks), std::back_inserter(all));
  return all;
}

std::string to_string(const office_counts& counts) {
  return std::to_string(counts.blocks) + " blocks, " + std::to_string(counts.moved_blocks) + " moved, " +
         std::to_string(counts.freed_blocks) + " deleted; " + std::to_string(counts.bookings) +
         " bookings by hand, " + std::to_string(counts.moves) + " bookings moved, " +
         std::to_string(counts.cancellations) + " cancelled";
}

} // namespace roost::testing
