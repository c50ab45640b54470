#pragma once

#include "store/bookings/submission.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <span>
#include <vector>

namespace roost::store {

/// The response to a submission that a platform may repeat.
struct put_receipt {
  enum class kind {
    created,   ///< stored now
    repeated,  ///< an equal one was stored before
    different, ///< the platform has submitted something else with this reference; nothing was stored
    locked,    ///< another transaction holds the first submission, such as its decision; nothing was stored
    absent,    ///< nothing was submitted with this reference, and this may not be the first
  };

  kind result = kind::created;
  domain::uuid id{}; ///< of the first submission with the reference
  domain::timestamp received_at{};
};

/// Stores submissions that must have a reference, unless their platform has submitted something with it
/// before; a group may be sent again after an uncertain commit. They are compared with the first one by their
/// digests, or by the stored rows if the first one has none of the same key; without its guest, whose data
/// was erased, a row equals no submission. The first submission is then marked, so that later calls find the
/// same one even if another one arrived concurrently through insert_requests(). Returns the receipts in the
/// order of the submissions. Throws lease_lost.
std::vector<put_receipt> put_submissions(session& db, const lease& held,
                                         std::span<const submission> submissions);

} // namespace roost::store
