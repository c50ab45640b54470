#include "service/support/assistant.hpp"
#include "service/support/child_process.hpp"
#include "service/support/headless_browser.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// npm's libraries and programs for assistants against a running server and a tool server. The programs are
/// in interop/; Ana authorizes them in a browser.
namespace roost::testing::interop_test {

constexpr std::chrono::seconds client_timeout{60};

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" \n")); }

class Interoperability : public ::testing::Test {
protected:
  void SetUp() override {
    if (!tool_server_.wait_for_line([](auto line) { return line == "listening"; }, client_timeout))
      throw std::runtime_error("no tool server: " + tool_server_.errors());
  }

  /// Runs a client's program while Ana gives consent, and returns its output.
  std::string run(const std::string& name, int consents, std::map<std::string, std::string> more = {}) {
    child_process program(options_of(name, std::move(more)));
    for (int number = 1; number <= consents; ++number) {
      const auto prefix = "open " + std::to_string(number) + ' ';
      const auto line =
          program.wait_for_line([&](auto text) { return text.starts_with(prefix); }, client_timeout);
      if (!line) break; // the program has failed; its errors are printed below
      give_consent(line->substr(prefix.size()));
    }
    EXPECT_EQ(program.wait_for_end(client_timeout), 0)
        << program.errors() << "The tool server: " << tool_server_.errors();
    return program.output();
  }

  process_options options_of(const std::string& name, std::map<std::string, std::string> more) const {
    more.insert({{"ISSUER", issuer_},
                 {"TOOL_SERVER", tools_},
                 {"PROGRAM", ROOST_PROGRAM},
                 {"CONFIG", fixture_.place.config_file()}});
    return {.program = ROOST_INTEROP "/node",
            .arguments = {ROOST_INTEROP "/" + name + ".mjs"},
            .folder = fixture_.place.folder().path(),
            .environment = std::move(more)};
  }

  void give_consent(const std::string& url) {
    page_.open(url);
    if (page_.evaluate("document.querySelector('main a.button') !== null") == "true") sign_in();
    page_.click_through("button[value=authorize]");
  }

  void sign_in() {
    page_.click_through("main a.button");
    fill("email", "ana@casaverde.example");
    fill("password", "ana-only");
    page_.click_through("main button");
    fill("code", mailed_code(fixture_.place, ++fixture_.codes));
    page_.click_through("main button");
  }

  void fill(const std::string& id, const std::string& value) {
    page_.evaluate("document.getElementById('" + id + "').focus()");
    page_.type(value);
  }

  const std::string address_ = "127.0.0.1:" + std::to_string(free_port());
  const std::string issuer_ = "http://" + address_;
  const std::string tools_ = "http://127.0.0.1:" + std::to_string(free_port()) + "/mcp";
  management_fixture fixture_ =
      connector_fixture(store_kind::sqlite, {{"server.listen", quoted(address_)},
                                             {"server.base_url", quoted(issuer_)},
                                             {"connector.tool_server", quoted(tools_)},
                                             {"connector.client_documents", R"(["assistant.example"])"}});
  child_process tool_server_{options_of(
      "tool_server", {{"KEY", first_word(fixture_.place.run_or_throw({"tool-server-key", "issue"}))}})};
  headless_browser page_;
};

const std::string identity = "ana@casaverde.example: bookings read-only, team edit\n";

/// Returns the output of mcp_session.mjs; `forgotten` is what the library deletes when its client is unknown.
std::string session_output(const std::string& forgotten) {
  return "authorized: bookings team\n" + identity + identity +
         "refreshed\n"
         "forgets: tokens\n"
         "authorized anew\n" +
         identity + forgotten + "registered anew\n" + identity;
}

TEST_F(Interoperability, PassesTheConformanceSuiteOfMcp) {
  EXPECT_EQ(run("conformance", 1), "authorization-code-grant: SUCCESS\n"
                                   "authorization-server-metadata: SUCCESS\n"
                                   "authorization-server-metadata-cimd: SUCCESS\n");
}

TEST_F(Interoperability, SupportsMcpClient2) {
  EXPECT_EQ(run("mcp_client_2", 3), session_output("forgets: client\nforgets: tokens\n"));
}

TEST_F(Interoperability, SupportsMcpSdk1) {
  EXPECT_EQ(run("mcp_sdk_1", 3), session_output("forgets: all\n"));
}

TEST_F(Interoperability, SupportsApiKeysWithoutAuthorization) {
  const auto key = first_word(fixture_.place.run_or_throw({"api-key", "issue", "ana@casaverde.example"}));
  EXPECT_EQ(run("api_key", 0, {{"API_KEY", key}}), identity + "revoked: 401\n");
}

TEST_F(Interoperability, SupportsMcpRemote) {
  EXPECT_EQ(run("mcp_remote", 3), "authorized: " + identity + "remembered: " + identity +
                                      "refreshed: " + identity + "authorized anew: " + identity +
                                      "registered anew: " + identity);
}

TEST_F(Interoperability, SupportsOauth4webapi) {
  EXPECT_EQ(run("oauth4webapi", 4), "discovered\n"
                                    "registered\n"
                                    "authorized: bearer bookings team, 200\n"
                                    "refreshed: 200\n"
                                    "an old refresh token: 400 invalid_grant\n"
                                    "its successor: 400 invalid_grant, 401\n"
                                    "another verifier: 400 invalid_grant\n"
                                    "a code twice: 400 invalid_grant, 401\n"
                                    "revoked: 400 invalid_grant, 401\n"
                                    "an unknown client: 401 invalid_client (bearer)\n");
}

TEST_F(Interoperability, SupportsOpenidClient) {
  EXPECT_EQ(run("openid_client", 1), "registered\n"
                                     "authorized: bookings team, true, 200\n"
                                     "refreshed: 200\n"
                                     "another secret: 401 invalid_client (bearer)\n"
                                     "revoked: 400 invalid_grant, 401\n");
}

TEST_F(Interoperability, SupportsSimpleOauth2) {
  EXPECT_EQ(run("simple_oauth2", 2), "registered\n"
                                     "authorized with form: bookings team, 200\n"
                                     "refreshed: 200\n"
                                     "revoked: 400 invalid_grant, 401\n"
                                     "authorized with json: bookings team, 200\n"
                                     "refreshed: 200\n"
                                     "revoked: 400 invalid_grant, 401\n");
}

} // namespace roost::testing::interop_test
