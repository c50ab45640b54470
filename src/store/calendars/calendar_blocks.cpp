#include "store/calendars/calendar_blocks.hpp"

#include "domain/calendar.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"

#include <boost/uuid/name_generator_sha1.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace roost::store {

namespace {

struct calendar_of_unit {
  domain::uuid id{}, unit_id{};
  std::string host;
};
const selection calendars_of_units{
    "calendars_of_units",
    "select {columns} from unit_calendars where unit_id in {ids uuid} order by id {for update}",
    columns(column("id", &calendar_of_unit::id), column("unit_id", &calendar_of_unit::unit_id),
            column("host", &calendar_of_unit::host))};

constexpr auto nights_columns =
    columns(column("first_night", &domain::nights::first), column("last_night", &domain::nights::last));
const selection events_of_calendars{"events_of_calendars",
                                    "select {columns} from calendar_events where calendar_id in {ids uuid}",
                                    named<domain::uuid>("calendar_id"), nights_columns};
/// Only those that an event can overlap: units keep their bookings for years.
const selection stays_of_units{
    "stays_of_units",
    "select {columns} from bookings where unit_id in {ids uuid} and status <> 'cancelled'"
    " and check_out > :first",
    named<domain::uuid>("unit_id"), named<domain::date>("check_in"), named<domain::date>("check_out")};

const selection clock_of_blocks{"clock_of_blocks", "select {columns}", named<domain::timestamp>("{now}")};

struct calendar_block {
  domain::uuid unit_id{}, calendar_id{};
  domain::block block;
};
constexpr auto calendar_block_columns =
    columns(nested(&calendar_block::block, block_columns), column("unit_id", &calendar_block::unit_id),
            column("calendar_id", &calendar_block::calendar_id));
const auto calendar_block_table = table_of<calendar_block_columns>("blocks");
const selection blocks_of_calendars{"blocks_of_calendars",
                                    "select {columns} from blocks where calendar_id in {ids uuid}",
                                    calendar_block_columns};

template <typename Value>
using by_id = std::unordered_map<domain::uuid, Value, domain::uuid_hash>;

/// Returns the same id for the same nights of a calendar, so that the block keeps it from version to version.
domain::uuid id_of(const domain::uuid& calendar, const domain::nights& nights) {
  const boost::uuids::name_generator_sha1 ids(calendar);
  return ids(domain::to_string(nights.first) + '/' + domain::to_string(nights.last));
}

/// Reads and writes the blocks of some calendars.
class block_renewal {
public:
  block_renewal(session& db, const std::vector<calendar_of_unit>& calendars, domain::timestamp now)
      : db_(db), calendars_(calendars), now_(now) {}

  std::vector<domain::uuid> run() {
    read();
    for (const auto& calendar : calendars_)
      for (const auto& event : events_[calendar.id])
        for (const auto& part : domain::parts_without(event, stays_[calendar.unit_id]))
          require(calendar, part);
    for (const auto& [id, block] : stored_)
      if (!required_.contains(id)) write(removed_, block);
    removed_.finish(); // first: a block may take the place of a removed one
    changed_.finish();
    added_.finish();
    std::ranges::sort(units_);
    units_.erase(std::unique(units_.begin(), units_.end()), units_.end());
    return std::move(units_);
  }

private:
  using writer = bulk_writer<calendar_block>;

  void read() {
    std::vector<domain::uuid> ids, units;
    for (const auto& each : calendars_) {
      ids.push_back(each.id);
      units.push_back(each.unit_id);
    }
    auto& connection = db_.internals();
    const parameters of_calendars{{"ids", connection.list(ids)}};
    std::optional<domain::date> first;
    connection.read(events_of_calendars, of_calendars, [&](const domain::uuid& id, domain::nights&& event) {
      first = first ? std::min(*first, event.first) : event.first;
      events_[id].push_back(event);
    });
    connection.read(blocks_of_calendars, of_calendars,
                    [&](calendar_block&& each) { stored_.emplace(each.block.id, std::move(each)); });
    if (!first) return;
    connection.read(stays_of_units, {{"ids", connection.list(units)}, {"first", *first}},
                    [&](const domain::uuid& unit, domain::date check_in, domain::date check_out) {
                      stays_[unit].push_back(domain::stay_nights(check_in, check_out));
                    });
  }

  void require(const calendar_of_unit& calendar, const domain::nights& nights) {
    calendar_block required{calendar.unit_id, calendar.id, {}};
    required.block.id = id_of(calendar.id, nights);
    required.block.nights = nights;
    required.block.source = domain::block_source::channel;
    required.block.host = domain::boxed_text{calendar.host};
    required.block.created_at = required.block.updated_at = now_;
    if (!required_.insert(required.block.id).second) return; // of an event that overlaps another one
    const auto stored = stored_.find(required.block.id);
    if (stored == stored_.end())
      write(added_, required);
    else if (stored->second.block.host.view() != calendar.host)
      write(changed_, required);
  }

  void write(writer& rows, const calendar_block& block) {
    rows.add(block);
    units_.push_back(block.unit_id);
  }

  session& db_;
  const std::vector<calendar_of_unit>& calendars_;
  const domain::timestamp now_;
  by_id<std::vector<domain::nights>> events_, stays_; ///< by calendar, by unit
  by_id<calendar_block> stored_;
  std::unordered_set<domain::uuid, domain::uuid_hash> required_; ///< ids of blocks
  std::vector<domain::uuid> units_;
  writer removed_{db_, calendar_block_table, bulk_mode::erase},
      changed_{db_, calendar_block_table, bulk_mode::update_changed},
      added_{db_, calendar_block_table, bulk_mode::insert};
};

} // namespace

void lock_calendars(session& db, const domain::uuid& unit) {
  db.internals().read_all(calendars_of_units, {{"ids", db.internals().list(std::span(&unit, 1))}});
}

std::vector<domain::uuid> renew_calendar_blocks(session& db, std::span<const domain::uuid> units) {
  if (units.empty()) return {};
  const auto calendars = db.internals().read_all(calendars_of_units, {{"ids", db.internals().list(units)}});
  if (calendars.empty()) return {};
  const auto now = db.internals().read_one(clock_of_blocks).value();
  return block_renewal(db, calendars, now).run();
}

} // namespace roost::store
