#pragma once

#include "store/office/office_write.hpp"

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The writes of a kind of resource. `Kind` says what differs between kinds:
///
///     struct unit_kind_of_resource {
///       using resource = domain::portfolio_unit;
///       static domain::uuid id_of(const resource&);
///       static bool lock(session&, const office_scope&, const domain::uuid& id); // throws locked_elsewhere
///       static resource read(session&, const office_scope&, const domain::uuid& id);
///       static bool is_id_taken(session&, const domain::uuid& id);
///       static std::optional<office_refusal> refusal_of(session&, const office_scope&, const resource*
///       before,
///                                                       const resource& after);
///       static office_trace insert(session&, const office_scope&, resource& created, const office_author&);
///       static office_trace update(session&, const office_scope&, const resource& before, resource& after,
///                                  const office_author&);
///       // Optional: insert() and update() leave their resource as read() would return it.
///       static constexpr bool completes_resources = true;
///       static bool must_stay(session&, const resource&);   // is archived instead of deleted
///       static bool& archived(resource&);                   // both: only if the kind can be archived
///       static office_trace erase(session&, const office_scope&, const resource&, const office_author&);
///       static last_change last_change_of(session&, const office_scope&, const resource&);
///     };
///
/// This header is for the .cpp files of the kinds.
namespace roost::store {

template <typename Kind>
class office_resource {
public:
  using resource = typename Kind::resource;
  using outcome = office_outcome<resource>;

  static outcome create(session& db, const lease& held, const office_scope& scope,
                        const office_creation<resource>& request, const office_author& author) {
    return with_retries([&] { return create_once(db, held, scope, request, author); });
  }

  static outcome change(session& db, const lease& held, const office_scope& scope,
                        const office_change<resource>& request, const office_author& author) {
    return with_retries([&] { return change_once(db, held, scope, request, author); });
  }

  static outcome erase(session& db, const lease& held, const office_scope& scope,
                       const office_deletion<resource>& request, const office_author& author) {
    return with_retries([&] { return erase_once(db, held, scope, request, author); });
  }

private:
  static outcome create_once(session& db, const lease& held, const office_scope& scope,
                             const office_creation<resource>& request, const office_author& author) {
    office_transaction txn(db, held);
    lock_marks(db, scope);
    const auto id = Kind::id_of(request.resource);
    if (Kind::is_id_taken(db, id)) {
      if (!is_repeated(db, scope, id, request.request_hash) || !Kind::lock(db, scope, id))
        return outcome_of(office_result::other_request, {});
      return outcome_of(office_result::repeated, Kind::read(db, scope, id), newest_point(db));
    }
    auto created = request.resource;
    if (auto refusal = Kind::refusal_of(db, scope, nullptr, created)) return refused(*std::move(refusal), {});
    auto trace = Kind::insert(db, scope, created, author);
    if (request.side_effect) request.side_effect(db, nullptr, created);
    remember_creation(db, scope, id, request.request_hash);
    for (auto& entry : trace.entries)
      if (entry.changes.empty()) entry.changes = request.changes;
    auto described = author;
    described.audit.detail = describe(request.changes);
    auto stored = as_stored(db, scope, std::move(created));
    const auto point = record(db, scope, described, std::move(trace));
    txn.commit();
    return outcome_of(office_result::created, std::move(stored), point);
  }

  static outcome change_once(session& db, const lease& held, const office_scope& scope,
                             const office_change<resource>& request, const office_author& author) {
    office_transaction txn(db, held);
    outcome done;
    const auto before = find_current(db, scope, request, done);
    if (!before) return done;
    auto after = *before;
    auto edit = request.apply(after);
    if (!edit.problem.empty()) return refused({office_result::refused, std::move(edit.problem)}, *before);
    if (edit.changes.empty()) return outcome_of(office_result::unchanged, *before, newest_point(db));
    if (auto refusal = violation_of(db, scope, request, *before, &after))
      return refused(*std::move(refusal), *before);
    if (auto refusal = Kind::refusal_of(db, scope, &*before, after))
      return refused(*std::move(refusal), *before);
    done =
        write(db, scope, {*before, std::move(after), std::move(edit.changes), request.side_effect}, author);
    txn.commit();
    return done;
  }

