#pragma once

#include "actors/bookings/booking_intake.hpp"
#include "actors/bookings/booking_queue.hpp"
#include "actors/bookings/platform_bookings.hpp"
#include "actors/engine/booking_engine.hpp"
#include "actors/inventory/change_follower.hpp"
#include "actors/support/remembering_transport.hpp"
#include "security/random.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/requests.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/support/stored_bookings.hpp"
#include "support/eventually.hpp"
#include "support/metric_value.hpp"
#include "support/sample_portfolio.hpp"
#include "support/store.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <any>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>

namespace roost::testing {

using namespace std::chrono_literals;

/// Keeps a storage lane busy during its lifetime, so that requests arrive while a commit waits.
class busy_lane {
public:
  explicit busy_lane(const actors::storage_actor& lane) {
    actors::storage_job job{"busy", {}, {}};
    job.work = [end = std::shared_future(may_end_.get_future())](store::session&) -> std::any {
      end.wait();
      return {};
    };
    caf::anon_send(lane, std::move(job));
  }
  ~busy_lane() { may_end_.set_value(); }
  busy_lane(const busy_lane&) = delete;
  busy_lane& operator=(const busy_lane&) = delete;

private:
  std::promise<void> may_end_;
};

/// Returns once the actor has received all earlier messages of `self`.
template <typename Handle>
void wait_until_received(caf::scoped_actor& self, const Handle& actor) {
  self->request(caf::actor_cast<caf::actor>(actor), 10s, caf::sys_atom::value, caf::get_atom::value,
                std::string("info"))
      .receive([](caf::ok_atom, const std::string&, const caf::strong_actor_ptr&, const std::string&) {},
               [](const caf::error&) { ADD_FAILURE() << "the actor has ended"; });
}

/// The booking actors over a real store, without the network.
class booking_world : public on_each_store {
protected:
  static constexpr unsigned units = 20;

  void SetUp() override {
    days_passed = domain::days{0};
    import(sample());
    start();
  }

  void TearDown() override {
    if (storage) stop_actors();
  }

  /// Returns one account whose units are linked as u1, u2, …, with two users, one of whom is notified of
  /// bookings.
  static domain::portfolio sample() {
    auto account = sample_account(1);
    for (unsigned i = 1; i <= units; ++i) add_unit(account, sample_unit(i));
    for (unsigned i = 1; i <= 2; ++i) {
      domain::portfolio_user user;
      user.details.id = numbered_id(0x500 + i);
      user.details.account_id = account.details.id;
      user.details.email = "user" + std::to_string(i) + "@landlord.example";
      user.details.role = i == 1 ? "Admin" : "Manager";
      account.users.push_back(user);
    }
    domain::portfolio all;
    all.accounts.push_back(std::move(account));
    return all;
  }

  void import(const domain::portfolio& file) { import(file, session()); }

  /// Imports as another process would.
  void import_elsewhere(const domain::portfolio& file) {
    auto db = store().open();
    import(file, db);
  }

  /// A fixed time, advanced by `days_passed`.
  static domain::timestamp now() { return domain::timestamp{day("2026-11-20")} + 9h + days_passed.load(); }

  static domain::booking_request request(unsigned number, unsigned unit, const char* check_in,
                                         const char* check_out) {
    domain::booking_request request;
    request.id = numbered_id(0x100000 + number);
    request.platform = "marketplace-a";
    request.external_id = "u" + std::to_string(unit);
    request.reference = domain::to_string(numbered_id(0x200000 + number));
    request.check_in = day(check_in);
    request.check_out = day(check_out);
    request.provider_payment = domain::money{65000};
    request.tenant.first_name = "Guest";
    request.tenant.email = "guest" + std::to_string(number) + "@example.com";
    request.received_at = now();
    return request;
  }

  void enqueue(const std::vector<domain::booking_request>& requests) {
    store::insert_requests(session(), lease,
                           std::vector<store::submission>(requests.begin(), requests.end()));
  }

  void run_queue() { caf::anon_send(queue, actors::run_queue{}); }

  /// Returns at the end of a run, also of one that began earlier. Without other calls, no run follows.
  void run_to_end() {
    caf::scoped_actor self{rt.system()};
    self->request(queue, 30s, actors::run_to_end{})
        .receive([](const actors::run_ended&) {}, [](const caf::error&) { ADD_FAILURE() << "no run"; });
  }

  domain::request_state state_of(const domain::booking_request& request) {
    const auto stored = store::find_request(session(), request.id);
    return stored ? stored->state : domain::request_state::pending;
  }

  bool decided(const std::vector<domain::booking_request>& requests) {
    std::vector<domain::uuid> ids;
    for (const auto& request : requests) ids.push_back(request.id);
    const auto states = request_states(session(), ids);
    return states.size() == ids.size() && std::ranges::none_of(states, [](const auto& entry) {
             return entry.second == domain::request_state::pending;
           });
  }

  /// Runs the queue until all are decided; repeatedly, because a run that is ending ignores new requests.
  void decide(const std::vector<domain::booking_request>& requests) {
    ASSERT_TRUE(eventually([&] {
      run_queue();
      return decided(requests);
    }));
  }

