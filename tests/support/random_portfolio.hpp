#pragma once

#include "domain/assistant.hpp"
#include "domain/portfolio.hpp"
#include "support/random_cases.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace roost::testing {

/// A generator of valid portfolio files with unusual texts, in export order.
class random_portfolio {
public:
  explicit random_portfolio(std::mt19937& random) : random_(random) {}

  domain::portfolio file(int accounts) {
    domain::portfolio result;
    for (int i = 0; i < accounts; ++i) result.accounts.push_back(account(i));
    return result;
  }

private:
  int number(int min, int max) { return domain::int_between(random_, min, max); }
  bool chance(int percent) { return number(1, 100) <= percent; }
  domain::uuid id() {
    domain::uuid result{};
    for (auto& byte : result) byte = static_cast<std::uint8_t>(number(0, 255));
    result.data[6] = 0x40, result.data[8] = 0x80;
    return result;
  }
  domain::money amount() { return {domain::between(random_, 0, chance(20) ? 9'999'999'999 : 2'000'00)}; }
  domain::date day() { return domain::parse_date("2027-01-01").value() + domain::days{number(0, 900)}; }

  /// Returns a non-blank text without control characters, unique for each `i` and sorted by it.
  std::string text(int i = 0) {
    static constexpr std::array<const char*, 9> unusual{
        "plain",   "Señor \"Ñandú\"", "back\\slash /", "日本語 \u2028",  "😀",
        "e\u0301", "</script>&",      "'; drop --",    " \u00a0 padded "};
    std::string digits = std::to_string(i);
    return std::string(5 - digits.size(), '0') + digits + unusual[static_cast<std::size_t>(number(0, 8))];
  }
  std::string free_text() { return chance(40) ? "" : chance(10) ? " " : text(); }
  std::string long_text() { return free_text() + (chance(50) ? "\n\tnext\r\nline" : ""); }
  std::string email(int i) { return "a" + text_digits(i) + "Ä@landlord.example"; }
  static std::string text_digits(int i) { return std::to_string(100'000 + i); }
  std::string url() { return "https://images.example/" + std::to_string(number(0, 99)) + "?a=%22&b=\\"; }

  template <typename Make>
  auto maybe(Make make) -> std::optional<decltype(make())> {
    if (chance(50)) return std::nullopt;
    return make();
  }
  template <typename Make>
  auto several(int max, Make make) {
    std::vector<decltype(make(0))> result;
    for (int i = 0, count = number(0, max); i < count; ++i) result.push_back(make(i));
    return result;
  }
  domain::localized_text localized(bool lines) {
    domain::localized_text result;
    for (const auto* language : {"en", "es", "pt"})
      if (chance(30)) result[language] = lines ? long_text() : free_text();
    return result;
  }
  std::vector<std::string> labels() {
    return several(3, [&](int) { return text(); });
  }
  std::vector<domain::image> images() {
    return several(2, [&](int) { return domain::image{url(), chance(30)}; });
  }

  domain::payment_terms payment_terms() {
    domain::payment_terms result;
    result.monthly_due_day = number(1, 28);
    if (chance(50)) return result;
    result.confirmation.clear(), result.check_in.clear();
    for (const auto item :
         {domain::due_item::cleaning_fee, domain::due_item::first_rent, domain::due_item::deposit,
          domain::due_item::admin_fee, domain::due_item::last_rent})
      if (chance(70)) (chance(50) ? result.confirmation : result.check_in).push_back(item);
    return result;
  }

  domain::platform_card card(const char* platform) {
    domain::platform_card result{
        platform, maybe([&] { return email(1); }), {}, maybe([&] { return number(0, 3650); })};
    if (chance(30)) result.markup = {domain::markup_mode::percentage, number(0, 99'999)};
    if (chance(30)) result.markup = {domain::markup_mode::fixed, amount().cents};
    result.allow_changes = chance(80);
    result.allow_holds = chance(80);
    return result;
  }

  domain::portfolio_user user(int account, int i) {
    domain::portfolio_user result;
    auto& user = result.details;
    user.id = id();
    user.email = email(account * 1000 + i);
    user.first_name = free_text();
    user.last_name = free_text();
    user.role = chance(50) ? "Admin" : "Owner";
    if (user.role == "Owner") user.owner_id = maybe([&] { return id(); });
    user.ai_access = chance(50);
    user.deactivated = chance(50);
    user.language = chance(50) ? domain::language::en : domain::language::es;
    user.password_hash = maybe([] { return std::string("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"); });
    result.keeps_password = false;
    return result;
  }

  domain::rent_terms rent() {
    domain::rent_terms result;
    result.fixed = chance(50);
    if (result.fixed) {
      if (chance(80)) result.amount = amount();
      return result;
    }
    for (unsigned month = 1; month <= 12; ++month)
      if (chance(50)) result.per_month.push_back({month, amount(), {}, {}});
    return result;
  }

  domain::admin_fee admin_fee() {
    if (chance(30)) return {};
    domain::admin_fee result{chance(70), domain::fee_mode::fixed, amount(), {}};
    if (chance(50)) return result;
    result.mode = domain::fee_mode::tiered;
    result.value = {};
    for (int i = 0, tiers = number(1, 3); i < tiers; ++i) result.tiers.push_back({1 + 90 * i, amount()});
    return result;
  }

  domain::booking_window window() {
    const auto start = day();
    return {start, start + domain::days{number(0, 30)}, start + domain::days{number(31, 60)},
            start + domain::days{number(61, 400)}};
  }

  domain::block block() {
    domain::block result;
    result.id = id();
    result.nights.first = day();
    result.nights.last = chance(20) ? domain::no_end : result.nights.first + domain::days{number(0, 60)};
    if (chance(50)) result.source = domain::block_source::channel;
    if (result.source == domain::block_source::channel && chance(50)) result.host = "host-one";
    if (chance(30)) result.note = free_text();
    return result;
  }

  domain::imported_calendar calendar(int i) {
    domain::imported_calendar result;
    result.id = id();
    result.name = text(i);
    result.url = url();
    if (chance(50)) result.host = "host-one";
    result.every_seconds = maybe([&] { return 60 * number(1, 7 * 24 * 60); });
    return result;
  }

  domain::portfolio_unit unit(const domain::property& property, int i, int unit_of_property) {
    domain::portfolio_unit result;
    auto& terms = result.terms;
    terms.id = id();
    terms.property_id = property.id;
    terms.account_id = property.account_id;
    terms.internal_name = text(i);
    terms.kind = unit_of_property == 0 && chance(40) ? domain::unit_kind::property
                 : chance(30)                        ? domain::unit_kind::bed
                                                     : domain::unit_kind::room;
    terms.room_label = free_text();
    terms.capacity = number(1, 1000);
    terms.rent = rent();
    terms.min_stay_months = maybe([&] { return number(0, 5); });
    terms.max_stay_months = maybe([&] { return chance(20) ? 0 : number(5, 1200); });
    if (chance(50)) terms.extra_price_per_tenant = amount();
    if (chance(50)) terms.extra_deposit_per_tenant = amount();
    terms.bills = {chance(50), maybe([&] { return amount(); })};
    terms.admin_fee = admin_fee();
    if (chance(50)) terms.deposit = {domain::deposit_mode::rent_multiple, number(0, 9'999)};
    if (chance(30)) terms.deposit = {domain::deposit_mode::fixed, amount().cents};
    if (chance(50)) terms.exit_fee = amount();
    terms.local_rent_cap = maybe([&] { return amount(); });
    terms.preparation_days = chance(50) ? 0 : number(0, 366);
    terms.advance_notice_days = maybe([&] { return number(0, 3650); });
    terms.archived = chance(20);
    terms.booking_windows = several(2, [&](int) { return window(); });
    terms.short_term_ical_max_date = maybe([&] { return day(); });
    terms.export_address = maybe([&] { return id(); });
    auto& presentation = result.presentation;
    presentation.size_square_metres = maybe([&] { return number(1, 1'000'000); });
    presentation.floor = maybe([&] { return free_text(); });
    presentation.min_age = maybe([&] { return number(0, 50); });
    presentation.max_age = maybe([&] { return number(50, 150); });
    presentation.registration_number = maybe([&] { return free_text(); });
    presentation.energy_class = maybe([&] { return free_text(); });
    presentation.features = labels();
    presentation.title = localized(false);
    presentation.description = localized(true);
    presentation.images = images();
    result.blocks = several(4, [&](int) { return block(); });
    std::ranges::sort(result.blocks, {}, [](const domain::block& each) {
      return std::tuple(each.nights.first, each.nights.last, each.id);
    });
    result.calendars = several(2, [&](int n) { return calendar(n); });
    if (chance(50)) result.links.push_back({"booking-engine", "P" + text_digits(i), {}});
    if (chance(50)) {
      const auto room = std::to_string(i);
      result.links.push_back(
          {"marketplace-a", room, "https://marketplace-a.example/rooms/x?staticId=" + room});
    }
    for (const auto* platform : {"booking-engine", "marketplace-a", "marketplace-b"})
      if (chance(20)) result.excluded_from.emplace_back(platform);
    return result;
  }

  domain::portfolio_property property(const domain::uuid& account, int i, int& units) {
    domain::portfolio_property result;
    auto& property = result.details;
    property.id = id();
    property.account_id = account;
    property.owner_id = maybe([&] { return id(); });
    property.internal_name = text(i);
    property.type = static_cast<domain::property_type>(number(0, 3));
    if (chance(70))
      property.address = {free_text(), free_text(), free_text(), free_text(),
                          free_text(), free_text(), free_text(), chance(50) ? "ES" : "",
                          {},          {}};
    if (chance(50)) {
      property.address.latitude = std::uniform_real_distribution<double>{-90, 90}(random_);
      property.address.longitude = chance(30) ? 1e-7 : number(-180, 180);
    }
    property.partner_currency = maybe([] { return std::string("USD"); });
    if (chance(50)) property.cleaning_fee = {chance(50), amount(), chance(50) ? text() : "monthly"};
    property.monthly_bills = maybe([&] { return amount(); });
    property.membership_fee = maybe([&] { return amount(); });
    property.parking = maybe([&] { return amount(); });
    property.size_square_metres = maybe([&] { return number(1, 1'000'000); });
    property.wifi_password = maybe([&] { return free_text(); });
    property.features = labels();
    property.rules = labels();
    property.description = localized(true);
    property.images = images();
    property.archived = chance(20);
    result.units = several(3, [&](int n) { return unit(property, units++, n); });
    return result;
  }

  domain::ai_usage_record usage(const domain::uuid& account, int i) {
    domain::ai_usage_record result;
    result.id = id();
    result.account_id = account;
    result.feature = static_cast<domain::ai_feature>(number(0, 5));
    result.provider = text();
    result.model = text();
    result.tokens = {number(0, 9), domain::between(random_, 0, 1'000'000'000'000), 0, number(0, 1)};
    result.cost = domain::parse_decimal(chance(50) ? "0" : "123.000000000000000001").value();
    if (chance(50)) result.pricing_snapshot = R"({ "currency": "USD", "perMTok": {"input": 3.50} })";
    result.user_id = maybe([&] { return text(); });
    result.source = maybe([&] { return text(); });
    result.conversation_id = maybe([&] { return text(); });
    result.reference_id = maybe([&] { return text(); });
    result.metadata = maybe([] { return std::string("{\"a\" :[1, 2.0,null],\n \"\\u00e9\":{}}"); });
    result.created_at = domain::parse_timestamp("2026-11-16T08:12:44.310Z").value() + std::chrono::seconds{i};
    return result;
  }

  domain::ai_budget budget() {
    domain::ai_budget result;
    result.monthly = {number(1, 1'000'000)};
    if (chance(50)) result.warn_at = {number(1, 99), number(100, 999), domain::max_ai_threshold};
    return result;
  }

  domain::portfolio_account account(int i) {
    domain::portfolio_account result;
    auto& account = result.details;
    account.id = id();
    account.company_name = text();
    account.logo_url = maybe([&] { return url(); });
    account.currency = chance(50) ? "EUR" : "USD";
    account.landlord_key = text(i);
    if (chance(50)) account.contract_type = text();
    if (chance(50)) account.check_in_time = "00:00";
    if (chance(50)) account.check_out_time = "23:59";
    account.advance_notice_days = number(0, 3650);
    account.payment_terms = payment_terms();
    account.native_engine = chance(50);
    account.property_creation = chance(50);
    account.tenant_categories = several(3, [&](int n) {
      return domain::tenant_category{text(n), n == 1 && chance(50)};
    });
    for (const auto& area : domain::tool_areas)
      if (chance(20)) account.ai_areas.emplace(area.name, chance(50) ? "edit" : "read-only");
    if (chance(30)) account.ai_budget = budget();
    for (const auto* platform : {"marketplace-a", "marketplace-b"})
      if (chance(50)) account.cards.push_back(card(platform));
    result.users = several(3, [&](int n) { return user(i, n); });
    for (auto& each : result.users) each.details.account_id = account.id;
    int units = 0;
    result.properties = several(3, [&](int n) { return property(account.id, n, units); });
    result.ai_usage = several(3, [&](int n) { return usage(account.id, n); });
    return result;
  }

  std::mt19937& random_;
};

} // namespace roost::testing
