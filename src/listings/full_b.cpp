#include "listings/costs.hpp"
#include "listings/full_parts.hpp"

namespace roost::listings::full {

/// Marketplace B's full format: camelCase, amounts in cents, blocks that end on the first free day.
namespace marketplace_b {
namespace {

constexpr auto location = address_object("postalCode", "countryCode");

struct month_price {
  unsigned month;
  std::optional<std::int64_t> cents;
};

/// Yields all twelve months, including those without a price.
constexpr auto monthly_prices_of = [](const full_view& view, auto yield) {
  constexpr unsigned months_a_year = 12;
  const auto* const card = view.card();
  const auto& rents = view.terms().rent.per_month;
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
    object<cost_line>("MarketplaceBCost",
                      member(
                          "value", [](const cost_line& line) { return line.value.cents; },
                          "Cents of the currency of the listing's currencyCode"),
                      included(itself, cost_conditions))
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

constexpr auto costs_of_view = [](const full_view& view) { return costs_of(view.terms(), view.house()); };

constexpr auto blocked_period =
    object<taken_nights>("", member("startDate", shared::first_night),
                         member(
                             "endDate", [](const taken_nights& taken) { return *taken.last + days{1}; },
                             "First free day, YYYY-MM-DD, exclusive"));

constexpr auto all_images_of = [](const full_view& view, auto yield) {
  images_of(view.shown().images, yield);
  images_of(view.house().images, yield);
};

constexpr std::array<std::string_view, 2> pricing_types{"flat", "monthly"};

constexpr bool is_flat(const full_view& view) { return view.from.terms.rent.fixed; }

constexpr auto stay_of = [](const full_view& view) { return limits_by_window(view.terms(), view.today); };

constexpr auto listing =
    object<full_view>(
        "MarketplaceBFullListing", member("listingReference", shared::external_id),
        member("title", shared::title), member("description", shared::description),
        part("address", via(house, &property::address), location, "The property's address"),
        member("type", shared::property_type), member("kind", shared::kind),
        member(
            "pricingType",
            [](const full_view& view) { return json::plain_text{pricing_types[is_flat(view) ? 0 : 1]}; },
            "flat: flatPrice each month; monthly: each month has its own price in monthlyPrices",
            one_of{pricing_types}),
        member(
            "flatPrice", [](const full_view& view) { return view.headline().cents; },
            "Cents of currencyCode a month, with markup, rounded up to whole units of the currency. With "
            "pricingType flat only",
            only_where{is_flat}),
        list("monthlyPrices", monthly_prices_of, monthly_price,
             "All twelve months. With pricingType monthly only",
             only_where{[](const full_view& view) { return !is_flat(view); }}),
        member("currencyCode", shared::currency),
        part("costs", costs_of_view, costs,
             "What the tenant pays in addition to the rent, without markup, if it is above 0"),
        member("billsIncluded", shared::bills_included), member("capacity", shared::capacity),
        member(
            "minimumStayMonths", [](const full_view& view) { return stay_of(view).min_months; },
            "Shortest stay in months, by the open booking window if there is one; 0 or null: no minimum"),
        member(
            "maximumStayMonths", [](const full_view& view) { return stay_of(view).max_months; },
            "Longest stay in months, by the open booking window if there is one; 0 or null: no maximum"),
        list("blockedPeriods", ending(stored_blocks_of), blocked_period,
             "Nights that bookings and the landlord's blocks take, from today on, without blocks that have "
             "no end"),
        values<std::string>(
            "facilities", features_of_both,
            "What the property and the unit have, each once, in the landlord's words, such as wifi"),
        texts("rules", shared::rules),
        values<std::string>("images", all_images_of,
                            "URLs of pictures without placeholders: the unit's, then the property's",
                            format{"uri"}),
        member("minAge", shared::min_age), member("maxAge", shared::max_age), member("floor", shared::floor),
        member("size", shared::size_of_unit), member("registrationNumber", shared::registration_number),
        member("energyClass", shared::energy_class), member("landlordEmail", shared::landlord_email),
        member("createdAt", shared::created_at), member("updatedAt", shared::updated_at))
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
} // namespace marketplace_b

const full_format format_b = format_of<marketplace_b::listing, marketplace_b::cost>();

} // namespace roost::listings::full
