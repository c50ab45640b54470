#pragma once

#include "store/calendars/unit_calendars.hpp"
#include "store/database/connection.hpp"
#include "store/office/calendars.hpp"
#include "store/office/office_scene.hpp"
#include "store/portfolio/office_marks.hpp"
#include "store/portfolio/portfolio_export.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// A file whose first unit has an imported calendar, and helpers that write as the office and as the reader
/// of calendars.
namespace roost::testing {

class calendar_import_scene : public office_scene {
protected:
  void SetUp() override {
    office_scene::SetUp();
    scope.unit_id = unit_id(1);
    calendars() = {host_one};
    import();
  }

  static domain::imported_calendar calendar(unsigned long number, const char* name) {
    return {numbered_id(8, number), name, "https://host.example/" + std::to_string(number) + ".ics", "", {}};
  }

  std::vector<domain::portfolio_unit>& units() { return file_.accounts[0].properties[0].units; }
  std::vector<domain::imported_calendar>& calendars() { return units()[0].calendars; }

  store::import_result import_result(bool allow_removals = true) {
    auto context = context_at("2026-11-22T09:30:00.000Z");
    context.allow_removals = allow_removals;
    return store::import_portfolio(session(), file_, context);
  }

  /// Returns what the import would set back; empty if it is not refused.
  std::string refused_changes() {
    const auto result = import_result();
    EXPECT_THAT(result.problems, ::testing::IsEmpty());
    return result.refused_by_office ? result.refused_by_office->text(store::import_action::changed)
                                    : std::string{};
  }

  /// Returns the names of the stored calendars of all units, by unit and name.
  std::vector<std::string> stored_names() {
    std::vector<std::string> names;
    const auto stored = store::read_account(session(), account_id(1)).value();
    for (const auto& property : stored.account.properties)
      for (const auto& unit : property.units)
        for (const auto& each : unit.calendars) names.push_back(unit.terms.internal_name + ": " + each.name);
    return names;
  }

  std::optional<store::office_calendar> stored(const domain::uuid& id) {
    return store::find_calendar(session(), scope, id);
  }

  // Readings

  template <typename Event>
  static domain::notification notice_of(const Event& event) {
    domain::notification made;
    made.id = fresh_id();
    made.account_id = event.account_id;
    made.kind = made.title = made.body = "calendar";
    made.created_at = moment("2026-11-22T09:00:00.000Z");
    return made;
  }

  /// Returns what a reader of the calendar would report now, with the settings that it has now.
  store::calendar_reading version_of(const domain::uuid& id, std::vector<domain::nights> events) {
    const auto due = store::find_calendar_to_read(session(), id).value();
    store::calendar_reading read;
    read.id = id;
    read.unit_id = due.unit_id;
    read.account_id = due.account_id;
    read.revision = due.revision;
    read.result = store::calendar_result::version;
    read.events = std::move(events);
    read.etag = "\"1\"";
    read.now = moment("2026-11-22T09:00:00.000Z");
    read.today = day("2026-11-22");
    read.next_fetch = moment("2026-11-30T09:00:00.000Z");
    return read;
  }

  store::calendar_reading_outcome store_in(store::session& db, const store::calendar_reading& read) {
    return store::store_reading(db, node_->lease, read, {notice_of<store::calendar_conflict>, {}});
  }

  void read(const domain::uuid& id, const char* first, const char* last) {
    EXPECT_TRUE(store_in(session(), version_of(id, {{day(first), day(last)}})).is_changed);
  }

  /// Returns the calendars that are due on the day after the readings, by their URLs.
  std::vector<std::string> due() {
    std::vector<std::string> urls;
    for (const auto& each : store::due_calendars(session(), moment("2026-11-23T09:00:00.000Z"), 10))
      urls.push_back(each.url);
    std::ranges::sort(urls);
    return urls;
  }

  /// Returns the blocks of the first unit as `first-night last-night host`.
  std::vector<std::string> blocked() {
    std::vector<std::string> texts;
    for (const auto& each : blocks())
      texts.push_back(domain::to_string(each.block.nights.first) + ' ' +
                      domain::to_string(each.block.nights.last) + ' ' + std::string(each.block.host.view()));
    return texts;
  }

  // The office

  domain::uuid office_creates(const domain::imported_calendar& settings,
                              std::optional<std::string> upload = {}) {
    store::office_calendar created;
    created.id = settings.id;
    created.name = settings.name;
    created.url = settings.url;
    created.host = settings.host;
    created.upload = std::move(upload);
    if (created.upload) created.url.reset();
    EXPECT_EQ(store::create_calendar(session(), node_->lease, scope, {created, {}, {}}, author()).result,
              store::office_result::created);
    return created.id;
  }

  void office_changes(store::session& db, const domain::uuid& id,
                      const std::function<void(store::office_calendar&)>& edit) {
    const store::office_change<store::office_calendar> change{
        id, [](const auto&) { return true; },
        [&](store::office_calendar& each) {
          edit(each);
          return store::office_edit{{}, {{"name", "1", "2"}}};
        }};
    EXPECT_EQ(store::change_calendar(db, node_->lease, scope, change, author()).result,
              store::office_result::changed);
  }
  void office_changes(const domain::uuid& id, const std::function<void(store::office_calendar&)>& edit) {
    office_changes(session(), id, edit);
  }
  void office_renames(const domain::uuid& id) {
    office_changes(id, [](auto& each) { each.name = "Renamed"; });
  }

  void office_deletes(const domain::uuid& id) {
    EXPECT_EQ(store::delete_calendar(session(), node_->lease, scope, {id, [](const auto&) { return true; }},
                                     author())
                  .result,
              store::office_result::deleted);
  }

  std::vector<store::office_mark> marks() {
    const auto id = account_id(1);
    return store::marks_of(session(), {&id, 1});
  }

  const domain::imported_calendar host_one{
      numbered_id(8, 1), "Host one", "https://host.example/1.ics", "host-one", {}};
};

} // namespace roost::testing
