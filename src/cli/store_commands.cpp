#include "cli/commands.hpp"
#include "service/listener_modules.hpp"
#include "store/audit/audit.hpp"
#include "store/credentials/signing_keys.hpp"
#include "store/database/migrations.hpp"

#include <algorithm>
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
  const auto padded = [](const std::string& text, std::size_t width) {
    return shown_as(text, text + std::string(width - std::min(width, text.size()), ' '));
  };
  const auto routes = list_routes(load_configuration(common).values);
  printed_list list(common.format, {"method", "path", "needs"});
  for (const auto& each : routes)
    list.add({padded(each.method, 4), padded(each.path, 59), shown(each.needs)});
  return 0;
}

} // namespace roost::cli
