#include "cli/import_plan.hpp"

#include "cli/overlaps.hpp"
#include "portfolio/write.hpp"
#include "security/common_password.hpp"
#include "security/random.hpp"
#include "service/conversions.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/sessions/users.hpp"

#include <cstdio>
#include <unordered_map>
#include <utility>

namespace roost::cli {

namespace {

using store::import_action;
using store::portfolio_part;

template <typename Value>
using values_by_id = std::unordered_map<domain::uuid, Value, domain::uuid_hash>;

/// The parts of an account by id.
struct account_index {
  account_index() = default;
  explicit account_index(const domain::portfolio_account& source) {
    for (const auto& user : source.users) users.emplace(user.details.id, &user);
    for (const auto& property : source.properties) {
      properties.emplace(property.details.id, &property);
      for (const auto& unit : property.units) {
        units.emplace(unit.terms.id, &unit);
        for (const auto& block : unit.blocks)
          if (!block.id.is_nil()) blocks.emplace(block.id, std::pair(&block, &unit));
        for (const auto& calendar : unit.calendars)
          calendars.emplace(calendar.id, std::pair(&calendar, &unit));
      }
    }
  }

  values_by_id<const domain::portfolio_user*> users;
  values_by_id<const domain::portfolio_property*> properties;
  values_by_id<const domain::portfolio_unit*> units;
  values_by_id<std::pair<const domain::block*, const domain::portfolio_unit*>> blocks;
  values_by_id<std::pair<const domain::imported_calendar*, const domain::portfolio_unit*>> calendars;
};

/// Prints the plan of one account as rows of a list.
class account_plan {
public:
  account_plan(list_printer& list, store::change_counts& counts, const std::string& file,
               const store::planned_account& plan)
      : list_(list), counts_(counts), file_(file), plan_(plan), planned_(plan.account),
        stored_(plan.stored ? account_index(*plan.stored) : account_index()) {}

  /// `overlaps`: of blocks with bookings after the import.
  void print(const store::block_overlaps& overlaps) {
    for (const auto& change : plan_.changes) print(change);
    if (plan_.stored) print_changes();
    for (const auto& each : overlaps.items) print(each);
  }

private:
  using difference = portfolio::difference;

  void print_row(import_action action, portfolio_part part, const domain::uuid& id, const std::string& name,
                 const difference& change = {}) {
    auto text = cell(change.member).text;
    if (change.from && change.to) text += ": " + *change.from + " -> " + *change.to;
    print_row(std::string(store::to_string(action)), part, id, name, change, std::move(text));
  }

  /// `text` is what people see of the difference.
  void print_row(const std::string& action, portfolio_part part, const domain::uuid& id,
                 const std::string& name, const difference& change, std::string text) {
    const auto& details = plan_.account.details;
    list_.add({data_cell(file_),
               cell_as(details.id, cell(details.landlord_key).text),
               cell(action),
               cell(store::name_of(part)),
               cell(name),
               cell(id),
               cell_as(change.member, std::move(text)),
               {change.from, "", true},
               {change.to, "", true}});
  }

  void print_changed(portfolio_part part, const domain::uuid& id, const std::string& name,
                     const std::vector<difference>& changes) {
    if (changes.empty()) return;
    counts_.add(import_action::changed, part);
    for (const auto& each : changes) print_row(import_action::changed, part, id, name, each);
  }

  /// Returns the name of the changed part, or of its unit.
  std::string name_of(const store::import_change& change) const {
    const auto name_in = [&](const auto& map, const auto& fallback, auto name) {
      if (const auto part = map.find(change.id); part != map.end()) return name(part->second);
      const auto part = fallback.find(change.id);
      return part == fallback.end() ? std::string{} : name(part->second);
    };
    switch (change.part) {
    case portfolio_part::account:
    case portfolio_part::usage_record:
      return plan_.account.details.company_name;
    case portfolio_part::card:
      return change.key;
    case portfolio_part::user:
      return name_in(planned_.users, stored_.users, [](const auto* user) { return user->details.email; });
    case portfolio_part::property:
      return name_in(planned_.properties, stored_.properties,
                     [](const auto* property) { return property->details.internal_name; });
    case portfolio_part::calendar:
      // One that moves to another unit is removed from the stored one.
      if (change.action == import_action::removed) return calendar_name(stored_.calendars.at(change.id));
      return name_in(planned_.calendars, stored_.calendars, calendar_name);
    case portfolio_part::block:
      if (change.key.empty()) return block_name(stored_.blocks.at(change.id));
      break;
    default:
      break;
    }
    return name_in(planned_.units, stored_.units,
                   [](const auto* unit) { return unit->terms.internal_name; }) +
           detail_of(change);
  }

  /// Returns what distinguishes the change from others of its unit.
  static std::string detail_of(const store::import_change& change) {
    if (change.part == portfolio_part::block)
      return ", " +
             nights_text({domain::parse_date(change.key).value(), domain::parse_date(change.to).value()});
    if (change.part == portfolio_part::month_rent) return ", month " + change.key;
    return change.key.empty() ? "" : ", " + change.key;
  }

