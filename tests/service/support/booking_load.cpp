#include "service/support/booking_load.hpp"

#include "service/support/partner.hpp"
#include "service/support/random_reference.hpp"

#include <rapidjson/document.h>

#include <algorithm>
#include <stdexcept>

namespace roost::testing {

namespace {

using clock = std::chrono::steady_clock;

constexpr int longest_stay = 5;

domain::date today() { return std::chrono::floor<domain::days>(std::chrono::system_clock::now()); }

int between(std::mt19937& random, int least, int greatest) {
  return std::uniform_int_distribution<int>{least, greatest}(random);
}

} // namespace

std::string wanted_stay::json() const {
  return R"({"checkInDate":")" + domain::to_string(check_in) + R"(","checkOutDate":")" +
         domain::to_string(check_out) + R"(","externalId":"u)" + std::to_string(unit) + R"(","bookingId":")" +
         reference + R"(","platformProviderPaymentValue":650,)" +
         R"("tenant":{"firstName":"Eva","email":"eva@tenant.example"}})";
}

std::string submission::request_id() const {
  rapidjson::Document receipt;
  receipt.Parse(got->body.c_str());
  return receipt["identifiers"][0]["id"].GetString();
}

/// One connection at a time, one submission after the other.
class booking_load::client {
public:
  client(booking_load& of, std::uint32_t seed) : load_(of), random_(seed) {}

  void run() {
    bool refused = false;
    while (const auto port = load_.next_port(generation_, refused)) {
      refused = !connect(port);
      if (refused) continue;
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

  wanted_stay next_stay() {
    constexpr int repeats_answered = 5, repeats_unanswered = 60; // per cent
    const int repeats = unanswered_ ? repeats_unanswered : repeats_answered;
    if (!stays_.empty() && between(random_, 0, 99) < repeats)
      return unanswered_ ? stays_.back()
                         : stays_[static_cast<std::size_t>(between(random_, 0, int(stays_.size()) - 1))];
    wanted_stay stay;
    stay.unit = static_cast<unsigned>(between(random_, 1, static_cast<int>(load_.settings_.units)));
    stay.check_in = today() + domain::days{between(random_, 2, load_.settings_.horizon_days)};
    stay.check_out = stay.check_in + domain::days{between(random_, 1, longest_stay)};
    stay.reference = random_reference(random_);
    stays_.push_back(stay);
    return stay;
  }

  void submit(const wanted_stay& stay) {
    submission made{.stay = stay, .got = {}};
    const auto started = clock::now();
    connection_->send(to_request(
        "POST", "/marketplace-a/bookings",
        {{"Authorization", "Bearer " + load_.settings_.token}, {"Content-Type", "application/json"}},
        stay.json()));
    made.got = connection_->receive(false, load_.settings_.answer_patience);
    made.took = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - started);
    unanswered_ = !made.got;
    made.timed_out = unanswered_ && made.took >= load_.settings_.answer_patience;
    if (unanswered_ || made.got->header("connection") == "close") connection_.reset();
    load_.record(std::move(made));
  }

  booking_load& load_;
  std::mt19937 random_;
  std::uint64_t generation_ = 0;
  std::optional<raw_client> connection_;
  std::uint16_t connected_to_ = 0;
  std::vector<wanted_stay> stays_;
  bool unanswered_ = false; ///< the last submission
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

void booking_load::aim_at(std::uint16_t port) {
  const std::lock_guard lock(mutex_);
  port_ = port;
  ++generation_;
  changed_.notify_all();
}

std::uint16_t booking_load::next_port(std::uint64_t& generation, bool wait_for_newer) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return over_ || (port_ != 0 && !(wait_for_newer && generation == generation_)); });
  generation = generation_;
  return over_ ? 0 : port_;
}

bool booking_load::pause() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, settings_.pause, [this] { return over_; });
  return !over_;
}

void booking_load::record(submission made) {
  const std::lock_guard lock(mutex_);
  made_.push_back(std::move(made));
  changed_.notify_all();
}

std::size_t booking_load::answered_with(unsigned status) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(made_, [&](const auto& made) { return made.got && made.got->status == status; }));
}

bool booking_load::wait_for_more(unsigned status, std::size_t count,
                                 std::chrono::milliseconds patience) const {
  const auto deadline = clock::now() + patience;
  std::unique_lock lock(mutex_);
  auto next = made_.size();
  while (count > 0) {
    for (; next < made_.size() && count > 0; ++next)
      if (made_[next].got && made_[next].got->status == status) --count;
    if (count > 0 && changed_.wait_until(lock, deadline) == std::cv_status::timeout) return false;
  }
  return true;
}

std::vector<submission> booking_load::finish() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    changed_.notify_all();
  }
  for (auto& client : clients_) client.join();
  clients_.clear();
  const std::lock_guard lock(mutex_);
  if (!failures_.empty()) throw std::runtime_error("a client failed: " + failures_.front());
  return made_;
}

} // namespace roost::testing
