#include "cli/commands.hpp"
#include "cli/import_plan.hpp"
#include "cli/portfolio_files.hpp"
#include "cli/progress.hpp"
#include "cli/usage_error.hpp"
#include "security/random.hpp"
#include "store/database/lease.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <cstdio>

namespace roost::cli {

namespace {

std::string counted(std::size_t count, store::portfolio_part part) {
  return std::to_string(count).append(1, ' ').append(store::name_of(part, count));
}

std::string totals_of(const store::import_summary& done) {
  const auto totals = done.counts.text();
  return totals.empty() ? "nothing changed" : totals;
}

void report(const std::string& name, const store::import_summary& done, bool live) {
  using enum store::portfolio_part;
  std::printf("%s: %s, %s, %s; %s\n", name.c_str(), counted(done.accounts, account).c_str(),
              counted(done.properties, property).c_str(), counted(done.units, unit).c_str(),
              totals_of(done).c_str());
  if (!live) std::puts("The running server has not applied it yet; its log tells why.");
}

void complain_of_removals(const std::string& name, const store::change_counts& refused) {
  using store::import_action;
  const auto removed = refused.text(import_action::removed), archived = refused.text(import_action::archived);
  const std::string would = (removed.empty() ? "" : "remove " + removed) +
                            (removed.empty() || archived.empty() ? "" : ", and ") +
                            (archived.empty() ? "" : "archive " + archived);
  std::fprintf(stderr,
               "%s: would %s: nothing was written. See what with --plan; where it is meant, import with "
               "--allow-removals\n",
               name.c_str(), would.c_str());
}

/// False when the store holds something that the file contradicts, or that it would remove without leave.
bool import_file(store::session& db, const common_options& common, const std::string& name,
                 domain::portfolio file, const security::password_cost& cost, bool allow_removals) {
  store::refuse_while_copied(db);
  hash_passwords(db, file, cost);
  progress_bar bar{"writing " + name};
  store::import_context with;
  with.now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  with.new_id = [] { return security::random_uuid(); };
  with.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  with.allow_removals = allow_removals;
  const auto result = store::import_portfolio(db, file, with);
  for (const auto& problem : result.problems) std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.c_str());
  if (result.refused) complain_of_removals(name, *result.refused);
  if (!result.problems.empty() || result.refused) return false;
  record_audit(db, common, "import", name, totals_of(result.summary));
  report(name, result.summary, wait_until_applied(db, result.summary.change));
  return true;
}

} // namespace

int import_portfolios(const common_options& common, const import_options& options) {
  if (options.plan_only && options.check_only) throw usage_error("--plan checks as well: leave --check out");
  if (common.format != list_format::text && !options.plan_only)
    throw usage_error("--json and --csv are for --plan");
  const auto settings = load_configuration(common).values;
  const auto with = portfolio_context_of(settings);
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
  if (options.plan_only) return print_plans(common, settings, options.files, std::move(files));
  auto session = make_store(settings);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!import_file(session, common, options.files[i], std::move(files[i]), password_cost_of(settings),
                     options.allow_removals))
      return 1;
  return 0;
}

} // namespace roost::cli
