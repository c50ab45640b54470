#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/store_state.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The target of a copy, at its beginning and at its end.
namespace roost::store {

/// Throws copy_refused for a target that holds something else than a copy that was begun from this source,
/// and changes nothing. One that is empty, or is not there yet, is fit.
void refuse_unfit_target(session& source, session& target);

/// Makes a fit target a store of this program's schema.
void prepare_target(session& target);

/// The mark of a copy that was begun here from this source; nothing when the target is empty. Throws
/// copy_refused when it is neither: it holds rows, or a copy of another store.
std::optional<copy_marker> begun_copy(session& source, session& target);

/// Marks the target in a transaction of its own. A copy that begins leaves no row in any of the tables; one
/// that goes on keeps those of the tables that it had begun, and none that others wrote into the rest.
void begin_copy(session& target, const lease& held, const copy_marker& marker,
                const std::vector<planned_table>& plan, bool goes_on);

/// Gives the target's counters where the source's stand, and a history of its own that goes on behind the
/// source's position. Must run in a transaction.
void take_over_counters(session& source, session& target, const std::vector<planned_table>& plan);
void begin_history(session& target, std::int64_t behind);

/// Lets the database look at the rows for its plans; that it fails does no harm.
void gather_statistics(session& target, const std::vector<planned_table>& plan);

} // namespace roost::store
