#include "store/columns/json_columns.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_portfolio.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <gtest/gtest.h>

namespace roost::testing::terms_column_test {
using enum domain::payment_kind;
using domain::payment_party;

domain::booking_terms terms_with_every_kind_of_line() {
  domain::booking_terms terms;
  terms.contract_type = "Traditional rental";
  terms.check_in_time = "15:00";
  terms.check_out_time = "11:00";
  terms.payment_terms = {{domain::due_item::first_rent}, {domain::due_item::deposit}, 5};
  terms.bills = {true, domain::money{60'00}};
  terms.cleaning_frequency = "monthly";
  terms.plan = {{.kind = rent,
                 .amount = {650'00},
                 .due = day("2027-04-20"),
                 .period = domain::nights{day("2027-05-01"), day("2027-05-31")}},
                {.kind = deposit, .amount = {1}, .due = day("2027-05-01"), .payee = payment_party::platform},
                {.kind = provider_platform_payment,
                 .amount = {9'999'999'999},
                 .due = day("2027-05-02"),
                 .payer = payment_party::platform}};
  return terms;
}

const std::string column =
    R"({"contract_type":"Traditional rental","check_in_time":"15:00","check_out_time":"11:00",)"
    R"("payment_terms":{"confirmation":["first_rent"],"check_in":["deposit"],"monthly_due_day":5},)"
    R"("bills_included":true,"bills_max_cents":6000,"cleaning_frequency":"monthly","plan":[)"
    R"({"kind":"rent","cents":65000,"due":"2027-04-20","nights":["2027-05-01","2027-05-31"]},)"
    R"({"kind":"deposit","cents":1,"due":"2027-05-01","payee":"platform"},)"
    R"({"kind":"provider_platform_payment","cents":9999999999,"due":"2027-05-02","payer":"platform"}]})";

domain::booking_terms read(const std::string& json) {
  domain::booking_terms terms;
  store::read_json(json, terms);
  return terms;
}

TEST(TermsColumn, LeavesOutWhatMostLinesOfAPlanSayAlike) {
  EXPECT_EQ(store::json_of(terms_with_every_kind_of_line()), column);
}

TEST(TermsColumn, IsReadAsItWasWritten) { EXPECT_EQ(read(column), terms_with_every_kind_of_line()); }

TEST(TermsColumn, HoldsTermsWithoutACapAndWithoutAPlan) {
  const domain::booking_terms bare;
  EXPECT_EQ(read(store::json_of(bare)), bare);
}

TEST(TermsColumn, RefusesWhatWasNotWritten) {
  const std::pair<const char*, const char*> edits[] = {
      {R"("kind":"rent",)", ""},
      {R"("rent")", R"("rant")"},
      {R"("cents":65000)", R"("cents":"65000")"},
      {R"("due":"2027-04-20")", R"("due":"2027-02-30")"},
      {R"(["2027-05-01","2027-05-31"])", R"(["2027-05-01"])"},
      {R"(["2027-05-01","2027-05-31"])", R"(["2027-05-01","2027-05-31","2027-06-01"])"},
      {R"("payee":"platform")", R"("payee":null)"},
      {R"("payer":"platform")", R"("payer":"nobody")"},
      {R"("bills_included":true)", R"("bills_included":1)"},
      {R"("check_out_time":"11:00",)", ""},
      {R"("plan":[)", R"("plan":[1,)"},
      {"}]}", "}]"},
  };
  for (const auto& [from, to] : edits) {
    const auto edited = boost::replace_first_copy(column, from, to);
    ASSERT_NE(edited, column) << from;
    EXPECT_THROW(read(edited), store::failure) << edited;
  }
}

} // namespace roost::testing::terms_column_test
