#include "actors/connector/connector_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "actors/sessions/ended_connections.hpp"
#include "log/log.hpp"
#include "store/database/old_rows.hpp"

#include <optional>

namespace roost::actors {

namespace {

constexpr std::chrono::minutes deletion_interval{10};
constexpr std::chrono::hours retention_after_end{24}; // meanwhile, reusing a code ends its connection
constexpr std::chrono::hours unused_client_retention{1};
constexpr std::chrono::days idle_client_retention{90};
constexpr std::size_t max_deleted_per_batch = 1'000;
constexpr std::size_t max_cached_clients = 10'000;

} // namespace

/// Counts and logs what happens to clients and connections, and registers ended connections. Thread-safe.
class connector_events {
public:
  explicit connector_events(const connector_setup& setup)
      : setup_(setup), registered_(registrations("registered")), replaced_(registrations("replaced")),
        too_many_(registrations("too_many")),
        codes_(setup.registry->counter("roost_connector_codes_total",
                                       "Authorization codes issued to assistants")),
        ended_(ended_connections_counter(*setup.registry)) {
    // RoostConnectionsReused needs these from the start.
    for (const auto* grant : {"authorization_code", "refresh_token"})
      for (const auto* result : {"used", "reused"}) tokens(grant, result);
  }

  void client_registered(const std::string& id, const std::vector<std::string>& evicted,
                         const request_origin& origin) const {
    (evicted.empty() ? registered_ : replaced_).increment();
    log::info("connector_client_registered",
              {{"client", id}, {"remote", origin.address}, {"request_id", origin.request_id}});
    for (const auto& each : evicted)
      log::warn("connector_client_evicted", {{"client", each},
                                             {"most", setup_.max_clients},
                                             {"remote", origin.address},
                                             {"request_id", origin.request_id}});
  }
  void clients_full(const request_origin& origin) const {
    too_many_.increment();
    log::warn("connector_clients_full",
              {{"most", setup_.max_clients}, {"remote", origin.address}, {"request_id", origin.request_id}});
  }
  void code_issued(const store::authorization_code& code, const request_origin& origin) const {
    codes_.increment();
    log::info("connection_approved", {{"client", code.client_id},
                                      {"user", domain::to_string(code.user_id)},
                                      {"remote", origin.address},
                                      {"request_id", origin.request_id}});
  }
  void tokens_requested(const char* grant, const store::token_outcome& outcome,
                        const domain::uuid& connection, const request_origin& origin) const {
    const auto* refusal = std::get_if<store::token_refusal>(&outcome);
    tokens(grant, std::string(refusal ? domain::to_string(*refusal) : "granted")).increment();
    if (!refusal) return;
    if (*refusal == store::token_refusal::used)
      connection_ended(connection, "authorization_code_replayed", origin);
    if (*refusal == store::token_refusal::reused)
      connection_ended(connection, "connection_token_reused", origin);
  }
  void connection_ended(const domain::uuid& id, std::string_view event, const request_origin& origin) const {
    record_connection_end(*setup_.ended, ended_, id, setup_.access_token, setup_.now(), event, origin);
  }

private:
  metrics::counter registrations(const char* result) const {
    return setup_.registry->counter("roost_connector_registrations_total",
                                    "Registrations of clients, by result", {{"result", result}});
  }
  metrics::counter tokens(const std::string& grant, const std::string& result) const {
    return setup_.registry->counter("roost_connector_tokens_total",
                                    "Requests for an assistant's tokens, by result",
                                    {{"grant", grant}, {"result", result}});
  }

  const connector_setup setup_;
  const metrics::counter registered_, replaced_, too_many_, codes_, ended_;
};

namespace {

class keeper_state : public actor_state<connector_keeper> {
public:
  static constexpr const char* name = "connector_keeper";
  using actor_state::actor_state;

  behavior open(connector_setup setup) {
    setup_ = std::move(setup);
    events_.emplace(setup_);
    open_commit();
    schedule_deletion();
    return {[this](refresh_connection& request) { return refresh(request); },
            [this](delete_old_connections) { delete_old(); }};
  }

  caf::result<tokens_granted> refresh(refresh_connection& request) {
    return commit_.add({std::move(request.presented), std::move(request.origin)}, request.deadline);
  }

  /// Shortens rows from the future and deletes a batch of expired ones; continues without delay while there
  /// are more.
  void delete_old() {
    const auto lease = setup_.lease->current();
    if (setup_.on_hold || !lease) return schedule_deletion();
    in_storage(
        self_, setup_.storage, "delete_old_connections",
        [lease = *lease, now = setup_.now(), clients = setup_.clients, is_trusted = setup_.is_time_trusted,
         is_behind = setup_.is_clock_behind,
         lifetimes = store::connection_lifetimes{setup_.code, setup_.refresh_token}](store::session& db) {
          if (!is_trusted(db, now)) return std::int64_t{0};
          store::old_rows rows(db, lease);
          if (!is_behind(db, now)) store::shorten_connections(rows, now, lifetimes);
          store::delete_old_connections(rows, now - retention_after_end, max_deleted_per_batch);
          store::delete_old_clients(rows, now, now - unused_client_retention, now - idle_client_retention,
                                    max_deleted_per_batch);
          if (rows.written() > 0) clients->clear(); // some may have been deleted
          return rows.finish();
        },
        [this](std::int64_t deleted) {
          if (deleted >= static_cast<std::int64_t>(max_deleted_per_batch))
            self_->send(self_, delete_old_connections{});
          else
            schedule_deletion();
        },
        [this](storage_error) { schedule_deletion(); });
  }

private:
  void schedule_deletion() { self_->delayed_send(self_, deletion_interval, delete_old_connections{}); }

