#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace roost::store {

namespace {

bool is_same(const domain::block& a, const domain::block& b) {
  return a.nights == b.nights && a.source == b.source && a.host == b.host;
}

/// Writes rents month by month, so that each month keeps the time of its own last change.
class rent_step {
public:
  explicit rent_step(import_run& run) : run_(run) {}

  /// Returns whether anything changes.
  bool take(const domain::unit& unit, const std::map<unsigned, domain::money>& stored) {
    bool any = false;
    const auto write = [&](auto& rows, unsigned month, domain::money rent) {
      const domain::month_rent row{month, rent, run_.context.now, run_.context.now};
      rows.add({unit.id, &row});
      any = true;
    };
    std::map<unsigned, domain::money> in_file;
    for (const auto& each : unit.rent.per_month) in_file.emplace(each.month, each.rent);
    for (const auto& [month, rent] : stored) {
      if (in_file.contains(month)) continue;
      write(removed_, month, rent);
      // A rent that becomes fixed replaces its months: that is not a removal.
      if (!unit.rent.fixed)
        run_.notes.add({import_action::removed, portfolio_part::month_rent, unit.id, std::to_string(month)});
    }
    for (const auto& [month, rent] : in_file) {
      const auto found = stored.find(month);
      if (found == stored.end())
        write(added_, month, rent);
      else if (found->second != rent)
        write(changed_, month, rent);
    }
    return any;
  }

  void finish() {
    for (auto* rows : {&removed_, &changed_, &added_}) rows->finish();
  }

private:
  using writer = bulk_writer<owned_row<domain::month_rent>>;

  import_run& run_;
  writer removed_{run_.db, tables::month_rents, bulk_mode::erase},
      added_{run_.db, tables::month_rents, bulk_mode::insert},
      changed_{run_.db, tables::month_rents, bulk_mode::update_changed};
};

std::string dates_of(const domain::booking_window& window) {
  std::string text;
  for (const auto day : {window.min_start, window.max_start, window.min_end, window.max_end})
    text.append(text.empty() ? "" : " ").append(domain::to_string(day));
  return text;
}

/// Notes the changes of a unit's windows. Pairs removed with added windows as changes as far as possible. A
/// new order is a change, too: it is published, and decides which of two windows that start on the same day
/// comes first.
void note_windows(import_run& run, const domain::unit& unit, std::vector<domain::booking_window> removed) {
  std::vector<domain::booking_window> added;
  for (const auto& window : unit.booking_windows) {
    const auto known = std::ranges::find(removed, window);
    if (known == removed.end())
      added.push_back(window);
    else
      removed.erase(known);
  }
  if (removed.empty() && added.empty())
    run.notes.add({import_action::changed, portfolio_part::window, unit.id});
  for (std::size_t i = 0; i < std::max(removed.size(), added.size()); ++i) {
    const bool is_removed = i < removed.size(), is_added = i < added.size();
    const auto action = is_removed && is_added ? import_action::changed
                        : is_removed           ? import_action::removed
                                               : import_action::added;
    run.notes.add({action, portfolio_part::window, unit.id, dates_of(is_removed ? removed[i] : added[i]),
                   is_removed && is_added ? dates_of(added[i]) : std::string{}});
  }
}

/// Replaces all windows of a unit if any of them changes, because they have no ids. Deletes the old ones
/// before writing the first new one.
void write_windows(import_run& run, account_span accounts, const stored_details& stored, id_set& touched) {
  bulk_writer removed(run.db, tables::windows_of_unit, bulk_mode::erase);
  bulk_writer added(run.db, tables::windows, bulk_mode::insert);
  const auto differ = [&](const domain::unit& unit) {
    return rows_of(stored.windows, unit.id) != unit.booking_windows;
  };
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    if (!differ(unit.terms)) return;
    touched.insert(unit.terms.id);
    note_windows(run, unit.terms, rows_of(stored.windows, unit.terms.id));
    if (stored.windows.contains(unit.terms.id)) removed.add({unit.terms.id});
  });
  removed.finish();
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    if (!differ(unit.terms)) return;
    int position = 0;
    for (const auto& window : unit.terms.booking_windows) added.add({unit.terms.id, position++, &window});
  });
  added.finish();
}

