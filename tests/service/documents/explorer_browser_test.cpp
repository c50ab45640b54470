#include "service/support/headless_browser.hpp"
#include "service/support/json_text.hpp"
#include "service/support/openapi.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

/// The explorer in a browser.
namespace roost::testing::explorer_browser_test {
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string operations_shown = "document.querySelectorAll('.opblock').length > 0";

class ExplorerInABrowser : public ::testing::Test {
protected:
  ExplorerInABrowser() { place_.import(portfolio_of(2)); }

  std::string base() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

  void start() { server_.emplace(place_); }

  void open(const std::string& prefix) {
    page_.open(base() + "/" + prefix);
    page_.wait_until(operations_shown);
  }

  /// Returns the operations on the page, as `get /path`.
  std::set<std::string> displayed_operations() {
    const auto list =
        page_.evaluate("[...document.querySelectorAll('.opblock')].map(each =>"
                       " each.querySelector('.opblock-summary-method').textContent.toLowerCase() + ' ' +"
                       " each.querySelector('.opblock-summary-path').textContent.replaceAll('\\u200b', ''))");
    std::set<std::string> all;
    for (std::size_t i = 0; i < array_size(list); ++i) {
      const auto quoted = json_at(list, "/" + std::to_string(i));
      all.insert(quoted.substr(1, quoted.size() - 2));
    }
    return all;
  }

  /// Pastes a bare token into the first input of the dialog.
  void authorize(const std::string& token) {
    const std::string box = "document.querySelectorAll('.dialog-ux input')";
    page_.evaluate("document.querySelector('.btn.authorize').click()");
    page_.wait_until(box + ".length > 0");
    page_.evaluate(box + "[0].focus()");
    page_.type(token);
    page_.evaluate("document.querySelector('.dialog-ux .modal-btn.authorize').click()");
    page_.evaluate("document.querySelector('.dialog-ux .btn-done').click()");
  }

  /// Opens an operation to try it out, and returns the JavaScript expression of its element.
  std::string open_operation(const std::string& operation) {
    auto block = "document.querySelector('[id$=" + operation + "]')";
    page_.evaluate(block + ".querySelector('.opblock-summary-control').click()");
    page_.wait_until(block + ".querySelector('.try-out__btn')");
    page_.evaluate(block + ".querySelector('.try-out__btn').click()");
    page_.wait_until(block + ".querySelector('.execute')");
    return block;
  }

  void choose_document(unsigned index) {
    const std::string choice = "document.querySelector('#documents select')";
    page_.evaluate(choice + ".selectedIndex = " + std::to_string(index) + "; " + choice +
                   ".dispatchEvent(new Event('change'))");
  }

  void expect_no_errors() {
    EXPECT_THAT(page_.console(), IsEmpty());
    EXPECT_THAT(page_.requested(), Each(StartsWith(base() + "/")));
  }

  /// Waits for a console entry that contains this text.
  bool console_has(const std::string& text) {
    return eventually([&] {
      page_.evaluate("0"); // receives the browser's pending events
      return std::ranges::any_of(page_.console(),
                                 [&](const auto& entry) { return entry.find(text) != std::string::npos; });
    });
  }

