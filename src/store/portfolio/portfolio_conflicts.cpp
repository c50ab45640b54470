#include "domain/email_address.hpp"
#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <tuple>

namespace roost::store {

namespace {

/// The owner of a value that must be unique across accounts.
struct owned_value {
  domain::uuid id{};      ///< of the account, user or unit
  domain::uuid account{}; ///< the owner's account
};

const selection landlord_key_owners{
    "landlord_key_owners", "select {columns} from accounts where landlord_key in {ids text}",
    named<std::string>("landlord_key"),
    columns(column("id", &owned_value::id), column("id", &owned_value::account))};
const selection email_owners{
    "email_owners", "select {columns} from users where folded_email in {ids text}",
    named<std::string>("folded_email"),
    columns(column("id", &owned_value::id), column("account_id", &owned_value::account))};
const selection export_address_owners{
    "export_address_owners", "select {columns} from units where coalesce(export_address, id) in {ids uuid}",
    named<domain::uuid>("coalesce(export_address, id)"),
    columns(column("id", &owned_value::id), column("account_id", &owned_value::account))};

/// Selects the accounts of ids.
auto accounts_of(const char* name, const char* text) {
  return selection{name, text, named<domain::uuid>("id"), named<std::optional<domain::uuid>>("account_id")};
}
const auto user_accounts = accounts_of("user_accounts", "select {columns} from users where id in {ids uuid}");
const auto property_accounts =
    accounts_of("property_accounts", "select {columns} from properties where id in {ids uuid}");
const auto unit_accounts = accounts_of("unit_accounts", "select {columns} from units where id in {ids uuid}");
/// A booking's block, and that of a calendar's event, has no account: no file can have it.
const auto block_accounts = accounts_of(
    "block_accounts",
    "select {columns} from (select b.id, case when b.calendar_id is null then u.account_id end as account_id "
    "from blocks b join units u on u.id = b.unit_id"
    " where b.id in {ids uuid} union all select id, null from bookings where id in {ids uuid}) as owners");
const auto calendar_accounts =
    accounts_of("calendar_accounts", "select {columns} from (select c.id, u.account_id from unit_calendars c"
                                     " join units u on u.id = c.unit_id where c.id in {ids uuid}) as owners");

/// One row per link, or one for a unit without links.
const selection units_from_platforms{"units_from_platforms",
                                     "select {columns} from properties p join units u on u.property_id = p.id"
                                     " left join links l on l.unit_id = u.id"
                                     " where p.account_id in {ids uuid} and p.origin_platform is not null",
                                     named<domain::uuid>("u.id"),
                                     named<domain::uuid>("u.account_id"),
                                     named<std::string>("u.internal_name"),
                                     joined(link_columns.of("l"))};

std::string at(const std::string& parent, const char* list, std::size_t index) {
  return parent + '/' + list + '/' + std::to_string(index);
}

/// The file's values of one kind, each with its owner and its JSON pointer.
template <typename Value>
struct file_values {
  std::vector<Value> values;
  std::vector<domain::uuid> owners;
  std::vector<std::string> pointers;

  void add(Value value, const domain::uuid& owner, std::string pointer) {
    values.push_back(std::move(value));
    owners.push_back(owner);
    pointers.push_back(std::move(pointer));
  }

  /// Reports the values for which `conflicts(stored owner, owner in the file)`.
  template <typename Map, typename Selection, typename Conflicts>
  void check(session& db, const Selection& rows, Conflicts conflicts, const char* problem,
             std::vector<std::string>& problems) const {
    const auto stored = read_map<Map>(db, rows, std::span(values));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto found = stored.find(values[i]);
          found != stored.end() && conflicts(found->second, owners[i]))
        problems.push_back(pointers[i] + problem);
  }
};

/// The file's values that must be unique in the store. An address belongs to its user or unit, all others to
/// an account.
struct unique_values {
  file_values<domain::uuid> users, properties, units, blocks, calendars, export_addresses;
  file_values<std::string> landlord_keys, emails;
  id_set accounts;

