#include "service/support/assistant.hpp"

#include <gtest/gtest.h>

/// The events of assistants and connections in the log.
namespace roost::testing::connector_events_test {
ROOST_FOR_EACH_STORE(ConnectorEvents);

TEST_P(ConnectorEvents, NameTheClientsAddressAndTheRequest) {
  management_fixture fixture = connector_fixture(GetParam());
  const auto expect_logged = [&](const char* event, const raw_response& response) {
    fixture.server->wait_for_event(
        event, {{"remote", "127.0.0.1"}, {"request_id", response.header("x-request-id")}});
  };
  const assistant helper(fixture);
  fixture.server->wait_for_event("connector_client_registered", {{"remote", "127.0.0.1"}});
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  expect_logged("connection_denied", helper.decide(ana, "cancel"));
  const auto approved = helper.decide(ana, "authorize");
  expect_logged("connection_approved", approved);
  const auto code = query_parameter(approved.header("location"), "code").value();
  EXPECT_EQ(helper.exchange(code).status, 200U);
  expect_logged("authorization_code_replayed", helper.exchange(code));
}

TEST_P(ConnectorEvents, NameWhoCausedTheFetchOfAClientDocument) {
  const std::string unreachable = "localhost:1"; // no program listens there
  const management_fixture fixture =
      connector_fixture(GetParam(), {{"connector.client_documents", "[\"" + unreachable + "\"]"},
                                     {"connector.client_document_addresses", R"("any")"}});
  const auto expect_logged = [&](const char* event, const std::string& url) {
    const auto response = assistant(fixture, loopback_redirect, url).exchange("a code");
    fixture.server->wait_for_event(
        event, {{"url", url}, {"remote", "127.0.0.1"}, {"request_id", response.header("x-request-id")}});
  };
  expect_logged("client_document_refused", "https://other.example/client.json");
  expect_logged("client_document_unavailable", "https://" + unreachable + "/client.json");
}

} // namespace roost::testing::connector_events_test
