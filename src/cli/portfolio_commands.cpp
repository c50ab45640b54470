#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"

#include <algorithm>
#include <cstdio>

namespace roost::cli {

namespace {

using domain::one_line;

constexpr int max_months = 24;

std::string counted_units(std::int64_t units) {
  return std::to_string(units) + (units == 1 ? " unit" : " units");
}

list_cell archived(bool is_archived) { return cell_as(is_archived, is_archived ? "archived" : ""); }

/// Parses `2027-02`; empty: the current month.
std::chrono::year_month month_of(const std::string& text) {
  const auto day = text.empty()
                       ? std::optional{std::chrono::floor<domain::days>(std::chrono::system_clock::now())}
                       : domain::parse_date(text + "-01");
  if (!day) throw usage_error("--from: '" + text + "' is not a month; it looks like 2027-02");
  const std::chrono::year_month_day parts{*day};
  return parts.year() / parts.month();
}

/// Returns a cell that is printed only for programs.
list_cell amount_cell(const std::optional<domain::money>& amount) {
  if (!amount) return {};
  return {std::string(domain::to_short_text(*amount).view()), "", true};
}

/// Returns `650.00 EUR a month`, or `600.00 to 800.00 EUR a month` for a rent that varies.
std::string rent_of(const store::unit_overview& unit) {
  const auto highest = unit.fixed_rent ? unit.fixed_rent : unit.highest_rent;
  if (!highest) return "none";
  auto text = amount_of(*highest, unit.currency) + " a month";
  if (unit.fixed_rent || unit.lowest_rent == highest) return text;
  const auto lowest = amount_of(*unit.lowest_rent, unit.currency);
  return lowest.substr(0, lowest.find(' ')) + " to " + text;
}

/// Throws std::runtime_error if the property belongs to another account than the filter's.
void require_property_in_account(store::session& db, const store::portfolio_filter& filter) {
  if (!filter.account || !filter.property) return;
  if (store::list_properties(db, {.account = filter.account, .id = filter.property}, 1).empty())
    throw std::runtime_error("the property " + domain::to_string(*filter.property) +
                             " is not in the account " + domain::to_string(*filter.account));
}

char mark_of(const store::taken_nights& nights) {
  if (nights.by == "booking") return '#';
  if (nights.by == "hold") return 'h';
  return nights.by == "manual" ? 'x' : 'c';
}

char mark_on(domain::date day, const std::vector<store::taken_nights>& taken) {
  const auto contains_day = [day](const store::taken_nights& each) {
    return each.first <= day && (!each.last || day <= *each.last);
  };
  const auto nights = std::ranges::find_if(taken, contains_day);
  return nights == taken.end() ? ' ' : mark_of(*nights);
}

void print_nights(list_format format, const std::vector<store::taken_nights>& taken) {
  list_printer list(format, {"first_night", "last_night", "by", "id", "platform"});
  for (const auto& each : taken)
    list.add({cell_as(each.first, domain::to_string(each.first) + " to " +
                                      (each.last ? domain::to_string(*each.last) : "no end")),
              data_cell(each.last), cell(each.by), cell(each.id), cell(each.platform)});
}

} // namespace

int list_accounts(const arguments& args) {
  auto session = open_store(args);
  list_printer list(args.format, {"id", "company", "currency", "users", "properties", "units"});
  for (const auto& each :
       list.limited(store::list_accounts(session, std::nullopt, args.limit + 1), args.limit))
    list.add({cell(each.id), cell(each.company_name), cell(each.currency), data_cell(each.users),
              data_cell(each.properties), cell_as(each.units, counted_units(each.units))});
  return 0;
}

int show_account(const arguments& args) {
  const auto account_id = parse_id(args.id);
  auto session = open_store(args);
  const auto account = require_account(session, account_id);
  print_field("Account", args.id);
  print_field("Company", one_line(account.company_name));
  print_field("Currency", account.currency);
  print_field("Properties", std::to_string(account.properties));
  print_field("Units", std::to_string(account.units));
  for (const auto& user : store::users_of(session, account_id))
    print_field("User", one_line(user.email) + "  " + one_line(user.role) +
                            (user.is_deactivated ? "  deactivated" : ""));
  return 0;
}

int list_properties(const arguments& args) {
  auto session = open_store(args);
  const store::portfolio_filter filter{.account = account_if_given(session, args.account)};
  list_printer list(args.format, {"id", "account", "name", "type", "city", "units", "archived"});
  for (const auto& each : list.limited(store::list_properties(session, filter, args.limit + 1), args.limit))
    list.add({cell(each.id), data_cell(each.account_id), cell(each.name), cell(each.type), cell(each.city),
              cell_as(each.units, counted_units(each.units)), archived(each.is_archived)});
  return 0;
}

int list_units(const arguments& args) {
  auto session = open_store(args);
  const store::portfolio_filter filter{.account = account_if_given(session, args.account),
                                       .property = property_if_given(session, args.property)};
  require_property_in_account(session, filter);
  list_printer list(args.format, {"id", "account", "property", "name", "kind", "city", "capacity", "rent",
                                  "lowest_rent", "highest_rent", "currency", "archived"});
  for (const auto& each : list.limited(store::list_units(session, filter, args.limit + 1), args.limit)) {
    auto rent = amount_cell(each.fixed_rent);
    rent.text = rent_of(each);
    list.add({cell(each.id), data_cell(each.account_id), data_cell(each.property_id), cell(each.name),
              cell(each.kind), cell(each.city), data_cell(each.capacity), rent, amount_cell(each.lowest_rent),
              amount_cell(each.highest_rent), data_cell(each.currency), archived(each.is_archived)});
  }
  return 0;
}

int show_unit(const arguments& args) {
  const auto unit_id = parse_id(args.id);
  auto session = open_store(args);
  const auto unit = require_unit(session, unit_id);
  print_field("Unit", args.id);
  print_field("Name", one_line(unit.name) + (unit.is_archived ? "  (archived)" : ""));
  print_field("Kind", unit.kind);
  print_field("Property", one_line(unit.property_name) + "  " + domain::to_string(unit.property_id));
  print_field("City", one_line(unit.city));
  print_field("Account", domain::to_string(unit.account_id));
  print_field("Capacity", std::to_string(unit.capacity));
  print_field("Rent", rent_of(unit));
  for (const auto& link : store::links_of(session, unit_id))
    print_field("Link",
                link.platform + "  " + one_line(link.external_id) + (link.is_excluded ? "  excluded" : ""));
  return 0;
}

int show_calendar(const arguments& args) {
  const auto unit_id = parse_id(args.id);
  const auto first = month_of(args.from);
  if (args.months < 1 || args.months > max_months) throw usage_error("--months must be from 1 to 24");
  const auto last = first + std::chrono::months{args.months - 1};
  auto session = open_store(args);
  const auto unit = require_unit(session, unit_id);
  const auto taken = store::taken_nights_of(session, unit_id, domain::date_of(first / 1),
                                            domain::date_of(last / std::chrono::last));
  if (args.format == list_format::text) {
    std::printf("%s, %s\n\n", one_line(unit.name).c_str(), one_line(unit.city).c_str());
    for (auto month = first; month <= last; month += std::chrono::months{1})
      std::puts(month_picture(month, [&](domain::date day) { return mark_on(day, taken); }).c_str());
    std::puts("# booked   x blocked manually   c blocked by a channel   h held by a platform\n");
  }
  print_nights(args.format, taken);
  return 0;
}

} // namespace roost::cli
