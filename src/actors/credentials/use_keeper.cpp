#include "actors/credentials/use_keeper.hpp"

#include "actors/runtime/group_commit.hpp"
#include "store/credentials/credentials.hpp"

#include <map>
#include <optional>
#include <utility>

namespace roost::actors {

namespace {

/// Commits periodically: no caller waits, and a use replaces an earlier one of the same credential.
class use_keeper_state : public actor_state<use_keeper> {
public:
  static constexpr const char* name = "use_keeper";
  using actor_state::actor_state;
  using flush_promise = caf::typed_response_promise<uses_flushed>;

  behavior open(use_keeper_setup setup) {
    setup_ = std::move(setup);
    open_commit();
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
  /// No caller waits for a use.
  struct no_ticket {};
  struct uses_written {};
  using use_commit = group_commit<use_keeper::base, domain::credential_use, no_ticket, uses_written>;

  void open_commit() {
    use_commit::setup options;
    options.kind = "note_uses";
    options.lanes = {setup_.storage};
    options.lease = setup_.lease;
    options.begin = [] {
      return
          [](store::session& db, const store::lease& lease, const std::vector<domain::credential_use>& uses) {
            store::note_uses(db, lease, uses);
            return uses_written{};
          };
    };
    options.written = [this](auto, const uses_written&) {
      if (flushing_) write();
    };
    options.failed = [this](use_commit::group uses, storage_error error) { not_written(uses, error); };
    commit_.open(self_, std::move(options));
  }

  void write() {
    if (commit_.size() > 0) return; // a flush continues after this write
    for (const auto& use : setup_.take()) waiting_[use.credential_id] = use.used_at;
    if (waiting_.empty()) return finish_flush();
    for (const auto& [credential, at] : std::exchange(waiting_, {})) commit_.add({credential, at}, {});
    commit_.run();
  }

  /// Keeps the uses for the next write, except where a newer one has been recorded. Drops a use that the
  /// store rejected.
  void not_written(use_commit::group uses, storage_error error) {
    if (!may_concern_one_row(error))
      for (const auto& use : uses.items) waiting_.emplace(use.credential_id, use.used_at);
    if (commit_.size() == 0) finish_flush();
  }

  void finish_flush() {
    if (flushing_) flushing_->deliver(uses_flushed{});
    flushing_.reset();
  }

  use_keeper_setup setup_;
  use_commit commit_;
  std::map<domain::uuid, domain::timestamp> waiting_;
  std::optional<flush_promise> flushing_;
};

} // namespace

use_keeper spawn_use_keeper(runtime& rt, use_keeper_setup setup) {
  return rt.spawn_at<use_keeper_state>(0, std::move(setup));
}

} // namespace roost::actors
