#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

/// The examples of the OpenAPI documents: of parameters, of bodies and of answers.
namespace roost::testing::openapi_examples_test {
ROOST_FOR_EACH_STORE(OpenApiExamples);

/// The path with the examples of its parameters.
std::string with_examples(const openapi& told, const openapi::operation& operation) {
  auto path = operation.path;
  const auto* parameters = told.at({"paths", operation.path, operation.method, "parameters"});
  if (!parameters) return path;
  for (const auto& parameter : parameters->GetArray()) {
    if (parameter["in"] != "path") continue;
    const auto name = "{" + std::string(parameter["name"].GetString()) + "}";
    path.replace(path.find(name), name.size(),
                 parameter.HasMember("example") ? parameter["example"].GetString() : "no-example");
  }
  return path;
}

/// The demo's landlord-four is there to show a feed that is not configured.
unsigned expected_status(const openapi& told, const std::string& document,
                         const openapi::operation& operation) {
  if (document == "landlord-four") return 503;
  return told.at({"paths", operation.path, operation.method, "responses", "201"}) ? 201 : 200;
}

TEST_P(OpenApiExamples, AreKnownToTheDemoPortfolio) {
  workplace place(GetParam());
  place.run_or_throw({"import", std::string(ROOST_SOURCE_DIR) + "/config/demo-portfolio.json"});
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& document : partner_documents_with({"landlord-two", "landlord-three", "landlord-four"})) {
    const auto prefix = prefix_of(document);
    const auto told = document_of(server, document);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : told.operations()) {
      const auto path = with_examples(told, operation).substr(prefix.size() + 1);
      const auto got = send(partner, operation, path, told.body_example(operation), with_key);
      EXPECT_EQ(got.status, expected_status(told, document, operation))
          << operation.method << " " << prefix << path << " " << got.body;
      EXPECT_EQ(told.mismatch(operation, got.status, got.body), "") << prefix << path;
      if (got.status >= 400) {
        EXPECT_THAT(told.messages(operation, got.status), ::testing::Contains(message_of(got)));
      }
    }
  }
  const auto calendar = document_of(server, "ical-integration");
  for (const auto& operation : calendar.operations())
    EXPECT_EQ(send_request(server.port(), "GET", with_examples(calendar, operation)).status, 200U);
}

TEST_P(OpenApiExamples, AreWhatTheirSchemasSay) {
  workplace place(GetParam());
  const running_roost server(place);
  std::set<std::string> seen;
  for (const auto& document : partner_documents) {
    const auto told = document_of(server, document);
    for (const auto& schema : told.at({"components", "schemas"})->GetObject()) {
      const std::string name = schema.name.GetString();
      if (!schema.value.HasMember("examples") || !seen.insert(name).second) continue;
      for (const auto& example : schema.value["examples"].GetArray()) {
        rapidjson::StringBuffer text;
        rapidjson::Writer<rapidjson::StringBuffer> writer(text);
        example.Accept(writer);
        EXPECT_EQ(told.mismatch_of_schema(name, text.GetString()), "") << name;
      }
    }
  }
  for (const auto* name :
       {"Error", "Listing", "BookingSubmission", "BookingReceipt", "MarketplaceAFullListing",
        "MarketplaceBFullListing", "MarketplaceCFullListing", "MarketplaceDFullListing", "MarketplaceAEvent",
        "MarketplaceBEvent", "WebhookAnswer", "ListingUpdate", "PropertyCreation", "CreatedProperty",
        "Housemate"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

} // namespace roost::testing::openapi_examples_test
