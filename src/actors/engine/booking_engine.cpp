#include "actors/engine/booking_engine.hpp"

#include "log/log.hpp"
#include "mail/notices.hpp"
#include "store/audit/audit.hpp"

#include <algorithm>
#include <deque>

namespace roost::actors {

namespace {

caf::duration timeout_of(const deadline& until) {
  if (until.is_never()) return caf::infinite;
  return caf::duration{std::chrono::duration_cast<std::chrono::milliseconds>(until.remaining())};
}

class booking_engine_state : public actor_state<booking_engine> {
public:
  static constexpr const char* name = "booking_engine";
  using actor_state::actor_state;

  behavior open(booking_engine_setup setup) {
    setup_ = std::move(setup);
    return {[this](edit_listing& request) { return edit(request); },
            [this](create_property& request) { return create(request); }};
  }

  caf::result<listing_edited> edit(edit_listing& request) {
    auto promise = self_->make_response_promise<listing_edited>();
    store::unit_edit edit{request.unit.id,         request.unit.platform, request.unit.linked_as,
                          std::move(request.edit), setup_.new_id(),       setup_.now()};
    write(
        "edit_unit", request.deadline, promise,
        [edit = std::move(edit), by = request.by, id = setup_.new_id()](store::session& db,
                                                                        const store::lease& lease) {
          const store::audit_entry entry{id,
                                         edit.now,
                                         by,
                                         "listing update",
                                         domain::to_string(edit.unit_id),
                                         edit.platform + " " + edit.linked_as};
          return store::audited(db, entry, [&] { return store::edit_unit(db, lease, edit); });
        },
        [this, promise, deadline = request.deadline](store::edit_outcome& done) mutable {
          if (!done.found) {
            promise.deliver(listing_edited{false}); // its return value must not be the response
            return;
          }
          std::shared_ptr<const store::edited_unit> changed;
          if (done.changed) changed = std::make_shared<const store::edited_unit>(std::move(*done.changed));
          if (changed)
            log::info("listing_edited",
                      {{"unit", domain::to_string(changed->unit_id)}, {"position", done.point.position}});
          show(done.point, std::move(changed), deadline, promise, listing_edited{true});
        });
    return promise;
  }

  caf::result<property_created> create(create_property& request) {
    auto promise = self_->make_response_promise<property_created>();
    write(
        "create_property", request.deadline, promise,
        [creation = to_creation(request), by = request.by, id = setup_.new_id()](store::session& db,
                                                                                 const store::lease& lease) {
          const store::audit_entry entry{id,
                                         creation.now,
                                         by,
                                         "property creation",
                                         domain::to_string(creation.property_id),
                                         creation.platform};
          return store::audited(db, entry, [&] { return store::create_property(db, lease, creation); });
        },
        [this, promise, deadline = request.deadline](store::creation_outcome& done) mutable {
          report(done.created);
          show(done.change, nullptr, deadline, promise, property_created{std::move(done.created)});
        });
    return promise;
  }

private:
  /// Runs `work` (session, lease → Result) in storage after the earlier writes, and then `done(Result&)`.
  /// Decisions share the storage actor, so a decision waits for one write at most.
  template <typename Promise, typename Work, typename Done>
  void write(const char* kind, actors::deadline deadline, Promise promise, Work work, Done done) {
    waiting_.push_back(
        [this, kind, deadline, promise, work = std::move(work), done = std::move(done)]() mutable {
          const auto lease = setup_.lease->current();
          if (!lease) {
            promise.deliver(make_error(storage_error::lease_lost));
            return false;
          }
          in_storage(
              self_, setup_.writing, kind,
              [work = std::move(work), lease = *lease](store::session& db) { return work(db, lease); },
              [this, done = std::move(done)](auto& result) mutable {
                done(result);
                written();
              },
              [this, promise](storage_error error) mutable {
                promise.deliver(make_error(error));
                written();
              },
              deadline);
          return true;
        });
    start_writing();
  }

  void start_writing() {
    while (!writing_ && !waiting_.empty()) {
      const auto next = std::move(waiting_.front());
      waiting_.pop_front();
      writing_ = next();
    }
  }

  void written() {
    writing_ = false;
    start_writing();
  }

  /// Responds once reads show the change.
  template <typename Promise, typename Response>
  void show(const store::stream_point& point, std::shared_ptr<const store::edited_unit> edit,
            actors::deadline deadline, Promise promise, Response response) {
    self_->request(setup_.follower, timeout_of(deadline), show_change{point, std::move(edit)})
        .then([promise, response = std::move(response)](
                  change_shown&) mutable { promise.deliver(std::move(response)); },
              [promise](caf::error&) mutable { promise.deliver(make_error(storage_error::unavailable)); });
  }

  store::property_creation to_creation(create_property& request) const {
    store::property_creation creation;
    creation.platform = request.platform;
    creation.request = std::move(request.request);
    creation.owner = request.owner;
    creation.property_id = setup_.new_id();
    creation.now = setup_.now();
    for (std::size_t i = 0; i < creation.request.rooms.size(); ++i)
      creation.unit_ids.push_back(setup_.new_id());
    std::ranges::sort(creation.unit_ids); // lists show the units in the order of the rooms
    creation.messages_for_refusal = [contacts = request.contacts,
                                     new_id = setup_.new_id](const store::property_creation& property,
                                                             const domain::room_refusal& refused) {
      const mail::uncreated_room room{property.platform, property.request, refused};
      store::landlord_messages messages;
      messages.notification = mail::uncreated_room_notice(new_id(), property.now, property.owner->id, room);
      for (const auto& recipient : contacts->mail_to)
        messages.mails.push_back(
            mail::uncreated_room_mail(new_id(), property.now, recipient, contacts->company_name, room));
      return messages;
    };
    return creation;
  }

  void report(const domain::created_property& done) {
    if (!done.property) return;
    log::info("property_created",
              {{"property", domain::to_string(done.property->id)}, {"units", done.units.size()}});
    if (!done.refused) return;
    log::warn("unit_not_created",
              {{"property", domain::to_string(done.property->id)}, {"room", done.refused->room}});
    self_->send(setup_.mailer, send_due_mail{});
  }

  booking_engine_setup setup_;
  bool writing_ = false;
  std::deque<std::function<bool()>>
      waiting_; ///< each returns whether it started a write; if not, it has responded with an error
};

} // namespace

booking_engine spawn_booking_engine(runtime& rt, booking_engine_setup setup) {
  return rt.spawn_at<booking_engine_state>(0, std::move(setup));
}

asio::awaitable<std::optional<std::vector<domain::housemate>>> read_housemates(storage_lane lane,
                                                                               linked_unit unit) {
  return in_store(std::move(lane), "housemates", [unit = std::move(unit)](store::session& db) {
    return store::housemates_of(db, unit.id, unit.platform, unit.linked_as);
  });
}

} // namespace roost::actors
