#include "domain/storable_text.hpp"
#include "fuzz/support/json.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "portfolio/parse.hpp"
#include "portfolio/write.hpp"

#include <string>
#include <variant>
#include <vector>

/// Portfolio files.
namespace roost::fuzz::portfolio_file {
namespace {

using result = std::variant<domain::portfolio, std::vector<portfolio::problem>>;

portfolio::context rules() {
  portfolio::context with;
  domain::platform a, engine;
  a.name = a.prefix = "marketplace-a";
  a.kind = domain::platform_kind::marketplace_a;
  a.domains = {"marketplace-a.example"};
  engine.name = engine.prefix = "booking-engine";
  engine.kind = domain::platform_kind::booking_engine;
  engine.domains = {"engine.example"};
  with.platforms = {a, engine};
  with.roles = {"Admin", "Owner"};
  with.short_term_hosts = {"host-one"};
  return with;
}

result read(std::string_view text) {
  static const auto with = rules();
  return portfolio::parse(text, with);
}

/// Returns the text of a file without the JSON in usage records, which keeps the form in which it was sent.
std::string written_without_json(domain::portfolio file) {
  for (auto& account : file.accounts)
    for (auto& record : account.ai_usage) {
      record.metadata.reset();
      record.pricing_snapshot = "{}";
    }
  return portfolio::written(file, portfolio::password_hashes::written);
}

void check_problems(const std::vector<portfolio::problem>& problems) {
  require(!problems.empty(), "a refused file has a problem");
  for (const auto& problem : problems) {
    require_one_line(portfolio::to_string(problem));
    require(domain::is_storable(portfolio::to_string(problem)), "a problem is UTF-8");
    require(problem.pointer.empty() || problem.pointer.starts_with('/'), "a problem names its place");
  }
}

void check(std::string_view input) {
  const auto parsed = read(input);
  require(read(input) == parsed, "a file is read the same twice");
  if (const auto* problems = std::get_if<1>(&parsed)) {
    check_problems(*problems);
    return;
  }
  const auto& file = std::get<0>(parsed);
  const auto text = portfolio::written(file, portfolio::password_hashes::written);
  require(domain::is_storable(text), "a written file is UTF-8");
  const auto again = read(text);
  require(std::holds_alternative<domain::portfolio>(again), "a written file is valid");
  require(portfolio::written(std::get<0>(again), portfolio::password_hashes::written) == text,
          "a file is written the same twice");
  if (const auto other = reformatted(input)) {
    const auto reread = read(*other);
    require(std::holds_alternative<domain::portfolio>(reread), "the form of a file does not matter");
    require(written_without_json(std::get<0>(reread)) == written_without_json(file),
            "the form of a file does not change its values");
  }
}

const target registered{"portfolio_file", "PortfolioFilesAreReadAsTheyWereWritten", check};

} // namespace
} // namespace roost::fuzz::portfolio_file