  /// Books the first unit for February 2027. Returns the booking's id.
  domain::uuid book_february() {
    const std::vector requests{request(1, 1, "2027-02-01", "2027-03-01")};
    enqueue(requests);
    decide(requests);
    return store::list_bookings(session(), {}, 1).at(0).booking.id;
  }

  std::size_t stays(const std::vector<domain::booking_request>& requests) {
    std::vector<domain::uuid> ids;
    for (const auto& request : requests) ids.push_back(request.id);
    return booked_stays(session(), ids).size();
  }

  /// Books the request's unit in the store only, unknown to memory.
  void book_in_store_only(const domain::booking_request& request) {
    auto db = store().open();
    book_in_store_only(request, db);
  }

  void book_in_store_only(const domain::booking_request& request, store::session& db) {
    book_in_store_only(request, db, *directory.get(), lease);
  }

  /// Finds the unit in `known`, because no directory is published while memory is loaded.
  static void book_in_store_only(const domain::booking_request& request, store::session& db,
                                 const actors::directory& known, const store::lease& as) {
    const auto* unit = known.find(0, request.external_id);
    const domain::tenant tenant{security::random_uuid(), unit->owner->id, request.tenant, {}};
    domain::decision decision;
    decision.request_id = request.id;
    decision.state = domain::request_state::success;
    decision.account_id = unit->owner->id;
    decision.new_tenant = tenant;
    decision.booking = domain::booking{.id = security::random_uuid(),
                                       .request_id = request.id,
                                       .account_id = unit->owner->id,
                                       .unit_id = unit->id(),
                                       .tenant_id = tenant.id,
                                       .platform = request.platform,
                                       .reference = request.reference,
                                       .check_in = request.check_in,
                                       .check_out = request.check_out,
                                       .last_night = request.check_out - domain::days{1},
                                       .provider_payment = *request.provider_payment,
                                       .terms = std::make_shared<const domain::booking_terms>(),
                                       .created_at = now()};
    store::record_decisions(db, as, {store::newest_point(db), {unit->owner->id}},
                            store::decision_rows{std::span{&decision, 1}});
  }

  /// Returns whether the unit's live read shows a block that ends with this night.
  bool shows_as_taken(unsigned unit, const std::string& last_night) {
    return listing(unit).find("\"to\":\"" + last_night + "\"") != std::string::npos;
  }

  /// Returns the unit's current listing, or an empty text if the read fails.
  std::string listing(unsigned unit) {
    const auto known = directory.get();
    caf::scoped_actor self{rt.system()};
    std::string json;
    self->request(known->find(0, "u" + std::to_string(unit))->calendar, 10s, actors::read_listing{0})
        .receive([&](actors::listing_response& response) { json = std::move(response.json); },
                 [](const caf::error&) {});
    return json;
  }

  unsigned long jobs(const std::string& kind, const std::string& outcome) {
    return metric("roost_store_jobs_total{kind=\"" + kind + "\",outcome=\"" + outcome + "\"}");
  }

  /// Returns the value of a sample, e.g. `roost_mails_total{outcome="sent"}`; 0 if there is none.
  unsigned long metric(const std::string& sample) {
    return static_cast<unsigned long>(metric_value(registry.scrape(), sample));
  }

  /// Ends the actor with an unexpected error, and waits for the report.
  template <typename Handle>
  void expect_failure_reported(const Handle& actor) {
    const int before = failures;
    caf::anon_send(caf::actor_cast<caf::actor>(actor), caf::make_error(caf::sec::runtime_error));
    EXPECT_TRUE(eventually([&] { return failures == before + 1; }));
  }

  /// Simulates `kill -9` and a new start: nothing is finished, and the next writer takes a new lease.
  void crash() {
    end_all(caf::exit_reason::kill);
    store::release(session(), lease);
    directory.set(nullptr);
    start();
  }

  /// Called on the follower's thread when it has read everything but the credentials, before publishing.
  std::function<void()> while_loading;

  /// Called once, on the queue's thread, while it decides a request that it has read.
  std::function<void()> when_deciding;

  static inline std::atomic<domain::days> days_passed{domain::days{0}};

  metrics::registry registry;
  actors::published<actors::directory> directory;
  std::shared_ptr<actors::held_lease> held = std::make_shared<actors::held_lease>();
  std::shared_ptr<actors::replication_position> followed = std::make_shared<actors::replication_position>();
  std::shared_ptr<actors::heartbeat> heartbeat = std::make_shared<actors::heartbeat>();
  std::shared_ptr<remembering_transport> mails = std::make_shared<remembering_transport>();
  store::lease lease;
  std::atomic<int> failures = 0; ///< number of actors that ended with an error
  actors::runtime rt{actors::scheduler_knobs{}, [this](auto, auto) { ++failures; }};
  std::optional<actors::storage_pool> storage;
  actors::mailer mailer;
  actors::office_writer writer;
  actors::booking_queue queue;
  actors::booking_intake intake;
  actors::change_follower follower;
  actors::booking_engine engine;
  actors::platform_bookings events;

