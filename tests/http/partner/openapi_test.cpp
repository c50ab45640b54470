#include "http/partner/partner_document.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <algorithm>

namespace roost::http::openapi_test {
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

route told(const char* method, const char* pattern, const operation* documented) {
  route made{method, pattern, body_policy::none, {}, nothing};
  made.documented = documented;
  return made;
}

rapidjson::Document document_of(domain::platform_kind kind, const std::vector<route>& routes) {
  const domain::platform platform{.name = "somebody", .kind = kind, .prefix = "some"};
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
  return value && value->IsString() ? value->GetString() : "nothing";
}

TEST(OpenApiDocument, TellsARouteWithItsParametersAndAnswers) {
  const auto document = document_of(domain::platform_kind::channel_manager,
                                    {told("GET", "/{landlordKey}/listings/{externalId}", &read_one)});
  EXPECT_EQ(text_at(document, "/openapi"), "3.1.0");
  const std::string here = "/paths/~1some~1{landlordKey}~1listings~1{externalId}/get";
  EXPECT_EQ(text_at(document, (here + "/operationId").c_str()), "readListing");
  EXPECT_EQ(text_at(document, (here + "/parameters/0/name").c_str()), "landlordKey");
  EXPECT_EQ(text_at(document, (here + "/parameters/1/name").c_str()), "externalId");
  EXPECT_EQ(text_at(document, (here + "/parameters/1/description").c_str()), "Your ID of the unit");
  EXPECT_EQ(text_at(document, (here + "/responses/200/content/application~1json/schema/$ref").c_str()),
            "#/components/schemas/Listing");
  for (const char* status : {"400", "401", "500", "503"})
    EXPECT_TRUE(at(document, (here + "/responses/" + status).c_str())) << status;
  for (const char* status : {"404", "410"}) // some operations have these, and say so themselves
    EXPECT_FALSE(at(document, (here + "/responses/" + status).c_str())) << status;
  EXPECT_FALSE(at(document, (here + "/requestBody").c_str()));
}

TEST(OpenApiDocument, TellsBodiesListsAndAnswersWithoutABody) {
  const auto document = document_of(domain::platform_kind::marketplace_b,
                                    {told("POST", "/bookings", &submit), told("GET", "/full", &read_all)});
  EXPECT_EQ(
      text_at(document, "/paths/~1some~1bookings/post/requestBody/content/application~1json/schema/$ref"),
      "#/components/schemas/BookingSubmission");
  const std::string all = "/paths/~1some~1full/get/responses";
  EXPECT_EQ(text_at(document, (all + "/200/content/application~1json/schema/items/$ref").c_str()),
            "#/components/schemas/MarketplaceBFullListing");
  EXPECT_TRUE(at(document, (all + "/304").c_str()));
  EXPECT_FALSE(at(document, (all + "/304/content").c_str()));
}

TEST(OpenApiDocument, HoldsTheSchemasThatItRefersToAndThoseThatTheyReferTo) {
  const auto document = document_of(domain::platform_kind::marketplace_b, {told("GET", "/full", &read_all)});
  const auto& schemas = *at(document, "/components/schemas");
  std::vector<std::string> names;
  for (const auto& schema : schemas.GetObject()) names.emplace_back(schema.name.GetString());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"Error", "LocalizedText", "MarketplaceBCost",
                                             "MarketplaceBFullListing"}));
}

TEST(OpenApiDocument, TellsOfMovedAccountsOnTheBookingEngineOnly) {
  EXPECT_TRUE(at(document_of(domain::platform_kind::booking_engine, {told("GET", "/x", &read_one)}),
                 "/paths/~1some~1x/get/responses/410"));
}

TEST(OpenApiDocument, TellsOfTheTokenWhereOneIsWanted) {
  const std::vector<route> routes{told("GET", "/x", &read_one)};
  const auto with = document_of(domain::platform_kind::marketplace_a, routes);
  EXPECT_TRUE(at(with, "/security/0/partner_token"));
  EXPECT_EQ(text_at(with, "/components/securitySchemes/partner_token/scheme"), "bearer");
  rapidjson::Document without;
  auto open = partner_document({.name = "open", .prefix = "open"}, "");
  open.wants_token = false;
  without.Parse(openapi_document(open, routes).c_str());
  EXPECT_EQ(at(without, "/security")->Size(), 0U);
  EXPECT_FALSE(at(without, "/components/securitySchemes"));
  EXPECT_TRUE(at(without, "/paths/~1open~1x/get/responses/400"));
  EXPECT_FALSE(at(without, "/paths/~1open~1x/get/responses/401"));
}

