#include "actors/sessions/session_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"
#include "store/database/old_rows.hpp"

#include <array>
#include <functional>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes deletion_interval{10};
constexpr std::chrono::hours retention_after_expiry{24}; // meanwhile, they are reported as expired
constexpr std::size_t max_deleted_per_batch = 1'000;

/// By store::refresh_result.
constexpr std::array<const char*, 6> result_names{"rotated", "repeated", "unknown",
                                                  "ended",   "reused",   "user_gone"};

metrics::counter refresh_counter(metrics::registry& registry, store::refresh_result result) {
  return registry.counter("roost_session_refreshes_total", "Refresh tokens presented, by result",
                          {{"result", result_names[static_cast<std::size_t>(result)]}});
}

metrics::counter ended_counter(metrics::registry& registry) {
  return registry.counter("roost_sessions_ended_total", "Sessions that ended by sign-out or token reuse");
}

/// Registers, counts and logs the end of a session. Thread-safe.
void record_end(const session_setup& setup, const domain::uuid& id, std::string_view event,
                const request_origin& origin) {
  setup.ended->end_session(id, setup.access_token, setup.now());
  ended_counter(*setup.registry).increment();
  log::info(
      event,
      {{"session", domain::to_string(id)}, {"remote", origin.address}, {"request_id", origin.request_id}});
}

class keeper_state : public actor_state<session_keeper> {
public:
  static constexpr const char* name = "session_keeper";
  using actor_state::actor_state;

  behavior open(session_setup setup) {
    setup_ = std::move(setup);
    open_commit();
    for (std::size_t i = 0; i < result_names.size(); ++i)
      refreshes_[i] = refresh_counter(*setup_.registry, static_cast<store::refresh_result>(i));
    ended_counter(*setup_.registry); // exists from the start
    schedule_deletion();
    return {[this](refresh_session& request) { return refresh(request); },
            [this](delete_old_sign_ins) { delete_old(); }};
  }

  caf::result<store::refresh_outcome> refresh(refresh_session& request) {
    return commit_.add({std::move(request.presented), std::move(request.request_id)}, request.deadline);
  }

