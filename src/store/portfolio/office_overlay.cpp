#include "store/portfolio/office_overlay.hpp"

#include "store/portfolio/office_marks.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

/// The parts of an account by id. The pointers are valid until the account's lists change.
struct account_index {
  struct located_unit {
    domain::portfolio_property* property;
    domain::portfolio_unit* unit;
  };

  struct located_calendar {
    domain::portfolio_unit* unit;
    const domain::imported_calendar* calendar;
  };

  explicit account_index(domain::portfolio_account& account) {
    for (auto& user : account.users) users.emplace(user.details.id, &user);
    for (auto& property : account.properties) {
      properties.emplace(property.details.id, &property);
      for (auto& unit : property.units) {
        units.emplace(unit.terms.id, located_unit{&property, &unit});
        for (const auto& each : unit.calendars) calendars.emplace(each.id, located_calendar{&unit, &each});
      }
    }
  }

  by_id<domain::portfolio_user*> users;
  by_id<domain::portfolio_property*> properties;
  by_id<located_unit> units;
  by_id<located_calendar> calendars;
};

namespace {

/// Returns the value of an id, or a null pointer.
template <typename Value>
Value find(const by_id<Value>& values, const domain::uuid& id) {
  return rows_of(values, id);
}

const domain::link* find_link(const account_index::located_unit& in, std::string_view platform) {
  if (!in.unit) return nullptr;
  const auto found = std::ranges::find(in.unit->links, platform, &domain::link::platform);
  return found == in.unit->links.end() ? nullptr : &*found;
}

bool has_exclusion(const account_index::located_unit& in, const std::string& platform) {
  return in.unit && std::ranges::find(in.unit->excluded_from, platform) != in.unit->excluded_from.end();
}

/// Returns whether an import would write the same values of both rows.
template <typename Record>
bool is_same(const record_table<Record>& table, const Record& a, const Record& b) {
  column_set compared;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    compared[i] = table.columns[i].role == column_role::value;
  cell_list cells_of_a, cells_of_b;
  table.append(cells_of_a, a, compared);
  table.append(cells_of_b, b, compared);
  for (std::size_t i = 0; i < cells_of_a.size(); ++i)
    if (cells_of_a[i] != cells_of_b[i]) return false;
  return true;
}

/// Leaves cards aside.
bool is_same(const domain::account& a, const domain::account& b) {
  return a.landlord_key == b.landlord_key && is_same(tables::accounts, {&a, {}, {}}, {&b, {}, {}});
}

/// Leaves passwords and languages aside.
bool is_same(const domain::user& a, const domain::user& b) {
  return is_same(tables::users_keeping_passwords, {{}, &a, {}}, {{}, &b, {}});
}

bool is_same(const domain::property& a, const domain::property& b) {
  return is_same(tables::properties, {{}, &a, {}}, {{}, &b, {}});
}

bool is_same(const account_index::located_calendar& a, const account_index::located_calendar& b) {
  return a.unit->terms.id == b.unit->terms.id && *a.calendar == *b.calendar;
}

/// Leaves links, exclusions, calendars and blocks aside.
bool is_same(const account_index::located_unit& a, const account_index::located_unit& b) {
  const auto row_of = [](const account_index::located_unit& each) {
    return unit_row{{}, each.property->details.id, {}, &each.unit->terms, &each.unit->presentation, {}};
  };
  const auto &x = a.unit->terms, &y = b.unit->terms;
  const auto has_same_rent = [](const domain::month_rent& each, const domain::month_rent& other) {
    return each.month == other.month && each.rent == other.rent;
  };
  return x.internal_name == y.internal_name && x.booking_windows == y.booking_windows &&
         std::ranges::equal(x.rent.per_month, y.rent.per_month, has_same_rent) &&
         is_same(tables::units, row_of(a), row_of(b));
}

/// The parts that marks and imports have in common have the same numbers.
constexpr portfolio_part part_of(office_part part) { return static_cast<portfolio_part>(part); }
static_assert(part_of(office_part::account) == portfolio_part::account);
static_assert(part_of(office_part::unit) == portfolio_part::unit);
static_assert(part_of(office_part::exclusion) == portfolio_part::exclusion);
static_assert(part_of(office_part::calendar) == portfolio_part::calendar);

void drop(domain::portfolio_account& from, const office_effects& effects) {
  std::erase_if(from.details.cards, [&](const domain::platform_card& each) {
    return effects.drops(office_part::card, from.details.id, each.platform);
  });
  std::erase_if(from.users,
                [&](const auto& each) { return effects.drops(office_part::user, each.details.id); });
  std::erase_if(from.properties,
                [&](const auto& each) { return effects.drops(office_part::property, each.details.id); });
  for (auto& property : from.properties) {
    std::erase_if(property.units,
                  [&](const auto& each) { return effects.drops(office_part::unit, each.terms.id); });
    for (auto& unit : property.units) {
      std::erase_if(unit.links, [&](const domain::link& each) {
        return effects.drops(office_part::link, unit.terms.id, each.platform);
      });
      std::erase_if(unit.excluded_from, [&](const std::string& platform) {
        return effects.drops(office_part::exclusion, unit.terms.id, platform);
      });
      std::erase_if(unit.calendars,
                    [&](const auto& each) { return effects.drops(office_part::calendar, each.id); });
    }
  }
}

} // namespace

