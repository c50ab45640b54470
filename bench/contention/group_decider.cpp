#include "group_decider.hpp"

#include "actors/runtime/clock.hpp"
#include "group_store.hpp"
#include "requests.hpp"
#include "security/random.hpp"
#include "store/bookings/decisions.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <deque>
#include <memory>

namespace roost::contention {

namespace {

constexpr std::size_t group_size = 500; // the service's own
constexpr std::chrono::milliseconds store_retry{100};

/// One request on its way, with its asker.
struct ticket {
  decide_stay asked;
  caf::typed_response_promise<stay_decided> asker;
  stay_decided answer;
  store::stream_point followed; ///< what memory held when its decision began

  void tell(outcome result) {
    answer.made.result = result;
    asker.deliver(std::move(answer));
  }
};

using ticket_pointer = std::unique_ptr<ticket>;

/// One decision with its ticket.
struct member {
  ticket_pointer asked;
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

  void open(self_pointer self, service_world& world, depth how_much) {
    self_ = self;
    depth_ = how_much;
    lease_ = world.lease();
    writing_lane_ = world.writing();
    reading_lane_ = world.reading();
    directory_ = world.directory();
    followed_ = world.followed();
    follower_ = world.follower();
    decider_.emplace(
        actors::decider_setup{world.platforms(), actors::system_now,
                              [] { return security::time_ordered_uuid(std::chrono::system_clock::now()); }});
  }

  caf::result<stay_decided> take(decide_stay& asked) {
    auto made = std::make_unique<ticket>();
    made->asked = std::move(asked);
    made->asker = self_->make_response_promise<stay_decided>();
    auto answer = made->asker;
    waiting_.push_back(std::move(made));
    decide_next();
    return answer;
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
    if (waiting_.empty() || building_.members.size() >= group_size) return;
    deciding_ = std::move(waiting_.front());
    waiting_.pop_front();
    deciding_->followed = followed_->point();
    deciding_->answer.begun = clock::now();
    if (depth_ == depth::bare)
      decide_bare();
    else
      decide_whole();
  }

  void decide_bare() {
    const auto& wanted = deciding_->asked.wanted;
    const auto* unit = directory_->find(0, external_id(wanted.unit));
    const auto booking_id = numbered_id(id_kind::booking, wanted.number);
    const actors::reserve nights{.platform = 0,
                                 .booking_id = booking_id,
                                 .check_in = wanted.check_in,
                                 .check_out = wanted.check_out,
                                 .provider_payment = domain::money{65'050},
                                 .now = actors::system_now()};
    self_->request(unit->calendar, caf::infinite, nights)
        .then([this, unit, booking_id, run = run_](const actors::reserve_response& answer) {
          actors::pending_decision decided;
          if (!answer.refused) {
            decided.decision.booking.emplace().id = booking_id;
            decided.calendar = unit->calendar;
            decided.changes = unit->changes;
          }
          take_decision(std::move(decided), run);
        });
  }

  void decide_whole() {
    const auto& wanted = *deciding_->asked.request;
    decider_->decide(
        self_,
        {std::make_shared<const store::pending_request>(store::pending_request{0, wanted, {}, {}}),
         directory_->find_all_on(0, wanted.external_id)},
        directory_, [](const std::string&) { return false; }, // no reference comes twice
        [this, run = run_](actors::pending_decision decided) { take_decision(std::move(decided), run); },
        [] { throw std::logic_error("a calendar has ended"); });
  }

  void take_decision(actors::pending_decision decided, std::uint64_t run) {
    if (run != run_) return settle(self_, decided, actors::hold_outcome::given_up);
    auto asked = std::exchange(deciding_, nullptr);
    asked->answer.decided = clock::now();
    add({std::move(asked), std::move(decided)});
    decide_next();
  }

  void add(member made) {
    const auto& wanted = made.asked->asked.wanted;
    if (building_.members.empty()) building_.basis.followed = made.asked->followed;
    if (depth_ == depth::whole) {
      building_.rows->add(made.decided.decision);
      auto& accounts = building_.basis.accounts;
      for (const auto& account : made.decided.accounts)
        if (std::ranges::find(accounts, account) == accounts.end()) accounts.push_back(account);
    } else if (made.is_booked()) {
      building_.bare->push_back({static_cast<std::int64_t>(wanted.number), static_cast<int>(wanted.unit),
                                 wanted.check_in, wanted.check_out});
    }
    building_.members.push_back(std::move(made));
    // After what waits in the mailbox: that goes into the same group.
    if (building_.members.size() == 1 && !written_) self_->send(self_, write_group{});
  }

  // Writing

  void write() {
    if (depth_ == depth::bare && written_->bare->empty()) return written();
    auto work = [whole = depth_ == depth::whole, lease = lease_, basis = written_->basis,
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
          written();
        },
        [this](actors::storage_error why) { not_written(why); });
  }