const selection blocks_by_office{
    "blocks_by_office",
    "select {columns} from blocks b join units u on u.id = b.unit_id where u.account_id in {ids uuid}"
    " and b.by_office",
    named<domain::uuid>("b.id")};
const selection replaced_blocks{
    "replaced_blocks",
    "select {columns} from replaced_blocks r join units u on u.id = r.unit_id where u.account_id in {ids "
    "uuid}",
    named<domain::uuid>("r.unit_id"),
    columns(column("id", &domain::block::id),
            column("first_night", &domain::block::nights, &domain::nights::first),
            column<last_night_format>("last_night", &domain::block::nights, &domain::nights::last),
            column("source", &domain::block::source), column("host", &domain::block::host))
        .of("r"),
    named<bool>("r.imported")};

/// Writes blocks. They keep their identity by the id in the file, otherwise by their content.
///
/// Blocks that the office created stay as they are. Those that it changed or deleted are set back only with
/// import_context::overwrite_office; they are known by their ids, and by their imported states.
class block_step {
public:
  block_step(import_run& run, account_span accounts, const stored_details& stored)
      : run_(run), stored_(stored.blocks) {
    const auto accounts_read = ids_of(accounts);
    const std::span<const domain::uuid> ids(accounts_read);
    read_in_parts(run.db, blocks_by_office, ids, [&](const domain::uuid& id) { by_office_.insert(id); });
    read_in_parts(run.db, replaced_blocks, ids,
                  [&](const domain::uuid& unit, domain::block&& block, bool was_imported) {
                    replaced_ids_.insert(block.id);
                    if (!was_imported) return;
                    imported_ids_.insert(block.id);
                    replaced_[unit].push_back(std::move(block));
                  });
    for (const auto& [unit, blocks] : stored_)
      for (const auto& block : blocks) known_.insert(block.id);
    for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
      for (const auto& block : unit.blocks)
        if (!block.id.is_nil()) kept_.insert(block.id);
    });
  }

  void take(const domain::portfolio_unit& unit) {
    const auto& id = unit.terms.id;
    const auto& stored = rows_of(stored_, id);
    std::vector<const domain::block*> unknown;
    for (const auto& block : unit.blocks) {
      if (!block.id.is_nil())
        take(id, block.id, block);
      else if (const auto* found = find_unused(stored, block))
        take(id, found->id, block);
      else
        unknown.push_back(&block);
    }
    for (const auto* block : unknown) {
      if (const auto* replaced = find_unused(rows_of(replaced_, id), *block))
        take(id, replaced->id, *block);
      else
        add(run_.context.new_id(), id, *block);
    }
    for (const auto& each : stored)
      if (note_unless_kept(each)) removed_.add({each.id});
  }

  /// Notes the blocks of a removed unit, except those that move to another unit.
  void note_removed_unit(const domain::uuid& unit) {
    for (const auto& each : rows_of(stored_, unit)) note_unless_kept(each);
  }

  void finish() {
    removed_.finish();
    finish_changes(run_, portfolio_part::block, changed_);
    added_.finish();
    // A block that no file has any more may be added again later.
    for (const auto& id : imported_ids_)
      if (!kept_.contains(id) && !known_.contains(id)) forgotten_.add({id});
    forgotten_.finish();
  }

