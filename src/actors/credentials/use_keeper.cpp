#include "actors/credentials/use_keeper.hpp"

#include "store/credentials/credentials.hpp"

#include <map>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

using batch = std::vector<domain::credential_use>;

/// Flushes periodically instead of using a group commit: no caller waits, and a use replaces an earlier one
/// of the same credential.
class use_keeper_state : public actor_state<use_keeper> {
public:
  static constexpr const char* name = "use_keeper";
  using actor_state::actor_state;
  using flush_promise = caf::typed_response_promise<uses_flushed>;

  behavior open(use_keeper_setup setup) {
    setup_ = std::move(setup);
    self_->delayed_send(self_, setup_.interval, keep_uses{});
    return {[this](const keep_uses&) { keep(); }, [this](const flush_uses&) { return flush(); }};
  }

  void keep() {
    write();
    self_->delayed_send(self_, setup_.interval, keep_uses{});
  }

  caf::result<uses_flushed> flush() {
    auto promise = self_->make_response_promise<uses_flushed>();
    flushing_ = promise;
    write();
    return promise;
  }

private:
  void write() {
    if (is_writing_) return; // written() flushes
    for (const auto& use : setup_.take()) waiting_[use.credential_id] = use.used_at;
    const auto lease = setup_.lease->current();
    if (waiting_.empty() || !lease) return finish_flush();
    const auto uses = std::make_shared<batch>();
    uses->reserve(waiting_.size());
    for (const auto& [credential, at] : std::exchange(waiting_, {})) uses->push_back({credential, at});
    is_writing_ = true;
    in_storage(
        self_, setup_.storage, "note_uses",
        [lease = *lease, uses](store::session& db) { store::note_uses(db, lease, *uses); },
        [this] { written(); }, [this, uses](storage_error) { not_written(*uses); });
  }

  void written() {
    is_writing_ = false;
    if (flushing_) write();
  }

  /// Keeps the uses for the next write, except where a newer one has been recorded.
  void not_written(const batch& uses) {
    is_writing_ = false;
    for (const auto& use : uses) waiting_.emplace(use.credential_id, use.used_at);
    finish_flush();
  }

  void finish_flush() {
    if (flushing_) flushing_->deliver(uses_flushed{});
    flushing_.reset();
  }

  use_keeper_setup setup_;
  std::map<domain::uuid, domain::timestamp> waiting_;
  bool is_writing_ = false;
  std::optional<flush_promise> flushing_;
};

} // namespace

use_keeper spawn_use_keeper(runtime& rt, use_keeper_setup setup) {
  return rt.spawn_at<use_keeper_state>(0, std::move(setup));
}

} // namespace roost::actors
