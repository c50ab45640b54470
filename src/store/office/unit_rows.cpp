#include "store/office/unit_rows.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/portfolio/portfolio_tables.hpp"
#include "store/portfolio/stored_rows.hpp"
#include "store/portfolio/stored_units.hpp"

#include <algorithm>
#include <iterator>

namespace roost::store::office_unit_rows {

namespace {

using domain::portfolio_unit;

struct property_owner {
  domain::uuid id{};
  std::optional<domain::uuid> owner_id;
};

/// Also as the address of a calendar export.
const selection unit_id_taken{"unit_id_taken",
                              "select {columns} from units where id = :id"
                              " or coalesce(export_address, id) = :id",
                              named<bool>("count(*) > 0")};
const selection unit_name_taken{"unit_name_taken",
                                "select {columns} from units where account_id = :account"
                                " and internal_name = :name and id <> :id",
                                named<bool>("count(*) > 0")};
const selection whole_unit_exists{"whole_unit_exists",
                                  "select {columns} from units where property_id = :property"
                                  " and kind = 'property' and id <> :id",
                                  named<bool>("count(*) > 0")};
const selection link_taken{"link_taken",
                           "select {columns} from links where account_id = :account and platform = :platform"
                           " and external_id = :external_id and unit_id <> :id",
                           named<bool>("count(*) > 0")};
const selection from_platform{
    "property_from_platform",
    "select {columns} from properties where id = :id and origin_platform is not null",
    named<bool>("count(*) > 0")};

const selection owners_of_properties{
    "owners_of_properties", "select {columns} from properties where id in {ids uuid}",
    columns(column("id", &property_owner::id), column("owner_id", &property_owner::owner_id))};

bool is_true(session& db, const selection<named<bool>>& rows, const parameters& values) {
  return db.internals().read_one(rows, values).value_or(false);
}

by_id<std::optional<domain::uuid>> owners_of(session& db, std::span<const domain::uuid> properties) {
  by_id<std::optional<domain::uuid>> owners;
  read_in_parts(db, owners_of_properties, properties,
                [&](const property_owner& each) { owners.emplace(each.id, each.owner_id); });
  return owners;
}

domain::unit without_times(domain::unit terms) {
  terms.created_at = terms.updated_at = {};
  for (auto& rent : terms.rent.per_month) rent.created_at = rent.updated_at = {};
  return terms;
}

/// Whether two states are the same in what the unit itself has: not in its links, exclusions and blocks.
bool have_same_values(const portfolio_unit& a, const portfolio_unit& b) {
  return without_times(a.terms) == without_times(b.terms) && a.presentation == b.presentation;
}

/// Whether two states are the same in the row that bulk updates of units write: not in their names either.
bool have_same_row(const portfolio_unit& a, const portfolio_unit& b) {
  const auto row_of = [](const portfolio_unit& unit) {
    auto terms = without_times(unit.terms);
    terms.internal_name.clear();
    terms.rent.per_month.clear();
    terms.booking_windows.clear();
    return terms;
  };
  return row_of(a) == row_of(b) && a.presentation == b.presentation;
}

/// Completes what is to be written, so that it is equal to what read_units() will return.
void complete(const office_scope& scope, const unit_write& each, domain::timestamp now) {
  static const portfolio_unit none;
  const auto& before = each.before != nullptr ? *each.before : none;
  auto& unit = *each.after;
  unit.terms.account_id = scope.account_id;
  std::ranges::sort(unit.terms.rent.per_month, {}, &domain::month_rent::month);
  std::ranges::sort(unit.links, {}, &domain::link::platform);
  std::ranges::sort(unit.excluded_from);
  unit.blocks = before.blocks;
  unit.calendars.clear();
  if (each.before != nullptr && have_same_values(before, unit)) {
    unit.terms = before.terms; // the unit keeps its times
    return;
  }
  unit.terms.created_at = each.before != nullptr ? before.terms.created_at : now;
  unit.terms.updated_at = now;
  domain::set_times(unit.terms.rent, before.terms.rent, now);
}

/// Whether a completed unit changes more than its links and exclusions: then it has another time.
bool is_changed(const portfolio_unit& before, const portfolio_unit& after) {
  return before.terms != after.terms || before.presentation != after.presentation;
}

/// Writes the links that differ, and returns the marks.
std::vector<office_mark> write_links(session& db, const office_scope& scope, const portfolio_unit& before,
                                     const portfolio_unit& after) {
  std::vector<office_mark> marks;
  const auto& id = after.terms.id;
  const auto note = [&](const std::string& platform, office_state state) {
    marks.push_back({{}, office_part::link, id, platform, state});
  };
  const auto find = [](const portfolio_unit& unit, const std::string& platform) {
    const auto link = std::ranges::find(unit.links, platform, &domain::link::platform);
    return link == unit.links.end() ? nullptr : &*link;
  };
  bulk_writer removed(db, tables::link_keys, bulk_mode::erase);
  bulk_writer added(db, tables::links, bulk_mode::insert);
  for (const auto& link : before.links) {
    const auto* other = find(after, link.platform);
    if (other != nullptr && *other == link) continue;
    removed.add({id, link.platform});
    if (other == nullptr) note(link.platform, office_state::deleted);
  }
  removed.finish();
  for (const auto& link : after.links) {
    const auto* other = find(before, link.platform);
    if (other != nullptr && *other == link) continue;
    added.add({id, scope.account_id, &link});
    note(link.platform, other != nullptr ? office_state::changed : office_state::created);
  }
  added.finish();
  return marks;
}

std::vector<office_mark> write_exclusions(session& db, const portfolio_unit& before,
                                          const portfolio_unit& after) {
  std::vector<office_mark> marks;
  const auto& id = after.terms.id;
  const auto write = [&](bulk_mode mode, const auto& platforms, const auto& others, office_state state) {
    bulk_writer rows(db, tables::exclusions, mode);
    for (const auto& platform : platforms) {
      if (std::ranges::find(others, platform) != others.end()) continue;
      rows.add({id, platform});
      marks.push_back({{}, office_part::exclusion, id, platform, state});
    }
    rows.finish();
  };
  write(bulk_mode::erase, before.excluded_from, after.excluded_from, office_state::deleted);
  write(bulk_mode::insert_new, after.excluded_from, before.excluded_from, office_state::created);
  return marks;
}

/// Returns the state of a changed unit's mark. A unit that leaves its platform's property counts as created
/// by the office: no file has ever had it, so imports must not remove it.
office_state state_of(session& db, const portfolio_unit& before, const portfolio_unit& after) {
  const auto &from = before.terms.property_id, &to = after.terms.property_id;
  const bool leaves_platform =
      from != to && is_true(db, from_platform, {{"id", from}}) && !is_true(db, from_platform, {{"id", to}});
  return leaves_platform ? office_state::created : office_state::changed;
}

/// Writes units with a few statements for all of them.
class unit_writer {
public:
  unit_writer(session& db, const office_scope& scope, domain::timestamp now)
      : db_(db), scope_(scope), now_(now) {}

