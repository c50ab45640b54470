#include "store/audit/audit.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/change_stream.hpp"
#include "store/portfolio/live.hpp"
#include "store/stays/stay_scene.hpp"
#include "store/stays/tenants.hpp"

#include <gmock/gmock.h>

#include <array>

namespace roost::testing::office_tenants_test {
using store::office_result, store::office_tenant;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TenantsOfTheOffice : public stay_scene {
protected:
  void SetUp() override {
    stay_scene::SetUp();
    eva_ = guest(1, "2027-04-01", "2027-05-01", [](domain::tenant_details& tenant) {
      tenant.first_name = "Éva";
      tenant.last_name = "Lindqvist";
      tenant.phone = "+34 600 100 200";
    });
    ivo_ = guest(2, "2027-06-01", "2027-07-01", [](domain::tenant_details& tenant) {
      tenant.first_name = "Ivo";
      tenant.fiscal_id = "X-2";
    });
  }

  domain::uuid guest(unsigned long number, const char* check_in, const char* check_out,
                     const std::function<void(domain::tenant_details&)>& edit) {
    const auto decision = decide(number, true, [&](domain::booking_request& request) {
      request.check_in = day(check_in);
      request.check_out = day(check_out);
      edit(request.tenant);
    });
    return decision.new_tenant->id;
  }

  std::vector<std::string> names(const std::string& text, const store::office_scope& of) {
    std::vector<std::string> found;
    for (const auto& each : store::list_tenants(session(), of, text, {}, 100).items)
      found.push_back(each.tenant.details.first_name);
    return found;
  }
  std::vector<std::string> names(const std::string& text = "") { return names(text, scope); }

  store::office_outcome<office_tenant>
  change(const domain::uuid& id, const std::function<void(domain::tenant&)>& edit, bool is_current = true) {
    store::office_change<office_tenant> request{
        id, [=](const office_tenant&) { return is_current; },
        [&](office_tenant& stored) {
          edit(stored.tenant);
          return store::office_edit{{}, {{"email", R"("old@tenant.example")", R"("new@tenant.example")"}}};
        }};
    auto by = author();
    by.audit.action = store::tenant_change;
    by.audit.subject = domain::to_string(id);
    return store::change_tenant(session(), node_->lease, scope, request, by);
  }
  store::office_outcome<office_tenant> set_email(const domain::uuid& id, const std::string& email) {
    return change(id, [&](domain::tenant& tenant) { tenant.details.email = email; });
  }

  store::office_outcome<office_tenant> erase(const domain::uuid& id, const char* now,
                                             bool is_trusted = true) {
    auto by = author();
    by.now = by.audit.made_at = moment(now);
    by.audit.action = "tenant erase";
    by.audit.subject = domain::to_string(id);
    return store::erase_tenant(session(), node_->lease, scope, id, by,
                               [=](store::session&, domain::timestamp) { return is_trusted; });
  }

  std::string address_of_request(unsigned long number) {
    return store::find_request(session(), numbered_id(20, number))->request.tenant.email;
  }

  office_tenant find(const domain::uuid& id) { return store::find_tenant(session(), scope, id).value(); }

  domain::uuid eva_{}, ivo_{};
  static constexpr const char *during = "2027-04-10T10:00:00.000Z", *after = "2027-08-01T10:00:00.000Z";
};
ROOST_ON_EACH_STORE(TenantsOfTheOffice);

TEST_P(TenantsOfTheOffice, AreListedByNameWithTheirStays) {
  const auto page = store::list_tenants(session(), scope, "", {}, 1);
  ASSERT_THAT(page.items, SizeIs(1));
  EXPECT_EQ(page.total, 2);
  EXPECT_TRUE(page.has_more);
  const auto& eva = page.items[0];
  EXPECT_EQ(eva.tenant.id, eva_);
  ASSERT_THAT(eva.stays, SizeIs(1));
  EXPECT_EQ(eva.stays[0].unit_name, "Room 1");
  EXPECT_EQ(eva.stays[0].check_in, day("2027-04-01"));
  EXPECT_EQ(eva.stays[0].platform, "marketplace-a");
  const auto rest = store::list_tenants(session(), scope, "", place_of(eva), 1);
  ASSERT_THAT(rest.items, SizeIs(1));
  EXPECT_EQ(rest.items[0].tenant.id, ivo_);
}

TEST_P(TenantsOfTheOffice, AreReadInTheOrderOfTheList) {
  EXPECT_THAT(store::ids_of_tenants(session(), scope, ""), ElementsAre(eva_, ivo_));
  EXPECT_THAT(store::ids_of_tenants(session(), scope, "ivo"), ElementsAre(ivo_));
  EXPECT_THAT(store::ids_of_tenants(session(), of_other_owner, ""), IsEmpty());
  const auto all = store::tenants_of(session(), scope, std::array{ivo_, fresh_id(), eva_});
  ASSERT_THAT(all, SizeIs(2)) << "one does not exist any more";
  EXPECT_EQ(all[0].tenant.id, ivo_);
  EXPECT_EQ(all[1].tenant.id, eva_);
  EXPECT_THAT(all[1].stays, SizeIs(1));
  EXPECT_THAT(store::tenants_of(session(), of_other_owner, std::array{eva_}).at(0).stays, IsEmpty());
  EXPECT_THAT(store::tenants_of(session(), other_account, std::array{eva_}), IsEmpty());
}

TEST_P(TenantsOfTheOffice, AreFoundByNameAddressOrPhone) {
  EXPECT_THAT(names("eva l"), ElementsAre("Éva")) << "in any letter case, without accents";
  EXPECT_THAT(names("EVA2@"), ElementsAre("Ivo"));
  EXPECT_THAT(names("600 100"), ElementsAre("Éva"));
  EXPECT_THAT(names("nothing"), IsEmpty());
}

TEST_P(TenantsOfTheOffice, AreShownToOwnersIfTheyStayInTheirProperties) {
  EXPECT_THAT(names("", of_owner), SizeIs(2));
  EXPECT_THAT(names("", of_other_owner), IsEmpty());
  EXPECT_THAT(names("", other_account), IsEmpty());
  EXPECT_TRUE(store::find_tenant(session(), of_owner, eva_));
  EXPECT_FALSE(store::find_tenant(session(), of_other_owner, eva_));
  EXPECT_FALSE(store::find_tenant(session(), other_account, eva_));
}

TEST_P(TenantsOfTheOffice, ChangeWithATraceThatMemoryFollows) {
  const auto before = position_of(session());
  const auto done = change(eva_, [](domain::tenant& tenant) {
    tenant.details.email = "eva@new.example";
    tenant.details.phone.reset();
    tenant.category = "Platform guest";
  });
  ASSERT_EQ(done.result, office_result::changed);
  EXPECT_EQ(done.resource.tenant.details.email, "eva@new.example");
  EXPECT_FALSE(done.resource.tenant.details.phone);
  EXPECT_THAT(done.resource.stays, SizeIs(1));
  const auto entries = store::entries_after(session(), before, 10);
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0].change.kind, store::change_kind::tenant);
  EXPECT_THAT(entries[0].change.subjects, ElementsAre(eva_));
  EXPECT_THAT(entries[0].change.units, ElementsAre(unit_id(1)));
  const auto reread = store::find_tenants(session(), entries[0].change.accounts, entries[0].change.subjects);
  ASSERT_THAT(reread, SizeIs(1));
  EXPECT_EQ(reread[0].details.email, "eva@new.example");
  const auto audit = store::list_audit(session(), 1).at(0);
  EXPECT_EQ(audit.account_id, account_id(1));
  EXPECT_EQ(audit.action, "tenant change");
  EXPECT_THAT(audit.detail, HasSubstr("new@tenant.example"));
}

