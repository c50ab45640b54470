#include "domain/text.hpp"
#include "http/json/body.hpp"
#include "http/partner/partner_bodies.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace roost::http {

namespace {

using action = webhook_event::action;

constexpr std::size_t max_reference_length = 256;

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Returns the text; nullopt if it is missing or blank.
std::optional<std::string> unless_blank(std::optional<std::string> text) {
  if (text && text->find_first_not_of(" \t\r\n\f\v") == std::string::npos) return std::nullopt;
  return text;
}

/// Returns the text. Throws bad_request if it contains NUL or has more than `max_length` characters.
std::string stored_text(std::string text, std::size_t max_length) {
  if (has_nul(text)) throw invalid_value();
  if (length_of(text) > max_length) throw bad_request("A value is too long for its field.");
  return text;
}

/// Returns at most the first `max_length` characters of UTF-8 text.
std::string cut(std::string_view text, std::size_t max_length) {
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && characters++ == max_length) break;
  return std::string{text.substr(0, end)};
}

/// Returns an amount of cents, rounded; nullopt unless it is above 0. Throws bad_request at the amount limit.
std::optional<domain::money> cents_of(double number) {
  if (!(number > 0)) return std::nullopt;
  const auto cents = std::round(number);
  if (cents >= static_cast<double>(domain::amount_limit.cents))
    throw bad_request("A numeric value is out of range.");
  return domain::money{static_cast<std::int64_t>(cents)};
}

/// Returns a tenant with shortened names and placeholders of missing values (Partner API, Inbound webhooks).
domain::tenant_details webhook_tenant(std::optional<std::string> first_name,
                                      std::optional<std::string> last_name, std::optional<std::string> email,
                                      std::optional<std::string> phone, std::string_view reference) {
  constexpr auto name = [](std::optional<std::string> sent, std::string_view placeholder) {
    auto text = unless_blank(std::move(sent)).value_or(std::string{placeholder});
    return stored_text(cut(text, domain::max_tenant_text_length), domain::max_tenant_text_length);
  };
  domain::tenant_details tenant;
  tenant.first_name = name(std::move(first_name), "Guest");
  tenant.last_name = name(std::move(last_name), "Tenant");
  email = unless_blank(std::move(email));
  tenant.email = email ? stored_text(std::move(*email), domain::max_tenant_text_length)
                       : "guest-" + std::string{reference} + "@placeholder.invalid";
  if (phone = unless_blank(std::move(phone)); phone)
    tenant.phone = stored_text(std::move(*phone), domain::max_tenant_phone_length);
  return tenant;
}

/// Reads the dates. Throws bad_request with `message` if one is missing or not a calendar date.
void read_dates(domain::booking_request& booking, const std::optional<std::string>& from,
                const std::optional<std::string>& to, const char* message) {
  const auto date_of = [&](const std::optional<std::string>& text) {
    const auto date = text ? domain::parse_date(*text) : std::nullopt;
    if (!date) throw bad_request(message);
    return *date;
  };
  booking.check_in = date_of(from);
  booking.check_out = date_of(to);
}

// marketplace A

constexpr std::array<std::string_view, 3> paid_events{"booking-paid", "booking-paid-success",
                                                      "payment-confirmed"};
constexpr std::array<std::string_view, 3> cancel_events{"booking-cancelled", "booking-canceled",
                                                        "booking-rejected"};

/// An event of marketplace A. The flat names come first, then those of `guest`.
struct a_fields {
  std::optional<std::string> event, api_reference, offer_id, booking, move_in, move_out, name, email;
  std::optional<double> price, total, guests;
};

/// The event's name; its absence has its own error text.
struct event_name {
  constexpr json::facts schema_facts() const { return {.type = "string", .min_length = 1}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence) const {
    return body.text(key, presence::optional);
  }
};

/// A reference; a blank one counts as missing.
struct reference {
  constexpr json::facts schema_facts() const { return kind::identifier{}.schema_facts(); }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    return unless_blank(body.identifier(key, expected));
  }
};

/// A text; a blank one counts as missing.
struct filled_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    return unless_blank(body.text(key, expected));
  }
};

/// A field that may be missing or null.
template <std::size_t Size, typename Kind, typename To>
constexpr auto maybe(const char (&name)[Size], Kind kind, To to, std::string_view meaning) {
  return field(name, kind, to, meaning, json::optional, json::nullable);
}

