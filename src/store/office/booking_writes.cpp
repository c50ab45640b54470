#include "domain/calendar.hpp"
#include "store/bookings/booking_rows.hpp"
#include "store/bookings/known_tenants.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/calendars/calendar_blocks.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"
#include "store/office/bookings.hpp"
#include "store/office/office_write.hpp"
#include "store/office/stay_setup.hpp"
#include "store/office/units.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

namespace {

/// A calendar knows blocks and bookings by their ids alone.
const selection is_booking_id_taken{"is_booking_id_taken",
                                    "select {columns} from (select id from bookings where id = :id"
                                    " union all select id from blocks where id = :id) as taken",
                                    named<bool>("count(*) > 0")};
/// Skips a booking that another transaction changes: it is cancelled, or its stay begins or ends.
const selection locked_booking{"locked_booking",
                               "select {columns} from bookings where id = :id {for update skip locked}",
                               named<domain::uuid>("id")};

/// Only platforms' bookings have a reference. Later moves keep the unit.
constexpr query keep_sold_unit{"keep_sold_unit",
                               "update bookings set sold_unit_id = :unit"
                               " where id = :id and reference is not null and sold_unit_id is null"};

booking_outcome booking_outcome_of(office_result result, booking_record booking = {},
                                   stream_point point = {}) {
  booking_outcome outcome;
  outcome.result = result;
  outcome.booking = std::move(booking);
  outcome.point = point;
  return outcome;
}

booking_outcome refused_booking(office_result result, std::string problem, booking_record booking = {}) {
  auto outcome = booking_outcome_of(result, std::move(booking));
  outcome.problem = std::move(problem);
  return outcome;
}

booking_outcome refused_booking(domain::stay_decision decision, booking_record booking = {}) {
  auto outcome = booking_outcome_of(office_result::booked, std::move(booking));
  outcome.refused = decision.refused();
  outcome.taken = std::move(decision.taken);
  return outcome;
}

void notify(session& db, const domain::notification& notice) {
  message_rows rows;
  rows.add(notice);
  insert(db, rows);
}

const selection have_one_owner{"have_one_owner",
                               "select {columns} from units u join properties p on p.id = u.property_id"
                               " where u.id in (:first, :second)",
                               named<bool>("count(distinct coalesce(cast(p.owner_id as text), '')) < 2")};

/// Writes what every write of a booking leaves behind; the change's position comes last. `moved` are the
/// changelog's entries of a booking that changes its unit.
stream_point record_booking(session& db, const office_scope& scope, change changed,
                            std::vector<domain::field_change> changes, const booking_record& booking,
                            const office_author& author, std::vector<unit_entry> moved = {}) {
  auto described = author;
  described.audit.detail = describe(changes);
  office_trace trace{std::move(changed), std::move(moved)};
  if (trace.entries.empty())
    trace.entries.push_back({booking.booking.unit_id, booking.booking.id, std::move(changes)});
  return record(db, scope, described, std::move(trace));
}

/// The creation of a booking, in a transaction.
class booking_creator {
public:
  booking_creator(session& db, const office_scope& scope, const booking_creation& request,
                  const office_author& author)
      : db_(db), scope_(scope), request_(request), author_(author) {}

  booking_outcome run(const lease& held) {
    office_transaction txn(db_, held);
    if (db_.internals().read_one(is_booking_id_taken, {{"id", request_.id}}).value_or(false))
      return repeated();
    if (!lock_unit(db_, scope_, request_.unit_id))
      return refused_booking(office_result::refused, "unitId must be a unit of the account");
    const auto& stay = request_.stay;
    const auto setup = read_stay_setup(db_, scope_, request_.unit_id, platform_name(),
                                       domain::stay_nights(stay.check_in, stay.check_out));
    auto decision =
        domain::decide(setup->on(request_.platform ? &*request_.platform : nullptr), stay, setup->calendar);
    if (decision.refused()) return refused_booking(std::move(decision));
    auto done = store(*setup, decision);
    txn.commit();
    return done;
  }

private:
  std::string platform_name() const { return request_.platform ? request_.platform->name : std::string{}; }

