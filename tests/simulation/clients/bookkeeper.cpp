#include "simulation/clients/bookkeeper.hpp"

#include "service/support/json_text.hpp"
#include "service/support/manual_bookings.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/clients/tenant_keeper.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

std::int64_t cents_in(const std::string& document, const std::string& pointer) {
  return std::llround(std::stod(json_at(document, pointer)) * 100);
}

std::string amount_of(std::int64_t cents) {
  const auto rest = std::to_string(cents % 100);
  return std::to_string(cents / 100) + (rest.size() == 1 ? ".0" : ".") + rest;
}

/// An erasure removes the note.
bool is_shown(std::int64_t cents, const std::string& note, std::int64_t shown_cents,
              const std::string& shown_note) {
  return cents == shown_cents && (note == shown_note || shown_note.empty());
}

} // namespace

bookkeeper::bookkeeper(history& in, std::string name, std::shared_ptr<known_user> user,
                       std::string listing_token, unsigned units)
    : office_client(in, std::move(name), std::move(user), std::move(listing_token), units) {
  act_every(2s);
}

void bookkeeper::forget() {
  office_client::forget();
  payments_.clear();
}

client_task<> bookkeeper::act_once() {
  const auto choice = random_index(100);
  if (choice < 50)
    co_await record();
  else if (choice < 65)
    co_await undo();
  else if (choice < 75)
    co_await record_too_much();
  else if (const auto id = any_certain(); !id.empty())
    co_await read_back(id);
}

std::string bookkeeper::any_certain() {
  std::vector<std::string> all;
  for (const auto& [id, known] : payments_)
    if (known.is_certain) all.push_back(id);
  return all.empty() ? std::string{} : all[random_index(all.size())];
}

bookkeeper::shown_payment bookkeeper::parse(const std::string& item) {
  shown_payment shown{json_text_at(item, "/id"), json_text_at(item, "/booking"), json_text_at(item, "/etag"),
                      cents_in(item, "/amount"), std::nullopt};
  std::erase(shown.tag, '\\');
  if (json_at(item, "/received") != "null")
    shown.received = receipt{cents_in(item, "/received/amount"), json_text_at(item, "/received/note")};
  return shown;
}

/// Reads payments of a unit, compares them with what is certain, and chooses one.
client_task<std::optional<bookkeeper::shown_payment>> bookkeeper::choose(bool is_received) {
  const auto before = payments_;
  const auto response =
      co_await ask_office("for payments", "GET", "/api/payments?limit=40&unit=" + unit_id(random_unit()));
  if (response.status != 200) co_return std::nullopt;
  std::vector<shown_payment> all;
  for (const auto& [id, item] : items_in(response.body)) {
    auto shown = parse(item);
    const auto known = before.find(id);
    if (known != before.end() && known->second.version == payments_[id].version)
      check(known->second, id, shown);
    if (shown.received.has_value() == is_received && !tenant_keeper::owns(shown.booking) &&
        !unsettled_.contains(id))
      all.push_back(std::move(shown));
  }
  if (all.empty()) co_return std::nullopt;
  co_return all[random_index(all.size())];
}

/// Reads the payments of a booking; nullopt if there is no response, or not this payment.
client_task<std::optional<bookkeeper::shown_payment>> bookkeeper::find(std::string id, std::string booking) {
  const auto before = payments_[id];
  const auto response =
      co_await ask_office("for the payment " + id, "GET", "/api/payments?limit=200&booking=" + booking);
  if (response.status != 200) co_return std::nullopt;
  std::optional<shown_payment> found;
  for (const auto& [each, item] : items_in(response.body)) {
    if (each != id) continue;
    if (found) fail("a list has the payment " + id + " twice");
    found = parse(item);
  }
  if (before.version == payments_[id].version) check(before, id, found);
  if (!found) found = shown_payment{id, booking, {}, 0, std::nullopt}; // not in the plan any more
  co_return found;
}

void bookkeeper::check(const known_payment& known, const std::string& id,
                       const std::optional<shown_payment>& shown) {
  if (!known.is_certain) return;
  const auto received = shown ? shown->received : std::nullopt;
  if (!received && known.received) fail("the receipt of the payment " + id + " is lost");
  if (received && !known.received) fail("the payment " + id + " has a receipt that was undone");
  if (received && !is_shown(known.received->cents, known.received->note, received->cents, received->note))
    fail("the payment " + id + " has another receipt: " + received->note);
}

client_task<> bookkeeper::record() {
  const auto payment = co_await choose(chance(20));
  if (!payment || !session_ || payment->cents == 0) co_return;
  receipt wanted{payment->cents, "Transfer " + std::to_string(++notes_)};
  if (chance(50))
    wanted.cents = 1 + static_cast<std::int64_t>(random_index(static_cast<std::size_t>(payment->cents)));
  std::optional<receipt> received = std::move(wanted);
  co_await write(*payment, std::move(received));
  if (session_ && chance(50)) co_await read_back(payment->id);
}

client_task<> bookkeeper::undo() {
  const auto payment = co_await choose(true);
  if (!payment || !session_) co_return;
  co_await write(*payment, std::nullopt);
  if (session_ && chance(50)) co_await read_back(payment->id);
}

/// The condition excludes that the payment has another amount by now.
client_task<> bookkeeper::record_too_much() {
  const auto payment = co_await choose(false);
  if (!payment || !session_) co_return;
  std::optional<receipt> wanted = receipt{payment->cents + 1, "Too much"};
  const auto response = co_await ask_write(*payment, wanted);
  if (response.status == 200) fail("more than a payment was received: " + response.body);
}

