#include "store/columns/replaced_tokens.hpp"

#include <algorithm>
#include <charconv>

namespace roost::store {

void replaced_tokens::add(domain::timestamp replaced_before, domain::timestamp now,
                          std::chrono::milliseconds grace) {
  constexpr std::size_t max_times = 256; // a client that replaces a token ten times a second repeats none
  if (grace.count() == 0) return;
  times_.push_back(replaced_before);
  for (auto& time : times_) time = std::min(time, replaced_before); // a later one is a wrong clock's
  const auto first = std::ranges::find_if(times_, [&](auto time) { return now - time <= grace; });
  times_.erase(times_.begin(), first);
  if (times_.size() > max_times) times_.erase(times_.begin());
}

bool replaced_tokens::is_recent(std::int64_t age, domain::timestamp last, domain::timestamp now,
                                std::chrono::milliseconds grace) const {
  if (age == 1) return now - last <= grace;
  const auto count = static_cast<std::int64_t>(times_.size());
  if (age < 2 || age - 1 > count) return false;
  // A token is replaced before its successors: a later time is a wrong clock's.
  return now - std::min(times_[static_cast<std::size_t>(count - (age - 1))], last) <= grace;
}

bool column_format<replaced_tokens>::write(std::string& to, const replaced_tokens& tokens) {
  std::string text;
  for (const auto time : tokens.times_)
    text += (text.empty() ? "" : " ") + std::to_string(time.time_since_epoch().count());
  return write_cell(to, text);
}

bool column_format<replaced_tokens>::read(const std::string* text, replaced_tokens& into) {
  if (!text) return false;
  into.times_.clear();
  const auto* end = text->data() + text->size();
  for (const auto* next = text->data(); next < end; ++next) {
    std::int64_t milliseconds = 0;
    const auto [after, error] = std::from_chars(next, end, milliseconds);
    if (error != std::errc{}) return false;
    into.times_.emplace_back(std::chrono::milliseconds{milliseconds});
    next = after;
  }
  return true;
}

} // namespace roost::store
