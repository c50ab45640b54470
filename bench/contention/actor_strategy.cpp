#include "actor_strategy.hpp"

#include "group_decider.hpp"
#include "requests.hpp"

#include "actors/runtime/clock.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace roost::contention {

namespace {

class actor_client final : public client {
public:
  actor_client(group_decider decider, depth how_much) : decider_(std::move(decider)), depth_(how_much) {}

  /// Waits without end: the decider decides every request, also after the store was away.
  decision decide(const stay& wanted, clock::time_point) override {
    const auto asked = std::make_shared<ticket>();
    asked->wanted = wanted;
    if (depth_ == depth::whole) asked->request = request_of(wanted, actors::system_now());
    const auto start = clock::now();
    caf::anon_send(decider_, decide_stay{asked});
    asked->is_told.wait(0);
    auto made = asked->made;
    made.time = {asked->begun - start, asked->decided - asked->begun, clock::now() - asked->decided};
    return made;
  }

private:
  const group_decider decider_;
  const depth depth_;
};

class actor_strategy final : public strategy {
public:
  actor_strategy(service_world& world, depth how_much)
      : system_(world.runtime().system()), decider_(spawn_group_decider(world, how_much)), depth_(how_much) {}

  ~actor_strategy() override {
    caf::anon_send_exit(decider_, caf::exit_reason::user_shutdown);
    caf::scoped_actor self{system_};
    self->wait_for(decider_);
  }

  std::unique_ptr<client> connect() override { return std::make_unique<actor_client>(decider_, depth_); }

private:
  caf::actor_system& system_;
  group_decider decider_;
  const depth depth_;
};

} // namespace

std::unique_ptr<strategy> make_actor_strategy(service_world& world, depth how_much) {
  return std::make_unique<actor_strategy>(world, how_much);
}

} // namespace roost::contention
