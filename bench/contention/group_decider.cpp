#include "group_decider.hpp"

#include "actors/bookings/decision_group.hpp"
#include "actors/runtime/clock.hpp"
#include "security/random.hpp"
#include "store/bookings/decisions.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>

namespace roost::contention {

namespace {

constexpr std::size_t max_group_size = 500; // like the service
constexpr std::chrono::milliseconds store_retry_interval{100};

/// A stay's row at the bare depth.
struct bare_row {
  std::int64_t id = 0;
  int unit = 0;
  domain::date check_in{}, check_out{};
};

constexpr auto bare_columns = store::columns(
    store::column("id", &bare_row::id).key(), store::column("unit", &bare_row::unit),
    store::column("check_in", &bare_row::check_in), store::column("check_out", &bare_row::check_out));

/// Waits for all transactions that started under a lease, because each holds a share lock on its row. SQLite
/// has only one writer.
constexpr store::query wait_for_writers{"lab_wait", "select cast(id as text) from writer_lease for update",
                                        "select cast(id as text) from writer_lease", 1};

constexpr store::query stay_by_id{"lab_stay_by_id", "select cast(id as text) from lab_stays where id = :id",
                                  nullptr, 1};

/// Writes the rows in one transaction of the lease's holder, like the service writes its groups.
void write_bare(store::session& db, const store::lease& lease, const std::vector<bare_row>& rows) {
  static const auto table = store::table_of<bare_columns>("lab_stays");
  store::bulk_rows<bare_row> cells(table);
  for (const auto& row : rows) cells.add(row);
  store::write_transaction txn(db, lease);
  store::insert(db, cells);
  txn.commit();
}

/// Whether the group is stored, once no open transaction can still write it. Groups are written completely or
/// not at all.
bool is_bare_group_stored(store::session& db, const std::vector<bare_row>& rows) {
  const store::settled_read txn(db);
  db.internals().read_rows(wait_for_writers, {}, [](const store::row&) {});
  bool is_stored = false;
  db.internals().read_rows(stay_by_id, {{"id", store::to_cell(rows.front().id)}},
                           [&](const store::row&) { is_stored = true; });
  return is_stored;
}

/// Determines the same by the states of the requests.
bool is_whole_group_stored(store::session& db, const std::vector<domain::uuid>& requests) {
  static const store::selection decided{
      "lab_decided", "select {columns} from booking_requests where state <> 'New' and id in {ids uuid}",
      store::named<std::int64_t>("count(*)")};
  const store::settled_read txn(db);
  db.internals().read_rows(wait_for_writers, {}, [](const store::row&) {});
  return db.internals().read_one(decided, {{"ids", db.internals().list(requests)}}) > 0;
}

/// A request in progress.
struct ticket {
  decide_stay request;
  caf::typed_response_promise<stay_decided> promise;
  stay_decided response;
  store::stream_point followed; ///< the position of memory when its decision started

  void respond(outcome result) {
    response.result.result = result;
    promise.deliver(std::move(response));
  }
};

using ticket_pointer = std::unique_ptr<ticket>;

/// A decision with its ticket.
struct member {
  ticket_pointer ticket;
  actors::pending_decision decided;

  bool is_booked() const { return decided.decision.booking.has_value(); }
};

struct lab_group {
  std::vector<member> members;
  store::decision_basis basis;
  std::shared_ptr<store::decision_rows> rows = std::make_shared<store::decision_rows>();
  std::shared_ptr<std::vector<bare_row>> bare = std::make_shared<std::vector<bare_row>>();
};

class group_decider_state {
public:
  static constexpr const char* name = "group_decider";
  using self_pointer = group_decider::stateful_pointer<group_decider_state>;

  void open(self_pointer self, lab_service& service, depth level) {
    self_ = self;
    level_ = level;
    lease_ = service.lease();
    writing_lane_ = service.writing_lane();
    reading_lane_ = service.reading_lane();
    directory_ = service.directory();
    followed_ = service.followed();
    follower_ = service.follower();
    decider_.emplace(
        actors::decider_setup{service.platforms(), actors::system_now,
                              [] { return security::time_ordered_uuid(std::chrono::system_clock::now()); }});
  }

