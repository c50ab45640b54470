#include "simulation/clients/usage_service.hpp"

#include "service/support/portfolio.hpp"
#include "simulation/clients/simulated_browser.hpp"
#include "store/messages/messages.hpp"
#include "store/usage/usage.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t largest_batch = 20;

std::string random_uuid(std::uint64_t first, std::uint64_t second) {
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-8%03x-%012llx", static_cast<unsigned>(first),
                static_cast<unsigned>(first >> 32U & 0xffffU), static_cast<unsigned>(first >> 48U & 0xfffU),
                static_cast<unsigned>(second >> 48U & 0xfffU),
                static_cast<unsigned long long>(second & 0xffffffffffffU));
  return text;
}

} // namespace

client_task<> usage_service::run() {
  while (!history_.is_completing()) {
    co_await wait(between(1ms, 1500ms));
    const bool is_repetition = !records_.empty() && chance(30);
    const auto count = 1 + random_index(largest_batch);
    if (!is_repetition)
      for (std::size_t i = 0; i < count; ++i) add_record();
    const auto known = std::min(count, records_.size());
    const auto first = is_repetition ? random_index(records_.size() - known + 1) : records_.size() - known;
    auto call = call_of(first, known);
    const auto response = co_await ask("to record " + std::to_string(known) + " calls", std::move(call));
    if (response.status != 0 && response.status != 202 && response.status != 503)
      fail("got an unexpected response: " + response.body);
  }
  co_await send_at_end();
}

/// Sends all records again, once no server is killed any more.
client_task<> usage_service::send_at_end() {
  for (std::size_t first = 0; first < records_.size(); first += largest_batch) {
    const auto count = std::min(largest_batch, records_.size() - first);
    auto call = call_of(first, count);
    const auto response = co_await ask_until_served("to record its calls, at the end", std::move(call));
    const auto expected = R"("accepted":)" + std::to_string(count) + "}";
    if (response.status != 202 || response.body.find(expected) == std::string::npos)
      fail("the ledger has no room for a few records: " + response.body);
  }
  co_await wait(5s); // the ledger writes in the background and retries after a second
}

void usage_service::add_record() {
  const auto first = history_.random(), second = history_.random();
  records_.push_back({random_uuid(first, second), 1 + static_cast<std::int64_t>(random_index(1'000))});
}

http_call usage_service::call_of(std::size_t first, std::size_t count) const {
  std::string body;
  for (auto i = first; i < first + count; ++i)
    body +=
        (body.empty() ? "[" : ",") + (R"({"id":")" + records_[i].id) + R"(","accountId":")" + account_id +
        R"(","feature":"landlord_chat","provider":"larkspur","model":"larkspur-medium-2","inputTokens":)" +
        std::to_string(records_[i].tokens) + R"(,"outputTokens":1,"cost":0.01})";
  return {"POST",
          "/ai-usage/records",
          body + "]",
          {{"Authorization", "Bearer " + key_}, {"Content-Type", "application/json"}}};
}

std::vector<std::string> usage_service::differences(store::session& db) const {
  const auto account = domain::parse_uuid(account_id).value();
  const auto page = store::read_usage_page(db, account, {}, 0, static_cast<std::int64_t>(1'000'000));
  std::set<std::string> stored;
  for (const auto& each : page.items) stored.insert(domain::to_string(each.id));
  std::vector<std::string> result;
  std::int64_t tokens = 0;
  for (const auto& each : records_) {
    if (!stored.contains(each.id)) result.push_back(name() + ": the ledger lacks the record " + each.id);
    tokens += each.tokens;
  }
  const auto totals = store::read_usage_summary(db, account, {}).totals;
  if (result.empty() &&
      (totals.calls != static_cast<std::int64_t>(records_.size()) || totals.tokens.input != tokens))
    result.push_back(name() + ": the ledger counts " + std::to_string(totals.calls) + " calls with " +
                     std::to_string(totals.tokens.input) + " tokens instead of " +
                     std::to_string(records_.size()) + " with " + std::to_string(tokens));
  std::set<std::pair<std::string, std::string>> reported;
  for (const auto& each : store::list_mails(db, {}, std::size_t{1'000'000})) {
    const auto& mail = each.mail;
    if (mail.subject.find("AI costs") != std::string::npos && !reported.emplace(mail.to, mail.subject).second)
      result.push_back(name() + ": " + mail.to + " is warned twice: " + mail.subject);
  }
  return result;
}

} // namespace roost::testing
