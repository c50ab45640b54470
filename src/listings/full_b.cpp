#include "domain/unit.hpp"
#include "listings/costs.hpp"
#include "listings/full_parts.hpp"

/// Marketplace B's full format: camelCase, amounts in cents, blocks that end on the first free day.
namespace roost::listings::full::marketplace_b {

namespace {

constexpr auto address_object = object<address>(
    "", member("street", &address::street, meaning::street),
    member("number", &address::number, meaning::number),
    member("floor", &address::floor, meaning::floor_of_address),
    member("postalCode", &address::postal_code, meaning::postal_code),
    member("city", &address::city, meaning::city), member("region", &address::region, meaning::region),
    member("neighborhood", &address::neighborhood, meaning::neighborhood),
    member("countryCode", &address::country_code, meaning::country),
    member("latitude", &address::latitude, meaning::latitude),
    member("longitude", &address::longitude, meaning::longitude));

struct month_price {
  unsigned month;
  std::optional<std::int64_t> cents;
};

/// Yields all twelve months, including those without a price.
constexpr auto monthly_prices_of = [](const full_view& of, auto yield) {
  constexpr unsigned months_a_year = 12;
  const auto* card = find_card(of.owner(), of.from.platform.name);
  const auto& rents = of.terms().rent.per_month;
  for (unsigned month = 1; month <= months_a_year; ++month) {
    const auto priced = std::ranges::find(rents, month, &month_rent::month);
    yield(
        {month, priced != rents.end() ? std::optional(with_markup(priced->rent, card).cents) : std::nullopt});
  }
};

constexpr auto monthly_price = object<month_price>(
    "", member("month", &month_price::month, "1 is January, 12 is December", minimum{1}, maximum{12}),
    member("price", &month_price::cents,
           "Cents of currencyCode for this month, with markup; null: no price"));

constexpr auto cost =
    object<cost_line>(
        "MarketplaceBCost",
        member(
            "value", [](const cost_line& line) { return line.value.cents; },
            "Cents of the currency of the listing's currencyCode"),
        member(
            "payableBy", [](const cost_line&) { return json::plain_text{costs_payable_by}; },
            "Who pays: always tenant"),
        member(
            "payableAt", [](const cost_line& line) { return json::plain_text{line.payable_at}; },
            "move-in: once; monthly: each month", one_of{costs_payable_at}),
        member("required", &cost_line::required, "Whether every tenant pays it; false for parking only"),
        member("refundable", &cost_line::refundable, "Whether it is paid back; true for the deposit only"),
        member("isEstimated", &cost_line::estimated,
               "Whether the amount can differ: bills, and a tiered fee, which shows its highest tier"))
        .example(
            R"({"value":65000,"payableBy":"tenant","payableAt":"move-in","required":true,"refundable":true,)"
            R"("isEstimated":false})");

/// Returns the line of a type, or nullptr.
const cost_line* line_of(const cost_lines& lines, std::string_view type) {
  const auto line = std::ranges::find(lines, type, &cost_line::type);
  return line != lines.end() ? &*line : nullptr;
}

/// Describes a cost line, which is omitted if nothing has to be paid.
template <std::size_t Size>
constexpr auto cost_member(const char (&type)[Size], std::string_view description) {
  const json::literal<Size> name{type};
  return part(
      type, [name](const cost_lines& lines) { return line_of(lines, name.view()); }, cost, description,
      only_where{[name](const cost_lines& lines) { return line_of(lines, name.view()) != nullptr; }});
}

/// Cost lines in the order of costs_of().
constexpr auto costs = object<cost_lines>(
    "", cost_member("security-deposit", "For one occupant; paid back"),
    cost_member("administration-fee", "One fee for the stay. A tiered fee shows its highest tier, estimated"),
    cost_member("cleaning-fee", "Cleaning of the property, a month"),
    cost_member("membership-fee", "Membership fee of the property, once"),
    cost_member("parking", "Parking at the property, a month; not required"),
    cost_member("other-additional-costs",
                "The property's bills a month if they are not in the rent; estimated"));

constexpr auto costs_of_view = [](const full_view& of) {
  const auto& house = of.house();
  return costs_of(of.terms(), {house.cleaning_fee, house.monthly_bills, house.membership_fee, house.parking});
};

constexpr auto blocked_period =
    object<taken_nights>("", member("startDate", &taken_nights::first, meaning::first_night),
                         member(
                             "endDate", [](const taken_nights& taken) { return *taken.last + days{1}; },
                             "First free day, YYYY-MM-DD, exclusive"));

constexpr auto all_images_of = [](const full_view& of, auto yield) {
  images_of(of.shown().images, yield);
  images_of(of.house().images, yield);
};

constexpr std::array<std::string_view, 2> pricing_types{"flat", "monthly"};

constexpr bool is_flat(const full_view& of) { return of.from.terms.rent.fixed; }

constexpr auto stay_of = [](const full_view& of) { return limits_by_window(of.terms(), of.today); };

constexpr auto listing =
    object<full_view>(
        "MarketplaceBFullListing",
        member(
            "listingReference", [](const full_view& of) { return of.from.external_id; },
            meaning::external_id),
        member("title", via(&full_view::shown, &unit_presentation::title), meaning::title, localized),
        member("description", &full_view::description, meaning::description, localized),
        part("address", via(&full_view::house, &property::address), address_object, meaning::address),
        member("type", via(&full_view::house, &property::type), meaning::property_type),
        member("kind", via(&full_view::terms, &unit::kind), meaning::kind),
        member(
            "pricingType",
            [](const full_view& of) { return json::plain_text{pricing_types[is_flat(of) ? 0 : 1]}; },
            "flat: flatPrice each month; monthly: each month has its own price in monthlyPrices",
            one_of{pricing_types}),
        member(
            "flatPrice", [](const full_view& of) { return of.headline().cents; },
            "Cents of currencyCode a month, with markup, rounded up to whole units of the currency. With "
            "pricingType flat only",
            only_where{is_flat}),
        list("monthlyPrices", monthly_prices_of, monthly_price,
             "All twelve months. With pricingType monthly only",
             only_where{[](const full_view& of) { return !is_flat(of); }}),
        member("currencyCode", &full_view::currency, meaning::currency),
        part("costs", costs_of_view, costs,
             "What the tenant pays in addition to the rent, without markup, if it is above 0"),
        member("billsIncluded", via(&full_view::terms, &unit::bills, &bills_terms::included),
               meaning::bills_included),
        member("capacity", via(&full_view::terms, &unit::capacity), meaning::capacity),
        member(
            "minimumStayMonths", [](const full_view& of) { return stay_of(of).min_months; },
            "Shortest stay in months, by the open booking window if there is one; 0 or null: no minimum"),
        member(
            "maximumStayMonths", [](const full_view& of) { return stay_of(of).max_months; },
            "Longest stay in months, by the open booking window if there is one; 0 or null: no maximum"),
        list(
            "blockedPeriods", ending{stored_blocks_of}, blocked_period,
            "Nights that bookings and the landlord's blocks take, from today on, without blocks that have no "
            "end"),
        values<std::string>(
            "facilities", features_of_both,
            "What the property and the unit have, each once, in the landlord's words, such as "
            "wifi"),
        values<std::string>("rules", via(&full_view::house, &property::rules), meaning::rules),
        values<std::string>("images", all_images_of,
                            "URLs of pictures without placeholders: the unit's, then the property's",
                            format{"uri"}),
        member("minAge", via(&full_view::shown, &unit_presentation::min_age), meaning::min_age),
        member("maxAge", via(&full_view::shown, &unit_presentation::max_age), meaning::max_age),
        member("floor", &full_view::floor, meaning::floor),
        member("size", via(&full_view::shown, &unit_presentation::size_square_metres), meaning::size_of_unit),
        member("registrationNumber", via(&full_view::shown, &unit_presentation::registration_number),
               meaning::registration_number),
        energy_class("energyClass"),
        member("landlordEmail", &full_view::integration_email, meaning::landlord_email),
        member("createdAt", via(&full_view::terms, &unit::created_at), meaning::created_at),
        member("updatedAt", &full_view::updated_at, meaning::updated_at))
        .example(R"({"listingReference":"771","title":{"en":"Room with a balcony"},
"description":{"en":"Morning \"sun\"."},"address":{"street":"Calle Mayor","number":"12","floor":"3",
"postalCode":"28013","city":"Madrid","region":"Comunidad de Madrid","neighborhood":"Sol","countryCode":"ES",
"latitude":40.4168,"longitude":-3.7038},"type":"apartment","kind":"room","pricingType":"flat","flatPrice":68300,
"currencyCode":"EUR","costs":{"security-deposit":{"value":65000,"payableBy":"tenant","payableAt":"move-in",
"required":true,"refundable":true,"isEstimated":false},"administration-fee":{"value":15000,"payableBy":"tenant",
"payableAt":"move-in","required":true,"refundable":false,"isEstimated":false},"cleaning-fee":{"value":4500,
"payableBy":"tenant","payableAt":"monthly","required":true,"refundable":false,"isEstimated":false},
"membership-fee":{"value":2550,"payableBy":"tenant","payableAt":"move-in","required":true,"refundable":false,
"isEstimated":false},"other-additional-costs":{"value":8000,"payableBy":"tenant","payableAt":"monthly",
"required":true,"refundable":false,"isEstimated":true}},"billsIncluded":false,"capacity":1,"minimumStayMonths":1,
"maximumStayMonths":11,"blockedPeriods":[{"startDate":"2026-11-01","endDate":"2026-12-01"},
{"startDate":"2027-03-01","endDate":"2027-04-01"}],"facilities":["elevator","wifi","desk"],
"rules":["no-smoking"],"images":["https://images.example/bed.jpg","https://images.example/kitchen.jpg"],
"minAge":18,"maxAge":40,"floor":"3B","size":12,"registrationNumber":"VT-1234","energyClass":"B",
"landlordEmail":"feeds@casaverde.example","createdAt":"2026-01-10T08:00:00.000Z",
"updatedAt":"2026-10-02T09:00:00.000Z"})");

} // namespace

void write(json::writer& json, const full_view& from) { json::write(json, listing, from); }

void add_schemas(json::schemas& to) {
  to.add(listing);
  to.add(cost);
}

} // namespace roost::listings::full::marketplace_b
