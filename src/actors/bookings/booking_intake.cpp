#include "actors/bookings/booking_intake.hpp"

#include "actors/runtime/group_commit.hpp"
#include "store/bookings/requests.hpp"
#include "store/bookings/submissions.hpp"

namespace roost::actors {

namespace {

class intake_state : public actor_state<booking_intake> {
public:
  static constexpr const char* name = "booking_intake";
  using actor_state::actor_state;

  behavior open(std::vector<storage_actor> storage, std::shared_ptr<const held_lease> lease,
                metrics::registry* registry) {
    depth_ = registry->gauge("roost_mailbox_depth", "Messages waiting for an actor", {{"actor", name}});
    open_puts(storage.front(), lease); // other requests prefer the last one
    commit::setup with;
    with.kind = "insert_requests";
    with.lanes = std::move(storage);
    with.lease = std::move(lease);
    with.sizes = registry->histogram("roost_intake_group_size", "Booking requests in one commit", {},
                                     {1, 2, 5, 10, 20, 50, 100, 200, 500});
    with.waiting_time = stage(*registry, "waiting");
    with.writing_time = stage(*registry, "committing");
    with.begin = [] { return insert; };
    commit_.open(self_, std::move(with));
    return {[this](submit_booking& request) { return submit(request); },
            [this](put_booking& request) { return put(request); }};
  }

  caf::result<booking_accepted> submit(submit_booking& request) {
    auto caller = commit_.add(std::move(request.submission), request.deadline);
    depth_->set(static_cast<double>(self_->mailbox().size()));
    return caller;
  }

  caf::result<store::put_receipt> put(put_booking& request) {
    return puts_.add(std::move(request.submission), request.deadline);
  }

private:
  using put_commit = request_commit<booking_intake::base, store::submission, store::put_receipt>;
  using commit = request_commit<booking_intake::base, store::submission, booking_accepted>;

  void open_puts(const storage_actor& storage, const std::shared_ptr<const held_lease>& lease) {
    put_commit::setup with;
    with.kind = "put_submissions";
    with.lanes = {storage};
    with.lease = lease;
    with.max_items = 64; // each takes statements of its own
    with.begin = [] {
      return [](store::session& db, const store::lease& held, const std::vector<store::submission>& sent) {
        return store::put_submissions(db, held, sent);
      };
    };
    puts_.open(self_, std::move(with));
  }

  static std::vector<booking_accepted> insert(store::session& db, const store::lease& lease,
                                              const std::vector<store::submission>& submissions) {
    store::insert_requests(db, lease, submissions);
    return std::vector<booking_accepted>(submissions.size());
  }

  static metrics::histogram stage(metrics::registry& registry, const char* name) {
    // RoostActorOverwhelmed requires 1 s and a bound above it.
    return registry.histogram("roost_intake_stage_seconds",
                              "Parts of the time to a submission's acknowledgement", {{"stage", name}},
                              metrics::work_buckets(), metrics::when_empty::shown);
  }

  std::optional<metrics::gauge> depth_;
  commit commit_;
  put_commit puts_;
};

} // namespace

booking_intake spawn_booking_intake(runtime& rt, std::vector<storage_actor> storage,
                                    std::shared_ptr<const held_lease> lease, metrics::registry& registry) {
  return rt.spawn_at<intake_state>(0, std::move(storage), std::move(lease), &registry);
}

} // namespace roost::actors
