#include "simulation/clients/operator_client.hpp"

#include "cli/context.hpp"
#include "config/settings.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"
#include "simulation/clients/imported_account.hpp"
#include "simulation/clients/simulated_browser.hpp"
#include "simulation/clients/simulated_command.hpp"
#include "simulation/portfolio_files.hpp"
#include "store/connector/connections.hpp"
#include "store/credentials/credentials.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/sessions/sessions.hpp"

#include <algorithm>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// Waits like cli::finish_change(). Returns whether servers have certainly applied the change: after a jump
/// of the clock a lease may seem to have expired, and a command does not wait for its holder.
bool finish(history& in, store::session& db, const store::stream_point& change) {
  const bool may_seem_expired = in.clock_error().count() > 0;
  return cli::wait_until_applied(db, change) && (!may_seem_expired || store::has_active_server(db));
}

} // namespace

unsigned operator_client::random_unit() {
  return imported_account::first_unit + static_cast<unsigned>(random_index(imported_account::units));
}

client_task<> operator_client::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 3s));
    const auto choice = random_index(100);
    if (choice < 25)
      import_account();
    else if (choice < 40)
      issue_key();
    else if (choice < 50 && !keys_.empty())
      end_key(keys_[random_index(keys_.size())]);
    else if (choice < 58)
      end_session();
    else if (choice < 66)
      end_connection();
    else if (choice < 85 || keys_.empty())
      co_await read_unit(random_unit());
    else
      co_await use_key(keys_[random_index(keys_.size())]);
  }
  co_await check_everything();
}

void operator_client::forget() {
  for (const auto& each : users_) each->forget(history_.generation());
  imported_ = 0;
  keys_.clear();
}

void operator_client::import_account() {
  const auto version = ++sent_;
  add_to_story("imports version " + std::to_string(version));
  bool is_visible = false;
  const auto& settings = history_.settings();
  const auto file = parsed_portfolio(imported_account::file_of(version), settings); // a problem must not pass
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(settings);
    store::import_context context;
    context.now = cli::current_time();
    context.new_id = [] { return security::random_uuid(); };
    if (chance(60)) context.max_units_at_once = 1; // in several transactions if a server is running
    const auto result = store::import_portfolio(db, file, context);
    if (!result.problems.empty()) throw contradiction("an import is refused: " + result.problems.front());
    if (result.refused) throw contradiction("an import that removes nothing is refused");
    if (result.refused_by_office) throw contradiction("an import that sets back nothing is refused");
    is_visible = finish(history_, db, result.summary.change);
  });
  if (outcome == command_outcome::done && is_visible) imported_ = std::max(imported_, version);
}

void operator_client::issue_key() {
  const auto issued = security::issue_key(security::key_kind::tool_server);
  const auto& settings = history_.settings();
  store::tool_server_key key{{.id = security::random_uuid()}, settings.connector.tool_server};
  key.hash = issued.hash;
  key.last4 = issued.last4;
  key.created_at = cli::current_time();
  const auto index = keys_.size();
  keys_.push_back({domain::to_string(key.id), issued.plaintext});
  add_to_story("issues the key " + keys_[index].id);
  bool is_visible = false;
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(settings);
    is_visible = finish(history_, db, store::tool_server_keys::insert(db, key));
  });
  keys_[index].is_issued = outcome == command_outcome::done && is_visible;
}

void operator_client::end_key(known_key& key) {
  add_to_story("revokes the key " + key.id);
  key.may_have_ended = true;
  bool has_ended = false;
  const auto id = domain::parse_uuid(key.id).value();
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(history_.settings());
    const auto change = store::tool_server_keys::end(db, id, cli::current_time());
    if (change) has_ended = finish(history_, db, *change);
  });
  if (outcome == command_outcome::done && has_ended) key.has_ended = true;
}

void operator_client::end_session() {
  const auto& user = *users_[random_index(users_.size())];
  if (user.sessions.empty()) return;
  const auto session = user.sessions[random_index(user.sessions.size())];
  add_to_story("ends the session " + session->id);
  session->may_have_ended = true;
  bool has_ended = false;
  const auto id = domain::parse_uuid(session->id).value();
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(history_.settings());
    const auto change = store::revoke_session(db, id, cli::current_time());
    if (change) has_ended = finish(history_, db, *change);
  });
  if (outcome == command_outcome::done && has_ended) session->has_ended = true;
}

void operator_client::end_connection() {
  const auto& user = *users_.back();
  if (user.connections.empty()) return;
  const auto connection = user.connections[random_index(user.connections.size())];
  add_to_story("ends the connection " + connection->id);
  connection->may_have_ended = true;
  bool has_ended = false;
  const auto id = domain::parse_uuid(connection->id).value();
  const auto outcome = run_command(history_, kill_percent, [&] {
    auto db = cli::open_store(history_.settings());
    const auto change = store::revoke_connection(db, id, cli::current_time());
    if (change) has_ended = finish(history_, db, *change);
  });
  if (outcome == command_outcome::done && has_ended) connection->has_ended = true;
}

client_task<> operator_client::read_unit(unsigned number) {
  const int acknowledged = imported_;
  http_call call{"GET", "/channel-manager/listings/u" + std::to_string(number), "", {}};
  call.fields.emplace_back("Authorization", "Bearer " + token_);
  const auto response = co_await ask("for unit u" + std::to_string(number), std::move(call));
  check_unit(response, acknowledged);
}

/// Checks that the unit has at least the version that was acknowledged or that an earlier read has shown.
void operator_client::check_unit(const simulated_response& response, int acknowledged) {
  if (response.status == 404) fail("an imported unit is unknown");
  if (response.status != 200) return;
  const int version = imported_account::version_of(response.body);
  if (version < acknowledged || version > sent_)
    fail("a unit has version " + std::to_string(version) + ", but " + std::to_string(acknowledged) +
         " was visible before, and " + std::to_string(sent_) + " is the newest");
  imported_ = std::max(imported_, version);
}

client_task<> operator_client::use_key(known_key key) {
  simulated_browser browser("tool server");
  auto call = browser.post_form("/oauth/introspect", {{"token", "unknown"}});
  call.fields.emplace_back("Authorization", "Bearer " + key.text);
  const auto response = co_await ask("whether it accepts the key " + key.id, std::move(call));
  const auto known = std::ranges::find(keys_, key.id, &known_key::id);
  check_key(*known, key, response);
}

void operator_client::check_key(const known_key& key, const known_key& as_sent,
                                const simulated_response& response) const {
  if (response.status == 200 && as_sent.has_ended) fail("a revoked key was accepted: " + key.id);
  if (response.status == 401 && as_sent.is_issued && !key.may_have_ended)
    fail("an issued key was refused: " + key.id);
}

/// Checks, once faults have ended, that servers show all acknowledged changes.
client_task<> operator_client::check_everything() {
  using imported_account::first_unit, imported_account::units;
  for (unsigned number = first_unit; number < first_unit + units; ++number)
    for (int repetition = 0; repetition < 3; ++repetition) co_await read_unit(number);
  const auto keys = keys_;
  for (const auto& each : keys) co_await use_key(each);
}

} // namespace roost::testing
