#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <string>

namespace roost::store {

namespace {

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
  explicit rent_step(import_run& run)
      : run_(run), gone_(run.db, tables::month_rents, bulk_mode::erase),
        added_(run.db, tables::month_rents, bulk_mode::insert),
        changed_(run.db, tables::month_rents, bulk_mode::update_changed) {}

  /// Whether anything changes.
  bool take(const domain::unit& unit, const std::map<unsigned, domain::money>& stored) {
    bool moved = false;
    std::map<unsigned, domain::money> wanted;
    for (const auto& each : unit.rent.per_month) wanted.emplace(each.month, each.rent);
    for (const auto& [month, rent] : stored)
      if (!wanted.contains(month)) {
        write(gone_, unit.id, month, rent);
        // A rent that becomes fixed replaces its months.
        if (!unit.rent.fixed)
          run_.notes.add(
              {import_action::removed, portfolio_part::month_rent, unit.id, std::to_string(month)});
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
    const domain::month_rent row{month, rent, run_.with.now, run_.with.now};
    to.add({unit, &row});
  }

  import_run& run_;
  writer gone_, added_, changed_;
};

std::string dates_of(const domain::booking_window& window) {
  std::string text;
  for (const auto day : {window.min_start, window.max_start, window.min_end, window.max_end})
    text.append(text.empty() ? "" : " ").append(domain::to_string(day));
  return text;
}

/// Windows that go and windows that come are taken for changes of each other as long as there are both. Their
/// order is published, and tells which of two that begin on the same day comes first.
void tell_windows(import_run& run, const domain::unit& unit, std::vector<domain::booking_window> gone) {
  std::vector<domain::booking_window> fresh;
  for (const auto& window : unit.booking_windows) {
    const auto there = std::ranges::find(gone, window);
    if (there == gone.end())
      fresh.push_back(window);
    else
      gone.erase(there);
  }
  if (gone.empty() && fresh.empty()) run.notes.add({import_action::changed, portfolio_part::window, unit.id});
  for (std::size_t i = 0; i < std::max(gone.size(), fresh.size()); ++i) {
    const bool goes = i < gone.size(), comes = i < fresh.size();
    const auto action = goes && comes ? import_action::changed
                        : goes        ? import_action::removed
                                      : import_action::added;
    run.notes.add({action, portfolio_part::window, unit.id, dates_of(goes ? gone[i] : fresh[i]),
                   goes && comes ? dates_of(fresh[i]) : std::string{}});
  }
}

/// Windows have no identity: all of a unit's are replaced when any of them changes. The old ones are deleted
/// before the first new one is written.
void write_windows(import_run& run, account_span accounts, const stored_details& stored, id_set& moved) {
  bulk_writer gone(run.db, tables::windows_of_unit, bulk_mode::erase);
  bulk_writer added(run.db, tables::windows, bulk_mode::insert);
  const auto differ = [&](const domain::unit& unit) {
    return of_unit(stored.windows, unit.id) != unit.booking_windows;
  };
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    if (!differ(unit.terms)) return;
    moved.insert(unit.terms.id);
    tell_windows(run, unit.terms, of_unit(stored.windows, unit.terms.id));
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
        stored_.contains(block.id) ? write(changed_, block.id, unit.terms.id, block)
                                   : add(block.id, unit.terms.id, block);
        continue;
      }
      const auto found = std::ranges::find_if(
          stored, [&](const domain::block& each) { return same(each, block) && !kept_.contains(each.id); });
      if (found != stored.end()) {
        kept_.insert(found->id);
      } else {
        add(run_.with.new_id(), unit.terms.id, block);
      }
    }
    for (const auto& each : stored) {
      if (kept_.contains(each.id)) continue;
      gone_.add({each.id});
      tell_gone(each);
    }
  }

  /// Of a unit that is removed: those that no other one takes go with it.
  void tell_of_removed_unit(const std::vector<domain::block>& stored) {
    for (const auto& each : stored)
      if (!kept_.contains(each.id)) tell_gone(each);
  }

  void finish() {
    gone_.finish();
    finish_changes(run_, portfolio_part::block, changed_);
    added_.finish();
  }