TEST_P(TenantsOfTheOffice, InvalidateDecisionsThatMatchedThem) {
  node_->follow();
  set_email(eva_, "eva@new.example");
  const auto decision = accept(requested(3,
                                         [](domain::booking_request& request) {
                                           request.check_in = day("2027-09-01");
                                           request.check_out = day("2027-10-01");
                                         }),
                               unit_id(1));
  EXPECT_THAT(node_->decide({decision}).stale, ElementsAre(account_id(1)));
  node_->follow();
  EXPECT_THAT(node_->decide({decision}).stale, IsEmpty());
}

TEST_P(TenantsOfTheOffice, RequireTheStateThatTheClientHasSeen) {
  const auto outdated = change(
      eva_, [](domain::tenant&) {}, false);
  EXPECT_EQ(outdated.result, office_result::outdated);
  EXPECT_EQ(outdated.last.by, "marketplace-a") << "the platform that brought the tenant";
  set_email(eva_, "eva@new.example");
  EXPECT_EQ(change(
                eva_, [](domain::tenant&) {}, false)
                .last.by,
            "ana@landlord.example");
  EXPECT_EQ(set_email(fresh_id(), "a@b.example").result, office_result::not_found);
}

TEST_P(TenantsOfTheOffice, WereChangedLastByALaterBookingThatSetTheirCategory) {
  change(eva_, [](domain::tenant& tenant) { tenant.category.reset(); });
  node_->follow();
  const auto book_again = [&](unsigned long number, const char* check_in, const char* check_out,
                              const char* created) {
    auto again = accept(requested(number,
                                  [&](domain::booking_request& request) {
                                    request.check_in = day(check_in);
                                    request.check_out = day(check_out);
                                  }),
                        unit_id(1));
    again.new_tenant.reset();
    again.booking->tenant_id = eva_;
    again.booking->created_at = moment(created);
    again.tenant_category = "Platform guest";
    node_->decide({again});
  };
  const auto last = [&] {
    return change(
               eva_, [](domain::tenant&) {}, false)
        .last;
  };
  EXPECT_EQ(last().by, "ana@landlord.example");
  book_again(3, "2027-09-01", "2027-10-01", "2026-11-23T10:00:00.000Z");
  EXPECT_EQ(find(eva_).tenant.category, "Platform guest");
  EXPECT_EQ(last().by, "marketplace-a");
  EXPECT_EQ(last().at, moment("2026-11-23T10:00:00.000Z"));
  const auto entry = store::list_audit(session(), 1).at(0);
  EXPECT_EQ(entry.action, store::tenant_change);
  EXPECT_EQ(entry.account_id, account_id(1));
  EXPECT_EQ(entry.detail, R"(category: null to "Platform guest")");
  book_again(4, "2027-10-01", "2027-11-01", "2026-11-24T10:00:00.000Z");
  EXPECT_EQ(last().at, moment("2026-11-23T10:00:00.000Z")) << "she has a category already";
}