/// The overlay of one account.
class account_overlay {
public:
  account_overlay(domain::portfolio_account& file, stored_account stored, bool overwrites,
                  office_effects& effects)
      : account_(file), stored_account_(std::move(stored)), overwrites_(overwrites), effects_(effects) {}
  ~account_overlay() {
    if (original_) account_ = std::move(*original_);
  }
  account_overlay(const account_overlay&) = delete;
  account_overlay& operator=(const account_overlay&) = delete;

  /// Decides what happens to each marked object. Leaves the file as it is.
  void take(std::span<const office_mark> marks) {
    for (const auto& mark : marks)
      if (mark.part != office_part::property) take(mark);
    for (const auto& mark : marks) // a unit may keep its property
      if (mark.part == office_part::property) take_property(mark);
  }

  /// Edits the file.
  void apply() {
    original_ = account_;
    for (const auto& [unit, link] : kept_links_) unit->links.push_back(*link);
    for (const auto& [unit, platform] : kept_exclusions_) unit->excluded_from.push_back(platform);
    for (const auto& [unit, calendar] : kept_calendars_) unit->calendars.push_back(*calendar);
    for (const auto* card : kept_cards_) account_.details.cards.push_back(*card);
    for (const auto* user : kept_users_) account_.users.push_back(*user);
    drop(account_, effects_);
    for (const auto* property : kept_properties_) property_like(*property);
    for (const auto& each : kept_units_) {
      auto& unit = property_like(*each.property).units.emplace_back(*each.unit);
      // The file may have moved them to another unit.
      std::erase_if(unit.calendars, [&](const auto& one) { return file_.calendars.contains(one.id); });
    }
  }

  const domain::uuid& id() const { return account_.details.id; }
  const std::vector<import_change>& conflicts() const { return conflicts_; }
  const std::vector<office_mark>& forgotten() const { return forgotten_; }
  const std::vector<account_index::located_unit>& kept_units() const { return kept_units_; }

private:
  enum class decision {
    as_in_file,
    keep, ///< the stored object, which the file omits
    drop, ///< the object from the file
  };

  /// Decides about a marked object. Also notes a conflict, and whether the mark is forgotten.
  template <typename IsSame>
  decision decide(const office_mark& mark, bool is_in_file, bool is_stored, IsSame has_same_values) {
    const bool is_deleted = mark.state == office_state::deleted && !is_stored;
    if (is_deleted && is_in_file && !overwrites_) {
      effects_.dropped.emplace(mark.part, mark.id, mark.platform);
      return decision::drop;
    }
    const bool has_values_of_office = mark.state != office_state::deleted && is_stored;
    if (has_values_of_office && !is_in_file && mark.state == office_state::created) return decision::keep;
    const bool agrees = has_values_of_office && is_in_file && has_same_values();
    if (agrees && mark.state == office_state::created) return decision::as_in_file; // it stays the office's
    if (has_values_of_office && is_in_file && !agrees) note_conflict(mark);
    forgotten_.push_back(mark); // without permission to overwrite, a conflict prevents the import
    return decision::as_in_file;
  }