  std::vector<office_mark> write(std::span<const unit_write> units) {
    for (const auto& each : units) complete(scope_, each, now_);
    if (units.size() > 1) park_names(units);
    write_units(units);
    write_names(units);
    write_month_rents(units);
    write_windows(units);
    for (const auto& each : units) write_platforms(each);
    return std::move(marks_);
  }

private:
  static bool is_renamed(const unit_write& each) {
    return each.before != nullptr && each.before->terms.internal_name != each.after->terms.internal_name;
  }

  /// Frees the names of renamed units: others may get them.
  void park_names(std::span<const unit_write> units) {
    bulk_writer names(db_, tables::unit_names, bulk_mode::update_changed);
    for (const auto& each : units)
      if (is_renamed(each)) names.add({each.after->terms.id, domain::to_string(each.after->terms.id)});
    names.finish();
  }

  void write_units(std::span<const unit_write> units) {
    bulk_writer added(db_, tables::units, bulk_mode::insert);
    bulk_writer changed(db_, tables::units, bulk_mode::update_changed);
    bulk_writer times(db_, tables::unit_times, bulk_mode::update_changed);
    for (const auto& [before, after] : units) {
      if (before != nullptr && !is_changed(*before, *after)) continue;
      const auto& terms = after->terms;
      if (before != nullptr && have_same_row(*before, *after))
        times.add({terms.id, now_});
      else
        (before == nullptr ? added : changed)
            .add({scope_.account_id, terms.property_id, terms.internal_name, &terms, &after->presentation,
                  now_});
      const auto state = before == nullptr ? office_state::created : state_of(db_, *before, *after);
      marks_.push_back({{}, office_part::unit, terms.id, {}, state});
    }
    added.finish();
    changed.finish();
    times.finish();
  }

  /// Names are unique, so bulk updates of units leave them out.
  void write_names(std::span<const unit_write> units) {
    bulk_writer names(db_, tables::unit_names, bulk_mode::update_changed);
    for (const auto& each : units)
      if (is_renamed(each)) names.add({each.after->terms.id, each.after->terms.internal_name});
    names.finish();
  }

  void write_month_rents(std::span<const unit_write> units) {
    month_rent_writer rents(db_);
    const std::vector<domain::month_rent> none;
    for (const auto& [before, after] : units) {
      const auto& earlier = before != nullptr ? before->terms.rent.per_month : none;
      if (earlier != after->terms.rent.per_month)
        rents.add(after->terms.id, earlier, after->terms.rent.per_month);
    }
    rents.finish();
  }

