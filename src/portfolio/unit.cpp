#include "domain/unit.hpp"

#include "portfolio/aggregates.hpp"
#include "portfolio/values.hpp"
#include "portfolio/words.hpp"

namespace roost::portfolio {

namespace {

constexpr int oldest = 150;

/// A least and a greatest value that may each be missing. A greatest of 0 means none where `zero_is_none`.
bool check_order(reader& in, const std::optional<int>& least, const std::optional<int>& greatest,
                 std::string_view least_name, std::string_view greatest_name, bool zero_is_none) {
  if (!least || !greatest || *least <= *greatest || (zero_is_none && *greatest == 0)) return true;
  return in.refuse_member(least_name, "must not be greater than " + std::string{greatest_name});
}

bool read_name(reader& in, file_scope& file, std::string& to) {
  return read_text(in, to) && file.unique.unit_names.claim(in, to);
}

/// The unit that is being read and what it takes to read its members.
class unit_members {
public:
  unit_members(reader& in, file_scope& file, domain::portfolio_unit& to)
      : in_(in), file_(file), to_(to), unit_(to.terms), shown_(to.presentation) {}

  bool read();

private:
  bool maybe(std::optional<int>& to, int least, int greatest) {
    return in_.nullable(to, [&](int& value) { return read_integer(in_, value, least, greatest); });
  }
  bool maybe(std::optional<std::string>& to) {
    return in_.nullable(to, [&](std::string& value) { return read_text(in_, value, detail_rule); });
  }
  bool maybe(std::optional<domain::money>& to) {
    return in_.nullable(to, [&](domain::money& value) { return read_amount(in_, value); });
  }
  bool maybe(std::optional<domain::date>& to) {
    return in_.nullable(to, [&](domain::date& value) { return read_date(in_, value); });
  }
  bool read_id_of_unit() { return read_id(in_, unit_.id) && file_.unique.units.claim(in_, unit_.id); }
  bool read_windows() {
    return in_.list(unit_.booking_windows, [&](auto& window) { return read_booking_window(in_, window); });
  }
  bool read_blocks() {
    return in_.list(to_.blocks, [&](auto& block) { return read_block(in_, file_, block); });
  }

  reader& in_;
  file_scope& file_;
  domain::portfolio_unit& to_;
  domain::unit& unit_;
  domain::unit_presentation& shown_;
};

bool unit_members::read() {
  const bool good = in_.object({
      required("id", [&] { return read_id_of_unit(); }),
      required("internalName", [&] { return read_name(in_, file_, unit_.internal_name); }),
      optional("kind", [&] { return read_choice(in_, unit_.kind, unit_kinds); }),
      optional("roomLabel", [&] { return read_text(in_, unit_.room_label, detail_rule); }),
      optional("capacity", [&] { return read_integer(in_, unit_.capacity, 1, domain::largest_capacity); }),
      optional("rent", [&] { return read_rent(in_, unit_.rent); }),
      optional("minStayMonths", [&] { return maybe(unit_.min_stay_months, 0, domain::longest_stay_months); }),
      optional("maxStayMonths", [&] { return maybe(unit_.max_stay_months, 0, domain::longest_stay_months); }),
      optional("extraPricePerTenant", [&] { return read_amount(in_, unit_.extra_price_per_tenant); }),
      optional("extraDepositPerTenant", [&] { return read_amount(in_, unit_.extra_deposit_per_tenant); }),
      optional("bills", [&] { return read_bills(in_, unit_.bills); }),
      optional("adminFee", [&] { return read_admin_fee(in_, unit_.admin_fee); }),
      optional("deposit", [&] { return read_deposit(in_, unit_.deposit); }),
      optional("exitFee", [&] { return read_amount(in_, unit_.exit_fee); }),
      optional("localRentCap", [&] { return maybe(unit_.local_rent_cap); }),
      optional("preparationDays", [&] { return read_integer(in_, unit_.preparation_days, 0, 366); }),
      optional("advanceNoticeDays", [&] { return maybe(unit_.advance_notice_days, 0, 3'650); }),
      optional("bookingWindows", [&] { return read_windows(); }),
      optional("blocks", [&] { return read_blocks(); }),
      optional("shortTermIcalMaxDate", [&] { return maybe(unit_.short_term_ical_max_date); }),
      optional("sizeSquareMetres", [&] { return maybe(shown_.size_square_metres, 1, 1'000'000); }),
      optional("floor", [&] { return maybe(shown_.floor); }),
      optional("minAge", [&] { return maybe(shown_.min_age, 0, oldest); }),
      optional("maxAge", [&] { return maybe(shown_.max_age, 0, oldest); }),
      optional("registrationNumber", [&] { return maybe(shown_.registration_number); }),
      optional("features", [&] { return read_labels(in_, shown_.features); }),
      optional("title", [&] { return read_localized(in_, shown_.title, detail_rule); }),
      optional("description", [&] { return read_localized(in_, shown_.description, description_rule); }),
      optional("images", [&] { return read_images(in_, shown_.images); }),
      optional("links", [&] { return read_links(in_, file_, to_.links); }),
      optional("excludedFrom", [&] { return read_exclusions(in_, file_, to_.excluded_from); }),
      optional("archived", [&] { return read_boolean(in_, unit_.archived); }),
  });
  const bool stays =
      check_order(in_, unit_.min_stay_months, unit_.max_stay_months, "minStayMonths", "maxStayMonths", true);
  const bool ages = check_order(in_, shown_.min_age, shown_.max_age, "minAge", "maxAge", false);
  return good && stays && ages;
}

} // namespace

bool read_unit(reader& in, file_scope& file, const domain::property& of, domain::portfolio_unit& to) {
  to.terms.property_id = of.id;
  to.terms.account_id = of.account_id;
  return unit_members{in, file, to}.read();
}

} // namespace roost::portfolio
