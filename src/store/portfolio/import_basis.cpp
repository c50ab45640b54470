#include "store/portfolio/import_basis.hpp"

#include "store/database/connection.hpp"
#include "store/portfolio/office_marks.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace roost::store {

namespace {

/// The changelog's entries about units and blocks. Bookings by the office concern an import as little as
/// those by platforms, which have no entries.
const std::string later_entries = "select {columns} from changelog where edit > :since and not exists"
                                  " (select 1 from bookings b where b.id = subject_id)";

/// Writes by the office of blocks, which have no marks, and of units.
const selection office_entries{
    "office_entries", later_entries + " and account_id in {ids uuid} and subject_id is not null limit 1",
    named<int>("1")};
const selection unit_entries{"unit_entries", later_entries + " and unit_id in {ids uuid} limit 1",
                             named<int>("1")};

bool has_rows(session& db, const selection<named<int>>& rows, std::span<const domain::uuid> ids,
              std::int64_t since) {
  bool any = false;
  read_in_parts(db, rows, ids, {{"since", since}}, [&](int) { any = true; });
  return any;
}

} // namespace

unavailable changed_too_often() {
  return unavailable("the file's accounts are being changed all the time; the import was not started");
}

bool is_outdated(session& db, const import_basis& basis) {
  return has_marks_since(db, basis.accounts, basis.position) ||
         has_rows(db, office_entries, basis.accounts, basis.position) ||
         has_rows(db, unit_entries, basis.kept_units, basis.position);
}

later_changes changes_since(session& db, std::span<const domain::uuid> accounts, const stream_point& basis) {
  if (!view_stream(db, basis).has_known_point) return {true}; // later entries may have been deleted, too
  later_changes found;
  const std::set<domain::uuid> own(accounts.begin(), accounts.end());
  for (const auto& entry : portfolio_changes_since(db, basis.position)) {
    found.has_own |=
        std::ranges::any_of(entry.change.accounts, [&](const auto& id) { return own.contains(id); });
    // Edits of units claim no unique values, except ids of their resources.
    found.may_conflict |= entry.change.kind != change_kind::unit || !entry.change.subjects.empty();
  }
  return found;
}

} // namespace roost::store
