#include "http/partner/partner_api.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <algorithm>

namespace roost::http::partner_document_test {
const immediate_handler nothing = [](request&) { return empty(204); };

const operation read_one{.id = "readListing", .summary = "One", .responses = {{200, "It", "Listing"}}};
const operation read_all{
    .id = "listFull",
    .summary = "All",
    .responses = {{200, "They", "MarketplaceBFullListing", true}, {304, "As before", {}}}};
const operation submit{.id = "submit",
                       .summary = "In",
                       .body_schema = "BookingSubmission",
                       .responses = {{201, "On disk", "BookingReceipt"}}};

route documented(const char* method, const char* pattern, const operation* description) {
  route result{method, pattern, body_policy::none, {}, nothing};
  result.documented = description;
  return result;
}

rapidjson::Document document_of(domain::platform_kind kind, const std::vector<route>& routes) {
  const domain::platform platform{.name = "partner", .kind = kind, .prefix = "some"};
  const auto text = openapi_document(partner_document(platform, "https://roost.example"), routes);
  rapidjson::Document document;
  EXPECT_FALSE(document.Parse(text.c_str()).HasParseError());
  return document;
}

const rapidjson::Value* at(const rapidjson::Document& document, const char* pointer) {
  return rapidjson::Pointer(pointer).Get(document);
}

std::string text_at(const rapidjson::Document& document, const char* pointer) {
  const auto* value = at(document, pointer);
  return value && value->IsString() ? value->GetString() : "missing";
}

TEST(OpenApiDocument, DescribesARouteWithItsParametersAndResponses) {
  const auto document = document_of(domain::platform_kind::channel_manager,
                                    {documented("GET", "/{landlordKey}/listings/{externalId}", &read_one)});
  EXPECT_EQ(text_at(document, "/openapi"), "3.1.0");
  const std::string path = "/paths/~1some~1{landlordKey}~1listings~1{externalId}/get";
  EXPECT_EQ(text_at(document, (path + "/operationId").c_str()), "readListing");
  EXPECT_EQ(text_at(document, (path + "/parameters/0/name").c_str()), "landlordKey");
  EXPECT_EQ(text_at(document, (path + "/parameters/1/name").c_str()), "externalId");
  EXPECT_EQ(text_at(document, (path + "/parameters/1/description").c_str()), "Your ID of the unit");
  EXPECT_EQ(text_at(document, (path + "/responses/200/content/application~1json/schema/$ref").c_str()),
            "#/components/schemas/Listing");
  for (const char* status : {"400", "401", "500", "503"})
    EXPECT_TRUE(at(document, (path + "/responses/" + status).c_str())) << status;
  for (const char* status : {"404", "410"}) // only some operations have these, and declare them
    EXPECT_FALSE(at(document, (path + "/responses/" + status).c_str())) << status;
  EXPECT_FALSE(at(document, (path + "/requestBody").c_str()));
}

TEST(OpenApiDocument, DescribesBodiesListsAndResponsesWithoutABody) {
  const auto document =
      document_of(domain::platform_kind::marketplace_b,
                  {documented("POST", "/bookings", &submit), documented("GET", "/full", &read_all)});
  EXPECT_EQ(
      text_at(document, "/paths/~1some~1bookings/post/requestBody/content/application~1json/schema/$ref"),
      "#/components/schemas/BookingSubmission");
  const std::string all = "/paths/~1some~1full/get/responses";
  EXPECT_EQ(text_at(document, (all + "/200/content/application~1json/schema/items/$ref").c_str()),
            "#/components/schemas/MarketplaceBFullListing");
  EXPECT_TRUE(at(document, (all + "/304").c_str()));
  EXPECT_FALSE(at(document, (all + "/304/content").c_str()));
}

TEST(OpenApiDocument, ContainsTheSchemasThatItRefersToDirectlyOrIndirectly) {
  const auto document =
      document_of(domain::platform_kind::marketplace_b, {documented("GET", "/full", &read_all)});
  const auto& schemas = *at(document, "/components/schemas");
  std::vector<std::string> names;
  for (const auto& schema : schemas.GetObject()) names.emplace_back(schema.name.GetString());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"Error", "LocalizedText", "MarketplaceBCost",
                                             "MarketplaceBFullListing"}));
}

TEST(OpenApiDocument, DescribesMovedAccountsForTheBookingEngineOnly) {
  EXPECT_TRUE(at(document_of(domain::platform_kind::booking_engine, {documented("GET", "/x", &read_one)}),
                 "/paths/~1some~1x/get/responses/410"));
}

TEST(OpenApiDocument, DescribesTheTokenWhereOneIsRequired) {
  const std::vector<route> routes{documented("GET", "/x", &read_one)};
  const auto with_token = document_of(domain::platform_kind::marketplace_a, routes);
  EXPECT_TRUE(at(with_token, "/security/0/partner_token"));
  EXPECT_EQ(text_at(with_token, "/components/securitySchemes/partner_token/scheme"), "bearer");
  rapidjson::Document without_token;
  auto open = partner_document({.name = "open", .prefix = "open"}, "");
  open.wants_token = false;
  without_token.Parse(openapi_document(open, routes).c_str());
  EXPECT_EQ(at(without_token, "/security")->Size(), 0U);
  EXPECT_FALSE(at(without_token, "/components/securitySchemes"));
  EXPECT_TRUE(at(without_token, "/paths/~1open~1x/get/responses/400"));
  EXPECT_FALSE(at(without_token, "/paths/~1open~1x/get/responses/401"));
}