private:
  void add(const domain::uuid& id, const domain::uuid& unit, const domain::block& block) {
    write(added_, id, unit, block);
    run_.notes.add({import_action::added, portfolio_part::block, unit, domain::to_string(block.nights.first),
                    domain::to_string(block.nights.last)});
  }

  void tell_gone(const domain::block& block) {
    run_.notes.add({import_action::removed, portfolio_part::block, block.id});
  }

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

bool holds_platform(const std::vector<domain::link>& links, const std::string& platform) {
  return std::ranges::find(links, platform, &domain::link::platform) != links.end();
}

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
      if (std::ranges::find(stay, link) == stay.end()) {
        gone.add({unit, link.platform});
        const bool comes_anew = holds_platform(stay, link.platform);
        run.notes.add({comes_anew ? import_action::changed : import_action::removed, portfolio_part::link,
                       unit, link.platform});
      }
  }
  gone.finish();
  for_each_unit(accounts, [&](const domain::uuid& account, const domain::portfolio_unit& unit) {
    const auto& there = of_unit(stored.links, unit.terms.id);
    for (const auto& link : unit.links)
      if (std::ranges::find(there, link) == there.end()) {
        added.add({unit.terms.id, account, &link});
        if (!holds_platform(there, link.platform))
          run.notes.add({import_action::added, portfolio_part::link, unit.terms.id, link.platform});
      }
  });
  added.finish();
}

void write_exclusions(import_run& run, account_span accounts, const stored_details& stored) {
  bulk_writer gone(run.db, tables::exclusions, bulk_mode::erase);
  bulk_writer added(run.db, tables::exclusions, bulk_mode::insert_new);
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    const auto& there = of_unit(stored.exclusions, unit.terms.id);
    const auto tell = [&](import_action action, const std::string& platform) {
      run.notes.add({action, portfolio_part::exclusion, unit.terms.id, platform});
    };
    for (const auto& platform : there)
      if (std::ranges::find(unit.excluded_from, platform) == unit.excluded_from.end()) {
        gone.add({unit.terms.id, platform});
        tell(import_action::removed, platform);
      }
    for (const auto& platform : unit.excluded_from)
      if (std::ranges::find(there, platform) == there.end()) {
        added.add({unit.terms.id, platform});
        tell(import_action::added, platform);
      }
  });
  gone.finish();
  added.finish();
}

/// Blocks, windows and exclusions of removed units go with them. So do month rents, which are part of a unit,
/// and links, which are deleted before.
void tell_what_goes_with_units(import_run& run, const stored_details& stored, block_step& blocks) {
  for (const auto& unit : run.removed_units) {
    blocks.tell_of_removed_unit(of_unit(stored.blocks, unit));
    for (const auto& window : of_unit(stored.windows, unit))
      run.notes.add({import_action::removed, portfolio_part::window, unit, dates_of(window)});
    for (const auto& platform : of_unit(stored.exclusions, unit))
      run.notes.add({import_action::removed, portfolio_part::exclusion, unit, platform});
  }
}

} // namespace

void import_details(import_run& run, account_span accounts, const by_id<stored_unit>& stored_before,
                    id_set& touched) {
  const auto stored = read_stored_details(run.db, ids_of(accounts));
  id_set moved;
  rent_step rents(run);
  block_step blocks(run, accounts, stored);
  for_each_unit(accounts, [&](const domain::uuid&, const domain::portfolio_unit& unit) {
    if (rents.take(unit.terms, of_unit(stored.month_rents, unit.terms.id))) moved.insert(unit.terms.id);
    blocks.take(unit, of_unit(stored.blocks, unit.terms.id));
  });
  tell_what_goes_with_units(run, stored, blocks);
  rents.finish();
  blocks.finish();
  write_windows(run, accounts, stored, moved);
  write_links(run, accounts, stored, stored_before);
  write_exclusions(run, accounts, stored);
  for (const auto& unit : moved)
    if (stored_before.contains(unit)) touched.insert(unit);
}

} // namespace roost::store