  workplace place_{store_kind::sqlite};
  std::optional<running_roost> server_;
  headless_browser page_;
};

TEST_F(ExplorerInABrowser, ShowsTheOperationsOfItsPrefix) {
  start();
  for (const std::string prefix : {"marketplace-a", "booking-engine", "landlord-one"}) {
    open(prefix);
    std::set<std::string> documented;
    for (const auto& [method, path] :
         openapi{send_request(server_->port(), "GET", "/" + prefix + "-json").body}.operations())
      documented.insert(method + " " + path);
    EXPECT_EQ(displayed_operations(), documented) << prefix;
    EXPECT_EQ(page_.evaluate("document.title"), "\"Roost for " + prefix + '"');
    EXPECT_EQ(page_.evaluate("document.querySelectorAll('.btn.authorize').length"), "1");
  }
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, OffersBothDocumentsOfMarketplaceB) {
  start();
  open("marketplace-b");
  EXPECT_FALSE(displayed_operations().contains("post /marketplace-b/{landlordKey}/webhook"));
  EXPECT_THAT(page_.evaluate("document.querySelector('#documents').innerText"), HasSubstr("Document"));
  EXPECT_EQ(
      page_.evaluate("[...document.querySelectorAll('#documents option')].map(each => each.text).join()"),
      "\"Roost for marketplace-b,Roost for marketplace-b: webhook\"");
  choose_document(1);
  page_.wait_until("document.title === 'Roost for marketplace-b: webhook'");
  EXPECT_EQ(displayed_operations(), (std::set<std::string>{"post /marketplace-b/{landlordKey}/webhook"}));
  choose_document(0);
  page_.wait_until("document.title === 'Roost for marketplace-b'");
  EXPECT_TRUE(displayed_operations().contains("get /marketplace-b/listings/{externalId}"));
  open("marketplace-a");
  EXPECT_EQ(page_.evaluate("document.querySelector('#documents').hidden"), "true");
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, KeepsTheTokenForTheOtherDocument) {
  start();
  const auto token = place_.issue_token("marketplace-b");
  open("marketplace-b");
  authorize(token);
  choose_document(1);
  page_.wait_until("document.querySelector('[id$=receiveBookingEvent]')");
  const auto event = open_operation("receiveBookingEvent");
  page_.evaluate(event + ".querySelector('.execute').click()");
  const std::string status_element =
      event + ".querySelector('.live-responses-table .response .response-col_status')";
  page_.wait_until(status_element);
  EXPECT_THAT(page_.evaluate(status_element + ".innerText"), StartsWith("\"404")); // not 401
  EXPECT_THAT(page_.evaluate(event + ".querySelector('.live-responses-table').innerText"),
              HasSubstr("Listing not found for marketplace-b with externalId MB-40213"));
}

TEST_F(ExplorerInABrowser, RequestsNoTokenForPublicRoutes) {
  start();
  open("ical-integration");
  EXPECT_EQ(displayed_operations(),
            (std::set<std::string>{"get /ical-integration/listings/{listingId}/iCal",
                                   "get /ical-integration/listings/{listingId}/iCal.ics"}));
  EXPECT_EQ(page_.evaluate("document.querySelectorAll('.btn.authorize').length"), "0");
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, SendsAPastedBareToken) {
  start();
  const auto token = place_.issue_token("marketplace-a");
  open("marketplace-a");
  const std::string box = "document.querySelectorAll('.dialog-ux input')";
  page_.evaluate("document.querySelector('.btn.authorize').click()");
  page_.wait_until(box + ".length > 0");
  EXPECT_EQ(page_.evaluate(box + ".length"), "2"); // the token or marketplace A's own key, and no account key
  EXPECT_THAT(page_.evaluate("document.querySelector('.dialog-ux').innerText"), HasSubstr("x-api-key"));
  EXPECT_THAT(page_.evaluate("document.querySelector('.dialog-ux').innerText"),
              HasSubstr("without the word Bearer"));
  page_.evaluate("document.querySelector('.dialog-ux .btn-done').click()");

  authorize(token);
  const auto list = open_operation("listListings");
  page_.evaluate(list + ".querySelector('.execute').click()");
  const std::string status_element =
      list + ".querySelector('.live-responses-table .response .response-col_status')";
  page_.wait_until(status_element + " && " + list +
                   ".querySelector('.live-responses-table .highlight-code')");
  EXPECT_THAT(page_.evaluate(status_element + ".innerText"), StartsWith("\"200"));
  EXPECT_THAT(page_.evaluate(list + ".querySelector('.live-responses-table').innerText"), HasSubstr("u2"));
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, SendsANewBookingIdWithEachAttempt) {
  start();
  const auto token = place_.issue_token("marketplace-a");
  open("marketplace-a");
  authorize(token);
  const auto submission = open_operation("submitBooking");
  const std::string sent = submission + ".querySelector('.curl').innerText";
  std::set<std::string> references;
  EXPECT_TRUE(eventually([&] { // a click has no effect while a response is pending
    page_.evaluate(submission + ".querySelector('.execute').click()");
    if (page_.evaluate(submission + ".querySelector('.curl') !== null") == "true")
      references.insert(page_.evaluate(sent + ".match(/bookingId\\W+([0-9a-f-]{36})/)[1]"));
    return references.size() == 3;
  }));
  EXPECT_FALSE(
      references.contains("\"7b0a4d4e-8f0c-4f6b-8a51-0d6e6b1c2f3a\"")); // the example of the document
}

TEST_F(ExplorerInABrowser, HasNoInputForAnAccountKey) {
  start();
  open("booking-engine");
  page_.evaluate("document.querySelector('.btn.authorize').click()");
  page_.wait_until("document.querySelectorAll('.dialog-ux input').length > 0");
  EXPECT_EQ(page_.evaluate("document.querySelectorAll('.dialog-ux input').length"), "1"); // the token
  page_.evaluate("document.querySelector('.dialog-ux .btn-done').click()");
  const auto creation = open_operation("createProperty");
  EXPECT_THAT(page_.evaluate(creation + ".querySelector('.parameters').innerText"), HasSubstr("svc-api-key"));
  EXPECT_EQ(page_.evaluate(creation + ".querySelectorAll('.parameters input:enabled').length"), "0");
  const auto reading = open_operation("readListing"); // inputs for its ID and for a known ETag
  EXPECT_EQ(page_.evaluate(reading + ".querySelectorAll('.parameters input:enabled').length"), "2");
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, HasAnInputForTheStateThatAWriteRequires) {
  start();
  open("office");
  const auto change = open_operation("changeUnit");
  EXPECT_THAT(page_.evaluate(change + ".querySelector('.parameters').innerText"), HasSubstr("If-Match"));
  EXPECT_EQ(page_.evaluate(change + ".querySelectorAll('.parameters input:enabled').length"),
            "2"); // the unit's id is the other one
  expect_no_errors();
}

TEST_F(ExplorerInABrowser, RunsOnlyItsOwnScripts) {
  start();
  open("marketplace-b");
  page_.evaluate("document.body.append("
                 "Object.assign(document.createElement('script'), {textContent: 'window.strange = 1'}))");
  EXPECT_EQ(page_.evaluate("typeof window.strange"), R"("undefined")");
  EXPECT_TRUE(console_has("script-src 'self'"));
}

TEST_F(ExplorerInABrowser, ConnectsToNoOtherServer) {
  start();
  open("marketplace-b");
  EXPECT_EQ(page_.evaluate("fetch('http://127.0.0.1:1/').then(() => 'asked', () => 'refused')"),
            R"("refused")");
  EXPECT_TRUE(console_has("connect-src 'self'"));
}

TEST_F(ExplorerInABrowser, CannotBeFramed) {
  start();
  page_.open(base() + "/marketplace-b-json");
  const auto is_framed = [&](const std::string& path) {
    return page_.evaluate("new Promise(done => {"
                          "  const frame = document.createElement('iframe');"
                          "  frame.onload = () => done(frame.contentDocument !== null);"
                          "  frame.src = '" +
                          path +
                          "';"
                          "  document.body.append(frame);"
                          "})");
  };
  EXPECT_EQ(is_framed("/marketplace-b-json"), "true");
  EXPECT_EQ(is_framed("/marketplace-b"), "false");
}

} // namespace roost::testing::explorer_browser_test