  static std::string block_name(const std::pair<const domain::block*, const domain::portfolio_unit*>& entry) {
    return entry.second->terms.internal_name + ", " + nights_text(entry.first->nights);
  }

  static std::string
  calendar_name(const std::pair<const domain::imported_calendar*, const domain::portfolio_unit*>& entry) {
    return entry.second->terms.internal_name + ", " + entry.first->name;
  }

  void print(const store::import_change& change) {
    counts_.add(change.action, change.part);
    print_row(change.action, change.part, change.id, name_of(change),
              change.action == import_action::changed ? difference_of(change) : difference{});
  }

  void print(const store::block_overlap& overlap) {
    const auto& id = overlap.block_id.is_nil() ? overlap.unit_id : overlap.block_id;
    const auto booking = domain::to_string(overlap.booking_id);
    print_row("overlaps", portfolio_part::block, id, overlap.unit_name + ", " + nights_text(overlap.block),
              {"booking", std::nullopt, '"' + booking + '"'},
              "booking " + booking + ", " + stay_text(overlap));
  }

  difference difference_of(const store::import_change& change) const {
    if (change.part == portfolio_part::window) return window_change(change);
    return change.part == portfolio_part::link ? link_change(change) : difference{};
  }

  static difference window_change(const store::import_change& change) {
    if (change.key.empty()) return {"order", std::nullopt, std::nullopt};
    return portfolio::text_difference("dates", change.key, change.to);
  }

  difference link_change(const store::import_change& change) const {
    const auto link_in = [&](const account_index& account) {
      for (const auto& link : account.units.at(change.id)->links)
        if (link.platform == change.key) return link;
      return domain::link{};
    };
    const auto before = link_in(stored_), after = link_in(planned_);
    if (before.external_id != after.external_id)
      return portfolio::text_difference("externalId", before.external_id, after.external_id);
    return portfolio::text_difference("url", before.url, after.url);
  }

  /// Prints the differences of parts that are both in the file and in the store.
  void print_changes() {
    const auto& account = plan_.account.details;
    print_changed(portfolio_part::account, account.id, account.company_name,
                  portfolio::differences(*plan_.stored, plan_.account));
    for (const auto& card : account.cards)
      if (const auto* before = domain::find_card(plan_.stored->details, card.platform))
        print_changed(portfolio_part::card, account.id, card.platform, portfolio::differences(*before, card));
    for (const auto& user : plan_.account.users) print_user(user);
    for (const auto& property : plan_.account.properties) print_property(property);
  }

  void print_user(domain::portfolio_user user) {
    const auto stored = stored_.users.find(user.details.id);
    if (stored == stored_.users.end()) return;
    user.details.language = stored->second->details.language; // an import keeps it
    const auto hashes =
        user.keeps_password ? portfolio::password_hashes::left_out : portfolio::password_hashes::written;
    print_changed(portfolio_part::user, user.details.id, user.details.email,
                  portfolio::differences(*stored->second, user, hashes));
  }

  void print_property(const domain::portfolio_property& property) {
    const auto& details = property.details;
    if (const auto stored = stored_.properties.find(details.id); stored != stored_.properties.end())
      print_changed(portfolio_part::property, details.id, details.internal_name,
                    portfolio::differences(*stored->second, property));
    for (const auto& unit : property.units) print_unit(unit);
  }

  static difference moved(const char* member, const domain::uuid& from, const domain::uuid& to) {
    return portfolio::text_difference(member, domain::to_string(from), domain::to_string(to));
  }

  void print_unit(const domain::portfolio_unit& unit) {
    if (const auto stored = stored_.units.find(unit.terms.id); stored != stored_.units.end()) {
      auto differences = portfolio::differences(*stored->second, unit);
      if (const auto& before = stored->second->terms; before.property_id != unit.terms.property_id)
        differences.push_back(moved("property", before.property_id, unit.terms.property_id));
      print_changed(portfolio_part::unit, unit.terms.id, unit.terms.internal_name, differences);
    }
    for (const auto& block : unit.blocks) {
      const auto stored = stored_.blocks.find(block.id);
      if (stored == stored_.blocks.end()) continue;
      const auto& [before, unit_before] = stored->second;
      auto differences = portfolio::differences(*before, block);
      if (unit_before->terms.id != unit.terms.id)
        differences.push_back(moved("unit", unit_before->terms.id, unit.terms.id));
      print_changed(portfolio_part::block, block.id, block_name({before, unit_before}), differences);
    }
    print_calendars(unit);
  }

  void print_calendars(const domain::portfolio_unit& unit) {
    for (const auto& calendar : unit.calendars) {
      const auto stored = stored_.calendars.find(calendar.id);
      if (stored == stored_.calendars.end()) continue;
      const auto& [before, unit_before] = stored->second;
      if (unit_before->terms.id != unit.terms.id) continue; // removed and added
      print_changed(portfolio_part::calendar, calendar.id, calendar_name(stored->second),
                    portfolio::differences(*before, calendar));
    }
  }

