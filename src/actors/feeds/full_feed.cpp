#include "actors/feeds/full_feed.hpp"

#include "listings/listing.hpp"
#include "log/log.hpp"
#include "store/portfolio/live.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <span>

namespace roost::actors {

namespace {

constexpr std::size_t listings_in_flight = 256;

using presentations_by_unit = std::unordered_map<domain::uuid, store::presentation, domain::uuid_hash>;
using list_promise = caf::typed_response_promise<live_feed>;

/// A built list, and the version of its inputs.
struct full_list {
  std::shared_ptr<const feed_snapshot> snapshot;
  std::int64_t version = 0; ///< of the directory
};

/// A list that is being built.
struct list_build {
  std::string landlord_key;
  std::shared_ptr<const actors::directory> based_on;
  std::vector<const directory_unit*> units; ///< in feed order
  presentations_by_unit shown;
  std::vector<std::string> rows;
  std::vector<listings::data_gaps> gaps; ///< by row
  std::size_t sent = 0, received = 0;
  domain::timestamp built_at{}; ///< when the build started
  std::int64_t position = 0;    ///< of memory, when the build started
  std::chrono::steady_clock::time_point started;
  std::vector<list_promise> readers;
};

/// The metrics of a platform's full lists.
class full_feed_metrics {
public:
  full_feed_metrics(metrics::registry& registry, const std::string& platform, wall_clock now)
      : seconds_(registry.histogram("roost_full_feed_build_seconds", "Time to build a full list", {},
                                    metrics::work_buckets())),
        lists_(registry.gauge("roost_full_feeds", "Full lists in memory, one per requested landlord key",
                              {{"platform", platform}})),
        units_(registry.gauge("roost_full_feed_units", "Units in the full lists in memory",
                              {{"platform", platform}})),
        bytes_(bytes_in(registry, platform, "identity")), gzip_bytes_(bytes_in(registry, platform, "gzip")) {
    const auto age = registry.gauge("roost_full_feed_age_seconds", "Time since the last full list was built",
                                    {{"platform", platform}});
    registry.on_scrape([age, last = last_built_, now = std::move(now)] {
      const auto built = last->load();
      if (built != domain::timestamp{}) age.set(std::chrono::duration<double>(now() - built).count());
    });
  }

  /// Records a finished build, whose list has the time `at`, and the totals of all lists in memory.
  void built(const std::map<std::string, full_list>& lists, domain::timestamp at,
             std::chrono::steady_clock::duration took) {
    std::size_t units = 0, bytes = 0, gzip_bytes = 0;
    for (const auto& [key, list] : lists) {
      units += list.snapshot->units;
      bytes += list.snapshot->bytes;
      gzip_bytes += list.snapshot->gzip_bytes;
    }
    seconds_.observe(std::chrono::duration<double>(took).count());
    lists_.set(static_cast<double>(lists.size()));
    units_.set(static_cast<double>(units));
    bytes_.set(static_cast<double>(bytes));
    gzip_bytes_.set(static_cast<double>(gzip_bytes));
    last_built_->store(at);
  }

private:
  static metrics::gauge bytes_in(metrics::registry& registry, const std::string& platform,
                                 const char* encoding) {
    return registry.gauge("roost_full_feed_bytes", "Size of the full lists in memory",
                          {{"platform", platform}, {"encoding", encoding}});
  }

  metrics::histogram seconds_;
  metrics::gauge lists_, units_, bytes_, gzip_bytes_;
  /// The epoch before the first build.
  std::shared_ptr<std::atomic<domain::timestamp>> last_built_ =
      std::make_shared<std::atomic<domain::timestamp>>();
};

/// Logs the data gaps of a full list's units: the number of units per gap, and the first affected units. Logs
/// nothing if there are none. `gaps` has one entry per unit.
void report_data_gaps(const std::string& platform, std::span<const directory_unit* const> units,
                      std::span<const listings::data_gaps> gaps) {
  constexpr std::size_t max_named = 5;
  std::array<std::size_t, listings::data_gaps{}.size()> counts{};
  std::size_t affected = 0;
  std::string first;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (gaps[i].none()) continue;
    for (std::size_t gap = 0; gap < counts.size(); ++gap) counts[gap] += gaps[i][gap] ? 1 : 0;
    if (++affected > max_named) continue;
    first += (first.empty() ? "" : ",") + domain::to_string(units[i]->id());
  }
  if (affected == 0) return;
  const auto count = [&counts](listings::data_gap gap) { return counts[static_cast<std::size_t>(gap)]; };
  log::info("full_feed_gaps", {{"platform", platform},
                               {"units", affected},
                               {"no_rent", count(listings::data_gap::rent)},
                               {"region_not_accepted", count(listings::data_gap::region)},
                               {"address", count(listings::data_gap::address)},
                               {"coordinates", count(listings::data_gap::coordinates)},
                               {"month_price", count(listings::data_gap::month_price)},
                               {"first", first}});
}

class full_feed_state : public actor_state<full_feed> {
public:
  static constexpr const char* name = "full_feed";
  using actor_state::actor_state;
  using build_pointer = std::shared_ptr<list_build>;

