#include "cli/import_plan.hpp"

#include "cli/portfolio_files.hpp"
#include "portfolio/differences.hpp"
#include "security/random.hpp"
#include "store/portfolio/import_plan.hpp"

#include <cstdio>
#include <unordered_map>

namespace roost::cli {

namespace {

using store::import_action;
using store::portfolio_part;

template <typename Value>
using values_by_id = std::unordered_map<domain::uuid, Value, domain::uuid_hash>;

/// What an account holds, by its ids.
struct account_index {
  explicit account_index(const domain::portfolio_account& of) : account(of) {
    for (const auto& user : of.users) users.emplace(user.details.id, &user);
    for (const auto& property : of.properties) {
      properties.emplace(property.details.id, &property);
      for (const auto& unit : property.units) {
        units.emplace(unit.terms.id, &unit);
        for (const auto& block : unit.blocks)
          if (!block.id.is_nil()) blocks.emplace(block.id, std::pair(&block, &unit));
      }
    }
  }

  const domain::portfolio_account& account;
  values_by_id<const domain::portfolio_user*> users;
  values_by_id<const domain::portfolio_property*> properties;
  values_by_id<const domain::portfolio_unit*> units;
  values_by_id<std::pair<const domain::block*, const domain::portfolio_unit*>> blocks;
};

std::string words_of(const domain::nights& nights) {
  return domain::to_string(nights.first) + " to " +
         (nights.last == domain::no_end ? "no end" : domain::to_string(nights.last));
}

/// The plan of one account as lines of a list.
class account_plan {
public:
  account_plan(printed_list& to, store::change_counts& counts, const std::string& file,
               const store::planned_account& plan)
      : to_(to), counts_(counts), file_(file), plan_(plan), wanted_(plan.wanted),
        stored_(plan.stored ? *plan.stored : nothing()) {}

  void print() {
    for (const auto& change : plan_.decided) print(change);
    if (plan_.stored) print_changes();
  }

private:
  using difference = portfolio::difference;

  static const domain::portfolio_account& nothing() {
    static const domain::portfolio_account none;
    return none;
  }

  void line(import_action action, portfolio_part part, const domain::uuid& id, const std::string& name,
            const difference& what = {}) {
    const auto& details = wanted_.account.details;
    auto words = shown(what.member).shown;
    if (what.from && what.to) words += ": " + *what.from + " -> " + *what.to;
    to_.add({unshown(file_), shown_as(details.id, shown(details.landlord_key).shown),
             shown(std::string(store::to_string(action))), shown(std::string(store::name_of(part))),
             shown(name), shown(id), shown_as(what.member, words), json_cell(what.from), json_cell(what.to)});
  }

  /// Values are JSON already.
  static list_cell json_cell(const std::optional<std::string>& json) { return {json, "", true}; }

  void changed(portfolio_part part, const domain::uuid& id, const std::string& name,
               const std::vector<difference>& found) {
    if (found.empty()) return;
    counts_.add(import_action::changed, part);
    for (const auto& each : found) line(import_action::changed, part, id, name, each);
  }

  /// The name of what a step named by its id, or by its unit.
  std::string name_of(const store::import_change& change) const {
    const auto name_in = [&](const auto& map, const auto& fallback, auto name) {
      if (const auto found = map.find(change.id); found != map.end()) return name(found->second);
      const auto found = fallback.find(change.id);
      return found == fallback.end() ? std::string{} : name(found->second);
    };
    switch (change.part) {
    case portfolio_part::account:
    case portfolio_part::usage_record:
      return wanted_.account.details.company_name;
    case portfolio_part::card:
      return change.key;
    case portfolio_part::user:
      return name_in(wanted_.users, stored_.users, [](const auto* user) { return user->details.email; });
    case portfolio_part::property:
      return name_in(wanted_.properties, stored_.properties,
                     [](const auto* property) { return property->details.internal_name; });
    case portfolio_part::block:
      if (change.key.empty()) return block_name(stored_.blocks.at(change.id));
      break;
    default:
      break;
    }
    return name_in(wanted_.units, stored_.units, [](const auto* unit) { return unit->terms.internal_name; }) +
           detail_of(change);
  }

  static std::string detail_of(const store::import_change& change) {
    if (change.part == portfolio_part::block)
      return ", " + words_of({domain::parse_date(change.key).value(), domain::parse_date(change.to).value()});
    if (change.part == portfolio_part::month_rent) return ", month " + change.key;
    return change.key.empty() ? "" : ", " + change.key;
  }

  static std::string block_name(const std::pair<const domain::block*, const domain::portfolio_unit*>& of) {
    return of.second->terms.internal_name + ", " + words_of(of.first->nights);
  }

  void print(const store::import_change& change) {
    counts_.add(change.action, change.part);
    difference what;
    if (change.action == import_action::changed && change.part == portfolio_part::window)
      what = window_change(change);
    if (change.action == import_action::changed && change.part == portfolio_part::link)
      what = link_change(change);
    line(change.action, change.part, change.id, name_of(change), what);
  }

