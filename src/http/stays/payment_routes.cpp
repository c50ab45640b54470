#include "http/access/access.hpp"
#include "http/office/keyed_table.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_objects.hpp"
#include "http/stays/stay_queries.hpp"
#include "http/stays/stays_api.hpp"
#include "portfolio/description.hpp"

#include <algorithm>
#include <span>

namespace roost::http {

namespace {

using portfolio::field, portfolio::optional, portfolio::reading, portfolio::record, portfolio::via;
using store::office_payment, store::payment_receipt;
namespace kind = portfolio::kind;

/// The rows of a table are read in larger parts than pages: each part reads the whole plans of its bookings.
constexpr std::size_t places_per_read = 5'000;
constexpr std::size_t max_note_length = 2'000;

/// A payment as the caller may see it today.
struct shown_payment {
  office_payment stored;
  std::optional<std::string> tenant_name; ///< nullopt: the caller may not see tenants
  store::payment_state state{};
  domain::money outstanding;
};

constexpr auto nights_of_payment_object =
    record<domain::nights>(field("from", kind::day, &domain::nights::first, "The first night"),
                           field("to", kind::day, &domain::nights::last, "The last one"));

constexpr auto receipt_object = record<payment_receipt>(
    field("date", kind::day, &payment_receipt::date, "When it was received"),
    field("amount", kind::amount, &payment_receipt::amount, "In the account's currency"),
    field("note", stored_text{}, &payment_receipt::note, "For the office"),
    field("by", stored_text{}, &payment_receipt::by, "The email address of the user who recorded it"),
    field("at", kind::moment, &payment_receipt::at, "When it was recorded, in UTC"));

template <auto Member>
constexpr auto in_payment = via(&shown_payment::stored, Member);

constexpr auto payment_object = record<shown_payment>(
    field("id", kind::id, in_payment<&office_payment::id>,
          "The payment's UUID. It follows from the booking, the kind and the period"),
    field("booking", kind::id, in_payment<&office_payment::booking_id>, "The booking's UUID"),
    field("unitId", kind::id, in_payment<&office_payment::unit_id>, "The booked unit"),
    field("unitName", stored_text{}, in_payment<&office_payment::unit_name>, "", untagged),
    field("platform", stored_text{}, in_payment<&office_payment::platform>,
          "Which platform booked; null: none", untagged),
    field("tenantName", stored_text{}, &shown_payment::tenant_name,
          "The lead tenant's; null: the role lacks tenants.view", untagged),
    field("kind", kind::choice{domain::payment_kind_names}, in_payment<&office_payment::kind>, ""),
    field("payer", kind::choice{domain::payment_party_names}, in_payment<&office_payment::payer>,
          "`tenant` or `platform`"),
    field("period", kind::object{nights_of_payment_object}, in_payment<&office_payment::period>,
          "The nights that a rent or a monthly fee is for; null: the whole stay"),
    field("due", kind::day, in_payment<&office_payment::due>, ""),
    field("amount", kind::amount, in_payment<&office_payment::amount>, "In the account's currency"),
    field("received", kind::object{receipt_object}, in_payment<&office_payment::received>, "null: nothing"),
    field("outstanding", kind::amount, &shown_payment::outstanding,
          "What is still to be paid; 0 if the plan does not have the payment any more", untagged),
    field("state", kind::choice{store::payment_state_names}, &shown_payment::state,
          "late: due before today, in UTC, and not received completely", untagged),
    field("planned", kind::flag, in_payment<&office_payment::is_planned>,
          "false: the booking was cancelled, or its plan does not have the payment any more"));

/// What depends on the caller and on the day.
struct payment_view {
  bool shows_tenants = false;
  domain::date today{};
};

payment_view view_of(const office_services& services, const request& req) {
  return {may_see_tenants(services, req), domain::day_of(services.management->now())};
}

shown_payment shown(office_payment stored, const payment_view& view) {
  shown_payment result{{}, {}, store::state_of(stored, view.today), {}};
  if (view.shows_tenants)
    result.tenant_name = stored.first_name + (stored.last_name ? ' ' + *stored.last_name : std::string{});
  if (stored.is_planned && result.state != store::payment_state::received)
    result.outstanding = stored.amount - (stored.received ? stored.received->amount : domain::money{});
  result.stored = std::move(stored);
  return result;
}

std::string tag_of_payment(const office_payment& stored) { return tag_of(payment_object, shown(stored, {})); }

std::string payment_place_after(const shown_payment& last) {
  const auto place = store::place_of(last.stored);
  return cursor_of({domain::to_string(place.due), domain::to_string(place.booking_id),
                    std::string(domain::to_string(place.kind)), domain::to_string(place.period_start)});
}

template <typename Value>
std::optional<Value> parse_name(std::string_view text) {
  const auto& names = names_of(Value{});
  const auto name = std::ranges::find(names, text);
  if (name == names.end()) return std::nullopt;
  return static_cast<Value>(name - names.begin());
}

std::optional<store::payment_place> read_payment_place(query_reader& query) {
  constexpr std::size_t texts_of_place = 4; // a due date, a booking, a kind and the start of a period
  const auto texts = read_cursor(query, texts_of_place);
  if (!texts) return std::nullopt;
  const auto due = domain::parse_date((*texts)[0]), start = domain::parse_date((*texts)[3]);
  const auto booking = domain::parse_uuid((*texts)[1]);
  const auto kind = parse_name<domain::payment_kind>((*texts)[2]);
  if (!due || !start || !booking || !kind) return refuse_cursor(query);
  return store::payment_place{*due, *booking, *kind, *start};
}

store::payment_filter read_payment_filter(query_reader& query) {
  constexpr std::string_view day_rule = " must be a real date written YYYY-MM-DD",
                             id_rule = " must be a UUID";
  store::payment_filter filter;
  const auto due = query.value("due", domain::parse_date, day_rule);
  filter.due_from = query.value("dueFrom", domain::parse_date, day_rule);
  filter.due_to = query.value("dueTo", domain::parse_date, day_rule);
  if (due && (filter.due_from || filter.due_to)) query.refuse("due excludes dueFrom and dueTo");
  if (due) filter.due_from = filter.due_to = due;
  filter.state =
      query.value("state", parse_name<store::payment_state>, " must be one of due, late, received");
  filter.booking_id = query.value("booking", parse_id, id_rule);
  filter.unit_id = query.value("unit", parse_id, id_rule);
  filter.platform = query.value("platform", parse_storable, storable_rule);
  return filter;
}

/// What a list of payments needs to know.
struct payment_query {
  store::office_scope scope;
  store::payment_filter filter;
  domain::date today{};
};

/// Reads a part of the payments.
asio::awaitable<std::optional<store::office_page<office_payment>>>
payment_page(actors::storage_lane lane, payment_query of, std::optional<store::payment_place> after,
             std::size_t limit) {
  return optional_page<office_payment>(std::move(lane), [=, of = std::move(of)](store::session& db) {
    return store::list_payments(db, of.scope, of.filter, of.today, after, limit);
  });
}

/// Returns the pages of the table of all payments.
page_reader<office_payment> payment_pages(actors::storage_lane lane, const payment_query& of) {
  keyed_table<office_payment, store::due_booking> payments{
      .storage = std::move(lane), .read_keys = {}, .read_rows = {}, .keys_per_read = places_per_read};
  payments.read_keys = [of](store::session& db) {
    return store::places_of_payments(db, of.scope, of.filter, of.today);
  };
  payments.read_rows = [of](store::session& db, std::span<const store::due_booking> places) {
    return store::payments_at(db, of.filter, of.today, places);
  };
  return pages_of(std::move(payments));
}

asio::awaitable<response> list_payments(const office_services& services, request& req) {
  query_reader query(req.query,
                     {"limit", "after", "due", "dueFrom", "dueTo", "state", "booking", "unit", "platform"});
  const auto limit = read_list_limit(query);
  const auto after = read_payment_place(query);
  const auto view = view_of(services, req);
  const payment_query wanted{scope_of(req), read_payment_filter(query), view.today};
  query.throw_if_refused();
  if (wants_csv(req)) {
    row_writer<office_payment> add = [view, rows = rows_of(payment_object, tag_column::yes)](
                                         csv_table& table, const office_payment* each) {
      if (each == nullptr) return rows(table, nullptr);
      const auto whole = shown(*each, view);
      rows(table, &whole);
    };
    auto pages = payment_pages(services.storage, wanted);
    auto table = co_await stream_table(std::move(pages), std::move(add), "payments");
    co_return std::move(table).value();
  }
  auto stored = co_await payment_page(services.storage, wanted, after, limit);
  store::office_page<shown_payment> page{{}, stored->has_more, stored->total};
  for (auto& each : stored->items) page.items.push_back(shown(std::move(each), view));
  co_return json(200, page_json(payment_object, page, payment_place_after));
}

/// What a client says was received.
struct receipt_body {
  domain::date date{};
  std::optional<domain::money> amount;
  std::string note;
};

constexpr portfolio::checked_by is_above_zero{
    [](reading<receipt_body>& at, const std::optional<domain::money>& amount) {
      return !amount || amount->cents > 0 || at.in.refuse("must be greater than 0");
    }};

constexpr auto receipt_body_object = record<receipt_body>(
    field("date", kind::day, &receipt_body::date, "When it was received"),
    field("amount", kind::amount, &receipt_body::amount,
          "All that was received of this payment so far; null or missing: the whole amount", is_above_zero,
          optional),
    field("note", kind::text{.max_length = max_note_length, .may_be_blank = true, .may_have_lines = true},
          &receipt_body::note, "For the office", optional));

/// Reads what was received. A day may begin up to a day earlier than in UTC.
receipt_body read_receipt(const office_services& services, const request& req) {
  receipt_body body;
  auto found = portfolio::read_body(req.body, receipt_body_object, body, services.configured);
  if (body.date > domain::day_of(services.management->now()) + domain::days{1})
    found.problems.push_back({"/date", "must not be in the future"});
  if (const auto messages = messages_of(found); !messages.empty()) throw bad_request(messages);
  return body;
}

/// Returns the condition of a write: If-Match names the payment's state, `If-None-Match: *` means that
/// nothing was received yet.
store::office_condition<office_payment> payment_condition(const request& req) {
  if (req.method == "PUT" && req.only("if-none-match") == "*")
    return [](const office_payment& stored) { return !stored.received; };
  auto sent = if_match_of(req);
  if (!sent.is_present) return {};
  return
      [sent = std::move(sent)](const office_payment& stored) { return sent.matches(tag_of_payment(stored)); };
}

domain::uuid payment_in_path(const request& req) {
  const auto id = id_in_path(req, 0);
  if (!id) throw not_found("There is no such payment");
  return *id;
}

using receipt_edit = std::function<void(office_payment&)>;

/// Changes what was received of a payment, and returns the payment.
asio::awaitable<office_payment> write_received(const office_services& services, request& req,
                                               receipt_edit edit) {
  const auto id = payment_in_path(req);
  store::office_change<office_payment> change{id, payment_condition(req), {}};
  change.apply = [edit = std::move(edit)](office_payment& stored) {
    const auto before = shown(stored, {});
    edit(stored);
    return store::office_edit{{}, changes_between(payment_object, &before, shown(stored, {}))};
  };
  std::function<store::office_outcome<office_payment>(store::session&, const store::lease&)> work =
      [scope = scope_of(req), change = std::move(change),
       author = author_of(services, req, store::payment_received, domain::to_string(id), {})](
          store::session& db, const store::lease& held) {
        return store::change_payment(db, held, scope, change, author);
      };
  auto lane = services.lane();
  auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  throw_refusal(req, payment_object, shown(done.resource, {}), {done.result, done.problem, done.last},
                "payment");
  co_return std::move(done.resource);
}

asio::awaitable<response> put_received(const office_services& services, request& req) {
  auto body = read_receipt(services, req);
  receipt_edit edit = [body = std::move(body), by = caller_of(req).user->email,
                       at = services.management->now()](office_payment& stored) {
    const auto amount = body.amount.value_or(stored.amount);
    const auto& known = stored.received;
    if (known && known->date == body.date && known->amount == amount && known->note == body.note) return;
    stored.received = payment_receipt{body.date, amount, body.note, by, at};
  };
  auto stored = write_received(services, req, std::move(edit));
  auto payment = co_await std::move(stored);
  const auto view = view_of(services, req);
  co_return respond_with(200, payment_object, shown(std::move(payment), view));
}

asio::awaitable<response> erase_received(const office_services& services, request& req) {
  receipt_edit edit = [](office_payment& stored) { stored.received.reset(); };
  auto stored = write_received(services, req, std::move(edit));
  co_await std::move(stored);
  co_return empty(204);
}

const documented_resource documented_payment{"Payment",      "payment",      "payments",
                                             "finance.view", "finance.edit", {}};

const operation payments_operation{
    .id = "listPayments",
    .summary =
        "Returns what tenants and platforms owe the landlord, by due date, and what was received of it",
    .responses = {{200, "A page of payments, or all of them as CSV", "PaymentPage"},
                  {403, "The role lacks finance.view", "Error"}},
    .queries = {limit_query,
                after_query,
                {"due", "Only payments due on this day", "ListDay"},
                {"dueFrom", "Only payments due on this day or later", "ListDay"},
                {"dueTo", "Only payments due on this day or earlier", "ListDay"},
                {"state", "Only payments in this state: due, late or received", "ListText"},
                {"booking", "Only payments of this booking", "ListId"},
                {"unit", "Only payments of stays in this unit", "ListId"},
                {"platform", "Only payments of this platform's bookings", "ListText"}}};

} // namespace

std::vector<route> payment_routes(const office_services& services) {
  static const auto put = with_creation(
      {.id = "putReceivedPayment",
       .summary =
           "Records what was received of a payment, as a whole; If-None-Match: * if nothing was before",
       .body_schema = "ReceivedPayment",
       .responses = change_responses(documented_payment)});
  static const operation erase{
      .id = "deleteReceivedPayment",
      .summary = "Records that nothing was received of a payment",
      .responses = {{204, "Nothing is received", ""},
                    {403, "The role lacks finance.edit", "Error"},
                    {404, "There is no such payment", "Error", false, {}, "There is no such payment"},
                    {428, "If-Match is missing", "Error"},
                    {412, "The payment has changed", "OutdatedState"}},
      .headers = {if_match_header}};
  constexpr auto all = "/api/payments", received = "/api/payments/{paymentId}/received";
  constexpr auto may_view = "finance.view", may_edit = "finance.edit";
  using enum body_policy;
  return routes_for(services, {{"GET", all, none, may_view, list_payments, &payments_operation},
                               {"PUT", received, body_policy::json, may_edit, put_received, &put},
                               {"DELETE", received, none, may_edit, erase_received, &erase}});
}

void add_payment_schemas(json::schemas& to) {
  add_list_schemas(to, json::schema_of(payment_object), "Payment");
  to.add("ReceivedPayment", json::schema_of(receipt_body_object));
}

} // namespace roost::http