  caf::result<stay_decided> enqueue(decide_stay& request) {
    auto created = std::make_unique<ticket>();
    created->request = std::move(request);
    created->promise = self_->make_response_promise<stay_decided>();
    auto promise = created->promise;
    waiting_.push_back(std::move(created));
    decide_next();
    return promise;
  }

  void write_when_free() {
    if (written_ || building_.members.empty()) return;
    written_.emplace(std::exchange(building_, {}));
    write();
    decide_next();
  }

  void look_up() {
    if (written_) look_up_written_group();
  }

private:
  // Deciding

  void decide_next() {
    if (deciding_) return;
    if (waiting_.empty() || building_.members.size() >= max_group_size) return;
    deciding_ = std::move(waiting_.front());
    waiting_.pop_front();
    deciding_->followed = followed_->point();
    deciding_->response.started = clock::now();
    if (level_ == depth::bare)
      decide_bare();
    else
      decide_whole();
  }

  void decide_bare() {
    const auto& stay = deciding_->request.stay;
    const auto* unit = directory_->find(0, external_id(stay.unit));
    const auto booking_id = numbered_id(id_kind::booking, stay.number);
    const actors::reserve nights{.platform = 0,
                                 .booking_id = booking_id,
                                 .check_in = stay.check_in,
                                 .check_out = stay.check_out,
                                 .provider_payment = domain::money{65'050},
                                 .now = actors::system_now()};
    self_->request(unit->calendar, caf::infinite, nights)
        .then([this, unit, booking_id, run = run_](const actors::reserve_response& response) {
          actors::pending_decision decided;
          if (!response.refused) {
            decided.decision.booking.emplace().id = booking_id;
            decided.calendar = unit->calendar;
            decided.changes = unit->changes;
          }
          handle_decision(std::move(decided), run);
        });
  }

  void decide_whole() {
    const auto& booking = *deciding_->request.booking;
    decider_->decide(
        self_,
        {std::make_shared<const store::pending_request>(store::pending_request{0, booking, {}, {}}),
         directory_->find_all_on(0, booking.external_id)},
        directory_, [](const std::string&) { return false; }, // references are unique
        [this, run = run_](actors::pending_decision decided) { handle_decision(std::move(decided), run); },
        [] { throw std::logic_error("a calendar has terminated"); });
  }

  void handle_decision(actors::pending_decision decided, std::uint64_t run) {
    if (run != run_) return settle(self_, decided, actors::hold_outcome::given_up);
    auto request = std::exchange(deciding_, nullptr);
    request->response.decided = clock::now();
    add({std::move(request), std::move(decided)});
    decide_next();
  }

  void add(member decision) {
    const auto& stay = decision.ticket->request.stay;
    if (building_.members.empty()) building_.basis.followed = decision.ticket->followed;
    if (level_ == depth::whole) {
      building_.rows->add(decision.decided.decision);
      auto& accounts = building_.basis.accounts;
      for (const auto& account : decision.decided.accounts)
        if (std::ranges::find(accounts, account) == accounts.end()) accounts.push_back(account);
    } else if (decision.is_booked()) {
      building_.bare->push_back({static_cast<std::int64_t>(stay.number), static_cast<int>(stay.unit),
                                 stay.check_in, stay.check_out});
    }
    building_.members.push_back(std::move(decision));
    // Queued behind the requests in the mailbox, which therefore join this group.
    if (building_.members.size() == 1 && !written_) self_->send(self_, write_group{});
  }

  // Writing

  void write() {
    if (level_ == depth::bare && written_->bare->empty()) return finish_written_group();
    auto work = [whole = level_ == depth::whole, lease = lease_, basis = written_->basis,
                 rows = std::shared_ptr<const store::decision_rows>(written_->rows),
                 bare = std::shared_ptr<const std::vector<bare_row>>(written_->bare)](
                    store::session& db) -> std::optional<store::stream_point> {
      if (whole) return store::record_decisions(db, lease, basis, *rows).change;
      write_bare(db, lease, *bare);
      return std::nullopt;
    };
    actors::in_storage(
        self_, writing_lane_, "lab_group", std::move(work),
        [this](const std::optional<store::stream_point>& change) {
          if (change) self_->send(follower_, actors::own_change{*change, followed_->generation()});
          finish_written_group();
        },
        [this](actors::storage_error error) { handle_write_error(error); });
  }

  void finish_written_group() {
    auto members = std::move(written_->members);
    written_.reset();
    write_when_free(); // before the responses, because writing takes longest
    for (const auto& each : members) {
      settle(self_, each.decided, actors::hold_outcome::booked);
      each.ticket->respond(each.is_booked() ? outcome::booked : outcome::refused);
    }
    decide_next();
  }

  void handle_write_error(actors::storage_error error) {
    for (const auto& each : written_->members) ++each.ticket->response.result.errors;
    if (error == actors::storage_error::unavailable) {
      for (const auto& each : written_->members) settle(self_, each.decided, actors::hold_outcome::in_doubt);
      return look_up_written_group();
    }
    abandon_building();
    const auto members = std::move(written_->members);
    written_.reset();
    for (const auto& each : members) {
      settle(self_, each.decided, actors::hold_outcome::given_up);
      each.ticket->respond(outcome::failed);
    }
    decide_next();
  }

  /// Asks the store, once it is available, whether a group in doubt was written.
  void look_up_written_group() {
    std::vector<domain::uuid> requests;
    if (level_ == depth::whole)
      for (const auto& each : written_->members) requests.push_back(each.decided.decision.request_id);
    auto work = [requests = std::move(requests),
                 bare = std::shared_ptr<const std::vector<bare_row>>(written_->bare)](store::session& db) {
      return requests.empty() ? is_bare_group_stored(db, *bare) : is_whole_group_stored(db, requests);
    };
    actors::in_storage(
        self_, reading_lane_, "lab_look_up", std::move(work),
        [this](bool is_written) { settle_as(is_written); },
        [this](actors::storage_error) {
          self_->delayed_send(self_, store_retry_interval, look_up_written{});
        });
  }

  /// Decides an unwritten group again, and all later decisions, which may depend on it.
  void settle_as(bool is_written) {
    auto members = std::move(written_->members);
    written_.reset();
    if (!is_written) abandon_building();
    std::deque<ticket_pointer> undecided;
    for (auto& each : members) {
      settle(self_, each.decided, is_written ? actors::hold_outcome::booked : actors::hold_outcome::given_up);
      if (is_written)
        each.ticket->respond(each.is_booked() ? outcome::booked : outcome::refused);
      else
        undecided.push_back(std::move(each.ticket));
    }
    decide_again(undecided);
    write_when_free();
    decide_next();
  }

  void abandon_building() {
    ++run_; // releases the nights of the decision in progress when it arrives
    std::deque<ticket_pointer> undecided;
    for (auto& each : std::exchange(building_, {}).members) {
      settle(self_, each.decided, actors::hold_outcome::given_up);
      undecided.push_back(std::move(each.ticket));
    }
    if (deciding_) undecided.push_back(std::exchange(deciding_, nullptr));
    decide_again(undecided);
  }

  void decide_again(std::deque<ticket_pointer>& tickets) {
    for (; !tickets.empty(); tickets.pop_back()) {
      ++tickets.back()->response.result.retries;
      waiting_.push_front(std::move(tickets.back()));
    }
  }

  self_pointer self_ = nullptr;
  depth level_{};
  store::lease lease_;
  actors::storage_actor writing_lane_, reading_lane_;
  std::shared_ptr<const actors::directory> directory_;
  std::shared_ptr<const actors::replication_position> followed_;
  actors::change_follower follower_;
  std::optional<actors::booking_decider> decider_;

  std::uint64_t run_ = 0; ///< responses of earlier runs are stale
  std::deque<ticket_pointer> waiting_;
  ticket_pointer deciding_;
  lab_group building_;
  std::optional<lab_group> written_;
};

group_decider::behavior_type group_decider_behavior(group_decider::stateful_pointer<group_decider_state> self,
                                                    lab_service* service, depth level) {
  auto& state = self->state;
  state.open(self, *service, level);
  return {
      [&state](decide_stay& request) { return state.enqueue(request); },
      [&state](const write_group&) { state.write_when_free(); },
      [&state](const look_up_written&) { state.look_up(); },
  };
}

} // namespace

group_decider spawn_group_decider(lab_service& service, depth level) {
  return service.runtime().spawn_at(0, group_decider_behavior, &service, level);
}

} // namespace roost::contention