  // To be changed before SetUp().
  /// The test's time differs from the database's.
  actors::time_check is_time_trusted = [](store::session&, domain::timestamp) { return true; };
  std::optional<std::chrono::milliseconds> keep_guests;
  std::chrono::milliseconds follower_interval = 10ms;
  std::size_t max_outdated_units = 1'000;

private:
  static void import(const domain::portfolio& file, store::session& db) {
    store::import_context context;
    context.allow_removals = true;
    context.now = now();
    context.new_id = [] { return security::random_uuid(); };
    const auto result = store::import_portfolio(db, file, context);
    ASSERT_TRUE(result.problems.empty()) << result.problems.front();
  }

  void start() {
    // A killed actor may still have an open transaction.
    ASSERT_TRUE(eventually([&] {
      const auto taken = store::try_acquire(session(), "test", 1h);
      if (taken) lease = taken->held;
      return taken.has_value();
    }));
    held->hold(lease, actors::held_lease::clock::now() + 1h);
    storage.emplace(rt, store().url(), 4, registry);
    spawn();
    ASSERT_TRUE(eventually([this] { return held->holds(); }));
  }

  void spawn() {
    using lane = actors::storage_pool::lane;
    actors::mailer_setup mail{storage->at(lane::reads_and_mail), held, mails, now, 20ms, 20ms, &registry};
    mail.is_time_trusted = is_time_trusted;
    mail.rejection_delay = 20ms;
    mailer = actors::spawn_mailer(rt, std::move(mail));
    actors::follower_setup following;
    following.store_url = store().url();
    following.actor_registry.platforms = sample_platforms();
    following.actor_registry.now = now;
    following.actor_registry.is_notified = [](const std::string& role) { return role == "Admin"; };
    following.lease = held;
    following.followed = followed;
    following.directory = &directory;
    following.interval = follower_interval;
    following.is_time_trusted = is_time_trusted;
    following.max_outdated_units = max_outdated_units;
    following.registry = &registry;
    following.load_credentials = [this](store::session&) {
      if (while_loading) while_loading();
    };
    follower = actors::spawn_change_follower(rt, std::move(following));
    caf::anon_send(follower, actors::poll_changes{});
    actors::booking_queue_setup setup;
    setup.decisions = {sample_platforms(), now, [this] {
                         if (const auto once = std::exchange(when_deciding, nullptr)) once();
                         return security::random_uuid();
                       }};
    setup.cycle = 1h; // runs are triggered by the tests
    setup.writing = storage->at(lane::decisions);
    setup.reading = storage->at(lane::reads_and_mail);
    setup.lease = held;
    setup.directory = &directory;
    setup.followed = followed;
    setup.mailer = mailer;
    setup.follower = follower;
    setup.is_time_trusted = is_time_trusted;
    setup.keep_guests = keep_guests;
    setup.registry = &registry;
    setup.heartbeat = heartbeat;
    spawn_writer();
    setup.changes = {writer, now, [] { return security::random_uuid(); },
                     [](const store::booking_record*, const store::booking_record&) {
                       return std::vector<domain::field_change>{};
                     }};
    queue = actors::spawn_booking_queue(rt, std::move(setup));
    intake = actors::spawn_booking_intake(rt, storage->acknowledging(), held, registry);
    events = actors::spawn_platform_bookings(rt, {storage->at(lane::reads_and_mail),
                                                  storage->at(lane::acknowledgements), held, followed,
                                                  follower, now, [] { return security::random_uuid(); }});
    engine = actors::spawn_booking_engine(rt, {storage->at(lane::decisions), held, follower, mailer, now,
                                               [] { return security::random_uuid(); }});
  }

  void spawn_writer() {
    actors::office_writer_setup setup;
    setup.storage = storage->at(actors::storage_pool::side_lane::office);
    setup.reading = storage->at(actors::storage_pool::lane::reads_and_mail);
    setup.lease = held;
    setup.follower = follower;
    setup.followed = followed;
    setup.directory = &directory;
    setup.new_id = [] { return security::random_uuid(); };
    setup.check_interval = 10ms;
    writer = actors::spawn_office_writer(rt, std::move(setup));
  }

  void stop_actors() {
    {
      caf::scoped_actor self{rt.system()};
      self->request(queue, 10s, actors::stop_queue{}).receive([] {}, [](const caf::error&) {});
      self->request(follower, 10s, actors::end_calendars{}).receive([] {}, [](const caf::error&) {});
    }
    end_all(caf::exit_reason::user_shutdown);
  }

  void end_all(caf::exit_reason reason) {
    caf::scoped_actor self{rt.system()};
    const auto end = [reason, &self](auto& actor) {
      caf::anon_send_exit(actor, reason);
      self->wait_for(actor); // until then it may still publish
      actor = nullptr;
    };
    end(queue);
    end(writer);
    end(mailer);
    end(intake);
    end(events);
    end(engine);
    end(follower);
    storage->stop();
  }
};

} // namespace roost::testing
