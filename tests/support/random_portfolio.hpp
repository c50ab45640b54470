#pragma once

#include "domain/portfolio.hpp"
#include "domain/tool_access.hpp"
#include "support/random_cases.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// Random portfolios that keep every rule of a portfolio file, with odd texts, in the order of an export.
namespace roost::testing {

class random_portfolio {
public:
  explicit random_portfolio(std::mt19937& random) : random_(random) {}

  domain::portfolio file(int accounts) {
    domain::portfolio made;
    for (int i = 0; i < accounts; ++i) made.accounts.push_back(account(i));
    return made;
  }

private:
  int number(int least, int greatest) { return domain::int_between(random_, least, greatest); }
  bool chance(int percent) { return number(1, 100) <= percent; }
  domain::uuid id() {
    domain::uuid made{};
    for (auto& byte : made) byte = static_cast<std::uint8_t>(number(0, 255));
    made.data[6] = 0x40, made.data[8] = 0x80;
    return made;
  }
  domain::money amount() { return {domain::between(random_, 0, chance(20) ? 9'999'999'999 : 2'000'00)}; }
  domain::date day() { return domain::parse_date("2027-01-01").value() + domain::days{number(0, 900)}; }

  /// Not blank, without control characters; `i` makes it another one than those of other numbers, and puts it
  /// behind them.
  std::string text(int i = 0) {
    static constexpr std::array<const char*, 9> odd{
        "plain",   "Señor \"Ñandú\"", "back\\slash /", "日本語 \u2028",  "😀",
        "e\u0301", "</script>&",      "'; drop --",    " \u00a0 padded "};
    std::string digits = std::to_string(i);
    return std::string(5 - digits.size(), '0') + digits + odd[static_cast<std::size_t>(number(0, 8))];
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
  auto several(int most, Make make) {
    std::vector<decltype(make(0))> made;
    for (int i = 0, count = number(0, most); i < count; ++i) made.push_back(make(i));
    return made;
  }
  domain::localized_text localized(bool lines) {
    domain::localized_text made;
    for (const auto* language : {"en", "es", "pt"})
      if (chance(30)) made[language] = lines ? long_text() : free_text();
    return made;
  }
  std::vector<std::string> labels() {
    return several(3, [&](int) { return text(); });
  }
  std::vector<domain::image> images() {
    return several(2, [&](int) { return domain::image{url(), chance(30)}; });
  }

  domain::payment_terms payment_terms() {
    domain::payment_terms made;
    made.monthly_due_day = number(1, 28);
    if (chance(50)) return made;
    made.confirmation.clear(), made.check_in.clear();
    for (const auto item :
         {domain::due_item::cleaning_fee, domain::due_item::first_rent, domain::due_item::deposit,
          domain::due_item::admin_fee, domain::due_item::last_rent})
      if (chance(70)) (chance(50) ? made.confirmation : made.check_in).push_back(item);
    return made;
  }

  domain::platform_card card(const char* platform) {
    domain::platform_card made{
        platform, maybe([&] { return email(1); }), {}, maybe([&] { return number(0, 3650); })};
    if (chance(30)) made.markup = {domain::markup_mode::percentage, number(0, 99'999)};
    if (chance(30)) made.markup = {domain::markup_mode::fixed, amount().cents};
    return made;
  }

  domain::portfolio_user user(int account, int i) {
    domain::portfolio_user made;
    auto& user = made.details;
    user.id = id();
    user.email = email(account * 1000 + i);
    user.first_name = free_text();
    user.last_name = free_text();
    user.role = chance(50) ? "Admin" : "Owner";
    if (user.role == "Owner") user.owner_id = maybe([&] { return id(); });
    user.ai_access = chance(50);
    user.deactivated = chance(50);
    user.password_hash = maybe([] { return std::string("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"); });
    made.keeps_password = false;
    return made;
  }

  domain::rent_terms rent() {
    domain::rent_terms made;
    made.fixed = chance(50);
    if (made.fixed) {
      if (chance(80)) made.amount = amount();
      return made;
    }
    for (unsigned month = 1; month <= 12; ++month)
      if (chance(50)) made.per_month.push_back({month, amount(), {}, {}});
    return made;
  }

  domain::admin_fee admin_fee() {
    if (chance(30)) return {};
    domain::admin_fee made{chance(70), domain::fee_mode::fixed, amount(), {}};
    if (chance(50)) return made;
    made.mode = domain::fee_mode::tiered;
    made.value = {};
    for (int i = 0, tiers = number(1, 3); i < tiers; ++i) made.tiers.push_back({1 + 90 * i, amount()});
    return made;
  }

  domain::booking_window window() {
    const auto start = day();
    return {start, start + domain::days{number(0, 30)}, start + domain::days{number(31, 60)},
            start + domain::days{number(61, 400)}};
  }

  domain::block block() {
    domain::block made;
    made.id = id();
    made.nights.first = day();
    made.nights.last = chance(20) ? domain::no_end : made.nights.first + domain::days{number(0, 60)};
    if (chance(50)) made.source = domain::block_source::channel;
    if (made.source == domain::block_source::channel && chance(50)) made.host = "host-one";
    return made;
  }

  domain::portfolio_unit unit(const domain::property& of, int i, int unit_of_property) {
    domain::portfolio_unit made;
    auto& terms = made.terms;
    terms.id = id();
    terms.property_id = of.id;
    terms.account_id = of.account_id;
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
    auto& shown = made.presentation;
    shown.size_square_metres = maybe([&] { return number(1, 1'000'000); });
    shown.floor = maybe([&] { return free_text(); });
    shown.min_age = maybe([&] { return number(0, 50); });
    shown.max_age = maybe([&] { return number(50, 150); });
    shown.registration_number = maybe([&] { return free_text(); });
    shown.features = labels();
    shown.title = localized(false);
    shown.description = localized(true);
    shown.images = images();
    made.blocks = several(4, [&](int) { return block(); });
    std::ranges::sort(made.blocks, {}, [](const domain::block& each) {
      return std::tuple(each.nights.first, each.nights.last, each.id);
    });
    if (chance(50)) made.links.push_back({"booking-engine", "P" + text_digits(i), {}});
    if (chance(50)) {
      const auto room = std::to_string(i);
      made.links.push_back({"marketplace-a", room, "https://marketplace-a.example/rooms/x?staticId=" + room});
    }
    for (const auto* platform : {"booking-engine", "marketplace-a", "marketplace-b"})
      if (chance(20)) made.excluded_from.emplace_back(platform);
    return made;
  }

  domain::portfolio_property property(const domain::uuid& account, int i, int& units) {
    domain::portfolio_property made;
    auto& property = made.details;
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
    made.units = several(3, [&](int n) { return unit(property, units++, n); });
    return made;
  }

  domain::ai_usage_record usage(const domain::uuid& account, int i) {
    domain::ai_usage_record made;
    made.id = id();
    made.account_id = account;
    made.feature = static_cast<domain::ai_feature>(number(0, 5));
    made.provider = text();
    made.model = text();
    made.tokens = {number(0, 9), domain::between(random_, 0, 1'000'000'000'000), 0, number(0, 1)};
    made.cost = domain::parse_decimal(chance(50) ? "0" : "123.000000000000000001").value();
    if (chance(50)) made.pricing_snapshot = R"({ "currency": "USD", "perMTok": {"input": 3.50} })";
    made.user_id = maybe([&] { return text(); });
    made.source = maybe([&] { return text(); });
    made.conversation_id = maybe([&] { return text(); });
    made.reference_id = maybe([&] { return text(); });
    made.metadata = maybe([] { return std::string("{\"a\" :[1, 2.0,null],\n \"\\u00e9\":{}}"); });
    made.created_at = domain::parse_timestamp("2026-11-16T08:12:44.310Z").value() + std::chrono::seconds{i};
    return made;
  }

  domain::portfolio_account account(int i) {
    domain::portfolio_account made;
    auto& account = made.details;
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
    for (const auto* platform : {"marketplace-a", "marketplace-b"})
      if (chance(50)) account.cards.push_back(card(platform));
    made.users = several(3, [&](int n) { return user(i, n); });
    for (auto& each : made.users) each.details.account_id = account.id;
    int units = 0;
    made.properties = several(3, [&](int n) { return property(account.id, n, units); });
    made.ai_usage = several(3, [&](int n) { return usage(account.id, n); });
    return made;
  }

  std::mt19937& random_;
};

} // namespace roost::testing
