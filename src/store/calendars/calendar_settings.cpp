#include "store/calendars/calendar_settings.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr auto added_columns = columns(
    column("unit_id", &calendar_row::unit_id), nested(&calendar_row::calendar, calendar_setting_columns),
    column("upload", &calendar_row::upload), column("revision", &calendar_row::revision).of_type("integer"),
    column("next_fetch", &calendar_row::now), column("created_at", &calendar_row::now),
    column("updated_at", &calendar_row::now));
constexpr auto changed_columns =
    columns(nested(&calendar_row::calendar, calendar_setting_columns),
            column("revision", &calendar_row::revision), column("updated_at", &calendar_row::now).stamp());
constexpr auto due_again_columns =
    columns(column("id", &calendar_row::calendar, &domain::imported_calendar::id).key(),
            column("next_fetch", &calendar_row::now));
/// What was noted about the former URL or text does not apply to the new one.
constexpr auto renewed_columns =
    columns(column("id", &calendar_row::calendar, &domain::imported_calendar::id).key(),
            column("next_fetch", &calendar_row::now), column("upload", &calendar_row::upload),
            column("etag", &calendar_row::validator), column("last_modified", &calendar_row::validator),
            column("failures", &calendar_row::failures).of_type("integer"),
            column("problem", &calendar_row::problem), column("has_vanished", &calendar_row::has_vanished));
constexpr auto removed_columns = columns(column("id", &domain::imported_calendar::id).key());

constexpr const char* table_name = "unit_calendars";
const auto added_table = table_of<added_columns>(table_name);
const auto changed_table = table_of<changed_columns>(table_name);
const auto due_table = table_of<due_again_columns>(table_name);
const auto renewed_table = table_of<renewed_columns>(table_name);
const auto removed_table = table_of<removed_columns>(table_name);

const selection revisions_of_calendars{"revisions_of_calendars",
                                       "select {columns} from unit_calendars where id in {ids uuid}",
                                       named<domain::uuid>("id"), named<std::int64_t>("revision")};

} // namespace

calendar_writer::calendar_writer(session& db, domain::timestamp now)
    : now_(now), added_(db, added_table, bulk_mode::insert),
      changed_(db, changed_table, bulk_mode::update_changed), due_(db, due_table, bulk_mode::update_changed),
      renewed_(db, renewed_table, bulk_mode::update_changed), removed_(db, removed_table, bulk_mode::erase) {}

void calendar_writer::add(const domain::uuid& unit, const domain::imported_calendar& calendar,
                          std::int64_t revision, const std::optional<std::string>& upload) {
  added_.add({unit, &calendar, now_, upload, revision});
}

void calendar_writer::change(const domain::imported_calendar& before, const domain::imported_calendar& after,
                             std::int64_t revision, const std::optional<std::string>& upload) {
  changed_.add({.calendar = &after, .now = now_, .revision = revision + 1});
  if (upload || after.url != before.url)
    renewed_.add({.calendar = &after, .now = now_, .upload = upload});
  else if (after.url && after.every_seconds != before.every_seconds)
    due_.add({.calendar = &after, .now = now_});
}

void calendar_writer::remove(const domain::uuid& id) {
  domain::imported_calendar removed;
  removed.id = id;
  removed_.add(removed);
}

std::int64_t calendar_writer::finish() {
  removed_.finish(); // first: a calendar may move to another unit
  const auto changed = changed_.finish();
  due_.finish();
  renewed_.finish();
  added_.finish();
  return changed;
}

std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash>
calendar_revisions(session& db, std::span<const domain::uuid> ids) {
  std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash> revisions;
  if (ids.empty()) return revisions;
  db.internals().read(
      revisions_of_calendars, {{"ids", db.internals().list(ids)}},
      [&](const domain::uuid& id, std::int64_t revision) { revisions.emplace(id, revision); });
  return revisions;
}

} // namespace roost::store
