#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

/// The examples of parameters, bodies and responses in the OpenAPI documents.
namespace roost::testing::openapi_examples_test {
ROOST_FOR_SQLITE(OpenApiExamples);

/// Returns the path with the examples of its parameters, and those of required fields of its query.
std::string with_examples(const openapi& spec, const openapi::operation& operation) {
  auto path = operation.path;
  const auto* parameters = spec.at({"paths", operation.path, operation.method, "parameters"});
  if (!parameters) return path;
  for (const auto& parameter : parameters->GetArray()) {
    if (parameter["in"] == "query" && parameter["required"].GetBool())
      path.append(path.find('?') == std::string::npos ? "?" : "&")
          .append(parameter["name"].GetString())
          .append("=")
          .append(parameter["example"].GetString());
    if (parameter["in"] != "path") continue;
    const auto name = "{" + std::string(parameter["name"].GetString()) + "}";
    path.replace(path.find(name), name.size(),
                 parameter.HasMember("example") ? parameter["example"].GetString() : "no-example");
  }
  return path;
}

/// The demo's landlord-four shows a feed that is not configured. The example of a booking's PUT repeats that
/// of its POST.
unsigned expected_status(const openapi& spec, const std::string& document,
                         const openapi::operation& operation) {
  if (document == "landlord-four") return 503;
  const bool creates = spec.at({"paths", operation.path, operation.method, "responses", "201"}) != nullptr;
  if (is_of_hold(operation) && operation.method == "delete") return 204;
  const bool repeats = operation.method == "put" && !is_of_change(operation) && !is_of_hold(operation);
  return creates && !repeats ? 201 : 200;
}

TEST_P(OpenApiExamples, MatchTheDemoPortfolio) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"1h\""); // no booking is refused before it is changed
  place.run_or_throw({"import", std::string(ROOST_SOURCE_DIR) + "/config/demo-portfolio.json"});
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& document : partner_documents_with({"landlord-two", "landlord-three", "landlord-four"})) {
    const auto prefix = prefix_of(document);
    const auto spec = document_of(server, document);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : spec.operations()) {
      const auto path = with_examples(spec, operation).substr(prefix.size() + 1);
      const auto response = send(partner, operation, path, spec.body_example(operation), with_key);
      EXPECT_EQ(response.status, expected_status(spec, document, operation))
          << operation.method << " " << prefix << path << " " << response.body;
      EXPECT_EQ(spec.mismatch(operation, response.status, response.body), "") << prefix << path;
      if (response.status >= 400) {
        EXPECT_THAT(spec.messages(operation, response.status), ::testing::Contains(message_of(response)));
      }
    }
  }
  const auto calendar = document_of(server, "ical-integration");
  for (const auto& operation : calendar.operations())
    EXPECT_EQ(send_request(server.port(), "GET", with_examples(calendar, operation)).status, 200U);
}

TEST_P(OpenApiExamples, MatchTheirSchemas) {
  workplace place(GetParam());
  const running_roost server(place);
  std::set<std::string> seen;
  for (const auto& document : partner_documents) {
    const auto spec = document_of(server, document);
    for (const auto& schema : spec.at({"components", "schemas"})->GetObject()) {
      const std::string name = schema.name.GetString();
      if (!schema.value.HasMember("examples") || !seen.insert(name).second) continue;
      for (const auto& example : schema.value["examples"].GetArray()) {
        rapidjson::StringBuffer text;
        rapidjson::Writer<rapidjson::StringBuffer> writer(text);
        example.Accept(writer);
        EXPECT_EQ(spec.mismatch_of_schema(name, text.GetString()), "") << name;
      }
    }
  }
  for (const auto* name :
       {"Error", "Listing", "BookingSubmission", "BookingReceipt", "BookingOutcome", "BookingChange",
        "BookingChangeReceipt", "BookingChangeOutcome", "MarketplaceAFullListing", "MarketplaceBFullListing",
        "MarketplaceCFullListing", "MarketplaceDFullListing", "MarketplaceAEvent", "MarketplaceBEvent",
        "WebhookAnswer", "ListingUpdate", "PropertyCreation", "CreatedProperty", "Housemate"})
    EXPECT_TRUE(seen.contains(name)) << name;
  for (const auto* name : {"HoldingBookingSubmission", "Hold", "HoldReceipt"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

} // namespace roost::testing::openapi_examples_test
