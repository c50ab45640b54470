#include "service/support/openapi.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>

/// GET /<prefix>-json: what each prefix's OpenAPI document says, against what the server answers.
namespace roost::testing::openapi_test {
ROOST_FOR_EACH_STORE(OpenApi);

const std::vector<std::string> prefixes{"marketplace-a", "marketplace-b",   "marketplace-c",
                                        "marketplace-d", "booking-engine",  "channel-manager",
                                        "room-sharing",  "student-housing", "landlord-one"};

openapi document_of(const running_roost& server, const std::string& prefix) {
  return openapi{ask(server.port(), "GET", "/" + prefix + "-json").body};
}

/// Units with everything that a listing can show, and with as little as there can be.
std::string rich_portfolio() {
  const std::string windows = R"([{"minStartDate":"2027-01-01","maxStartDate":"2099-02-01",)"
                              R"("minEndDate":"2099-06-15","maxEndDate":"2099-07-31"}])";
  const std::string blocks = R"([{"from":"2027-03-01","to":"2027-03-31","source":"manual"},)"
                             R"({"from":"2090-01-01","to":null,"source":"manual"}])";
  return portfolio_of(
      4, {{unit_at(0) + "/bookingWindows", windows},
          {unit_at(0) + "/blocks", blocks},
          {unit_at(0) + "/kind", R"("room")"},
          {unit_at(0) + "/adminFee",
           R"({"enabled":true,"mode":"tiered","tiers":[{"fromDays":1,"value":99.5}]})"},
          {unit_at(0) + "/title", R"({"en":"Bright room"})"},
          {unit_at(0) + "/features", R"(["desk"])"},
          {unit_at(0) + "/minStayMonths", "1"},
          {unit_at(0) + "/floor", R"("3B")"},
          {unit_at(0) + "/images", R"([{"url":"https://images.example/bed.jpg","placeholder":false}])"},
          {unit_at(1) + "/kind", R"("bed")"},
          {unit_at(1) + "/rent",
           R"({"fixed":false,"perMonth":[{"month":1,"rent":600},{"month":2,"rent":700}]})"},
          {unit_at(1) + "/deposit", R"({"mode":"fixed","value":500})"},
          {unit_at(2) + "/blocks", blocks},
          {the_property + "/address", R"({"city":"Madrid","latitude":40.5,"longitude":-3})"},
          {the_property + "/monthlyBills", "80"},
          {the_property + "/parking", "30"},
          {the_property + "/membershipFee", "25.5"},
          {the_property + "/cleaningFee", R"({"enabled":true,"value":45,"frequency":"monthly"})"},
          {the_property + "/features", R"(["elevator"])"},
          {the_property + "/description", R"({"en":"A long table"})"}});
}

std::string with_values(std::string path, const std::string& landlord_key, const std::string& id) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"{landlordKey}", landlord_key}, {"{externalId}", id}})
    if (const auto at = path.find(name); at != std::string::npos) path.replace(at, name.size(), value);
  return path;
}

/// What an operation takes.
std::string body_for(const std::string& path, const std::string& id) {
  if (path == "/marketplace-a/webhook")
    return R"({"event":"booking-paid","offer_api_reference":")" + id + R"(","booking_id":7,)" +
           R"("move_in_date":"2099-01-01","move_out_date":"2099-02-01","contract_price_amount":68300})";
  if (path == "/marketplace-b/{landlordKey}/webhook")
    return R"({"notification_type":"booking_paid","listing_external_reference":")" + id + R"(",)" +
           R"("booking_uuid":"7","booking_start_date":"2099-01-01","booking_end_date":"2099-02-01"})";
  if (path == "/booking-engine/listing") return listing_update(id);
  if (path == "/booking-engine/property-listing") return engine_property("P1", 2);
  return booking(id, 30, 60);
}

/// A good body, one that is not, and what is refused before it is read.
template <typename Check>
void check_writing(const partner& partner, const openapi::told_operation& operation, const std::string& path,
                   const std::string& body, const header_fields& fields, Check check) {
  const bool put = operation.method == "put";
  const auto write = [&](const std::string& json) {
    return put ? partner.put(path, json, fields) : partner.post(path, json, fields);
  };
  check(write(body), put ? 200 : 201);
  check(write("{}"), 400);
  const auto refused = [&](header_fields more) {
    more.insert(more.end(), fields.begin(), fields.end());
    return ask(partner.port(), put ? "PUT" : "POST", partner.prefix() + path, more, "{}");
  };
  check(refused({}), 401);
  check(refused({{"Authorization", "Bearer " + partner.token()}, {"Content-Type", "text/plain"}}), 415);
}

