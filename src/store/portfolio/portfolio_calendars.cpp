#include "store/calendars/calendar_blocks.hpp"
#include "store/calendars/calendar_settings.hpp"
#include "store/portfolio/portfolio_steps.hpp"

namespace roost::store {

namespace {

/// An unchanged host needs no renewal: an import changes neither events nor bookings.
const selection units_with_other_hosts{
    "units_with_other_hosts",
    "select {columns} from unit_calendars c join units u on u.id = c.unit_id"
    " join blocks b on b.calendar_id = c.id where u.account_id in {ids uuid} and b.host <> c.host",
    named<domain::uuid>("distinct c.unit_id")};

struct located_calendar {
  domain::uuid unit_id{};
  const domain::imported_calendar* calendar = nullptr;
};

/// Compares the calendars of a file with the stored ones, by their ids.
class calendar_comparison {
public:
  calendar_comparison(import_run& run, const stored_details& stored) : run_(run) {
    std::vector<domain::uuid> ids;
    for (const auto& [unit, calendars] : stored.calendars)
      for (const auto& each : calendars) {
        stored_.emplace(each.id, located_calendar{unit, &each});
        ids.push_back(each.id);
      }
    revisions_ = calendar_revisions(run.db, ids);
  }

  void take(const domain::portfolio_unit& unit) {
    const auto& id = unit.terms.id;
    units_.insert(id);
    for (const auto& each : unit.calendars) {
      const auto found = stored_.find(each.id);
      if (found == stored_.end() || found->second.unit_id != id)
        add(id, each);
      else
        keep(*found->second.calendar, id, each);
    }
  }

  /// Removes those that no unit of the file has.
  void finish() {
    for (const auto& [id, place] : stored_) {
      if (kept_.contains(id)) continue;
      const bool is_written = units_.contains(place.unit_id) || added_.contains(id);
      if (is_written) {
        run_.calendars.removed.push_back(id);
        run_.calendars.units.push_back(place.unit_id);
      }
      if (is_written || run_.removed_units.contains(place.unit_id)) note(import_action::removed, id);
    }
  }

private:
  /// In another unit, a stored calendar begins anew: its events do not belong to that.
  void add(const domain::uuid& unit, const domain::imported_calendar& calendar) {
    added_.insert(calendar.id);
    const auto before = revisions_.find(calendar.id);
    run_.calendars.added.push_back({unit, calendar, before == revisions_.end() ? 0 : before->second + 1});
    note(import_action::added, calendar.id);
  }

  void keep(const domain::imported_calendar& before, const domain::uuid& unit,
            const domain::imported_calendar& after) {
    kept_.insert(after.id);
    if (before == after) return;
    run_.calendars.changed.push_back({before, after, revision_of(after.id)});
    run_.calendars.units.push_back(unit);
  }

  /// A calendar that the office has deleted since has none; then the import starts over.
  std::int64_t revision_of(const domain::uuid& id) const {
    const auto found = revisions_.find(id);
    return found == revisions_.end() ? 0 : found->second;
  }

  void note(import_action action, const domain::uuid& id) {
    run_.notes.add({action, portfolio_part::calendar, id});
  }

  import_run& run_;
  by_id<located_calendar> stored_;
  by_id<std::int64_t> revisions_;
  id_set units_, kept_, added_; ///< units of the file; calendars that stay; new ones
};

} // namespace

void compare_calendars(import_run& run, account_span accounts, const stored_details& stored) {
  calendar_comparison comparison(run, stored);
  for_each_unit(accounts,
                [&](const auto& unit, const domain::uuid&, const domain::uuid&) { comparison.take(unit); });
  comparison.finish();
}

void write_calendars(import_run& run) {
  calendar_writer writer(run.db, run.context.now);
  for (const auto& id : run.calendars.removed) writer.remove(id);
  for (const auto& each : run.calendars.changed) writer.change(each.before, each.after, each.revision);
  for (const auto& each : run.calendars.added) writer.add(each.unit_id, each.calendar, each.revision);
  run.summary.counts.add(import_action::changed, portfolio_part::calendar,
                         static_cast<std::size_t>(writer.finish()));
}

void renew_hosts(session& db, std::span<const domain::uuid> accounts) {
  std::vector<domain::uuid> units;
  read_in_parts(db, units_with_other_hosts, accounts, [&](const domain::uuid& id) { units.push_back(id); });
  renew_calendar_blocks(db, units);
}

} // namespace roost::store
