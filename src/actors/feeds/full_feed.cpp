#include "actors/feeds/full_feed.hpp"

#include "actors/feeds/data_gap_report.hpp"
#include "actors/feeds/full_feed_metrics.hpp"
#include "listings/full_listing.hpp"
#include "log/log.hpp"
#include "store/portfolio/presentations.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace roost::actors {

namespace {

constexpr std::size_t listings_in_flight = 256;

using shown_units = std::unordered_map<domain::uuid, store::presentation, domain::uuid_hash>;
using list_promise = caf::typed_response_promise<live_feed>;

/// A bulk answer, and what it was made of.
struct bulk_response {
  std::shared_ptr<const feed_snapshot> snapshot;
  std::int64_t version = 0; ///< of the directory
};

/// A bulk answer that is being made.
struct bulk_build {
  std::string landlord_key;
  std::shared_ptr<const directory> based_on;
  std::vector<const directory_unit*> units; ///< in feed order
  shown_units shown;
  std::vector<std::string> rows;
  std::vector<listings::data_gaps> gaps; ///< by row
  std::size_t sent = 0, received = 0;
  domain::timestamp began{};
  std::chrono::steady_clock::time_point started;
  std::vector<list_promise> askers;
};

class full_feed_state {
public:
  static constexpr const char* name = "full_feed";
  using self_pointer = full_feed::stateful_pointer<full_feed_state>;
  using build_pointer = std::shared_ptr<bulk_build>;

  void open(self_pointer self, full_feed_setup setup) {
    self_ = self;
    setup_ = std::move(setup);
    metrics_.emplace(*setup_.registry, platform().name, setup_.now);
  }

  caf::result<live_feed> read_list(const read_full_list& wanted) {
    auto promise = self_->make_response_promise<live_feed>();
    const auto directory = setup_.known->get();
    if (!directory) {
      promise.deliver(make_error(storage_error::unavailable));
    } else if (const auto made = answers_.find(wanted.landlord_key);
               made != answers_.end() && is_fresh(made->second, *directory)) {
      promise.deliver(live_feed{made->second.snapshot});
    } else {
      join_build(wanted.landlord_key, directory, promise);
    }
    return promise;
  }

  caf::result<listing_response> read_listing_of(const read_full_listing& wanted) {
    auto promise = self_->make_response_promise<listing_response>();
    const auto directory = setup_.known->get();
    const auto* unit = directory ? find(*directory, wanted) : nullptr;
    if (!directory)
      promise.deliver(make_error(storage_error::unavailable));
    else if (!unit)
      promise.deliver(listing_response{});
    else
      read_live(directory, *unit, promise);
    return promise;
  }

private:
  const domain::platform& platform() const { return (*setup_.platforms)[setup_.platform]; }

  // One listing

  /// Linked units are found by the platform's ID, others by their UUID.
  const directory_unit* find(const directory& in, const read_full_listing& wanted) const {
    const auto accounts = in.accounts_for(setup_.platform, wanted.landlord_key);
    const auto* unit = in.find_of(accounts, setup_.platform, wanted.external_id);
    return unit && in.is_named(*unit, setup_.platform, wanted.external_id) ? unit : nullptr;
  }

  void read_live(std::shared_ptr<const directory> keep, const directory_unit& unit,
                 caf::typed_response_promise<listing_response> promise) {
    const std::vector ids{unit.id};
    in_storage(
        self_, setup_.storage, "presentations",
        [ids, name = platform().name](store::session& session) {
          return store::presentations(session, ids, name);
        },
        [this, keep = std::move(keep), &unit, promise](shown_units& shown) mutable {
          const auto found = shown.find(unit.id);
          if (found == shown.end()) {
            promise.deliver(listing_response{});
            return;
          }
          self_->request(unit.calendar, caf::infinite, to_render(std::move(found->second)))
              .then([promise](listing_response& answer) mutable { promise.deliver(std::move(answer)); },
                    [promise](caf::error&) mutable { promise.deliver(listing_response{}); });
        },
        [promise](storage_error why) mutable { promise.deliver(make_error(why)); });
  }

  read_listing to_render(store::presentation shown) const {
    return {setup_.platform, std::make_shared<const store::presentation>(std::move(shown))};
  }

  // All of a landlord's

  bool is_fresh(const bulk_response& answer, const directory& in) const {
    const auto now = setup_.now();
    const auto built = answer.snapshot->built_at;
    return answer.version == in.version() && now - built < setup_.interval &&
           domain::day_of(now) == domain::day_of(built);
  }