constexpr std::string_view not_used = "Accepted, not used";

struct guest_fields {
  std::optional<std::string> name, email;
};

constexpr auto guest_body =
    json::object<guest_fields>("", maybe("name", filled_text{}, &guest_fields::name, "As guest_name"),
                               maybe("email", filled_text{}, &guest_fields::email, "As guest_email"))
        .closed();

constexpr auto a_body =
    json::object<a_fields>(
        "MarketplaceAEvent",
        field("event", event_name{}, &a_fields::event,
              "What happened, with hyphens or underscores and in any letter case. booking-paid, "
              "booking-paid-success and payment-confirmed book; booking-cancelled, booking-canceled and "
              "booking-rejected cancel; others are acknowledged without action"),
        maybe("offer_api_reference", reference{}, &a_fields::api_reference,
              "The reference_id of the full feed. It or offer_id is required"),
        maybe("offer_id", reference{}, &a_fields::offer_id,
              "Used when offer_api_reference is missing; found only if the landlord linked the unit with "
              "this number"),
        maybe("booking_id", reference{}, &a_fields::booking,
              "Your ID of the reservation, by which a cancel or a repeat finds it. Required under this name "
              "or the next"),
        maybe(
            "booking_Id", reference{},
            [](a_fields& to, std::optional<std::string> sent) {
              if (!to.booking) to.booking = std::move(sent);
            },
            "Another spelling of booking_id, used when that is missing"),
        maybe("move_in_date", kind::text{}, &a_fields::move_in,
              "Check-in, YYYY-MM-DD. A paid event needs it"),
        maybe("move_out_date", kind::text{}, &a_fields::move_out,
              "Check-out, YYYY-MM-DD. A paid event needs it"),
        maybe("contract_price_amount", kind::number{}, &a_fields::price,
              "What you collected and pay to the landlord, in cents of the currency of the landlord's "
              "account; booking_total is used if it is missing. Without a value above 0 the booking is "
              "refused in the background"),
        maybe("booking_total", kind::number{}, &a_fields::total,
              "Cents of the same currency; used when contract_price_amount is missing"),
        maybe("guest_name", filled_text{}, &a_fields::name,
              "The first word is the first name, the rest the last name; a missing part becomes Guest or "
              "Tenant"),
        object_field(
            "guest", guest_body,
            [](a_fields& to, std::optional<guest_fields> sent) {
              if (!sent) return;
              if (!to.name) to.name = std::move(sent->name);
              to.email = std::move(sent->email);
            },
            object_refusal{"must be an object"},
            "Name and address in another form; guest_name and guest_email take precedence", json::optional,
            json::nullable),
        maybe("guest_email", filled_text{}, &a_fields::email,
              "In any letter case it finds a tenant whom the landlord already has; missing: a placeholder "
              "that the landlord has to replace"),
        maybe("guests_number", kind::number{}, &a_fields::guests,
              "All guests, a whole number; those after the first are extra occupants"),
        maybe("booking_date", kind::text{}, ignored, not_used),
        maybe("rejection_reason", kind::text{}, ignored, not_used),
        maybe("contract_price_currency", kind::text{}, ignored,
              "Accepted, not used: amounts are in the currency of the landlord's account"),
        maybe("admin_fee_amount", kind::number{}, ignored, not_used),
        maybe("admin_fee_currency", kind::text{}, ignored, not_used),
        maybe("accommodation_provider_id", kind::identifier{}, ignored,
              "Accepted, not used: the account follows from the listing"))
        .closed()
        .example(R"({"event":"booking-paid","offer_api_reference":"771","booking_id":90210,
"move_in_date":"2027-02-01","move_out_date":"2027-05-01","contract_price_amount":68300,
"guest":{"name":"Ada Marsh","email":"ada@guests.example"},"guests_number":1})");

action action_of(std::string_view event) {
  auto spelled = domain::lower_case(event);
  std::ranges::replace(spelled, '_', '-');
  if (is_among(paid_events, spelled)) return action::book;
  return is_among(cancel_events, spelled) ? action::cancel : action::none;
}

int occupants_of(std::optional<double> guests) {
  if (!guests || *guests <= 1) return 1;
  if (*guests > std::numeric_limits<std::int32_t>::max())
    throw bad_request("A numeric value is out of range.");
  if (*guests != static_cast<int>(*guests)) throw invalid_value();
  return static_cast<int>(*guests);
}