  void note_conflict(const office_mark& mark) {
    conflicts_.push_back({import_action::changed, part_of(mark.part), mark.id, mark.platform});
  }

  void take(const office_mark& mark) {
    switch (mark.part) {
    case office_part::account:
      decide(mark, true, true, [&] { return is_same(account_.details, stored_account_.account.details); });
      return;
    case office_part::card:
      return take_card(mark);
    case office_part::user:
      return take_user(mark);
    case office_part::unit:
      return take_unit(mark);
    case office_part::link:
      return take_link(mark);
    case office_part::exclusion:
      return take_exclusion(mark);
    case office_part::calendar:
      return take_calendar(mark);
    case office_part::property:
      return take_property(mark);
    }
  }

  void take_card(const office_mark& mark) {
    const auto* in_file = domain::find_card(account_.details, mark.platform);
    const auto* stored = domain::find_card(stored_account_.account.details, mark.platform);
    if (decide(mark, in_file, stored, [&] { return *in_file == *stored; }) == decision::keep)
      kept_cards_.push_back(stored);
  }

  void take_user(const office_mark& mark) {
    const auto *in_file = find(file_.users, mark.id), *stored = find(stored_.users, mark.id);
    if (decide(mark, in_file, stored, [&] { return is_same(in_file->details, stored->details); }) !=
        decision::keep)
      return;
    kept_users_.push_back(stored);
    effects_.kept_users.push_back(&stored->details);
  }

  void take_unit(const office_mark& mark) {
    const auto in_file = find(file_.units, mark.id), stored = find(stored_.units, mark.id);
    if (!in_file.unit && stored.unit && is_from_platform(*stored.property)) return; // it stays
    if (decide(mark, in_file.unit, stored.unit, [&] { return is_same(in_file, stored); }) != decision::keep)
      return;
    kept_units_.push_back(stored);
    occupied_.insert(stored.property->details.id);
    effects_.kept_units.emplace_back(id(), stored.unit);
  }

  void take_property(const office_mark& mark) {
    const auto *in_file = find(file_.properties, mark.id), *stored = find(stored_.properties, mark.id);
    if (!in_file && stored && (is_from_platform(*stored) || occupied_.contains(mark.id))) return; // it stays
    const bool comes_back = mark.state == office_state::deleted && in_file && !stored;
    if (comes_back && !overwrites_ && holds_stored_units(*in_file)) return note_conflict(mark);
    switch (decide(mark, in_file, stored, [&] { return is_same(in_file->details, stored->details); })) {
    case decision::keep:
      kept_properties_.push_back(stored);
      return;
    case decision::drop:
      for (const auto& unit : in_file->units)
        effects_.dropped.emplace(office_part::unit, unit.terms.id, std::string{});
      return;
    case decision::as_in_file:
      return;
    }
  }

  void take_link(const office_mark& mark) {
    const auto unit = find(file_.units, mark.id);
    const auto* in_file = find_link(unit, mark.platform);
    const auto* stored = find_link(find(stored_.units, mark.id), mark.platform);
    if (!unit.unit && stored) return; // it stays as long as its unit
    if (decide(mark, in_file, stored, [&] { return *in_file == *stored; }) != decision::keep) return;
    kept_links_.emplace_back(unit.unit, stored);
    effects_.kept_links.emplace_back(id(), stored);
  }

  void take_exclusion(const office_mark& mark) {
    const auto unit = find(file_.units, mark.id);
    const bool is_stored = has_exclusion(find(stored_.units, mark.id), mark.platform);
    if (!unit.unit && is_stored) return; // it stays as long as its unit
    if (decide(mark, has_exclusion(unit, mark.platform), is_stored, [] { return true; }) == decision::keep)
      kept_exclusions_.emplace_back(unit.unit, mark.platform);
  }

