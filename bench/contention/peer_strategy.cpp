#include "pipeline.hpp"
#include "strategies.hpp"

#include <random>
#include <thread>

namespace roost::contention {

namespace {

constexpr const char* exclusion_violation = "23P01";
constexpr const char* serialization_failure = "40001";
constexpr const char* deadlock_detected = "40P01";

constexpr std::chrono::milliseconds reconnect_pause{20};

/// Measures the time since its start or the last lap().
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
  peer_client(const peer_recipe& recipe, depth level, std::string store_url,
              std::shared_ptr<const actors::directory> units)
      : recipe_(recipe), level_(level), store_url_(std::move(store_url)), units_(std::move(units)),
        reserve_(reserve_statement(recipe, level)), check_(check_statement(level)) {
    try {
      connect();
    } catch (const sql_error&) {
      connection_.reset(); // the first decision retries
    }
  }

  decision decide(const stay_request& request, clock::time_point deadline) override {
    decision decided;
    prepare(request);
    for (;;) {
      const auto start = clock::now();
      commit_sent_ = false;
      try {
        if (!connection_) connect();
        decided.result = attempt(decided);
        return decided;
      } catch (const sql_error& error) {
        if (const auto end = handle(error, decided)) {
          decided.result = *end;
          return decided;
        }
      }
      if (is_refused_) continue; // not a lost attempt: record the refusal
      ++decided.retries;
      back_off(decided, deadline);
      decided.time.waiting += clock::now() - start;
      if (clock::now() >= deadline) return decided;
    }
  }

private:
  void connect() {
    connection_.reset();
    auto connection = std::make_unique<pipeline>(store_url_);
    connection->prepare("begin", recipe_.begin);
    connection->prepare("commit", "commit");
    connection->prepare("rollback", "rollback");
    if (recipe_.lock) connection->prepare("lock", recipe_.lock);
    if (recipe_.checks_first) connection->prepare("check", check_.c_str());
    connection->prepare("reserve", reserve_.c_str());
    if (level_ == depth::whole) {
      connection->prepare("record_booked", record_booked_statement);
      connection->prepare("record_refused", record_refused_statement);
    }
    connection_ = std::move(connection);
  }

  void prepare(const stay_request& request) {
    is_refused_ = false;
    const auto unit_number = std::to_string(request.unit);
    const auto check_in = domain::to_string(request.check_in),
               check_out = domain::to_string(request.check_out);
    lock_values_ = {unit_number};
    if (level_ == depth::bare) {
      reserve_values_ = check_values_ = {std::to_string(request.number), unit_number, check_in, check_out};
      if (recipe_.versioned) reserve_values_.push_back(std::nullopt);
      return;
    }
    unit_ = units_->find(0, external_id(request.unit));
    values_ = values_of(request, *unit_);
    check_values_ = {domain::to_string(unit_->id()), check_in, check_out, unit_number};
    reserve_values_ = values_.reserve;
    if (recipe_.versioned) reserve_values_.insert(reserve_values_.end(), {unit_number, std::nullopt});
  }

  outcome attempt(decision& decided) {
    stopwatch watch;
    if (is_refused_) return write_refusal(decided, watch);
    if (recipe_.checks_first && is_taken()) {
      decided.time.deciding += watch.lap();
      return level_ == depth::whole ? write_refusal(decided, watch) : outcome::refused;
    }
    decided.time.deciding += watch.lap();
    if (level_ == depth::whole) return reserve_whole(decided, watch);
    return is_one_statement() ? reserve_in_one_statement(decided, watch)
                              : reserve_in_transaction(decided, watch);
  }

  /// Also reads the unit's version.
  bool is_taken() {
    connection_->send("check", check_values_);
    connection_->sync();
    const auto checked = connection_->next();
    connection_->finish();
    if (recipe_.versioned) reserve_values_.back() = checked.row.at(1);
    return checked.row.at(0) == "t";
  }

  bool is_one_statement() const { return !recipe_.lock && !recipe_.checks_in_statement; }

  /// The reservation is its own transaction, so its commit cannot be measured separately from the decision.
  outcome reserve_in_one_statement(decision& decided, stopwatch& watch) {
    connection_->send("reserve", reserve_values_);
    commit_sent_ = true;
    connection_->sync();
    const auto reserved = connection_->next().affected_rows;
    connection_->finish();
    decided.time.committing += watch.lap();
    if (reserved == 0 && recipe_.versioned) throw sql_error(serialization_failure, "the version has changed");
    return reserved > 0 ? outcome::booked : outcome::refused;
  }

