#include "store/database/connection.hpp"
#include "store/office/ai.hpp"
#include "store/office/office_scene.hpp"
#include "store/support/sample_usage.hpp"
#include "store/usage/usage.hpp"

#include <gmock/gmock.h>

/// What assistants may do and the budget for AI calls, as the office changes them.
namespace roost::testing::office_ai_test {
using store::office_ai;
using store::office_result;
using ::testing::IsEmpty;

class AiSettingsOfTheOffice : public office_scene {
protected:
  store::office_outcome<office_ai> change(const std::function<void(store::ai_settings&)>& edit,
                                          const std::function<bool(const office_ai&)>& is_current = any) {
    auto author = this->author();
    author.audit.action = store::ai_settings_edit;
    author.audit.subject = domain::to_string(account_id(1));
    store::office_change<office_ai> request{account_id(1), is_current, [&](office_ai& stored) {
                                              const auto before = stored.settings;
                                              edit(stored.settings);
                                              store::office_edit done{};
                                              if (before != stored.settings)
                                                done.changes = {{"areas", "1", "2"}};
                                              return done;
                                            }};
    return store::change_office_ai(session(), node_->lease, scope, request, author, day("2026-11-01"));
  }

  office_ai stored() { return store::find_office_ai(session(), scope, day("2026-11-01")).value(); }

  std::vector<store::office_mark> marks() { return store::marks_of(session(), std::vector{account_id(1)}); }

  /// Imports the file, and returns whether it would change what the office has set.
  bool is_refused() {
    const auto result = import_sample(session(), file_, "2026-11-22T09:30:00.000Z");
    EXPECT_THAT(result.problems, IsEmpty());
    return result.refused_by_office.has_value();
  }

  static bool any(const office_ai&) { return true; }
  static void open_team(store::ai_settings& to) { to.areas["team"] = "edit"; }
  static void set_budget(store::ai_settings& to) { to.budget = {{50'00}, {50, 100}}; }
};
ROOST_ON_EACH_STORE(AiSettingsOfTheOffice);

TEST_P(AiSettingsOfTheOffice, AreThoseOfTheFile) {
  const auto ai = stored();
  EXPECT_EQ(ai.settings, (store::ai_settings{{{"bookings", "edit"}}, std::nullopt}));
  EXPECT_EQ(ai.usage, (store::ai_month{day("2026-11-01"), {}, {}}));
}

TEST_P(AiSettingsOfTheOffice, ChangeWithAMarkAnAuditEntryAndAPosition) {
  const auto before = store::newest_point(session());
  const auto done = change([](store::ai_settings& to) {
    open_team(to);
    set_budget(to);
  });
  ASSERT_EQ(done.result, office_result::changed);
  EXPECT_EQ(done.resource.settings, (store::ai_settings{{{"bookings", "edit"}, {"team", "edit"}},
                                                        domain::ai_budget{{50'00}, {50, 100}}}));
  EXPECT_EQ(stored().settings, done.resource.settings);
  EXPECT_EQ(done.point.position, before.position + 1);
  ASSERT_EQ(marks().size(), 1U);
  EXPECT_EQ(marks()[0].part, store::office_part::account);
  const auto entry = store::list_audit(session(), 1).at(0);
  EXPECT_EQ(entry.action, "AI settings change");
  EXPECT_EQ(entry.account_id, account_id(1));
}

TEST_P(AiSettingsOfTheOffice, AreUnchangedWithTheSameValues) {
  EXPECT_EQ(change([](store::ai_settings&) {}).result, office_result::unchanged);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(AiSettingsOfTheOffice, ShowTheUsageOfTheMonth) {
  const std::vector records{sample_usage(1, "2026-11-20T10:00:00.000Z", "50.000000000000000001"),
                            sample_usage(2, "2026-10-20T10:00:00.000Z", "7")};
  store::import_usage(session(), records, {});
  EXPECT_EQ(stored().usage, (store::ai_month{day("2026-11-01"), number("50.000000000000000001"), {}}));
  const auto done = change(set_budget);
  EXPECT_EQ(done.resource.usage,
            (store::ai_month{day("2026-11-01"), number("50.000000000000000001"), {50, 100}}));
  EXPECT_EQ(stored().usage, done.resource.usage);
}

TEST_P(AiSettingsOfTheOffice, SurviveImportsOfOtherValues) {
  for (const auto edit : {open_team, set_budget}) {
    ASSERT_EQ(change(edit).result, office_result::changed);
    EXPECT_TRUE(is_refused());
  }
  EXPECT_EQ(stored().settings.areas.size(), 2U);
  file_.accounts[0].details.ai_areas = {{"bookings", "edit"}, {"team", "edit"}};
  file_.accounts[0].details.ai_budget = {{50'00}, {50, 100}};
  EXPECT_FALSE(is_refused());
  EXPECT_THAT(marks(), IsEmpty()) << "the file agrees";
  file_.accounts[0].details.ai_budget = std::nullopt;
  EXPECT_FALSE(is_refused());
  EXPECT_EQ(stored().settings.budget, std::nullopt);
}

TEST_P(AiSettingsOfTheOffice, AreSetBackByAnImportThatMayOverwriteThem) {
  change(set_budget);
  import_over_the_office();
  EXPECT_EQ(stored().settings.budget, std::nullopt);
  EXPECT_THAT(marks(), IsEmpty());
}

TEST_P(AiSettingsOfTheOffice, NameWhoChangedThemLast) {
  const auto last_change = [&] {
    const auto done = change(open_team, [](const office_ai&) { return false; });
    EXPECT_EQ(done.result, office_result::outdated);
    return done.last;
  };
  EXPECT_EQ(last_change().by, "import");
  change(set_budget);
  EXPECT_EQ(last_change().by, "ana@landlord.example");
  const auto at = moment("2026-11-21T12:00:00.000Z");
  session().run_with_next_commit([&, this] {
    store::record_audit(session(), {fresh_id(), at, "root@host", store::ai_area_set, "", "", account_id(1)});
  });
  store::set_ai_area(session(), account_id(1), 0, domain::tool_level::read_only);
  EXPECT_EQ(last_change().by, "root@host") << "the author of the command";
  EXPECT_EQ(last_change().at, at);
  file_.accounts[0].details.ai_budget = {{70'00}};
  import_over_the_office();
  EXPECT_EQ(last_change().by, "import");
}

TEST_P(AiSettingsOfTheOffice, MustNotBeChangedUnseen) {
  EXPECT_EQ(change(open_team, {}).result, office_result::unconditional);
  EXPECT_EQ(stored().settings.areas.size(), 1U);
}

TEST_P(AiSettingsOfTheOffice, KeepAreasThatTheToolServerNoLongerHas) {
  session().internals().script("old", "update accounts set ai_areas = '{\"former\":\"edit\"}' where id = '" +
                                          domain::to_string(account_id(1)) + "'");
  change(open_team);
  EXPECT_EQ(stored().settings.areas, (store::ai_area_levels{{"former", "edit"}, {"team", "edit"}}));
}

} // namespace roost::testing::office_ai_test
