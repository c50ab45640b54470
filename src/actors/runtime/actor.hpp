#pragma once

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_actor.hpp>

#include <type_traits>

/// The basis of an actor's messages and of its state.
namespace roost::actors {

/// Never called: argument-dependent lookup finds it for the types of this namespace, which marks them as
/// messages that never leave the process, so that CAF needs no code to serialize them.
template <typename Message>
void stays_in_process(const Message&);

/// The base of an actor's state, which defines `name` and `open(…)`. runtime::spawn_at() calls `open` when
/// the actor starts; it returns the actor's behavior.
template <typename Actor>
class actor_state {
public:
  using actor_type = Actor;
  using behavior = typename Actor::behavior_type;
  using self_pointer = typename Actor::base*;

  explicit actor_state(self_pointer self) : self_(self) {}

protected:
  const self_pointer self_;
};

} // namespace roost::actors

template <typename Message>
requires requires(const Message& message) { stays_in_process(message); }
struct caf::allowed_unsafe_message_type<Message> : std::true_type {};