  /// Returns the outcome of a request for an id that is in use.
  booking_outcome repeated() {
    if (!is_repeated(db_, scope_, request_.id, request_.request_hash))
      return booking_outcome_of(office_result::other_request);
    auto known = find_booking(db_, scope_, request_.id);
    if (!known) return booking_outcome_of(office_result::other_request);
    return booking_outcome_of(office_result::repeated, *std::move(known), newest_point(db_));
  }

  booking_outcome store(const stay_setup& setup, const domain::stay_decision& decision) {
    insert_row(db_, booking_table, row_of(decision, match_tenant(setup.account)));
    remember_creation(db_, scope_, request_.id, request_.request_hash);
    auto created = find_booking(db_, request_.id).value();
    notify(db_, request_.notice(nullptr, created, decision.warnings));
    const auto point =
        record_booking(db_, scope_, {change_kind::calendar, {scope_.account_id}, {}, {request_.id}},
                       request_.describe(nullptr, created), created, author_);
    return booking_outcome_of(office_result::created, std::move(created), point);
  }

  domain::booking row_of(const domain::stay_decision& decision, const domain::uuid& tenant) const {
    const auto& stay = request_.stay;
    domain::booking booking{.id = request_.id,
                            .account_id = scope_.account_id,
                            .unit_id = request_.unit_id,
                            .tenant_id = tenant,
                            .check_in = stay.check_in,
                            .check_out = stay.check_out,
                            .last_night = decision.blocked.last,
                            .occupants = stay.occupants,
                            .provider_payment = decision.provider_payment,
                            .terms = decision.terms,
                            .created_at = author_.now};
    if (request_.platform) booking.platform = request_.platform->name;
    return booking;
  }

  /// Returns the tenant's id. Tenants of platforms' bookings get the default category. Owners find only the
  /// tenants whom they see.
  domain::uuid match_tenant(const domain::account& account) {
    const auto category = request_.platform ? domain::default_category(account) : std::nullopt;
    const auto known = find_tenant(db_, scope_.account_id, scope_.owner_id, request_.tenant);
    if (!known) {
      const domain::tenant created{request_.new_tenant_id, scope_.account_id, request_.tenant, category};
      insert_row(db_, tenant_table, {&created, author_.now});
      return created.id;
    }
    if (!known->category && category)
      set_category(db_, {scope_.account_id, known->id, *category, request_.new_tenant_id, author_.now,
                         author_.audit.actor});
    return known->id;
  }

  session& db_;
  const office_scope& scope_;
  const booking_creation& request_;
  const office_author& author_;
};

/// The state in which a change or a cancellation finds a booking.
struct found_booking {
  std::optional<booking_record> booking;
  booking_outcome refused; ///< the outcome, if there is none or it is not current
};

/// Locks the booking for the transaction. Throws locked_elsewhere.
found_booking find_current(session& db, const office_scope& scope, const domain::uuid& id,
                           const booking_condition& is_current) {
  found_booking found;
  if (!find_booking(db, scope, id)) return found;
  if (!db.internals().read_one(locked_booking, {{"id", id}}))
    throw locked_elsewhere("the booking is being changed");
  found.booking = find_booking(db, scope, id);
  if (!found.booking || (is_current && is_current(*found.booking))) return found;
  found.refused = booking_outcome_of(is_current ? office_result::outdated : office_result::unconditional,
                                     *std::exchange(found.booking, std::nullopt));
  found.refused.last = last_change_of_booking(db, scope, found.refused.booking);
  return found;
}

booking_outcome cancel_once(session& db, const lease& held, const office_scope& scope,
                            const booking_cancellation& request, const office_author& author) {
  office_transaction txn(db, held);
  auto found = find_current(db, scope, request.id, request.is_current);
  if (!found.booking) return std::move(found.refused);
  const authored_cancellation cancellation{request, author};
  auto done = std::move(cancel_locked(db, {&cancellation, 1}).front());
  if (done.result == office_result::changed) txn.commit();
  return done;
}

/// The row of a changed booking.
struct changed_booking_row {
  domain::booking booking;
  int revision = 0;
  domain::timestamp updated_at{};
  store::platform_change platform_change;
};
constexpr auto changed_row_columns = columns(
    column("id", &changed_booking_row::booking, &domain::booking::id).key(),
    column("unit_id", &changed_booking_row::booking, &domain::booking::unit_id),
    column("check_in", &changed_booking_row::booking, &domain::booking::check_in),
    column("check_out", &changed_booking_row::booking, &domain::booking::check_out),
    column("last_night", &changed_booking_row::booking, &domain::booking::last_night),
    column("occupants", &changed_booking_row::booking, &domain::booking::occupants),
    column("provider_payment_cents", &changed_booking_row::booking, &domain::booking::provider_payment),
    column("terms", &changed_booking_row::booking, &domain::booking::terms).stamp(), // JSON has no equality
    column("revision", &changed_booking_row::revision),
    column("updated_at", &changed_booking_row::updated_at).stamp(),
    nested(&changed_booking_row::platform_change, platform_change_columns));
const auto changed_booking_table = table_of<changed_row_columns>("bookings");

domain::nights nights_of_stay(const domain::booking& booking) {
  return domain::stay_nights(booking.check_in, booking.check_out);
}

/// The change of a booking's stay, in a transaction.
class booking_changer {
public:
  booking_changer(session& db, const office_scope& scope, const booking_change& request,
                  const office_author& author)
      : db_(db), scope_(scope), request_(request), author_(author) {}

