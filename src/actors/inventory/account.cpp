#include "actors/inventory/account.hpp"

#include "domain/text.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace roost::actors {

namespace {

class account_state {
public:
  static constexpr const char* name = "account";

  void update(const account_setup& setup) {
    settings_ = setup.settings;
    learn(setup.tenants);
  }

  void learn(const std::vector<domain::tenant>& tenants) {
    for (const auto& stored : tenants) {
      if (stored.details.email.empty()) {
        forget_erased(stored.id);
        continue;
      }
      if (find(stored.details) == stored.id) continue;
      give_way_to(stored.details);
      remember(stored.id, stored.details);
      if (!stored.category) without_category_.insert(stored.id);
    }
  }

  tenant_response position(const match_tenant& wanted) {
    if (const auto known = find(wanted.details)) return {*known, std::nullopt, category_for(wanted, *known)};
    domain::tenant fresh{wanted.new_id, settings_->id, wanted.details, default_category()};
    if (!fresh.category) without_category_.insert(fresh.id);
    remember(fresh.id, fresh.details);
    provisional_.emplace(wanted.request_id, fresh);
    return {fresh.id, std::move(fresh), std::nullopt};
  }

  void settle(const settle_tenant& outcome) {
    const auto placed = provisional_.extract(outcome.request_id);
    if (placed && !outcome.committed) forget(placed.mapped());
    const auto given = categories_given_.extract(outcome.request_id);
    if (given && !outcome.committed) without_category_.insert(given.mapped());
  }

private:
  std::optional<domain::uuid> find(const domain::tenant_details& details) const {
    if (const auto known = by_email_.find(domain::folded_case(details.email)); known != by_email_.end())
      return known->second;
    if (!details.fiscal_id || details.fiscal_id->empty()) return std::nullopt;
    const auto known = by_fiscal_id_.find(*details.fiscal_id);
    return known != by_fiscal_id_.end() ? std::optional{known->second} : std::nullopt;
  }

  void remember(const domain::uuid& id, const domain::tenant_details& details) {
    by_email_.emplace(domain::folded_case(details.email), id);
    if (details.fiscal_id && !details.fiscal_id->empty()) by_fiscal_id_.emplace(*details.fiscal_id, id);
  }

  /// An erased tenant has no address, and is nobody's match.
  void forget_erased(const domain::uuid& id) {
    const auto is_erased = [&id](const auto& entry) { return entry.second == id; };
    std::erase_if(by_email_, is_erased);
    std::erase_if(by_fiscal_id_, is_erased);
    without_category_.erase(id);
  }

  /// Who is in the store counts more than who is not yet.
  void give_way_to(const domain::tenant_details& stored) {
    const auto known = find(stored);
    if (!known) return;
    for (const auto& [request, tenant] : provisional_)
      if (tenant.id == *known) forget(tenant);
  }

  /// Another one may have its email or fiscal ID by now.
  void forget(const domain::tenant& tenant) {
    const auto erase = [&tenant](auto& from, const std::string& key) {
      const auto found = from.find(key);
      if (found != from.end() && found->second == tenant.id) from.erase(found);
    };
    erase(by_email_, domain::folded_case(tenant.details.email));
    if (tenant.details.fiscal_id) erase(by_fiscal_id_, *tenant.details.fiscal_id);
    without_category_.erase(tenant.id);
  }

  /// Given once: who comes next finds the tenant with a category.
  std::optional<std::string> category_for(const match_tenant& wanted, const domain::uuid& tenant) {
    if (!without_category_.contains(tenant)) return std::nullopt;
    auto category = default_category();
    if (!category) return std::nullopt;
    without_category_.erase(tenant);
    categories_given_.emplace(wanted.request_id, tenant);
    return category;
  }

  std::optional<std::string> default_category() const {
    for (const auto& category : settings_->tenant_categories)
      if (category.integration_default) return category.name;
    return std::nullopt;
  }

  std::shared_ptr<const domain::account> settings_;
  std::unordered_map<std::string, domain::uuid> by_email_, by_fiscal_id_;
  std::unordered_map<domain::uuid, domain::tenant, domain::uuid_hash>
      provisional_; // by request: not durable yet
  std::unordered_set<domain::uuid, domain::uuid_hash> without_category_;
  std::unordered_map<domain::uuid, domain::uuid, domain::uuid_hash>
      categories_given_; // by request: whose category is not durable yet
};

account::behavior_type account_behavior(account::stateful_pointer<account_state> self, account_setup setup) {
  auto& state = self->state;
  state.update(setup);
  return {
      [&state](const match_tenant& wanted) { return state.position(wanted); },
      [&state](const settle_tenant& outcome) { state.settle(outcome); },
      [&state](const learn_tenants& made) { state.learn(made.tenants); },
      [&state](const update_account& change) { state.update(change.setup); },
  };
}

} // namespace

account spawn_account(runtime& rt, account_setup setup) {
  const auto home = rt.home_of(setup.settings->id);
  return rt.spawn_at(home, account_behavior, std::move(setup));
}

} // namespace roost::actors
