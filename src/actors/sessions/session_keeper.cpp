#include "actors/sessions/session_keeper.hpp"

#include "actors/runtime/request_groups.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"

#include <caf/stateful_actor.hpp>

#include <map>
#include <type_traits>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes between_deletions{10};
constexpr std::chrono::hours kept_after_the_end{24}; // what expired is told as expired for so long
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

class keeper_state {
public:
  static constexpr const char* name = "session_keeper";
  using self_pointer = session_keeper::stateful_pointer<keeper_state>;
  template <typename Answer>
  using promise = caf::typed_response_promise<Answer>;

  void open(self_pointer self, session_keeper_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    open_groups();
    using enum store::refresh_result;
    for (const auto each : {rotated, repeated, unknown, ended, reused, user_gone})
      refreshes_.emplace(each, setup_.registry->counter("roost_session_refreshes_total",
                                                        "Refresh tokens that came, by what they were worth",
                                                        {{"result", std::string(event_of(each))}}));
    ended_ = setup_.registry->counter("roost_sessions_ended_total", "Sessions that were signed out");
    self_->delayed_send(self_, between_deletions, delete_old_sign_ins{});
  }

  caf::result<store::refresh_outcome> refresh(refresh_session& wanted) {
    return groups_.add(std::move(wanted.shown), wanted.deadline);
  }

  caf::result<session_ended> end(const end_session& wanted) {
    return end_one(wanted.session_id, [id = wanted.session_id, now = setup_.now()](auto& db, auto& lease) {
      return store::end_session(db, lease, id, store::session_end::logout, now);
    });
  }

  caf::result<session_ended> end_own(const end_own_session& wanted) {
    return end_one(wanted.session_id, [wanted, now = setup_.now()](auto& db, auto& lease) {
      return store::end_session_of(db, lease, wanted.user_id, wanted.session_id, now);
    });
  }

  caf::result<session_list> list(const list_sessions& wanted) {
    return answer_with<session_list>("live_sessions", [user = wanted.user_id, now = setup_.now()](auto& db) {
      session_list found;
      for (auto& each : store::live_sessions(db, now, user))
        found.sessions.push_back(std::move(each.session));
      return found;
    });
  }

  caf::result<shown_session> show(const show_session& wanted) {
    return answer_with<shown_session>(
        "find_session", [shown = wanted.shown, now = setup_.now(), grace = setup_.grace](auto& db) {
          return shown_session{store::find_session(db, shown, now, grace)};
        });
  }

  /// Once more soon where there is more.
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
  using refresh_groups =
      request_groups<std::remove_pointer_t<self_pointer>, store::session_refresh, store::refresh_outcome>;

  void open_groups() {
    refresh_groups::setup with{"refresh_sessions", setup_.storage, setup_.lease, {}, {}, {}};
    with.sizes = setup_.registry->histogram("roost_refresh_group_size", "Refreshes in one commit", {},
                                            {1, 2, 5, 10, 20, 50, 100, 200, 500});
    with.begin = [this]() -> refresh_groups::work {
      return [now = setup_.now(), grace = setup_.grace](store::session& db, const store::lease& lease,
                                                        const std::vector<store::session_refresh>& wanted) {
        return store::refresh_sessions(db, lease, wanted, now, grace);
      };
    };
    with.settled = [this](const auto& shown, const auto& outcome) { note_refresh(shown, outcome); };
    groups_.open(self_, std::move(with));
  }

  /// Runs `work(session&)` and delivers what it returns.
  template <typename Answer, typename Work>
  caf::result<Answer> answer_with(const char* kind, Work work) {
    auto answer = self_->template make_response_promise<Answer>();
    in_storage(
        self_, setup_.storage, kind, [work = std::move(work)](store::session& db) { return work(db); },
        [answer](Answer found) mutable { answer.deliver(std::move(found)); },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, deadline_of_responses());
    return answer;
  }

  template <typename Work>
  caf::result<session_ended> end_one(const domain::uuid& id, Work work) {
    auto answer = self_->template make_response_promise<session_ended>();
    const auto lease = setup_.lease->current();
    if (!lease) {
      answer.deliver(make_error(storage_error::lease_lost));
      return answer;
    }
    in_storage(
        self_, setup_.storage, "end_session",
        [lease = *lease, work = std::move(work)](store::session& db) { return work(db, lease); },
        [this, id, answer](bool done) mutable {
          if (done) note_end(id, "session_ended");
          answer.deliver(session_ended{done});
        },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, deadline_of_responses());
    return answer;
  }

  static deadline deadline_of_responses() { return deadline::in(std::chrono::seconds{10}); }

  void note_end(const domain::uuid& id, std::string_view event) {
    setup_.ended->end_session(id, setup_.now() + setup_.access_token);
    ended_.increment();
    log::info(event, {{"session", domain::to_string(id)}});
  }

  void note_refresh(const store::session_refresh& shown, const store::refresh_outcome& outcome) {
    refreshes_.at(outcome.result).increment();
    if (outcome.result == store::refresh_result::reused) note_end(shown.session_id, "refresh_token_reused");
  }

  self_pointer self_ = nullptr;
  session_keeper_setup setup_;
  std::map<store::refresh_result, metrics::counter> refreshes_;
  metrics::counter ended_;
  refresh_groups groups_;
};

session_keeper::behavior_type session_keeper_behavior(session_keeper::stateful_pointer<keeper_state> self,
                                                      session_keeper_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {[&state](refresh_session& wanted) { return state.refresh(wanted); },
          [&state](const end_session& wanted) { return state.end(wanted); },
          [&state](const end_own_session& wanted) { return state.end_own(wanted); },
          [&state](const list_sessions& wanted) { return state.list(wanted); },
          [&state](const show_session& wanted) { return state.show(wanted); },
          [&state](delete_old_sign_ins) { state.delete_old(); }};
}

} // namespace

session_keeper spawn_session_keeper(runtime& rt, session_keeper_setup setup) {
  return rt.spawn_at(0, session_keeper_behavior, std::move(setup));
}

} // namespace roost::actors