TEST_P(OpenApi, TellsExactlyTheRoutesOfItsPrefix) {
  workplace place(GetParam());
  const running_roost server(place);
  for (const auto& prefix : prefixes) {
    std::set<std::string> expected{"get /" + prefix + "/listings",
                                   "get /" + prefix + "/listings/{externalId}",
                                   "post /" + prefix + "/bookings"};
    if (prefix.starts_with("marketplace-"))
      for (const auto* full : {"/{landlordKey}/listings/full", "/{landlordKey}/listings/{externalId}/full"})
        expected.insert("get /" + prefix + full);
    if (prefix == "booking-engine")
      for (const auto* own : {"put /booking-engine/listing", "post /booking-engine/property-listing",
                              "get /booking-engine/listings/{externalId}/housemates"})
        expected.insert(own);
    if (prefix == "marketplace-a") expected.insert("post /marketplace-a/webhook");
    if (prefix == "marketplace-b") expected.insert("post /marketplace-b/{landlordKey}/webhook");
    std::set<std::string> told;
    for (const auto& [method, path] : document_of(server, prefix).operations())
      told.insert(method + " " + path);
    EXPECT_EQ(told, expected);
  }
}

TEST_P(OpenApi, TellsTheCalendarExportAndThatItWantsNoToken) {
  workplace place(GetParam());
  place.import(
      portfolio_of(1, {{unit_at(0) + "/blocks", R"([{"from":"2099-03-01","to":null,"source":"manual"}])"}}));
  const running_roost server(place);
  const auto told = document_of(server, "ical-integration");
  ASSERT_EQ(told.operations().size(), 2U);
  EXPECT_EQ(told.at({"security"})->Size(), 0U);
  for (const auto& operation : told.operations()) {
    const auto read = [&](const std::string& id, const header_fields& fields = {}) {
      auto path = operation.path;
      return ask(server.port(), "GET", path.replace(path.find("{listingId}"), 11, id), fields);
    };
    const auto found = read(unit_id(1));
    EXPECT_EQ(found.header("content-type"), "text/calendar; charset=utf-8");
    EXPECT_TRUE(told.at({"paths", operation.path, "get", "responses", "200", "content", "text/calendar"}));
    for (const auto& other :
         {read("not-a-uuid"), read(unit_id(2)), read(unit_id(1), {{"If-None-Match", found.header("etag")}})})
      EXPECT_EQ(told.mismatch(operation, other.status, other.body), "") << other.status;
    EXPECT_FALSE(told.at({"paths", operation.path, "get", "responses", "401"}));
  }
}

TEST_P(OpenApi, IsServedWithoutCredentialsAndWithATag) {
  workplace place(GetParam());
  const running_roost server(place);
  const auto answer = ask(server.port(), "GET", "/marketplace-b-json");
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.header("content-type"), "application/json; charset=utf-8");
  EXPECT_EQ(json_at(answer.body, "/openapi"), R"("3.1.0")");
  const auto again =
      ask(server.port(), "GET", "/marketplace-b-json", {{"If-None-Match", answer.header("etag")}});
  EXPECT_EQ(again.status, 304U);
  EXPECT_EQ(ask(server.port(), "POST", "/marketplace-b-json").status, 404U);
  EXPECT_EQ(ask(server.port(), "GET", "/nobody-json").status, 404U);
}

