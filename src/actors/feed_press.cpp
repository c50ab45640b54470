#include "actors/feed.hpp"

#include <caf/typed_event_based_actor.hpp>

namespace roost::actors {

namespace {

pressed_feed finish(const finish_feed& job) {
  feed_snapshot snapshot;
  auto text = job.writer->finish();
  snapshot.units = job.writer->units();
  snapshot.bytes = text.identity.size();
  snapshot.gzip_bytes = text.gzip.size();
  snapshot.document = job.maker(std::move(text));
  return {std::move(snapshot)};
}

feed_press::behavior_type behavior_of(feed_press::pointer) {
  return {
      [](const press_rows& job) { job.writer->add(job.rows); },
      [](const finish_feed& job) { return finish(job); },
  };
}

} // namespace

feed_press spawn_feed_press(runtime& on) { return on.system().spawn<caf::detached>(behavior_of); }

} // namespace roost::actors