  void take_calendar(const office_mark& mark) {
    const auto in_file = find(file_.calendars, mark.id), stored = find(stored_.calendars, mark.id);
    if (!in_file.calendar && stored.calendar) {
      const auto unit = find(file_.units, stored.unit->terms.id);
      if (!unit.unit) return; // it stays as long as its unit
      // Files have no uploaded calendars.
      if (!stored.calendar->url) return keep(unit.unit, stored.calendar);
    }
    if (decide(mark, in_file.calendar, stored.calendar, [&] { return is_same(in_file, stored); }) ==
        decision::keep)
      keep(find(file_.units, stored.unit->terms.id).unit, stored.calendar);
  }

  void keep(domain::portfolio_unit* unit, const domain::imported_calendar* stored) {
    kept_calendars_.emplace_back(unit, stored);
    ++effects_.kept_calendars[unit->terms.id];
  }

  bool is_from_platform(const domain::portfolio_property& stored) const {
    return stored_account_.from_platform.contains(stored.details.id);
  }

  /// Returns whether a property of the file, which the office deleted, has units that exist elsewhere.
  bool holds_stored_units(const domain::portfolio_property& in_file) const {
    return std::ranges::any_of(in_file.units,
                               [&](const auto& each) { return stored_.units.contains(each.terms.id); });
  }

  /// Returns the file's property with the id of a stored one; adds that one without its units if there is
  /// none.
  domain::portfolio_property& property_like(const domain::portfolio_property& stored) {
    auto& properties = account_.properties;
    const auto found = std::ranges::find(properties, stored.details.id,
                                         [](const auto& property) { return property.details.id; });
    if (found != properties.end()) return *found;
    properties.push_back({stored.details, {}});
    return properties.back();
  }

  domain::portfolio_account& account_;
  stored_account stored_account_;
  const bool overwrites_;
  office_effects& effects_;
  account_index file_{account_}, stored_{stored_account_.account};
  id_set occupied_; ///< stored properties with a kept unit

  std::vector<const domain::platform_card*> kept_cards_;
  std::vector<const domain::portfolio_user*> kept_users_;
  std::vector<const domain::portfolio_property*> kept_properties_;
  std::vector<account_index::located_unit> kept_units_;
  std::vector<std::pair<domain::portfolio_unit*, const domain::link*>> kept_links_;
  std::vector<std::pair<domain::portfolio_unit*, std::string>> kept_exclusions_;
  std::vector<std::pair<domain::portfolio_unit*, const domain::imported_calendar*>> kept_calendars_;

  std::vector<import_change> conflicts_;
  std::vector<office_mark> forgotten_;
  std::optional<domain::portfolio_account> original_; ///< once the file is edited
};

office_overlay::office_overlay(session& db, domain::portfolio& file, const import_context& context) {
  const auto marks = marks_of(db, ids_of(file.accounts));
  office_effects effects;
  for (auto& account : file.accounts) {
    const auto first = std::ranges::lower_bound(marks, account.details.id, {}, &office_mark::account_id);
    const auto last = std::ranges::upper_bound(marks, account.details.id, {}, &office_mark::account_id);
    if (first == last) continue;
    auto stored = read_account(db, account.details.id);
    if (!stored) continue;
    accounts_.push_back(
        std::make_unique<account_overlay>(account, std::move(*stored), context.overwrite_office, effects));
    accounts_.back()->take({first, last});
  }
  problems_ = portfolio_conflicts(db, file, effects);
  for (const auto& each : accounts_) each->apply();
}

office_overlay::~office_overlay() = default;

std::vector<domain::uuid> office_overlay::kept_units() const {
  std::vector<domain::uuid> ids;
  for (const auto& each : accounts_)
    for (const auto& kept : each->kept_units()) ids.push_back(kept.unit->terms.id);
  return ids;
}

void office_overlay::note_conflicts(import_notes& notes, account_span accounts) const {
  for (const auto& each : accounts_) {
    if (std::ranges::none_of(accounts, [&](const auto& one) { return one.details.id == each->id(); }))
      continue;
    // The steps of the import, or the plan, list the changes themselves.
    for (const auto& conflict : each->conflicts()) notes.add_of_office(conflict, false);
  }
}

void office_overlay::forget_marks(session& db) const {
  for (const auto& each : accounts_) store::forget_marks(db, each->forgotten());
}

} // namespace roost::store
