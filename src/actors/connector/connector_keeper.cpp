#include "actors/connector/connector_keeper.hpp"

#include "actors/runtime/request_groups.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"

#include <caf/stateful_actor.hpp>

#include <map>
#include <type_traits>
#include <unordered_map>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes between_deletions{10};
constexpr std::chrono::hours kept_after_the_end{24}; // a code that is used again ends its connection so long
constexpr std::chrono::hours unused_client_lives{1};
constexpr std::chrono::days disused_client_lives{90};
constexpr std::size_t deleted_at_once = 1'000;
constexpr std::size_t max_remembered_clients = 10'000;

std::string metric_of(const store::token_outcome& outcome) {
  const auto* why = std::get_if<store::token_refusal>(&outcome);
  return why ? std::string(store::to_string(*why)) : "granted";
}

/// Whether a connection has just ended by this.
bool ends_connection(const store::token_outcome& outcome) {
  const auto* why = std::get_if<store::token_refusal>(&outcome);
  return why && (*why == store::token_refusal::reused || *why == store::token_refusal::used);
}

class keeper_state {
public:
  static constexpr const char* name = "connector_keeper";
  using self_pointer = connector_keeper::stateful_pointer<keeper_state>;

  void open(self_pointer self, connector_keeper_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    auto& metrics = *setup_.registry;
    registered_ = metrics.counter("roost_connector_registrations_total", "Clients that registered",
                                  {{"result", "registered"}});
    too_many_ = metrics.counter("roost_connector_registrations_total", "Clients that registered",
                                {{"result", "too_many"}});
    codes_ = metrics.counter("roost_connector_codes_total", "Authorization codes that landlords gave");
    ended_ =
        metrics.counter("roost_connections_ended_total", "Connections that were ended before their time");
    for (const auto* grant : {"authorization_code", "refresh_token"}) {
      tokens_.emplace(std::pair{grant, "granted"}, token_counter(grant, "granted"));
      for (const auto why : store::token_refusals)
        tokens_.emplace(std::pair{grant, std::string(store::to_string(why))},
                        token_counter(grant, std::string(store::to_string(why))));
    }
    open_groups();
    self_->delayed_send(self_, between_deletions, delete_old_connections{});
  }

  caf::result<client_registered> register_one(register_client& asked) {
    auto wanted = std::move(asked.wanted);
    wanted.created_at = setup_.now();
    return write<client_registered>(
        "register_client",
        [wanted = std::move(wanted), most = setup_.max_clients](auto& db, auto& lease) {
          return store::register_client(db, lease, wanted, most);
        },
        [this](const std::optional<store::oauth_client>& client) {
          (client ? registered_ : too_many_).increment();
          if (!client) log::warn("connector_clients_full", {{"most", setup_.max_clients}});
          if (!client) return client_registered{};
          log::info("connector_client_registered", {{"client", client->id}});
          return client_registered{remember(*client)};
        });
  }

  caf::result<found_client> find(const find_client& asked) {
    auto answer = self_->make_response_promise<found_client>();
    if (const auto known = clients_.find(asked.id); known != clients_.end()) {
      answer.deliver(found_client{known->second});
      return answer;
    }
    in_storage(
        self_, setup_.storage, "find_client",
        [id = asked.id](store::session& db) { return store::find_client(db, id); },
        [this, answer](const std::optional<store::oauth_client>& found) mutable {
          answer.deliver(found_client{found ? remember(*found) : nullptr});
        },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, deadline_of_responses());
    return answer;
  }

  caf::result<code_issued> issue(issue_code& asked) {
    auto code = std::move(asked.wanted);
    code.created_at = setup_.now();
    code.expires_at = code.created_at + setup_.code;
    const auto client = code.client_id;
    const auto user = code.user_id;
    return write<code_issued>(
        "issue_code",
        [code = std::move(code)](auto& db, auto& lease) { return store::issue_code(db, lease, code); },
        [this, client, user](bool done) {
          if (done) {
            codes_.increment();
            log::info("connection_approved", {{"client", client}, {"user", domain::to_string(user)}});
          }
          return code_issued{done};
        });
  }

  caf::result<tokens_granted> exchange(exchange_code& asked) {
    return write<tokens_granted>(
        "exchange_code",
        [shown = std::move(asked.shown), may = setup_.may_use_tools, now = setup_.now(),
         lifetime = setup_.refresh_token](auto& db, auto& lease) {
          return store::exchange_code(db, lease, shown, may, now, lifetime);
        },
        [this](const store::exchanged& done) {
          note("authorization_code", done.outcome, done.code_id);
          return tokens_granted{done.outcome};
        });
  }

  caf::result<tokens_granted> refresh(refresh_connection& asked) {
    return groups_.add(std::move(asked.shown), asked.deadline);
  }

  caf::result<connection_list> list(const list_connections& wanted) {
    auto answer = self_->make_response_promise<connection_list>();
    in_storage(
        self_, setup_.storage, "live_connections",
        [user = wanted.user_id, now = setup_.now()](store::session& db) {
          connection_list found;
          for (auto& each : store::live_connections(db, now, user))
            found.connections.push_back(std::move(each.connection));
          return found;
        },
        [answer](connection_list found) mutable { answer.deliver(std::move(found)); },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, deadline_of_responses());
    return answer;
  }

  caf::result<connection_ended> end(const end_connection& wanted) {
    return write<connection_ended>(
        "end_connection",
        [wanted, now = setup_.now()](auto& db, auto& lease) {
          return store::end_connection_of(db, lease, wanted.user_id, wanted.id, now);
        },
        [this, id = wanted.id](bool done) {
          if (done) note_end(id, "connection_ended");
          return connection_ended{done};
        });
  }