TEST(OpenApiDocument, OfMarketplaceATellsOfTheWebhookKeyInPlaceOfTheToken) {
  const std::vector<route> routes{told("GET", "/x", &read_one)};
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

TEST(OpenApiDocument, TellsTextsByTheirMediaType) {
  const operation poem{
      .id = "poem", .summary = "A", .responses = {{.description = "It", .text_type = "text/plain"}}};
  const auto document = document_of(domain::platform_kind::marketplace_a, {told("GET", "/poem", &poem)});
  const std::string here = "/paths/~1some~1poem/get/responses/200/content";
  EXPECT_EQ(text_at(document, (here + "/text~1plain/schema/type").c_str()), "string");
  EXPECT_EQ(at(document, here.c_str())->MemberCount(), 1U);
}

TEST(OpenApiDocument, LeavesOutRoutesThatAreNotToBeTold) {
  const auto document = document_of(domain::platform_kind::marketplace_a,
                                    {told("GET", "/x", nullptr), told("GET", "/y", &read_one)});
  EXPECT_EQ(at(document, "/paths")->MemberCount(), 1U);
}

TEST(OpenApiDocument, TellsErrorsOfOneStatusTogetherWithAnExampleEach) {
  const operation picky{
      .id = "picky",
      .summary = "It",
      .responses = {{200, "It", "Listing"}, unknown_id, unpriced_unit, {401, "No", "Error"}}};
  const auto document = document_of(domain::platform_kind::single_landlord, {told("GET", "/x", &picky)});
  const std::string here = "/paths/~1some~1x/get/responses";
  EXPECT_EQ(text_at(document, (here + "/404/description").c_str()),
            "No unit of the feed has this ID. Or: The unit has no usable rent");
  const auto examples = here + "/404/content/application~1json/examples";
  EXPECT_EQ(at(document, examples.c_str())->MemberCount(), 2U);
  EXPECT_EQ(text_at(document, (examples + "/1/value/message").c_str()),
            "Listing not found for somebody with externalId unknown");
  EXPECT_EQ(text_at(document, (examples + "/2/summary").c_str()), "The unit has no usable rent");
  EXPECT_EQ(text_at(document, (examples + "/2/value/message").c_str()), "Listing not available");
  EXPECT_EQ(text_at(document, (here + "/401/description").c_str()), "No"); // in place of the document's
  EXPECT_EQ(text_at(document, (here + "/401/content/application~1json/example/message").c_str()),
            "Unauthorized");
  EXPECT_EQ(at(document, (here + "/503/content/application~1json/examples").c_str())->MemberCount(), 2U);
}

TEST(OpenApiDocument, OfAWebhookHasANameOfItsOwnAndTheSamePrefix) {
  const domain::platform platform{
      .name = "somebody", .kind = domain::platform_kind::marketplace_b, .prefix = "some"};
  const auto api = webhook_document(platform, "https://roost.example");
  EXPECT_EQ(api.name, "some-webhook");
  EXPECT_EQ(api.prefix, "some");
  EXPECT_EQ(openapi_route(api, {}).pattern, "/some-webhook-json");
  for (const auto& [kind, apart] : {std::pair{domain::platform_kind::marketplace_a, false},
                                    {domain::platform_kind::marketplace_b, true},
                                    {domain::platform_kind::booking_engine, false}})
    EXPECT_EQ(has_webhook_document({.name = "somebody", .kind = kind, .prefix = "some"}), apart);
}

TEST(OpenApiDocument, OfAFeedWithoutItsAccountSaysThatItIsNotConfigured) {
  domain::platform platform{
      .name = "somebody", .kind = domain::platform_kind::single_landlord, .prefix = "some"};
  EXPECT_NE(partner_document(platform, "").description.find("not configured yet"), std::string::npos);
  platform.account = domain::uuid{};
  EXPECT_EQ(partner_document(platform, "").description.find("not configured yet"), std::string::npos);
}

TEST(OpenApiDocument, RefusesASchemaThatThereIsNot) {
  const operation wrong{.id = "wrong", .summary = "Wrong", .responses = {{200, "It", "Lising"}}};
  EXPECT_THROW(openapi_document({.prefix = "x"}, {told("GET", "/x", &wrong)}), std::logic_error);
}

TEST(OpenApiDocument, RefusesAParameterOfAPathThatNobodyDescribed) {
  const auto api = partner_document({.name = "x", .prefix = "x"}, "");
  EXPECT_THROW(openapi_document(api, {told("GET", "/{unit}", &read_one)}), std::logic_error);
}

} // namespace roost::http::openapi_test