/// Splits a name into the first word and the rest.
std::pair<std::optional<std::string>, std::optional<std::string>>
split_name(const std::optional<std::string>& name) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  if (!name) return {};
  const std::string_view all = *name;
  const auto begin = all.find_first_not_of(blanks); // the name is not blank
  const auto end = std::min(all.find_first_of(blanks, begin), all.size());
  const auto rest = all.find_first_not_of(blanks, end);
  if (rest == std::string_view::npos) return {std::string{all.substr(begin, end - begin)}, std::nullopt};
  return {std::string{all.substr(begin, end - begin)},
          std::string{all.substr(rest, all.find_last_not_of(blanks) + 1 - rest)}};
}

void read_paid(const a_fields& fields, domain::booking_request& booking) {
  read_dates(booking, fields.move_in, fields.move_out, "Invalid move_in_date or move_out_date");
  if (const auto price = fields.price ? fields.price : fields.total)
    booking.provider_payment = cents_of(*price);
  booking.occupants = occupants_of(fields.guests);
  auto [first, last] = split_name(fields.name);
  booking.tenant =
      webhook_tenant(std::move(first), std::move(last), fields.email, std::nullopt, *booking.reference);
}

// marketplace B

/// An event of marketplace B: the fields that are used.
struct b_fields {
  std::string type;
  std::optional<std::string> listing, booking, start, end, price, first_name, last_name, email, phone;
};

/// A date; a time after a space is ignored.
struct text_before_space {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
  std::optional<std::string> read(object_reader& body, std::string_view key, presence expected) const {
    auto text = body.text(key, expected);
    if (text) text->resize(std::min(text->find(' '), text->size()));
    return text;
  }
};

template <std::size_t Size>
constexpr auto unused_text(const char (&name)[Size], std::string_view meaning = not_used) {
  return maybe(name, kind::text{}, ignored, meaning);
}

constexpr auto b_body =
    json::object<b_fields>(
        "MarketplaceBEvent",
        field("notification_type", kind::text{}, &b_fields::type,
              "What happened, in any letter case: booking_paid books; booking_cancelled or booking_canceled "
              "cancels; others are 400"),
        maybe("listing_external_reference", filled_text{}, &b_fields::listing,
              "The listingReference of the full feed. The unit has to be of the landlord in the path. "
              "Required"),
        maybe("booking_uuid", filled_text{}, &b_fields::booking,
              "Your ID of the reservation, by which a cancel or a repeat finds it. Required"),
        maybe("booking_start_date", text_before_space{}, &b_fields::start,
              "Check-in, YYYY-MM-DD; a time after a space is ignored. A paid event needs it"),
        maybe("booking_end_date", text_before_space{}, &b_fields::end,
              "Check-out, YYYY-MM-DD; a time after a space is ignored. A paid event needs it"),
        maybe(
            "booking_price", kind::text{}, &b_fields::price,
            "The first month's rent, which you pay to the landlord: cents of the currency of the landlord's "
            "account, as text. Without a value above 0 the booking is refused in the background"),
        maybe("tenant_first_name", kind::text{}, &b_fields::first_name,
              "Cut to 128 characters; missing: Guest"),
        maybe("tenant_last_name", kind::text{}, &b_fields::last_name,
              "Cut to 128 characters; missing: Tenant"),
        maybe("tenant_email", kind::text{}, &b_fields::email,
              "In any letter case it finds a tenant whom the landlord already has; missing: a placeholder "
              "that the landlord has to replace"),
        maybe("tenant_phone", kind::text{}, &b_fields::phone, "At most 64 characters; kept for a new tenant"),
        unused_text("booking_id", "Accepted, not used: booking_uuid identifies the reservation"),
        unused_text("booking_total", "Accepted, not used: booking_price is used"), unused_text("booking_fee"),
        unused_text("booking_deposit"),
        unused_text("booking_currency",
                    "Accepted, not used: booking_price is in the currency of the landlord's account"),
        unused_text("booking_tenants_count", "Accepted, not used: the booking is for one tenant"),
        unused_text("booking_advertiser_uuid"), unused_text("booking_external_reference"),
        unused_text("listing_uuid", "Accepted, not used: listing_external_reference identifies the unit"),
        unused_text("listing_alias"), unused_text("listing_price"), unused_text("listing_currency"),
        unused_text("listing_address"), unused_text("listing_house_number"), unused_text("listing_zip"),
        unused_text("listing_city"), unused_text("listing_neighborhood"), unused_text("listing_country_code"),
        unused_text("listing_lat"), unused_text("listing_lng"), unused_text("tenant_birth_date"),
        unused_text("tenant_gender_code"), unused_text("tenant_nationality"),
        unused_text("tenant_iso_country_code"))
        .closed()
        .example(R"({"notification_type":"booking_paid","listing_external_reference":"MB-40213",
"booking_uuid":"2c9f4b6e-31d7-4a58-9e0b-6f1d8a7c5e42","booking_start_date":"2027-02-01",
"booking_end_date":"2027-05-01","booking_price":"68300","tenant_first_name":"Ada","tenant_last_name":"Marsh",
"tenant_email":"ada@guests.example"})");

