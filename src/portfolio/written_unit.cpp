#include "portfolio/words.hpp"
#include "portfolio/written_members.hpp"

namespace roost::portfolio {

namespace {

/// A rent that varies has no amount, and a fixed one no months.
written_members rent_members(const domain::rent_terms& rent, defaults mode) {
  member_list to(mode);
  if (mode == defaults::left_out && rent == domain::rent_terms{}) return to.take();
  to.put("fixed", rent.fixed, true);
  if (rent.fixed) {
    to.put("amount", rent.amount);
    return to.take();
  }
  if (rent.per_month.empty()) to.put_json("perMonth", "[]");
  to.put_list("perMonth", rent.per_month, [](const domain::month_rent& each) {
    member_list month(defaults::written);
    month.put("month", each.month);
    month.put("rent", each.rent);
    return month.take();
  });
  return to.take();
}

/// A fee that is named is switched on unless it says otherwise; a tiered one has no value.
written_members admin_fee_members(const domain::admin_fee& fee, defaults mode) {
  member_list to(mode);
  if (mode == defaults::left_out && fee == domain::admin_fee{}) return to.take();
  to.put("enabled", fee.enabled, true);
  to.put("mode", word_for(fee.mode, fee_modes), word_for(domain::fee_mode::fixed, fee_modes));
  if (fee.mode == domain::fee_mode::fixed) {
    to.put("value", fee.value);
    return to.take();
  }
  to.put_list("tiers", fee.tiers, [](const domain::admin_fee_tier& each) {
    member_list tier(defaults::written);
    tier.put("fromDays", each.from_days);
    tier.put("value", each.value);
    return tier.take();
  });
  return to.take();
}

/// Hundredths of the rent are written as cents are.
written_members deposit_members(const domain::deposit_terms& deposit, defaults mode) {
  member_list to(mode);
  if (mode == defaults::left_out && deposit == domain::deposit_terms{}) return to.take();
  to.put("mode", word_for(deposit.mode, deposit_modes));
  to.put("value", domain::money{deposit.value});
  return to.take();
}

written_members bills_members(const domain::bills_terms& bills, defaults mode) {
  member_list to(mode);
  to.put("included", bills.included, false);
  to.put("maxValue", bills.max_value, {});
  return to.take();
}

/// Those of docs/portfolio.md up to the calendar.
void put_terms(member_list& to, const domain::unit& unit) {
  const domain::unit usual;
  to.put("id", unit.id);
  to.put("internalName", unit.internal_name);
  to.put("kind", word_for(unit.kind, unit_kinds), word_for(usual.kind, unit_kinds));
  to.put("roomLabel", unit.room_label, usual.room_label);
  to.put("capacity", unit.capacity, usual.capacity);
  to.put_object("rent", rent_members(unit.rent, to.mode()));
  to.put("minStayMonths", unit.min_stay_months, usual.min_stay_months);
  to.put("maxStayMonths", unit.max_stay_months, usual.max_stay_months);
  to.put("extraPricePerTenant", unit.extra_price_per_tenant, usual.extra_price_per_tenant);
  to.put("extraDepositPerTenant", unit.extra_deposit_per_tenant, usual.extra_deposit_per_tenant);
  to.put_object("bills", bills_members(unit.bills, to.mode()));
  to.put_object("adminFee", admin_fee_members(unit.admin_fee, to.mode()));
  to.put_object("deposit", deposit_members(unit.deposit, to.mode()));
  to.put("exitFee", unit.exit_fee, usual.exit_fee);
  to.put("localRentCap", unit.local_rent_cap, usual.local_rent_cap);
  to.put("preparationDays", unit.preparation_days, usual.preparation_days);
  to.put("advanceNoticeDays", unit.advance_notice_days, usual.advance_notice_days);
}

void put_presentation(member_list& to, const domain::unit_presentation& shown) {
  const domain::unit_presentation usual;
  to.put("sizeSquareMetres", shown.size_square_metres, usual.size_square_metres);
  to.put("floor", shown.floor, usual.floor);
  to.put("registrationNumber", shown.registration_number, usual.registration_number);
  to.put("minAge", shown.min_age, usual.min_age);
  to.put("maxAge", shown.max_age, usual.max_age);
  to.put("features", shown.features, {});
  to.put("title", shown.title, {});
  to.put("description", shown.description, {});
  put_images(to, shown.images);
}

} // namespace

written_members own_members_of(const domain::portfolio_unit& unit, defaults mode) {
  member_list to(mode);
  put_terms(to, unit.terms);
  to.put("shortTermIcalMaxDate", unit.terms.short_term_ical_max_date, {});
  put_presentation(to, unit.presentation);
  to.put("archived", unit.terms.archived, false);
  return to.take();
}

written_members members_of(const domain::portfolio_unit& unit, defaults mode) {
  member_list to(mode);
  put_terms(to, unit.terms);
  to.put_list("bookingWindows", unit.terms.booking_windows,
              [](const domain::booking_window& each) { return members_of(each); });
  to.put_list("blocks", unit.blocks, [&](const domain::block& each) { return members_of(each, mode); });
  to.put("shortTermIcalMaxDate", unit.terms.short_term_ical_max_date, {});
  put_presentation(to, unit.presentation);
  to.put_list("links", unit.links, [](const domain::link& each) { return members_of(each); });
  to.put("excludedFrom", unit.excluded_from, {});
  to.put("archived", unit.terms.archived, false);
  return to.take();
}

written_members members_of(const domain::booking_window& window) {
  member_list to(defaults::written);
  to.put("minStartDate", window.min_start);
  to.put("maxStartDate", window.max_start);
  to.put("minEndDate", window.min_end);
  to.put("maxEndDate", window.max_end);
  return to.take();
}

written_members members_of(const domain::block& block, defaults mode) {
  member_list to(mode);
  to.put("from", block.nights.first);
  const bool ends = block.nights.last != domain::no_end;
  to.put("to", ends ? std::optional{block.nights.last} : std::nullopt);
  to.put("source", word_for(block.source, block_sources),
         word_for(domain::block_source::manual, block_sources));
  const auto host = block.host.view();
  to.put("host", host.empty() ? std::nullopt : std::optional{host}, {});
  to.put("id", block.id.is_nil() ? std::nullopt : std::optional{block.id}, {});
  return to.take();
}

/// Its URL holds the ID.
written_members members_of(const domain::link& link) {
  member_list to(defaults::written);
  to.put("platform", link.platform);
  if (link.url)
    to.put("url", *link.url);
  else
    to.put("externalId", link.external_id);
  return to.take();
}

void put_images(member_list& to, const std::vector<domain::image>& images) {
  to.put_list("images", images, [&](const domain::image& each) {
    member_list image(to.mode());
    image.put("url", each.url);
    image.put("placeholder", each.placeholder, false);
    return image.take();
  });
}

} // namespace roost::portfolio
