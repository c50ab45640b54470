#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "portfolio/parse.hpp"
#include "store/database/lease.hpp"
#include "store/usage/usage_writes.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_set>

namespace roost::cli {

namespace {

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
