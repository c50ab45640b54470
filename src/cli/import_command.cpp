#include "cli/commands.hpp"
#include "cli/import_plan.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "portfolio/parse.hpp"
#include "security/random.hpp"
#include "service/conversions.hpp"
#include "store/database/lease.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/usage/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_set>
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

void print_refused_changes(const std::string& name, const store::change_counts& refused) {
  std::fprintf(stderr,
               "%s: would set back %s that the office has changed: nothing was written. See the details with "
               "--plan; to import it anyway, pass --overwrite-office\n",
               name.c_str(), refused.text(store::import_action::changed).c_str());
}

/// Returns false if the file contradicts the store, or would remove something, or set back a change of the
/// office, without permission.
bool import_file(store::session& db, const arguments& args, const std::string& name, domain::portfolio file,
                 const security::password_cost& cost) {
  store::refuse_while_copied(db);
  hash_passwords(db, file, cost);
  progress_bar bar{"writing " + name};
  store::import_context context;
  context.now = current_time();
  context.new_id = [] { return security::random_uuid(); };
  context.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  context.allow_removals = args.allow_removals;
  context.overwrite_office = args.overwrite_office;
  const auto result = store::import_portfolio(db, std::move(file), context);
  for (const auto& problem : result.problems) std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.c_str());
  if (result.refused) print_refused_removals(name, *result.refused);
  if (result.refused_by_office) print_refused_changes(name, *result.refused_by_office);
  if (!result.problems.empty() || result.refused || result.refused_by_office) return false;
  record_audit(db, args, "import", name, totals_of(result.summary));
  print_summary(name, result.summary, wait_until_applied(db, result.summary.change));
  return true;
}

constexpr std::size_t max_problems = 100;

/// The records of a file, and its first problems.
struct usage_file {
  std::string name;
  std::vector<domain::ai_usage_record> records;
  std::vector<std::size_t> lines; ///< the line number of each record, from 1
  std::vector<std::string> problems;
  std::size_t dropped = 0; ///< problems beyond max_problems

  void add_problem(std::size_t line, const std::string& text) {
    if (problems.size() < max_problems)
      problems.push_back("line " + std::to_string(line) + ": " + text);
    else
      ++dropped;
  }
};

void read_line(usage_file& file, std::string_view text, std::size_t line) {
  auto parsed = portfolio::parse_usage_records(text);
  if (parsed.broken)
    return file.add_problem(line, "column " + std::to_string(parsed.broken->column) +
                                      ": is not JSON: " + parsed.broken->text);
  for (const auto& problem : parsed.problems) file.add_problem(line, portfolio::to_string(problem));
  if (!parsed.problems.empty()) return;
  file.records.push_back(std::move(parsed.records.front()));
  file.lines.push_back(line);
}

usage_file read_lines(const std::string& name) {
  const auto text = read_file(name);
  usage_file file{name, {}, {}, {}, 0};
  progress_bar bar{"reading " + name};
  std::size_t line = 0;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = std::min(text.find('\n', start), text.size());
    const auto content = std::string_view(text).substr(start, end - start);
    ++line;
    if (content.find_first_not_of(" \t\r") != std::string_view::npos) read_line(file, content, line);
    start = end + 1;
    bar.show(start, text.size());
  }
  return file;
}

/// Reports records of unknown accounts, which could not be written.
void check_accounts(store::session& db, usage_file& file) {
  using id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;
  id_set accounts;
  for (const auto& record : file.records)
    if (record.account_id) accounts.insert(*record.account_id);
  const auto missing =
      store::unknown_accounts(db, std::vector<domain::uuid>(accounts.begin(), accounts.end()));
  const id_set unknown(missing.begin(), missing.end());
  for (std::size_t i = 0; i < file.records.size(); ++i)
    if (const auto& account = file.records[i].account_id; account && unknown.contains(*account))
      file.add_problem(file.lines[i], "/accountId: is not the id of an account");
}

/// Prints the problems. Returns whether there are none.
bool print_problems(const usage_file& file) {
  for (const auto& problem : file.problems)
    std::fprintf(stderr, "%s: %s\n", file.name.c_str(), problem.c_str());
  if (file.dropped > 0) std::fprintf(stderr, "%s: and %zu more problems\n", file.name.c_str(), file.dropped);
  return file.problems.empty();
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
  if (print_password_problems(session, args.files, files)) return 1; // write none of the files
  for (std::size_t i = 0; i < files.size(); ++i)
    if (!import_file(session, args, args.files[i], std::move(files[i]), to_password_cost(settings.sessions)))
      return 1;
  return 0;
}

int import_usage(const arguments& args) {
  const auto& name = args.file;
  const auto settings = load_configuration(args).values;
  auto file = read_lines(name);
  if (!print_problems(file)) return 1;
  auto session = open_store(settings);
  store::refuse_while_copied(session);
  check_accounts(session, file);
  if (!print_problems(file)) return 1;
  progress_bar bar{"writing " + name};
  const auto done = store::import_usage(session, file.records,
                                        [&](std::size_t so_far) { bar.show(so_far, file.records.size()); });
  if (done.recorded > 0) record_audit(session, args, "usage import", name);
  std::printf("%s: %zu records: %zu new, %zu already known\n", name.c_str(), file.records.size(),
              done.recorded, done.known);
  return 0;
}

} // namespace roost::cli
