#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

namespace roost::actors {

/// Work in lines, one for each address: one piece of a line at a time, in the order in which they came.
class sign_in_lines {
public:
  using work = std::function<void()>;

  /// Runs it now, or when those before it are done. False: too many of this address wait already.
  bool add(const std::string& address, work begin) {
    const auto [at, is_free] = lines_.try_emplace(address);
    if (is_free) {
      begin();
      return true;
    }
    if (at->second.size() >= longest_line) return false;
    at->second.push_back(std::move(begin));
    return true;
  }

  /// The piece under way is done.
  void done(const std::string& address) {
    const auto at = lines_.find(address);
    if (at == lines_.end()) return;
    if (at->second.empty()) {
      lines_.erase(at);
      return;
    }
    const auto next = std::move(at->second.front());
    at->second.pop_front();
    next();
  }

private:
  static constexpr std::size_t longest_line = 64;

  std::unordered_map<std::string, std::deque<work>> lines_;
};

} // namespace roost::actors
