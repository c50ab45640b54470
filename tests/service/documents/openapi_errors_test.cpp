#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

/// The error examples in the OpenAPI documents, compared with the server's errors.
namespace roost::testing::openapi_errors_test {
ROOST_FOR_SQLITE(OpenApiErrors);

using messages = std::set<std::string>;

const std::string busy = "The service is busy. Please try again in a moment.",
                  unconfigured = "This integration is not configured yet. Contact support.";
const std::string unknown_uuid = "11111111-1111-4111-8111-111111111111";

bool is_of_one_landlord(const std::string& document) { return document.starts_with("landlord-"); }

/// Returns u1, which can be booked, u2 without a usable rent, and u3 in a city that marketplace D does not
/// accept.
std::string partly_published_portfolio() {
  return portfolio_of(2, {{unit_pointer(1) + "/rent/amount", "0"},
                          {account_pointer + "/properties/1",
                           R"({"id":"33333333-0000-4000-8000-000000000002","internalName":"Elsewhere",)"
                           R"("address":{"city":"Toledo"},"units":[)" +
                               unit_json(3) + "]}"}});
}

TEST_P(OpenApiErrors, ListExactlyTheMessagesOfEach404) {
  workplace place(GetParam());
  place.import(partly_published_portfolio());
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  auto documents = partner_documents;
  // The booking engine comes last because its update gives u2 a rent.
  std::stable_partition(documents.begin(), documents.end(),
                        [](const auto& name) { return name != "booking-engine"; });
  for (const auto& document : documents) {
    const auto prefix = prefix_of(document);
    const auto spec = document_of(server, document);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : spec.operations()) {
      messages actual;
      for (const unsigned unit : {0, 1, 2, 3}) {
        const auto linked = is_of_one_landlord(document) ? unit_id(unit) : "u" + std::to_string(unit);
        const auto id = unit == 0 ? "unknown" : linked;
        // A PUT needs a UUID that was not submitted before.
        const auto new_id = operation.method == "put" ? unit_id(100 + unit) : "unknown";
        const auto booking = is_of_change(operation) ? "unknown" : new_id;
        const auto path = path_below(prefix, operation.path, "casa-verde", id, booking, new_id);
        const auto response = send(partner, operation, path, body_for(operation.path, id), with_key);
        if (response.status == 404) actual.insert(message_of(response));
      }
      EXPECT_EQ(spec.messages(operation, 404), actual) << operation.method << " " << operation.path;
    }
  }
  const auto management = document_of(server, "management");
  for (const auto& operation : management.operations()) {
    const std::size_t unknown_ids = operation.path.find('{') == std::string::npos ? 0 : 1;
    EXPECT_EQ(management.messages(operation, 404).size(), unknown_ids) << operation.path;
  }
}

TEST_P(OpenApiErrors, MatchTheServerForTheCalendarExport) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const running_roost server(place);
  const auto spec = document_of(server, "ical-integration");
  for (const auto& operation : spec.operations()) {
    const auto messages_for = [&](const std::string& id) {
      const auto path = "/ical-integration" + path_below("ical-integration", operation.path, "", id);
      return messages{message_of(send_request(server.port(), "GET", path))};
    };
    EXPECT_EQ(spec.messages(operation, 400), messages_for("unknown"));
    EXPECT_EQ(spec.messages(operation, 404), messages_for(unknown_uuid));
  }
}

/// Returns an operation's response to a request without credentials.
raw_response refusal_of(const running_roost& server, const std::string& document,
                        const openapi::operation& operation) {
  const auto prefix = prefix_of(document);
  const auto path = "/" + prefix + path_below(prefix, operation.path, "casa-verde", unknown_uuid);
  std::string method;
  for (const unsigned char c : operation.method) method += static_cast<char>(std::toupper(c));
  return send_request(server.port(), method, path, {{"Content-Type", "application/json"}}, "{}");
}

TEST_P(OpenApiErrors, MatchTheServerForBadAndUnauthenticatedRequests) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  const header_fields with_key{{"svc-api-key", place.issue_account_key(account_id)}};
  const running_roost server(place);
  for (const auto& document : partner_documents) {
    const auto prefix = prefix_of(document);
    const auto spec = document_of(server, document);
    const auto partner = server.partner_of(prefix);
    for (const auto& operation : spec.operations()) {
      const auto path = path_below(prefix, operation.path, "casa-verde", "unknown");
      const auto example = [&](unsigned status) { return *spec.messages(operation, status).begin(); };
      EXPECT_EQ(example(500), "Internal server error");
      EXPECT_EQ(message_of(refusal_of(server, document, operation)), example(401)) << path;
      if (operation.method == "get" || operation.method == "delete") continue;
      EXPECT_EQ(example(415), "Unsupported Media Type");
      EXPECT_THAT(message_of(send(partner, operation, path, "{}", with_key)),
                  ::testing::HasSubstr(example(400).substr(0, example(400).find(','))))
          << path;
    }
  }
}

TEST(OpenApiErrors503, DistinguishTemporaryFromLastingErrors) {
  workplace nothing_imported(store_kind::sqlite), without_store(store_kind::sqlite);
  without_store.set("store.url", "\"postgresql://roost@127.0.0.1:1/roost\"");
  const running_roost serving(nothing_imported), waiting(without_store, started::listening);
  for (const auto& document :
       partner_documents_with({"landlord-two", "landlord-three", "landlord-four", "ical-integration"})) {
    const auto spec = document_of(waiting, document);
    for (const auto& operation : spec.operations()) {
      const auto temporary = refusal_of(waiting, document, operation),
                 lasting = refusal_of(serving, document, operation);
      EXPECT_EQ(message_of(temporary), busy);
      EXPECT_EQ(temporary.header("retry-after"), "5");
      EXPECT_TRUE(spec.documents_header(operation, 503, "Retry-After")) << operation.path;
      EXPECT_EQ(spec.messages(operation, 503),
                is_of_one_landlord(document) ? messages({busy, unconfigured}) : messages{busy});
      if (!is_of_one_landlord(document)) continue;
      EXPECT_EQ(message_of(lasting), unconfigured);
      EXPECT_EQ(lasting.header("retry-after"), "");
    }
  }
}

} // namespace roost::testing::openapi_errors_test
