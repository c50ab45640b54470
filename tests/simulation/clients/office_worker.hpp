#pragma once

#include "domain/date.hpp"
#include "simulation/clients/user_client.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// A member of a landlord's office: blocks nights of the units that platforms book, changes, lists and
/// deletes blocks. What was acknowledged must be in each later response, in reads of platforms and in the
/// store.
class office_worker final : public user_client {
public:
  /// `units` is the number of units that platforms book.
  office_worker(history& in, std::string name, std::shared_ptr<known_user> user, std::string listing_token,
                unsigned units);

  std::vector<std::string> differences(store::session& db) const override;

private:
  struct known_block {
    std::string id;
    unsigned unit = 0;
    domain::nights nights;
    std::string tag;
    bool is_certain = true; ///< false while a request may still change it; then nothing is known about it
    bool is_deleted = false;
  };
  using block_pointer = std::shared_ptr<known_block>;

  client_task<> run() override;
  void forget() override;
  client_task<> act_once();
  client_task<> create();
  client_task<> change();
  client_task<> erase();
  client_task<> list();
  client_task<> edit_unit();
  client_task<> read_cap(unsigned unit);
  client_task<> read_listing(block_pointer block);

  /// Sends a request with the session's token; signs out if it is not accepted any more.
  client_task<simulated_response> ask_office(std::string purpose, std::string method, std::string path,
                                             std::string body = {}, std::string if_match = {});
  /// Returns a block that exists for certain; null if there is none.
  block_pointer any_block();
  domain::nights some_nights();

  const std::string listing_token_;
  const unsigned units_;
  session_pointer session_;
  std::vector<block_pointer> blocks_;
  /// The caps of units' bills; nullopt while a request may still change one.
  std::map<unsigned, std::optional<int>> caps_;
};

} // namespace roost::testing
