#include "portfolio/parse.hpp"

#include "portfolio/account.hpp"

#include <array>
#include <iterator>
#include <optional>

namespace roost::portfolio {

namespace {

constexpr std::string_view account_list = "accounts";

/// Reads the root object without its accounts.
void read_root(reader in) {
  static constexpr std::array<std::string_view, 2> names{"format", account_list};
  std::uint64_t given = 0;
  in.object({names, 0b11}, given, [&](std::size_t index) {
    if (index == 1) return in.is(json_type::array) || in.refuse("must be an array");
    const bool known = in.is(json_type::text) && in.node().text == format_name;
    return known || in.refuse("must be \"" + std::string{format_name} + "\"");
  });
}

/// Returns the problem of a file that is not JSON (docs/portfolio.md, Problems).
problem problem_of(const json::syntax_error& error) {
  return {{},
          "line " + std::to_string(error.line) + ", column " + std::to_string(error.column) +
              ": is not JSON: " + error.text};
}

} // namespace

std::variant<domain::portfolio, std::vector<problem>> parse(std::string_view document, const context& with) {
  domain::portfolio file;
  std::vector<problem> problems, root_problems;
  std::optional<file_scope> scope(with);
  const json_consumer consumer{
      .element =
          [&](std::size_t index, const json_node& node) {
            reader in{node, problems, *scope, account_list, index};
            domain::portfolio_account account;
            if (read_object(in, objects::account_object, account))
              file.accounts.push_back(std::move(account));
          },
      .rest =
          [&](const json_node& root) {
            read_root(reader{root, root_problems, *scope});
          },
      .progress = with.progress,
      .restart =
          [&] {
            file = {};
            problems.clear();
            scope.emplace(with);
          },
  };
  if (const auto error = read_json(document, account_list, consumer)) return std::vector{problem_of(*error)};
  root_problems.insert(root_problems.end(), std::make_move_iterator(problems.begin()),
                       std::make_move_iterator(problems.end()));
  if (!root_problems.empty()) return root_problems;
  return file;
}

usage_records parse_usage_records(std::string_view json, std::size_t max_records,
                                  std::optional<domain::timestamp> now) {
  usage_records read;
  const context no_configuration;
  file_scope scope{no_configuration};
  json_consumer consumer;
  consumer.rest = [&](const json_node& root) {
    reader in{root, read.problems, scope};
    const auto read_one = [&](domain::ai_usage_record& record) {
      if (!now) return read_object(in, objects::standalone_usage_object, record);
      record.created_at = *now;
      return read_object(in, objects::new_usage_object, record);
    };
    if (max_records == 1 || !in.is(json_type::array)) {
      read_one(read.records.emplace_back());
    } else {
      in.list(read.records, read_one);
      if (read.records.size() > max_records)
        in.refuse("must not hold more than " + std::to_string(max_records) + " records");
    }
  };
  read.broken = read_json(json, {}, consumer);
  return read;
}

json::schema new_usage_record_schema() {
  auto schema = json::schema_of(objects::new_usage_object);
  schema.others = json::other_members::forbidden;
  return schema;
}

} // namespace roost::portfolio
