#include "simulation/clients/office_worker.hpp"

#include "service/support/portfolio.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// Blocks are longer than the stays that platforms request, so that reads show which of them they mean.
constexpr int min_nights = 8, max_nights = 16;
constexpr unsigned days_ahead = 400;

} // namespace

void office_worker::forget() {
  office_client::forget();
  blocks_.clear();
  caps_.clear();
}

client_task<> office_worker::act_once() {
  const auto choice = random_index(100);
  if (choice < 40)
    co_await create();
  else if (choice < 52)
    co_await change();
  else if (choice < 68)
    co_await erase();
  else if (choice < 84 && edits_units_)
    co_await edit_unit();
  else
    co_await list();
}

office_worker::block_pointer office_worker::any_block() {
  std::vector<block_pointer> all;
  std::ranges::copy_if(blocks_, std::back_inserter(all),
                       [](const auto& each) { return each->is_certain && !each->is_deleted; });
  return all.empty() ? nullptr : all[random_index(all.size())];
}

domain::nights office_worker::some_nights() {
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  const auto first = today + domain::days{2 + static_cast<int>(random_index(days_ahead))};
  const auto nights = min_nights + static_cast<int>(random_index(max_nights - min_nights + 1));
  return {first, first + domain::days{nights - 1}};
}

/// Retries a request in doubt, which its id makes safe.
client_task<> office_worker::create() {
  const auto block = std::make_shared<known_block>();
  block->id = random_id("d0000000");
  block->unit = random_unit();
  block->nights = some_nights();
  block->is_certain = false;
  const auto body = R"({"id":")" + block->id + R"(",)" + json_of(block->nights) + R"(,"note":"Paint"})";
  bool may_exist = false;
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    const auto response =
        co_await ask_office("to block " + json_of(block->nights), "POST", path_of_blocks(block->unit), body);
    if (is_signed_out(response)) break;
    if (is_doubtful(response)) {
      may_exist = true;
      continue;
    }
    if (response.status == 409 && !may_exist) co_return; // the nights are booked
    if (response.status == 409) break;                   // an earlier attempt may still be performed
    if (response.status != 201 && response.status != 200)
      fail("got an unexpected response to a block: " + response.body);
    block->tag = field_of(response, "ETag");
    block->is_certain = true;
    blocks_.push_back(block);
    if (chance(50)) co_await read_listing(block);
    co_return;
  }
}

client_task<> office_worker::change() {
  const auto block = any_block();
  if (!block) co_return;
  const auto nights = some_nights();
  block->is_certain = false;
  const auto response = co_await ask_office("to move the block " + block->id + " to " + json_of(nights),
                                            "PATCH", path_of_blocks(block->unit) + '/' + block->id,
                                            '{' + json_of(nights) + '}', block->tag);
  if (is_doubtful(response)) co_return;
  block->is_certain = true;
  if (response.status == 200) {
    block->nights = nights;
    block->tag = field_of(response, "ETag");
    if (chance(50)) co_await read_listing(block);
  } else if (!is_signed_out(response) && response.status != 409) {
    fail("could not move the block " + block->id + ": " + response.body);
  }
}

client_task<> office_worker::erase() {
  const auto block = any_block();
  if (!block) co_return;
  block->is_certain = false;
  const auto response = co_await ask_office("to delete the block " + block->id, "DELETE",
                                            path_of_blocks(block->unit) + '/' + block->id, {}, block->tag);
  if (is_doubtful(response)) co_return;
  block->is_certain = true;
  if (response.status == 204)
    block->is_deleted = true;
  else if (!is_signed_out(response))
    fail("could not delete the block " + block->id + ": " + response.body);
}

/// Compares the list of a unit with what was certain when it was requested, and still is.
client_task<> office_worker::list() {
  const auto unit = random_unit();
  const auto before = blocks_;
  std::vector<std::string> tags;
  for (const auto& each : before) tags.push_back(each->is_certain ? each->tag : "");
  const auto response = co_await ask_office("for the blocks of unit " + std::to_string(unit), "GET",
                                            path_of_blocks(unit) + "?limit=200");
  if (response.status != 200) co_return;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& block = *before[i];
    if (block.unit != unit || !block.is_certain || block.tag != tags[i]) continue;
    const bool is_listed = response.body.find(block.id) != std::string::npos;
    if (is_listed == block.is_deleted)
      fail("the list " + std::string(is_listed ? "shows the deleted" : "lacks the") + " block " + block.id);
  }
}

/// Changes the cap of a unit's bills: no other client changes it, and no booking depends on it.
client_task<> office_worker::edit_unit() {
  const auto unit = random_unit();
  const int cap = 1 + static_cast<int>(random_index(99'999));
  const auto text = std::to_string(cap);
  caps_[unit] = std::nullopt;
  std::string body = R"({"bills":{"included":true,"maxValue":)" + text + "}}";
  const auto response = co_await ask_office("to set the cap of bills to " + text, "PATCH",
                                            "/api/units/" + unit_id(unit), std::move(body), "*");
  if (is_signed_out(response)) caps_.erase(unit); // it is as it was
  if (is_doubtful(response) || is_signed_out(response)) co_return;
  if (response.status != 200) fail("could not change a unit: " + response.body);
  caps_[unit] = cap;
  if (chance(60)) co_await read_cap(unit);
}

/// A platform's read must show the cap.
client_task<> office_worker::read_cap(unsigned unit) {
  const auto known = caps_[unit];
  const auto response = co_await ask_listing("for the listing of a changed unit", unit);
  if (response.status != 200 || !known || caps_[unit] != known) co_return;
  if (response.body.find(R"("billsIncludedMaxValue":)" + std::to_string(*known) + ',') == std::string::npos)
    fail("a listing does not show the cap " + std::to_string(*known) + ": " + response.body);
}

/// A platform's read must show the block.
client_task<> office_worker::read_listing(block_pointer block) {
  const auto response = co_await ask_listing("for the listing of a unit with a block", block->unit);
  if (response.status != 200) co_return;
  if (response.body.find(json_of(block->nights)) == std::string::npos)
    fail("a listing does not show the block " + block->id + " of " + json_of(block->nights));
}

std::vector<std::string> office_worker::differences(store::session& db) const {
  std::vector<std::string> errors;
  const auto stored = read_office_blocks(db);
  for (const auto& each : nights_sold_twice(read_bookings(db), stored))
    errors.push_back(name() + ": " + each);
  for (const auto& each : blocks_)
    if (const auto difference = difference_of(*each, stored)) errors.push_back(name() + ": " + *difference);
  static const store::selection all_caps{"test_caps", "select {columns} from units",
                                         store::named<std::string>("cast(id as text)"),
                                         store::named<std::int64_t>("coalesce(bills_max_cents, 0)")};
  std::map<std::string, std::int64_t> stored_caps;
  db.internals().read(all_caps, {}, [&](std::string&& id, std::int64_t cents) { stored_caps[id] = cents; });
  for (const auto& [unit, cap] : caps_)
    if (cap && stored_caps[unit_id(unit)] != std::int64_t{*cap} * 100)
      errors.push_back(name() + ": unit " + std::to_string(unit) + " has another cap in the store");
  return errors;
}

} // namespace roost::testing