private:
  /// Takes a block of the file whose id is known.
  void take(const domain::uuid& unit, const domain::uuid& id, const domain::block& block) {
    kept_.insert(id);
    const bool is_stored = known_.contains(id), is_of_office = by_office_.contains(id);
    if (is_stored && is_as_stored(unit, id, block)) return;
    if (is_of_office && !imported_ids_.contains(id)) return; // it was created there
    const bool is_set_back = is_of_office || (!is_stored && replaced_ids_.contains(id));
    if (is_of_office)
      run_.notes.add_of_office({import_action::changed, portfolio_part::block, id}, block.id.is_nil());
    if (is_set_back && !run_.context.overwrite_office) return;
    is_stored ? write(changed_, id, unit, block) : add(id, unit, block);
    if (is_set_back) forgotten_.add({id});
  }

  bool is_as_stored(const domain::uuid& unit, const domain::uuid& id, const domain::block& block) const {
    const auto& blocks = rows_of(stored_, unit);
    const auto found = std::ranges::find(blocks, id, &domain::block::id);
    return found != blocks.end() && is_same(*found, block) && found->note == block.note;
  }

  /// Returns a block with the same content that no other block of the file stands for; null if there is none.
  const domain::block* find_unused(const std::vector<domain::block>& blocks,
                                   const domain::block& block) const {
    const auto found = std::ranges::find_if(
        blocks, [&](const domain::block& each) { return is_same(each, block) && !kept_.contains(each.id); });
    return found == blocks.end() ? nullptr : &*found;
  }

  void add(const domain::uuid& id, const domain::uuid& unit, const domain::block& block) {
    write(added_, id, unit, block);
    run_.notes.add({import_action::added, portfolio_part::block, unit, domain::to_string(block.nights.first),
                    domain::to_string(block.nights.last)});
  }

  /// Returns whether the stored block is removed.
  bool note_unless_kept(const domain::block& block) {
    if (kept_.contains(block.id) || by_office_.contains(block.id)) return false;
    run_.notes.add({import_action::removed, portfolio_part::block, block.id});
    return true;
  }

  void write(bulk_writer<block_row>& rows, const domain::uuid& id, const domain::uuid& unit,
             domain::block block) {
    block.id = id;
    block.created_at = block.updated_at = run_.context.now;
    rows.add({unit, &block});
  }

  import_run& run_;
  const by_id<std::vector<domain::block>>& stored_;
  id_set known_, kept_; ///< stored ids; ids that stay
  id_set by_office_;    ///< stored ids of blocks that the office created or changed
  id_set replaced_ids_; ///< ids of blocks that the office deleted, or changed since their import
  id_set imported_ids_; ///< those among them that were imported
  by_id<std::vector<domain::block>> replaced_; ///< the imported states, by unit
  bulk_writer<changed_row> removed_{run_.db, tables::block_ids, bulk_mode::erase};
  bulk_writer<block_row> added_{run_.db, tables::blocks, bulk_mode::insert},
      changed_{run_.db, tables::blocks, bulk_mode::update_changed};
  bulk_writer<changed_row> forgotten_{run_.db, tables::replaced_block_ids, bulk_mode::erase};
};

bool has_platform(const std::vector<domain::link>& links, const std::string& platform) {
  return std::ranges::find(links, platform, &domain::link::platform) != links.end();
}

template <typename Value>
bool contains(const std::vector<Value>& values, const Value& value) {
  return std::ranges::find(values, value) != values.end();
}

using link_key = std::tuple<domain::uuid, std::string_view, std::string_view>;

/// Returns the account, platform and ID of every link in the file.
std::set<link_key> link_keys_of(account_span accounts) {
  std::set<link_key> keys;
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid& account, const domain::uuid&) {
    for (const auto& link : unit.links) keys.emplace(account, link.platform, link.external_id);
  });
  return keys;
}

/// Deletes old links that another link replaces, because an external id may move from one unit to another.
/// Defers the deletion of others to the last step, so that it is recorded when servers begin to see it. A
/// unit that the file omits keeps its links while it exists: they keep its IDs from the unit of the whole
/// property.
void delete_links(import_run& run, account_span accounts, const stored_details& stored,
                  const by_id<stored_unit>& stored_units) {
  const auto in_file = link_keys_of(accounts);
  by_id<const std::vector<domain::link>*> links_in_file;
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    links_in_file.emplace(unit.terms.id, &unit.links);
  });
  bulk_writer removed(run.db, tables::link_keys, bulk_mode::erase);
  const auto note = [&](import_action action, const domain::uuid& unit, const domain::link& link) {
    run.notes.add({action, portfolio_part::link, unit, link.platform});
  };
  for (const auto& [unit, links] : stored.links) {
    const auto found = links_in_file.find(unit);
    const auto& account = stored_units.at(unit).account_id;
    for (const auto& link : links) {
      const bool moves = in_file.contains({account, link.platform, link.external_id});
      const bool is_left_out = found == links_in_file.end();
      if (!is_left_out && contains(*found->second, link)) continue;
      const bool is_replaced = !is_left_out && has_platform(*found->second, link.platform);
      if (moves || is_replaced)
        removed.add({unit, link.platform});
      else if (!is_left_out)
        run.ended_links.emplace_back(unit, link.platform);
      if (moves || !is_left_out || run.removed_units.contains(unit))
        note(is_replaced ? import_action::changed : import_action::removed, unit, link);
    }
  }
  removed.finish();
}