  static difference window_change(const store::import_change& change) {
    if (change.key.empty()) return {"order", std::nullopt, std::nullopt};
    return portfolio::text_difference("dates", change.key, change.to);
  }

  difference link_change(const store::import_change& change) const {
    const auto id_in = [&](const account_index& of) {
      for (const auto& link : of.units.at(change.id)->links)
        if (link.platform == change.key) return link;
      return domain::link{};
    };
    const auto before = id_in(stored_), after = id_in(wanted_);
    if (before.external_id != after.external_id)
      return portfolio::text_difference("externalId", before.external_id, after.external_id);
    return portfolio::text_difference("url", before.url, after.url);
  }

  /// What stands in the file and in the store.
  void print_changes() {
    const auto& account = wanted_.account.details;
    changed(portfolio_part::account, account.id, account.company_name,
            portfolio::differences(stored_.account, wanted_.account));
    for (const auto& card : account.cards)
      if (const auto* before = domain::find_card(stored_.account.details, card.platform))
        changed(portfolio_part::card, account.id, card.platform, portfolio::differences(*before, card));
    for (const auto& user : wanted_.account.users) print_user(user);
    for (const auto& property : wanted_.account.properties) print_property(property);
  }

  void print_user(const domain::portfolio_user& user) {
    const auto found = stored_.users.find(user.details.id);
    if (found == stored_.users.end()) return;
    const auto hashes =
        user.keeps_password ? portfolio::password_hashes::left_out : portfolio::password_hashes::written;
    changed(portfolio_part::user, user.details.id, user.details.email,
            portfolio::differences(*found->second, user, hashes));
  }

  void print_property(const domain::portfolio_property& property) {
    const auto& details = property.details;
    if (const auto found = stored_.properties.find(details.id); found != stored_.properties.end())
      changed(portfolio_part::property, details.id, details.internal_name,
              portfolio::differences(*found->second, property));
    for (const auto& unit : property.units) print_unit(unit);
  }

  static difference moved(const char* member, const domain::uuid& from, const domain::uuid& to) {
    return portfolio::text_difference(member, domain::to_string(from), domain::to_string(to));
  }

  void print_unit(const domain::portfolio_unit& unit) {
    if (const auto found = stored_.units.find(unit.terms.id); found != stored_.units.end()) {
      auto differences = portfolio::differences(*found->second, unit);
      if (const auto& before = found->second->terms; before.property_id != unit.terms.property_id)
        differences.push_back(moved("property", before.property_id, unit.terms.property_id));
      changed(portfolio_part::unit, unit.terms.id, unit.terms.internal_name, differences);
    }
    for (const auto& block : unit.blocks) {
      const auto found = stored_.blocks.find(block.id);
      if (found == stored_.blocks.end()) continue;
      const auto& [before, unit_before] = found->second;
      auto differences = portfolio::differences(*before, block);
      if (unit_before->terms.id != unit.terms.id)
        differences.push_back(moved("unit", unit_before->terms.id, unit.terms.id));
      changed(portfolio_part::block, block.id, block_name({before, unit_before}), differences);
    }
  }

  printed_list& to_;
  store::change_counts& counts_;
  const std::string& file_;
  const store::planned_account& plan_;
  const account_index wanted_, stored_;
};

void print_totals(const std::string& name, const store::change_counts& counts) {
  bool any = false;
  for (const auto action :
       {import_action::added, import_action::changed, import_action::removed, import_action::archived}) {
    const auto text = counts.text(action);
    if (text.empty()) continue;
    any = true;
    std::printf("%s: %s: %s\n", name.c_str(), std::string(store::to_string(action)).c_str(), text.c_str());
  }
  if (!any) std::printf("%s: nothing would change\n", name.c_str());
  if (counts.any_removal())
    std::printf("%s: what is removed or archived needs --allow-removals\n", name.c_str());
}

} // namespace

int print_plans(const common_options& common, const config::settings& settings,
                const std::vector<std::string>& names, std::vector<domain::portfolio> files) {
  auto session = open_store(settings);
  store::import_context with;
  with.new_id = [] { return security::random_uuid(); };
  std::vector<store::change_counts> counts(files.size());
  {
    printed_list list(common.format,
                      {"file", "account", "action", "part", "name", "id", "member", "from", "to"});
    for (std::size_t i = 0; i < files.size(); ++i) {
      hash_passwords(session, files[i], password_cost_of(settings));
      const auto problems =
          store::plan_import(session, files[i], with, [&](const store::planned_account& plan) {
            account_plan(list, counts[i], names[i], plan).print();
          });
      for (const auto& problem : problems)
        std::fprintf(stderr, "%s: %s\n", names[i].c_str(), problem.c_str());
      if (!problems.empty()) return 1;
    }
  }
  if (common.format == list_format::text)
    for (std::size_t i = 0; i < files.size(); ++i) print_totals(names[i], counts[i]);
  return 0;
}

} // namespace roost::cli
