#include "service/support/openapi.hpp"

#include <gtest/gtest.h>

#include <set>

/// GET /<prefix>-json: the OpenAPI document of each prefix, compared with the server's responses.
namespace roost::testing::openapi_test {
ROOST_FOR_SQLITE(OpenApi);

/// Returns units with all optional data and units with only the required data.
std::string rich_portfolio() {
  const std::string windows = R"([{"minStartDate":"2027-01-01","maxStartDate":"2099-02-01",)"
                              R"("minEndDate":"2099-06-15","maxEndDate":"2099-07-31"}])";
  const std::string blocks = R"([{"from":"2027-03-01","to":"2027-03-31","source":"manual"},)"
                             R"({"from":"2090-01-01","to":null,"source":"manual"}])";
  return portfolio_of(
      4, {{unit_pointer(0) + "/bookingWindows", windows},
          {unit_pointer(0) + "/blocks", blocks},
          {unit_pointer(0) + "/kind", R"("room")"},
          {unit_pointer(0) + "/adminFee",
           R"({"enabled":true,"mode":"tiered","tiers":[{"fromDays":1,"value":99.5}]})"},
          {unit_pointer(0) + "/title", R"({"en":"Bright room"})"},
          {unit_pointer(0) + "/features", R"(["desk"])"},
          {unit_pointer(0) + "/minStayMonths", "1"},
          {unit_pointer(0) + "/floor", R"("3B")"},
          {unit_pointer(0) + "/images", R"([{"url":"https://images.example/bed.jpg","placeholder":false}])"},
          {unit_pointer(1) + "/kind", R"("bed")"},
          {unit_pointer(1) + "/rent",
           R"({"fixed":false,"perMonth":[{"month":1,"rent":600},{"month":2,"rent":700}]})"},
          {unit_pointer(1) + "/deposit", R"({"mode":"fixed","value":500})"},
          {unit_pointer(2) + "/blocks", blocks},
          {property_pointer + "/address", R"({"city":"Madrid","latitude":40.5,"longitude":-3})"},
          {property_pointer + "/monthlyBills", "80"},
          {property_pointer + "/parking", "30"},
          {property_pointer + "/membershipFee", "25.5"},
          {property_pointer + "/cleaningFee", R"({"enabled":true,"value":45,"frequency":"monthly"})"},
          {property_pointer + "/features", R"(["elevator"])"},
          {property_pointer + "/description", R"({"en":"A long table"})"}});
}

bool creates(const openapi& spec, const openapi::operation& operation) {
  return spec.at({"paths", operation.path, operation.method, "responses", "201"}) != nullptr;
}

/// Checks the responses to a valid body, an invalid body, and requests that are refused before the body is
/// read.
template <typename Check>
void check_writing(const partner& partner, const openapi::operation& operation, const std::string& path,
                   const std::string& body, const header_fields& fields, unsigned status, Check check) {
  const bool put = operation.method == "put";
  check(send(partner, operation, path, body, fields), status);
  check(send(partner, operation, path, "{}", fields), 400);
  const auto refused = [&](header_fields more) {
    more.insert(more.end(), fields.begin(), fields.end());
    return send_request(partner.port(), put ? "PUT" : "POST", partner.prefix() + path, more, "{}");
  };
  check(refused({}), 401);
  check(refused({{"Authorization", "Bearer " + partner.token()}, {"Content-Type", "text/plain"}}), 415);
}

template <typename Check>
void check_deleting(const partner& partner, const openapi::operation& operation, const std::string& path,
                    Check check) {
  check(send(partner, operation, path, ""), is_of_hold(operation) ? 204 : 200);
  check(send_request(partner.port(), "DELETE", partner.prefix() + path), 401);
  check(partner.erase(is_of_hold(operation) ? "/holds/unknown" : "/bookings/unknown"), 404);
}

std::set<std::string> routes_of(const std::string& document) {
  const auto path = "/" + prefix_of(document);
  if (document == "marketplace-b-webhook") return {"post " + path + "/{landlordKey}/webhook"};
  std::set<std::string> all{"get " + path + "/listings",
                            "get " + path + "/listings/{externalId}",
                            "get " + path + "/listings/{externalId}/quote",
                            "post " + path + "/bookings",
                            "put " + path + "/bookings/{bookingId}",
                            "delete " + path + "/bookings/{bookingId}",
                            "put " + path + "/bookings/{bookingId}/changes/{changeId}",
                            "get " + path + "/bookings/{bookingId}/changes/{changeId}",
                            "get " + path + "/bookings/{bookingId}",
                            "put " + path + "/holds/{holdId}",
                            "delete " + path + "/holds/{holdId}",
                            "get " + path + "/bookings"};
  if (document.starts_with("marketplace-"))
    for (const auto* full : {"/{landlordKey}/listings/full", "/{landlordKey}/listings/{externalId}/full"})
      all.insert("get " + path + full);
  if (document == "booking-engine")
    all.insert({"put " + path + "/listing", "post " + path + "/property-listing",
                "get " + path + "/listings/{externalId}/housemates"});
  if (document == "marketplace-a") all.insert("post " + path + "/webhook");
  return all;
}

TEST_P(OpenApi, DescribesExactlyTheRoutesOfItsPrefix) {
  workplace place(GetParam());
  const running_roost server(place);
  for (const auto& document : partner_documents) {
    std::set<std::string> routes;
    for (const auto& [method, path] : document_of(server, document).operations())
      routes.insert(method + " " + path);
    EXPECT_EQ(routes, routes_of(document));
  }
}

TEST_P(OpenApi, DescribesTheCalendarExportWithoutAToken) {
  workplace place(GetParam());
  place.import(portfolio_of(
      1, {{unit_pointer(0) + "/blocks", R"([{"from":"2099-03-01","to":null,"source":"manual"}])"}}));
  const running_roost server(place);
  const auto spec = document_of(server, "ical-integration");
  ASSERT_EQ(spec.operations().size(), 2U);
  EXPECT_EQ(spec.at({"security"})->Size(), 0U);
  for (const auto& operation : spec.operations()) {
    const auto read = [&](const std::string& id, const header_fields& fields = {}) {
      auto path = operation.path;
      return send_request(server.port(), "GET", path.replace(path.find("{listingId}"), 11, id), fields);
    };
    const auto found = read(unit_id(1));
    EXPECT_EQ(found.header("content-type"), "text/calendar; charset=utf-8");
    EXPECT_TRUE(spec.at({"paths", operation.path, "get", "responses", "200", "content", "text/calendar"}));
    for (const auto& other :
         {read("not-a-uuid"), read(unit_id(2)), read(unit_id(1), {{"If-None-Match", found.header("etag")}})})
      EXPECT_EQ(spec.mismatch(operation, other.status, other.body), "") << other.status;
    EXPECT_FALSE(spec.at({"paths", operation.path, "get", "responses", "401"}));
  }
}

TEST_P(OpenApi, IsServedWithoutCredentialsAndWithATag) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto response = send_request(server.port(), "GET", "/marketplace-b-json");
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(json_at(response.body, "/openapi"), R"("3.1.0")");
  const auto again =
      send_request(server.port(), "GET", "/marketplace-b-json", {{"If-None-Match", response.header("etag")}});
  EXPECT_EQ(again.status, 304U);
  EXPECT_EQ(send_request(server.port(), "POST", "/marketplace-b-json").status, 404U);
  for (const auto* none : {"/nobody-json", "/marketplace-a-webhook-json"})
    EXPECT_EQ(send_request(server.port(), "GET", none).status, 404U);
}

/// Checks the responses to reads of this unit, of two others and of an unknown one.
template <typename Check>
void check_reading(const partner& partner, const openapi::operation& operation, const std::string& prefix,
                   const std::string& id, Check check) {
  const auto path = [&](const std::string& key, const std::string& unit) {
    return path_below(prefix, operation.path, key, unit);
  };
  const auto found = partner.get(path("casa-verde", id));
  check(found, 200);
  check(send_request(partner.port(), "GET", partner.prefix() + path("casa-verde", id)), 401);
  if (!found.header("etag").empty())
    check(partner.get(path("casa-verde", id), {{"If-None-Match", found.header("etag")}}), 304);
  if (operation.path.find("{externalId}") != std::string::npos)
    for (const auto* other : {"u2", "u3", "nobody"}) {
      const auto more = partner.get(path("casa-verde", other));
      check(more, more.status == 200 ? 200 : 404);
    }
  if (operation.path.find("{landlordKey}") != std::string::npos) check(partner.get(path("%20", id)), 400);
}

TEST_P(OpenApi, NamesTheConfiguredBaseUrl) {
  workplace place(GetParam());
  place.set("server.base_url", R"("https://host.example/roost")");
  const running_roost server(place);
  for (const auto& document : partner_documents)
    EXPECT_EQ(json_at(send_request(server.port(), "GET", "/" + document + "-json").body, "/servers"),
              R"([{"url":"https://host.example/roost"}])")
        << document;
}

TEST_P(OpenApi, MatchesEveryResponseOfEveryOperation) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"1h\""); // no booking is refused before it is changed
  place.import(rich_portfolio());
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& document : partner_documents) {
    const auto prefix = prefix_of(document);
    const auto spec = document_of(server, document);
    const auto partner = server.partner_of(prefix);
    const auto id = prefix == "landlord-one" ? unit_id(1) : std::string{"u1"};
    for (const auto& operation : spec.operations()) {
      const auto check = [&](const raw_response& response, unsigned status) {
        EXPECT_EQ(response.status, status) << operation.method << " " << operation.path;
        EXPECT_EQ(spec.mismatch(operation, response.status, response.body), "")
            << operation.method << " " << operation.path << " " << response.status << "\n"
            << response.body;
      };
      if (operation.method == "get")
        check_reading(partner, operation, prefix, id, check);
      else if (operation.method == "delete")
        check_deleting(partner, operation, path_below(prefix, operation.path, "casa-verde", id), check);
      else
        check_writing(partner, operation, path_below(prefix, operation.path, "casa-verde", id),
                      body_for(operation.path, id),
                      spec.needs_header(operation, "svc-api-key") ? with_key : header_fields{},
                      creates(spec, operation) ? 201 : 200, check);
    }
  }
}