TEST(OpenApiDocument, OffersAWebhookKeyInsteadOfTheTokenForMarketplaceA) {
  const std::vector<route> routes{documented("GET", "/x", &read_one)};
  const auto of_a = document_of(domain::platform_kind::marketplace_a, routes);
  ASSERT_EQ(at(of_a, "/security")->Size(), 2U); // either is enough
  EXPECT_TRUE(at(of_a, "/security/1/webhook_key"));
  EXPECT_FALSE(at(of_a, "/security/0/webhook_key"));
  const std::string scheme = "/components/securitySchemes/webhook_key";
  EXPECT_EQ(text_at(of_a, (scheme + "/type").c_str()), "apiKey");
  EXPECT_EQ(text_at(of_a, (scheme + "/in").c_str()), "header");
  EXPECT_EQ(text_at(of_a, (scheme + "/name").c_str()), "x-api-key");
  const auto of_b = document_of(domain::platform_kind::marketplace_b, routes);
  EXPECT_EQ(at(of_b, "/security")->Size(), 1U);
  EXPECT_FALSE(at(of_b, scheme.c_str()));
}

TEST(OpenApiDocument, DescribesTextsByTheirMediaType) {
  const operation poem{
      .id = "poem", .summary = "A", .responses = {{.description = "It", .text_type = "text/plain"}}};
  const auto document =
      document_of(domain::platform_kind::marketplace_a, {documented("GET", "/poem", &poem)});
  const std::string path = "/paths/~1some~1poem/get/responses/200/content";
  EXPECT_EQ(text_at(document, (path + "/text~1plain/schema/type").c_str()), "string");
  EXPECT_EQ(at(document, path.c_str())->MemberCount(), 1U);
}

TEST(OpenApiDocument, OmitsUndocumentedRoutes) {
  const auto document = document_of(domain::platform_kind::marketplace_a,
                                    {documented("GET", "/x", nullptr), documented("GET", "/y", &read_one)});
  EXPECT_EQ(at(document, "/paths")->MemberCount(), 1U);
}

TEST(OpenApiDocument, GroupsErrorsByStatusWithAnExampleEach) {
  const operation picky{
      .id = "picky",
      .summary = "It",
      .responses = {{200, "It", "Listing"}, unknown_id, unpriced_unit, {401, "No", "Error"}}};
  const auto document =
      document_of(domain::platform_kind::single_landlord, {documented("GET", "/x", &picky)});
  const std::string path = "/paths/~1some~1x/get/responses";
  EXPECT_EQ(text_at(document, (path + "/404/description").c_str()),
            "No unit of the feed has this ID. Or: The unit has no usable rent");
  const auto examples = path + "/404/content/application~1json/examples";
  EXPECT_EQ(at(document, examples.c_str())->MemberCount(), 2U);
  EXPECT_EQ(text_at(document, (examples + "/1/value/message").c_str()),
            "Listing not found for partner with externalId unknown");
  EXPECT_EQ(text_at(document, (examples + "/2/summary").c_str()), "The unit has no usable rent");
  EXPECT_EQ(text_at(document, (examples + "/2/value/message").c_str()), "Listing not available");
  EXPECT_EQ(text_at(document, (path + "/401/description").c_str()), "No"); // in place of the document's
  EXPECT_EQ(text_at(document, (path + "/401/content/application~1json/example/message").c_str()),
            "Unauthorized");
  EXPECT_EQ(at(document, (path + "/503/content/application~1json/examples").c_str())->MemberCount(), 2U);
}

TEST(OpenApiDocument, HasItsOwnNameAndTheSamePrefixForAWebhook) {
  const domain::platform platform{
      .name = "partner", .kind = domain::platform_kind::marketplace_b, .prefix = "some"};
  const auto api = webhook_document(platform, "https://roost.example");
  EXPECT_EQ(api.name, "some-webhook");
  EXPECT_EQ(api.prefix, "some");
  EXPECT_EQ(openapi_route(api, {}).pattern, "/some-webhook-json");
  for (const auto& [kind, is_separate] : {std::pair{domain::platform_kind::marketplace_a, false},
                                          {domain::platform_kind::marketplace_b, true},
                                          {domain::platform_kind::booking_engine, false}})
    EXPECT_EQ(has_webhook_document({.name = "partner", .kind = kind, .prefix = "some"}), is_separate);
}

TEST(OpenApiDocument, StatesThatAFeedWithoutAnAccountIsNotConfigured) {
  domain::platform platform{
      .name = "partner", .kind = domain::platform_kind::single_landlord, .prefix = "some"};
  EXPECT_NE(partner_document(platform, "").description.find("not configured yet"), std::string::npos);
  platform.account = domain::uuid{};
  EXPECT_EQ(partner_document(platform, "").description.find("not configured yet"), std::string::npos);
}

TEST(OpenApiDocument, RefusesAnUnknownSchema) {
  const operation wrong{.id = "wrong", .summary = "Wrong", .responses = {{200, "It", "Lising"}}};
  EXPECT_THROW(openapi_document({.prefix = "x"}, {documented("GET", "/x", &wrong)}), std::logic_error);
}

TEST(OpenApiDocument, RefusesAnUndescribedPathParameter) {
  const auto api = partner_document({.name = "x", .prefix = "x"}, "");
  EXPECT_THROW(openapi_document(api, {documented("GET", "/{unit}", &read_one)}), std::logic_error);
}

} // namespace roost::http::partner_document_test