void write_links(import_run& run, account_span accounts, const stored_details& stored,
                 const by_id<stored_unit>& stored_units) {
  delete_links(run, accounts, stored, stored_units);
  bulk_writer added(run.db, tables::links, bulk_mode::insert);
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid& account, const domain::uuid&) {
    const auto& known = rows_of(stored.links, unit.terms.id);
    for (const auto& link : unit.links) {
      if (contains(known, link)) continue;
      added.add({unit.terms.id, account, &link});
      if (!has_platform(known, link.platform))
        run.notes.add({import_action::added, portfolio_part::link, unit.terms.id, link.platform});
    }
  });
  added.finish();
}

void write_exclusions(import_run& run, account_span accounts, const stored_details& stored) {
  bulk_writer removed(run.db, tables::exclusions, bulk_mode::erase);
  bulk_writer added(run.db, tables::exclusions, bulk_mode::insert_new);
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    const auto& known = rows_of(stored.exclusions, unit.terms.id);
    const auto write = [&](auto& rows, import_action action, const auto& platforms, const auto& others) {
      for (const auto& platform : platforms) {
        if (contains(others, platform)) continue;
        rows.add({unit.terms.id, platform});
        run.notes.add({action, portfolio_part::exclusion, unit.terms.id, platform});
      }
    };
    write(removed, import_action::removed, known, unit.excluded_from);
    write(added, import_action::added, unit.excluded_from, known);
  });
  removed.finish();
  added.finish();
}

/// Notes blocks, windows and exclusions that are deleted along with their units. Month rents are part of a
/// unit; delete_links() notes links.
void note_details_of_removed_units(import_run& run, const stored_details& stored, block_step& blocks) {
  for (const auto& unit : run.removed_units) {
    blocks.note_removed_unit(unit);
    for (const auto& window : rows_of(stored.windows, unit))
      run.notes.add({import_action::removed, portfolio_part::window, unit, dates_of(window)});
    for (const auto& platform : rows_of(stored.exclusions, unit))
      run.notes.add({import_action::removed, portfolio_part::exclusion, unit, platform});
  }
}

} // namespace

void end_links(import_run& run) {
  bulk_writer ended(run.db, tables::link_keys, bulk_mode::erase);
  for (const auto& [unit, platform] : run.ended_links) ended.add({unit, platform});
  ended.finish();
}

void import_details(import_run& run, account_span accounts, const by_id<stored_unit>& stored_units,
                    id_set& touched) {
  const auto stored = read_stored_details(run.db, ids_of(accounts));
  id_set changed;
  rent_step rents(run);
  block_step blocks(run, accounts, stored);
  for_each_unit(accounts, [&](const auto& unit, const domain::uuid&, const domain::uuid&) {
    if (rents.take(unit.terms, rows_of(stored.month_rents, unit.terms.id))) changed.insert(unit.terms.id);
    blocks.take(unit);
  });
  note_details_of_removed_units(run, stored, blocks);
  rents.finish();
  blocks.finish();
  write_windows(run, accounts, stored, changed);
  write_links(run, accounts, stored, stored_units);
  write_exclusions(run, accounts, stored);
  compare_calendars(run, accounts, stored);
  for (const auto& unit : changed)
    if (stored_units.contains(unit)) touched.insert(unit);
}

} // namespace roost::store
