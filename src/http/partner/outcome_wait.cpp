#include "http/partner/outcome_wait.hpp"

#include "actors/runtime/ask.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace roost::http {

namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr seconds max_wait{30};

std::optional<seconds> parse_wait(std::string_view text) {
  if (!text.ends_with('s')) return std::nullopt;
  const auto number = parse_digits(text.substr(0, text.size() - 1));
  if (!number || *number > max_wait.count()) return std::nullopt;
  return seconds{*number};
}

} // namespace

std::optional<std::int64_t> parse_digits(std::string_view text) {
  std::int64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || rest != end || text.front() == '-') return std::nullopt;
  return number;
}

outcome_wait::outcome_wait(const platform_api& api, request& req, query_reader& query)
    : api_(api), request_(req),
      until_(steady_clock::now() +
             query.value("wait", parse_wait, " must be 0s to 30s, in whole seconds").value_or(seconds{0})) {}

asio::awaitable<bool> outcome_wait::change_after(std::int64_t position, const std::string& reference,
                                                 std::chrono::milliseconds at_most) {
  const auto now = steady_clock::now();
  const auto left = std::min(std::chrono::ceil<std::chrono::milliseconds>(until_ - now), at_most);
  if (left.count() <= 0) co_return false;
  if (!counted_) counted_.emplace(*request_.load, request_.prefix);
  actors::await_outcomes message{api_.platform.name, reference, position, left};
  co_await actors::ask(api_.services.outcomes, std::move(message));
  request_.waited += steady_clock::now() - now;
  co_return true;
}

} // namespace roost::http
