#include "actors/feeds/feed.hpp"

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"

#include <algorithm>
#include <optional>

namespace roost::actors {

namespace {

constexpr std::size_t rows_in_flight = 32; // more would not fit in the processor's cache
constexpr std::size_t rows_prefetched = 8; // so that their memory has arrived by then
constexpr std::size_t units_prefetched = 2 * rows_prefetched;
constexpr std::size_t calendar_memory = 896; // bytes of an actor and its state that are read to render a row
constexpr std::size_t pages_per_batch = 4;   // changed pages sent to the assembler together
constexpr std::size_t batches_in_flight = 4; // more would only wait there
constexpr std::chrono::seconds row_timeout{10}; // a calendar may have been removed during a request

/// Asks the processor to load memory into its cache before it is read.
void prefetch_memory(const void* address, std::size_t bytes) {
  constexpr std::uintptr_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (auto at = begin / line * line; at < begin + bytes; at += line)
    // A cache line may start before the object, where pointer arithmetic is not allowed.
    __builtin_prefetch(reinterpret_cast<const void*>(at)); // NOLINT(performance-no-int-to-ptr)
  asm volatile(""); // GCC removes calls of functions that only prefetch, because it sees no side effect
}

/// The inputs of a list other than its units' calendars.
struct basis {
  std::int64_t directory = 0; // its version
  std::uint64_t changes = 0;  // of all units, when the build started
  domain::date day;

  bool operator==(const basis&) const = default;
};

class feed_state : public actor_state<feed> {
public:
  static constexpr const char* name = "feed";
  using actor_state::actor_state;

  behavior open(feed_assembler assembler, feed_setup setup) {
    assembler_ = std::move(assembler);
    setup_ = std::move(setup);
    seconds_ = setup_.registry->histogram("roost_feed_rebuild_seconds", "Time to rebuild a feed", {},
                                          metrics::work_buckets());
    return {[this](const rebuild_feed&) { rebuild(); },
            [this](const planned_rebuild& plan) { planned(plan); },
            [this](const read_live_feed&) { return read_live(); },
            [this](feed_row& row) { take(row); },
            [this](const check_feed_progress& last) { check_progress(last); },
            [this](const forget_feed&) { forget(); }};
  }

  /// `is_staggered`: not at the same time as all other feeds.
  void rebuild(bool is_staggered = false) {
    is_staggered_ = is_staggered;
    if (building_) {
      rebuild_requested_ = true; // the rows received so far may lack the change
      return;
    }
    const auto directory = setup_.directory->get();
    if (!directory) return;
    building_ = true;
    rebuild_requested_ = false;
    ++build_;
    started_ = std::chrono::steady_clock::now();
    readers_of_build_ = std::exchange(waiting_readers_, {});
    directory_ = directory;
    now_ = setup_.now();
    // Read before the units' changes, so that the next build reads later ones.
    position_ = setup_.followed->point().position;
    basis_ = {directory->version(), setup_.changes->now(), domain::day_of(now_)};
    const bool same_day = last_ && last_basis_.day == basis_.day;
    rows_.begin(changes_of_units(), same_day ? last_pages_ : nullptr);
    if (same_day && rows_.is_unchanged()) return finish({*last_, last_pages_});
    start_writing();
  }

  void planned(const planned_rebuild& plan) {
    if (plan.number != plan_) return;
    rebuild(plan.by_interval);
  }

  caf::result<live_feed> read_live() {
    if (is_current()) return live_feed{last_};
    auto promise = self_->make_response_promise<live_feed>();
    waiting_readers_.push_back(promise);
    rebuild(true);
    return promise;
  }

  void take(feed_row& row) {
    if (row.build != build_ || !building_) return;
    rows_.take(row.index, std::move(row.json));
    changed_in_batch_ += rows_.move_complete_pages_to(batch_);
    ++received_;
    if (changed_in_batch_ >= pages_per_batch) send_batch();
    if (received_ == rows_.requested().size()) return finish_writing();
    request_rows();
  }

  void check_progress(const check_feed_progress& last) {
    const auto requested = rows_.requested().size();
    if (!building_ || last.build != build_ || received_ == requested) return;
    if (last.received != received_) return watch_progress();
    log::warn("feed_rebuild_stuck", {{"platform", setup_.name}, {"rows", received_}, {"of", requested}});
    std::ranges::move(readers_of_build_, std::back_inserter(waiting_readers_));
    building_ = false;
    rebuild();
  }