  /// What a refresh presents, with its request for the log.
  struct logged_refresh : store::connection_refresh {
    request_origin origin;
  };
  using refresh_commit = request_commit<connector_keeper::base, logged_refresh, tokens_granted>;

  void open_commit() {
    refresh_commit::setup setup;
    setup.kind = "refresh_connections";
    setup.lanes = {setup_.storage};
    setup.lease = setup_.lease;
    setup.sizes = setup_.registry->histogram("roost_connection_refresh_group_size",
                                             "Refreshes of connections in one commit", {},
                                             {1, 2, 5, 10, 20, 50, 100, 200, 500});
    setup.begin = [this]() -> refresh_commit::work {
      return [terms = store::refresh_terms{setup_.now(), setup_.grace, setup_.refresh_token},
              checks = setup_.checks](store::session& db, const store::lease& lease,
                                      const std::vector<logged_refresh>& refreshes) {
        const std::vector<store::connection_refresh> presented(refreshes.begin(), refreshes.end());
        std::vector<tokens_granted> results;
        for (auto& outcome : store::refresh_connections(db, lease, presented, checks, terms))
          results.push_back({std::move(outcome)});
        return results;
      };
    };
    commit_.open(self_, std::move(setup), [this](const auto& presented, const tokens_granted& result) {
      events_->tokens_requested("refresh_token", result.outcome, presented.id, presented.origin);
    });
  }

  connector_setup setup_;
  std::optional<connector_events> events_;
  refresh_commit commit_;
};

/// Wraps a result that needs no store query.
asio::awaitable<shared_client> ready(shared_client client) { co_return client; }

} // namespace

connector_keeper spawn_connector_keeper(runtime& rt, connector_setup setup) {
  return rt.spawn_at<keeper_state>(0, std::move(setup));
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

void client_cache::remove(const std::vector<std::string>& ids) {
  const std::lock_guard lock(mutex_);
  for (const auto& id : ids) clients_.erase(id);
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

asio::awaitable<shared_client> connection_repository::register_client(store::oauth_client client,
                                                                      request_origin origin) const {
  client.created_at = setup_.now();
  return in_store(writing(), "register_client",
                  [events = events_, clients = setup_.clients, limit = setup_.max_clients,
                   origin = std::move(origin),
                   client = std::move(client)](auto& db, auto& lease) -> shared_client {
                    auto registered = store::register_client(db, lease, client, limit);
                    if (!registered.client) {
                      events->clients_full(origin);
                      return nullptr;
                    }
                    clients->remove(registered.evicted);
                    events->client_registered(registered.client->id, registered.evicted, origin);
                    return clients->add(*std::move(registered.client));
                  });
}

asio::awaitable<shared_client> connection_repository::find_client(std::string id) const {
  if (auto cached = setup_.clients->find(id)) return ready(std::move(cached));
  return in_store(lane_, "find_client",
                  [clients = setup_.clients, id = std::move(id)](store::session& db) -> shared_client {
                    auto client = store::find_client(db, id);
                    return client ? clients->add(*std::move(client)) : nullptr;
                  });
}

asio::awaitable<bool> connection_repository::issue_code(store::authorization_code code,
                                                        request_origin origin) const {
  code.created_at = setup_.now();
  code.expires_at = code.created_at + setup_.code;
  return in_store(
      writing(), "issue_code",
      [events = events_, code = std::move(code), origin = std::move(origin)](auto& db, auto& lease) {
        const bool issued = store::issue_code(db, lease, code);
        if (issued) events->code_issued(code, origin);
        return issued;
      });
}

asio::awaitable<store::token_outcome> connection_repository::exchange_code(store::code_exchange presented,
                                                                           request_origin origin) const {
  return in_store(writing(), "exchange_code",
                  [events = events_, presented = std::move(presented), origin = std::move(origin),
                   checks = setup_.checks, now = setup_.now(),
                   lifetime = setup_.refresh_token](auto& db, auto& lease) {
                    auto result = store::exchange_code(db, lease, presented, checks, now, lifetime);
                    events->tokens_requested("authorization_code", result.outcome, result.code_id, origin);
                    return std::move(result.outcome);
                  });
}

asio::awaitable<std::vector<store::connection>> connection_repository::list(const domain::uuid& user) const {
  return in_store(lane_, "live_connections", [user, now = setup_.now()](store::session& db) {
    std::vector<store::connection> connections;
    for (auto& row : store::live_connections(db, now, user)) connections.push_back(std::move(row.connection));
    return connections;
  });
}

asio::awaitable<bool> connection_repository::end_for_user(const domain::uuid& user, const domain::uuid& id,
                                                          request_origin origin) const {
  return in_store(
      writing(), "end_connection",
      [events = events_, user, id, origin = std::move(origin), now = setup_.now()](auto& db, auto& lease) {
        const bool ended = store::end_connection_of(db, lease, user, id, now);
        if (ended) events->connection_ended(id, "connection_ended", origin);
        return ended;
      });
}

asio::awaitable<std::size_t> connection_repository::end_all_for_user(const domain::uuid& user,
                                                                     request_origin origin) const {
  return in_store(
      writing(), "end_connections",
      [events = events_, user, origin = std::move(origin), now = setup_.now()](auto& db, auto& lease) {
        const auto ended = store::end_connections_of(db, lease, user, now);
        for (const auto& each : ended) events->connection_ended(each.id, "connection_ended", origin);
        return ended.size();
      });
}

} // namespace roost::actors
