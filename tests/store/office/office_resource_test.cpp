#include "store/office/office_resource.hpp"
#include "store/office/office_scene.hpp"

#include <gmock/gmock.h>

/// What all kinds of resources have in common.
namespace roost::testing::office_resource_test {
using store::office_result;
using ::testing::ElementsAre;

struct probe {
  domain::uuid id{};
};

/// Notes where the change stream stood at each read.
struct probe_resource {
  using resource = probe;

  static domain::uuid id_of(const probe& one) { return one.id; }
  static bool lock(store::session&, const store::office_scope&, const domain::uuid&) { return true; }
  static probe read(store::session& db, const store::office_scope&, const domain::uuid& id) {
    positions.push_back(position_of(db));
    return {id};
  }
  static bool is_id_taken(store::session&, const domain::uuid&) { return false; }
  static std::optional<store::office_refusal> refusal_of(store::session&, const store::office_scope&,
                                                         const probe*, const probe&) {
    return std::nullopt;
  }
  static store::office_trace insert(store::session&, const store::office_scope& scope, probe&,
                                    const store::office_author&) {
    return {{store::change_kind::account, {scope.account_id}, {}, {}}};
  }
  static store::office_trace update(store::session&, const store::office_scope& scope, const probe&, probe&,
                                    const store::office_author&) {
    return {{store::change_kind::account, {scope.account_id}, {}, {}}};
  }
  static store::last_change last_change_of(store::session&, const store::office_scope&, const probe&) {
    return {};
  }

  static inline std::vector<std::int64_t> positions;
};

class ResourcesOfTheOffice : public office_scene {
protected:
  using resources = store::office_resource<probe_resource>;

  void SetUp() override {
    office_scene::SetUp();
    probe_resource::positions.clear();
    before_ = position_of(session());
  }

  std::int64_t before_ = 0;
};
ROOST_ON_EACH_STORE(ResourcesOfTheOffice);

TEST_P(ResourcesOfTheOffice, AreReadBeforeTheirTransactionHoldsTheChangeStream) {
  const auto created = resources::create(session(), node_->lease, scope, {{fresh_id()}, {}, {}}, author());
  EXPECT_EQ(created.point.position, before_ + 1);
  EXPECT_THAT(probe_resource::positions, ElementsAre(before_)) << "other commits wait from the position on";
  probe_resource::positions.clear();
  const store::office_change<probe> change{created.resource.id, [](const probe&) { return true; },
                                           [](probe&) {
                                             return store::office_edit{{}, {{"name", "1", "2"}}};
                                           }};
  const auto changed = resources::change(session(), node_->lease, scope, change, author());
  EXPECT_EQ(changed.result, office_result::changed);
  EXPECT_EQ(changed.point.position, before_ + 2);
  EXPECT_THAT(probe_resource::positions, ElementsAre(before_ + 1, before_ + 1));
}

} // namespace roost::testing::office_resource_test