  void forget() {
    ++build_; // responses to the current build are ignored
    building_ = rebuild_requested_ = false;
    for (auto* readers : {&waiting_readers_, &readers_of_build_})
      for (auto& promise : std::exchange(*readers, {}))
        promise.deliver(make_error(storage_error::unavailable));
    setup_.snapshot->set(nullptr);
    last_.reset();
    last_pages_.reset();
    last_basis_ = {};
    directory_.reset();
  }

private:
  const unit_order& units() const { return directory_->units_on(setup_.platform); }

  std::vector<std::uint64_t> changes_of_units() const {
    std::vector<std::uint64_t> all;
    all.reserve(units().size());
    units().for_each([&](const directory_unit* unit) { all.push_back(unit->changes->latest()); });
    return all;
  }

  /// Whether the last list is still current.
  bool is_current() const {
    if (building_ || !last_) return false;
    const auto directory = setup_.directory->get();
    return directory &&
           last_basis_ == basis{directory->version(), setup_.changes->now(), domain::day_of(setup_.now())};
  }

  void start_writing() {
    sent_ = received_ = assembling_ = changed_in_batch_ = 0;
    batch_.clear();
    writer_ = std::make_shared<feeds::feed_writer>(last_pages_, rows_.changed_pages());
    changed_in_batch_ += rows_.move_complete_pages_to(batch_);
    if (rows_.requested().empty()) return finish_writing();
    request_rows();
    watch_progress();
  }

  void request_rows() {
    const auto requested = rows_.requested();
    while (sent_ < requested.size() && sent_ - received_ < rows_in_flight &&
           assembling_ < batches_in_flight) {
      const auto number = static_cast<std::uint32_t>(sent_++);
      prefetch(requested.subspan(sent_));
      self_->send(units()[requested[number]]->calendar,
                  render_row{caf::actor_cast<feed_row_sink>(self_), setup_.platform, build_, number, now_});
    }
  }

  /// Prefetches the memory of the next calendars. In a large list they are not cached: without this, a third
  /// of a row's time was spent waiting for memory.
  void prefetch(std::span<const std::uint32_t> next) const {
    if (next.size() <= units_prefetched) return;
    prefetch_memory(units()[next[units_prefetched]], sizeof(directory_unit));
    const auto& unit = *units()[next[rows_prefetched]];
    prefetch_memory(caf::actor_cast<caf::actor_control_block*>(unit.calendar), calendar_memory);
    prefetch_memory(unit.setup.get(), sizeof(unit_setup));
  }

  void watch_progress() { self_->delayed_send(self_, row_timeout, check_feed_progress{build_, received_}); }

  void send_batch() {
    ++assembling_;
    changed_in_batch_ = 0;
    self_->request(assembler_, caf::infinite, add_pages{writer_, std::exchange(batch_, {})})
        .then(
            [this, build = build_] {
              if (build != build_ || !building_) return;
              --assembling_;
              request_rows();
            },
            [this, build = build_](caf::error&) { give_up(build); });
  }

  void finish_writing() {
    send_batch();
    self_->request(assembler_, caf::infinite, finish_feed{std::exchange(writer_, nullptr)})
        .then(
            [this, build = build_](assembled_feed& done) {
              if (build == build_ && building_) finish(std::move(done));
            },
            [this, build = build_](caf::error&) { give_up(build); });
  }

  /// The assembler failed: keeps the last list, and retries at the next planned time.
  void give_up(std::uint64_t build) {
    if (build != build_ || !building_) return;
    log::error("feed_press_failed", {{"platform", setup_.name}});
    building_ = false;
    for (auto& promise : std::exchange(readers_of_build_, {}))
      promise.deliver(caf::make_error(caf::sec::runtime_error));
    plan_next();
  }

