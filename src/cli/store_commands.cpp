#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "security/secrets.hpp"
#include "service/listener_modules.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"
#include "store/database/store_state.hpp"
#include "store/database/trusted_time.hpp"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <filesystem>

namespace roost::cli {

namespace {

constexpr const char* release_risks =
    "a server that still runs loses the lease: it can no longer commit, the next server repeats its pending "
    "decisions, and it may serve stale reads for some seconds until it notices. Pass --confirm if the holder "
    "is gone or may be interrupted";

constexpr const char* reopening_risks =
    ". Servers of this store would sell the nights that servers of that one sell, too, and bookings that "
    "were "
    "acknowledged there are missing here. Pass --confirm if no server uses that store, and none will";

constexpr const char* adoption_risks =
    "every partner token becomes invalid permanently, and with the old file every session and every "
    "assistant's connection. If you can restore the old file, restore it. Pass --confirm if it is lost or "
    "has leaked";

} // namespace

int migrate(const arguments& args) {
  const auto configuration = load_configuration(args);
  store::session session{configuration.values.store.url};
  session.connect();
  const auto applied = store::migrate(session);
  for (const auto& name : applied) std::printf("applied %s\n", name.c_str());
  if (applied.empty()) std::puts("the schema is current");
  if (const auto keys = security::secrets::load(configuration.values.secrets.file))
    store::check_signing_keys(session, keys->fingerprint());
  return 0;
}

int show_lease(const arguments& args) {
  auto session = open_store(load_configuration(args).values, usable_stores::any);
  if (const auto moved = store::read_move_marker(session))
    std::printf("moved to %s at %s; no server can take the lease (see roost store reopen)\n",
                moved->target.c_str(), domain::to_string(moved->at).c_str());
  const auto lease = store::current_lease(session);
  if (!lease) {
    std::puts("no server holds the lease");
    return 0;
  }
  const char* const remark = lease->expired               ? " (expired)"
                             : store::is_credible(*lease) ? ""
                                                          : " (set by a wrong clock; servers ignore it)";
  std::printf("holder %s\nepoch  %" PRId64 "\nuntil  %s%s\nnow    %s (the database's clock)\nlock   %s\n",
              lease->holder.node.c_str(), lease->holder.epoch, domain::to_string(lease->expires_at).c_str(),
              remark, domain::to_string(lease->seen_at).c_str(),
              lease->lock.empty() ? "none" : lease->lock.c_str());
  return 0;
}

int release_lease(const arguments& args) {
  if (!args.confirmed) throw usage_error(release_risks);
  auto session = open_store(load_configuration(args).values, usable_stores::any);
  store::refuse_moved_store(session);
  const auto lease = store::current_lease(session);
  if (!lease) throw std::runtime_error("no server holds the lease");
  if (!store::revoke(session, lease->holder))
    throw std::runtime_error("the lease has changed in the meantime; see `roost lease show`");
  record_audit(session, args, "lease release", lease->holder.node);
  std::printf("released the lease of %s\n", lease->holder.node.c_str());
  return 0;
}

int show_clock(const arguments& args) {
  auto session = open_store(args);
  const auto compared = store::compare_time(session, current_time(), store::read_machine_time());
  std::printf("clock    %s (of this machine)\n", domain::to_string(compared.now).c_str());
  if (!session.is_sqlite())
    std::printf("database %s\n", domain::to_string(store::database_clock(session)).c_str());
  std::printf("trusted  %s%s\n", domain::to_string(compared.trusted).c_str(),
              compared.agrees() ? ""
                                : " (the clock is ahead: nothing is changed or deleted because of its age)");
  return 0;
}

int trust_clock(const arguments& args) {
  const auto now = current_time();
  auto session = open_store(args);
  if (!args.confirmed)
    throw usage_error("this machine's clock says " + domain::to_string(now) +
                      ". If that is wrong, guests are checked out, and their data, mails and other data are "
                      "deleted, too early and permanently. Pass --confirm if it is right");
  if (!session.is_sqlite() && std::chrono::abs(store::database_clock(session) - now) > store::clock_tolerance)
    throw std::runtime_error("this machine's clock and the database's are more than a minute apart: "
                             "synchronize both with the same time servers first");
  store::refuse_while_copied(session);
  audit_next_change(session, args, "clock trust", domain::to_string(now));
  store::trust_clock(session, now, store::read_machine_time());
  std::printf("the trusted time is %s\n", domain::to_string(now).c_str());
  return 0;
}

int reopen_store(const arguments& args) {
  auto session = open_store(load_configuration(args).values, usable_stores::any);
  const auto moved = store::read_move_marker(session);
  if (!moved) throw std::runtime_error("this store was not moved: there is nothing to reopen");
  if (!args.confirmed)
    throw usage_error("this store was moved to " + moved->target + " at " + domain::to_string(moved->at) +
                      reopening_risks);
  store::transaction txn(session, store::transaction::purpose::write);
  store::erase_move_marker(session);
  record_audit(session, args, "store reopen", moved->target);
  txn.commit();
  std::puts("reopened the store; servers can take its lease again");
  return 0;
}

int list_audit(const arguments& args) {
  auto session = open_store(args);
  list_printer list(args.format, {"made_at", "actor", "action", "subject", "detail"});
  for (const auto& each : list.limited(store::list_audit(session, args.limit + 1), args.limit))
    list.add(
        {cell(each.made_at), cell(each.actor), cell(each.action), cell(each.subject), cell(each.detail)});
  return 0;
}

int print_configuration(const arguments& args) {
  std::fputs(config::describe(load_configuration(args)).c_str(), stdout);
  return 0;
}

int print_routes(const arguments& args) {
  const auto routes = list_routes(load_configuration(args).values);
  list_printer list(args.format, {"method", "path", "needs"});
  for (const auto& each : routes)
    list.add({padded_cell(each.method, 6), padded_cell(each.path, 59), cell(each.needs)});
  return 0;
}

int rotate_secrets(const arguments& args) {
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  const auto now = current_time();
  load_or_create_secrets(session, settings);
  if (args.partner_tokens) {
    if (args.sign_out)
      throw usage_error("--sign-out deletes session keys: it does not go with --partner-tokens");
    const auto count = security::rotate_token_key(settings.secrets.file);
    audit_next_change(session, args, "secrets rotate", "partner tokens");
    std::printf("new tokens are signed with a new key; %zu keys are valid until `roost secrets retire`\n",
                count);
    return finish_change(session, store::record_change(session, {}));
  }
  const auto id = security::rotate_session_keys(
      settings.secrets.file, std::chrono::floor<std::chrono::seconds>(now), args.sign_out,
      std::chrono::floor<std::chrono::seconds>(store::earlier_time(session, now)));
  audit_next_change(session, args, "secrets rotate", id, args.sign_out ? "all users are signed out" : "");
  std::printf("new session key: %s\n", id.c_str());
  return finish_change(session, store::record_change(session, {}));
}

int retire_secrets(const arguments& args) {
  const auto settings = load_configuration(args).values;
  const auto& file = settings.secrets.file;
  auto session = open_store(settings);
  const auto secrets = load_or_create_secrets(session, settings);
  if (secrets.replaced_token_keys.empty()) {
    std::printf("nothing to do: %s has no replaced keys\n", file.c_str());
    return 0;
  }
  if (!args.confirmed)
    throw usage_error(
        "every partner token that was issued before the last `roost secrets rotate "
        "--partner-tokens` becomes invalid permanently: see `roost token list`. Pass --confirm if "
        "partners have replaced them");
  const auto count = security::drop_replaced_token_keys(file);
  const auto keys = security::secrets::load_or_create(file).fingerprint();
  store::adopt_signing_keys(session, keys);
  audit_next_change(session, args, "secrets retire", keys);
  std::printf("deleted %zu replaced keys of partner tokens\n", count);
  return finish_change(session, store::record_change(session, {}));
}

int adopt_secrets(const arguments& args) {
  const auto settings = load_configuration(args).values;
  const auto& file = settings.secrets.file;
  auto session = open_store_with_any_keys(settings);
  const auto existing = security::secrets::load(file);
  if (existing && store::signing_keys_of(session) == existing->fingerprint()) {
    std::printf("nothing to do: the store already uses the signing keys of %s\n", file.c_str());
    return 0;
  }
  if (!args.confirmed) throw usage_error(adoption_risks);
  if (store::has_active_server(session))
    throw std::runtime_error("a server serves this store and would keep using the old keys: stop it first. "
                             "After a crash, wait until its lease has expired (`roost lease show`)");
  refuse_unserved_store(session);
  const auto keys = security::secrets::load_or_create(file).fingerprint();
  store::adopt_signing_keys(session, keys);
  record_audit(session, args, "secrets adopt", keys);
  if (!existing) std::printf("created %s with new keys\n", std::filesystem::absolute(file).c_str());
  std::printf("the store now uses the signing keys of %s (%s); start its servers and issue new tokens\n",
              file.c_str(), keys.c_str());
  return 0;
}

} // namespace roost::cli
