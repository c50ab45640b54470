#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <tuple>

namespace roost::store {

namespace {

bool same(const domain::booking_window& a, const domain::booking_window& b) {
  return std::tie(a.min_start, a.max_start, a.min_end, a.max_end) ==
         std::tie(b.min_start, b.max_start, b.min_end, b.max_end);
}

bool same(const domain::block& a, const domain::block& b) {
  return a.nights == b.nights && a.source == b.source && a.host == b.host;
}

template <typename Value>
const Value& of_unit(const by_id<Value>& map, const domain::uuid& unit) {
  static const Value nothing{};
  const auto found = map.find(unit);
  return found == map.end() ? nothing : found->second;
}

template <typename Each>
void for_each_unit(account_span accounts, Each each) {
  for (const auto& account : accounts)
    for (const auto& property : account.properties)
      for (const auto& unit : property.units) each(account.details.id, unit);
}

/// Month by month, so that each keeps the time of its own last change.
class rent_step {
public:
  rent_step(session& db, domain::timestamp now)
      : now_(now), gone_(db, tables::month_rents, bulk_mode::erase),
        added_(db, tables::month_rents, bulk_mode::insert),
        changed_(db, tables::month_rents, bulk_mode::update_changed) {}

  /// Whether anything changes.
  bool take(const domain::unit& unit, const std::map<unsigned, domain::money>& stored) {
    bool moved = false;
    std::map<unsigned, domain::money> wanted;
    for (const auto& each : unit.rent.per_month) wanted.emplace(each.month, each.rent);
    for (const auto& [month, rent] : stored)
      if (!wanted.contains(month)) {
        write(gone_, unit.id, month, rent);
        moved = true;
      }
    for (const auto& [month, rent] : wanted) {
      const auto found = stored.find(month);
      if (found != stored.end() && found->second == rent) continue;
      write(found == stored.end() ? added_ : changed_, unit.id, month, rent);
      moved = true;
    }
    return moved;
  }

  void finish() {
    gone_.finish();
    changed_.finish();
    added_.finish();
  }

private:
  using writer = bulk_writer<month_rent_row>;

  void write(writer& to, const domain::uuid& unit, unsigned month, domain::money rent) {
    const domain::month_rent row{month, rent, now_, now_};
    to.add({unit, &row});
  }

  domain::timestamp now_;
  writer gone_, added_, changed_;
};

/// Windows have no identity: all of a unit's are replaced when any of them changes. The old ones are deleted
/// before the first new one is written.
void write_windows(import_run& run, account_span accounts, const stored_details& stored, id_set& moved) {
  bulk_writer gone(run.db, tables::windows_of_unit, bulk_mode::erase);
  bulk_writer added(run.db, tables::windows, bulk_mode::insert);
  const auto differ = [&](const domain::unit& unit) {
    return !std::ranges::equal(of_unit(stored.windows, unit.id), unit.booking_windows,
                               [](const auto& a, const auto& b) { return same(a, b); });
  };
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    if (!differ(unit.terms)) return;
    moved.insert(unit.terms.id);
    if (stored.windows.contains(unit.terms.id)) gone.add({unit.terms.id});
  });
  gone.finish();
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    if (!differ(unit.terms)) return;
    int position = 0;
    for (const auto& window : unit.terms.booking_windows) added.add({unit.terms.id, position++, &window});
  });
  added.finish();
}

