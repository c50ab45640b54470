#include "service/support/booking_load.hpp"

#include "domain/uuid.hpp"
#include "service/support/partner.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <stdexcept>

namespace roost::testing {

namespace {

using clock = std::chrono::steady_clock;

constexpr int max_stay_nights = 5;

domain::date today() { return std::chrono::floor<domain::days>(std::chrono::system_clock::now()); }

int between(std::mt19937& random, int min, int max) {
  return std::uniform_int_distribution<int>{min, max}(random);
}

} // namespace

std::string requested_stay::json() const {
  return R"({"checkInDate":")" + domain::to_string(check_in) + R"(","checkOutDate":")" +
         domain::to_string(check_out) + R"(","externalId":"u)" + std::to_string(unit) + R"(","bookingId":")" +
         reference + R"(","platformProviderPaymentValue":650,)" +
         R"("tenant":{"firstName":"Eva","email":"eva@tenant.example"}})";
}

std::string submission::request_id() const {
  rapidjson::Document receipt;
  receipt.Parse(response->body.c_str());
  return receipt["identifiers"][0]["id"].GetString();
}

/// A client with at most one connection, which submits one stay at a time.
class booking_load::client {
public:
  client(booking_load& load, std::uint32_t seed) : load_(load), random_(seed) {}

  void run() {
    bool is_refused = false;
    while (const auto port = load_.next_port(generation_, is_refused)) {
      is_refused = !connect(port);
      if (is_refused) continue;
      submit(next_stay());
      if (!load_.pause()) return;
    }
  }

private:
  bool connect(std::uint16_t port) {
    if (connection_ && port == connected_to_) return true;
    try {
      connection_.emplace(port);
      connected_to_ = port;
      return true;
    } catch (const std::runtime_error&) {
      connection_.reset();
      return false;
    }
  }

  requested_stay next_stay() {
    constexpr int percent_after_response = 5, percent_without_response = 60;
    const int repeat_percent = unanswered_ ? percent_without_response : percent_after_response;
    if (!stays_.empty() && between(random_, 0, 99) < repeat_percent)
      return unanswered_ ? stays_.back()
                         : stays_[static_cast<std::size_t>(between(random_, 0, int(stays_.size()) - 1))];
    requested_stay stay;
    stay.unit = static_cast<unsigned>(between(random_, 1, static_cast<int>(load_.settings_.units)));
    stay.check_in = today() + domain::days{between(random_, 2, load_.settings_.horizon_days)};
    stay.check_out = stay.check_in + domain::days{between(random_, 1, max_stay_nights)};
    stay.reference = random_reference(random_);
    stays_.push_back(stay);
    return stay;
  }

  void submit(const requested_stay& stay) {
    submission current{.stay = stay, .response = {}};
    const auto started = clock::now();
    connection_->send(to_request(
        "POST", "/marketplace-a/bookings",
        {{"Authorization", "Bearer " + load_.settings_.token}, {"Content-Type", "application/json"}},
        stay.json()));
    current.response = connection_->receive(false, load_.settings_.response_timeout);
    current.duration = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - started);
    unanswered_ = !current.response;
    current.timed_out = unanswered_ && current.duration >= load_.settings_.response_timeout;
    if (unanswered_ || current.response->header("connection") == "close") connection_.reset();
    load_.record(std::move(current));
  }

  booking_load& load_;
  std::mt19937 random_;
  std::uint64_t generation_ = 0;
  std::optional<raw_client> connection_;
  std::uint16_t connected_to_ = 0;
  std::vector<requested_stay> stays_;
  bool unanswered_ = false; ///< the last submission got no response
};

booking_load::booking_load(load_settings settings) : settings_(std::move(settings)) {
  for (unsigned i = 0; i < settings_.clients; ++i)
    clients_.emplace_back([this, seed = settings_.seed * 1'000 + i] {
      try {
        client(*this, seed).run();
      } catch (const std::exception& failure) {
        const std::lock_guard lock(mutex_);
        failures_.emplace_back(failure.what());
      }
    });
}

booking_load::~booking_load() {
  try {
    finish();
  } catch (const std::exception&) { // the test has failed already
  }
}

void booking_load::set_port(std::uint16_t port) {
  const std::lock_guard lock(mutex_);
  port_ = port;
  ++generation_;
  changed_.notify_all();
}

std::uint16_t booking_load::next_port(std::uint64_t& generation, bool wait_for_newer) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return stopped_ || (port_ != 0 && !(wait_for_newer && generation == generation_)); });
  generation = generation_;
  return stopped_ ? 0 : port_;
}

bool booking_load::pause() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, settings_.pause, [this] { return stopped_; });
  return !stopped_;
}

void booking_load::record(submission finished) {
  const std::lock_guard lock(mutex_);
  submissions_.push_back(std::move(finished));
  changed_.notify_all();
}

std::size_t booking_load::response_count(unsigned status) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::ranges::count_if(
      submissions_, [&](const auto& each) { return each.response && each.response->status == status; }));
}

bool booking_load::wait_for_more(unsigned status, std::size_t count,
                                 std::chrono::milliseconds timeout) const {
  const auto deadline = clock::now() + timeout;
  std::unique_lock lock(mutex_);
  auto next = submissions_.size();
  while (count > 0) {
    for (; next < submissions_.size() && count > 0; ++next)
      if (submissions_[next].response && submissions_[next].response->status == status) --count;
    if (count > 0 && changed_.wait_until(lock, deadline) == std::cv_status::timeout) return false;
  }
  return true;
}

std::vector<submission> booking_load::finish() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  for (auto& client : clients_) client.join();
  clients_.clear();
  const std::lock_guard lock(mutex_);
  if (!failures_.empty()) throw std::runtime_error("a client failed: " + failures_.front());
  return submissions_;
}

std::string random_reference(std::mt19937& random) {
  domain::uuid id{};
  for (auto& byte : id.data)
    byte = static_cast<std::uint8_t>(std::uniform_int_distribution<int>{0, 255}(random));
  id.data[6] = static_cast<std::uint8_t>((id.data[6] & 0x0f) | 0x40);
  id.data[8] = static_cast<std::uint8_t>((id.data[8] & 0x3f) | 0x80);
  return domain::to_string(id);
}

} // namespace roost::testing
