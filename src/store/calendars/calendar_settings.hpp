#pragma once

#include "domain/unit.hpp"
#include "store/database/bulk.hpp"
#include "store/database/columns.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

/// The settings of imported calendars, as the office and imports of portfolio files write them.
namespace roost::store {

inline constexpr auto calendar_setting_columns = columns(
    column("id", &domain::imported_calendar::id).key(), column("name", &domain::imported_calendar::name),
    column("url", &domain::imported_calendar::url), column("host", &domain::imported_calendar::host),
    column("every_seconds", &domain::imported_calendar::every_seconds));

/// A row of unit_calendars to insert, or what a change sets.
struct calendar_row {
  domain::uuid unit_id{};
  const domain::imported_calendar* calendar = nullptr;
  domain::timestamp now{};
  std::optional<std::string> upload = std::nullopt;
  std::int64_t revision = 0;
  std::string validator{}; ///< of the URL that sent it: none yet
  int failures = 0;        ///< of readings of the new source
  std::string problem{};
  bool has_vanished = false;
};

/// Writes the settings of calendars. A new calendar is due immediately, and so is one with a new text, with
/// another URL, or with another interval of fetches; until it is read, its events stay. What was read with
/// earlier settings is no longer stored (`revision`).
///
/// The caller locks the units' calendars first (calendar_blocks.hpp), and renews the blocks of those whose
/// host changes.
class calendar_writer {
public:
  calendar_writer(session& db, domain::timestamp now);

  /// `upload` is a text to read as the calendar's next version.
  void add(const domain::uuid& unit, const domain::imported_calendar& calendar, std::int64_t revision = 0,
           const std::optional<std::string>& upload = std::nullopt);
  /// `revision` is the stored one.
  void change(const domain::imported_calendar& before, const domain::imported_calendar& after,
              std::int64_t revision, const std::optional<std::string>& upload = std::nullopt);
  /// Also deletes its events and blocks.
  void remove(const domain::uuid& id);

  /// Returns the number of changed calendars.
  std::int64_t finish();

private:
  domain::timestamp now_;
  bulk_writer<calendar_row> added_, changed_, due_, renewed_;
  bulk_writer<domain::imported_calendar> removed_;
};

/// Returns the revisions of these calendars.
std::unordered_map<domain::uuid, std::int64_t, domain::uuid_hash>
calendar_revisions(session& db, std::span<const domain::uuid> ids);

} // namespace roost::store
