#include "actors/support/booking_world.hpp"
#include "store/engine/linked_units.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gmock/gmock.h>

namespace roost::testing::booking_engine_test {
using ::testing::HasSubstr;

/// The follower polls only once by itself, so that later changes reach memory only through the engine's
/// requests.
class BookingEngine : public booking_world {
protected:
  BookingEngine() {
    follower_interval = 1h;
    max_outdated_units = 20; // as many as the account has
  }

  static domain::uuid unit_id(unsigned unit) { return numbered_id(0x10000 + unit); }

  static actors::edit_listing rent_of(unsigned unit, std::int64_t cents) {
    actors::edit_listing message;
    message.unit = {unit_id(unit), "marketplace-a", "u" + std::to_string(unit)};
    message.edit.rent = {cents};
    message.deadline = actors::deadline::in(10s);
    return message;
  }

  static domain::room_request room(const std::string& id) {
    domain::room_request room;
    room.id = room.internal_name.emplace(id);
    room.rent_fixed = true;
    room.rent = {650'00};
    return room;
  }

  actors::create_property property(std::vector<domain::room_request> rooms) {
    const auto* owner = directory.get()->find_account(numbered_id(1));
    actors::create_property message;
    message.platform = "booking-engine";
    message.owner = owner->settings;
    message.contacts = owner->contacts;
    message.request.id = "P1";
    message.request.address = "Rua 1";
    message.request.rooms = std::move(rooms);
    message.deadline = actors::deadline::in(10s);
    return message;
  }

  template <typename Response, typename Message>
  std::optional<Response> ask_engine(Message message) {
    caf::scoped_actor self{rt.system()};
    std::optional<Response> result;
    self->request(engine, 20s, std::move(message))
        .receive([&](Response& response) { result = std::move(response); }, [](const caf::error&) {});
    return result;
  }
  std::optional<actors::listing_edited> edit(unsigned unit, std::int64_t cents) {
    return ask_engine<actors::listing_edited>(rent_of(unit, cents));
  }

  /// Edits only the store, like an engine whose response is lost.
  void edit_store_only(unsigned unit, std::int64_t cents) {
    store::unit_edit edit;
    edit.unit.id = unit_id(unit);
    edit.unit.platform = "marketplace-a";
    edit.unit.linked_as = "u" + std::to_string(unit);
    edit.edit.rent = {cents};
    edit.entry_id = security::random_uuid();
    edit.now = now();
    store::edit_units(session(), lease, std::span{&edit, 1});
  }

  /// Returns the listing as a platform reads it.
  std::string listing(const actors::directory_unit& unit, std::size_t platform = 0) {
    caf::scoped_actor self{rt.system()};
    std::string json;
    self->request(unit.calendar, 10s, actors::read_listing{platform})
        .receive([&](actors::listing_response& response) { json = response.json; }, [](const caf::error&) {});
    return json;
  }
  std::string listing(unsigned unit) { return listing(*directory.get()->find_unit(unit_id(unit))); }
};

ROOST_ON_EACH_STORE(BookingEngine);

TEST_P(BookingEngine, RespondsOnceReadsShowTheEdit) {
  const auto before = directory.get();
  ASSERT_THAT(listing(1), HasSubstr(R"("rent":650,)"));
  ASSERT_TRUE(edit(1, 700'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":700,)"));
  EXPECT_THAT(listing(2), HasSubstr(R"("rent":650,)"));
  EXPECT_EQ(directory.get(), before); // nothing was reloaded
  EXPECT_EQ(store::changelog_of(session(), unit_id(1)).size(), 1U);
  ASSERT_TRUE(edit(1, 0)->found);
  EXPECT_EQ(listing(1), "");
  ASSERT_TRUE(edit(1, 701'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":701,)"));
}

TEST_P(BookingEngine, KeepsTheNightsOfAnEditedUnit) {
  const std::vector stays{request(1, 1, "2027-02-01", "2027-05-01")};
  enqueue(stays);
  decide(stays);
  ASSERT_TRUE(edit(1, 700'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("from":"2027-02-01")"));
}

TEST_P(BookingEngine, RespondsToAnEditThatChangesNothing) {
  EXPECT_TRUE(edit(1, 650'00)->found);
  EXPECT_TRUE(store::changelog_of(session(), unit_id(1)).empty());
}

TEST_P(BookingEngine, FindsNoUnitUnderAnotherId) {
  auto message = rent_of(1, 700'00);
  message.unit.linked_as = "u2";
  EXPECT_FALSE(ask_engine<actors::listing_edited>(message)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":650,)"));
}

TEST_P(BookingEngine, PublishesANewDirectoryWhenEveryUnitOfAnAccountWasEdited) {
  const auto before = directory.get();
  for (unsigned unit = 1; unit < units; ++unit) {
    ASSERT_TRUE(edit(unit, 700'00)->found);
    ASSERT_TRUE(edit(unit, 750'00)->found); // counts once
  }
  EXPECT_EQ(directory.get(), before);
  ASSERT_TRUE(edit(units, 750'00)->found);
  const auto after = directory.get();
  ASSERT_NE(after, before);
  EXPECT_EQ(after->version(), before->version());
  EXPECT_EQ(after->unit_count(), before->unit_count());
  const auto* unit = after->find(0, "u2");
  ASSERT_TRUE(unit);
  EXPECT_EQ(unit->setup->terms.rent.amount, domain::money{750'00});
  EXPECT_EQ(unit->owner, after->find_account(numbered_id(1)));
}

TEST_P(BookingEngine, RestartsTheCountOfEditsAfterANewDirectory) {
  for (unsigned unit = 1; unit <= units; ++unit) ASSERT_TRUE(edit(unit, 700'00)->found);
  const auto first = directory.get();
  ASSERT_TRUE(edit(2, 800'00)->found);
  EXPECT_THAT(listing(2), HasSubstr(R"("rent":800,)"));
  EXPECT_EQ(directory.get(), first);
  for (unsigned unit = 1; unit <= units; ++unit) ASSERT_TRUE(edit(unit, 900'00)->found);
  EXPECT_NE(directory.get(), first);
  EXPECT_EQ(directory.get()->find(0, "u20")->setup->terms.rent.amount, domain::money{900'00});
}

TEST_P(BookingEngine, SeesChangesOfAnotherProcessBeforeTheEdit) {
  auto file = sample();
  auto& units = file.accounts[0].properties[0].units;
  units[1].terms.rent.amount = {999'00};
  import(file);
  ASSERT_TRUE(edit(1, 700'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":700,)"));
  EXPECT_THAT(listing(2), HasSubstr(R"("rent":999,)"));
  units[0].terms.rent.amount = {777'00};
  import(file);
  ASSERT_TRUE(edit(3, 700'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":777,)")); // the import was later than its edit
}

TEST_P(BookingEngine, SeesAnEditWhoseResponseWasLost) {
  edit_store_only(1, 700'00);
  ASSERT_TRUE(edit(2, 800'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":700,)"));
  EXPECT_THAT(listing(2), HasSubstr(R"("rent":800,)"));
}

TEST_P(BookingEngine, ShowsALostEditThatIsRepeatedWithoutAChange) {
  edit_store_only(1, 700'00);
  ASSERT_TRUE(edit(1, 700'00)->found);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":700,)"));
  EXPECT_EQ(store::changelog_of(session(), unit_id(1)).size(), 1U);
}

TEST_P(BookingEngine, AppliesConcurrentEditsInOrder) {
  constexpr unsigned rounds = 10;
  caf::scoped_actor self{rt.system()};
  unsigned responses = 0;
  for (unsigned round = 1; round <= rounds; ++round)
    for (unsigned unit = 1; unit <= units; ++unit)
      self->send(engine, rent_of(unit, std::int64_t{round} * 100'00));
  self->receive_for(responses, rounds * units)(
      [](const actors::listing_edited& response) { EXPECT_TRUE(response.found); });
  for (unsigned unit = 1; unit <= units; ++unit) {
    EXPECT_THAT(listing(unit), HasSubstr(R"("rent":1000,)"));
    EXPECT_EQ(store::changelog_of(session(), unit_id(unit)).size(), 10U);
  }
}

TEST_P(BookingEngine, CommitsTogetherWhatArrivesDuringACommit) {
  caf::scoped_actor self{rt.system()};
  {
    const busy_lane busy(storage->at(actors::storage_pool::lane::decisions));
    for (unsigned unit = 1; unit <= units; ++unit) self->send(engine, rent_of(unit, 700'00));
    for (unsigned i = 1; i <= units; ++i) {
      auto creation = property({room(std::to_string(i))});
      creation.request.id = "P" + std::to_string(i);
      self->send(engine, std::move(creation));
    }
    wait_until_received(self, engine);
  }
  unsigned edited = 0, created = 0;
  const auto count = [&] { return edited + created; };
  self->receive_while([&] { return count() < 2 * units; })(
      [&](const actors::listing_edited& response) { edited += response.found; },
      [&](const actors::property_created& response) { created += !response.outcome.refused; });
  EXPECT_EQ(edited, units);
  EXPECT_EQ(created, units);
  EXPECT_EQ(jobs("edit_unit", "done"), 2U);
  EXPECT_EQ(jobs("create_property", "done"), 2U);
  for (unsigned unit = 1; unit <= units; ++unit) {
    EXPECT_THAT(listing(unit), HasSubstr(R"("rent":700,)"));
    EXPECT_EQ(store::changelog_of(session(), unit_id(unit)).size(), 1U);
  }
  EXPECT_TRUE(directory.get()->find(1, "P20_20"));
}

TEST_P(BookingEngine, CommitsPropertiesWithManyRoomsSeparately) {
  caf::scoped_actor self{rt.system()};
  {
    const busy_lane busy(storage->at(actors::storage_pool::lane::decisions));
    for (unsigned first = 0; first < 1'800; first += 600) {
      std::vector<domain::room_request> rooms;
      for (unsigned i = 0; i < 600; ++i) rooms.push_back(room(std::to_string(first + i)));
      auto creation = property(std::move(rooms));
      creation.request.id = "P" + std::to_string(first);
      self->send(engine, std::move(creation));
    }
    wait_until_received(self, engine);
  }
  unsigned created = 0;
  self->receive_for(created, 3U)([](const actors::property_created& response) {
    EXPECT_FALSE(response.outcome.refused);
    EXPECT_EQ(response.outcome.units.size(), 600U);
  });
  EXPECT_EQ(jobs("create_property", "done"), 3U);
}

TEST_P(BookingEngine, EditsUnitsNextToOneThatTheStoreRejects) {
  reject_rows(session(), "changelog", "cast(new.unit_id as text) = '" + domain::to_string(unit_id(5)) + "'");
  caf::scoped_actor self{rt.system()};
  std::vector<decltype(self->request(engine, 10s, rent_of(1, 0)))> pending;
  {
    const busy_lane busy(storage->at(actors::storage_pool::lane::decisions));
    for (unsigned unit = 1; unit <= units; ++unit)
      pending.push_back(self->request(engine, 10s, rent_of(unit, 700'00)));
  }
  for (unsigned unit = 1; unit <= units; ++unit) {
    std::optional<actors::storage_error> error;
    pending[unit - 1].receive([](const actors::listing_edited& response) { EXPECT_TRUE(response.found); },
                              [&](const caf::error& reason) { error = actors::storage_error_of(reason); });
    EXPECT_EQ(error, unit == 5 ? std::optional(actors::storage_error::invalid_value) : std::nullopt) << unit;
    EXPECT_THAT(listing(unit), HasSubstr(unit == 5 ? R"("rent":650,)" : R"("rent":700,)"));
  }
}

TEST_P(BookingEngine, RefusesAnEditThatConflictsWithARowThatStays) {
  session().internals().script("one_change_per_unit",
                               "create unique index one_change_per_unit on changelog (unit_id)");
  ASSERT_TRUE(edit(1, 700'00)->found);
  caf::scoped_actor self{rt.system()};
  std::optional<actors::storage_error> error;
  self->request(engine, 10s, rent_of(1, 800'00))
      .receive([](const actors::listing_edited&) {},
               [&](const caf::error& reason) { error = actors::storage_error_of(reason); });
  EXPECT_EQ(error, actors::storage_error::invalid_value);
  EXPECT_THAT(listing(1), HasSubstr(R"("rent":700,)"));
}

TEST_P(BookingEngine, DoesNotDisturbDecisionsInProgress) {
  std::vector<domain::booking_request> requests;
  for (unsigned unit = 1; unit <= units; ++unit)
    for (unsigned stay = 0; stay < 5; ++stay)
      requests.push_back(request(unit * 10 + stay, unit, "2027-02-01", "2027-05-01"));
  enqueue(requests);
  caf::scoped_actor self{rt.system()};
  for (unsigned i = 0; i < 200; ++i) self->send(engine, rent_of(1 + i % units, 500'00 + i * 100));
  decide(requests);
  unsigned responses = 0;
  self->receive_for(responses, 200U)([](const actors::listing_edited&) {});
  EXPECT_EQ(stays(requests), units); // one stay per unit
}

TEST_P(BookingEngine, RespondsOnceReadsShowTheCreatedUnits) {
  const auto created = ask_engine<actors::property_created>(property({room("1"), room("2"), room("3")}));
  ASSERT_TRUE(created);
  ASSERT_EQ(created->outcome.units.size(), 3U);
  EXPECT_LT(created->outcome.units[0].terms.id, created->outcome.units[1].terms.id);
  const auto* unit = directory.get()->find(1, "P1_2");
  ASSERT_TRUE(unit);
  EXPECT_THAT(listing(*unit, 1), HasSubstr(R"("externalId":"P1_2")"));
  EXPECT_EQ(mails->count(), 0U);
}

TEST_P(BookingEngine, MailsTheLandlordAboutARoomThatCannotBeCreated) {
  auto taken = room("2");
  taken.internal_name = "Room 1"; // of the sample portfolio
  const auto created = ask_engine<actors::property_created>(property({room("1"), taken, room("3")}));
  ASSERT_TRUE(created);
  ASSERT_TRUE(created->outcome.refused);
  EXPECT_TRUE(directory.get()->find(1, "P1_1"));
  EXPECT_FALSE(directory.get()->find(1, "P1_3"));
  ASSERT_TRUE(eventually([&] { return mails->count() == 1; })); // the Admin
  EXPECT_EQ(mails->sent[0].to, "user1@landlord.example");
  EXPECT_EQ(mails->sent[0].subject, "Unit not created: Room 1, Rua 1");
}

TEST_P(BookingEngine, RefusesWritesWithoutTheLease) {
  held->give_up();
  EXPECT_FALSE(edit(1, 700'00));
  EXPECT_FALSE(ask_engine<actors::property_created>(property({room("1")})));
  EXPECT_TRUE(store::changelog_of(session(), unit_id(1)).empty());
}

TEST_P(BookingEngine, DoesNotWriteAfterTheDeadline) {
  auto message = rent_of(1, 700'00);
  message.deadline = actors::deadline::in(-1s);
  EXPECT_FALSE(ask_engine<actors::listing_edited>(message));
  EXPECT_TRUE(store::changelog_of(session(), unit_id(1)).empty());
}

/// The follower polls continually, as in a server.
class PollingFollower : public BookingEngine {
protected:
  PollingFollower() { follower_interval = 10ms; }
};

ROOST_ON_EACH_STORE(PollingFollower);

TEST_P(PollingFollower, FindsAnEditThatWasNotReported) {
  edit_store_only(1, 700'00);
  EXPECT_TRUE(eventually([&] { return listing(1).find(R"("rent":700,)") != std::string::npos; }));
}

TEST_P(PollingFollower, KeepsUpWithConcurrentImportsAndEdits) {
  auto file = sample();
  for (std::int64_t round = 1; round <= 20; ++round) {
    file.accounts[0].properties[0].units[1].terms.rent.amount = {round * 100'00};
    import(file);
    ASSERT_TRUE(edit(1, 500'00 + round * 100)->found);
    EXPECT_THAT(listing(1), HasSubstr(R"("rent":)" + std::to_string(500 + round) + ","));
    EXPECT_THAT(listing(2), HasSubstr(R"("rent":)" + std::to_string(round * 100) + ","));
  }
}

} // namespace roost::testing::booking_engine_test
