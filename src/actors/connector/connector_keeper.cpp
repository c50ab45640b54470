#include "actors/connector/connector_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"

#include <caf/stateful_actor.hpp>

#include <map>
#include <optional>
#include <type_traits>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes between_deletions{10};
constexpr std::chrono::hours kept_after_the_end{24}; // a code that is used again ends its connection so long
constexpr std::chrono::hours unused_client_lives{1};
constexpr std::chrono::days disused_client_lives{90};
constexpr std::size_t deleted_at_once = 1'000;
constexpr std::size_t max_cached_clients = 10'000;

std::string metric_of(const store::token_outcome& outcome) {
  const auto* why = std::get_if<store::token_refusal>(&outcome);
  return why ? std::string(store::to_string(*why)) : "granted";
}

/// Whether a connection has just ended by this.
bool ends_connection(const store::token_outcome& outcome) {
  const auto* why = std::get_if<store::token_refusal>(&outcome);
  return why && (*why == store::token_refusal::reused || *why == store::token_refusal::used);
}

} // namespace

/// What the connector counts, logs and registers. Thread-safe.
class connector_events {
public:
  explicit connector_events(const connector_setup& setup)
      : setup_(setup), registered_(registrations("registered")), too_many_(registrations("too_many")),
        codes_(setup.registry->counter("roost_connector_codes_total",
                                       "Authorization codes that landlords gave")),
        ended_(setup.registry->counter("roost_connections_ended_total",
                                       "Connections that were ended before their time")) {
    for (const auto* grant : {"authorization_code", "refresh_token"}) {
      add_tokens(grant, "granted");
      for (const auto why : store::token_refusals) add_tokens(grant, std::string(store::to_string(why)));
    }
  }

  void client_registered(const std::string& id) const {
    registered_.increment();
    log::info("connector_client_registered", {{"client", id}});
  }
  void clients_full() const {
    too_many_.increment();
    log::warn("connector_clients_full", {{"most", setup_.max_clients}});
  }
  void code_issued(const store::authorization_code& code) const {
    codes_.increment();
    log::info("connection_approved", {{"client", code.client_id}, {"user", domain::to_string(code.user_id)}});
  }
  void tokens_requested(const char* grant, const store::token_outcome& outcome,
                        const domain::uuid& connection) const {
    const auto result = metric_of(outcome);
    tokens_.at({grant, result}).increment();
    if (ends_connection(outcome))
      connection_ended(connection,
                       result == "used" ? "authorization_code_replayed" : "connection_token_reused");
  }
  void connection_ended(const domain::uuid& id, std::string_view event) const {
    setup_.ended->end_session(id, setup_.now() + setup_.access_token);
    ended_.increment();
    log::info(event, {{"connection", domain::to_string(id)}});
  }

private:
  metrics::counter registrations(const char* result) const {
    return setup_.registry->counter("roost_connector_registrations_total", "Clients that registered",
                                    {{"result", result}});
  }
  void add_tokens(const std::string& grant, const std::string& result) {
    tokens_.emplace(std::pair{grant, result},
                    setup_.registry->counter("roost_connector_tokens_total",
                                             "Requests for an assistant's tokens, by what they were worth",
                                             {{"grant", grant}, {"result", result}}));
  }

  const connector_setup setup_;
  const metrics::counter registered_, too_many_, codes_, ended_;
  std::map<std::pair<std::string, std::string>, metrics::counter> tokens_;
};

namespace {

class keeper_state {
public:
  static constexpr const char* name = "connector_keeper";
  using self_pointer = connector_keeper::stateful_pointer<keeper_state>;

  void open(self_pointer self, connector_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    events_.emplace(setup_);
    open_commit();
    self_->delayed_send(self_, between_deletions, delete_old_connections{});
  }

  caf::result<tokens_granted> refresh(refresh_connection& asked) {
    return commit_.add(std::move(asked.shown), asked.deadline);
  }

  /// Repeats without delay while there is more.
  void delete_old() {
    const auto lease = setup_.lease->current();
    const auto again = [this] { self_->delayed_send(self_, between_deletions, delete_old_connections{}); };
    if (setup_.on_hold || !lease) return again();
    in_storage(
        self_, setup_.storage, "delete_old_connections",
        [lease = *lease, now = setup_.now(), clients = setup_.clients](store::session& db) {
          auto deleted = store::delete_old_connections(db, lease, now - kept_after_the_end, deleted_at_once);
          deleted += store::delete_old_clients(db, lease, now, now - unused_client_lives,
                                               now - disused_client_lives, deleted_at_once);
          if (deleted > 0) clients->clear(); // some of them may be gone
          return deleted;
        },
        [this, again](std::int64_t deleted) {
          if (deleted >= static_cast<std::int64_t>(deleted_at_once))
            self_->send(self_, delete_old_connections{});
          else
            again();
        },
        [again](storage_error) { again(); });
  }

private:
  using refresh_commit =
      request_commit<std::remove_pointer_t<self_pointer>, store::connection_refresh, tokens_granted>;