TEST_P(OpenApi, HoldsForEveryAnswerOfEveryOperation) {
  workplace place(GetParam());
  place.import(rich_portfolio());
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& prefix : prefixes) {
    const auto told = document_of(server, prefix);
    const auto partner = server.partner_of(prefix);
    const auto id = prefix == "landlord-one" ? unit_id(1) : std::string{"u1"};
    for (const auto& operation : told.operations()) {
      const auto check = [&](const answer& got, unsigned status) {
        EXPECT_EQ(got.status, status) << operation.method << " " << operation.path;
        EXPECT_EQ(told.mismatch(operation, got.status, got.body), "")
            << operation.method << " " << operation.path << " " << got.status << "\n"
            << got.body;
      };
      const auto path = with_values(operation.path, "casa-verde", id).substr(prefix.size() + 1);
      if (operation.method != "get") {
        check_writing(partner, operation, path, body_for(operation.path, id),
                      told.needs_header(operation, "svc-api-key") ? with_key : header_fields{}, check);
        continue;
      }
      const auto found = partner.get(path);
      check(found, 200);
      check(ask(server.port(), "GET", "/" + prefix + path), 401);
      if (!found.header("etag").empty())
        check(partner.get(path, {{"If-None-Match", found.header("etag")}}), 304);
      if (operation.path.find("{externalId}") != std::string::npos)
        for (const auto* other : {"u2", "u3", "nobody"}) {
          const auto more =
              partner.get(with_values(operation.path, "casa-verde", other).substr(prefix.size() + 1));
          check(more, more.status == 200 ? 200 : 404);
        }
      if (operation.path.find("{landlordKey}") != std::string::npos)
        check(partner.get(with_values(operation.path, "%20", id).substr(prefix.size() + 1)), 400);
    }
  }
}

/// The path with the examples of its parameters.
std::string with_examples(const openapi& told, const openapi::told_operation& operation) {
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

TEST_P(OpenApi, HasExamplesThatTheDemoPortfolioKnows) {
  workplace place(GetParam());
  place.run_well({"import", std::string(ROOST_SOURCE_DIR) + "/config/demo-portfolio.json"});
  const running_roost server(place);
  for (const auto& prefix : prefixes) {
    const auto told = document_of(server, prefix);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : told.operations()) {
      const auto path = with_examples(told, operation).substr(prefix.size() + 1);
      if (operation.method == "get") {
        EXPECT_EQ(partner.get(path).status, 200U) << prefix << path;
      }
      if (path != "/bookings") continue;
      rapidjson::StringBuffer text;
      rapidjson::Writer<rapidjson::StringBuffer> writer(text);
      (*told.at({"components", "schemas", "BookingSubmission", "examples"}))[0].Accept(writer);
      EXPECT_EQ(partner.post(path, text.GetString()).status, 201U) << prefix << text.GetString();
    }
  }
  const auto calendar = document_of(server, "ical-integration");
  for (const auto& operation : calendar.operations())
    EXPECT_EQ(ask(server.port(), "GET", with_examples(calendar, operation)).status, 200U);
}

/// What the example of an error says.
std::string example_message(const openapi& told, const openapi::told_operation& of,
                            const std::string& status) {
  const auto* message = told.at({"paths", of.path, of.method, "responses", status, "content",
                                 "application/json", "example", "message"});
  return message ? message->GetString() : "no example";
}

TEST_P(OpenApi, HasErrorsThatSayWhatTheServerSays) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {}));
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& prefix : prefixes) {
    const auto told = document_of(server, prefix);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : told.operations()) {
      const auto path = with_values(operation.path, "casa-verde", "unknown").substr(prefix.size() + 1);
      const auto said = [&](const answer& got) {
        const auto quoted = json_at(got.body, "/message");
        return quoted.substr(1, quoted.size() - 2);
      };
      const auto expected = [&](unsigned status) {
        return example_message(told, operation, std::to_string(status));
      };
      if (operation.method == "get") {
        EXPECT_EQ(said(ask(server.port(), "GET", "/" + prefix + path)), expected(401)) << path;
        if (operation.path.ends_with("{externalId}")) {
          EXPECT_EQ(said(partner.get(path)), expected(404)) << prefix << path;
        }
        continue;
      }
      const auto wrong =
          operation.method == "put" ? partner.put(path, "{}", with_key) : partner.post(path, "{}", with_key);
      EXPECT_THAT(said(wrong), ::testing::HasSubstr(expected(400).substr(0, expected(400).find(','))))
          << path;
      EXPECT_EQ(expected(415), "Unsupported Media Type");
    }
    EXPECT_EQ(example_message(told, told.operations().front(), "500"), "Internal server error");
  }
}

TEST_P(OpenApi, TellsTheTagsAndTheWaitThatAreAnswered) {
  workplace place(GetParam());
  place.import(portfolio_of(1, {}));
  const running_roost server(place);
  for (const auto& prefix : prefixes) {
    const auto told = document_of(server, prefix);
    for (const auto& operation : told.operations()) {
      const auto header = [&](const std::string& status, const std::string& name) {
        return told.at({"paths", operation.path, operation.method, "responses", status, "headers", name}) !=
               nullptr;
      };
      EXPECT_TRUE(header("503", "Retry-After")) << operation.path;
      if (operation.method != "get") continue;
      const auto id = prefix == "landlord-one" ? unit_id(1) : std::string{"u1"};
      const auto got = server.partner_of(prefix).get(
          with_values(operation.path, "casa-verde", id).substr(prefix.size() + 1));
      EXPECT_EQ(header("200", "ETag"), !got.header("etag").empty()) << operation.path;
      EXPECT_EQ(told.needs_header(operation, "If-None-Match"), header("304", "ETag")) << operation.path;
    }
  }
}

