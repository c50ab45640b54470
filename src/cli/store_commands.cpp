#include "cli/argument_checks.hpp"
#include "cli/commands.hpp"
#include "service/listener_modules.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/credentials.hpp"
#include "store/database/lease.hpp"
#include "store/database/migrations.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace roost::cli {

namespace {

constexpr const char* release_risks =
    "a server that still runs loses the lease: it can no longer commit, the next server repeats its pending "
    "decisions, and it may serve stale reads for some seconds until it notices. Pass --confirm if the holder "
    "is gone or may be interrupted";

} // namespace

int migrate(const common_options& common) {
  const auto configuration = load_configuration(common);
  store::session session{configuration.values.store.url};
  session.connect();
  const auto applied = store::migrate(session);
  for (const auto& name : applied) std::printf("applied %s\n", name.c_str());
  if (applied.empty()) std::puts("the schema is current");
  if (const auto keys = security::secrets::load(configuration.values.secrets.file))
    store::check_signing_keys(session, keys->fingerprint());
  return 0;
}

int show_lease(const common_options& common) {
  auto session = open_store(load_configuration(common).values, unfinished_copies::allowed);
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

int release_lease(const common_options& common, bool confirmed) {
  if (!confirmed) throw usage_error(release_risks);
  auto session = open_store(load_configuration(common).values, unfinished_copies::allowed);
  const auto lease = store::current_lease(session);
  if (!lease) throw std::runtime_error("no server holds the lease");
  if (!store::revoke(session, lease->holder))
    throw std::runtime_error("the lease has changed in the meantime; see `roost lease show`");
  record_audit(session, common, "lease release", lease->holder.node);
  std::printf("released the lease of %s\n", lease->holder.node.c_str());
  return 0;
}

int list_audit(const common_options& common, std::size_t limit) {
  auto session = open_store(load_configuration(common).values);
  list_printer list(common.format, {"made_at", "actor", "action", "subject", "detail"});
  const auto read = [&](std::size_t max_rows) { return store::list_audit(session, max_rows); };
  for (const auto& each : list.read_at_most(limit, read))
    list.add(
        {cell(each.made_at), cell(each.actor), cell(each.action), cell(each.subject), cell(each.detail)});
  return 0;
}

int print_configuration(const common_options& common) {
  std::fputs(config::describe(load_configuration(common)).c_str(), stdout);
  return 0;
}

int print_routes(const common_options& common) {
  const auto padded = [](const std::string& text, std::size_t width) {
    return cell_as(text, text + std::string(width - std::min(width, text.size()), ' '));
  };
  const auto routes = list_routes(load_configuration(common).values);
  list_printer list(common.format, {"method", "path", "needs"});
  for (const auto& each : routes) list.add({padded(each.method, 4), padded(each.path, 59), cell(each.needs)});
  return 0;
}

} // namespace roost::cli
