#include "store/sessions/remembered_browsers.hpp"

#include "store/database/columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

constexpr auto browser_columns = columns(column("id", &remembered_browser::id).of("b"),
                                         column("browser", &remembered_browser::browser).of("b"),
                                         column("created_at", &remembered_browser::created_at).of("b"),
                                         column("expires_at", &remembered_browser::expires_at).of("b"));

/// A changed password or role raises the user's epoch, which invalidates the cookies.
const selection browsers_of_user{
    "browsers_of_user",
    "select {columns} from remembered_browsers b join users u on u.id = b.user_id and u.session_epoch = "
    "b.epoch"
    " where b.user_id = :user and b.expires_at > :now order by b.created_at desc, b.id",
    browser_columns};

constexpr query delete_browser{"delete_browser",
                               "delete from remembered_browsers where id = :id and user_id = :user"};

} // namespace

std::vector<remembered_browser> remembered_browsers_of(session& db, const domain::uuid& user,
                                                       domain::timestamp now) {
  return db.internals().read_all(browsers_of_user, {{"user", user}, {"now", now}});
}

bool forget_browser(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id) {
  write_transaction txn(db, held);
  const auto deleted = db.internals().write(delete_browser, {{"id", id}, {"user", user}});
  txn.commit();
  return deleted > 0;
}

} // namespace roost::store
