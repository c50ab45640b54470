#include "store/portfolio/portfolio_rows.hpp"

#include "store/columns/enum_text.hpp"
#include "store/columns/json_columns.hpp"

namespace roost::store {

void add_property(bulk_writer& to, const domain::property& p, const domain::uuid& account,
                  domain::timestamp now) {
  const auto& a = p.address;
  to.add(p.id, account, p.internal_name, domain::to_string(p.type), a.street, a.number, a.floor,
         a.postal_code, a.city, a.region, a.neighborhood, a.country_code, a.latitude, a.longitude,
         p.partner_currency, p.cleaning_fee.enabled, p.cleaning_fee.value, p.cleaning_fee.frequency,
         p.monthly_bills, p.membership_fee, p.parking, p.size_square_metres, p.wifi_password,
         json_of(p.features), json_of(p.rules), json_of(p.description), json_of(p.images), p.archived, now,
         now);
}

void add_unit(bulk_writer& to, const domain::unit& t, const domain::unit_presentation& p,
              const unit_parent& at) {
  to.add(t.id, at.account, at.property, at.name, domain::to_string(t.kind), t.room_label, t.capacity,
         t.rent.fixed, t.rent.amount, t.min_stay_months, t.max_stay_months, t.extra_price_per_tenant,
         t.extra_deposit_per_tenant, t.bills.included, t.bills.max_value, t.admin_fee.enabled,
         to_string(t.admin_fee.mode), t.admin_fee.value, json_of(t.admin_fee.tiers),
         to_string(t.deposit.mode), t.deposit.value, t.exit_fee, t.local_rent_cap, t.preparation_days,
         t.advance_notice_days, t.short_term_ical_max_date, p.size_square_metres, p.floor, p.min_age,
         p.max_age, p.registration_number, json_of(p.features), json_of(p.title), json_of(p.description),
         json_of(p.images), t.archived, at.now, at.now);
}

} // namespace roost::store