  void open_commit() {
    refresh_commit::setup with;
    with.kind = "refresh_connections";
    with.lanes = {setup_.storage};
    with.lease = setup_.lease;
    with.sizes = setup_.registry->histogram("roost_connection_refresh_group_size",
                                            "Refreshes of connections in one commit", {},
                                            {1, 2, 5, 10, 20, 50, 100, 200, 500});
    with.begin = [this]() -> refresh_commit::work {
      return [terms = store::refresh_terms{setup_.now(), setup_.grace, setup_.refresh_token},
              may = setup_.may_use_tools](store::session& db, const store::lease& lease,
                                          const std::vector<store::connection_refresh>& wanted) {
        std::vector<tokens_granted> granted;
        for (auto& each : store::refresh_connections(db, lease, wanted, may, terms))
          granted.push_back({std::move(each)});
        return granted;
      };
    };
    commit_.open(self_, std::move(with), [this](const auto& shown, const tokens_granted& done) {
      events_->tokens_requested("refresh_token", done.outcome, shown.id);
    });
  }

  self_pointer self_ = nullptr;
  connector_setup setup_;
  std::optional<connector_events> events_;
  refresh_commit commit_;
};

connector_keeper::behavior_type
connector_keeper_behavior(connector_keeper::stateful_pointer<keeper_state> self, connector_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {[&state](refresh_connection& asked) { return state.refresh(asked); },
          [&state](delete_old_connections) { state.delete_old(); }};
}

/// For functions that need not touch the store.
asio::awaitable<shared_client> ready(shared_client client) { co_return client; }

} // namespace

connector_keeper spawn_connector_keeper(runtime& rt, connector_setup setup) {
  return rt.spawn_at(0, connector_keeper_behavior, std::move(setup));
}

shared_client client_cache::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto cached = clients_.find(id);
  return cached == clients_.end() ? nullptr : cached->second;
}

shared_client client_cache::add(store::oauth_client client) {
  auto shared = std::make_shared<const store::oauth_client>(std::move(client));
  const std::lock_guard lock(mutex_);
  if (clients_.size() >= max_cached_clients) clients_.clear();
  clients_.insert_or_assign(shared->id, shared);
  return shared;
}

void client_cache::clear() {
  const std::lock_guard lock(mutex_);
  clients_.clear();
}

connection_repository::connection_repository(connector_setup setup)
    : lane_(setup.storage), setup_(std::move(setup)) {
  setup_.storage = nullptr;
  events_ = std::make_shared<const connector_events>(setup_);
}

asio::awaitable<shared_client> connection_repository::register_client(store::oauth_client client) const {
  client.created_at = setup_.now();
  return in_store(writing(), "register_client",
                  [events = events_, clients = setup_.clients, limit = setup_.max_clients,
                   client = std::move(client)](auto& db, auto& lease) -> shared_client {
                    auto registered = store::register_client(db, lease, client, limit);
                    if (!registered) {
                      events->clients_full();
                      return nullptr;
                    }
                    events->client_registered(registered->id);
                    return clients->add(*std::move(registered));
                  });
}

asio::awaitable<shared_client> connection_repository::find_client(std::string id) const {
  if (auto cached = setup_.clients->find(id)) return ready(std::move(cached));
  return in_store(lane_, "find_client",
                  [clients = setup_.clients, id = std::move(id)](store::session& db) -> shared_client {
                    auto found = store::find_client(db, id);
                    return found ? clients->add(*std::move(found)) : nullptr;
                  });
}

asio::awaitable<bool> connection_repository::issue_code(store::authorization_code code) const {
  code.created_at = setup_.now();
  code.expires_at = code.created_at + setup_.code;
  return in_store(writing(), "issue_code", [events = events_, code = std::move(code)](auto& db, auto& lease) {
    const bool done = store::issue_code(db, lease, code);
    if (done) events->code_issued(code);
    return done;
  });
}

asio::awaitable<store::token_outcome>
connection_repository::exchange_code(store::code_exchange presented) const {
  return in_store(writing(), "exchange_code",
                  [events = events_, presented = std::move(presented), may = setup_.may_use_tools,
                   now = setup_.now(), lifetime = setup_.refresh_token](auto& db, auto& lease) {
                    auto done = store::exchange_code(db, lease, presented, may, now, lifetime);
                    events->tokens_requested("authorization_code", done.outcome, done.code_id);
                    return std::move(done.outcome);
                  });
}

asio::awaitable<std::vector<store::connection>> connection_repository::list(const domain::uuid& user) const {
  return in_store(lane_, "live_connections", [user, now = setup_.now()](store::session& db) {
    std::vector<store::connection> connections;
    for (auto& each : store::live_connections(db, now, user))
      connections.push_back(std::move(each.connection));
    return connections;
  });
}

asio::awaitable<bool> connection_repository::end_of(const domain::uuid& user, const domain::uuid& id) const {
  return in_store(writing(), "end_connection",
                  [events = events_, user, id, now = setup_.now()](auto& db, auto& lease) {
                    const bool done = store::end_connection_of(db, lease, user, id, now);
                    if (done) events->connection_ended(id, "connection_ended");
                    return done;
                  });
}

} // namespace roost::actors