  void join_build(const std::string& key, const std::shared_ptr<const directory>& in,
                  const list_promise& promise) {
    const auto under_way = builds_.find(key);
    if (under_way != builds_.end() && under_way->second->based_on == in)
      return under_way->second->askers.push_back(promise);
    auto build = std::make_shared<bulk_build>();
    build->landlord_key = key;
    build->based_on = in;
    build->began = setup_.now();
    build->started = std::chrono::steady_clock::now();
    build->askers.push_back(promise);
    for (const auto* account : in->accounts_for(setup_.platform, key))
      for (const auto& unit : account->units) build->units.push_back(&unit);
    std::ranges::sort(build->units, [](const auto* a, const auto* b) {
      return std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
    });
    build->rows.resize(build->units.size());
    build->gaps.resize(build->units.size());
    builds_[key] = build;
    read_presentations(build);
  }

  void read_presentations(const build_pointer& build) {
    std::vector<domain::uuid> ids;
    for (const auto* unit : build->units) ids.push_back(unit->id);
    in_storage(
        self_, setup_.storage, "presentations",
        [ids = std::move(ids), name = platform().name](store::session& session) {
          return store::presentations(session, ids, name);
        },
        [this, build](shown_units& shown) {
          build->shown = std::move(shown);
          request_rows(build);
        },
        [this, build](storage_error why) { fail(build, make_error(why)); });
  }

  void request_rows(const build_pointer& build) {
    while (build->sent < build->units.size() && build->sent - build->received < listings_in_flight) {
      const auto index = build->sent++;
      const auto& unit = *build->units[index];
      auto shown = build->shown.extract(unit.id);
      if (shown.empty()) { // it is gone, and the portfolio with it
        ++build->received;
        continue;
      }
      self_->request(unit.calendar, caf::infinite, to_render(std::move(shown.mapped())))
          .then(
              [this, build, index](listing_response& answer) {
                build->rows[index] = std::move(answer.json);
                build->gaps[index] = answer.gaps;
                row_came(build);
              },
              [this, build](caf::error&) { row_came(build); });
    }
    if (build->received == build->units.size()) assembler(build);
  }

  void row_came(const build_pointer& build) {
    ++build->received;
    if (build->received == build->units.size()) return assembler(build);
    if (build->sent < build->units.size()) request_rows(build);
  }

  void assembler(const build_pointer& build) {
    const auto brackets = listings::bulk_brackets_of(platform().kind);
    auto writer = std::make_shared<feeds::feed_writer>(nullptr, 0, brackets.open, brackets.close);
    self_
        ->request(setup_.assembler, caf::infinite, add_pages{writer, feeds::in_pages(std::move(build->rows))})
        .then(
            [this, build, writer] {
              self_->request(setup_.assembler, caf::infinite, finish_feed{writer})
                  .then([this, build](assembled_feed& done) { finish(build, std::move(done.snapshot)); },
                        [this, build](caf::error& why) { fail(build, why); });
            },
            [this, build](caf::error& why) { fail(build, why); });
  }

  void finish(const build_pointer& build, feed_snapshot snapshot) {
    snapshot.built_at = build->began;
    const auto built = std::make_shared<const feed_snapshot>(std::move(snapshot));
    forget(build);
    std::erase_if(answers_, [&](const auto& each) { return !is_fresh(each.second, *build->based_on); });
    if (!build->units.empty()) remember(*build, built); // any text can be asked for, and is nobody's
    for (auto& asker : build->askers) asker.deliver(live_feed{built});
  }

  void remember(const bulk_build& build, const std::shared_ptr<const feed_snapshot>& built) {
    answers_[build.landlord_key] = {built, build.based_on->version()};
    log::info("full_feed_built",
              {{"platform", platform().name}, {"units", built->units}, {"bytes", built->bytes}});
    report_data_gaps(platform().name, build.units, build.gaps);
    full_feed_totals all;
    for (const auto& [key, answer] : answers_) all += *answer.snapshot;
    metrics_->built(all, built->built_at, std::chrono::steady_clock::now() - build.started);
  }

  void fail(const build_pointer& build, const caf::error& why) {
    forget(build);
    for (auto& asker : build->askers) asker.deliver(why);
  }

  void forget(const build_pointer& build) {
    const auto current = builds_.find(build->landlord_key);
    if (current != builds_.end() && current->second == build) builds_.erase(current);
  }

  self_pointer self_ = nullptr;
  full_feed_setup setup_;
  std::optional<full_feed_metrics> metrics_;
  std::map<std::string, bulk_response> answers_; ///< by landlord key
  std::map<std::string, build_pointer> builds_;  ///< the newest of each key
};

full_feed::behavior_type full_feed_behavior(full_feed::stateful_pointer<full_feed_state> self,
                                            full_feed_setup setup) {
  auto& state = self->state;
  state.open(self, std::move(setup));
  return {
      [&state](const read_full_list& wanted) { return state.read_list(wanted); },
      [&state](const read_full_listing& wanted) { return state.read_listing_of(wanted); },
  };
}

} // namespace

full_feed spawn_full_feed(runtime& rt, full_feed_setup setup) {
  const auto home = setup.platform % rt.io_contexts().size();
  return rt.spawn_at(home, full_feed_behavior, std::move(setup));
}

} // namespace roost::actors
