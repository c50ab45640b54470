#include "actors/sessions/session_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"

#include <caf/stateful_actor.hpp>

#include <map>
#include <type_traits>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes between_deletions{10};
constexpr std::chrono::hours kept_after_the_end{24}; // for so long an expired one is reported as expired
constexpr std::size_t deleted_at_once = 1'000;

std::string_view event_of(store::refresh_result result) {
  using enum store::refresh_result;
  switch (result) {
  case rotated:
    return "rotated";
  case repeated:
    return "repeated";
  case unknown:
    return "unknown";
  case ended:
    return "ended";
  case reused:
    return "reused";
  case user_gone:
    return "user_gone";
  }
  return "unknown";
}

metrics::counter ended_counter(metrics::registry& registry) {
  return registry.counter("roost_sessions_ended_total", "Sessions that were signed out");
}

/// Registers, counts and logs the end of a session. Thread-safe.
void note_end(const session_setup& setup, const domain::uuid& id, std::string_view event) {
  setup.ended->end_session(id, setup.now() + setup.access_token);
  ended_counter(*setup.registry).increment();
  log::info(event, {{"session", domain::to_string(id)}});
}

class keeper_state {
public:
  static constexpr const char* name = "session_keeper";
  using self_pointer = session_keeper::stateful_pointer<keeper_state>;

  void open(self_pointer self, session_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    open_commit();
    using enum store::refresh_result;
    for (const auto each : {rotated, repeated, unknown, ended, reused, user_gone})
      refreshes_.emplace(each, setup_.registry->counter("roost_session_refreshes_total",
                                                        "Refresh tokens that came, by what they were worth",
                                                        {{"result", std::string(event_of(each))}}));
    ended_counter(*setup_.registry); // exists from the start
    self_->delayed_send(self_, between_deletions, delete_old_sign_ins{});
  }

  caf::result<store::refresh_outcome> refresh(refresh_session& wanted) {
    return commit_.add(std::move(wanted.shown), wanted.deadline);
  }

  /// Repeats without delay while there is more.
  void delete_old() {
    setup_.ended->forget_old(setup_.now());
    const auto lease = setup_.lease->current();
    const auto again = [this] { self_->delayed_send(self_, between_deletions, delete_old_sign_ins{}); };
    if (setup_.on_hold || !lease) return again();
    in_storage(
        self_, setup_.storage, "delete_old_sign_ins",
        [lease = *lease, before = setup_.now() - kept_after_the_end](store::session& db) {
          return store::delete_old_sign_ins(db, lease, before, deleted_at_once);
        },
        [this, again](std::int64_t deleted) {
          if (deleted >= static_cast<std::int64_t>(deleted_at_once))
            self_->send(self_, delete_old_sign_ins{});
          else
            again();
        },
        [again](storage_error) { again(); });
  }

private:
  using refresh_commit =
      request_commit<std::remove_pointer_t<self_pointer>, store::session_refresh, store::refresh_outcome>;

  void open_commit() {
    refresh_commit::setup with;
    with.kind = "refresh_sessions";
    with.lanes = {setup_.storage};
    with.lease = setup_.lease;
    with.sizes = setup_.registry->histogram("roost_refresh_group_size", "Refreshes in one commit", {},
                                            {1, 2, 5, 10, 20, 50, 100, 200, 500});
    with.begin = [this]() -> refresh_commit::work {
      return [now = setup_.now(), grace = setup_.grace](store::session& db, const store::lease& lease,
                                                        const std::vector<store::session_refresh>& wanted) {
        return store::refresh_sessions(db, lease, wanted, now, grace);
      };
    };
    commit_.open(self_, std::move(with),
                 [this](const auto& shown, const auto& outcome) { note_refresh(shown, outcome); });
  }

  void note_refresh(const store::session_refresh& shown, const store::refresh_outcome& outcome) {
    refreshes_.at(outcome.result).increment();
    if (outcome.result == store::refresh_result::reused)
      note_end(setup_, shown.session_id, "refresh_token_reused");
  }

  self_pointer self_ = nullptr;
  session_setup setup_;
  std::map<store::refresh_result, metrics::counter> refreshes_;
  refresh_commit commit_;
};

session_keeper::behavior_type session_keeper_behavior(session_keeper::stateful_pointer<keeper_state> self,
                                                      session_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {[&state](refresh_session& wanted) { return state.refresh(wanted); },
          [&state](delete_old_sign_ins) { state.delete_old(); }};
}

/// Ends a session with `work` (session&, lease& → bool).
template <typename Work>
asio::awaitable<bool> end_one(const storage_lane& lane, const session_setup& setup, const domain::uuid& id,
                              Work work) {
  return in_store(leased_lane{lane, setup.lease}, "end_session",
                  [setup, id, work = std::move(work)](store::session& db, const store::lease& lease) {
                    const bool done = work(db, lease);
                    if (done) note_end(setup, id, "session_ended");
                    return done;
                  });
}

} // namespace

session_keeper spawn_session_keeper(runtime& rt, session_setup setup) {
  return rt.spawn_at(0, session_keeper_behavior, std::move(setup));
}

session_repository::session_repository(session_setup setup) : lane_(setup.storage), setup_(std::move(setup)) {
  setup_.storage = nullptr;
}

asio::awaitable<bool> session_repository::end(const domain::uuid& id) const {
  return end_one(lane_, setup_, id, [id, now = setup_.now()](auto& db, auto& lease) {
    return store::end_session(db, lease, id, store::session_end::logout, now);
  });
}

asio::awaitable<bool> session_repository::end_of(const domain::uuid& user, const domain::uuid& id) const {
  return end_one(lane_, setup_, id, [user, id, now = setup_.now()](auto& db, auto& lease) {
    return store::end_session_of(db, lease, user, id, now);
  });
}

asio::awaitable<std::vector<store::session_row>> session_repository::list(const domain::uuid& user) const {
  return in_store(lane_, "live_sessions", [user, now = setup_.now()](store::session& db) {
    std::vector<store::session_row> sessions;
    for (auto& each : store::live_sessions(db, now, user)) sessions.push_back(std::move(each.session));
    return sessions;
  });
}

asio::awaitable<std::optional<store::session_row>>
session_repository::find(store::session_refresh presented) const {
  return in_store(lane_, "find_session",
                  [presented = std::move(presented), now = setup_.now(), grace = setup_.grace](auto& db) {
                    return store::find_session(db, presented, now, grace);
                  });
}

} // namespace roost::actors
