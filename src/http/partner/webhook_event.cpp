#include "http/partner/webhook_event.hpp"

#include "domain/lower_case.hpp"
#include "http/json/object_reader.hpp"
#include "http/partner/webhook_values.hpp"
#include "http/protocol/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace roost::http {

namespace {

using action = webhook_event::action;
using enum presence;

constexpr std::size_t longest_reference = 256;

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// A real calendar date; nothing else counts as one.
std::optional<domain::date> date_of(const std::optional<std::string>& text) {
  return text ? domain::parse_date(*text) : std::nullopt;
}

// marketplace A

constexpr std::array<std::string_view, 3> paid_events{"booking-paid", "booking-paid-success",
                                                      "payment-confirmed"};
constexpr std::array<std::string_view, 3> cancel_events{"booking-cancelled", "booking-canceled",
                                                        "booking-rejected"};

/// The fields of marketplace A, read in the order of their table.
struct marketplace_a_fields {
  explicit marketplace_a_fields(object_reader& body) {
    event = body.text("event", optional);
    api_reference = unless_blank(body.identifier("offer_api_reference", optional));
    offer_id = unless_blank(body.identifier("offer_id", optional));
    booking = unless_blank(body.identifier("booking_id", optional));
    const auto alias = unless_blank(body.identifier("booking_Id", optional));
    if (!booking) booking = alias;
    move_in = body.text("move_in_date", optional);
    move_out = body.text("move_out_date", optional);
    price = body.number("contract_price_amount", optional);
    total = body.number("booking_total", optional);
    name = unless_blank(body.text("guest_name", optional));
    read_guest(body);
    const auto address = unless_blank(body.text("guest_email", optional));
    if (address) email = address;
    guests = body.number("guests_number", optional);
    for (const auto* unused : {"booking_date", "rejection_reason", "contract_price_currency"})
      body.text(unused, optional);
    body.number("admin_fee_amount", optional);
    body.text("admin_fee_currency", optional);
    body.identifier("accommodation_provider_id", optional);
  }

  std::optional<std::string> event, api_reference, offer_id, booking, move_in, move_out, name, email;
  std::optional<double> price, total, guests;

private:
  /// What the flat fields say comes first.
  void read_guest(object_reader& body) {
    const bool good =
        body.object("guest", {"name", "email"}, unknown_keys::refused, [&](object_reader& guest) {
          const auto given_name = unless_blank(guest.text("name", optional));
          if (!name) name = given_name;
          email = unless_blank(guest.text("email", optional));
        });
    if (!good) body.refuse("guest must be an object");
  }
};

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
  if (*guests != static_cast<int>(*guests)) throw bad_request("A value has an invalid format.");
  return static_cast<int>(*guests);
}

/// The first word, and the rest.
std::pair<std::optional<std::string>, std::optional<std::string>>
split_name(const std::optional<std::string>& name) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  if (!name) return {};
  const std::string_view all = *name;
  const auto begin = all.find_first_not_of(blanks); // it is not blank
  const auto end = std::min(all.find_first_of(blanks, begin), all.size());
  const auto rest = all.find_first_not_of(blanks, end);
  if (rest == std::string_view::npos) return {std::string{all.substr(begin, end - begin)}, std::nullopt};
  return {std::string{all.substr(begin, end - begin)},
          std::string{all.substr(rest, all.find_last_not_of(blanks) + 1 - rest)}};
}

void read_paid(const marketplace_a_fields& fields, domain::booking_request& booking) {
  const auto check_in = date_of(fields.move_in), check_out = date_of(fields.move_out);
  if (!check_in || !check_out) throw bad_request("Invalid move_in_date or move_out_date");
  booking.check_in = *check_in;
  booking.check_out = *check_out;
  if (const auto price = fields.price ? fields.price : fields.total)
    booking.provider_payment = cents_of(*price);
  booking.occupants = occupants_of(fields.guests);
  auto [first, last] = split_name(fields.name);
  booking.tenant =
      webhook_tenant(std::move(first), std::move(last), fields.email, std::nullopt, *booking.reference);
}

// marketplace B

/// The fields of marketplace B that mean something, in the order of their table.
struct marketplace_b_fields {
  explicit marketplace_b_fields(object_reader& body) {
    type = body.text("notification_type", required).value_or("");
    listing = unless_blank(body.text("listing_external_reference", optional));
    booking = unless_blank(body.text("booking_uuid", optional));
    start = without_time(body.text("booking_start_date", optional));
    end = without_time(body.text("booking_end_date", optional));
    price = body.text("booking_price", optional);
    first_name = body.text("tenant_first_name", optional);
    last_name = body.text("tenant_last_name", optional);
    email = body.text("tenant_email", optional);
    phone = body.text("tenant_phone", optional);
  }

