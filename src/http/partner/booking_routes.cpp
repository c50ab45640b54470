#include "actors/runtime/ask.hpp"
#include "domain/unit.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_api.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/tenant_body.hpp"
#include "http/protocol/entity_tags.hpp"

#include <algorithm>
#include <iterator>

namespace roost::http {

namespace {

using domain::booking_request;
namespace kind = http::kind;

/// The unit's ID; values that the column cannot hold are column problems.
struct unit_reference {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .min_length = 1, .max_length = domain::max_external_id_length};
  }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    auto id = body.text(key, expected);
    if (!id) return id;
    if (id->empty()) body.refuse(std::string{key} + " must be a string");
    if (has_nul(*id)) body.refuse_format(key, "must not hold NUL characters");
    if (length_of(*id) > domain::max_external_id_length)
      body.refuse_length(key, domain::max_external_id_length);
    return id;
  }
};

/// A UUID of the platform; it may be missing.
struct own_uuid {
  constexpr json::facts schema_facts() const {
    return {.type = "string", .format = "uuid", .required = false};
  }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    if (!body.has(key)) return std::nullopt;
    const auto id = body.text_if(key);
    if (id && domain::is_rfc_uuid(*id)) return domain::normalized_reference(*id);
    body.refuse(std::string{key} + " must be a UUID");
    return std::nullopt;
  }
};

/// The body of a submission; `further` are fields that only some of them have.
template <typename Submission, typename... Fields>
constexpr auto submission_object(std::string_view name, Fields... further) {
  return json::object<Submission>(
             name,
             field("checkInDate", kind::day{}, &booking_request::check_in,
                   "Check-in day, YYYY-MM-DD: the first night"),
             field("checkOutDate", kind::day{}, &booking_request::check_out,
                   "Check-out day, YYYY-MM-DD, after checkInDate; that is checked in the background"),
             field("externalId", unit_reference{}, &booking_request::external_id,
                   "Your ID of the unit; on a single-landlord prefix the unit's UUID works, too"),
             field(
                 "bookingId", own_uuid{}, &booking_request::reference,
                 "Your ID of the reservation, in any letter case. Send it: it makes submissions idempotent, "
                 "because a repeat is dropped"),
             field(
                 "numberOfExtraTenants", kind::count{0},
                 [](booking_request& to, std::optional<int> sent) {
                   to.occupants = std::max(1, sent.value_or(1));
                 },
                 "Despite its name, the number of all occupants, the lead tenant included. 0, 1 or missing: "
                 "one person",
                 json::optional),
             field("platformProviderPaymentValue", kind::amount{}, &booking_request::provider_payment,
                   "What you collected and pay to the landlord, in the currency of the landlord's account, "
                   "stored with two decimals. Without a value above 0 the booking is refused in the "
                   "background: the response is 201 all the same, and you are not notified. Only marketplace "
                   "D and the booking engine may leave it out: it is then the rent of the month of check-in "
                   "with markup, plus the extra charge of each further occupant. If marketplace D sends "
                   "exactly that rent for several occupants, the extra charge is added",
                   json::optional),
             field("otaCommissionValue", kind::amount{}, &booking_request::ota_commission,
                   "Your commission in the same currency, kept for reference. It changes no payment",
                   json::optional),
             object_field("tenant", tenant_body, &booking_request::tenant,
                          object_refusal{"must be a non-empty object", true},
                          "The lead tenant. Other members are ignored"),
             further...)
      .closed()
      .example(R"({"checkInDate":"2027-02-01","checkOutDate":"2027-05-01","externalId":"771",
"bookingId":"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a","numberOfExtraTenants":1,"platformProviderPaymentValue":683,
"otaCommissionValue":35,"tenant":{"firstName":"Ada","lastName":"Marsh","email":"ada@guests.example",
"fiscalId":"X1234567L","phone":"+34 600 000 000","nationality":"GB"}})");
}

constexpr auto submission_body = submission_object<booking_request>("BookingSubmission");

/// The body of a PUT by a platform that may hold nights.
struct holding_submission : booking_request {
  std::optional<std::string> hold_id;
};
constexpr auto holding_submission_body = submission_object<holding_submission>(
    "HoldingBookingSubmission",
    field(
        "holdId", own_uuid{}, &holding_submission::hold_id,
        "Your hold of the unit: the booking takes over its nights, and it does not expire any more. Without "
        "such a hold, also if it has ended, this is an ordinary booking. It does not count when a repeat "
        "is compared with the first submission"));

struct queued_request {
  domain::uuid id{};
  domain::timestamp at{};
};

constexpr auto only_request = [](const queued_request& request, auto yield) { yield(request); };

