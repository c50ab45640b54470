#include "domain/text.hpp"
#include "store/portfolio/portfolio_steps.hpp"

#include <unordered_set>

namespace roost::store {

namespace {

using account_lookup = by_id<domain::uuid> (*)(session&, std::span<const domain::uuid>);

std::string at(const std::string& parent, const char* list, std::size_t index) {
  return parent + '/' + list + '/' + std::to_string(index);
}

/// The file's ids of one kind, each with its JSON pointer and the account that it must belong to.
class id_check {
public:
  void add(const domain::uuid& id, const domain::uuid& account, std::string pointer) {
    ids_.push_back(id);
    accounts_.push_back(account);
    pointers_.push_back(std::move(pointer));
  }

  void run(session& db, account_lookup look_up, std::vector<std::string>& problems) const {
    const auto stored = look_up(db, ids_);
    if (stored.empty()) return;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      const auto found = stored.find(ids_[i]);
      if (found != stored.end() && found->second != accounts_[i])
        problems.push_back(pointers_[i] + "/id: is in use elsewhere in the store");
    }
  }

private:
  std::vector<domain::uuid> ids_, accounts_;
  std::vector<std::string> pointers_;
};

/// Values that must be unique. Stored owners in an account of the file do not conflict: the import replaces
/// their values.
class value_check {
public:
  void add(std::string value, const domain::uuid& owner, std::string pointer) {
    values_.push_back(std::move(value));
    owners_.push_back(owner);
    pointers_.push_back(std::move(pointer));
  }

  template <typename LookUp>
  void run(session& db, LookUp look_up, const std::unordered_set<domain::uuid, domain::uuid_hash>& imported,
           std::vector<std::string>& problems) const {
    const auto stored = look_up(db, values_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto found = stored.find(values_[i]);
      if (found != stored.end() && found->second.id != owners_[i] &&
          !imported.contains(found->second.account))
        problems.push_back(pointers_[i] + ": is in use by another account");
    }
  }

private:
  std::vector<std::string> values_;
  std::vector<domain::uuid> owners_;
  std::vector<std::string> pointers_;
};

/// The names and links of units created by a platform that the file omits: these units stay.
class platform_unit_check {
public:
  platform_unit_check(session& db, const domain::portfolio& file) {
    std::unordered_set<domain::uuid, domain::uuid_hash> in_file;
    std::vector<domain::uuid> accounts;
    for (const auto& account : file.accounts) {
      accounts.push_back(account.details.id);
      for (const auto& property : account.properties)
        for (const auto& unit : property.units) in_file.insert(unit.terms.id);
    }
    for (const auto& unit : units_from_platforms(db, accounts)) {
      if (in_file.contains(unit.id)) continue;
      taken_.insert(name_key(unit.account_id, unit.internal_name));
      for (const auto& link : unit.links) taken_.insert(link_key(unit.account_id, link));
    }
  }

  void check(const domain::portfolio_unit& unit, const domain::uuid& account, const std::string& pointer,
             std::vector<std::string>& problems) const {
    if (taken_.empty()) return;
    constexpr auto problem = " is in use by a unit that a platform created";
    if (taken_.contains(name_key(account, unit.terms.internal_name)))
      problems.push_back(pointer + "/internalName:" + problem);
    for (std::size_t i = 0; i < unit.links.size(); ++i)
      if (taken_.contains(link_key(account, unit.links[i])))
        problems.push_back(at(pointer, "links", i) + ":" + problem);
  }

private:
  static std::string name_key(const domain::uuid& account, const std::string& name) {
    return domain::to_string(account) + '\n' + name;
  }
  static std::string link_key(const domain::uuid& account, const domain::link& link) {
    return domain::to_string(account) + '\n' + link.platform + '\n' + link.external_id;
  }

  std::unordered_set<std::string> taken_;
};

void check_against_platform_units(session& db, const domain::portfolio& file,
                                  std::vector<std::string>& problems) {
  const platform_unit_check platform_units(db, file);
  for (std::size_t i = 0; i < file.accounts.size(); ++i) {
    const auto& account = file.accounts[i];
    for (std::size_t j = 0; j < account.properties.size(); ++j) {
      const auto property_pointer = at(at("", "accounts", i), "properties", j);
      const auto& units = account.properties[j].units;
      for (std::size_t k = 0; k < units.size(); ++k)
        platform_units.check(units[k], account.details.id, at(property_pointer, "units", k), problems);
    }
  }
}

struct checks {
  id_check users, properties, units, blocks;
  value_check landlord_keys, emails;

  void add_unit(const domain::portfolio_unit& unit, const domain::uuid& account, const std::string& pointer) {
    units.add(unit.terms.id, account, pointer);
    for (std::size_t i = 0; i < unit.blocks.size(); ++i)
      if (!unit.blocks[i].id.is_nil()) blocks.add(unit.blocks[i].id, account, at(pointer, "blocks", i));
  }

  void add_account(const domain::portfolio_account& account, const std::string& pointer) {
    const auto& id = account.details.id;
    landlord_keys.add(account.details.landlord_key, id, pointer + "/landlordKey");
    for (std::size_t i = 0; i < account.users.size(); ++i) {
      const auto& user = account.users[i].details;
      users.add(user.id, id, at(pointer, "users", i));
      emails.add(domain::folded_case(user.email), user.id, at(pointer, "users", i) + "/email");
    }
    for (std::size_t i = 0; i < account.properties.size(); ++i) {
      const auto& property = account.properties[i];
      const auto property_pointer = at(pointer, "properties", i);
      properties.add(property.details.id, id, property_pointer);
      for (std::size_t j = 0; j < property.units.size(); ++j)
        add_unit(property.units[j], id, at(property_pointer, "units", j));
    }
  }
};

} // namespace

std::vector<std::string> portfolio_conflicts(session& db, const domain::portfolio& file) {
  checks all;
  std::unordered_set<domain::uuid, domain::uuid_hash> imported;
  for (std::size_t i = 0; i < file.accounts.size(); ++i) {
    imported.insert(file.accounts[i].details.id);
    all.add_account(file.accounts[i], at("", "accounts", i));
  }
  std::vector<std::string> problems;
  all.landlord_keys.run(db, owners_of_landlord_keys, imported, problems);
  all.emails.run(db, owners_of_emails, imported, problems);
  all.users.run(db, accounts_of_users, problems);
  all.properties.run(db, accounts_of_properties, problems);
  all.units.run(db, accounts_of_units, problems);
  all.blocks.run(db, accounts_of_blocks, problems);
  check_against_platform_units(db, file, problems);
  return problems;
}

} // namespace roost::store
