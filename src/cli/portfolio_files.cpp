#include "cli/portfolio_files.hpp"

#include "cli/input_file.hpp"
#include "cli/progress.hpp"
#include "portfolio/parse.hpp"
#include "store/sessions/users.hpp"

#include <cstdio>
#include <utility>

namespace roost::cli {

portfolio::context portfolio_context_of(const config::settings& settings) {
  portfolio::context with;
  with.platforms = settings.platforms;
  for (const auto& [role, permissions] : settings.roles) with.roles.push_back(role);
  for (const auto& host : settings.short_term_hosts) with.short_term_hosts.push_back(host.name);
  with.is_password_hash = [](std::string_view text) { return security::cost_of(text).has_value(); };
  return with;
}

std::optional<domain::portfolio> parse_file(const std::string& name, portfolio::context with) {
  const auto text = read_file(name);
  progress_bar bar{"reading " + name};
  with.progress = [&](std::size_t bytes) { bar.show(bytes, text.size()); };
  auto parsed = portfolio::parse(text, with);
  if (auto* good = std::get_if<domain::portfolio>(&parsed)) return std::move(*good);
  for (const auto& problem : std::get<std::vector<portfolio::problem>>(parsed))
    std::fprintf(stderr, "%s: %s\n", name.c_str(), portfolio::to_string(problem).c_str());
  return std::nullopt;
}

void hash_passwords(store::session& db, domain::portfolio& in, const security::password_cost& cost) {
  std::vector<domain::uuid> ids;
  for (const auto& account : in.accounts)
    for (const auto& user : account.users)
      if (user.password) ids.push_back(user.details.id);
  auto stored = store::password_hashes(db, ids);
  for (auto& account : in.accounts)
    for (auto& user : account.users) {
      if (!user.password) continue;
      const auto password = *std::exchange(user.password, {});
      const auto known = stored.find(user.details.id);
      user.details.password_hash =
          known != stored.end() && security::password_matches(password, known->second)
              ? std::move(known->second)
              : security::hash_password(password, cost);
    }
}

} // namespace roost::cli
