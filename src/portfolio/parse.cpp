#include "portfolio/parse.hpp"

#include "portfolio/aggregates.hpp"
#include "portfolio/json_tree.hpp"

#include <algorithm>
#include <iterator>

namespace roost::portfolio {

namespace {

constexpr std::string_view format = "roost-portfolio/1";
constexpr std::string_view account_list = "accounts";

/// Reads what the root object has beside its accounts.
void read_root(reader in) {
  in.object({
      required("format",
               [&] {
                 const bool known = in.is(json_type::text) && in.node().text == format;
                 return known || in.refuse("must be \"" + std::string{format} + "\"");
               }),
      required(account_list, [&] { return in.is(json_type::array) || in.refuse("must be an array"); }),
  });
}

} // namespace

file_scope::file_scope(const context& with) : configured(with) {
  std::ranges::transform(with.platforms, std::back_inserter(platforms),
                         [](const domain::platform& of) { return std::string_view{of.name}; });
  roles.assign(with.roles.begin(), with.roles.end());
  short_term_hosts.assign(with.short_term_hosts.begin(), with.short_term_hosts.end());
}

const domain::platform& file_scope::platform(std::string_view name) const {
  return *std::ranges::find(configured.platforms, name, &domain::platform::name);
}

std::variant<domain::portfolio, std::vector<problem>> parse(std::string_view document, const context& with) {
  domain::portfolio file;
  std::vector<problem> problems, root_problems;
  file_scope scope{with};
  const json_consumer consumer{
      .element =
          [&](std::size_t index, const json_node& node) {
            reader in{node, problems, account_list, index, with.known};
            domain::portfolio_account account;
            if (read_account(in, scope, account)) file.accounts.push_back(std::move(account));
          },
      .rest =
          [&](const json_node& root) {
            read_root(reader{root, root_problems});
          },
      .progress = with.progress,
  };
  if (const auto error = read_json(document, account_list, consumer)) {
    problem broken;
    broken.text = to_string(*error);
    return std::vector<problem>(1, broken);
  }
  root_problems.insert(root_problems.end(), std::make_move_iterator(problems.begin()),
                       std::make_move_iterator(problems.end()));
  if (!root_problems.empty()) return root_problems;
  return file;
}

} // namespace roost::portfolio
