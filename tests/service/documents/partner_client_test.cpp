#include "service/support/child_process.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

/// A linter of OpenAPI documents and a client generated from one, as a partner's engineer uses them. Their
/// programs are in interop/.
namespace roost::testing::partner_client_test {

constexpr std::chrono::seconds program_timeout{120};

const std::vector<std::string> documents{
    "marketplace-a",  "marketplace-b",   "marketplace-b-webhook", "marketplace-c",    "marketplace-d",
    "booking-engine", "channel-manager", "room-sharing",          "student-housing",  "landlord-one",
    "landlord-two",   "landlord-three",  "landlord-four",         "ical-integration", "management"};

TEST(PartnerClients, AreGeneratedFromValidDocumentsAndBook) {
  workplace place(store_kind::sqlite);
  place.set("bookings.cycle", "\"100ms\"");
  place.run_or_throw({"import", std::string(ROOST_SOURCE_DIR) + "/config/demo-portfolio.json"});
  const auto token = place.issue_token("marketplace-a");
  const running_roost server(place);
  const tests::temporary_folder folder;
  std::string all, clean;
  for (const auto& name : documents) {
    all += (all.empty() ? "" : " ") + name;
    clean += name + ": clean\n";
  }
  child_process program({.program = ROOST_INTEROP "/node",
                         .arguments = {ROOST_INTEROP "/partner_client.mjs"},
                         .folder = folder.path(),
                         .environment = {{"BASE", "http://127.0.0.1:" + std::to_string(server.port())},
                                         {"DOCUMENTS", all},
                                         {"TOKEN", token},
                                         {"FOLDER", folder.path().string()}}});
  EXPECT_EQ(program.wait_for_end(program_timeout), 0) << program.errors();
  EXPECT_EQ(program.output(), clean +
                                  "booked at 683 a month, 1 receipt; then checkInDate must be a valid ISO "
                                  "8601 date string\n");
  EXPECT_TRUE(eventually([&] {
    return place.run_or_throw({"booking", "list"}).find("Ada Marsh") != std::string::npos;
  }));
}

} // namespace roost::testing::partner_client_test