  /// Shortens rows from the future and deletes a batch of expired ones; continues without delay while there
  /// are more.
  void delete_old() {
    setup_.ended->forget_old(setup_.now());
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease) return schedule_deletion();
    in_storage(
        self_, setup_.storage, "delete_old_sign_ins",
        [lease = *lease, now = setup_.now(), is_trusted = setup_.is_time_trusted,
         is_behind = setup_.is_clock_behind, limits = setup_.limits](store::session& db) {
          if (!is_trusted(db, now)) return std::int64_t{0};
          store::old_rows rows(db, lease);
          if (!is_behind(db, now)) store::shorten_sign_ins(rows, now, limits);
          store::delete_old_sign_ins(rows, now - retention_after_expiry, max_deleted_per_batch);
          return rows.finish();
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

  /// What a refresh presents, with its request for the log.
  struct logged_refresh : store::session_refresh {
    std::string request_id;
  };
  using refresh_commit = request_commit<session_keeper::base, logged_refresh, store::refresh_outcome>;

  void open_commit() {
    refresh_commit::setup setup;
    setup.kind = "refresh_sessions";
    setup.lanes = {setup_.storage};
    setup.lease = setup_.lease;
    setup.sizes = setup_.registry->histogram("roost_refresh_group_size", "Refreshes in one commit", {},
                                             {1, 2, 5, 10, 20, 50, 100, 200, 500});
    setup.begin = [this]() -> refresh_commit::work {
      return [now = setup_.now(), grace = setup_.grace](store::session& db, const store::lease& lease,
                                                        const std::vector<logged_refresh>& refreshes) {
        const std::vector<store::session_refresh> presented(refreshes.begin(), refreshes.end());
        return store::refresh_sessions(db, lease, presented, now, grace);
      };
    };
    commit_.open(self_, std::move(setup), [this](const auto& presented, const auto& outcome) {
      refreshes_[static_cast<std::size_t>(outcome.result)].increment();
      if (outcome.result == store::refresh_result::reused)
        record_end(setup_, presented.session_id, "refresh_token_reused",
                   {presented.address, presented.request_id});
    });
  }

  session_setup setup_;
  std::array<metrics::counter, result_names.size()> refreshes_; ///< by store::refresh_result
  refresh_commit commit_;
};

/// Ends a session by calling `end(session&, lease&)`, which returns whether the session was live.
template <typename End>
asio::awaitable<bool> end_session(const storage_lane& lane, const session_setup& setup,
                                  const domain::uuid& id, request_origin origin, End end,
                                  std::string_view event = "session_ended") {
  return in_store(leased_lane{lane, setup.lease}, "end_session",
                  [setup, id, origin = std::move(origin), end = std::move(end),
                   event](store::session& db, const store::lease& lease) {
                    const bool has_ended = end(db, lease);
                    if (has_ended) record_end(setup, id, event, origin);
                    return has_ended;
                  });
}

/// Ends a session whose cookie a page received after the grace period, and counts it like a refresh, because
/// the alert on stolen cookies observes that metric.
asio::awaitable<bool> end_reused(const storage_lane& lane, const session_setup& setup, const domain::uuid& id,
                                 request_origin origin) {
  return end_session(
      lane, setup, id, std::move(origin),
      [id, now = setup.now(), registry = setup.registry](auto& db, auto& lease) {
        const bool has_ended = store::end_session(db, lease, id, store::session_end::reuse, now);
        if (has_ended) refresh_counter(*registry, store::refresh_result::reused).increment();
        return has_ended;
      },
      "refresh_token_reused");
}

} // namespace

session_keeper spawn_session_keeper(runtime& rt, session_setup setup) {
  return rt.spawn_at<keeper_state>(0, std::move(setup));
}

session_repository::session_repository(session_setup setup) : lane_(setup.storage), setup_(std::move(setup)) {
  setup_.storage = nullptr;
}

asio::awaitable<bool> session_repository::end(const domain::uuid& id, request_origin origin) const {
  return end_session(
      lane_, setup_, id, std::move(origin), [id, now = setup_.now(), setup = setup_](auto& db, auto& lease) {
        const bool was_live = store::end_session(db, lease, id, store::session_end::logout, now);
        // Another process may have ended it just before: requests after the response must know it, too.
        if (!was_live) setup.ended->end_session(id, setup.access_token, now);
        return was_live;
      });
}

asio::awaitable<bool> session_repository::end_for_user(const domain::uuid& user, const domain::uuid& id,
                                                       request_origin origin) const {
  return end_session(lane_, setup_, id, std::move(origin),
                     [user, id, now = setup_.now()](auto& db, auto& lease) {
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

asio::awaitable<std::optional<store::session_row>> session_repository::find(store::session_refresh presented,
                                                                            request_origin origin) const {
  const auto id = presented.session_id;
  std::function<store::presented_session(store::session&)> read =
      [presented = std::move(presented), now = setup_.now(), grace = setup_.grace](store::session& db) {
        return store::find_session(db, presented, now, grace);
      };
  auto found = co_await in_store(lane_, "find_session", std::move(read));
  if (found.result == store::refresh_result::reused)
    co_await end_reused(lane_, setup_, id, std::move(origin));
  co_return std::move(found.session);
}

asio::awaitable<std::vector<store::connection>>
session_repository::connections_of_reset(std::string token_hash) const {
  return in_store(lane_, "connections_of_reset",
                  [token_hash = std::move(token_hash), now = setup_.now()](store::session& db) {
                    std::vector<store::connection> connections;
                    const auto user = store::user_of_reset(db, token_hash, now);
                    if (!user) return connections;
                    for (auto& row : store::live_connections(db, now, user->id))
                      connections.push_back(std::move(row.connection));
                    return connections;
                  });
}

asio::awaitable<std::vector<store::remembered_browser>>
session_repository::remembered_browsers(const domain::uuid& user) const {
  return in_store(lane_, "remembered_browsers", [user, now = setup_.now()](store::session& db) {
    return store::remembered_browsers_of(db, user, now);
  });
}

asio::awaitable<bool> session_repository::forget_browser(const domain::uuid& user, const domain::uuid& id,
                                                         request_origin origin) const {
  return in_store(leased_lane{lane_, setup_.lease}, "forget_browser",
                  [user, id, origin = std::move(origin)](store::session& db, const store::lease& lease) {
                    const bool is_forgotten = store::forget_browser(db, lease, user, id);
                    if (is_forgotten)
                      log::info("browser_forgotten", {{"user", domain::to_string(user)},
                                                      {"remote", origin.address},
                                                      {"request_id", origin.request_id}});
                    return is_forgotten;
                  });
}

} // namespace roost::actors