  void write_windows(std::span<const unit_write> units) {
    bulk_writer removed(db_, tables::windows_of_unit, bulk_mode::erase);
    bulk_writer added(db_, tables::windows, bulk_mode::insert);
    const std::vector<domain::booking_window> none;
    for (const auto& [before, after] : units) {
      const auto& id = after->terms.id;
      const auto& earlier = before != nullptr ? before->terms.booking_windows : none;
      if (earlier == after->terms.booking_windows) continue;
      if (!earlier.empty()) removed.add({id});
      int position = 0;
      for (const auto& window : after->terms.booking_windows) added.add({id, position++, &window});
    }
    removed.finish();
    added.finish();
  }

  void write_platforms(const unit_write& each) {
    static const portfolio_unit none;
    const auto& before = each.before != nullptr ? *each.before : none;
    if (before.links != each.after->links)
      std::ranges::move(write_links(db_, scope_, before, *each.after), std::back_inserter(marks_));
    if (before.excluded_from != each.after->excluded_from)
      std::ranges::move(write_exclusions(db_, before, *each.after), std::back_inserter(marks_));
  }

  session& db_;
  const office_scope& scope_;
  const domain::timestamp now_;
  std::vector<office_mark> marks_;
};

} // namespace

bool is_id_taken(session& db, const domain::uuid& id) { return is_true(db, unit_id_taken, {{"id", id}}); }

std::vector<std::string> conflicts_of(session& db, const office_scope& scope, const portfolio_unit* before,
                                      const portfolio_unit& unit) {
  std::vector<std::string> conflicts;
  const auto& terms = unit.terms;
  const auto differs = [&](auto member) { return !before || before->terms.*member != terms.*member; };
  if (differs(&domain::unit::internal_name) &&
      is_true(db, unit_name_taken,
              {{"account", scope.account_id}, {"name", terms.internal_name}, {"id", terms.id}}))
    conflicts.emplace_back("internalName is the name of another unit");
  if (terms.kind == domain::unit_kind::property &&
      (differs(&domain::unit::kind) || differs(&domain::unit::property_id)) &&
      is_true(db, whole_unit_exists, {{"property", terms.property_id}, {"id", terms.id}}))
    conflicts.emplace_back("kind is property, but the property has another such unit");
  for (const auto& link : unit.links) {
    if (before && std::ranges::find(before->links, link) != before->links.end()) continue;
    if (is_true(db, link_taken,
                {{"account", scope.account_id},
                 {"platform", link.platform},
                 {"external_id", link.external_id},
                 {"id", terms.id}}))
      conflicts.push_back("Another unit is linked to " + link.platform + " under the ID " + link.external_id);
  }
  return conflicts;
}

std::vector<office_mark> write(session& db, const office_scope& scope, std::span<const unit_write> units,
                               domain::timestamp now) {
  return unit_writer(db, scope, now).write(units);
}

std::optional<shown_resources> shown_moves(session& db, std::span<const unit_write> units) {
  const auto is_moved = [](const unit_write& each) {
    return each.before != nullptr && each.before->terms.property_id != each.after->terms.property_id;
  };
  if (std::ranges::none_of(units, is_moved)) return std::nullopt;
  std::vector<domain::uuid> properties;
  for (const auto& each : units) {
    properties.push_back(each.after->terms.property_id);
    if (is_moved(each)) properties.push_back(each.before->terms.property_id);
  }
  const auto owners = owners_of(db, properties);
  shown_resources shown;
  for (const auto& each : units) {
    const auto& to = shown.emplace_back(
        shown_resource{each.after->terms.id, rows_of(owners, each.after->terms.property_id)});
    if (!is_moved(each)) continue;
    const auto& former = rows_of(owners, each.before->terms.property_id);
    if (former != to.owner_id) shown.push_back({each.after->terms.id, former});
  }
  return shown;
}

shown_resources shown_to_owner(session& db, const portfolio_unit& unit) {
  const auto& property = unit.terms.property_id;
  return {{unit.terms.id, rows_of(owners_of(db, {&property, 1}), property)}};
}

std::vector<office_mark> insert(session& db, const office_scope& scope, portfolio_unit& unit,
                                domain::timestamp now) {
  const unit_write only{nullptr, &unit};
  return write(db, scope, {&only, 1}, now);
}

std::vector<office_mark> update(session& db, const office_scope& scope, const portfolio_unit& before,
                                portfolio_unit& after, domain::timestamp now) {
  const unit_write only{&before, &after};
  return write(db, scope, {&only, 1}, now);
}

} // namespace roost::store::office_unit_rows
