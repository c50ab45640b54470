#pragma once

#include "actors/runtime/run_meter.hpp"

#include <caf/mailbox_element.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/stateful_actor.hpp>

#include <algorithm>
#include <atomic>

namespace roost::actors {

/// Messages in the mailbox that the actor has not begun with. Only during its run.
std::size_t mailbox_depth(caf::scheduled_actor& actor);

namespace detail {

template <typename State, typename Base>
const char* state_name(const caf::stateful_actor<State, Base>*) {
  if constexpr (requires { State::name; })
    return State::name;
  else
    return "unnamed";
}
inline const char* state_name(const void*) { return "unnamed"; }

} // namespace detail

/// The time at which one message of a mailbox was sent; others pass meanwhile.
class sampled_message {
public:
  void sent(const caf::mailbox_element* which) {
    std::uintptr_t none = 0;
    if (!which_.compare_exchange_strong(none, being_set, std::memory_order_acquire)) return;
    at_ = meter::clock::now();
    which_.store(reinterpret_cast<std::uintptr_t>(which), std::memory_order_release);
  }

  void taken(const caf::mailbox_element& which, const actor_type& by) {
    if (which_.load(std::memory_order_acquire) != reinterpret_cast<std::uintptr_t>(&which)) return;
    meter::count_wait(by, meter::clock::now() - at_);
    which_.store(0, std::memory_order_release);
  }

private:
  static constexpr std::uintptr_t being_set = 1;
  std::atomic<std::uintptr_t> which_{0};
  meter::clock::time_point at_;
};

/// An actor whose runs and messages are counted by its type, under every scheduler and on a thread of its
/// own.
template <typename Actor>
class measured final : public Actor {
public:
  explicit measured(caf::actor_config& config) : Actor(config) {
    type().alive.fetch_add(1, std::memory_order_relaxed);
  }
  ~measured() override { type().alive.fetch_sub(1, std::memory_order_relaxed); }
  measured(const measured&) = delete;
  measured& operator=(const measured&) = delete;

  using Actor::enqueue;
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* from) override {
    if (meter::is_measuring() && meter::is_sampled()) sample_.sent(message.get());
    Actor::enqueue(std::move(message), from);
  }

  caf::resumable::resume_result resume(caf::execution_unit* on, std::size_t max_messages) override {
    if (!meter::is_on()) return Actor::resume(on, max_messages);
    const meter::run counted{type()};
    return Actor::resume(on, max_messages);
  }

  using Actor::consume;
  caf::invoke_message_result consume(caf::mailbox_element& message) override {
    if (auto* thread = meter::this_thread(); thread && meter::is_on()) {
      ++thread->messages;
      thread->depth = std::max(thread->depth, static_cast<std::uint32_t>(mailbox_depth(*this) + 1));
      const auto& content = std::as_const(message).content();
      thread->message.store(content.empty() ? nullptr : content.type(0).second, std::memory_order_relaxed);
      sample_.taken(message, type());
    }
    return Actor::consume(message);
  }

private:
  static actor_type& type() {
    static auto& known = meter::type_named(detail::state_name(static_cast<const Actor*>(nullptr)));
    return known;
  }

  sampled_message sample_;
};

} // namespace roost::actors