  list_printer& list_;
  store::change_counts& counts_;
  const std::string& file_;
  const store::planned_account& plan_;
  const account_index planned_, stored_;
};

/// The totals of one file's plan.
struct plan_totals {
  store::change_counts changes;
  store::change_counts office; ///< changes of the office that the import would set back
  std::size_t overlaps = 0;    ///< after the import
};

void print_totals(const std::string& name, const plan_totals& totals, bool overwrites_office) {
  bool is_empty = true;
  for (const auto action :
       {import_action::added, import_action::changed, import_action::removed, import_action::archived}) {
    const auto text = totals.changes.text(action);
    if (text.empty()) continue;
    is_empty = false;
    std::printf("%s: %s: %s\n", name.c_str(), std::string(store::to_string(action)).c_str(), text.c_str());
  }
  if (is_empty) std::printf("%s: nothing would change\n", name.c_str());
  if (totals.changes.any_removal())
    std::printf("%s: removing and archiving requires --allow-removals\n", name.c_str());
  if (const auto text = totals.office.text(import_action::changed); !text.empty())
    std::printf("%s: sets back %s that the office has changed%s\n", name.c_str(), text.c_str(),
                overwrites_office ? "" : ": the import requires --overwrite-office");
  if (totals.overlaps > 0)
    std::printf(
        "%s: overlaps of blocks with bookings: %zu; both stay: shorten or delete the block, or change or "
        "cancel the booking\n",
        name.c_str(), totals.overlaps);
}

using password_hash_by_id = std::unordered_map<domain::uuid, std::string, domain::uuid_hash>;

/// Returns the stored hashes of the users of a file whose passwords meet a condition.
template <typename Condition>
password_hash_by_id stored_hashes(store::session& db, const domain::portfolio& file, Condition is_needed) {
  std::vector<domain::uuid> ids;
  for (const auto& account : file.accounts)
    for (const auto& user : account.users)
      if (user.password && is_needed(*user.password)) ids.push_back(user.details.id);
  return store::password_hashes(db, ids);
}

bool is_current(const std::string& password, const domain::uuid& user, const password_hash_by_id& stored) {
  const auto hash = stored.find(user);
  return hash != stored.end() && security::password_matches(password, hash->second);
}

} // namespace

bool print_password_problems(store::session& db, const std::vector<std::string>& names,
                             const std::vector<domain::portfolio>& files) {
  bool has_problem = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto stored = stored_hashes(db, files[i], security::is_common_password);
    for (std::size_t j = 0; j < files[i].accounts.size(); ++j) {
      const auto& users = files[i].accounts[j].users;
      for (std::size_t k = 0; k < users.size(); ++k) {
        const auto& password = users[k].password;
        if (!password || !security::is_common_password(*password) ||
            is_current(*password, users[k].details.id, stored))
          continue;
        std::fprintf(stderr,
                     "%s: /accounts/%zu/users/%zu/password: must not be one of the most common passwords\n",
                     names[i].c_str(), j, k);
        has_problem = true;
      }
    }
  }
  return has_problem;
}

void hash_passwords(store::session& db, domain::portfolio& file, const security::password_cost& cost) {
  const auto stored = stored_hashes(db, file, [](const std::string&) { return true; });
  for (auto& account : file.accounts)
    for (auto& user : account.users) {
      if (!user.password) continue;
      const auto password = *std::exchange(user.password, {});
      user.details.password_hash = is_current(password, user.details.id, stored)
                                       ? stored.at(user.details.id)
                                       : security::hash_password(password, cost);
    }
}

int print_plans(const arguments& args, const config::settings& settings,
                const std::vector<std::string>& names, std::vector<domain::portfolio> files) {
  auto session = open_store(settings);
  if (print_password_problems(session, names, files)) return 1;
  store::import_context context;
  context.new_id = [] { return security::random_uuid(); };
  context.overwrite_office = args.overwrite_office;
  std::vector<plan_totals> totals(files.size());
  const auto limit = args.format == list_format::text ? max_overlaps : no_limit;
  const auto today = domain::day_of(current_time());
  {
    list_printer list(args.format,
                      {"file", "account", "action", "part", "name", "id", "member", "from", "to"});
    for (std::size_t i = 0; i < files.size(); ++i) {
      hash_passwords(session, files[i], to_password_cost(settings.sessions));
      const auto print = [&](const store::planned_account& plan) {
        const auto overlaps = store::planned_overlaps(session, plan, today, limit);
        account_plan(list, totals[i].changes, names[i], plan).print(overlaps);
        totals[i].office += plan.office;
        totals[i].overlaps += overlaps.total;
      };
      const auto problems = store::plan_import(session, std::move(files[i]), context, print);
      for (const auto& problem : problems)
        std::fprintf(stderr, "%s: %s\n", names[i].c_str(), problem.c_str());
      if (!problems.empty()) return 1;
    }
  }
  if (args.format == list_format::text)
    for (std::size_t i = 0; i < files.size(); ++i) print_totals(names[i], totals[i], args.overwrite_office);
  return 0;
}

} // namespace roost::cli