TEST_P(TenantsOfTheOffice, ShareNoAddressAndNoFiscalId) {
  const auto address = set_email(eva_, "EVA2@TENANT.example");
  EXPECT_EQ(address.result, office_result::conflicting);
  EXPECT_EQ(address.problem, "Another tenant of the account has this email address");
  const auto fiscal = change(eva_, [](domain::tenant& tenant) { tenant.details.fiscal_id = "X-2"; });
  EXPECT_EQ(fiscal.problem, "Another tenant of the account has this fiscal ID");
  EXPECT_EQ(set_email(eva_, "EVA1@tenant.example").result, office_result::changed)
      << "it is the tenant's own";
}

TEST_P(TenantsOfTheOffice, HaveACategoryOfTheAccount) {
  const auto unknown = change(eva_, [](domain::tenant& tenant) { tenant.category = "Student"; });
  EXPECT_EQ(unknown.result, office_result::refused);
  EXPECT_EQ(unknown.problem, "category must be one of the account's tenant categories");
  file_.accounts[0].details.tenant_categories = {{"Student", false}};
  import();
  EXPECT_EQ(change(eva_, [](domain::tenant& tenant) { tenant.details.phone = "1"; }).result,
            office_result::changed)
      << "it keeps a category that was removed";
}

TEST_P(TenantsOfTheOffice, AreErasedInTheirAccountOnly) {
  set_email(eva_, "eva@new.example");
  const auto refused = refuse(
      requested(3, [](domain::booking_request& request) { request.tenant.email = "EVA@new.example"; }));
  auto elsewhere = refuse(
      requested(4, [](domain::booking_request& request) { request.tenant.email = "eva@new.example"; }));
  elsewhere.account_id = account_id(2);
  node_->follow();
  node_->decide({refused, elsewhere});
  const auto before = position_of(session());
  const auto done = erase(eva_, after);
  ASSERT_EQ(done.result, office_result::changed) << done.problem;
  EXPECT_EQ(done.point.position, before + 2);
  EXPECT_TRUE(done.resource.is_erased);
  EXPECT_EQ(done.resource.tenant.details.first_name, "Erased");
  EXPECT_THAT(done.resource.stays, SizeIs(1)) << "accounting needs them";
  EXPECT_THAT(names(), ElementsAre("Ivo"));
  EXPECT_EQ(address_of_request(1), "");
  EXPECT_EQ(address_of_request(3), "");
  EXPECT_EQ(address_of_request(4), "eva@new.example") << "another landlord's";
}