constexpr auto queued_id = json::object<queued_request>(
    "", json::member("id", &queued_request::id,
                     "The queued request. It is not a booking's ID, and no route looks it up"));

constexpr auto queued_id_and_time = json::object<queued_request>(
    "", json::member("id", &queued_request::id, "The same ID as in identifiers"),
    json::member("createdAt", &queued_request::at, "When the request was queued, in UTC"));

constexpr auto receipt =
    json::object<queued_request>(
        "BookingReceipt",
        json::list("identifiers", only_request, queued_id, "One item: the request that was queued"),
        json::list("generatedMaps", only_request, queued_id_and_time, "The same request, with its time"),
        json::list("raw", only_request, queued_id_and_time, "The same as generatedMaps"))
        .example(R"({"identifiers":[{"id":"0193a0a0-0000-7000-8000-000000000001"}],
"generatedMaps":[{"id":"0193a0a0-0000-7000-8000-000000000001","createdAt":"2026-11-20T09:30:00.000Z"}],
"raw":[{"id":"0193a0a0-0000-7000-8000-000000000001","createdAt":"2026-11-20T09:30:00.000Z"}]})");

/// Checks the unit before the request is queued, on single-landlord prefixes only; on shared prefixes an
/// unknown ID fails in the background.
asio::awaitable<void> require_exported_unit(const platform_api& api, const std::string& external_id) {
  const auto missing = [&] {
    const auto* kind_of_id = domain::parse_uuid(external_id) ? "listingId" : "externalId";
    return not_found("Listing not found for " + api.platform.name + " with " + kind_of_id + " " +
                     external_id);
  };
  const auto directory = api.directory();
  const auto* unit = directory->find_on(api.index, external_id);
  if (!unit) throw missing();
  const auto state = co_await actors::ask(unit->calendar, actors::read_publication{api.index});
  if (state.publication == listings::publication::no_usable_rent) throw not_found("Listing not available");
  if (state.publication != listings::publication::published) throw missing();
}

/// Without a response of the actor, the request may be stored: the partner retries with the same bookingId.
asio::awaitable<response> submit(const platform_api& api, request& req) {
  auto booking = parse_booking_submission(req.body);
  const queued_request queued{api.services.new_id(), api.services.now()};
  booking.id = queued.id;
  booking.platform = api.platform.name;
  booking.received_at = queued.at;
  if (api.traits().is_single_landlord) co_await require_exported_unit(api, booking.external_id);
  auto digest = api.services.digest_of(booking);
  actors::submit_booking message{{std::move(booking), std::move(digest)}, actors::response_deadline()};
  co_await actors::ask(api.services.intake, std::move(message));
  co_return json(201, json::text_of(receipt, queued));
}

response put_response(const platform_api& api, const store::put_receipt& stored,
                      const std::string& reference) {
  using enum store::put_receipt::kind;
  if (stored.result == locked) throw busy();
  if (stored.result == different)
    throw conflict("A different booking was already submitted with this bookingId");
  auto result =
      json(stored.result == created ? 201 : 200, json::text_of(receipt, {stored.id, stored.received_at}));
  if (stored.result == created)
    result.fields.emplace_back("Location",
                               api.services.base_url + '/' + api.platform.prefix + "/bookings/" + reference);
  return result;
}

/// Returns why the listing does not allow a first submission: 404 or 412.
asio::awaitable<std::optional<error>> refusal_by_listing(const platform_api& api, const if_match& condition,
                                                         const std::string& external_id) {
  try {
    if (api.traits().is_single_landlord) co_await require_exported_unit(api, external_id);
    if (condition.is_present) co_await require_unchanged(api, condition, external_id);
  } catch (const error& refused) {
    if (refused.status != 404 && refused.status != 412) throw;
    co_return refused;
  }
  co_return std::nullopt;
}

/// Sets `hold_id` if the platform may hold nights and the body has one. Throws bad_request.
booking_request parse_put(const platform_api& api, std::string& body, std::optional<std::string>& hold_id) {
  if (!api.platform.has(domain::platform_right::hold)) return parse_booking_submission(body);
  auto sent = read_body(body, holding_submission_body);
  hold_id = std::move(sent.hold_id);
  return std::move(static_cast<booking_request&>(sent));
}