  std::string type;
  std::optional<std::string> listing, booking, start, end, price, first_name, last_name, email, phone;

private:
  static std::optional<std::string> without_time(std::optional<std::string> text) {
    if (text) text->resize(std::min(text->find(' '), text->size()));
    return text;
  }
};

constexpr std::array<std::string_view, 10> named_by_b{"notification_type", "listing_external_reference",
                                                      "booking_uuid",      "booking_start_date",
                                                      "booking_end_date",  "booking_price",
                                                      "tenant_first_name", "tenant_last_name",
                                                      "tenant_email",      "tenant_phone"};
constexpr std::array<std::string_view, 24> unused_by_b{
    "booking_id",
    "booking_total",
    "booking_fee",
    "booking_deposit",
    "booking_currency",
    "booking_tenants_count",
    "booking_advertiser_uuid",
    "booking_external_reference",
    "listing_uuid",
    "listing_alias",
    "listing_price",
    "listing_currency",
    "listing_address",
    "listing_house_number",
    "listing_zip",
    "listing_city",
    "listing_neighborhood",
    "listing_country_code",
    "listing_lat",
    "listing_lng",
    "tenant_birth_date",
    "tenant_gender_code",
    "tenant_nationality",
    "tenant_iso_country_code",
};

std::vector<std::string_view> known_to_b() {
  std::vector<std::string_view> known(named_by_b.begin(), named_by_b.end());
  known.insert(known.end(), unused_by_b.begin(), unused_by_b.end());
  return known;
}

action notified_action(std::string_view type) {
  const auto spelled = domain::lower_case(type);
  if (spelled == "booking_paid") return action::book;
  if (spelled == "booking_cancelled" || spelled == "booking_canceled") return action::cancel;
  throw bad_request("Unsupported notification type");
}

/// A string that holds a number of cents; nothing for any other.
std::optional<domain::money> price_of(const std::optional<std::string>& text) {
  double number = 0;
  if (!text) return std::nullopt;
  const auto* const end = text->data() + text->size();
  const auto [stopped, wrong] = std::from_chars(text->data(), end, number);
  if (wrong == std::errc::result_out_of_range) throw bad_request("A numeric value is out of range.");
  if (wrong != std::errc{} || stopped != end) return std::nullopt;
  return cents_of(number);
}

void read_paid(const marketplace_b_fields& fields, domain::booking_request& booking) {
  const auto check_in = date_of(fields.start), check_out = date_of(fields.end);
  if (!check_in || !check_out) throw bad_request("Invalid booking_start_date or booking_end_date");
  booking.check_in = *check_in;
  booking.check_out = *check_out;
  booking.provider_payment = price_of(fields.price);
  booking.tenant =
      webhook_tenant(fields.first_name, fields.last_name, fields.email, fields.phone, *booking.reference);
}

} // namespace

webhook_event parse_marketplace_a_event(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed,
                     {"event", "offer_api_reference", "offer_id", "booking_id", "booking_Id", "move_in_date",
                      "move_out_date", "contract_price_amount", "booking_total", "guest_name", "guest",
                      "guest_email", "guests_number", "booking_date", "rejection_reason",
                      "contract_price_currency", "admin_fee_amount", "admin_fee_currency",
                      "accommodation_provider_id"}};
  const marketplace_a_fields fields{body};
  parsed.throw_if_refused();
  const auto name = unless_blank(fields.event);
  if (!name) throw bad_request(missing_event);
  webhook_event event;
  event.name = *name;
  event.wanted = action_of(event.name);
  if (event.wanted == action::none) return event;
  event.linked_only = !fields.api_reference;
  const auto& listing = fields.api_reference ? fields.api_reference : fields.offer_id;
  if (!listing || !fields.booking)
    throw bad_request("offer_api_reference (or offer_id) and booking_id are required");
  event.listing_reference = stored_text(*listing, longest_reference);
  event.booking.reference = domain::normalized_reference(stored_text(*fields.booking, longest_reference));
  if (event.wanted == action::book) read_paid(fields, event.booking);
  return event;
}

webhook_event parse_marketplace_b_event(std::string& text) {
  json_body parsed{text};
  object_reader body{parsed, known_to_b()};
  const marketplace_b_fields fields{body};
  for (const auto unused : unused_by_b) body.text(unused, optional);
  parsed.throw_if_refused();
  webhook_event event;
  event.name = fields.type;
  event.wanted = notified_action(event.name);
  if (!fields.listing || !fields.booking)
    throw bad_request("listing_external_reference and booking_uuid are required");
  event.listing_reference = stored_text(*fields.listing, longest_reference);
  event.booking.reference = domain::normalized_reference(stored_text(*fields.booking, longest_reference));
  if (event.wanted == action::book) read_paid(fields, event.booking);
  return event;
}

} // namespace roost::http