TEST_P(OpenApi, DescribesEntityTags) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {}));
  const running_roost server(place);
  for (const auto& document : partner_documents) {
    const auto prefix = prefix_of(document);
    const auto spec = document_of(server, document);
    for (const auto& operation : spec.operations()) {
      if (operation.method != "get") continue;
      const auto id = prefix == "landlord-one" ? unit_id(1) : std::string{"u1"};
      const auto response =
          server.partner_of(prefix).get(path_below(prefix, operation.path, "casa-verde", id));
      EXPECT_EQ(spec.documents_header(operation, 200, "ETag"), !response.header("etag").empty())
          << operation.path;
      EXPECT_EQ(spec.needs_header(operation, "If-None-Match"), spec.documents_header(operation, 304, "ETag"))
          << operation.path;
    }
  }
}

TEST(OpenApiReader, DetectsMismatches) {
  const openapi spec(R"({"paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
    {"type":"array","items":{"$ref":"#/components/schemas/Row"}}}}}}}}},
    "components":{"schemas":{"Row":{"type":"object","properties":{"a":{"type":["integer","null"]}},"required":["a"]}}}})");
  const openapi::operation read{"get", "/x"};
  EXPECT_EQ(spec.mismatch(read, 200, R"([{"a":1},{"a":null}])"), "");
  EXPECT_NE(spec.mismatch(read, 200, R"([{"a":"1"}])"), "");
  EXPECT_NE(spec.mismatch(read, 200, R"([{"a":1,"b":2}])"), "");
  EXPECT_NE(spec.mismatch(read, 200, "[{}]"), "");
  EXPECT_NE(spec.mismatch(read, 200, "{}"), "");
  EXPECT_NE(spec.mismatch(read, 404, "{}"), "");
}

} // namespace roost::testing::openapi_test
