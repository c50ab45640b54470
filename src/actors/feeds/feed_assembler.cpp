#include "actors/feeds/feed.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

namespace roost::actors {

namespace {

assembled_feed finish(const finish_feed& job) {
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
          return finish(job);
        } catch (const std::exception& error) {
          return to_error(error);
        }
      },
  };
}

} // namespace

feed_assembler spawn_feed_assembler(runtime& rt) { return rt.spawn_detached(feed_assembler_behavior); }

} // namespace roost::actors
