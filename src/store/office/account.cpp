#include "store/office/account.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/office/office_resource.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <utility>

namespace roost::store {

namespace {

/// A change of the settings or of a card, which concern no owner.
change settings_change(const office_scope& scope) {
  return {change_kind::account, {scope.account_id}, {}, {}, shown_resources{{scope.account_id, {}}}};
}

const selection account_of_office{
    "account_of_office", "select {columns} from accounts where id = :id",
    columns(nested(&office_account::settings, account_columns),
            column("landlord_key", &office_account::settings, &domain::account::landlord_key),
            column("updated_at", &office_account::updated_at))};
const selection card_of_office{"card_of_office",
                               "select {columns} from platform_cards where account_id = :id"
                               " and platform = :platform",
                               card_columns};

const selection card_time{
    "card_time", "select {columns} from platform_cards where account_id = :id and platform = :platform",
    named<domain::timestamp>("updated_at")};

/// Accounts as a kind of resource (office_resource.hpp): they are only changed.
struct account_resource {
  using resource = office_account;

  static domain::uuid id_of(const office_account& account) { return account.settings.id; }

  static bool lock(session& db, const office_scope& scope, const domain::uuid&) {
    lock_account(db, scope);
    return true;
  }

  static office_account read(session& db, const office_scope&, const domain::uuid& id) {
    return db.internals().read_one(account_of_office, {{"id", id}}).value();
  }

  static std::optional<office_refusal> refusal_of(session&, const office_scope&, const office_account*,
                                                  const office_account&) {
    return std::nullopt;
  }

  static office_trace update(session& db, const office_scope& scope, const office_account&,
                             office_account& after, const office_author& author) {
    bulk_writer rows(db, tables::accounts, bulk_mode::update_changed);
    rows.add({&after.settings, after.settings.landlord_key, author.now});
    rows.finish();
    return {settings_change(scope), {}, {{{}, office_part::account, scope.account_id}}};
  }

  static last_change last_change_of(session& db, const office_scope&, const office_account& account) {
    const auto mark = find_mark(db, office_part::account, account.settings.id);
    if (mark && mark->changed_at >= account.updated_at) return {mark->changed_by, mark->changed_at};
    return {changed_by_import, account.updated_at};
  }
};

/// The write of one platform's card.
class card_write {
public:
  card_write(session& db, const office_scope& scope, const std::string& platform)
      : db_(db), scope_(scope), platform_(platform) {}

  office_outcome<office_card> run(const lease& held, const office_change<office_card>& request,
                                  const office_author& author) const {
    office_transaction txn(db_, held);
    lock_account(db_, scope_);
    const auto before = find_card(db_, scope_, platform_);
    office_outcome<office_card> done;
    done.resource = before;
    auto after = before;
    auto edit = request.apply(after);
    if (!before.exists && !after.exists) return done; // there is none to delete
    if (!request.is_current || !request.is_current(before)) return refused(request, std::move(done));
    done.problem = std::move(edit.problem);
    done.result = office_result::refused;
    if (!done.problem.empty()) return done;
    done.point = newest_point(db_);
    done.result = office_result::unchanged;
    if (after == before) return done;
    auto described = author;
    described.audit.detail = describe(edit.changes);
    done.point = write(before, after, described);
    txn.commit();
    done.result = !before.exists ? office_result::created : office_result::changed;
    if (!after.exists) done.result = office_result::deleted;
    done.resource = std::move(after);
    return done;
  }

private:
  office_outcome<office_card> refused(const office_change<office_card>& request,
                                      office_outcome<office_card> done) const {
    done.result = request.is_current ? office_result::outdated : office_result::unconditional;
    const auto changed_at =
        db_.internals().read_one(card_time, {{"id", scope_.account_id}, {"platform", platform_}});
    const auto mark = find_mark(db_, office_part::card, scope_.account_id, platform_);
    if (mark && mark->changed_at >= changed_at.value_or(mark->changed_at))
      done.last = {mark->changed_by, mark->changed_at};
    else
      done.last = {changed_by_import, changed_at.value_or(domain::timestamp{})};
    return done;
  }

  stream_point write(const office_card& before, const office_card& after, const office_author& author) const {
    const auto& account = scope_.account_id;
    auto state = office_state::changed;
    if (!after.exists) {
      bulk_writer rows(db_, tables::card_keys, bulk_mode::erase);
      rows.add({account, platform_});
      rows.finish();
      state = office_state::deleted;
    } else {
      bulk_writer rows(db_, tables::cards, before.exists ? bulk_mode::update_changed : bulk_mode::insert);
      rows.add({account, &after.card, author.now});
      rows.finish();
      if (!before.exists) state = office_state::created;
    }
    return record(db_, scope_, author,
                  {settings_change(scope_), {}, {{{}, office_part::card, account, platform_, state}}});
  }

  session& db_;
  const office_scope& scope_;
  const std::string& platform_;
};

} // namespace

std::optional<office_account> find_account(session& db, const office_scope& scope) {
  return db.internals().read_one(account_of_office, {{"id", scope.account_id}});
}

office_card find_card(session& db, const office_scope& scope, const std::string& platform) {
  auto stored = db.internals().read_one(card_of_office, {{"id", scope.account_id}, {"platform", platform}});
  office_card card;
  card.exists = stored.has_value();
  if (stored) card.card = *std::move(stored);
  card.card.platform = platform;
  return card;
}

office_outcome<office_account> change_account(session& db, const lease& held, const office_scope& scope,
                                              const office_change<office_account>& request,
                                              const office_author& author) {
  return office_resource<account_resource>::change(db, held, scope, request, author);
}

office_outcome<office_card> write_card(session& db, const lease& held, const office_scope& scope,
                                       const std::string& platform, const office_change<office_card>& request,
                                       const office_author& author) {
  return with_retries([&] { return card_write(db, scope, platform).run(held, request, author); });
}

} // namespace roost::store
