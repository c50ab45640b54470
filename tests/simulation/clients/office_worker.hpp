#pragma once

#include "domain/date.hpp"
#include "service/office_support/office_records.hpp"
#include "simulation/clients/office_client.hpp"

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
class office_worker final : public office_client {
public:
  using office_client::office_client;

  /// Leaves the units themselves alone: an import that would set them back is refused.
  void spare_units() { edits_units_ = false; }

  std::vector<std::string> differences(store::session& db) const override;

private:
  using block_pointer = std::shared_ptr<known_block>;

  void forget() override;
  client_task<> act_once() override;
  client_task<> create();
  client_task<> change();
  client_task<> erase();
  client_task<> list();
  client_task<> edit_unit();
  client_task<> read_cap(unsigned unit);
  client_task<> read_listing(block_pointer block);

  /// Returns a block that exists for certain; null if there is none.
  block_pointer any_block();
  domain::nights some_nights();

  bool edits_units_ = true;
  std::vector<block_pointer> blocks_;
  /// The caps of units' bills; nullopt while a request may still change one.
  std::map<unsigned, std::optional<int>> caps_;
};

} // namespace roost::testing
