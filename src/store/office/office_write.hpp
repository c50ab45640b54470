#pragma once

#include "domain/listing_edit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/office/office.hpp"
#include "store/portfolio/office_marks.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

/// What all writes of the office have in common: conditions, ids that clients choose, audit, marks and the
/// change stream.
namespace roost::store {

/// Returns whether the client has seen this state of a resource; empty if the client did not say what it has
/// seen. Called in the transaction.
template <typename Resource>
using office_condition = std::function<bool(const Resource&)>;

/// Writes what belongs to a creation (`before` is null) or a change, in its transaction.
template <typename Resource>
using office_side_effect = std::function<void(session&, const Resource* before, const Resource& after)>;

template <typename Resource>
struct office_creation {
  Resource resource; ///< with its id
  /// Identifies the request if the client chose the id; empty if it did not.
  std::string request_hash;
  std::vector<domain::field_change> changes;  ///< all members, from null
  office_side_effect<Resource> side_effect{}; ///< may be empty
};

/// Why a write is impossible.
struct office_refusal {
  office_result result = office_result::conflicting;
  std::string text;
};

/// Returns the refusal for all these reasons; nullopt if there are none.
std::optional<office_refusal> conflict_of(const std::vector<std::string>& reasons);

/// Returns why a rule forbids a change; `after` is null for a deletion. Called in the transaction.
template <typename Resource>
using office_rule = std::function<std::optional<office_refusal>(
    session&, const office_scope&, const Resource& before, const Resource* after)>;

/// What a change does to a resource.
struct office_edit {
  std::string problem; ///< why it is impossible; empty: it is possible
  std::vector<domain::field_change> changes = {};
};

template <typename Resource>
struct office_change {
  domain::uuid id{};
  office_condition<Resource> is_current;
  /// Changes the stored resource. Called in the transaction.
  std::function<office_edit(Resource&)> apply;
  office_rule<Resource> rule{};               ///< may be empty
  office_side_effect<Resource> side_effect{}; ///< may be empty
};

template <typename Resource>
struct office_deletion {
  domain::uuid id{};
  office_condition<Resource> is_current;
  office_rule<Resource> rule{}; ///< may be empty
  /// Returns all members of the deleted resource, to null, for the audit log; may be empty.
  std::function<std::vector<domain::field_change>(const Resource&)> describe_changes{};
};

template <typename Resource>
struct office_outcome {
  office_result result = office_result::not_found;
  Resource resource;   ///< as it is stored now, or was until it was deleted
  last_change last;    ///< if the client's state is outdated
  std::string problem; ///< if `result` is refused or conflicting
  stream_point point;  ///< the position at which reads show the outcome, if it is stored
};

/// A write of the office. It holds the lease's row, whose renewal must not be delayed, so it does not wait
/// for long: an import may hold what it needs until its end.
class office_transaction {
public:
  /// Throws lease_lost, or unavailable while an import is pending.
  office_transaction(session& db, const lease& held) : transaction_(db, held) {
    limit_lock_waits(db);
    refuse_while_importing(db);
  }

  void commit() { transaction_.commit(); }

private:
  write_transaction transaction_;
};

/// Another transaction holds a row that the write needs.
class locked_elsewhere : public unavailable {
  using unavailable::unavailable;
};

/// Runs a write again if the database refused it because of another one made at the same time, which it sees
/// now, such as a booking or another unit's name; or if another transaction held a row: an edit by the
/// booking engine takes some milliseconds, more while the disk is slow.
template <typename Write>
auto with_retries(Write write) {
  constexpr int max_refusals = 3;
  constexpr std::chrono::milliseconds longest_wait{40}; // 70 in all, during which the lane waits, too
  std::chrono::milliseconds wait{10};
  for (int refusals = 0;;) {
    try {
      return write();
    } catch (const constraint_violated& refused) {
      if (refused.kind() == violation::invalid_value || ++refusals == max_refusals) throw;
    } catch (const locked_elsewhere&) {
      if (wait > longest_wait) throw;
      std::this_thread::sleep_for(wait);
      wait *= 2;
    }
  }
}

// Creations

/// Remembers the request under the id that its client chose. Does nothing without a hash.
void remember_creation(session& db, const office_scope& scope, const domain::uuid& id,
                       const std::string& request_hash);
/// Frees the ids of resources that are deleted.
void forget_creations(session& db, std::span<const domain::uuid> ids);
/// Returns whether the same request created this resource.
bool is_repeated(session& db, const office_scope& scope, const domain::uuid& id,
                 const std::string& request_hash);

// The traces of a write

/// An entry of a unit's changelog about the unit, or about one of its resources.
struct unit_entry {
  domain::uuid unit_id{}, subject_id{};
  std::vector<domain::field_change> changes;
  domain::uuid id = {}; ///< of the audit entry; nil: the author's
};

struct office_trace {
  store::change change;
  std::vector<unit_entry> entries = {};
  std::vector<office_mark> marks = {};            ///< without account, position and author, which are added
  std::vector<domain::field_change> further = {}; ///< what a deletion's audit entry also names
};

/// What one of several writes of a transaction leaves behind.
struct authored_trace {
  domain::uuid account_id{};
  office_author author;
  store::change change;
  std::vector<unit_entry> entries;
};

/// Returns a text as JSON, for a changed member.
std::string json_string(std::string_view text);

/// Returns changes as the detail of an audit entry: `internalName: "A1" to "A2"; archived: false to true`. A
/// long text is cut off.
std::string describe(const std::vector<domain::field_change>& changes);

/// Locks what marks refer to. Must precede record(), which holds the lock of the change stream: an import may
/// hold the account and wait for the stream. Throws locked_elsewhere.
void lock_marks(session& db, const office_scope& scope);
/// Locks the account also against other writes of this kind.
void lock_account(session& db, const office_scope& scope);

/// Writes the audit entry, the change's position, the changelog and the marks; the transaction's last step.
stream_point record(session& db, const office_scope& scope, const office_author& author, office_trace trace);

/// The same for writes with several audit entries, in place of the author's.
stream_point record(session& db, const office_scope& scope, const office_author& author,
                    std::vector<audit_entry> audits, office_trace trace);

/// The same for several writes, also of several accounts. Each takes a position of its own, because a unit's
/// changelog is read by position. The changes `before` them come first.
std::vector<stream_point> record_all(session& db, std::span<const change> before,
                                     std::vector<authored_trace> writes);

/// Returns the last entry of a changelog about a subject: a unit, also by the booking engine, or one of its
/// resources.
std::optional<last_change> last_change_of(session& db, const office_scope& scope,
                                          const domain::uuid& subject);

} // namespace roost::store
