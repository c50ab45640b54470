#include "simulation/portfolio_files.hpp"

#include "cli/context.hpp"
#include "portfolio/parse.hpp"
#include "portfolio/write.hpp"
#include "security/random.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

namespace roost::testing {

namespace {

std::string exported(store::session& db) {
  std::string text;
  portfolio::file_writer writer([&](std::string_view part) { text += part; },
                                portfolio::password_hashes::left_out);
  for (const auto& id : store::accounts_to_export(db, {})) {
    store::export_account(
        db, id,
        {.account = [&](const domain::portfolio_account& account) { writer.begin_account(account); },
         .usage = [&](std::span<const domain::ai_usage_record> records) { writer.add_usage(records); }});
    writer.end_account();
  }
  writer.finish();
  return text;
}

} // namespace

domain::portfolio parsed_portfolio(const std::string& text, const config::settings& settings) {
  portfolio::context context;
  context.platforms = settings.platforms;
  for (const auto& [role, permissions] : settings.roles) context.roles.push_back(role);
  for (const auto& host : settings.short_term_hosts) context.short_term_hosts.push_back(host.name);
  auto result = portfolio::parse(text, context);
  if (auto* file = std::get_if<domain::portfolio>(&result)) return std::move(*file);
  throw std::logic_error(portfolio::to_string(std::get<std::vector<portfolio::problem>>(result).front()));
}

namespace {

/// Imports the text and returns what it changes. With `overwrites_office`, also what the office has written.
std::vector<std::string> import_differences(store::session& db, const std::string& text,
                                            const config::settings& settings, bool overwrites_office) {
  std::vector<std::string> differences;
  const auto add = [&](const std::string& problem) {
    differences.push_back("the import of an export " + problem);
  };
  auto before = portfolio_rows(db);
  store::import_context context;
  context.now = cli::current_time();
  context.new_id = [] { return security::random_uuid(); };
  context.overwrite_office = overwrites_office;
  const auto result = store::import_portfolio(db, parsed_portfolio(text, settings), context);
  for (const auto& each : result.problems) add("is refused: " + each);
  if (result.refused) add("would remove something: " + result.refused->text());
  if (result.refused_by_office) add("would set back the office: " + result.refused_by_office->text());
  if (const auto changes = result.summary.counts.text(); !changes.empty()) add("has " + changes);
  auto after = portfolio_rows(db);
  std::ranges::sort(before);
  std::ranges::sort(after);
  std::vector<std::string> lost;
  std::ranges::set_difference(before, after, std::back_inserter(lost));
  for (const auto& each : lost) add("changes the row " + each);
  return differences;
}

} // namespace

std::vector<std::string> export_differences(store::session& db, const config::settings& settings) {
  const auto text = exported(db);
  auto differences = import_differences(db, text, settings, false);
  if (differences.empty()) differences = import_differences(db, text, settings, true);
  return differences;
}

} // namespace roost::testing