  booking_outcome run() {
    auto found = find_current(db_, scope_, request_.id, request_.is_current);
    if (!found.booking) return std::move(found.refused);
    before_ = *std::move(found.booking);
    after_ = changed();
    if (auto refused = refusal()) return *std::move(refused);
    const auto setup = read_stay_setup(db_, scope_, after_.unit_id, after_.platform.value_or(""),
                                       nights_of_stay(after_), after_.id);
    auto decision = domain::decide(setup->for_change(before_.booking), requested(), setup->calendar);
    forgive_known_nights(decision);
    if (decision.refused()) return refused_booking(std::move(decision), before_);
    return store(decision);
  }

private:
  domain::booking changed() const {
    auto booking = before_.booking;
    booking.unit_id = request_.unit_id.value_or(booking.unit_id);
    booking.check_in = request_.check_in.value_or(booking.check_in);
    booking.check_out = request_.check_out.value_or(booking.check_out);
    booking.occupants = request_.occupants.value_or(booking.occupants);
    booking.provider_payment = request_.provider_payment.value_or(booking.provider_payment);
    return booking;
  }

  domain::date today() const { return domain::day_of(author_.now); }

  bool takes_other_nights() const {
    return after_.unit_id != before_.booking.unit_id ||
           nights_of_stay(after_) != nights_of_stay(before_.booking);
  }

  /// Returns the outcome if the change is refused, or changes nothing.
  std::optional<booking_outcome> refusal() {
    using enum office_result;
    const auto& before = before_.booking;
    if (!takes_other_nights() && after_.occupants == before.occupants &&
        after_.provider_payment == before.provider_payment)
      return booking_outcome_of(unchanged, before_, newest_point(db_));
    if (auto problem = obstacle_of(before_, today()); !problem.empty())
      return refused_booking(conflicting, std::move(problem), before_);
    if (after_.check_out <= after_.check_in)
      return refused_booking(office_result::refused, "checkOutDate must be after checkInDate", before_);
    const bool has_begun =
        before_.booking.status == domain::booking_status::checked_in || before_.booking.check_in <= today();
    if (has_begun && after_.check_in != before_.booking.check_in)
      return refused_booking(conflicting, "The stay has begun: checkInDate cannot change", before_);
    if (takes_other_nights() && request_.expected != unit_nights{after_.unit_id, nights_of_stay(after_)}) {
      auto outcome = booking_outcome_of(outdated, before_);
      outcome.last = last_change_of_booking(db_, scope_, before_);
      return outcome;
    }
    if (!lock_unit(db_, scope_, after_.unit_id))
      return refused_booking(office_result::refused, "unitId must be a unit of the account", before_);
    return std::nullopt;
  }

  /// As if the changed stay had been booked when the booking was made.
  domain::requested_stay requested() const {
    return {after_.check_in, after_.check_out, after_.occupants, after_.provider_payment,
            domain::day_of(after_.created_at)};
  }

