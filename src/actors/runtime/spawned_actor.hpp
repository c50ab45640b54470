#pragma once

#include "actors/runtime/run_meter.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>

/// What the runtime adds to the actors that it spawns: failure reports and measurements; and the basis of
/// their messages and states.
namespace roost::actors {

/// Never called: argument-dependent lookup finds it for the types of this namespace, which marks them as
/// messages that never leave the process, so that CAF needs no code to serialize them.
template <typename Message>
void stays_in_process(const Message&);

namespace detail {

/// The state of the actor whose message this thread handles; null if it has none.
inline constinit thread_local void* running_state = nullptr;

} // namespace detail

/// The base of an actor's state, which defines `name` and `open(…)`. runtime::spawn_at() calls `open` when
/// the actor starts; it returns the actor's behavior.
template <typename Actor>
class actor_state {
public:
  using actor_type = Actor;
  using behavior = typename Actor::behavior_type;

  explicit actor_state(typename Actor::base* self) : self_(self) {}

protected:
  /// Returns the state whose message this thread handles. With it, all actors of a state class can share
  /// their handlers: if each of a million calendars had its own, they would take 0.4 GB.
  template <typename State>
  static State& running() {
    return *static_cast<State*>(detail::running_state);
  }

  typename Actor::base* const self_;
};

/// Handles an actor that ended with an error; called on the thread that ran it.
using actor_failure = std::function<void(std::string_view actor, std::string_view error)>;

inline constexpr int actor_failure_status = 70; ///< the process's exit status

/// Logs `actor_failed` and ends the process immediately. Without one of its actors, a part of the service
/// would stop while the rest looks healthy. Nothing is lost: the next start loads everything durable.
[[noreturn]] void end_process(std::string_view actor, std::string_view error);

/// Calls `on_failure`, which must outlive the actor, if an exception or an unexpected error ends `self`.
void report_failures(caf::scheduled_actor* self, const actor_failure& on_failure);

/// Returns the number of waiting messages in the mailbox. To be called during the actor's run.
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

template <typename State, typename Base>
void* state_of(caf::stateful_actor<State, Base>* actor) {
  return &actor->state;
}
inline void* state_of(void*) { return nullptr; }

} // namespace detail

/// Measures the mailbox wait of one message at a time; others pass unmeasured.
class sampled_message {
public:
  void sent(const caf::mailbox_element* message) {
    std::uintptr_t none = 0;
    if (!message_.compare_exchange_strong(none, being_set, std::memory_order_acquire)) return;
    sent_at_ = meter::clock::now();
    message_.store(reinterpret_cast<std::uintptr_t>(message), std::memory_order_release);
  }

  void taken(const caf::mailbox_element& message, const actor_type& type) {
    if (message_.load(std::memory_order_acquire) != reinterpret_cast<std::uintptr_t>(&message)) return;
    meter::count_wait(type, meter::clock::now() - sent_at_);
    message_.store(0, std::memory_order_release);
  }

private:
  static constexpr std::uintptr_t being_set = 1;
  std::atomic<std::uintptr_t> message_{0};
  meter::clock::time_point sent_at_;
};

/// An actor whose runs and messages are counted by type, under every scheduler and on its own thread.
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
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) override {
    if (meter::is_measuring() && meter::is_sampled()) sample_.sent(message.get());
    Actor::enqueue(std::move(message), unit);
  }

  caf::resumable::resume_result resume(caf::execution_unit* unit, std::size_t max_messages) override {
    if (!meter::is_on()) return Actor::resume(unit, max_messages);
    const meter::run counted{type()};
    return Actor::resume(unit, max_messages);
  }

  using Actor::consume;
  caf::invoke_message_result consume(caf::mailbox_element& message) override {
    detail::running_state = detail::state_of(this);
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
    static auto& found = meter::type_named(detail::state_name(static_cast<const Actor*>(nullptr)));
    return found;
  }

  sampled_message sample_;
};

} // namespace roost::actors

template <typename Message>
requires requires(const Message& message) { stays_in_process(message); }
struct caf::allowed_unsafe_message_type<Message> : std::true_type {};
