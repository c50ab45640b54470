#include "peer_strategy.hpp"

#include "booking_values.hpp"
#include "client_threads.hpp"
#include "pipeline.hpp"

#include <random>
#include <thread>

namespace roost::contention {

namespace {

constexpr const char* exclusion_violation = "23P01";
constexpr const char* serialization_failure = "40001";
constexpr const char* deadlock_detected = "40P01";

constexpr std::chrono::milliseconds reconnect_pause{20};

/// Time since the last look at it.
class stopwatch {
public:
  clock::duration lap() {
    const auto before = std::exchange(last_, clock::now());
    return last_ - before;
  }

private:
  clock::time_point last_ = clock::now();
};

class peer_client final : public blocking_client {
public:
  peer_client(const recipe& how, depth how_much, std::string store_url,
              std::shared_ptr<const actors::directory> units)
      : how_(how), depth_(how_much), store_url_(std::move(store_url)), units_(std::move(units)),
        reserve_(reserve_text(how, how_much)), look_(look_text(how_much)) {
    try {
      connect();
    } catch (const sql_error&) {
      connection_.reset(); // the first decision tries again
    }
  }

  decision decide(const stay& wanted, clock::time_point patience) override {
    decision made;
    prepare(wanted);
    for (;;) {
      const auto start = clock::now();
      commit_sent_ = false;
      try {
        if (!connection_) connect();
        made.result = attempt(made);
        return made;
      } catch (const sql_error& error) {
        if (const auto end = after(error, made)) {
          made.result = *end;
          return made;
        }
      }
      if (is_refused_) continue; // the attempt was not lost: the refusal has to be recorded
      ++made.retries;
      back_off(made, patience);
      made.time.waiting += clock::now() - start;
      if (clock::now() >= patience) return made;
    }
  }

private:
  void connect() {
    connection_.reset();
    auto fresh = std::make_unique<pipeline>(store_url_);
    fresh->prepare("begin", how_.begin);
    fresh->prepare("commit", "commit");
    fresh->prepare("rollback", "rollback");
    if (how_.lock) fresh->prepare("lock", how_.lock);
    if (how_.looks_first) fresh->prepare("look", look_.c_str());
    fresh->prepare("reserve", reserve_.c_str());
    if (depth_ == depth::whole) {
      fresh->prepare("record_booked", record_booked_text);
      fresh->prepare("record_refused", record_refused_text);
    }
    connection_ = std::move(fresh);
  }

  void prepare(const stay& wanted) {
    is_refused_ = false;
    const auto unit_number = std::to_string(wanted.unit);
    const auto check_in = domain::to_string(wanted.check_in), check_out = domain::to_string(wanted.check_out);
    lock_values_ = {unit_number};
    if (depth_ == depth::bare) {
      reserve_values_ = look_values_ = {std::to_string(wanted.number), unit_number, check_in, check_out};
      if (how_.versioned) reserve_values_.push_back(std::nullopt);
      return;
    }
    unit_ = units_->find(0, external_id(wanted.unit));
    values_ = values_of(wanted, *unit_);
    look_values_ = {domain::to_string(unit_->id), check_in, check_out, unit_number};
    reserve_values_ = values_.reserve;
    if (how_.versioned) reserve_values_.insert(reserve_values_.end(), {unit_number, std::nullopt});
  }

  outcome attempt(decision& made) {
    stopwatch watch;
    if (is_refused_) return write_refusal(made, watch);
    if (how_.looks_first && is_taken()) {
      made.time.deciding += watch.lap();
      return depth_ == depth::whole ? write_refusal(made, watch) : outcome::refused;
    }
    made.time.deciding += watch.lap();
    if (depth_ == depth::whole) return whole(made, watch);
    return is_one_statement() ? single(made, watch) : transaction(made, watch);
  }

  /// Also reads the version.
  bool is_taken() {
    connection_->send("look", look_values_);
    connection_->sync();
    const auto found = connection_->next();
    connection_->finish();
    if (how_.versioned) reserve_values_.back() = found.row.at(1);
    return found.row.at(0) == "t";
  }

  bool is_one_statement() const { return !how_.lock && !how_.checks; }

  /// The reservation is a transaction by itself: its commit cannot be told from its decision.
  outcome single(decision& made, stopwatch& watch) {
    connection_->send("reserve", reserve_values_);
    commit_sent_ = true;
    connection_->sync();
    const auto wrote = connection_->next().affected;
    connection_->finish();
    made.time.committing += watch.lap();
    if (wrote == 0 && how_.versioned) throw sql_error(serialization_failure, "the version has moved");
    return wrote > 0 ? outcome::booked : outcome::refused;
  }