client_task<simulated_response> bookkeeper::ask_write(const shown_payment& payment,
                                                      const std::optional<receipt>& wanted) {
  const auto path = "/api/payments/" + payment.id + "/received";
  if (!wanted) return ask_office("to undo the receipt of " + payment.id, "DELETE", path, {}, payment.tag);
  // The day is in the past on every clock.
  const auto day = std::chrono::floor<domain::days>(std::chrono::system_clock::now()) - domain::days{400};
  auto body = R"({"date":")" + domain::to_string(day) + R"(","note":")" + wanted->note + '"';
  if (wanted->cents != payment.cents || chance(50)) body += R"(,"amount":)" + amount_of(wanted->cents);
  return ask_office("to receive " + amount_of(wanted->cents) + " of " + payment.id, "PUT", path, body + '}',
                    payment.tag);
}

/// Retries a request in doubt. Its condition makes that safe, unless one may still be performed after a
/// later request has restored the state that it requires: then nothing is certain about the payment.
client_task<> bookkeeper::write(shown_payment payment, std::optional<receipt> wanted) {
  written_.insert(payment.id);
  const auto before = payments_[payment.id];
  auto& known = payments_[payment.id]; // elements of maps stay where they are
  known = {payment.booking, std::nullopt, false, before.version + 1};
  bool is_doubted = false, may_follow = false;
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    const auto sent_at = now();
    const auto response = co_await ask_write(payment, wanted);
    may_follow |= was_abandoned(response, sent_at);
    if (is_doubtful(response)) {
      is_doubted = true;
      continue;
    }
    if (is_signed_out(response) || may_follow) break;
    if (response.status == 200 || response.status == 204) {
      known = {payment.booking, wanted, true, known.version + 1};
      if (response.status == 200) check(known, payment.id, parse(response.body));
      co_return;
    }
    if (response.status != 412 && response.status != 404)
      fail("got an unexpected response to a receipt: " + response.body);
    if (is_doubted) co_return co_await learn_outcome(payment, wanted);
    if (response.status == 404 && before.is_certain && before.received)
      fail("the receipt of the payment " + payment.id + " is lost");
    known = {payment.booking, before.received, before.is_certain, known.version + 1};
    co_return;
  }
  if (may_follow) unsettled_.insert(payment.id);
}

bool bookkeeper::shows(const shown_payment& shown, const std::optional<receipt>& other) {
  if (!shown.received || !other) return shown.received.has_value() == other.has_value();
  return is_shown(other->cents, other->note, shown.received->cents, shown.received->note);
}

/// Reads a payment after an attempt without a response.
client_task<> bookkeeper::learn_outcome(shown_payment payment, std::optional<receipt> wanted) {
  const auto shown = co_await find(payment.id, payment.booking);
  if (!shown) co_return;
  if (!shows(*shown, wanted) && !shows(*shown, payment.received))
    fail("the payment " + payment.id + " has a receipt that was not requested");
  auto& known = payments_[payment.id];
  known = {payment.booking, shown->received, true, known.version + 1};
}

client_task<> bookkeeper::read_back(std::string id) {
  const auto booking = payments_[id].booking;
  co_await find(std::move(id), booking);
}

client_task<> bookkeeper::verify() {
  constexpr unsigned max_reads = 10;
  for (unsigned i = 0; i < max_reads && session_; ++i)
    if (const auto id = any_certain(); !id.empty()) co_await read_back(id);
}

std::vector<std::string> bookkeeper::differences(store::session& db) const {
  struct stored_receipt {
    domain::uuid id{}, booking{};
    std::int64_t cents = 0, owed = 0;
    std::string note, address;
  };
  static const store::selection all{
      "test_receipts",
      "select {columns} from received_payments r join bookings k on k.id = r.booking_id"
      " join tenants t on t.account_id = k.account_id and t.id = k.tenant_id",
      store::columns(store::column("r.id", &stored_receipt::id),
                     store::column("r.booking_id", &stored_receipt::booking),
                     store::column("r.received_cents", &stored_receipt::cents),
                     store::column("r.owed_cents", &stored_receipt::owed),
                     store::column("r.note", &stored_receipt::note),
                     store::column("t.email", &stored_receipt::address))};
  std::vector<std::string> errors;
  const auto report = [&](const std::string& id, const std::string& problem) {
    errors.push_back(name() + ": the payment " + id + ' ' + problem);
  };
  std::map<std::string, stored_receipt> stored;
  for (auto& each : db.internals().read_all(all)) stored.emplace(domain::to_string(each.id), std::move(each));
  for (const auto& [id, row] : stored) {
    if (row.cents > row.owed) report(id, "was received with more than its amount");
    if (!written_.contains(id) && !tenant_keeper::owns(domain::to_string(row.booking)))
      report(id, "was received without a request");
  }
  for (const auto& [id, known] : payments_) {
    if (!known.is_certain) continue;
    const auto row = stored.find(id);
    if ((row != stored.end()) != known.received.has_value())
      report(id, known.received ? "has lost its receipt" : "has a receipt that was undone");
    else if (known.received && (row->second.cents != known.received->cents ||
                                (row->second.note != known.received->note &&
                                 !(row->second.note.empty() && row->second.address.empty()))))
      report(id, "has another receipt in the store: " + row->second.note);
  }
  return errors;
}

} // namespace roost::testing