action notified_action(std::string_view type) {
  const auto spelled = domain::lower_case(type);
  if (spelled == "booking_paid") return action::book;
  if (spelled == "booking_cancelled" || spelled == "booking_canceled") return action::cancel;
  throw bad_request("Unsupported notification type");
}

/// Parses a number of cents; nullopt if the text is not a number.
std::optional<domain::money> price_of(const std::optional<std::string>& text) {
  double number = 0;
  if (!text) return std::nullopt;
  const auto* const end = text->data() + text->size();
  const auto [parsed_to, error] = std::from_chars(text->data(), end, number);
  if (error == std::errc::result_out_of_range) throw bad_request("A numeric value is out of range.");
  if (error != std::errc{} || parsed_to != end) return std::nullopt;
  return cents_of(number);
}

void read_paid(const b_fields& fields, domain::booking_request& booking) {
  read_dates(booking, fields.start, fields.end, "Invalid booking_start_date or booking_end_date");
  booking.provider_payment = price_of(fields.price);
  booking.tenant =
      webhook_tenant(fields.first_name, fields.last_name, fields.email, fields.phone, *booking.reference);
}

/// Reads the references and, of a paid event, the booking. Throws bad_request with `message` if a reference
/// is missing.
template <typename Fields>
void read_booking(webhook_event& event, const std::optional<std::string>& listing, const Fields& fields,
                  const char* message) {
  if (!listing || !fields.booking) throw bad_request(message);
  event.listing_reference = stored_text(*listing, max_reference_length);
  event.booking.reference = domain::normalized_reference(stored_text(*fields.booking, max_reference_length));
  if (event.requested == action::book) read_paid(fields, event.booking);
}

// The response

constexpr auto receipt_object =
    json::object<std::string_view>(
        "WebhookAnswer",
        json::member(
            "ok", [](std::string_view) { return true; }, "Always true: the event was delivered",
            json::constant{"true"}),
        json::member(
            "message", [](std::string_view message) { return message; },
            "Why nothing was done; missing when the booking was queued or cancelled",
            json::only_where{[](std::string_view message) { return !message.empty(); }}))
        .closed()
        .example(R"({"ok":true})")
        .example(R"({"ok":true,"message":"No active booking to cancel"})");

} // namespace

webhook_event parse_marketplace_a_event(std::string& text) {
  const auto fields = read_body(text, a_body);
  const auto name = unless_blank(fields.event);
  if (!name) throw bad_request(missing_event);
  webhook_event event;
  event.name = *name;
  event.requested = action_of(event.name);
  if (event.requested == action::none) return event;
  event.linked_only = !fields.api_reference;
  const auto& listing = fields.api_reference ? fields.api_reference : fields.offer_id;
  read_booking(event, listing, fields, "offer_api_reference (or offer_id) and booking_id are required");
  return event;
}

webhook_event parse_marketplace_b_event(std::string& text) {
  const auto fields = read_body(text, b_body);
  webhook_event event;
  event.name = fields.type;
  event.requested = notified_action(event.name);
  read_booking(event, fields.listing, fields, "listing_external_reference and booking_uuid are required");
  return event;
}

std::string webhook_receipt(std::string_view message) { return json::text_of(receipt_object, message); }

void add_webhook_schemas(json::schemas& to) {
  to.add(a_body);
  to.add(b_body);
  to.add(receipt_object);
}

} // namespace roost::http