  /// All in one round trip; the results come as they are made.
  outcome transaction(decision& made, stopwatch& watch) {
    begin();
    if (how_.lock) connection_->flush();
    connection_->send("reserve", reserve_values_);
    connection_->flush();
    connection_->send("commit");
    commit_sent_ = true;
    connection_->sync();
    made.time.waiting += locked(watch);
    const auto wrote = connection_->next().affected;
    made.time.deciding += watch.lap();
    commit(made, watch);
    return wrote > 0 ? outcome::booked : outcome::refused;
  }

  /// What is recorded depends on what was reserved: two round trips.
  outcome whole(decision& made, stopwatch& watch) {
    begin();
    if (how_.lock) connection_->flush();
    connection_->send("reserve", reserve_values_);
    connection_->flush();
    made.time.waiting += locked(watch);
    const bool booked = connection_->next().row.at(0) != "0";
    if (!booked && how_.versioned) throw sql_error(serialization_failure, "the version has moved");
    record(booked);
    made.time.deciding += watch.lap();
    commit(made, watch);
    return booked ? outcome::booked : outcome::refused;
  }

  outcome write_refusal(decision& made, stopwatch& watch) {
    connection_->send("begin");
    record(false);
    connection_->next();
    commit(made, watch);
    return outcome::refused;
  }

  void begin() {
    connection_->send("begin");
    if (how_.lock) connection_->send("lock", lock_values_);
  }

  clock::duration locked(stopwatch& watch) {
    connection_->next();
    if (how_.lock) connection_->next();
    return how_.lock ? watch.lap() : clock::duration{};
  }

  void record(bool booked) {
    if (booked)
      connection_->send("record_booked", record_booked(values_, *unit_));
    else
      connection_->send("record_refused", record_refused(values_, *unit_));
    connection_->send("commit");
    commit_sent_ = true;
    connection_->sync();
  }

  void commit(decision& made, stopwatch& watch) {
    if (depth_ == depth::whole) connection_->next(); // the record
    connection_->next();
    connection_->finish();
    made.time.committing += watch.lap();
  }

  /// What an error means for the request; nothing: it is tried again.
  std::optional<outcome> after(const sql_error& error, decision& made) {
    if (error.is_connection_lost()) {
      ++made.errors;
      connection_.reset();
      if (commit_sent_) return outcome::unknown;
      return std::nullopt;
    }
    if (!connection_) throw; // a fault of the lab's statements
    clean_up();
    if (error.state() == exclusion_violation) {
      is_refused_ = true;
      if (depth_ == depth::bare) return outcome::refused;
    } else if (error.state() == deadlock_detected)
      ++made.deadlocks;
    else if (error.state() == serialization_failure)
      ++made.conflicts;
    else
      throw; // a fault of the lab
    return std::nullopt;
  }

  void clean_up() {
    try {
      connection_->recover();
    } catch (const sql_error&) {
      connection_.reset();
    }
  }

  /// At random, and longer with every attempt, as applications do it.
  void back_off(const decision& made, clock::time_point patience) {
    if (!connection_)
      return std::this_thread::sleep_until(std::min(clock::now() + reconnect_pause, patience));
    const auto most = std::chrono::microseconds{200} * (1 << std::min(made.retries, 7u));
    std::uniform_int_distribution<std::int64_t> pick(0, most.count());
    std::this_thread::sleep_for(std::chrono::microseconds{pick(chance_)});
  }

  const recipe& how_;
  const depth depth_;
  const std::string store_url_;
  const std::shared_ptr<const actors::directory> units_;
  const std::string reserve_, look_;
  std::unique_ptr<pipeline> connection_;
  bool commit_sent_ = false; ///< the attempt may have been committed
  bool is_refused_ = false;  ///< by the exclusion constraint, whose error ended the transaction
  const actors::directory_unit* unit_ = nullptr;
  booking_values values_;
  std::vector<sql_value> lock_values_, look_values_, reserve_values_;
  std::minstd_rand chance_{std::random_device{}()};
};

class peer_strategy final : public threaded_strategy {
public:
  peer_strategy(const recipe& how, depth how_much, std::string store_url,
                std::shared_ptr<const actors::directory> units)
      : how_(how), depth_(how_much), store_url_(std::move(store_url)), units_(std::move(units)) {}

  std::unique_ptr<blocking_client> connect() override {
    return std::make_unique<peer_client>(how_, depth_, store_url_, units_);
  }

private:
  const recipe& how_;
  const depth depth_;
  const std::string store_url_;
  const std::shared_ptr<const actors::directory> units_;
};

} // namespace

std::unique_ptr<strategy> make_peer_strategy(const recipe& how, depth how_much, const std::string& store_url,
                                             std::shared_ptr<const actors::directory> units) {
  return std::make_unique<peer_strategy>(how, how_much, store_url, std::move(units));
}

} // namespace roost::contention
