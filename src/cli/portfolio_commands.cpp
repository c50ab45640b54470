#include "cli/commands.hpp"
#include "cli/facts.hpp"
#include "cli/month_picture.hpp"
#include "cli/required.hpp"
#include "cli/usage_error.hpp"
#include "domain/text.hpp"
#include "store/portfolio/overview.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace roost::cli {

namespace {

using domain::one_line;

constexpr int max_months = 24;

std::string counted_units(std::int64_t units) {
  return std::to_string(units) + (units == 1 ? " unit" : " units");
}

list_cell archived(bool is_archived) { return shown_as(is_archived, is_archived ? "archived" : ""); }

/// `2027-02`; empty: the present month.
std::chrono::year_month month_of(const std::string& text) {
  const auto day = text.empty()
                       ? std::optional{std::chrono::floor<domain::days>(std::chrono::system_clock::now())}
                       : domain::parse_date(text + "-01");
  if (!day) throw usage_error("--from: '" + text + "' is not a month; it looks like 2027-02");
  const std::chrono::year_month_day parts{*day};
  return parts.year() / parts.month();
}

/// For programs alone.
list_cell amount_cell(const std::optional<domain::money>& amount) {
  if (!amount) return {};
  return {std::string(domain::to_short_text(*amount).view()), "", true};
}

/// `650.00 EUR a month`, or of one that varies `600.00 to 800.00 EUR a month`.
std::string rent_of(const store::unit_overview& unit) {
  const auto highest = unit.fixed_rent ? unit.fixed_rent : unit.highest_rent;
  if (!highest) return "none";
  auto text = amount_of(*highest, unit.currency) + " a month";
  if (unit.fixed_rent || unit.lowest_rent == highest) return text;
  const auto lowest = amount_of(*unit.lowest_rent, unit.currency);
  return lowest.substr(0, lowest.find(' ')) + " to " + text;
}

/// Throws std::runtime_error for a property of another account than the one that is asked for.
void require_property_in_account(store::session& db, const store::portfolio_filter& wanted) {
  if (!wanted.account || !wanted.property) return;
  if (store::list_properties(db, {.account = wanted.account, .id = wanted.property}, 1).empty())
    throw std::runtime_error("the property " + domain::to_string(*wanted.property) +
                             " is not in the account " + domain::to_string(*wanted.account));
}

char mark_of(const store::taken_nights& nights) {
  if (nights.by == "booking") return '#';
  return nights.by == "manual" ? 'x' : 'c';
}

char mark_on(domain::date day, const std::vector<store::taken_nights>& taken) {
  const auto holds = [day](const store::taken_nights& each) {
    return each.first <= day && (!each.last || day <= *each.last);
  };
  const auto found = std::ranges::find_if(taken, holds);
  return found == taken.end() ? ' ' : mark_of(*found);
}

void print_nights(list_format format, const std::vector<store::taken_nights>& taken) {
  printed_list list(format, {"first_night", "last_night", "by", "id", "platform"});
  for (const auto& each : taken)
    list.add({shown_as(each.first, domain::to_string(each.first) + " to " +
                                       (each.last ? domain::to_string(*each.last) : "no end")),
              unshown(each.last), shown(each.by), shown(each.id), shown(each.platform)});
}

} // namespace

int list_accounts(const common_options& common, std::size_t limit) {
  auto session = open_store(load_configuration(common).values);
  printed_list list(common.format, {"id", "company", "currency", "users", "properties", "units"});
  const auto read = [&](std::size_t most) { return store::list_accounts(session, std::nullopt, most); };
  for (const auto& each : list.first_of(limit, read))
    list.add({shown(each.id), shown(each.company_name), shown(each.currency), unshown(each.users),
              unshown(each.properties), shown_as(each.units, counted_units(each.units))});
  return 0;
}