  /// A block that has covered nights of the stay since an import does not prevent its change.
  void forgive_known_nights(domain::stay_decision& decision) const {
    if (after_.unit_id != before_.booking.unit_id) return;
    std::vector<domain::nights> taken;
    for (const auto& each : decision.taken)
      for (const auto& part : domain::parts_without(each, {nights_of_stay(before_.booking)}))
        taken.push_back(part);
    decision.taken = std::move(taken);
    if (decision.taken.empty()) std::erase_if(decision.refusals, domain::is_about_nights);
  }

  booking_outcome store(const domain::stay_decision& decision) {
    // Without other nights, it blocks no others: further nights of preparation are not held.
    if (takes_other_nights()) after_.last_night = decision.blocked.last;
    after_.terms = decision.terms;
    changed_booking_row row{after_, before_.revision + 1, author_.now, before_.platform_change};
    if (request_.is_by_platform)
      row.platform_change = {author_.now, before_.booking.check_in, before_.booking.check_out};
    update_row(db_, changed_booking_table, row);
    auto record = find_booking(db_, after_.id).value();
    const auto& left = before_.booking.unit_id;
    const bool keeps_owner = left == after_.unit_id || have_same_owner(left, after_.unit_id);
    auto notice = request_.notice(&before_, record, decision.warnings);
    if (!keeps_owner) notice.unit_id.reset(); // it describes the stays of both
    notify(db_, notice);
    // Another platform may have sold the nights that become free. The booking's event names the unit, too.
    auto blocked = renew_calendar_blocks(db_, {&left, 1});
    if (nights_of_stay(after_) != nights_of_stay(before_.booking)) record_booking_outcomes(db_, {&after_, 1});
    if (!blocked.empty())
      append(db_, {change_kind::unit, {scope_.account_id}, std::move(blocked), {}, shown_resources{}});
    change changed{change_kind::calendar, {scope_.account_id}, {}, {after_.id}};
    auto changes = request_.describe(&before_, record);
    std::vector<unit_entry> moved;
    if (left != after_.unit_id) {
      db_.internals().write(keep_sold_unit, {{"id", after_.id}, {"unit", left}});
      changed.units = {left, after_.unit_id};
      moved = entries_of_move(changes, record, keeps_owner);
    }
    const auto point = record_booking(db_, scope_, std::move(changed), std::move(changes), record, author_,
                                      std::move(moved));
    return booking_outcome_of(office_result::changed, std::move(record), point);
  }

  bool have_same_owner(const domain::uuid& first, const domain::uuid& second) const {
    return db_.internals().read_one(have_one_owner, {{"first", first}, {"second", second}}).value();
  }

  /// Returns the entries for the unit that the booking leaves and for the one that it reaches. If these
  /// belong to two owners, each entry has only what its owner sees of the booking.
  std::vector<unit_entry> entries_of_move(const std::vector<domain::field_change>& changes,
                                          const booking_record& after, bool keeps_owner) const {
    const auto &left = before_.booking.unit_id, &reached = after_.unit_id;
    if (keeps_owner) return {{left, after_.id, changes, request_.entry_id}, {reached, after_.id, changes}};
    auto former = request_.describe(nullptr, before_);
    for (auto& each : former) std::swap(each.before, each.after);
    return {{left, after_.id, std::move(former), request_.entry_id},
            {reached, after_.id, request_.describe(nullptr, after)}};
  }

  session& db_;
  const office_scope& scope_;
  const booking_change& request_;
  const office_author& author_;
  booking_record before_;
  domain::booking after_;
};

} // namespace

booking_outcome create_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_creation& request, const office_author& author) {
  return with_retries([&] { return booking_creator(db, scope, request, author).run(held); });
}

booking_outcome change_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_change& request, const office_author& author) {
  return with_retries([&] {
    office_transaction txn(db, held);
    auto done = change_in_transaction(db, scope, request, author);
    if (done.result == office_result::changed) txn.commit();
    return done;
  });
}

booking_outcome change_in_transaction(session& db, const office_scope& scope, const booking_change& request,
                                      const office_author& author) {
  return booking_changer(db, scope, request, author).run();
}

booking_outcome cancel_booking(session& db, const lease& held, const office_scope& scope,
                               const booking_cancellation& request, const office_author& author) {
  return with_retries([&] { return cancel_once(db, held, scope, request, author); });
}

} // namespace roost::store
