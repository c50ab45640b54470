#include "cli/commands.hpp"
#include "cli/input_file.hpp"
#include "cli/progress.hpp"
#include "portfolio/parse.hpp"
#include "security/password.hpp"
#include "security/random.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/sessions/users.hpp"

#include <cstdio>

namespace roost::cli {

namespace {

portfolio::context context_of(const config::settings& settings) {
  portfolio::context with;
  with.platforms = settings.platforms;
  for (const auto& [role, permissions] : settings.roles) with.roles.push_back(role);
  for (const auto& host : settings.short_term_hosts) with.short_term_hosts.push_back(host.name);
  return with;
}

/// Nothing when the file has problems, which were printed.
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

/// A password that the store has already keeps its hash: a new one would sign the user out.
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

void report(const std::string& name, const store::import_summary& done, bool live) {
  std::printf("%s: %zu accounts, %zu properties, %zu units (%zu new, %zu changed", name.c_str(),
              done.accounts, done.properties, done.units, done.new_units, done.changed_units);
  if (done.removed_units > 0) std::printf(", %zu removed", done.removed_units);
  if (done.archived_units > 0) std::printf(", %zu left out but booked: archived", done.archived_units);
  std::puts(")");
  if (!live) std::puts("The running server has not taken it up yet; its log tells why.");
}

/// False when the store holds something that the file contradicts.
bool import_file(store::session& db, const common_options& common, const std::string& name,
                 domain::portfolio file, const security::password_cost& cost) {
  hash_passwords(db, file, cost);
  progress_bar bar{"writing " + name};
  store::import_context with;
  with.now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  with.new_id = [] { return security::random_uuid(); };
  with.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  const auto result = store::import_portfolio(db, file, with);
  for (const auto& problem : result.problems) std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.c_str());
  if (!result.problems.empty()) return false;
  note_audit(db, common, "import", name);
  report(name, result.summary, wait_until_applied(db, result.summary.change));
  return true;
}

} // namespace

int import_portfolios(const common_options& common, const import_options& options) {
  const auto settings = load_configuration(common).values;
  const auto with = context_of(settings);
  std::vector<domain::portfolio> files;
  bool good = true;
  for (const auto& name : options.files) {
    if (auto file = parse_file(name, with))
      files.push_back(std::move(*file));
    else
      good = false;
  }
  if (!good) return 1; // nothing of any file is written
  if (options.check_only) {
    std::puts("no problems found");
    return 0;
  }
  auto session = make_store(settings);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!import_file(session, common, options.files[i], std::move(files[i]), password_cost_of(settings)))
      return 1;
  return 0;
}

} // namespace roost::cli