  behavior open(full_feed_setup setup) {
    setup_ = std::move(setup);
    metrics_.emplace(*setup_.registry, platform().name, setup_.now);
    return {[this](const read_full_list& request) { return read_list(request); },
            [this](const read_full_listing& request) { return read_listing_of(request); }};
  }

  caf::result<live_feed> read_list(const read_full_list& request) {
    const auto directory = setup_.directory->get();
    if (!directory) return make_error(storage_error::unavailable);
    const auto list = lists_.find(request.landlord_key);
    if (list != lists_.end() && is_fresh(list->second, *directory)) return live_feed{list->second.snapshot};
    auto promise = self_->make_response_promise<live_feed>();
    join_build(request.landlord_key, directory, promise);
    return promise;
  }

  caf::result<listing_response> read_listing_of(const read_full_listing& request) {
    const auto directory = setup_.directory->get();
    if (!directory) return make_error(storage_error::unavailable);
    const auto* unit = find(*directory, request);
    if (!unit) return listing_response{};
    auto promise = self_->make_response_promise<listing_response>();
    read_live(directory, *unit, promise);
    return promise;
  }

private:
  const domain::platform& platform() const { return (*setup_.platforms)[setup_.platform]; }

  /// Finds linked units by the platform's id, others by their UUID.
  const directory_unit* find(const actors::directory& known, const read_full_listing& request) const {
    const auto accounts = known.accounts_for(setup_.platform, request.landlord_key);
    const auto* unit = known.find_of(accounts, setup_.platform, request.external_id);
    return unit && known.is_named(*unit, setup_.platform, request.external_id) ? unit : nullptr;
  }

  void read_live(std::shared_ptr<const actors::directory> owner, const directory_unit& unit,
                 caf::typed_response_promise<listing_response> promise) {
    presentations_of(
        {unit.id()},
        [this, owner = std::move(owner), &unit, promise](presentations_by_unit& read) mutable {
          const auto found = read.find(unit.id());
          if (found == read.end()) {
            promise.deliver(listing_response{});
            return;
          }
          self_->request(unit.calendar, caf::infinite, to_render(std::move(found->second)))
              .then([promise](listing_response& response) mutable { promise.deliver(std::move(response)); },
                    [promise](caf::error&) mutable { promise.deliver(listing_response{}); });
        },
        [promise](storage_error error) mutable { promise.deliver(make_error(error)); });
  }

  template <typename Then, typename Otherwise>
  void presentations_of(std::vector<domain::uuid> units, Then then, Otherwise otherwise) {
    in_storage(
        self_, setup_.storage, "presentations",
        [units = std::move(units), name = platform().name](store::session& session) {
          return store::presentations(session, units, name);
        },
        std::move(then), std::move(otherwise));
  }

  read_listing to_render(store::presentation shown) const {
    return {setup_.platform, std::make_shared<const store::presentation>(std::move(shown))};
  }

  // Lists

  bool is_fresh(const full_list& list, const actors::directory& known) const {
    const auto now = setup_.now();
    const auto built = list.snapshot->built_at;
    return list.version == known.version() && now >= built && now - built < setup_.interval &&
           domain::day_of(now) == domain::day_of(built) && list.snapshot->position >= setup_.lease->needed();
  }

