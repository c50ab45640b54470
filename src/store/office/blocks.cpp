#include "store/office/blocks.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_write.hpp"
#include "store/office/units.hpp"
#include "store/portfolio/held_nights.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <algorithm>
#include <utility>

namespace roost::store {

namespace {

constexpr auto office_block_columns =
    columns(nested(&office_block::block, noted_block_columns), column("unit_id", &office_block::unit_id),
            column("by_office", &office_block::by_office), column("calendar_id", &office_block::calendar_id));

/// The condition of a unit `u` with its property `p` that the scope contains.
const std::string unit_in_scope = "u.id = :unit and u.account_id = :account"
                                  " and (:owner = '' or cast(p.owner_id as text) = :owner)";
const std::string select_blocks = "select {columns} from blocks b join units u on u.id = b.unit_id"
                                  " join properties p on p.id = u.property_id where " +
                                  unit_in_scope;

const selection block_page{"block_page",
                           select_blocks + " and (b.first_night, b.id) > (:after, :after_id)"
                                           " order by b.first_night, b.id limit :limit",
                           office_block_columns.of("b")};
const selection block_count{"block_count", "select {columns} from blocks where unit_id = :unit",
                            named<std::int64_t>("count(*)")};
const selection block_by_id{"block_by_id", select_blocks + " and b.id = :id", office_block_columns.of("b")};
/// Skips a block that an import is writing.
const selection locked_block{"locked_block", select_blocks + " and b.id = :id {for update of b skip locked}",
                             office_block_columns.of("b")};
const selection blocks_of_window{"blocks_of_window",
                                 "select {columns} from blocks where unit_id in {ids uuid}"
                                 " and first_night <= :last and (last_night is null or last_night >= :first)"
                                 " order by first_night, id",
                                 office_block_columns};
/// A calendar knows blocks and bookings by their ids alone.
const selection is_block_id_taken{"is_block_id_taken",
                                  "select {columns} from (select id from blocks where id = :id"
                                  " union all select id from bookings where id = :id) as taken",
                                  named<bool>("count(*) > 0")};

const selection bookings_among{
    "bookings_among",
    "select {columns} from bookings where unit_id = :unit and status <> 'cancelled'"
    " and check_in <= :last and check_out > :first order by check_in",
    named<domain::uuid>("id"), named<domain::date>("check_in"), named<domain::date>("check_out")};

const auto block_table = table_of<office_block_columns>("blocks");
constexpr query erase_block{"erase_block", "delete from blocks where id = :id"};
/// Remembers a block that is about to change or to be deleted. Keeps the first version: it is the imported
/// one.
constexpr query remember_block{
    "remember_block",
    "insert into replaced_blocks (id, unit_id, first_night, last_night, source, host, imported)"
    " select id, unit_id, first_night, last_night, source, host, not by_office from blocks where id = :id"
    " on conflict (id) do nothing"};

parameters scoped(const office_scope& scope, const domain::uuid& unit) {
  return {{"unit", unit}, {"account", scope.account_id}, {"owner", text_or_empty(scope.owner_id)}};
}

std::vector<booking_overlap> booked_among(session& db, const domain::uuid& unit,
                                          const domain::nights& nights) {
  std::vector<booking_overlap> booked;
  db.internals().read(
      bookings_among, {{"unit", unit}, {"first", nights.first}, {"last", nights.last}},
      [&](const domain::uuid& id, domain::date check_in, domain::date check_out) {
        const auto stay = domain::stay_nights(check_in, check_out);
        booked.push_back({id, {std::max(stay.first, nights.first), std::min(stay.last, nights.last)}});
      });
  return booked;
}

/// Returns the bookings of nights that a block would cover, except those that it covers already.
std::vector<booking_overlap> newly_covered(session& db, const office_block& after,
                                           const domain::nights& before) {
  auto booked = booked_among(db, after.unit_id, after.block.nights);
  const auto known = booked_among(db, after.unit_id, before);
  std::erase_if(booked, [&](const booking_overlap& each) {
    return std::ranges::find(known, each.booking_id, &booking_overlap::booking_id) != known.end();
  });
  return booked;
}

/// Returns the outcome of a write that would cover nights of a stay which a platform holds, except those that
/// the block covers already.
std::optional<block_outcome> refused_because_held(session& db, const office_block& after,
                                                  const std::optional<domain::nights>& before = {}) {
  auto holds = holds_among(db, {&after.unit_id, 1}, after.block.nights);
  std::erase_if(holds, [&](const held_nights& each) {
    const auto stay = domain::stay_nights(each.check_in, each.check_out);
    return !domain::overlap(stay, after.block.nights) || (before && domain::overlap(stay, *before));
  });
  if (holds.empty()) return std::nullopt;
  block_outcome outcome;
  outcome.result = office_result::conflicting;
  outcome.block = after;
  outcome.problem = holds.front().platform + " holds nights for a guest who is about to book, from " +
                    domain::to_string(holds.front().check_in) + " to " +
                    domain::to_string(holds.front().check_out) + ": try again in some minutes";
  return outcome;
}

std::string json_night(domain::date day) {
  return day == domain::no_end ? std::string("null") : json_string(domain::to_string(day));
}

/// Returns the members that differ, with their values as JSON; those of a missing block are null.
std::vector<domain::field_change> changes_between(const office_block* before, const office_block* after) {
  std::vector<domain::field_change> changes;
  const auto add = [&](const char* name, auto value_of) {
    auto from = before ? value_of(*before) : std::string("null");
    auto to = after ? value_of(*after) : std::string("null");
    if (from != to) changes.push_back({name, std::move(from), std::move(to)});
  };
  add("from", [](const office_block& each) { return json_night(each.block.nights.first); });
  add("to", [](const office_block& each) { return json_night(each.block.nights.last); });
  add("note", [](const office_block& each) { return json_string(each.block.note.view()); });
  return changes;
}

/// Writes what every write of a block leaves behind; the change's position comes last.
stream_point record_block(session& db, const office_scope& scope, const office_block& subject,
                          std::vector<domain::field_change> changes, const office_author& author) {
  const auto &unit = subject.unit_id, &id = subject.block.id;
  auto described = author;
  described.audit.detail = "unit " + domain::to_string(unit) + "; " + describe(changes);
  return record(db, scope, described,
                {{change_kind::unit, {scope.account_id}, {unit}, {id}}, {{unit, id, std::move(changes)}}});
}

block_outcome outcome_of(office_result result, office_block block, stream_point point = {}) {
  block_outcome outcome;
  outcome.result = result;
  outcome.block = std::move(block);
  outcome.point = point;
  return outcome;
}

block_outcome booked(office_block block, std::vector<booking_overlap> nights) {
  auto outcome = outcome_of(office_result::booked, std::move(block));
  outcome.booked = std::move(nights);
  return outcome;
}

last_change last_change_of(session& db, const office_scope& scope, const office_block& block) {
  const auto entry = last_change_of(db, scope, block.block.id);
  if (entry && entry->at >= block.block.updated_at) return *entry;
  return {changed_by_import, block.block.updated_at};
}

block_outcome of_calendar(office_block block) {
  auto outcome = outcome_of(office_result::conflicting, std::move(block));
  outcome.problem = "The block comes from an imported calendar and cannot be changed here";
  return outcome;
}

/// The state in which a change or a deletion finds a block.
struct found_block {
  std::optional<office_block> block;
  block_outcome refused; ///< the outcome, if there is none or it is not current
};

template <typename Request>
found_block find_current(session& db, const office_scope& scope, const Request& request) {
  found_block found;
  if (!lock_unit(db, scope, request.unit_id)) return found;
  auto parameters = scoped(scope, request.unit_id);
  parameters.emplace_back("id", request.id);
  found.block = db.internals().read_one(locked_block, parameters);
  if (!found.block && db.internals().read_one(block_by_id, parameters))
    throw locked_elsewhere("the block is being changed");
  if (!found.block || (request.is_current && request.is_current(*found.block))) return found;
  found.refused = outcome_of(request.is_current ? office_result::outdated : office_result::unconditional,
                             *std::exchange(found.block, std::nullopt));
  found.refused.last = last_change_of(db, scope, found.refused.block);
  return found;
}

/// Returns the outcome of a request for an id that is in use.
block_outcome repeated(session& db, const office_scope& scope, const block_creation& request) {
  auto outcome = outcome_of(office_result::other_request, {});
  if (!is_repeated(db, scope, request.id, request.request_hash)) return outcome;
  auto block = find_block(db, scope, request.unit_id, request.id);
  if (!block) return outcome;
  return outcome_of(office_result::repeated, std::move(*block), newest_point(db));
}

block_outcome create_once(session& db, const lease& held, const office_scope& scope,
                          const block_creation& request, const office_author& author) {
  office_transaction txn(db, held);
  if (!lock_unit(db, scope, request.unit_id)) return {};
  if (db.internals().read_one(is_block_id_taken, {{"id", request.id}}).value_or(false))
    return repeated(db, scope, request);
  if (auto taken = booked_among(db, request.unit_id, request.nights); !taken.empty())
    return booked({}, std::move(taken));
  office_block block{request.unit_id, {}, true};
  block.block.id = request.id;
  block.block.note = request.note;
  block.block.nights = request.nights;
  block.block.created_at = block.block.updated_at = author.now;
  if (auto refused = refused_because_held(db, block)) return *std::move(refused);
  insert_row(db, block_table, block);
  remember_creation(db, scope, request.id, request.request_hash);
  const auto point = record_block(db, scope, block, changes_between(nullptr, &block), author);
  txn.commit();
  return outcome_of(office_result::created, std::move(block), point);
}

block_outcome change_once(session& db, const lease& held, const office_scope& scope,
                          const block_change& request, const office_author& author) {
  office_transaction txn(db, held);
  auto found = find_current(db, scope, request);
  if (!found.block) return std::move(found.refused);
  const auto& before = *found.block;
  if (before.calendar_id) return of_calendar(before);
  auto after = before;
  if (auto problem = request.apply(after); !problem.empty()) {
    auto outcome = outcome_of(office_result::refused, before);
    outcome.problem = std::move(problem);
    return outcome;
  }
  if (after == before) return outcome_of(office_result::unchanged, before, newest_point(db));
  if (auto taken = newly_covered(db, after, before.block.nights); !taken.empty())
    return booked(before, std::move(taken));
  if (auto refused = refused_because_held(db, after, before.block.nights)) return *std::move(refused);
  if (!before.by_office) db.internals().write(remember_block, {{"id", request.id}});
  after.by_office = true;
  after.block.updated_at = author.now;
  update_row(db, block_table, after);
  const auto point = record_block(db, scope, after, changes_between(&before, &after), author);
  txn.commit();
  return outcome_of(office_result::changed, std::move(after), point);
}

block_outcome delete_once(session& db, const lease& held, const office_scope& scope,
                          const block_deletion& request, const office_author& author) {
  office_transaction txn(db, held);
  auto found = find_current(db, scope, request);
  if (!found.block) return std::move(found.refused);
  if (found.block->calendar_id) return of_calendar(*std::move(found.block));
  db.internals().write(remember_block, {{"id", request.id}});
  db.internals().write(erase_block, {{"id", request.id}});
  forget_creations(db, {&request.id, 1});
  const auto point = record_block(db, scope, *found.block, changes_between(&*found.block, nullptr), author);
  txn.commit();
  return outcome_of(office_result::deleted, std::move(*found.block), point);
}

} // namespace

std::optional<office_page<office_block>> list_blocks(session& db, const office_scope& scope,
                                                     const domain::uuid& unit,
                                                     const std::optional<block_place>& after,
                                                     std::size_t limit) {
  const transaction txn(db, transaction::purpose::read);
  auto parameters = scoped(scope, unit);
  if (!is_unit_in_scope(db, scope, unit)) return std::nullopt;
  office_page<office_block> page;
  page.total = db.internals().read_one(block_count, {{"unit", unit}}).value_or(0);
  const auto place = after.value_or(block_place{domain::parse_date("0001-01-01").value(), {}});
  parameters.emplace_back("after", place.first_night);
  parameters.emplace_back("after_id", place.id);
  parameters.emplace_back("limit", limit + 1);
  page.items = db.internals().read_all(block_page, parameters);
  page.has_more = page.items.size() > limit;
  if (page.has_more) page.items.resize(limit);
  return page;
}

std::vector<office_block> blocks_among(session& db, std::span<const domain::uuid> units,
                                       const domain::nights& nights) {
  std::vector<office_block> blocks;
  read_in_parts(db, blocks_of_window, units, {{"first", nights.first}, {"last", nights.last}},
                [&](office_block&& each) { blocks.push_back(std::move(each)); });
  return blocks;
}

std::optional<office_block> find_block(session& db, const office_scope& scope, const domain::uuid& unit,
                                       const domain::uuid& id) {
  auto parameters = scoped(scope, unit);
  parameters.emplace_back("id", id);
  return db.internals().read_one(block_by_id, parameters);
}

block_outcome create_block(session& db, const lease& held, const office_scope& scope,
                           const block_creation& request, const office_author& author) {
  return with_retries([&] { return create_once(db, held, scope, request, author); });
}

block_outcome change_block(session& db, const lease& held, const office_scope& scope,
                           const block_change& request, const office_author& author) {
  return with_retries([&] { return change_once(db, held, scope, request, author); });
}

block_outcome delete_block(session& db, const lease& held, const office_scope& scope,
                           const block_deletion& request, const office_author& author) {
  return with_retries([&] { return delete_once(db, held, scope, request, author); });
}

/// A transaction whose commit is in doubt has taken its position, so it holds the stream's lock until it
/// ends.
std::int64_t settled_position(session& db) {
  const settled_read txn(db);
  return lock_stream(db);
}

} // namespace roost::store