TEST_P(OpenApi, HasExamplesThatAreWhatTheirSchemasSay) {
  workplace place(GetParam());
  const running_roost server(place);
  std::set<std::string> seen;
  for (const auto& prefix : prefixes) {
    const auto told = document_of(server, prefix);
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

/// What a document tells fields and parameters by: the places of those without a description, or with one
/// that says no more than the name.
class undescribed {
public:
  explicit undescribed(const openapi& told) {
    for (const auto& schema : (*told.at({"components", "schemas"})).GetObject())
      look_at(schema.value, schema.name.GetString());
    for (const auto& [method, path] : told.operations())
      if (const auto* parameters = told.at({"paths", path, method, "parameters"}))
        for (const auto& parameter : parameters->GetArray())
          check(parameter, parameter["name"].GetString(), method + " " + path);
  }

  const std::vector<std::string>& places() const { return places_; }

private:
  void look_at(const rapidjson::Value& in, const std::string& place) {
    if (in.IsArray())
      for (const auto& each : in.GetArray()) look_at(each, place);
    if (!in.IsObject()) return;
    for (const auto& member : in.GetObject()) {
      const std::string name = member.name.GetString();
      if (name == "properties")
        for (const auto& field : member.value.GetObject()) {
          check(field.value, field.name.GetString(), place);
          look_at(field.value, place + "." + field.name.GetString());
        }
      else if (name != "examples")
        look_at(member.value, place);
    }
  }

  void check(const rapidjson::Value& of, const std::string& name, const std::string& place) {
    const auto description = of.FindMember("description");
    if (description == of.MemberEnd() || letters_of(description->value.GetString()).empty() ||
        letters_of(description->value.GetString()) == letters_of(name))
      places_.push_back(place + "." + name);
  }

  static std::string letters_of(std::string_view text) {
    std::string letters;
    for (const unsigned char c : text)
      if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
    return letters;
  }

  std::vector<std::string> places_;
};

TEST_P(OpenApi, DescribesEveryFieldAndEveryParameter) {
  workplace place(GetParam());
  const running_roost server(place);
  auto documents = prefixes;
  documents.insert(documents.end(), {"ical-integration", "management"});
  for (const auto& prefix : documents)
    EXPECT_THAT(undescribed(document_of(server, prefix)).places(), ::testing::IsEmpty()) << prefix;
}

TEST(OpenApiReader, SeesFieldsAndParametersWithoutADescription) {
  const openapi told(R"({"paths":{"/x":{"get":{"parameters":[{"name":"a","description":"It"},{"name":"b"}]}}},
    "components":{"schemas":{"Row":{"type":"object","properties":{"good":{"description":"All"},
    "properties":{"type":"array","description":"Properties","items":{"properties":{"deep":{"type":"string"}}}}}}}}})");
  EXPECT_THAT(undescribed(told).places(),
              ::testing::UnorderedElementsAre("get /x.b", "Row.properties", "Row.properties.deep"));
}

TEST(OpenApiReader, SeesWhatIsNotAsTold) {
  const openapi told(R"({"paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":
    {"type":"array","items":{"$ref":"#/components/schemas/Row"}}}}}}}}},
    "components":{"schemas":{"Row":{"type":"object","properties":{"a":{"type":["integer","null"]}},"required":["a"]}}}})");
  const openapi::told_operation read{"get", "/x"};
  EXPECT_EQ(told.mismatch(read, 200, R"([{"a":1},{"a":null}])"), "");
  EXPECT_NE(told.mismatch(read, 200, R"([{"a":"1"}])"), "");
  EXPECT_NE(told.mismatch(read, 200, R"([{"a":1,"b":2}])"), "");
  EXPECT_NE(told.mismatch(read, 200, "[{}]"), "");
  EXPECT_NE(told.mismatch(read, 200, "{}"), "");
  EXPECT_NE(told.mismatch(read, 404, "{}"), "");
}

} // namespace roost::testing::openapi_test