int show_account(const common_options& common, const std::string& id) {
  const auto account_id = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto account = require_account(session, account_id);
  print_fact("Account", id);
  print_fact("Company", one_line(account.company_name));
  print_fact("Currency", account.currency);
  print_fact("Properties", std::to_string(account.properties));
  print_fact("Units", std::to_string(account.units));
  for (const auto& user : store::users_of(session, account_id))
    print_fact("User", one_line(user.email) + "  " + one_line(user.role) +
                           (user.is_deactivated ? "  deactivated" : ""));
  return 0;
}

int list_properties(const common_options& common, const portfolio_list_options& options) {
  auto session = open_store(load_configuration(common).values);
  const store::portfolio_filter wanted{.account = account_if_given(session, options.account)};
  printed_list list(common.format, {"id", "account", "name", "type", "city", "units", "archived"});
  const auto read = [&](std::size_t most) { return store::list_properties(session, wanted, most); };
  for (const auto& each : list.first_of(options.limit, read))
    list.add({shown(each.id), unshown(each.account_id), shown(each.name), shown(each.type), shown(each.city),
              shown_as(each.units, counted_units(each.units)), archived(each.is_archived)});
  return 0;
}

int list_units(const common_options& common, const portfolio_list_options& options) {
  auto session = open_store(load_configuration(common).values);
  const store::portfolio_filter wanted{.account = account_if_given(session, options.account),
                                       .property = property_if_given(session, options.property)};
  require_property_in_account(session, wanted);
  printed_list list(common.format, {"id", "account", "property", "name", "kind", "city", "capacity", "rent",
                                    "lowest_rent", "highest_rent", "currency", "archived"});
  const auto read = [&](std::size_t most) { return store::list_units(session, wanted, most); };
  for (const auto& each : list.first_of(options.limit, read)) {
    auto rent = amount_cell(each.fixed_rent);
    rent.shown = rent_of(each);
    list.add({shown(each.id), unshown(each.account_id), unshown(each.property_id), shown(each.name),
              shown(each.kind), shown(each.city), unshown(each.capacity), rent, amount_cell(each.lowest_rent),
              amount_cell(each.highest_rent), unshown(each.currency), archived(each.is_archived)});
  }
  return 0;
}

int show_unit(const common_options& common, const std::string& id) {
  const auto unit_id = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto unit = require_unit(session, unit_id);
  print_fact("Unit", id);
  print_fact("Name", one_line(unit.name) + (unit.is_archived ? "  (archived)" : ""));
  print_fact("Kind", unit.kind);
  print_fact("Property", one_line(unit.property_name) + "  " + domain::to_string(unit.property_id));
  print_fact("City", one_line(unit.city));
  print_fact("Account", domain::to_string(unit.account_id));
  print_fact("Capacity", std::to_string(unit.capacity));
  print_fact("Rent", rent_of(unit));
  for (const auto& link : store::links_of(session, unit_id))
    print_fact("Link",
               link.platform + "  " + one_line(link.external_id) + (link.is_excluded ? "  excluded" : ""));
  return 0;
}

int show_calendar(const common_options& common, const calendar_options& options) {
  const auto unit_id = id_of(options.unit);
  const auto first = month_of(options.from);
  if (options.months < 1 || options.months > max_months) throw usage_error("--months is from 1 to 24");
  const auto last = first + std::chrono::months{options.months - 1};
  auto session = open_store(load_configuration(common).values);
  const auto unit = require_unit(session, unit_id);
  const auto taken =
      store::taken_nights_of(session, unit_id, first / 1, domain::date{last / std::chrono::last});
  if (common.format == list_format::text) {
    std::printf("%s, %s\n\n", one_line(unit.name).c_str(), one_line(unit.city).c_str());
    for (auto month = first; month <= last; month += std::chrono::months{1})
      std::puts(month_picture(month, [&](domain::date day) { return mark_on(day, taken); }).c_str());
    std::puts("# booked   x blocked by hand   c blocked by a channel\n");
  }
  print_nights(common.format, taken);
  return 0;
}

} // namespace roost::cli