TEST_P(TenantsOfTheOffice, AreErasedFromRequestsUnderAFormerAddress) {
  const auto refused = refuse(
      requested(3, [](domain::booking_request& request) { request.tenant.email = "EVA1@tenant.example"; }));
  node_->follow();
  node_->decide({refused});
  set_email(eva_, "eva@new.example");
  ASSERT_EQ(erase(eva_, after).result, office_result::changed);
  EXPECT_EQ(address_of_request(3), "");
  EXPECT_EQ(count_rows(session(), "former_addresses"), 0);
}

TEST_P(TenantsOfTheOffice, AreErasedNotFromRequestsOfWhoeverHasTheirFormerAddressNow) {
  set_email(ivo_, "ivo@new.example");
  node_->follow();
  guest(3, "2027-09-01", "2027-10-01",
        [](domain::tenant_details& tenant) { tenant.email = "eva2@tenant.example"; });
  const auto refused = refuse(
      requested(4, [](domain::booking_request& request) { request.tenant.email = "eva2@tenant.example"; }));
  node_->follow();
  node_->decide({refused});
  ASSERT_EQ(erase(ivo_, after).result, office_result::changed);
  EXPECT_EQ(address_of_request(4), "eva2@tenant.example");
}

TEST_P(TenantsOfTheOffice, LeaveNoValuesInTheAuditLog) {
  set_email(eva_, "eva@new.example");
  set_email(ivo_, "ivo@new.example");
  erase(eva_, after);
  const auto log = store::list_audit(session(), 10);
  ASSERT_THAT(log, SizeIs(3));
  for (const auto& entry : log) {
    if (entry.action != store::tenant_change) continue;
    const bool is_erased = entry.subject == domain::to_string(eva_);
    EXPECT_EQ(entry.detail == "The guest's data was erased.", is_erased) << entry.detail;
    EXPECT_EQ(entry.actor, "user ana@landlord.example");
  }
}

TEST_P(TenantsOfTheOffice, AreErasedOnce) {
  ASSERT_EQ(erase(eva_, after).result, office_result::changed);
  const auto before = position_of(session());
  const auto repeated = erase(eva_, after);
  EXPECT_EQ(repeated.result, office_result::unchanged);
  EXPECT_EQ(repeated.point, store::newest_point(session()))
      << "the caller waits until reads show the erasure";
  EXPECT_EQ(position_of(session()), before);
  const auto changed = set_email(eva_, "eva@new.example");
  EXPECT_EQ(changed.result, office_result::conflicting);
  EXPECT_EQ(changed.problem, "The tenant's data was erased");
  EXPECT_EQ(erase(fresh_id(), after).result, office_result::not_found);
}

TEST_P(TenantsOfTheOffice, AreNotErasedWhileTheyMayStay) {
  EXPECT_THAT(erase(eva_, during).problem, HasSubstr("current or future stay"));
  requested(3, [](domain::booking_request& request) { request.tenant.email = "eva1@TENANT.example"; });
  EXPECT_THAT(erase(eva_, after).problem, HasSubstr("still undecided"));
  EXPECT_THAT(erase(ivo_, after, false).problem, HasSubstr("clock"));
  EXPECT_FALSE(find(eva_).is_erased);
  EXPECT_FALSE(find(ivo_).is_erased);
}

} // namespace roost::testing::office_tenants_test
