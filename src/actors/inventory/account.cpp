#include "actors/inventory/account.hpp"

#include "domain/email_address.hpp"

#include <unordered_map>
#include <unordered_set>

namespace roost::actors {

namespace {

class account_state : public actor_state<account> {
public:
  static constexpr const char* name = "account";
  using actor_state::actor_state;

  behavior open(const account_setup& setup) {
    update(setup);
    return {[this](const match_tenant& request) { return match(request); },
            [this](const settle_tenant& outcome) { settle(outcome); },
            [this](const learn_tenants& stored) { learn(stored.tenants); },
            [this](const replace_tenants& stored) { replace(stored.tenants); },
            [this](const update_account& change) { update(change.setup); }};
  }

  void update(const account_setup& setup) {
    settings_ = setup.settings;
    learn(setup.tenants);
  }

  void learn(const std::vector<domain::tenant>& tenants) {
    for (const auto& stored : tenants) {
      if (stored.details.email.empty()) {
        forget(stored.id);
        continue;
      }
      if (find(stored.details) != stored.id) add_stored(stored);
    }
  }

  void replace(const std::vector<domain::tenant>& tenants) {
    for (const auto& stored : tenants) {
      forget(stored.id);
      if (!stored.details.email.empty()) add_stored(stored);
    }
  }

  tenant_response match(const match_tenant& request) {
    if (const auto known = find(request.details))
      return {*known, std::nullopt, category_for(request, *known)};
    domain::tenant created{request.new_id, settings_->id, request.details, default_category()};
    if (!created.category) without_category_.insert(created.id);
    add(created.id, created.details);
    provisional_.emplace(request.request_id, created);
    return {created.id, std::move(created), std::nullopt};
  }

  void settle(const settle_tenant& outcome) {
    const auto created = provisional_.extract(outcome.request_id);
    if (created && !outcome.committed) remove(created.mapped());
    const auto assigned = assigned_categories_.extract(outcome.request_id);
    if (assigned && !outcome.committed) without_category_.insert(assigned.mapped());
  }

private:
  std::optional<domain::uuid> find(const domain::tenant_details& details) const {
    if (const auto known = by_email_.find(domain::email_key(details.email)); known != by_email_.end())
      return known->second;
    if (!details.fiscal_id || details.fiscal_id->empty()) return std::nullopt;
    const auto known = by_fiscal_id_.find(*details.fiscal_id);
    return known != by_fiscal_id_.end() ? std::optional{known->second} : std::nullopt;
  }

  void add(const domain::uuid& id, const domain::tenant_details& details) {
    by_email_.emplace(domain::email_key(details.email), id);
    if (details.fiscal_id && !details.fiscal_id->empty()) by_fiscal_id_.emplace(*details.fiscal_id, id);
  }

  void add_stored(const domain::tenant& stored) {
    remove_provisional_match(stored.details);
    add(stored.id, stored.details);
    if (!stored.category) without_category_.insert(stored.id);
  }

  /// Removes a tenant whose details are not known any more. An erased one has no address, and matches no
  /// request.
  void forget(const domain::uuid& id) {
    const auto is_of_tenant = [&id](const auto& entry) { return entry.second == id; };
    std::erase_if(by_email_, is_of_tenant);
    std::erase_if(by_fiscal_id_, is_of_tenant);
    without_category_.erase(id);
  }

  /// A stored tenant takes precedence over one that is not stored yet.
  void remove_provisional_match(const domain::tenant_details& stored) {
    const auto known = find(stored);
    if (!known) return;
    for (const auto& [request, tenant] : provisional_)
      if (tenant.id == *known) remove(tenant);
  }

  /// Removes a tenant, unless its email or fiscal id belongs to another one by now.
  void remove(const domain::tenant& tenant) {
    const auto erase = [&tenant](auto& index, const std::string& key) {
      const auto found = index.find(key);
      if (found != index.end() && found->second == tenant.id) index.erase(found);
    };
    erase(by_email_, domain::email_key(tenant.details.email));
    if (tenant.details.fiscal_id) erase(by_fiscal_id_, *tenant.details.fiscal_id);
    without_category_.erase(tenant.id);
  }

  /// Assigns the default category once: later requests find the tenant with a category.
  std::optional<std::string> category_for(const match_tenant& request, const domain::uuid& tenant) {
    if (!without_category_.contains(tenant)) return std::nullopt;
    auto category = default_category();
    if (!category) return std::nullopt;
    without_category_.erase(tenant);
    assigned_categories_.emplace(request.request_id, tenant);
    return category;
  }

  std::optional<std::string> default_category() const { return domain::default_category(*settings_); }

  std::shared_ptr<const domain::account> settings_;
  std::unordered_map<std::string, domain::uuid> by_email_, by_fiscal_id_;
  std::unordered_map<domain::uuid, domain::tenant, domain::uuid_hash>
      provisional_; // by request; not durable yet
  std::unordered_set<domain::uuid, domain::uuid_hash> without_category_;
  std::unordered_map<domain::uuid, domain::uuid, domain::uuid_hash>
      assigned_categories_; // tenants by request; not durable yet
};

} // namespace

account spawn_account(runtime& rt, account_setup setup) {
  const auto home = rt.home_of(setup.settings->id);
  return rt.spawn_at<account_state>(home, std::move(setup));
}

} // namespace roost::actors
