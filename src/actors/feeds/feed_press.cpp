#include "actors/feeds/feed.hpp"

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
  return {std::move(snapshot), job.writer->pages()};
}

/// One list that is too big for the memory left must not end the press of all the others.
caf::error failed(const std::exception& why) { return caf::make_error(caf::sec::runtime_error, why.what()); }

feed_press::behavior_type feed_press_behavior(feed_press::pointer) {
  return {
      [](const press_pages& job) -> caf::result<void> {
        try {
          for (const auto& page : job.pages) job.writer->add(page);
          return caf::unit;
        } catch (const std::exception& why) {
          return failed(why);
        }
      },
      [](const finish_feed& job) -> caf::result<pressed_feed> {
        try {
          return finish(job);
        } catch (const std::exception& why) {
          return failed(why);
        }
      },
  };
}

} // namespace

feed_press spawn_feed_press(runtime& on) { return on.system().spawn<caf::detached>(feed_press_behavior); }

} // namespace roost::actors
