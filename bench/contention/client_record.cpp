#include "strategy.hpp"

namespace roost::contention {

void client_record::add(const orders& load, const order& asked, clock::time_point invoked,
                        std::uint32_t client, const decision& made) {
  operation done;
  done.wanted = asked.wanted;
  done.client = client;
  done.intended = load.since_start(asked.due);
  done.invoked = load.since_start(invoked);
  done.returned = load.since_start(clock::now());
  done.result = made.result;
  done.time = made.time;
  done.time.waiting += invoked - asked.due;
  operations.push_back(done);
  all.conflicts += made.conflicts;
  all.deadlocks += made.deadlocks;
  all.retries += made.retries;
  all.errors += made.errors;
}

} // namespace roost::contention
