#include "document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace roost::portfolio::parse_test {
using domain::money;
using domain::parse_date;
using domain::parse_uuid;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

domain::uuid id_of(int last) {
  return *parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f000" + std::to_string(last));
}

TEST(WholeDocument, FillsTheAccount) {
  const auto file = parsed(whole_document);
  ASSERT_EQ(file.accounts.size(), 1u);
  const auto& account = file.accounts[0].details;
  EXPECT_EQ(account.id, id_of(1));
  EXPECT_EQ(account.company_name, "Casa Verde Rentals");
  EXPECT_EQ(account.logo_url, "https://casaverde.example/logo.png");
  EXPECT_EQ(account.currency, "EUR");
  EXPECT_EQ(account.landlord_key, "casa-verde");
  EXPECT_EQ(account.contract_type, "Seasonal rental");
  EXPECT_EQ(account.check_in_time, "16:30");
  EXPECT_EQ(account.check_out_time, "10:00");
  EXPECT_EQ(account.advance_notice_days, 2);
  using enum domain::due_item;
  EXPECT_THAT(account.payment_terms.confirmation, ElementsAre(first_rent, admin_fee));
  EXPECT_THAT(account.payment_terms.check_in, ElementsAre(deposit, last_rent));
  EXPECT_EQ(account.payment_terms.monthly_due_day, 5);
  EXPECT_TRUE(account.native_engine);
  EXPECT_FALSE(account.property_creation);
  EXPECT_THAT(account.tenant_categories, ElementsAre(domain::tenant_category{"Platform guest", true},
                                                     domain::tenant_category{"Friend", false}));
  EXPECT_THAT(account.ai_areas, ElementsAre(Pair("bookings", "edit"), Pair("listings", "read-only")));
  EXPECT_EQ(account.ai_budget, (domain::ai_budget{{50'50}, {50, 100, 125}}));
  EXPECT_THAT(account.cards, ElementsAre(domain::platform_card{"marketplace-a",
                                                               "feeds@casaverde.example",
                                                               {domain::markup_mode::percentage, 525},
                                                               90,
                                                               false,
                                                               false}));
}

TEST(WholeDocument, FillsTheUsers) {
  const auto file = parsed(whole_document);
  ASSERT_EQ(file.accounts[0].users.size(), 1u);
  const auto& [user, password, keeps_password] = file.accounts[0].users[0];
  EXPECT_EQ(user.id, id_of(2));
  EXPECT_EQ(user.account_id, id_of(1));
  EXPECT_EQ(user.email, "ana@casaverde.example");
  EXPECT_EQ(password, "secret");
  EXPECT_FALSE(keeps_password);
  EXPECT_EQ(user.password_hash, std::nullopt);
  EXPECT_EQ(user.first_name, "Ana");
  EXPECT_EQ(user.last_name, "Silva");
  EXPECT_EQ(user.role, "Admin");
  EXPECT_FALSE(user.ai_access);
  EXPECT_TRUE(user.deactivated);
  EXPECT_EQ(user.language, domain::language::es);
}

TEST(WholeDocument, FillsTheProperty) {
  const auto file = parsed(whole_document);
  ASSERT_EQ(file.accounts[0].properties.size(), 1u);
  const auto& property = file.accounts[0].properties[0].details;
  EXPECT_EQ(property.id, id_of(3));
  EXPECT_EQ(property.account_id, id_of(1));
  EXPECT_EQ(property.owner_id, id_of(7));
  EXPECT_EQ(property.internal_name, "Calle Mayor 12");
  EXPECT_EQ(property.type, domain::property_type::house);
  EXPECT_EQ(property.address, (domain::address{"Calle Mayor", "12", "3", "28013", "Madrid", "Madrid", "Sol",
                                               "ES", 40.4168, -3.7038}));
  EXPECT_EQ(property.partner_currency, "USD");
  EXPECT_EQ(property.cleaning_fee, (domain::cleaning_fee{true, money{4550}, "weekly"}));
  EXPECT_EQ(property.monthly_bills, money{6000});
  EXPECT_EQ(property.membership_fee, money{2000});
  EXPECT_EQ(property.parking, money{8025});
  EXPECT_EQ(property.size_square_metres, 96);
  EXPECT_EQ(property.wifi_password, "mayor-doce");
  EXPECT_THAT(property.features, ElementsAre("elevator", "wifi"));
  EXPECT_THAT(property.rules, ElementsAre("no-smoking"));
  EXPECT_THAT(property.description, ElementsAre(Pair("en", "Third floor.\nBright."), Pair("es", "Tercero.")));
  EXPECT_THAT(property.images, ElementsAre(domain::image{"https://casaverde.example/1.jpg", false},
                                           domain::image{"http://casaverde.example/2.jpg", true}));
  EXPECT_TRUE(property.archived);
}

TEST(WholeDocument, FillsTheUnitsTerms) {
  const auto file = parsed(whole_document);
  ASSERT_EQ(file.accounts[0].properties[0].units.size(), 1u);
  const auto& unit = file.accounts[0].properties[0].units[0].terms;
  EXPECT_EQ(unit.id, id_of(4));
  EXPECT_EQ(unit.property_id, id_of(3));
  EXPECT_EQ(unit.account_id, id_of(1));
  EXPECT_EQ(unit.internal_name, "CM12 Room 1");
  EXPECT_EQ(unit.kind, domain::unit_kind::bed);
  EXPECT_EQ(unit.room_label, "Room 1");
  EXPECT_EQ(unit.capacity, 2);
  EXPECT_TRUE(unit.rent.fixed);
  EXPECT_EQ(unit.rent.amount, money{65050});
  EXPECT_EQ(unit.min_stay_months, 1);
  EXPECT_EQ(unit.max_stay_months, 11);
  EXPECT_EQ(unit.extra_price_per_tenant, money{12000});
  EXPECT_EQ(unit.extra_deposit_per_tenant, money{10000});
  EXPECT_TRUE(unit.bills.included);
  EXPECT_EQ(unit.bills.max_value, money{5000});
  EXPECT_TRUE(unit.admin_fee.enabled);
  EXPECT_EQ(unit.admin_fee.mode, domain::fee_mode::tiered);
  ASSERT_EQ(unit.admin_fee.tiers.size(), 2u);
  EXPECT_EQ(unit.admin_fee.tiers[1].from_days, 180);
  EXPECT_EQ(unit.admin_fee.tiers[0].value, money{9950});
  EXPECT_EQ(unit.deposit.mode, domain::deposit_mode::rent_multiple);
  EXPECT_EQ(unit.deposit.value, 150);
  EXPECT_EQ(unit.exit_fee, money{3500});
  EXPECT_EQ(unit.local_rent_cap, money{70000});
  EXPECT_EQ(unit.preparation_days, 2);
  EXPECT_EQ(unit.advance_notice_days, 7);
  EXPECT_EQ(unit.short_term_ical_max_date, parse_date("2027-12-31"));
  EXPECT_TRUE(unit.archived);
}

TEST(WholeDocument, FillsTheUnitsCalendar) {
  const auto file = parsed(whole_document);
  const auto& unit = file.accounts[0].properties[0].units[0];
  ASSERT_EQ(unit.terms.booking_windows.size(), 1u);
  const auto& window = unit.terms.booking_windows[0];
  EXPECT_EQ(window.min_start, parse_date("2027-01-01"));
  EXPECT_EQ(window.max_start, parse_date("2027-02-01"));
  EXPECT_EQ(window.min_end, parse_date("2027-06-01"));
  EXPECT_EQ(window.max_end, parse_date("2027-07-31"));
  ASSERT_EQ(unit.blocks.size(), 2u);
  EXPECT_EQ(unit.blocks[0].id, id_of(5));
  EXPECT_EQ(unit.blocks[0].nights, (domain::nights{*parse_date("2027-03-01"), *parse_date("2027-03-31")}));
  EXPECT_EQ(unit.blocks[0].source, domain::block_source::manual);
  EXPECT_EQ(unit.blocks[0].host, "");
  EXPECT_TRUE(unit.blocks[1].id.is_nil());
  EXPECT_EQ(unit.blocks[1].nights, (domain::nights{*parse_date("2027-05-01"), domain::no_end}));
  EXPECT_EQ(unit.blocks[1].source, domain::block_source::channel);
  EXPECT_EQ(unit.blocks[1].host, "host-one");
  EXPECT_THAT(unit.calendars,
              ElementsAre(domain::imported_calendar{
                  id_of(8), "Host one", "https://host-one.example/ical/1.ics?s=secret", "host-one", 900}));
}

TEST(WholeDocument, FillsTheUnitsPresentationAndLinks) {
  const auto file = parsed(whole_document);
  const auto& unit = file.accounts[0].properties[0].units[0];
  const auto& presentation = unit.presentation;
  EXPECT_EQ(presentation.size_square_metres, 12);
  EXPECT_EQ(presentation.floor, "3");
  EXPECT_EQ(presentation.min_age, 18);
  EXPECT_EQ(presentation.max_age, 40);
  EXPECT_EQ(presentation.registration_number, "VT-1");
  EXPECT_EQ(presentation.energy_class, "B");
  EXPECT_THAT(presentation.features, ElementsAre("desk"));
  EXPECT_THAT(presentation.title, ElementsAre(Pair("en", "Room with a balcony")));
  EXPECT_THAT(presentation.description, ElementsAre(Pair("en", "Morning sun.")));
  EXPECT_THAT(presentation.images, ElementsAre(domain::image{"https://casaverde.example/3.jpg", false}));
  EXPECT_THAT(unit.links, ElementsAre(domain::link{"marketplace-a", "771",
                                                   "https://marketplace-a.example/rooms/8812?staticId=771"},
                                      domain::link{"booking-engine", "P1_R1", std::nullopt}));
  EXPECT_THAT(unit.excluded_from, ElementsAre("marketplace-a"));
}

TEST(WholeDocument, FillsTheUsageLedger) {
  const auto file = parsed(whole_document);
  ASSERT_EQ(file.accounts[0].ai_usage.size(), 1u);
  const auto& row = file.accounts[0].ai_usage[0];
  EXPECT_EQ(row.id, id_of(6));
  EXPECT_EQ(row.account_id, id_of(1));
  EXPECT_EQ(row.feature, domain::ai_feature::landlord_chat);
  EXPECT_EQ(row.provider, "larkspur");
  EXPECT_EQ(row.model, "larkspur-2");
  EXPECT_EQ(row.tokens.input, 10);
  EXPECT_EQ(row.tokens.output, 20);
  EXPECT_EQ(row.tokens.cache_creation, 30);
  EXPECT_EQ(row.tokens.cache_read, 40);
  EXPECT_EQ(row.cost, domain::parse_decimal("0.000012"));
  EXPECT_EQ(row.currency, "USD");
  EXPECT_EQ(row.pricing_snapshot, R"({ "currency": "USD", "perMTok": { "input": 3, "output": 15 } })");
  EXPECT_EQ(row.user_id, "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002");
  EXPECT_EQ(row.source, "web");
  EXPECT_EQ(row.conversation_id, "c1");
  EXPECT_EQ(row.reference_id, "r1");
  EXPECT_EQ(row.metadata, R"({ "pages": 2 })");
  EXPECT_EQ(domain::to_string(row.created_at), "2026-11-16T08:12:44.310Z");
}

TEST(MinimalDocument, KeepsTheDefaults) {
  const auto file = parsed(minimal_document);
  const auto& [account, users, properties, usage] = file.accounts.at(0);
  domain::account expected;
  expected.id = id_of(1);
  expected.company_name = "Casa Verde Rentals";
  expected.currency = "EUR";
  expected.landlord_key = "casa-verde";
  expected.cards.push_back({.platform = "marketplace-a"});
  EXPECT_EQ(account, expected);
  EXPECT_EQ(users.at(0).password, std::nullopt);
  EXPECT_EQ(users[0].details.owner_id, std::nullopt);
  EXPECT_TRUE(users[0].details.ai_access);
  EXPECT_FALSE(users[0].details.deactivated);
  EXPECT_THAT(usage, IsEmpty());

  const auto& property = properties.at(0).details;
  EXPECT_EQ(property.type, domain::property_type::apartment);
  EXPECT_EQ(property.address, domain::address{});
  EXPECT_EQ(property.cleaning_fee, (domain::cleaning_fee{false, money{0}, "monthly"}));
  EXPECT_FALSE(property.archived);

  const auto& unit = properties[0].units.at(0);
  EXPECT_EQ(unit.terms.kind, domain::unit_kind::room);
  EXPECT_EQ(unit.terms.capacity, 1);
  EXPECT_FALSE(unit.terms.admin_fee.enabled);
  EXPECT_FALSE(unit.terms.bills.included);
  EXPECT_EQ(unit.terms.advance_notice_days, std::nullopt);
  EXPECT_THAT(unit.links, IsEmpty());
  EXPECT_THAT(unit.blocks, IsEmpty());
  EXPECT_THAT(unit.calendars, IsEmpty());
}

TEST(PaymentTerms, KeepTheDefaultsOfMissingLists) {
  const auto document =
      edited(whole_document, {{account + "/paymentTerms", R"({"confirmation": ["deposit"]})"}});
  const auto terms = parsed(document).accounts[0].details.payment_terms;
  EXPECT_THAT(terms.confirmation, ElementsAre(domain::due_item::deposit));
  EXPECT_THAT(terms.check_in, IsEmpty());
}

TEST(EmailAddresses, AreComposed) {
  const auto file =
      parsed(edited(whole_document, {{account + "/users/0/email", R"("rene\u0301@casaverde.example")"}}));
  EXPECT_EQ(file.accounts[0].users[0].details.email, "ren\u00e9@casaverde.example");
}

TEST(VariableRent, IsSortedByMonth) {
  const auto document = edited(whole_document, {{unit + "/rent", R"({"fixed": false, "perMonth": [
      {"month": 12, "rent": 700}, {"month": 1, "rent": 600.75}]})"}});
  const auto rent = parsed(document).accounts[0].properties[0].units[0].terms.rent;
  EXPECT_FALSE(rent.fixed);
  ASSERT_EQ(rent.per_month.size(), 2u);
  EXPECT_EQ(rent.per_month[0].month, 1u);
  EXPECT_EQ(rent.per_month[0].rent, money{60075});
  EXPECT_EQ(rent.per_month[1].month, 12u);
}

TEST(Ids, ApplyToEarlierMembers) {
  const auto document =
      replaced(replaced(whole_document, R"("id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
    "companyName")",
                        R"("companyName")"),
               R"("createdAt": "2026-11-16T08:12:44.310Z" }])",
               R"("createdAt": "2026-11-16T08:12:44.310Z" }], "id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001")");
  const auto file = parsed(document);
  EXPECT_EQ(file.accounts[0].users[0].details.account_id, id_of(1));
  EXPECT_EQ(file.accounts[0].properties[0].units[0].terms.account_id, id_of(1));
}

TEST(Parse, ReportsItsProgressUpToTheLastByte) {
  auto context = usual_context();
  std::vector<std::size_t> steps;
  context.progress = [&](std::size_t bytes) { steps.push_back(bytes); };
  const auto document = std::string{whole_document} + std::string(2'000'000, ' ');
  EXPECT_TRUE(std::holds_alternative<domain::portfolio>(parse(document, context)));
  ASSERT_FALSE(steps.empty());
  EXPECT_TRUE(std::ranges::is_sorted(steps));
  EXPECT_EQ(steps.back(), document.size());
}

TEST(Parse, AcceptsAByteOrderMarkAndAFileWithoutAccounts) {
  EXPECT_THAT(problems_of("\xef\xbb\xbf" + std::string{whole_document}), IsEmpty());
  EXPECT_THAT(problems_of(R"({"accounts": [], "format": "roost-portfolio/1"})"), IsEmpty());
}

TEST(DemoPortfolio, HasNoProblems) {
  const auto document = demo_document();
  const auto result = parse(document, demo_context());
  if (const auto* problems = std::get_if<std::vector<problem>>(&result)) {
    for (const auto& problem : *problems) ADD_FAILURE() << to_string(problem);
    return;
  }
  EXPECT_GE(std::get<domain::portfolio>(result).accounts.size(), 3u);
}

constexpr std::string_view record =
    R"({"id": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0006", "accountId": "0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",
        "feature": "landlord_chat", "provider": "larkspur", "model": "larkspur-2",
        "createdAt": "2026-11-16T08:12:44.310Z"})";

/// Returns the record without a member.
std::string without(std::string_view member) {
  std::string text(record);
  const auto start = text.find("\"" + std::string(member) + "\"");
  const auto end = text.find_first_of(",}", start);
  if (text[end] == '}') return text.replace(text.rfind(',', start), end - text.rfind(',', start), "");
  return text.erase(start, end + 1 - start);
}

std::vector<std::string> lines_of(const usage_records& records) {
  std::vector<std::string> lines;
  for (const auto& problem : records.problems) lines.push_back(to_string(problem));
  return lines;
}

TEST(SingleUsageRecord, NamesItsAccount) {
  const auto result = parse_usage_records(record);
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_THAT(lines_of(result), IsEmpty());
  EXPECT_EQ(result.records[0].account_id, domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001"));
  EXPECT_THAT(lines_of(parse_usage_records(without("accountId"))), ElementsAre("/accountId: is required"));
}

TEST(SingleUsageRecord, MayBeOfASystemWideCall) {
  auto text = without("accountId");
  text.insert(1, "\"accountId\": null,");
  const auto result = parse_usage_records(text);
  EXPECT_THAT(lines_of(result), IsEmpty());
  EXPECT_EQ(result.records.at(0).account_id, std::nullopt);
}

TEST(SingleUsageRecord, MayHaveANumberBeyondADouble) {
  std::string text(record);
  text.insert(1, "\"cost\": 1e400,");
  EXPECT_THAT(lines_of(parse_usage_records(text)),
              ElementsAre("/cost: must be below 10^15 and have at most 18 decimals"));
}

TEST(SingleUsageRecord, IsCreatedNowOnlyIfATimeIsPassed) {
  const auto now = domain::parse_timestamp("2026-11-20T09:30:00.000Z").value();
  EXPECT_THAT(lines_of(parse_usage_records(without("createdAt"))), ElementsAre("/createdAt: is required"));
  EXPECT_EQ(parse_usage_records(without("createdAt"), 2, now).records.at(0).created_at, now);
  EXPECT_NE(parse_usage_records(record, 2, now).records.at(0).created_at, now);
}

TEST(UsageRecordArray, IsAcceptedIfSeveralRecordsAre) {
  const auto two = "[" + std::string(record) + "," + std::string(record) + "]";
  EXPECT_EQ(parse_usage_records(two, 2).records.size(), 2u);
  EXPECT_EQ(parse_usage_records(record, 2).records.size(), 1u);
  EXPECT_THAT(lines_of(parse_usage_records("[]", 2)), IsEmpty());
  EXPECT_THAT(lines_of(parse_usage_records(two, 1)), ElementsAre("must be an object"));
  const auto three = "[" + std::string(record) + "," + two.substr(1);
  EXPECT_THAT(lines_of(parse_usage_records(three, 2)), ElementsAre("must not hold more than 2 records"));
}

TEST(UsageRecordArray, ReportsWhichRecordIsInvalid) {
  const auto mixed = "[" + std::string(record) + ", 7, [], " + without("model") + R"(, {"": []}])";
  EXPECT_THAT(lines_of(parse_usage_records(mixed, 10)),
              ::testing::IsSupersetOf({"/1: must be an object", "/2: must be an object",
                                       "/3/model: is required", "/4/: is not a known field"}));
}

TEST(UsageRecordText, ReportsThePositionOfASyntaxError) {
  const auto result = parse_usage_records(R"({"id": )");
  ASSERT_TRUE(result.broken);
  EXPECT_EQ(to_string(*result.broken), "Invalid value, at line 1, column 8");
  EXPECT_THAT(result.records, IsEmpty());
}

} // namespace roost::portfolio::parse_test
