#include "actors/sessions/session_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"

#include <array>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes deletion_interval{10};
constexpr std::chrono::hours retention_after_expiry{24}; // meanwhile, they are reported as expired
constexpr std::size_t max_deleted_per_batch = 1'000;

/// By store::refresh_result.
constexpr std::array<const char*, 6> result_names{"rotated", "repeated", "unknown",
                                                  "ended",   "reused",   "user_gone"};

metrics::counter ended_counter(metrics::registry& registry) {
  return registry.counter("roost_sessions_ended_total", "Sessions that ended by sign-out or token reuse");
}

/// Registers, counts and logs the end of a session. Thread-safe.
void record_end(const session_setup& setup, const domain::uuid& id, std::string_view event) {
  setup.ended->end_session(id, setup.now() + setup.access_token);
  ended_counter(*setup.registry).increment();
  log::info(event, {{"session", domain::to_string(id)}});
}

class keeper_state : public actor_state<session_keeper> {
public:
  static constexpr const char* name = "session_keeper";
  using actor_state::actor_state;

  behavior open(session_setup setup) {
    setup_ = std::move(setup);
    open_commit();
    for (std::size_t i = 0; i < result_names.size(); ++i)
      refreshes_[i] =
          setup_.registry->counter("roost_session_refreshes_total", "Refresh tokens presented, by result",
                                   {{"result", result_names[i]}});
    ended_counter(*setup_.registry); // exists from the start
    schedule_deletion();
    return {[this](refresh_session& request) { return refresh(request); },
            [this](delete_old_sign_ins) { delete_old(); }};
  }

  caf::result<store::refresh_outcome> refresh(refresh_session& request) {
    return commit_.add(std::move(request.presented), request.deadline);
  }

  /// Deletes a batch of expired rows; continues without delay while there are more.
  void delete_old() {
    setup_.ended->forget_old(setup_.now());
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease) return schedule_deletion();
    in_storage(
        self_, setup_.storage, "delete_old_sign_ins",
        [lease = *lease, before = setup_.now() - retention_after_expiry](store::session& db) {
          return store::delete_old_sign_ins(db, lease, before, max_deleted_per_batch);
        },
        [this](std::int64_t deleted) {
          if (deleted >= static_cast<std::int64_t>(max_deleted_per_batch))
            self_->send(self_, delete_old_sign_ins{});
          else
            schedule_deletion();
        },
        [this](storage_error) { schedule_deletion(); });
  }

private:
  void schedule_deletion() { self_->delayed_send(self_, deletion_interval, delete_old_sign_ins{}); }

  using refresh_commit = request_commit<session_keeper::base, store::session_refresh, store::refresh_outcome>;

  void open_commit() {
    refresh_commit::setup setup;
    setup.kind = "refresh_sessions";
    setup.lanes = {setup_.storage};
    setup.lease = setup_.lease;
    setup.sizes = setup_.registry->histogram("roost_refresh_group_size", "Refreshes in one commit", {},
                                             {1, 2, 5, 10, 20, 50, 100, 200, 500});
    setup.begin = [this]() -> refresh_commit::work {
      return
          [now = setup_.now(), grace = setup_.grace](store::session& db, const store::lease& lease,
                                                     const std::vector<store::session_refresh>& refreshes) {
            return store::refresh_sessions(db, lease, refreshes, now, grace);
          };
    };
    commit_.open(self_, std::move(setup), [this](const auto& presented, const auto& outcome) {
      refreshes_[static_cast<std::size_t>(outcome.result)].increment();
      if (outcome.result == store::refresh_result::reused)
        record_end(setup_, presented.session_id, "refresh_token_reused");
    });
  }

  session_setup setup_;
  std::array<metrics::counter, result_names.size()> refreshes_; ///< by store::refresh_result
  refresh_commit commit_;
};

/// Ends a session by calling `end(session&, lease&)`, which returns whether the session was live.
template <typename End>
asio::awaitable<bool> end_session(const storage_lane& lane, const session_setup& setup,
                                  const domain::uuid& id, End end) {
  return in_store(leased_lane{lane, setup.lease}, "end_session",
                  [setup, id, end = std::move(end)](store::session& db, const store::lease& lease) {
                    const bool has_ended = end(db, lease);
                    if (has_ended) record_end(setup, id, "session_ended");
                    return has_ended;
                  });
}

} // namespace

session_keeper spawn_session_keeper(runtime& rt, session_setup setup) {
  return rt.spawn_at<keeper_state>(0, std::move(setup));
}

session_repository::session_repository(session_setup setup) : lane_(setup.storage), setup_(std::move(setup)) {
  setup_.storage = nullptr;
}

asio::awaitable<bool> session_repository::end(const domain::uuid& id) const {
  return end_session(lane_, setup_, id, [id, now = setup_.now()](auto& db, auto& lease) {
    return store::end_session(db, lease, id, store::session_end::logout, now);
  });
}

asio::awaitable<bool> session_repository::end_for_user(const domain::uuid& user,
                                                       const domain::uuid& id) const {
  return end_session(lane_, setup_, id, [user, id, now = setup_.now()](auto& db, auto& lease) {
    return store::end_session_of(db, lease, user, id, now);
  });
}

asio::awaitable<std::vector<store::session_row>> session_repository::list(const domain::uuid& user) const {
  return in_store(lane_, "live_sessions", [user, now = setup_.now()](store::session& db) {
    std::vector<store::session_row> sessions;
    for (auto& row : store::live_sessions(db, now, user)) sessions.push_back(std::move(row.session));
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

asio::awaitable<std::vector<store::remembered_browser>>
session_repository::remembered_browsers(const domain::uuid& user) const {
  return in_store(lane_, "remembered_browsers", [user, now = setup_.now()](store::session& db) {
    return store::remembered_browsers_of(db, user, now);
  });
}

asio::awaitable<bool> session_repository::forget_browser(const domain::uuid& user,
                                                         const domain::uuid& id) const {
  return in_store(leased_lane{lane_, setup_.lease}, "forget_browser",
                  [user, id](store::session& db, const store::lease& lease) {
                    const bool is_forgotten = store::forget_browser(db, lease, user, id);
                    if (is_forgotten) log::info("browser_forgotten", {{"user", domain::to_string(user)}});
                    return is_forgotten;
                  });
}

} // namespace roost::actors