/// Without a response of the actor, the request may be stored: the partner repeats it.
asio::awaitable<response> put_submission(const platform_api& api, request& req) {
  std::optional<std::string> hold_id;
  auto booking = parse_put(api, req.body, hold_id);
  const auto reference = require_reference(booking, req.parameters.front());
  booking.reference = reference;
  booking.id = api.services.new_id();
  booking.platform = api.platform.name;
  booking.received_at = api.services.now();
  auto digest = api.services.digest_of(booking);
  store::submission sent{std::move(booking), std::move(digest)};
  const auto condition = if_match_of(req);
  const auto refused = co_await refusal_by_listing(api, condition, sent.request.external_id);
  sent.may_be_first = !refused; // a repeat stays valid
  sent.hold_id = std::move(hold_id);
  actors::put_booking message{std::move(sent), actors::response_deadline()};
  const auto stored = co_await actors::ask(api.services.intake, std::move(message));
  if (stored.result == store::put_receipt::kind::absent) throw error(*refused);
  co_return put_response(api, stored, reference);
}

operation submission_operation(std::vector<documented_response> refusals) {
  operation submission{
      .id = "submitBooking",
      .summary = "Requests a booking, which is decided in the background",
      .body_schema = "BookingSubmission",
      .responses = {{201, "The request is on disk", "BookingReceipt"},
                    refusal(400, bad_field, "externalId must be a string, tenant must be a non-empty object"),
                    body_too_large,
                    body_not_json}};
  std::ranges::move(refusals, std::back_inserter(submission.responses));
  return submission;
}

const operation& submission_operation_of(const domain::platform_traits& traits) {
  static const auto unchecked_unit = submission_operation({});
  static const auto checked_unit = submission_operation({unknown_id, unpriced_unit});
  return traits.is_single_landlord ? checked_unit : unchecked_unit;
}

operation put_operation(std::vector<documented_response> refusals, std::string_view body_schema) {
  operation put{
      .id = "putBooking",
      .summary = "Requests a booking; a repeat returns the same receipt",
      .tag = certainty_tag,
      .body_schema = body_schema,
      .responses = {{201, "The request is on disk", "BookingReceipt"},
                    {200, "The same booking was submitted before", "BookingReceipt"},
                    refusal(400, "A field is invalid, or bookingId is not a UUID or not that of the path",
                            "externalId must be a string, tenant must be a non-empty object"),
                    refusal(409, "The bookingId was submitted with another body, or its guest was erased",
                            "A different booking was already submitted with this bookingId"),
                    refusal(412, "If-Match does not name the current ETag of the listing",
                            "The listing has changed since it was read"),
                    body_too_large,
                    body_not_json},
      .headers = {{"If-Match",
                   "The ETag of the listing that you have read: if it has changed, nothing is stored",
                   false}}};
  std::ranges::move(refusals, std::back_inserter(put.responses));
  return put;
}

template <bool MayHold>
const operation& put_operation_of(const domain::platform_traits& traits) {
  constexpr std::string_view body = MayHold ? "HoldingBookingSubmission" : "BookingSubmission";
  static const auto unchecked_unit = put_operation({}, body);
  static const auto checked_unit = put_operation({unknown_id, unpriced_unit}, body);
  return traits.is_single_landlord ? checked_unit : unchecked_unit;
}

} // namespace

asio::awaitable<void> require_unchanged(const platform_api& api, const if_match& condition,
                                        const std::string& external_id) {
  auto outdated = precondition_failed("The listing has changed since it was read");
  const auto directory = api.directory();
  const auto* unit = directory->find_on(api.index, external_id);
  if (!unit) throw error(outdated);
  actors::read_listing message{api.index};
  const auto listing = co_await ask_calendar<actors::listing_response>(*unit, std::move(message));
  if (!listing || listing->publication != listings::publication::published) throw error(outdated);
  outdated.current_tag = entity_tag_of(listing->digest);
  if (!condition.matches(outdated.current_tag)) throw error(outdated);
}

std::string require_reference(const domain::booking_request& sent, std::string_view in_path) {
  if (!domain::is_rfc_uuid(in_path)) throw bad_request("bookingId must be a UUID");
  auto reference = domain::normalized_reference(in_path);
  if (sent.reference && *sent.reference != reference) throw bad_request("bookingId must be that of the path");
  return reference;
}

domain::booking_request parse_booking_submission(std::string& body) {
  return read_body(body, submission_body);
}

void add_booking_schemas(json::schemas& to) {
  to.add(submission_body);
  to.add(holding_submission_body);
  to.add(receipt);
}

std::vector<route> booking_routes(const platform_api& api) {
  const auto& put = api.platform.has(domain::platform_right::hold) ? put_operation_of<true>(api.traits())
                                                                   : put_operation_of<false>(api.traits());
  return {
      {"POST", "/bookings", body_policy::json, api.checks(), with(api, submit),
       &submission_operation_of(api.traits())},
      {"PUT", "/bookings/{bookingId}", body_policy::json, api.checks(), with(api, put_submission), &put},
  };
}

} // namespace roost::http
