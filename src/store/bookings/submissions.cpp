#include "store/bookings/submissions.hpp"

#include "store/bookings/booking_rows.hpp"
#include "store/bookings/claimed_holds.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <string_view>

namespace roost::store {

namespace {

struct put_row {
  submission sent;
  bool is_put = true;
};
constexpr auto put_columns =
    columns(nested(&put_row::sent, submission_columns), column("is_put", &put_row::is_put));
const auto put_table = table_of<put_columns>("booking_requests");

const selection first_submission{"first_submission",
                                 "select {columns} from booking_requests where reference = :reference"
                                 " and platform = :platform order by is_put desc, seq limit 1",
                                 put_columns};
/// Skips a row that is locked: its decision may take long, and other submissions must not wait for it.
constexpr query mark_as_put{"mark_as_put",
                            "update booking_requests set is_put = :is_put where id in"
                            " (select id from booking_requests where id = :id {for update skip locked})"};

/// Returns the id of the key that a digest begins with.
std::string_view key_of_digest(std::string_view digest) { return digest.substr(0, digest.find(':')); }

bool is_equal(const submission& first, const submission& sent) {
  if (first.digest && sent.digest && key_of_digest(*first.digest) == key_of_digest(*sent.digest))
    return *first.digest == *sent.digest;
  const bool is_erased = first.request.tenant.email.empty();
  return !is_erased && canonical_text(first.request) == canonical_text(sent.request);
}

std::optional<put_row> find_first(session& db, const domain::booking_request& request) {
  return db.internals().read_one(first_submission,
                                 {{"platform", request.platform}, {"reference", request.reference.value()}});
}

put_receipt receipt_of(const put_row& first, const submission& sent) {
  using enum put_receipt::kind;
  const auto& request = first.sent.request;
  if (request.id == sent.request.id) return {created, request.id, request.received_at};
  return {is_equal(first.sent, sent) ? repeated : different, request.id, request.received_at};
}

put_receipt put(session& db, const submission& sent) {
  const auto first = find_first(db, sent.request);
  if (!first && !sent.may_be_first) return {put_receipt::kind::absent};
  if (!first) {
    insert_row(db, put_table, {sent});
    if (sent.hold_id) claim_hold(db, sent.request, *sent.hold_id);
    return {put_receipt::kind::created, sent.request.id, sent.request.received_at};
  }
  auto receipt = receipt_of(*first, sent);
  if (!first->is_put && db.internals().write(mark_as_put, {{"id", receipt.id}, {"is_put", true}}) == 0)
    receipt.result = put_receipt::kind::locked;
  return receipt;
}

} // namespace

std::vector<put_receipt> put_submissions(session& db, const lease& held,
                                         std::span<const submission> submissions) {
  write_transaction txn(db, held);
  std::vector<put_receipt> receipts;
  receipts.reserve(submissions.size());
  for (const auto& each : submissions) receipts.push_back(put(db, each));
  txn.commit();
  return receipts;
}

} // namespace roost::store