  void add_unit(const domain::portfolio_unit& unit, const domain::uuid& account,
                const office_effects& effects, const std::string& pointer) {
    units.add(unit.terms.id, account, pointer);
    const auto& terms = unit.terms;
    export_addresses.add(domain::export_address_of(terms), terms.id,
                         pointer + (terms.export_address ? "/exportAddress" : "/id"));
    for (std::size_t i = 0; i < unit.blocks.size(); ++i)
      if (!unit.blocks[i].id.is_nil()) blocks.add(unit.blocks[i].id, account, at(pointer, "blocks", i));
    for (std::size_t i = 0; i < unit.calendars.size(); ++i)
      if (const auto& id = unit.calendars[i].id; !effects.drops(office_part::calendar, id))
        calendars.add(id, account, at(pointer, "calendars", i));
  }

  void add_user(const domain::user& user, const domain::uuid& account, const std::string& pointer) {
    users.add(user.id, account, pointer);
    emails.add(domain::email_key(user.email), user.id, pointer + "/email");
  }

  void add_account(const domain::portfolio_account& account, const office_effects& effects,
                   const std::string& pointer) {
    const auto& id = account.details.id;
    accounts.insert(id);
    landlord_keys.add(account.details.landlord_key, id, pointer + "/landlordKey");
    for (std::size_t i = 0; i < account.users.size(); ++i)
      if (const auto& user = account.users[i].details; !effects.drops(office_part::user, user.id))
        add_user(user, id, at(pointer, "users", i));
    for (std::size_t i = 0; i < account.properties.size(); ++i) {
      const auto& property = account.properties[i];
      const auto property_pointer = at(pointer, "properties", i);
      if (!effects.drops(office_part::property, property.details.id))
        properties.add(property.details.id, id, property_pointer);
      for (std::size_t j = 0; j < property.units.size(); ++j)
        if (!effects.drops(office_part::unit, property.units[j].terms.id))
          add_unit(property.units[j], id, effects, at(property_pointer, "units", j));
    }
  }

