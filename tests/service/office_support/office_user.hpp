#pragma once

#include "service/office_support/office_records.hpp"
#include "service/support/mixed_requests.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace roost::testing {

struct office_settings {
  std::string token;         ///< of a signed-in user
  std::string listing_token; ///< of the channel manager
  std::uint32_t seed = 1;
  unsigned clients = 2;
  unsigned units = 3;
};

/// The numbers of acknowledged requests.
struct office_counts {
  std::size_t blocks = 0, moved_blocks = 0, freed_blocks = 0, bookings = 0, moves = 0, cancellations = 0;

  std::size_t all() const { return blocks + moved_blocks + freed_blocks + bookings + moves + cancellations; }
};

/// Sends a request; nullopt if its connection was closed without a response. Throws an exception if
/// nothing was sent.
using http_exchange = std::function<std::optional<raw_response>(const http_call&)>;

/// A client of the office: blocks nights and frees them, books by hand, moves and cancels these bookings and
/// those of one platform. It sends a request without a certain outcome again, with the same id or ETag, until
/// there is one, and records what was acknowledged.
class office_user {
public:
  /// `number` differs between the users of one history; together with the seed it determines the requests.
  office_user(const office_settings& settings, unsigned number);

  /// Sends the next request, or again the one without an outcome.
  void act(const http_exchange& exchange);

  /// Which responses check_reads() compares: lists contain the bookings of all clients.
  enum class depth { single_bookings, lists };

  /// Compares what was acknowledged with responses of the office, and with listings. Returns false if one is
  /// missing. No request may be sent meanwhile.
  bool check_reads(const http_exchange& exchange, depth how);

  /// Returns the unexpected responses so far, and what the store lacks or has despite the responses.
  /// Thread-safe.
  std::vector<std::string> differences(const booking_records& bookings, const block_records& blocks) const;

  /// Adds a description to differences(). Thread-safe.
  void report(std::string problem);

  office_counts acknowledged() const; ///< thread-safe

private:
  using block_pointer = std::shared_ptr<known_block>;
  using booking_pointer = std::shared_ptr<manual_booking>;
  using change = std::optional<stay_placement>; ///< of a booking: a move, or a cancellation (nullopt)

  /// A request without an outcome.
  struct open_request {
    http_call call;
    std::function<void(const raw_response&)> conclude; ///< may replace the open request
    bool is_doubted = false;                           ///< an earlier attempt may have had an effect
  };

  void open(http_call call, std::function<void(const raw_response&)> conclude);
  void start_any();
  void create_block();
  void move_block();
  void free_block();
  void book();
  void change_any(bool is_cancelled);
  void choose_platform_booking();
  void send_change(const booking_pointer& booking, const change& wanted);
  void conclude_change(const booking_pointer& booking, const change& wanted, const raw_response& response);
  void learn_outcome(const booking_pointer& booking, const change& wanted);
  void settle(manual_booking& booking, const stay_placement& place, bool is_cancelled,
              const std::string& tag);

  using item_map = std::map<std::string, std::string>; ///< by id
  using problem_list = std::vector<std::string>;

  std::optional<item_map> read_items(const http_exchange& exchange, const std::string& path,
                                     problem_list& problems) const;
  std::optional<item_map> read_known_bookings(const http_exchange& exchange, unsigned unit) const;
  bool check_unit(const http_exchange& exchange, unsigned unit, depth how, problem_list& problems) const;
  void check_blocks(unsigned unit, const item_map& listed, const std::string& listing,
                    problem_list& problems) const;
  void check_bookings(unsigned unit, const item_map& listed, const std::string& listing,
                      problem_list& problems) const;

  /// Returns whether a request with this response may have had an effect.
  static bool is_doubtful(const std::optional<raw_response>& response);
  /// Returns whether the document is a block of these nights.
  static bool is_at(const std::string& block, const domain::nights& nights);

  http_call office_call(const char* method, std::string path, std::string body = {},
                        const std::string& if_match = {}) const;
  /// Reports an unexpected response. The mutex must be held.
  void reject(const std::string& problem, const raw_response& response);
  int between(int min, int max) { return std::uniform_int_distribution<int>{min, max}(random_); }
  unsigned any_unit() { return static_cast<unsigned>(between(1, static_cast<int>(settings_.units))); }
  domain::nights any_nights(int max_length);
  stay_placement any_place();
  template <typename Pointer>
  Pointer any_of(const std::vector<Pointer>& all) {
    if (all.empty()) return nullptr;
    return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
  }
  block_pointer any_block();
  booking_pointer any_booking();
  std::string new_id(const char* first_digits);

  const office_settings& settings_;
  const unsigned number_;
  std::mt19937 random_;
  unsigned ids_ = 0;
  mutable std::mutex mutex_; ///< protects what follows; not held while a request is sent
  std::optional<open_request> open_;
  bool was_doubted_ = false; ///< is_doubted of the request that is being concluded
  std::vector<block_pointer> blocks_;
  std::vector<booking_pointer> bookings_;
  office_counts acknowledged_;
  std::vector<std::string> problems_;
};

} // namespace roost::testing