  static outcome erase_once(session& db, const lease& held, const office_scope& scope,
                            const office_deletion<resource>& request, const office_author& author) {
    office_transaction txn(db, held);
    outcome done;
    auto stored = find_current(db, scope, request, done);
    if (!stored) return done;
    if (auto refusal = violation_of(db, scope, request, *stored, nullptr))
      return refused(*std::move(refusal), *stored);
    std::vector<domain::field_change> members;
    if (request.describe_changes) members = request.describe_changes(*stored);
    done = archive_or_erase(db, scope, *std::move(stored), std::move(members), author);
    txn.commit();
    return done;
  }

  static outcome archive_or_erase(session& db, const office_scope& scope, resource stored,
                                  std::vector<domain::field_change> members, const office_author& author) {
    if constexpr (requires { Kind::must_stay(db, stored); })
      if (Kind::must_stay(db, stored)) return archive(db, scope, std::move(stored), author);
    auto trace = Kind::erase(db, scope, stored, author);
    const auto id = Kind::id_of(stored);
    forget_creations(db, {&id, 1});
    // First, because the description may be cut off.
    members.insert(members.begin(), std::make_move_iterator(trace.further.begin()),
                   std::make_move_iterator(trace.further.end()));
    auto described = author;
    if (!members.empty()) described.audit.detail = describe(members);
    const auto point = record(db, scope, described, std::move(trace));
    return outcome_of(office_result::deleted, std::move(stored), point);
  }

  template <typename Request>
  static std::optional<office_refusal> violation_of(session& db, const office_scope& scope,
                                                    const Request& request, const resource& before,
                                                    const resource* after) {
    if (!request.rule) return std::nullopt;
    return request.rule(db, scope, before, after);
  }

  struct edited {
    const resource& before;
    resource after;
    std::vector<domain::field_change> changes;
    office_side_effect<resource> side_effect = {};
  };

  static outcome write(session& db, const office_scope& scope, edited edit, const office_author& author) {
    auto trace = Kind::update(db, scope, edit.before, edit.after, author);
    if (edit.side_effect) edit.side_effect(db, &edit.before, edit.after);
    for (auto& entry : trace.entries) entry.changes = edit.changes;
    auto described = author;
    described.audit.detail = describe(edit.changes);
    auto stored = as_stored(db, scope, std::move(edit.after));
    const auto point = record(db, scope, described, std::move(trace));
    return outcome_of(office_result::changed, std::move(stored), point);
  }

  /// Returns a resource that this transaction has written as it is stored. It is read, unless its kind knows
  /// what it has written, before record() does the rest: from there until the end of the transaction, it
  /// holds the change stream, and with it all other commits. Nothing changes the resource in between, because
  /// the transaction has its row. What the resource shows of others, such as a unit's name, may be as it was
  /// before their last change, as in a read a moment earlier.
  static resource as_stored(session& db, const office_scope& scope, resource written) {
    if constexpr (requires { requires Kind::completes_resources; })
      return written;
    else
      return Kind::read(db, scope, Kind::id_of(written));
  }

  static outcome archive(session& db, const office_scope& scope, resource stored,
                         const office_author& author) {
    auto after = stored;
    if (std::exchange(Kind::archived(after), true))
      return outcome_of(office_result::archived, std::move(stored), newest_point(db));
    auto done = write(db, scope, {stored, std::move(after), {{"archived", "false", "true"}}}, author);
    done.result = office_result::archived;
    return done;
  }

  /// Returns the resource, locked for the transaction; or nullopt, and sets the outcome.
  template <typename Request>
  static std::optional<resource> find_current(session& db, const office_scope& scope, const Request& request,
                                              outcome& done) {
    lock_marks(db, scope);
    if (!Kind::lock(db, scope, request.id)) return std::nullopt;
    auto stored = Kind::read(db, scope, request.id);
    if (request.is_current && request.is_current(stored)) return stored;
    done = outcome_of(request.is_current ? office_result::outdated : office_result::unconditional,
                      std::move(stored));
    done.last = Kind::last_change_of(db, scope, done.resource);
    return std::nullopt;
  }

  static outcome outcome_of(office_result result, resource state, stream_point point = {}) {
    outcome done;
    done.result = result;
    done.resource = std::move(state);
    done.point = point;
    return done;
  }

  static outcome refused(office_refusal refusal, resource state) {
    auto done = outcome_of(refusal.result, std::move(state));
    done.problem = std::move(refusal.text);
    return done;
  }
};

} // namespace roost::store