  /// Once more soon where there is more.
  void delete_old() {
    const auto lease = setup_.lease->current();
    const auto again = [this] { self_->delayed_send(self_, between_deletions, delete_old_connections{}); };
    if (setup_.on_hold || !lease) return again();
    in_storage(
        self_, setup_.storage, "delete_old_connections",
        [lease = *lease, now = setup_.now()](store::session& db) {
          const auto over =
              store::delete_old_connections(db, lease, now - kept_after_the_end, deleted_at_once);
          return over + store::delete_old_clients(db, lease, now, now - unused_client_lives,
                                                  now - disused_client_lives, deleted_at_once);
        },
        [this, again](std::int64_t deleted) {
          if (deleted > 0) clients_.clear(); // some of them may be gone
          if (deleted >= static_cast<std::int64_t>(deleted_at_once))
            self_->send(self_, delete_old_connections{});
          else
            again();
        },
        [again](storage_error) { again(); });
  }

private:
  using refresh_groups =
      request_groups<std::remove_pointer_t<self_pointer>, store::connection_refresh, tokens_granted>;

  void open_groups() {
    refresh_groups::setup with{"refresh_connections", setup_.storage, setup_.lease, {}, {}, {}};
    with.sizes = setup_.registry->histogram("roost_connection_refresh_group_size",
                                            "Refreshes of connections in one commit", {},
                                            {1, 2, 5, 10, 20, 50, 100, 200, 500});
    with.begin = [this]() -> refresh_groups::work {
      return [terms = store::refresh_terms{setup_.now(), setup_.grace, setup_.refresh_token},
              may = setup_.may_use_tools](store::session& db, const store::lease& lease,
                                          const std::vector<store::connection_refresh>& wanted) {
        std::vector<tokens_granted> granted;
        for (auto& each : store::refresh_connections(db, lease, wanted, may, terms))
          granted.push_back({std::move(each)});
        return granted;
      };
    };
    with.settled = [this](const auto& shown, const tokens_granted& done) {
      note("refresh_token", done.outcome, shown.id);
    };
    groups_.open(self_, std::move(with));
  }

  /// Runs `work(session&, lease&)` and delivers what `then` makes of what it returns.
  template <typename Answer, typename Work, typename Then>
  caf::result<Answer> write(const char* kind, Work work, Then then) {
    auto answer = self_->template make_response_promise<Answer>();
    const auto lease = setup_.lease->current();
    if (!lease) {
      answer.deliver(make_error(storage_error::lease_lost));
      return answer;
    }
    in_storage(
        self_, setup_.storage, kind,
        [lease = *lease, work = std::move(work)](store::session& db) { return work(db, lease); },
        [answer, then = std::move(then)](const auto& done) mutable { answer.deliver(then(done)); },
        [answer](storage_error why) mutable { answer.deliver(make_error(why)); }, deadline_of_responses());
    return answer;
  }

  static deadline deadline_of_responses() { return deadline::in(std::chrono::seconds{10}); }

  std::shared_ptr<const store::oauth_client> remember(const store::oauth_client& client) {
    if (clients_.size() >= max_remembered_clients) clients_.clear();
    auto shared = std::make_shared<const store::oauth_client>(client);
    clients_.insert_or_assign(client.id, shared);
    return shared;
  }

  metrics::counter token_counter(const std::string& grant, const std::string& result) {
    return setup_.registry->counter("roost_connector_tokens_total",
                                    "Requests for an assistant's tokens, by what they were worth",
                                    {{"grant", grant}, {"result", result}});
  }

  void note(const char* grant, const store::token_outcome& outcome, const domain::uuid& connection) {
    const auto result = metric_of(outcome);
    tokens_.at({grant, result}).increment();
    if (ends_connection(outcome))
      note_end(connection, result == "used" ? "authorization_code_replayed" : "connection_token_reused");
  }

  void note_end(const domain::uuid& id, std::string_view event) {
    setup_.ended->end_session(id, setup_.now() + setup_.access_token);
    ended_.increment();
    log::info(event, {{"connection", domain::to_string(id)}});
  }

  self_pointer self_ = nullptr;
  connector_keeper_setup setup_;
  metrics::counter registered_, too_many_, codes_, ended_;
  std::map<std::pair<std::string, std::string>, metrics::counter> tokens_;
  refresh_groups groups_;
  std::unordered_map<std::string, std::shared_ptr<const store::oauth_client>> clients_;
};

connector_keeper::behavior_type
connector_keeper_behavior(connector_keeper::stateful_pointer<keeper_state> self,
                          connector_keeper_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {[&state](register_client& asked) { return state.register_one(asked); },
          [&state](const find_client& asked) { return state.find(asked); },
          [&state](issue_code& asked) { return state.issue(asked); },
          [&state](exchange_code& asked) { return state.exchange(asked); },
          [&state](refresh_connection& asked) { return state.refresh(asked); },
          [&state](const list_connections& wanted) { return state.list(wanted); },
          [&state](const end_connection& wanted) { return state.end(wanted); },
          [&state](delete_old_connections) { state.delete_old(); }};
}

} // namespace

connector_keeper spawn_connector_keeper(runtime& rt, connector_keeper_setup setup) {
  return rt.spawn_at(0, connector_keeper_behavior, std::move(setup));
}

} // namespace roost::actors