  void join_build(const std::string& key, const std::shared_ptr<const actors::directory>& known,
                  const list_promise& promise) {
    const auto current = builds_.find(key);
    if (current != builds_.end() && current->second->based_on == known &&
        current->second->position >= setup_.lease->needed())
      return current->second->readers.push_back(promise);
    auto build = std::make_shared<list_build>();
    build->landlord_key = key;
    build->based_on = known;
    build->built_at = setup_.now();
    build->position = setup_.followed->point().position;
    build->started = std::chrono::steady_clock::now();
    build->readers.push_back(promise);
    for (const auto* account : known->accounts_for(setup_.platform, key))
      for (const auto& unit : account->units) build->units.push_back(&unit);
    std::ranges::sort(build->units, comes_before);
    build->rows.resize(build->units.size());
    build->gaps.resize(build->units.size());
    builds_[key] = build;
    read_presentations(build);
  }

  void read_presentations(const build_pointer& build) {
    std::vector<domain::uuid> ids;
    for (const auto* unit : build->units) ids.push_back(unit->id());
    presentations_of(
        std::move(ids),
        [this, build](presentations_by_unit& shown) {
          build->shown = std::move(shown);
          request_rows(build);
        },
        [this, build](storage_error error) { fail(build, make_error(error)); });
  }

  void request_rows(const build_pointer& build) {
    while (build->sent < build->units.size() && build->sent - build->received < listings_in_flight) {
      const auto index = build->sent++;
      const auto& unit = *build->units[index];
      auto shown = build->shown.extract(unit.id());
      if (shown.empty()) { // the unit was removed
        ++build->received;
        continue;
      }
      self_->request(unit.calendar, caf::infinite, to_render(std::move(shown.mapped())))
          .then(
              [this, build, index](listing_response& response) {
                build->rows[index] = std::move(response.json);
                build->gaps[index] = response.gaps;
                row_received(build);
              },
              [this, build](caf::error&) { row_received(build); });
    }
    if (build->received == build->units.size()) assemble(build);
  }

  void row_received(const build_pointer& build) {
    ++build->received;
    if (build->received == build->units.size()) return assemble(build);
    if (build->sent < build->units.size()) request_rows(build);
  }

  void assemble(const build_pointer& build) {
    const auto brackets = listings::bulk_brackets_of(platform().kind);
    auto writer = std::make_shared<feeds::feed_writer>(nullptr, 0, brackets.open, brackets.close);
    self_
        ->request(setup_.assembler, caf::infinite,
                  add_pages{writer, feeds::split_into_pages(std::move(build->rows))})
        .then(
            [this, build, writer] {
              self_->request(setup_.assembler, caf::infinite, finish_feed{writer})
                  .then([this, build](assembled_feed& done) { finish(build, std::move(done.snapshot)); },
                        [this, build](caf::error& error) { fail(build, error); });
            },
            [this, build](caf::error& error) { fail(build, error); });
  }

  void finish(const build_pointer& build, feed_snapshot snapshot) {
    snapshot.built_at = build->built_at;
    snapshot.position = build->position;
    const auto built = std::make_shared<const feed_snapshot>(std::move(snapshot));
    remove(build);
    std::erase_if(lists_, [&](const auto& each) { return !is_fresh(each.second, *build->based_on); });
    if (!build->units.empty())
      keep(*build, built); // keys without units are not kept: callers can send any text
    for (auto& reader : build->readers) reader.deliver(live_feed{built});
  }

  void keep(const list_build& build, const std::shared_ptr<const feed_snapshot>& built) {
    lists_[build.landlord_key] = {built, build.based_on->version()};
    log::info("full_feed_built",
              {{"platform", platform().name}, {"units", built->units}, {"bytes", built->bytes}});
    report_data_gaps(platform().name, build.units, build.gaps);
    metrics_->built(lists_, built->built_at, std::chrono::steady_clock::now() - build.started);
  }

  void fail(const build_pointer& build, const caf::error& error) {
    remove(build);
    for (auto& reader : build->readers) reader.deliver(error);
  }

  void remove(const build_pointer& build) {
    const auto current = builds_.find(build->landlord_key);
    if (current != builds_.end() && current->second == build) builds_.erase(current);
  }

  full_feed_setup setup_;
  std::optional<full_feed_metrics> metrics_;
  std::map<std::string, full_list> lists_;      ///< by landlord key
  std::map<std::string, build_pointer> builds_; ///< the newest per key
};

} // namespace

full_feed spawn_full_feed(runtime& rt, full_feed_setup setup) {
  const auto home = setup.platform % rt.io_contexts().size();
  return rt.spawn_at<full_feed_state>(home, std::move(setup));
}

} // namespace roost::actors
