#include "actors/engine/booking_engine.hpp"

#include "actors/runtime/group_commit.hpp"
#include "log/log.hpp"
#include "mail/notices.hpp"

#include <algorithm>

namespace roost::actors {

namespace {

/// Decisions share the storage actor, and a transaction delays renewals of the lease: this limits how long
/// both wait for a group, and how long callers wait for the other requests of theirs.
constexpr std::size_t max_writes_per_group = 64;
constexpr std::size_t max_group_rooms = 1'000;

class booking_engine_state : public actor_state<booking_engine> {
public:
  static constexpr const char* name = "booking_engine";
  using actor_state::actor_state;

  behavior open(booking_engine_setup setup) {
    setup_ = std::move(setup);
    edit_commit::setup edits;
    edits.kind = "edit_unit";
    open_commit(edits_, std::move(edits), store::edit_units, &booking_engine_state::edited);
    creation_commit::setup creations;
    creations.kind = "create_property";
    creations.weight = [](const store::property_creation& each) { return each.unit_ids.size(); };
    creations.max_weight = max_group_rooms;
    open_commit(creations_, std::move(creations), store::create_properties, &booking_engine_state::created);
    return {[this](edit_listing& request) { return edit(request); },
            [this](create_property& request) { return create(request); }};
  }

  caf::result<listing_edited> edit(edit_listing& request) {
    store::unit_edit edit{std::move(request.unit), std::move(request.edit), setup_.new_id(), setup_.now()};
    edit.audit = {setup_.new_id(),
                  edit.now,
                  request.by,
                  "listing update",
                  domain::to_string(edit.unit.id),
                  edit.unit.platform + " " + edit.unit.linked_as};
    return add<listing_edited>(edits_, std::move(edit), request.deadline);
  }

  caf::result<property_created> create(create_property& request) {
    return add<property_created>(creations_, to_creation(request), request.deadline);
  }

private:
  template <typename Response>
  struct ticket {
    caf::typed_response_promise<Response> caller;
    actors::deadline until;
  };
  using edit_commit = group_commit<booking_engine::base, store::unit_edit, ticket<listing_edited>,
                                   std::vector<store::edit_outcome>>;
  using creation_commit = group_commit<booking_engine::base, store::property_creation,
                                       ticket<property_created>, std::vector<store::creation_outcome>>;

  /// `done` responds to the caller of an item that was written.
  template <typename Commit, typename Write, typename Done>
  void open_commit(Commit& commit, typename Commit::setup options, Write write, Done done) {
    options.max_items = max_writes_per_group;
    options.lanes = {setup_.writing};
    options.lease = setup_.lease;
    options.begin = [write] { return write; };
    options.written = [this, done](auto group, auto& outcomes) {
      for (std::size_t i = 0; i < outcomes.size(); ++i) (this->*done)(group.tickets[i], outcomes[i]);
    };
    options.failed = [](auto group, storage_error error) {
      for (auto& each : group.tickets) each.caller.deliver(make_error(error));
    };
    commit.open(self_, std::move(options));
  }

  template <typename Response, typename Commit, typename Item>
  caf::result<Response> add(Commit& commit, Item item, actors::deadline until) {
    auto caller = self_->make_response_promise<Response>();
    commit.add(std::move(item), {caller, until}, until);
    commit.run();
    return caller;
  }

  void edited(ticket<listing_edited>& ticket, store::edit_outcome& done) {
    if (done.locked) {
      ticket.caller.deliver(make_error(storage_error::unavailable));
      return;
    }
    if (!done.found) {
      ticket.caller.deliver(listing_edited{false});
      return;
    }
    std::shared_ptr<const store::edited_unit> changed;
    if (done.changed) changed = std::make_shared<const store::edited_unit>(std::move(*done.changed));
    if (changed)
      log::info("listing_edited",
                {{"unit", domain::to_string(changed->unit_id)}, {"position", done.point.position}});
    show(done.point, std::move(changed), ticket, listing_edited{true});
  }

  void created(ticket<property_created>& ticket, store::creation_outcome& done) {
    if (done.locked) {
      ticket.caller.deliver(make_error(storage_error::unavailable));
      return;
    }
    report(done.created);
    show(done.change, nullptr, ticket, property_created{std::move(done.created)});
  }

  /// Responds once reads show the change.
  template <typename Response>
  void show(const store::stream_point& point, std::shared_ptr<const store::edited_unit> edit,
            const ticket<Response>& ticket, Response response) {
    self_->request(setup_.follower, timeout_of(ticket.until), show_change{point, std::move(edit)})
        .then([caller = ticket.caller, response = std::move(response)](
                  change_shown&) mutable { caller.deliver(std::move(response)); },
              [caller = ticket.caller](caf::error&) mutable {
                caller.deliver(make_error(storage_error::unavailable));
              });
  }

  store::property_creation to_creation(create_property& request) const {
    store::property_creation creation;
    creation.platform = request.platform;
    creation.request = std::move(request.request);
    creation.owner = request.owner;
    creation.property_id = setup_.new_id();
    creation.now = setup_.now();
    creation.audit = {setup_.new_id(),
                      creation.now,
                      request.by,
                      "property creation",
                      domain::to_string(creation.property_id),
                      creation.platform,
                      creation.owner->id};
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
  edit_commit edits_;
  creation_commit creations_;
};

} // namespace

booking_engine spawn_booking_engine(runtime& rt, booking_engine_setup setup) {
  return rt.spawn_at<booking_engine_state>(0, std::move(setup));
}

asio::awaitable<std::optional<std::vector<domain::housemate>>> read_housemates(storage_lane lane,
                                                                               linked_unit unit) {
  return in_store(std::move(lane), "housemates",
                  [unit = std::move(unit)](store::session& db) { return store::housemates_of(db, unit); });
}

} // namespace roost::actors