/// Blocks keep their identity: by the id that the file gives, else by their content.
class block_step {
public:
  block_step(import_run& run, account_span accounts, const stored_details& stored)
      : run_(run), gone_(run.db, tables::block_ids, bulk_mode::erase),
        added_(run.db, tables::blocks, bulk_mode::insert),
        changed_(run.db, tables::blocks, bulk_mode::update_changed) {
    for (const auto& [unit, blocks] : stored.blocks)
      for (const auto& block : blocks) stored_.insert(block.id);
    for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
      for (const auto& block : unit.blocks)
        if (!block.id.is_nil()) kept_.insert(block.id);
    });
  }

  void take(const domain::portfolio_unit& unit, const std::vector<domain::block>& stored) {
    for (const auto& block : unit.blocks) {
      if (!block.id.is_nil()) {
        write(stored_.contains(block.id) ? changed_ : added_, block.id, unit.terms.id, block);
        continue;
      }
      const auto found = std::ranges::find_if(
          stored, [&](const domain::block& each) { return same(each, block) && !kept_.contains(each.id); });
      if (found != stored.end()) {
        kept_.insert(found->id);
      } else {
        write(added_, run_.with.new_id(), unit.terms.id, block);
      }
    }
    for (const auto& each : stored)
      if (!kept_.contains(each.id)) gone_.add({each.id});
  }

  void finish() {
    gone_.finish();
    changed_.finish();
    added_.finish();
  }

private:
  void write(bulk_writer<block_row>& to, const domain::uuid& id, const domain::uuid& unit,
             const domain::block& block) {
    auto row = block;
    row.id = id;
    row.created_at = row.updated_at = run_.with.now;
    to.add({unit, &row});
  }

  import_run& run_;
  id_set stored_, kept_;
  bulk_writer<row_key> gone_;
  bulk_writer<block_row> added_, changed_;
};

/// An external id may move from one unit to another: all old links are deleted before the first new one.
void write_links(import_run& run, account_span accounts, const stored_details& stored,
                 const by_id<stored_unit>& stored_before) {
  by_id<const std::vector<domain::link>*> wanted;
  bulk_writer gone(run.db, tables::link_keys, bulk_mode::erase);
  bulk_writer added(run.db, tables::links, bulk_mode::insert);
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    wanted.emplace(unit.terms.id, &unit.links);
  });
  static const std::vector<domain::link> none;
  for (const auto& [unit, links] : stored.links) {
    const auto found = wanted.find(unit);
    const auto before = stored_before.find(unit);
    if (found == wanted.end() && before != stored_before.end() && before->second.from_platform) continue;
    const auto& stay = found == wanted.end() ? none : *found->second;
    for (const auto& link : links)
      if (std::ranges::find(stay, link) == stay.end()) gone.add({unit, link.platform});
  }
  gone.finish();
  for_each_unit(accounts, [&](const domain::uuid& account, const domain::portfolio_unit& unit) {
    const auto& there = of_unit(stored.links, unit.terms.id);
    for (const auto& link : unit.links)
      if (std::ranges::find(there, link) == there.end()) added.add({unit.terms.id, account, &link});
  });
  added.finish();
}

void write_exclusions(import_run& run, account_span accounts, const stored_details& stored) {
  bulk_writer gone(run.db, tables::exclusions, bulk_mode::erase);
  bulk_writer added(run.db, tables::exclusions, bulk_mode::insert_new);
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    const auto& there = of_unit(stored.exclusions, unit.terms.id);
    for (const auto& platform : there)
      if (std::ranges::find(unit.excluded_from, platform) == unit.excluded_from.end())
        gone.add({unit.terms.id, platform});
    for (const auto& platform : unit.excluded_from)
      if (std::ranges::find(there, platform) == there.end()) added.add({unit.terms.id, platform});
  });
  gone.finish();
  added.finish();
}

} // namespace

void import_details(import_run& run, account_span accounts, const by_id<stored_unit>& stored_before,
                    id_set& touched) {
  const auto stored = read_stored_details(run.db, ids_of(accounts));
  id_set moved;
  rent_step rents(run.db, run.with.now);
  block_step blocks(run, accounts, stored);
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    if (rents.take(unit.terms, of_unit(stored.month_rents, unit.terms.id))) moved.insert(unit.terms.id);
    blocks.take(unit, of_unit(stored.blocks, unit.terms.id));
  });
  rents.finish();
  blocks.finish();
  write_windows(run, accounts, stored, moved);
  write_links(run, accounts, stored, stored_before);
  write_exclusions(run, accounts, stored);
  for (const auto& unit : moved)
    if (stored_before.contains(unit)) touched.insert(unit);
}

} // namespace roost::store
