#include "lab_service.hpp"

#include "actors/runtime/clock.hpp"
#include "workload.hpp"

#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <stdexcept>
#include <thread>

namespace roost::contention {

namespace {

using namespace std::chrono_literals;

constexpr auto lease_time = 1h; // longer than any load: it is not renewed

actors::platform_list lab_platforms() {
  domain::platform platform;
  platform.name = platform.prefix = platform_name;
  platform.kind = domain::platform_kind::marketplace_a;
  return std::make_shared<const std::vector<domain::platform>>(1, platform);
}

} // namespace

lab_service::lab_service(const std::string& store_url)
    : platforms_(lab_platforms()), storage_(runtime_, store_url, 4, registry_),
      lease_(take_lease(store_url)) {
  load_portfolio(store_url);
}

lab_service::~lab_service() {
  {
    caf::scoped_actor self{runtime_.system()};
    self->request(follower_, 30s, actors::end_calendars{}).receive([] {}, [](const caf::error&) {});
  }
  caf::anon_send_exit(follower_, caf::exit_reason::user_shutdown);
  follower_ = nullptr;
  storage_.stop();
}

store::lease lab_service::take_lease(const std::string& store_url) {
  store::session db(store_url);
  const auto taken = store::try_acquire(db, "contention", lease_time);
  if (!taken) throw std::runtime_error("another server holds the store's lease");
  held_->take(taken->held, actors::held_lease::clock::now() + lease_time, taken->position);
  return taken->held;
}

void lab_service::load_portfolio(const std::string& store_url) {
  actors::follower_setup setup;
  setup.store_url = store_url;
  setup.actor_registry.platforms = platforms_;
  setup.actor_registry.now = actors::system_now;
  setup.actor_registry.is_notified = [](const std::string& role) { return role == "Admin"; };
  setup.lease = held_;
  setup.followed = followed_;
  setup.directory = &directory_;
  follower_ = actors::spawn_change_follower(runtime_, std::move(setup));
  caf::anon_send(follower_, actors::poll_changes{});
  // The directory is published shortly before the position that it reflects; decisions need both.
  for (const auto deadline = actors::held_lease::clock::now() + 120s; followed_->is_empty();) {
    if (actors::held_lease::clock::now() > deadline)
      throw std::runtime_error("the portfolio was not loaded within 120 s");
    std::this_thread::sleep_for(2ms);
  }
}

} // namespace roost::contention
