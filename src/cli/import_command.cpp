#include "cli/commands.hpp"
#include "cli/import_plan.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "portfolio/context.hpp"
#include "portfolio/parse.hpp"
#include "security/random.hpp"
#include "store/database/lease.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <cstdio>
#include <optional>
#include <utility>
#include <variant>

namespace roost::cli {

namespace {

portfolio::context portfolio_context_of(const config::settings& settings) {
  portfolio::context context;
  context.platforms = settings.platforms;
  for (const auto& [role, permissions] : settings.roles) context.roles.push_back(role);
  for (const auto& host : settings.short_term_hosts) context.short_term_hosts.push_back(host.name);
  context.is_password_hash = [](std::string_view text) { return security::cost_of(text).has_value(); };
  return context;
}

/// Parses a file. Prints its problems and returns nullopt if there are any.
std::optional<domain::portfolio> parse_file(const std::string& name, portfolio::context context) {
  const auto text = read_file(name);
  progress_bar bar{"reading " + name};
  context.progress = [&](std::size_t bytes) { bar.show(bytes, text.size()); };
  auto parsed = portfolio::parse(text, context);
  if (auto* file = std::get_if<domain::portfolio>(&parsed)) return std::move(*file);
  for (const auto& problem : std::get<std::vector<portfolio::problem>>(parsed))
    std::fprintf(stderr, "%s: %s\n", name.c_str(), portfolio::to_string(problem).c_str());
  return std::nullopt;
}

std::string counted(std::size_t count, store::portfolio_part part) {
  return std::to_string(count).append(1, ' ').append(store::name_of(part, count));
}

std::string totals_of(const store::import_summary& summary) {
  const auto totals = summary.counts.text();
  return totals.empty() ? "nothing changed" : totals;
}

void print_summary(const std::string& name, const store::import_summary& summary, bool is_applied) {
  using enum store::portfolio_part;
  std::printf("%s: %s, %s, %s; %s\n", name.c_str(), counted(summary.accounts, account).c_str(),
              counted(summary.properties, property).c_str(), counted(summary.units, unit).c_str(),
              totals_of(summary).c_str());
  if (!is_applied) std::puts("The running server has not applied it yet; see its log for the reason.");
}

void print_refused_removals(const std::string& name, const store::change_counts& refused) {
  using store::import_action;
  const auto removed = refused.text(import_action::removed), archived = refused.text(import_action::archived);
  const std::string effect = (removed.empty() ? "" : "remove " + removed) +
                             (removed.empty() || archived.empty() ? "" : ", and ") +
                             (archived.empty() ? "" : "archive " + archived);
  std::fprintf(stderr,
               "%s: would %s: nothing was written. See the details with --plan; to import it anyway, pass "
               "--allow-removals\n",
               name.c_str(), effect.c_str());
}

/// Returns false if the file contradicts the store, or would remove something without permission.
bool import_file(store::session& db, const arguments& args, const std::string& name, domain::portfolio file,
                 const security::password_cost& cost, bool allow_removals) {
  store::refuse_while_copied(db);
  hash_passwords(db, file, cost);
  progress_bar bar{"writing " + name};
  store::import_context context;
  context.now = current_time();
  context.new_id = [] { return security::random_uuid(); };
  context.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  context.allow_removals = allow_removals;
  const auto result = store::import_portfolio(db, file, context);
  for (const auto& problem : result.problems) std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.c_str());
  if (result.refused) print_refused_removals(name, *result.refused);
  if (!result.problems.empty() || result.refused) return false;
  record_audit(db, args, "import", name, totals_of(result.summary));
  print_summary(name, result.summary, wait_until_applied(db, result.summary.change));
  return true;
}

} // namespace

int import_portfolios(const arguments& args) {
  if (args.plan_only && args.check_only) throw usage_error("--plan includes --check: pass only one of them");
  if (args.format != list_format::text && !args.plan_only)
    throw usage_error("--json and --csv require --plan");
  const auto settings = load_configuration(args).values;
  const auto context = portfolio_context_of(settings);
  std::vector<domain::portfolio> files;
  bool is_valid = true;
  for (const auto& name : args.files) {
    if (auto file = parse_file(name, context))
      files.push_back(std::move(*file));
    else
      is_valid = false;
  }
  if (!is_valid) return 1; // write none of the files
  if (args.check_only) {
    std::puts("no problems found");
    return 0;
  }
  if (args.plan_only) return print_plans(args, settings, args.files, std::move(files));
  auto session = open_or_create_store(settings);
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!import_file(session, args, args.files[i], std::move(files[i]), password_cost_of(settings),
                     args.allow_removals))
      return 1;
  return 0;
}

} // namespace roost::cli