  void finish(assembled_feed done) {
    done.snapshot.built_at = setup_.now();
    done.snapshot.position = position_;
    const auto built = last_ = std::make_shared<const feed_snapshot>(std::move(done.snapshot));
    last_pages_ = std::move(done.pages);
    setup_.snapshot->set(built);
    building_ = false;
    last_basis_ = basis_;
    directory_.reset();
    const auto written = rows_.requested().size();
    rows_.keep();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started_;
    seconds_->observe(took.count());
    log::info("feed_built", {{"platform", setup_.name},
                             {"units", built->units},
                             {"written", written},
                             {"bytes", built->bytes},
                             {"gzip_bytes", built->gzip_bytes},
                             {"ms", static_cast<std::int64_t>(took.count() * 1000)}});
    for (auto& promise : std::exchange(readers_of_build_, {})) promise.deliver(live_feed{built});
    if (rebuild_requested_ || !waiting_readers_.empty())
      rebuild();
    else
      plan_next();
  }

  /// Plans the next build at the interval or at the change of the UTC date, which changes `availableFrom`.
  /// Only the newest plan is valid, as builds for other reasons leave older ones behind. After a build at the
  /// same time as all other feeds, the first interval spreads the feeds.
  void plan_next() {
    const auto now = setup_.now();
    const auto midnight = domain::timestamp{domain::day_of(now) + domain::days{1}} - now;
    const auto interval = is_staggered_ ? setup_.interval : setup_.first_interval;
    const bool by_interval = interval <= midnight;
    const auto wait = by_interval ? interval
                                  : std::chrono::duration_cast<std::chrono::milliseconds>(midnight) +
                                        std::chrono::milliseconds{1};
    self_->delayed_send(self_, wait, planned_rebuild{++plan_, by_interval});
  }

  feed_assembler assembler_;
  feed_setup setup_;
  std::optional<metrics::histogram> seconds_;
  bool building_ = false, rebuild_requested_ = false;
  bool is_staggered_ = false; // the current build was not started together with all other feeds
  std::uint64_t build_ = 0, plan_ = 0;
  std::chrono::steady_clock::time_point started_;
  domain::timestamp now_{};                    // of the current build
  std::shared_ptr<const directory> directory_; // of the current build
  basis basis_;
  std::int64_t position_ = 0; // of memory, when the current build started
  feeds::feed_rows rows_;
  std::size_t sent_ = 0, received_ = 0;  // of the requested rows
  std::vector<feeds::page_draft> batch_; // pages not sent to the assembler yet
  std::size_t changed_in_batch_ = 0;
  std::size_t assembling_ = 0; // batches that the assembler has not finished yet
  std::shared_ptr<feeds::feed_writer> writer_;
  std::shared_ptr<const feed_snapshot> last_; // the published list
  std::shared_ptr<const feeds::feed_pages> last_pages_;
  basis last_basis_;
  /// Live reads that wait for the next and for the current build.
  std::vector<caf::typed_response_promise<live_feed>> waiting_readers_, readers_of_build_;
};

assembled_feed assemble(const finish_feed& job) {
  feed_snapshot snapshot;
  auto text = job.writer->finish();
  snapshot.units = job.writer->units();
  snapshot.bytes = text.identity.size();
  snapshot.gzip_bytes = text.gzip.size();
  snapshot.document = {"application/json; charset=utf-8", std::move(text.identity), std::move(text.gzip),
                       text.tag};
  return {std::move(snapshot), job.writer->pages()};
}

/// Keeps the assembler running for the other lists if one list needs more memory than is left.
caf::error to_error(const std::exception& error) {
  return caf::make_error(caf::sec::runtime_error, error.what());
}

struct assembler_state {
  static constexpr const char* name = "feed_assembler";
};

feed_assembler::behavior_type feed_assembler_behavior(feed_assembler::stateful_pointer<assembler_state>) {
  return {
      [](const add_pages& job) -> caf::result<void> {
        try {
          for (const auto& page : job.pages) job.writer->add(page);
          return caf::unit;
        } catch (const std::exception& error) {
          return to_error(error);
        }
      },
      [](const finish_feed& job) -> caf::result<assembled_feed> {
        try {
          return assemble(job);
        } catch (const std::exception& error) {
          return to_error(error);
        }
      },
  };
}

} // namespace

feed_assembler spawn_feed_assembler(runtime& rt) { return rt.spawn_detached(feed_assembler_behavior); }

feed spawn_feed(runtime& rt, feed_assembler assembler, feed_setup setup) {
  const auto home = setup.platform % rt.io_contexts().size();
  return rt.spawn_at<feed_state>(home, std::move(assembler), std::move(setup));
}

} // namespace roost::actors
