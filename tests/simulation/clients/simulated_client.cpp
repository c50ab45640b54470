#include "simulation/clients/simulated_client.hpp"

#include "bytes/ascii.hpp"
#include "support/raw_client.hpp"

#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// How long a client waits for a response.
constexpr auto response_patience = 20s;

} // namespace

/// A request in flight. It may outlive the client's wait for the response.
struct simulated_client::exchange {
  std::optional<simulated_response> response;
  std::function<void()> is_over;
  bool is_abandoned = false;
};

void simulated_client::act() {
  if (is_running_ || is_done()) return;
  if (std::exchange(generation_, history_.generation()) != generation_) restart();
  if (now() < next_action_at_ && !(pending_ && pending_->response)) return;
  resume();
  if (!task_->is_done()) return;
  try {
    task_->rethrow();
  } catch (const contradiction&) {
    if (history_.is_trusted() && generation_ == history_.generation()) throw;
    restart();
  }
}

void simulated_client::restart() {
  task_.reset();
  waiting_ = {};
  if (const auto sent = std::exchange(pending_, {})) {
    sent->is_abandoned = true;
    if (sent->response && sent->is_over) sent->is_over();
  }
  next_action_at_ = now() + between(1ms, 100ms);
  forget();
}

void simulated_client::resume() {
  is_running_ = true;
  next_action_at_ = time_point::max();
  if (!task_) {
    task_.emplace(run());
    task_->start();
  } else {
    std::exchange(waiting_, {}).resume();
  }
  is_running_ = false;
}

client_task<simulated_response> simulated_client::ask(std::string purpose, http_call call,
                                                      std::function<void()> is_over) {
  const auto server = preferred_server_ && chance(80) ? *preferred_server_ : random_index(history_.servers());
  const auto sent = std::make_shared<exchange>();
  sent->is_over = std::move(is_over);
  add_to_story("asks server " + std::to_string(server + 1) + ' ' + purpose);
  history_.send(server, to_request(call.method, call.path, call.fields, call.body),
                [sent](simulated_response response) {
                  sent->response = std::move(response);
                  if (sent->is_abandoned && sent->is_over) sent->is_over();
                });
  if (!sent->response) {
    pending_ = sent;
    co_await wait(response_patience);
    pending_.reset();
  }
  if (!sent->response) sent->is_abandoned = true;
  if (sent->response && sent->is_over) sent->is_over();
  auto response = sent->response ? std::move(*sent->response) : simulated_response{};
  preferred_server_ =
      response.status == 0 || response.status == 503 ? std::nullopt : std::optional<std::size_t>{server};
  add_to_story("gets " + std::to_string(response.status) + " for its request " + purpose);
  co_return response;
}

client_task<simulated_response> simulated_client::ask_until_served(std::string purpose, http_call call) {
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
