#include "actors/runtime/ask.hpp"

#include "actors/runtime/run_meter.hpp"

#include <caf/sec.hpp>

namespace roost::actors {

namespace {

struct failure_text {
  const char *name, *description;
};
constexpr std::array<failure_text, ask_failures> texts{{{"timed_out", "no response in time"},
                                                        {"receiver_down", "the actor has ended"},
                                                        {"too_many", "too many asks in flight"},
                                                        {"closed", "shutting down"},
                                                        {"refused", "the actor responded with an error"}}};

const failure_text& describe(ask_failure kind) { return texts[static_cast<std::size_t>(kind)]; }

} // namespace

const char* to_string(ask_failure kind) { return describe(kind).name; }

ask_error::ask_error(ask_failure kind, caf::error reason)
    : std::runtime_error(describe(kind).description), kind_(kind), reason_(std::move(reason)) {}

void ask_port::open(sink& responses, asio::io_context& io, caf::execution_unit& unit,
                    clock::duration time_limit, std::size_t max_in_flight) {
  sink_ = &responses;
  unit_ = &unit;
  time_limit_ = time_limit;
  max_in_flight_ = max_in_flight;
  timer_.emplace(io);
  closed_ = false;
}

void ask_port::close() {
  if (std::exchange(closed_, true)) return;
  while (!pending_.empty()) {
    count(ask_failure::closed);
    if (const auto waiting = take(pending_.begin()->first)) waiting->fail(ask_failure::closed);
  }
  deadlines_.clear();
  timer_.reset();
  cleanup(caf::make_error(caf::exit_reason::user_shutdown), unit_);
}

void ask_port::enqueue(caf::mailbox_element_ptr response, caf::execution_unit*) {
  sink_->take_response(std::move(response));
}

void ask_port::enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
                       caf::execution_unit*) {
  sink_->take_response(caf::make_mailbox_element(std::move(sender), id, {}, std::move(content)));
}

void ask_port::on_response(caf::mailbox_element& response) {
  const auto key = response.mid.integer_value() & ~caf::message_id::answered_flag_mask;
  const auto waiting = take(key);
  if (!waiting) return; // it has timed out
  if (const auto failed = waiting->settle(response.content())) count(*failed);
}

ask_error ask_port::to_error(const caf::type_erased_tuple& content) {
  if (!content.match_elements<caf::error>()) return ask_error{ask_failure::refused};
  auto reason = content.get_as<caf::error>(0);
  const bool down = reason == caf::sec::request_receiver_down || reason.category() == caf::atom("exit");
  const auto kind = down ? ask_failure::receiver_down : ask_failure::refused;
  return ask_error{kind, std::move(reason)};
}

void ask_port::count(ask_failure kind) {
  add_alone(counts_.failed[static_cast<std::size_t>(kind)], std::uint64_t{1});
}

std::optional<ask_failure> ask_port::refusal(const caf::strong_actor_ptr& to) const {
  if (closed_) return ask_failure::closed;
  if (!to || to->get()->getf(is_cleaned_up_flag)) return ask_failure::receiver_down;
  if (pending_.size() >= max_in_flight_) return ask_failure::too_many;
  return std::nullopt;
}

void ask_port::expect_response_to(caf::message_id id) {
  add_alone(counts_.started, std::uint64_t{1});
  counts_.in_flight.store(pending_.size(), std::memory_order_relaxed);
  deadlines_.emplace_back(clock::now() + time_limit_, id.response_id().integer_value());
  if (!armed_) arm_timer();
}

void ask_port::arm_timer() {
  armed_ = true;
  timer_->expires_at(deadlines_.front().first);
  timer_->async_wait([this](boost::system::error_code cancelled) {
    if (cancelled) return;
    armed_ = false;
    expire_overdue();
  });
}

void ask_port::expire_overdue() {
  const auto now = clock::now();
  while (!deadlines_.empty()) {
    const auto [due, key] = deadlines_.front();
    const bool settled = !pending_.contains(key);
    if (!settled && due > now) break;
    deadlines_.pop_front();
    const auto waiting = take(key);
    if (!waiting) continue;
    count(ask_failure::timed_out);
    waiting->fail(ask_failure::timed_out);
  }
  if (!deadlines_.empty() && !armed_ && !closed_) arm_timer();
}

std::unique_ptr<ask_port::pending_ask> ask_port::take(std::uint64_t key) {
  auto node = pending_.extract(key);
  if (!node) return nullptr;
  counts_.in_flight.store(pending_.size(), std::memory_order_relaxed);
  // Responses mostly arrive in order: dropping settled deadlines here keeps the queue as short as the number
  // of asks in flight.
  while (!deadlines_.empty() && !pending_.contains(deadlines_.front().second)) deadlines_.pop_front();
  return std::move(node.mapped());
}

} // namespace roost::actors
