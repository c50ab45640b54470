#pragma once

#include "actors/inventory/hot_list.hpp"
#include "domain/account.hpp"

#include <string_view>

namespace roost::actors {

/// Which units and accounts are asked most at the moment. Calendars note what is asked of them, on any
/// thread.
class hot_units {
public:
  static constexpr unsigned one_read_of = 16;

  struct report {
    std::chrono::duration<double> during{}; ///< what the counts are of
    std::vector<busy_entry> units, accounts;
  };

  void note_read(const domain::uuid& unit, const std::string& name, const domain::account& owner);
  void note_stay(const domain::uuid& unit, const std::string& name, const domain::account& owner, bool given);

  /// Of the last ten to twenty seconds, of the last ten at least if the process is as old.
  report busiest(std::size_t most);

private:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds window{10};

  struct counts {
    clock::time_point since;
    hot_list units, accounts;
  };

  void note(const domain::uuid& unit, const std::string& name, const domain::account& owner,
            std::uint64_t busy_entry::*what, std::uint64_t by);
  void turn_page(clock::time_point now);

  std::mutex mutex_;
  counts now_{clock::now(), {}, {}};
  counts before_{now_};
};

/// `{"seconds":…,"units":[…],"accounts":[…]}`
std::string to_json(const hot_units::report& report);

} // namespace roost::actors
