#include "simulation/clients/simulated_client.hpp"

#include "bytes/ascii.hpp"
#include "support/raw_client.hpp"

#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// A client gives up on a response after this time.
constexpr auto response_patience = 20s;

} // namespace

/// A request that was sent. It may outlive the client's patience.
struct simulated_client::exchange {
  std::optional<simulated_response> response;
  std::function<void()> is_over;
  bool is_abandoned = false;
};

void simulated_client::act() {
  if (is_running_ || is_done()) return;
  if (std::exchange(era_, history_.era()) != era_) start_anew();
  if (now() < acts_at_ && !(awaited_ && awaited_->response)) return;
  resume();
  if (!life_->is_done()) return;
  try {
    life_->rethrow();
  } catch (const contradiction&) {
    if (history_.is_trusted() && era_ == history_.era()) throw;
    start_anew();
  }
}

void simulated_client::start_anew() {
  life_.reset();
  waiting_ = {};
  if (const auto sent = std::exchange(awaited_, {})) {
    sent->is_abandoned = true;
    if (sent->response && sent->is_over) sent->is_over();
  }
  acts_at_ = now() + between(1ms, 100ms);
  forget();
}

void simulated_client::resume() {
  is_running_ = true;
  acts_at_ = time_point::max();
  if (!life_) {
    life_.emplace(live());
    life_->start();
  } else {
    std::exchange(waiting_, {}).resume();
  }
  is_running_ = false;
}

client_task<simulated_response> simulated_client::ask(std::string purpose, http_call call,
                                                      std::function<void()> is_over) {
  const auto server = favourite_ && chance(80) ? *favourite_ : any(history_.servers());
  const auto sent = std::make_shared<exchange>();
  sent->is_over = std::move(is_over);
  tell("asks server " + std::to_string(server + 1) + ' ' + purpose);
  history_.send(server, to_request(call.method, call.path, call.fields, call.body),
                [sent](simulated_response response) {
                  sent->response = std::move(response);
                  if (sent->is_abandoned && sent->is_over) sent->is_over();
                });
  if (!sent->response) {
    awaited_ = sent;
    co_await wait(response_patience);
    awaited_.reset();
  }
  if (!sent->response) sent->is_abandoned = true;
  if (sent->response && sent->is_over) sent->is_over();
  auto response = sent->response ? std::move(*sent->response) : simulated_response{};
  favourite_ =
      response.status == 0 || response.status == 503 ? std::nullopt : std::optional<std::size_t>{server};
  tell("gets " + std::to_string(response.status) + " for its request " + purpose);
  co_return response;
}

client_task<simulated_response> simulated_client::insist(std::string purpose, http_call call) {
  for (;;) {
    auto response = co_await ask(purpose, call);
    if (response.status != 0 && response.status != 503) co_return response;
    co_await wait(between(100ms, 1s));
  }
}

bool simulated_client::was_abandoned(const simulated_response& response, time_point sent_at) {
  return response.status == 0 && now() >= sent_at + response_patience;
}

simulated_client::duration simulated_client::between(duration min, duration max) {
  return min + duration{static_cast<duration::rep>(history_.random() %
                                                   static_cast<std::uint64_t>((max - min).count() + 1))};
}

std::string field_of(const simulated_response& response, std::string_view name) {
  for (const auto& [field, value] : response.fields)
    if (ascii::equal_ignoring_case(field, name)) return value;
  return {};
}

} // namespace roost::testing