  void written() {
    auto done = std::move(written_->members);
    written_.reset();
    write_when_free(); // before the reports: the next group's writing takes longest
    for (const auto& each : done) {
      settle(self_, each.decided, actors::hold_outcome::booked);
      each.asked->tell(each.is_booked() ? outcome::booked : outcome::refused);
    }
    decide_next();
  }

  void not_written(actors::storage_error why) {
    for (const auto& each : written_->members) ++each.asked->answer.made.errors;
    if (why == actors::storage_error::unavailable) {
      for (const auto& each : written_->members) settle(self_, each.decided, actors::hold_outcome::in_doubt);
      return look_up_written_group();
    }
    abandon_building();
    const auto members = std::move(written_->members);
    written_.reset();
    for (const auto& each : members) {
      settle(self_, each.decided, actors::hold_outcome::given_up);
      each.asked->tell(outcome::failed);
    }
    decide_next();
  }

  /// After a lost connection nobody knows whether the commit went through: the store says, once it is back.
  void look_up_written_group() {
    std::vector<domain::uuid> requests;
    if (depth_ == depth::whole)
      for (const auto& each : written_->members) requests.push_back(each.decided.decision.request_id);
    auto work = [requests = std::move(requests),
                 bare = std::shared_ptr<const std::vector<bare_row>>(written_->bare)](store::session& db) {
      return requests.empty() ? is_settled_bare(db, *bare) : is_settled_whole(db, requests);
    };
    actors::in_storage(
        self_, reading_lane_, "lab_look_up", std::move(work),
        [this](bool is_written) { settle_as(is_written); },
        [this](actors::storage_error) { self_->delayed_send(self_, store_retry, look_up_written{}); });
  }

  /// What was not written is decided again, and so is all that was decided after it and may rest on it.
  void settle_as(bool is_written) {
    auto members = std::move(written_->members);
    written_.reset();
    if (!is_written) abandon_building();
    std::deque<ticket_pointer> again;
    for (auto& each : members) {
      settle(self_, each.decided, is_written ? actors::hold_outcome::booked : actors::hold_outcome::given_up);
      if (is_written)
        each.asked->tell(each.is_booked() ? outcome::booked : outcome::refused);
      else
        again.push_back(std::move(each.asked));
    }
    decide_again(again);
    write_when_free();
    decide_next();
  }

  void abandon_building() {
    ++run_; // what is being decided is given back when it comes
    std::deque<ticket_pointer> again;
    for (auto& each : std::exchange(building_, {}).members) {
      settle(self_, each.decided, actors::hold_outcome::given_up);
      again.push_back(std::move(each.asked));
    }
    if (deciding_) again.push_back(std::exchange(deciding_, nullptr));
    decide_again(again);
  }

  void decide_again(std::deque<ticket_pointer>& tickets) {
    for (; !tickets.empty(); tickets.pop_back()) {
      ++tickets.back()->answer.made.retries;
      waiting_.push_front(std::move(tickets.back()));
    }
  }

  self_pointer self_ = nullptr;
  depth depth_{};
  store::lease lease_;
  actors::storage_actor writing_lane_, reading_lane_;
  std::shared_ptr<const actors::directory> directory_;
  std::shared_ptr<const actors::replication_position> followed_;
  actors::change_follower follower_;
  std::optional<actors::booking_decider> decider_;

  std::uint64_t run_ = 0; ///< answers that belong to an earlier one are stale
  std::deque<ticket_pointer> waiting_;
  ticket_pointer deciding_;
  lab_group building_;
  std::optional<lab_group> written_;
};

group_decider::behavior_type group_decider_behavior(group_decider::stateful_pointer<group_decider_state> self,
                                                    service_world* world, depth how_much) {
  auto& state = self->state;
  state.open(self, *world, how_much);
  return {
      [&state](decide_stay& asked) { return state.take(asked); },
      [&state](const write_group&) { state.write_when_free(); },
      [&state](const look_up_written&) { state.look_up(); },
  };
}

} // namespace

group_decider spawn_group_decider(service_world& world, depth how_much) {
  return world.runtime().spawn_at(0, group_decider_behavior, &world, how_much);
}

} // namespace roost::contention
