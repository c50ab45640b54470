#pragma once

#include "actors/office/office_resources.hpp"
#include "http/office/office_objects.hpp"
#include "http/partner/outcome_names.hpp"
#include "http/partner/quote_object.hpp"
#include "portfolio/account.hpp"
#include "portfolio/record_around.hpp"
#include "portfolio/unit.hpp"

#include <array>
#include <string_view>

/// The descriptions of bookings and quotes in the office. This header is for the .cpp files that hold
/// descriptions.
namespace roost::http {

struct booked_guest : domain::tenant {
  friend bool operator==(const booked_guest& a, const booked_guest& b) { return a.id == b.id; }
};

/// A booking as the caller may see it.
struct booking_view {
  store::booking_record record;
  std::optional<booked_guest> tenant; ///< nullopt: the caller may not see tenants
  std::optional<domain::nights> preparation;
  struct cancellation_state {
    domain::cancelled_by by{};
    domain::timestamp at{};

    friend bool operator==(const cancellation_state&, const cancellation_state&) = default;
  };
  std::optional<cancellation_state> cancellation;
  struct platform_change_state {
    domain::timestamp at{};
    domain::date check_in{}, check_out{};

    friend bool operator==(const platform_change_state&, const platform_change_state&) = default;
  };
  std::optional<platform_change_state> platform_change;
};

/// Returns the nights of preparation after a stay; nullopt: none.
inline std::optional<domain::nights> preparation_after(domain::date check_out, domain::date last_night) {
  if (last_night < check_out) return std::nullopt;
  return domain::nights{check_out, last_night};
}

inline booking_view view_of(store::booking_record record, bool shows_tenants) {
  booking_view view{std::move(record), {}, {}, {}, {}};
  const auto& booking = view.record.booking;
  if (shows_tenants) view.tenant = booked_guest{view.record.tenant};
  view.preparation = preparation_after(booking.check_out, booking.last_night);
  if (view.record.cancelled_by) view.cancellation = {*view.record.cancelled_by, *view.record.cancelled_at};
  if (const auto& change = view.record.platform_change; change.at)
    view.platform_change = {*change.at, change.check_in.value(), change.check_out.value()};
  return view;
}

namespace office_objects {

template <auto Member>
inline constexpr auto of_booking = portfolio::via(&booking_view::record, &store::booking_record::booking,
                                                  Member);
template <auto Member>
inline constexpr auto of_record = portfolio::via(&booking_view::record, Member);
template <auto Member>
inline constexpr auto of_guest = portfolio::via(&domain::tenant::details, Member);
inline const std::vector<domain::payment_line>& plan_of(const booking_view& view) {
  return view.record.booking.terms->plan;
}
inline domain::money total_of(const booking_view& view) { return domain::total_owed(plan_of(view)); }
inline const domain::booking_terms& terms_of(const booking_view& view) { return *view.record.booking.terms; }
inline const domain::booking_terms& terms_of_quote(const quote_view& view) {
  return *view.quote.decision.terms;
}
inline std::optional<domain::nights> preparation_of(const quote_view& view) {
  return preparation_after(view.check_out, view.quote.decision.blocked.last);
}
inline std::optional<std::string> cleaning_frequency_of(const domain::booking_terms& terms) {
  return terms.cleaning_frequency.empty() ? std::nullopt : std::optional{terms.cleaning_frequency};
}
} // namespace office_objects

inline constexpr auto booked_terms_object = portfolio::record<domain::booking_terms>(
    portfolio::field("contractType", stored_text{}, &domain::booking_terms::contract_type, ""),
    portfolio::field("checkInTime", portfolio::kind::time_of_day, &domain::booking_terms::check_in_time, ""),
    portfolio::field("checkOutTime", portfolio::kind::time_of_day, &domain::booking_terms::check_out_time,
                     ""),
    portfolio::field("paymentTerms", portfolio::kind::object{portfolio::objects::payment_terms_object},
                     &domain::booking_terms::payment_terms,
                     "The rules by which payments of the plan are due"),
    portfolio::field("bills", portfolio::kind::object{portfolio::objects::bills_object},
                     &domain::booking_terms::bills, "Utility bills"),
    portfolio::field("cleaningFrequency", stored_text{}, office_objects::cleaning_frequency_of,
                     "Of the cleaning fee; null: no fee"));

inline constexpr auto booked_tenant_object = portfolio::record<booked_guest>(
    portfolio::field("id", portfolio::kind::id, &domain::tenant::id, "The tenant's UUID"),
    portfolio::field("firstName", portfolio::kind::name,
                     office_objects::of_guest<&domain::tenant_details::first_name>, ""),
    portfolio::field("lastName", portfolio::kind::name,
                     office_objects::of_guest<&domain::tenant_details::last_name>, ""),
    portfolio::field("email", stored_text{}, office_objects::of_guest<&domain::tenant_details::email>, ""),
    portfolio::field("fiscalId", stored_text{}, office_objects::of_guest<&domain::tenant_details::fiscal_id>,
                     "Tax number"),
    portfolio::field("phone", stored_text{}, office_objects::of_guest<&domain::tenant_details::phone>, ""),
    portfolio::field("nationality", stored_text{},
                     office_objects::of_guest<&domain::tenant_details::nationality>,
                     "ISO 3166-1 alpha-2, as it was entered"),
    portfolio::field("category", stored_text{}, &domain::tenant::category, ""));

inline constexpr auto booking_cancellation_object = portfolio::record<booking_view::cancellation_state>(
    portfolio::field("by", portfolio::kind::choice{canceller_names}, &booking_view::cancellation_state::by,
                     "`partner`: the booking's platform"),
    portfolio::field("at", portfolio::kind::moment, &booking_view::cancellation_state::at, ""));

inline constexpr auto booking_platform_change_object = portfolio::record<booking_view::platform_change_state>(
    portfolio::field("at", portfolio::kind::moment, &booking_view::platform_change_state::at, ""),
    portfolio::field("checkInDate", portfolio::kind::day, &booking_view::platform_change_state::check_in,
                     "Before the change"),
    portfolio::field("checkOutDate", portfolio::kind::day, &booking_view::platform_change_state::check_out,
                     "Before the change"));

inline constexpr auto office_booking_object = portfolio::record<booking_view>(
    portfolio::field("id", portfolio::kind::id, office_objects::of_booking<&domain::booking::id>,
                     "The booking's UUID. Clients may choose it"),
    portfolio::field("unitId", portfolio::kind::id, office_objects::of_booking<&domain::booking::unit_id>,
                     ""),
    portfolio::field("unitName", stored_text{}, office_objects::of_record<&store::booking_record::unit_name>,
                     "", untagged),
    portfolio::field("propertyId", portfolio::kind::id,
                     office_objects::of_record<&store::booking_record::property_id>, "", untagged),
    portfolio::field("propertyName", stored_text{},
                     office_objects::of_record<&store::booking_record::property_name>, "", untagged),
    portfolio::field("platform", stored_text{}, office_objects::of_booking<&domain::booking::platform>,
                     "Null: made by hand, without a platform"),
    portfolio::field("reference", stored_text{}, office_objects::of_booking<&domain::booking::reference>,
                     "The platform's ID of the booking; null: none"),
    portfolio::field("status", portfolio::kind::choice{domain::booking_status_names},
                     office_objects::of_booking<&domain::booking::status>, ""),
    portfolio::field("checkInDate", portfolio::kind::day,
                     office_objects::of_booking<&domain::booking::check_in>, "The first night"),
    portfolio::field("checkOutDate", portfolio::kind::day,
                     office_objects::of_booking<&domain::booking::check_out>, ""),
    portfolio::field("preparation", portfolio::kind::object{stay_nights_object}, &booking_view::preparation,
                     "Blocked nights after the stay; null: none"),
    portfolio::field("occupants", portfolio::kind::whole{1, domain::max_capacity},
                     office_objects::of_booking<&domain::booking::occupants>, "The lead tenant included"),
    portfolio::field("tenantId", portfolio::kind::id, office_objects::of_booking<&domain::booking::tenant_id>,
                     ""),
    portfolio::field("tenant", portfolio::kind::object{booked_tenant_object}, &booking_view::tenant,
                     "The lead tenant; null: the role lacks tenants.view", untagged),
    portfolio::field("currency", portfolio::kind::currency,
                     office_objects::of_record<&store::booking_record::currency>, "The account's", untagged),
    portfolio::field("platformProviderPaymentValue", portfolio::kind::amount,
                     office_objects::of_booking<&domain::booking::provider_payment>,
                     "What the platform collected and pays to the landlord; 0: nothing"),
    portfolio::field("total", portfolio::kind::amount, office_objects::total_of,
                     "What the tenant pays, the deposit included", untagged),
    portfolio::field("plan", portfolio::kind::list{plan_line_object}, office_objects::plan_of,
                     "By due date; the platform's payment is the last line"),
    portfolio::field("terms", portfolio::kind::object{booked_terms_object}, office_objects::terms_of,
                     "The landlord's terms when it was booked or changed", untagged),
    portfolio::field("cancellation", portfolio::kind::object{booking_cancellation_object},
                     &booking_view::cancellation, "Null unless the booking is cancelled"),
    portfolio::field("platformChange", portfolio::kind::object{booking_platform_change_object},
                     &booking_view::platform_change,
                     "The last change of the stay by the booking's platform; null: none", untagged),
    portfolio::field("createdAt", portfolio::kind::moment,
                     office_objects::of_booking<&domain::booking::created_at>, "", untagged),
    portfolio::field("updatedAt", portfolio::kind::moment,
                     office_objects::of_record<&store::booking_record::updated_at>, "", untagged));

inline constexpr auto office_quote_object = portfolio::record_around<quote_object>(
    portfolio::hooks<quote_view>{}, domain::pack_of(),
    domain::pack_of(
        portfolio::field("terms", portfolio::kind::object{booked_terms_object},
                         office_objects::terms_of_quote, "Those of the booking"),
        portfolio::field("preparation", portfolio::kind::object{stay_nights_object},
                         office_objects::preparation_of,
                         "Nights after the stay that the booking would block; null: none"),
        portfolio::field(
            "platformProviderPaymentValue", portfolio::kind::amount,
            portfolio::via(&quote_view::quote, &domain::stay_quote::decision,
                           &domain::stay_decision::provider_payment),
            "What the platform pays to the landlord, as stated or derived from the rent; 0: nothing")));

} // namespace roost::http
