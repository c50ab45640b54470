#include "store/stays/payments.hpp"

#include "store/columns/json_columns.hpp"
#include "store/database/connection.hpp"
#include "store/office/bookings.hpp"
#include "store/office/office_resource.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace roost::store {

namespace {

/// How many plans are in memory at a time: a plan has some kilobytes.
constexpr std::size_t bookings_per_read = 500;

/// A booking with its plan.
struct planned_booking {
  office_payment common; ///< the members that all payments of the booking share
  domain::booking_status status{};
  std::shared_ptr<const domain::booking_terms> terms;
};

const std::string from_bookings = " from units u join properties p on p.id = u.property_id"
                                  " join bookings k on k.account_id = u.account_id and k.unit_id = u.id"
                                  " where u.account_id = :account"
                                  " and (:owner = '' or cast(p.owner_id as text) = :owner)";

/// By way of the units, whose indexes both databases have.
const selection ids_of_bookings{"ids_of_bookings",
                                "select {columns}" + from_bookings +
                                    " and (:unit = '' or cast(u.id as text) = :unit)"
                                    " and (:booking = '' or cast(k.id as text) = :booking)"
                                    " and (:platform = '' or k.platform = :platform)",
                                named<domain::uuid>("k.id")};
const selection ids_in_range{"ids_of_bookings_in_range",
                             "select {columns} from bookings k join units u on u.id = k.unit_id"
                             " join properties p on p.id = u.property_id where k.account_id = :account"
                             " and (:owner = '' or cast(p.owner_id as text) = :owner)"
                             " and k.id >= :first and k.id <= :last",
                             named<domain::uuid>("k.id")};
const selection planned_bookings{
    "planned_bookings",
    "select {columns} from bookings k join units u on u.id = k.unit_id"
    " join tenants t on t.account_id = k.account_id and t.id = k.tenant_id where k.id in {ids uuid}",
    columns(column("k.id", &planned_booking::common, &office_payment::booking_id),
            column("k.unit_id", &planned_booking::common, &office_payment::unit_id),
            column("u.internal_name", &planned_booking::common, &office_payment::unit_name),
            column("k.platform", &planned_booking::common, &office_payment::platform),
            column("t.first_name", &planned_booking::common, &office_payment::first_name),
            column("t.last_name", &planned_booking::common, &office_payment::last_name),
            column("k.status", &planned_booking::status), column("k.terms", &planned_booking::terms))};

/// What was received of a line, and the line as it was then.
struct receipt_row {
  domain::uuid id{}, booking_id{};
  domain::payment_kind kind{};
  domain::payment_party payer{};
  std::optional<domain::date> period_first, period_last;
  domain::date due{};
  domain::money owed;
  payment_receipt receipt;
};
const selection receipts_of_bookings{
    "receipts_of_bookings", "select {columns} from received_payments where booking_id in {ids uuid}",
    columns(column("id", &receipt_row::id), column("booking_id", &receipt_row::booking_id),
            column("kind", &receipt_row::kind), column("payer", &receipt_row::payer),
            column("period_first", &receipt_row::period_first),
            column("period_last", &receipt_row::period_last), column("due", &receipt_row::due),
            column("owed_cents", &receipt_row::owed),
            column("received_on", &receipt_row::receipt, &payment_receipt::date),
            column("received_cents", &receipt_row::receipt, &payment_receipt::amount),
            column("note", &receipt_row::receipt, &payment_receipt::note),
            column("received_by", &receipt_row::receipt, &payment_receipt::by),
            column("recorded_at", &receipt_row::receipt, &payment_receipt::at))};

constexpr query write_receipt{
    "write_receipt",
    "insert into received_payments (id, account_id, booking_id, kind, payer, period_first, period_last, due,"
    " owed_cents, received_on, received_cents, note, received_by, recorded_at)"
    " values (:id, :account, :booking, :kind, :payer, :first, :last, :due, :owed, :date, :received, :note,"
    " :by, :at) on conflict (id) do update set payer = excluded.payer,"
    " period_first = excluded.period_first, period_last = excluded.period_last,"
    " due = excluded.due, owed_cents = excluded.owed_cents, received_on = excluded.received_on,"
    " received_cents = excluded.received_cents, note = excluded.note, received_by = excluded.received_by,"
    " recorded_at = excluded.recorded_at"};
constexpr query erase_receipt{"erase_receipt", "delete from received_payments where id = :id"};

/// Skips a row that is locked already: see locked_elsewhere.
const selection locked_booking{"booking_of_payment",
                               "select {columns} from bookings where id = :id"
                               " {for no key update skip locked}",
                               named<domain::uuid>("id")};
parameters payment_scope(const office_scope& scope) {
  return {{"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}};
}

std::optional<domain::date> start_of(const std::optional<domain::nights>& period) {
  return period ? std::optional{period->first} : std::nullopt;
}

/// A payment without its id and what all payments of the booking share: most payments are only compared.
office_payment payment_of(const planned_booking& booking, const domain::payment_line& line) {
  office_payment payment;
  payment.booking_id = booking.common.booking_id;
  payment.kind = line.kind;
  payment.payer = line.payer;
  payment.period = line.period;
  payment.due = line.due;
  payment.amount = line.amount;
  payment.is_planned = true;
  return payment;
}

office_payment payment_of(const planned_booking& booking, const receipt_row& row) {
  office_payment payment;
  payment.booking_id = booking.common.booking_id;
  payment.kind = row.kind;
  payment.payer = row.payer;
  if (row.period_first) payment.period = {*row.period_first, row.period_last.value()};
  payment.due = row.due;
  payment.amount = row.owed;
  payment.received = row.receipt;
  return payment;
}

domain::uuid id_of(const office_payment& payment) {
  return domain::payment_id(payment.booking_id, payment.kind, start_of(payment.period));
}

std::vector<receipt_row>::iterator receipt_of(std::vector<receipt_row>& receipts,
                                              const office_payment& payment) {
  return std::ranges::find(receipts, id_of(payment), &receipt_row::id);
}

void complete(office_payment& payment, const planned_booking& booking) {
  payment.id = id_of(payment);
  payment.unit_id = booking.common.unit_id;
  payment.unit_name = booking.common.unit_name;
  payment.platform = booking.common.platform;
  payment.first_name = booking.common.first_name;
  payment.last_name = booking.common.last_name;
}

/// Calls `visit(payment, booking)` with each payment of a booking, which is not complete().
template <typename Visit>
void for_each_payment(const planned_booking& booking, std::vector<receipt_row> receipts, Visit& visit) {
  if (booking.status != domain::booking_status::cancelled)
    for (const auto& line : booking.terms->plan) {
      if (line.payee != domain::payment_party::landlord) continue;
      auto payment = payment_of(booking, line);
      const auto receipt = receipts.empty() ? receipts.end() : receipt_of(receipts, payment);
      if (receipt != receipts.end()) {
        payment.received = receipt->receipt;
        receipts.erase(receipt);
      }
      visit(std::move(payment), booking);
    }
  for (const auto& row : receipts) visit(payment_of(booking, row), booking);
}

/// Calls `visit(payment, booking)` with each payment of these bookings, which is not complete().
template <typename Visit>
void read_payments(session& db, std::span<const domain::uuid> bookings, Visit visit) {
  auto& connection = db.internals();
  for (std::size_t start = 0; start < bookings.size(); start += bookings_per_read) {
    const auto part = bookings.subspan(start, std::min(bookings_per_read, bookings.size() - start));
    const parameters values{{"ids", connection.list(part)}};
    by_id<std::vector<receipt_row>> receipts;
    connection.read(receipts_of_bookings, values,
                    [&](receipt_row&& row) { receipts[row.booking_id].push_back(std::move(row)); });
    connection.read(planned_bookings, values, [&](planned_booking&& booking) {
      for_each_payment(booking, std::move(receipts[booking.common.booking_id]), visit);
    });
  }
}

bool matches(const office_payment& payment, const payment_filter& filter, domain::date today) {
  return (!filter.due_from || payment.due >= *filter.due_from) &&
         (!filter.due_to || payment.due <= *filter.due_to) &&
         (!filter.state || state_of(payment, today) == *filter.state);
}

bool is_before(const office_payment& a, const office_payment& b) { return place_of(a) < place_of(b); }

/// The first payments after a place, of those that are added in any order.
class first_payments {
public:
  first_payments(const std::optional<payment_place>& after, std::size_t max) : after_(after), max_(max) {}

  void add(office_payment payment, const planned_booking& booking) {
    const auto place = place_of(payment);
    if (after_ && !(*after_ < place)) return;
    if (heap_.size() == max_) {
      if (!(place < place_of(heap_.front()))) return;
      std::pop_heap(heap_.begin(), heap_.end(), is_before);
      heap_.pop_back();
    }
    complete(payment, booking);
    heap_.push_back(std::move(payment));
    std::push_heap(heap_.begin(), heap_.end(), is_before);
  }

  std::vector<office_payment> take() && {
    std::sort_heap(heap_.begin(), heap_.end(), is_before);
    return std::move(heap_);
  }

private:
  const std::optional<payment_place> after_;
  const std::size_t max_;
  std::vector<office_payment> heap_; ///< the last one is at its front
};

std::optional<office_payment> find_payment(session& db, const office_scope& scope, const domain::uuid& id) {
  const auto range = domain::bookings_of_payment(id);
  auto values = payment_scope(scope);
  values.emplace_back("first", range.first);
  values.emplace_back("last", range.last);
  const auto bookings = db.internals().read_all(ids_in_range, values);
  std::optional<office_payment> found;
  read_payments(db, bookings, [&](office_payment&& each, const planned_booking& booking) {
    complete(each, booking);
    if (each.id == id) found = std::move(each);
  });
  return found;
}

/// What was received of a payment as a kind of resource (office_resource.hpp): it is only changed.
struct payment_resource {
  using resource = office_payment;

  static domain::uuid id_of(const office_payment& payment) { return payment.id; }

  /// Locks the booking, whose plan may be calculated again.
  static bool lock(session& db, const office_scope& scope, const domain::uuid& id) {
    const auto found = find_payment(db, scope, id);
    if (!found) return false;
    if (db.internals().read_one(locked_booking, {{"id", found->booking_id}}))
      return find_payment(db, scope, id).has_value();
    throw locked_elsewhere("the booking is being changed");
  }

  /// Without what was received, a payment that the plan does not have exists no longer.
  static office_payment read(session& db, const office_scope& scope, const domain::uuid& id) {
    auto found = find_payment(db, scope, id);
    if (found) return *std::move(found);
    office_payment removed;
    removed.id = id;
    return removed;
  }

  /// Another plan may have made the amount less than what was received: that remains possible.
  static std::optional<office_refusal> refusal_of(session&, const office_scope&, const office_payment* before,
                                                  const office_payment& after) {
    if (!after.received || after.received->amount <= after.amount) return std::nullopt;
    if (before->received && after.received->amount <= before->received->amount) return std::nullopt;
    return office_refusal{office_result::refused,
                          "amount must not be more than " + domain::to_string(after.amount)};
  }

  static office_trace update(session& db, const office_scope& scope, const office_payment&,
                             office_payment& after, const office_author&) {
    if (!after.received)
      db.internals().write(erase_receipt, {{"id", after.id}});
    else
      write(db, scope, after, *after.received);
    return {{change_kind::payment, {scope.account_id}, {after.unit_id}, {after.id, after.booking_id}}};
  }

  /// The plan may have changed with the booking since something was received. The beginning and the end of
  /// the stay change no payment.
  static last_change last_change_of(session& db, const office_scope& scope, const office_payment& payment) {
    last_change last{payment.platform.value_or(changed_by_import), {}};
    if (const auto booking = find_booking(db, payment.booking_id)) {
      last.at = booking->cancelled_at.value_or(booking->booking.created_at);
      if (booking->cancelled_by == domain::cancelled_by::landlord)
        last = last_change_of_booking(db, scope, *booking);
    }
    for (const auto& subject : {payment.booking_id, payment.id})
      if (const auto entry = newest_audit_of(db, domain::to_string(subject), scope.account_id);
          entry && entry->made_at >= last.at)
        last = {author_of(*entry), entry->made_at};
    return last;
  }

private:
  static void write(session& db, const office_scope& scope, const office_payment& payment,
                    const payment_receipt& receipt) {
    const auto& period = payment.period;
    db.internals().write(write_receipt, {{"id", payment.id},
                                         {"account", scope.account_id},
                                         {"booking", payment.booking_id},
                                         {"kind", domain::to_string(payment.kind)},
                                         {"payer", domain::to_string(payment.payer)},
                                         {"first", start_of(period)},
                                         {"last", period ? std::optional{period->last} : std::nullopt},
                                         {"due", payment.due},
                                         {"owed", payment.amount},
                                         {"date", receipt.date},
                                         {"received", receipt.amount},
                                         {"note", receipt.note},
                                         {"by", receipt.by},
                                         {"at", receipt.at}});
  }
};

} // namespace

payment_state state_of(const office_payment& payment, domain::date today) {
  const bool is_complete = payment.received && payment.received->amount >= payment.amount;
  if (is_complete || !payment.is_planned) return payment_state::received;
  return payment.due < today ? payment_state::late : payment_state::due;
}

payment_place place_of(const office_payment& payment) {
  return {payment.due, payment.booking_id, payment.kind, start_of(payment.period).value_or(domain::date{})};
}

namespace {

/// Returns the bookings whose payments the filter may allow.
std::vector<domain::uuid> bookings_of(session& db, const office_scope& scope, const payment_filter& filter) {
  auto values = payment_scope(scope);
  values.emplace_back("unit", text_or_empty(filter.unit_id));
  values.emplace_back("booking", text_or_empty(filter.booking_id));
  values.emplace_back("platform", filter.platform.value_or(""));
  return db.internals().read_all(ids_of_bookings, values);
}

template <typename T>
void sort_without_repeats(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace

office_page<office_payment> list_payments(session& db, const office_scope& scope,
                                          const payment_filter& filter, domain::date today,
                                          const std::optional<payment_place>& after, std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  first_payments first(after, limit + 1);
  std::int64_t total = 0;
  read_payments(db, bookings_of(db, scope, filter),
                [&](office_payment&& each, const planned_booking& booking) {
                  if (!matches(each, filter, today)) return;
                  ++total;
                  first.add(std::move(each), booking);
                });
  return page_of(std::move(first).take(), limit, total);
}

std::vector<due_booking> places_of_payments(session& db, const office_scope& scope,
                                            const payment_filter& filter, domain::date today) {
  const transaction txn(db, transaction::purpose::read);
  std::vector<due_booking> places;
  read_payments(db, bookings_of(db, scope, filter), [&](office_payment&& each, const planned_booking&) {
    if (matches(each, filter, today)) places.push_back({each.due, each.booking_id});
  });
  sort_without_repeats(places);
  return places;
}

std::vector<office_payment> payments_at(session& db, const payment_filter& filter, domain::date today,
                                        std::span<const due_booking> places) {
  const transaction txn(db, transaction::purpose::read);
  std::vector<domain::uuid> bookings;
  bookings.reserve(places.size());
  for (const auto& each : places) bookings.push_back(each.booking_id);
  sort_without_repeats(bookings);
  std::vector<office_payment> payments;
  read_payments(db, bookings, [&](office_payment&& each, const planned_booking& booking) {
    if (!matches(each, filter, today)) return;
    if (!std::binary_search(places.begin(), places.end(), due_booking{each.due, each.booking_id})) return;
    complete(each, booking);
    payments.push_back(std::move(each));
  });
  std::sort(payments.begin(), payments.end(), is_before);
  return payments;
}

office_outcome<office_payment> change_payment(session& db, const lease& held, const office_scope& scope,
                                              const office_change<office_payment>& request,
                                              const office_author& author) {
  return office_resource<payment_resource>::change(db, held, scope, request, author);
}

} // namespace roost::store
