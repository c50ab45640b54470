#pragma once

#include "store/database/connection.hpp"

#include <string>

namespace roost::testing {

/// Lets the database reject each inserted row of the table for which the condition on `new` holds, with an
/// error in another language than English.
inline void reject_rows(store::session& db, const std::string& table, const std::string& condition) {
  const auto on_postgresql = "create function reject_row() returns trigger language plpgsql as $$ begin if " +
                             condition +
                             " then raise exception 'abgelehnt'; end if; return new; end $$;"
                             "create trigger reject_row before insert on " +
                             table + " for each row execute function reject_row()";
  const auto on_sqlite = "create trigger reject_row before insert on " + table + " when " + condition +
                         " begin select raise(abort, 'abgelehnt'); end";
  db.internals().script("reject_rows", db.is_sqlite() ? on_sqlite : on_postgresql);
}

/// Lets the database reject each update of these columns (a comma-separated list) in rows for which the
/// condition on `new` holds, until accept_changes(). PostgreSQL's error has this SQLSTATE.
inline void reject_changes(store::session& db, const std::string& table, const std::string& columns,
                           const std::string& condition, const std::string& sqlstate = "P0001") {
  const auto trigger = "create trigger reject_change before update of " + columns + " on " + table +
                       " for each row when (" + condition + ") ";
  const auto on_postgresql = "create function reject_change() returns trigger language plpgsql as $$ begin"
                             " raise exception 'abgelehnt' using errcode = '" +
                             sqlstate + "'; end $$;" + trigger + "execute function reject_change()";
  const auto on_sqlite = trigger + "begin select raise(abort, 'abgelehnt'); end";
  db.internals().script("reject_changes", db.is_sqlite() ? on_sqlite : on_postgresql);
}

inline void accept_changes(store::session& db, const std::string& table) {
  db.internals().script("accept_changes", db.is_sqlite() ? "drop trigger reject_change"
                                                         : "drop trigger reject_change on " + table);
}

} // namespace roost::testing
