#include "cli/commands.hpp"
#include "service/route_list.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/migrations.hpp"

#include <cstdio>

namespace roost::cli {

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

int list_audit(const common_options& common, std::size_t limit) {
  auto session = open_store(load_configuration(common).values);
  printed_list list(common.format, {"made_at", "actor", "action", "subject", "detail"});
  const auto read = [&](std::size_t most) { return store::list_audit(session, most); };
  for (const auto& each : list.first_of(limit, read))
    list.add({shown(each.made_at), shown(each.actor), shown(each.action), shown(each.subject),
              shown(each.detail)});
  return 0;
}

int print_configuration(const common_options& common) {
  std::fputs(config::describe(load_configuration(common)).c_str(), stdout);
  return 0;
}

int print_routes(const common_options& common) {
  for (const auto& each : list_routes(load_configuration(common).values))
    std::printf("%-5s %-60s %s\n", each.method.c_str(), each.path.c_str(), each.needs.c_str());
  return 0;
}

} // namespace roost::cli