  void check(session& db, std::vector<std::string>& problems) const {
    // Stored owners in an account of the file do not conflict: the import replaces their values.
    const auto is_foreign = [&](const owned_value& stored, const domain::uuid& owner) {
      return stored.id != owner && !accounts.contains(stored.account);
    };
    for (const auto& [values, rows] :
         {std::tie(landlord_keys, landlord_key_owners), std::tie(emails, email_owners)})
      values.check<std::unordered_map<std::string, owned_value>>(db, rows, is_foreign,
                                                                 ": is in use by another account", problems);
    // Also in the same account: rows are written in any order, so two units cannot exchange their addresses.
    export_addresses.check<by_id<owned_value>>(
        db, export_address_owners,
        [](const owned_value& stored, const domain::uuid& unit) { return stored.id != unit; },
        ": is the export address of another unit in the store", problems);
    const auto is_elsewhere = [](const std::optional<domain::uuid>& stored, const domain::uuid& account) {
      return stored != account;
    };
    for (const auto& [ids, rows] : {std::tie(users, user_accounts), std::tie(properties, property_accounts),
                                    std::tie(units, unit_accounts), std::tie(blocks, block_accounts),
                                    std::tie(calendars, calendar_accounts)})
      ids.check<by_id<std::optional<domain::uuid>>>(db, rows, is_elsewhere,
                                                    "/id: is in use elsewhere in the store", problems);
  }
};

std::string key_of(const domain::uuid& account, const std::string& name) {
  return domain::to_string(account) + '\n' + name;
}
std::string key_of(const domain::uuid& account, const domain::link& link) {
  return key_of(account, link.platform) + '\n' + link.external_id;
}

/// The names and links of units that stay although the file omits them, each with the problem of a unit of
/// the file that has it, too.
using taken_texts = std::unordered_map<std::string, const char*>;

void add_platform_units(session& db, const unique_values& file, taken_texts& taken) {
  const id_set units_in_file(file.units.values.begin(), file.units.values.end());
  const std::vector<domain::uuid> accounts(file.accounts.begin(), file.accounts.end());
  constexpr auto problem = ": is in use by a unit that a platform created";
  read_in_parts(db, units_from_platforms, std::span(accounts),
                [&](const domain::uuid& unit, const domain::uuid& account, const std::string& name,
                    const std::optional<domain::link>& link) {
                  if (units_in_file.contains(unit)) return;
                  taken.emplace(key_of(account, name), problem);
                  if (link) taken.emplace(key_of(account, *link), problem);
                });
}

void add_units_of_office(const office_effects& effects, taken_texts& taken) {
  constexpr auto problem = ": is in use by a unit that the office created";
  for (const auto& [account, unit] : effects.kept_units) {
    taken.emplace(key_of(account, unit->terms.internal_name), problem);
    for (const auto& link : unit->links) taken.emplace(key_of(account, link), problem);
  }
  for (const auto& [account, link] : effects.kept_links)
    taken.emplace(key_of(account, *link), ": is in use by a link that the office created");
}

/// Checks units of the file against those that stay although the file omits them.
void check_units(session& db, const unique_values& file, const domain::portfolio& portfolio,
                 const office_effects& effects, std::vector<std::string>& problems) {
  taken_texts taken;
  add_platform_units(db, file, taken);
  add_units_of_office(effects, taken);
  if (taken.empty()) return;
  id_set whole; // properties with such a unit of kind property
  for (const auto& [account, unit] : effects.kept_units)
    if (unit->terms.kind == domain::unit_kind::property) whole.insert(unit->terms.property_id);
  auto pointer = file.units.pointers.begin(); // in the same order
  const auto check = [&](const std::string& key, const std::string& place) {
    if (const auto found = taken.find(key); found != taken.end()) problems.push_back(place + found->second);
  };
  for_each_unit(portfolio.accounts, [&](const auto& unit, const domain::uuid& account,
                                        const domain::uuid& property) {
    if (effects.drops(office_part::unit, unit.terms.id)) return;
    check(key_of(account, unit.terms.internal_name), *pointer + "/internalName");
    if (unit.terms.kind == domain::unit_kind::property && whole.contains(property))
      problems.push_back(*pointer + "/kind: the office has created a unit of kind property in the property");
    for (std::size_t i = 0; i < unit.links.size(); ++i)
      if (!effects.drops(office_part::link, unit.terms.id, unit.links[i].platform))
        check(key_of(account, unit.links[i]), at(*pointer, "links", i));
    ++pointer;
  });
}

/// Checks the number of calendars of units that keep some of the office.
void check_calendars(const unique_values& file, const domain::portfolio& portfolio,
                     const office_effects& effects, std::vector<std::string>& problems) {
  if (effects.kept_calendars.empty()) return;
  constexpr auto max = domain::max_imported_calendars;
  auto pointer = file.units.pointers.begin(); // in the same order
  for_each_unit(portfolio.accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    if (effects.drops(office_part::unit, unit.terms.id)) return;
    const auto place = *pointer++;
    const auto kept = effects.kept_calendars.find(unit.terms.id);
    if (kept == effects.kept_calendars.end()) return;
    const auto dropped = std::ranges::count_if(
        unit.calendars, [&](const auto& each) { return effects.drops(office_part::calendar, each.id); });
    const auto count = unit.calendars.size() - static_cast<std::size_t>(dropped) + kept->second;
    if (count > max)
      problems.push_back(place + "/calendars: with those of the office, the unit would have " +
                         std::to_string(count) + "; it may have " + std::to_string(max));
  });
}

/// Checks the addresses of the file against those of users that stay although the file omits them.
void check_emails(const unique_values& file, const office_effects& effects,
                  std::vector<std::string>& problems) {
  std::unordered_set<std::string> taken;
  for (const auto* user : effects.kept_users) taken.insert(domain::email_key(user->email));
  for (std::size_t i = 0; i < file.emails.values.size(); ++i)
    if (taken.contains(file.emails.values[i]))
      problems.push_back(file.emails.pointers[i] + ": is in use by a user that the office created");
}

} // namespace

std::vector<std::string> portfolio_conflicts(session& db, const domain::portfolio& file,
                                             const office_effects& effects) {
  unique_values values;
  for (std::size_t i = 0; i < file.accounts.size(); ++i)
    values.add_account(file.accounts[i], effects, at("", "accounts", i));
  std::vector<std::string> problems;
  values.check(db, problems);
  check_emails(values, effects, problems);
  check_units(db, values, file, effects, problems);
  check_calendars(values, file, effects, problems);
  return problems;
}

} // namespace roost::store