  /// Takes one round trip; results arrive one by one.
  outcome reserve_in_transaction(decision& decided, stopwatch& watch) {
    begin();
    if (recipe_.lock) connection_->flush();
    connection_->send("reserve", reserve_values_);
    connection_->flush();
    connection_->send("commit");
    commit_sent_ = true;
    connection_->sync();
    decided.time.waiting += wait_for_lock(watch);
    const auto reserved = connection_->next().affected_rows;
    decided.time.deciding += watch.lap();
    commit(decided, watch);
    return reserved > 0 ? outcome::booked : outcome::refused;
  }

  /// Takes two round trips, because the record depends on the reservation.
  outcome reserve_whole(decision& decided, stopwatch& watch) {
    begin();
    if (recipe_.lock) connection_->flush();
    connection_->send("reserve", reserve_values_);
    connection_->flush();
    decided.time.waiting += wait_for_lock(watch);
    const bool booked = connection_->next().row.at(0) != "0";
    if (!booked && recipe_.versioned) throw sql_error(serialization_failure, "the version has changed");
    record(booked);
    decided.time.deciding += watch.lap();
    commit(decided, watch);
    return booked ? outcome::booked : outcome::refused;
  }

  outcome write_refusal(decision& decided, stopwatch& watch) {
    connection_->send("begin");
    record(false);
    connection_->next();
    commit(decided, watch);
    return outcome::refused;
  }

  void begin() {
    connection_->send("begin");
    if (recipe_.lock) connection_->send("lock", lock_values_);
  }

  clock::duration wait_for_lock(stopwatch& watch) {
    connection_->next();
    if (recipe_.lock) connection_->next();
    return recipe_.lock ? watch.lap() : clock::duration{};
  }

  void record(bool booked) {
    if (booked)
      connection_->send("record_booked", record_booked_values(values_, *unit_));
    else
      connection_->send("record_refused", record_refused_values(values_, *unit_));
    connection_->send("commit");
    commit_sent_ = true;
    connection_->sync();
  }

  void commit(decision& decided, stopwatch& watch) {
    if (level_ == depth::whole) connection_->next(); // the record
    connection_->next();
    connection_->finish();
    decided.time.committing += watch.lap();
  }

  /// Returns the outcome that the error implies; nullopt to retry.
  std::optional<outcome> handle(const sql_error& error, decision& decided) {
    if (error.is_connection_lost()) {
      ++decided.errors;
      connection_.reset();
      if (commit_sent_) return outcome::unknown;
      return std::nullopt;
    }
    if (!connection_) throw; // an error in the lab's statements
    clean_up();
    if (error.state() == exclusion_violation) {
      is_refused_ = true;
      if (level_ == depth::bare) return outcome::refused;
    } else if (error.state() == deadlock_detected)
      ++decided.deadlocks;
    else if (error.state() == serialization_failure)
      ++decided.conflicts;
    else
      throw; // an error of the lab
    return std::nullopt;
  }

  void clean_up() {
    try {
      connection_->recover();
    } catch (const sql_error&) {
      connection_.reset();
    }
  }

  /// Waits for a random time whose limit doubles with every attempt, like applications.
  void back_off(const decision& decided, clock::time_point deadline) {
    if (!connection_)
      return std::this_thread::sleep_until(std::min(clock::now() + reconnect_pause, deadline));
    const auto max_delay = std::chrono::microseconds{200} * (1 << std::min(decided.retries, 7u));
    std::uniform_int_distribution<std::int64_t> pick(0, max_delay.count());
    std::this_thread::sleep_for(std::chrono::microseconds{pick(random_)});
  }

  const peer_recipe& recipe_;
  const depth level_;
  const std::string store_url_;
  const std::shared_ptr<const actors::directory> units_;
  const std::string reserve_, check_;
  std::unique_ptr<pipeline> connection_;
  bool commit_sent_ = false; ///< the attempt may be committed
  bool is_refused_ = false;  ///< by the exclusion constraint, whose error aborted the transaction
  const actors::directory_unit* unit_ = nullptr;
  booking_values values_;
  std::vector<sql_value> lock_values_, check_values_, reserve_values_;
  std::minstd_rand random_{std::random_device{}()};
};

class peer_strategy final : public threaded_strategy {
public:
  peer_strategy(const peer_recipe& recipe, depth level, std::string store_url,
                std::shared_ptr<const actors::directory> units)
      : recipe_(recipe), level_(level), store_url_(std::move(store_url)), units_(std::move(units)) {}

  std::unique_ptr<blocking_client> connect() override {
    return std::make_unique<peer_client>(recipe_, level_, store_url_, units_);
  }

private:
  const peer_recipe& recipe_;
  const depth level_;
  const std::string store_url_;
  const std::shared_ptr<const actors::directory> units_;
};

} // namespace

std::unique_ptr<strategy> make_peer_strategy(const peer_recipe& recipe, depth level,
                                             const std::string& store_url,
                                             std::shared_ptr<const actors::directory> units) {
  return std::make_unique<peer_strategy>(recipe, level, store_url, std::move(units));
}

} // namespace roost::contention
