#include "simulation/clients/notification_reader.hpp"

#include "service/support/json_text.hpp"
#include "service/support/manual_bookings.hpp"
#include "store/database/connection.hpp"

#include <algorithm>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

constexpr const char *only_unread = "&read=false", *only_read = "&read=true";

} // namespace

notification_reader::notification_reader(history& in, std::string name, std::shared_ptr<known_user> user,
                                         std::string listing_token, unsigned units)
    : office_client(in, std::move(name), std::move(user), std::move(listing_token), units) {
  act_every(3s);
}

void notification_reader::forget() {
  office_client::forget();
  known_.clear();
}

client_task<> notification_reader::act_once() {
  const auto choice = random_index(100);
  std::string newest;
  if (choice < 30 && !known_.empty())
    co_await mark_some();
  else if (choice < 38 && !known_.empty())
    co_await mark_older();
  else if (choice < 75)
    co_await read_page(only_unread, newest);
  else if (choice < 90)
    co_await read_page("", newest);
  else
    co_await read_page(only_read, newest);
}

// Reading

notification_reader::page notification_reader::parse(const std::string& body) {
  page result;
  for (const auto& [id, item] : items_in(body)) {
    const auto time = json_text_at(item, "/createdAt");
    result.last = {time, id};
    if (!result.items.emplace(id, std::pair{time, json_at(item, "/read") == "true"}).second)
      fail("a list has the notification " + id + " twice");
  }
  const auto next = json_text_at(body, "/next");
  if (next != "null") result.next = next;
  return result;
}

/// Reads a page after this cursor, and moves it; at the end of the list it becomes empty. Returns false if
/// there is no response.
client_task<bool> notification_reader::read_page(std::string filter, std::string& after) {
  const auto before = known_;
  const auto cursor = after.empty() ? "" : "&after=" + after;
  const auto response = co_await ask_office("for notifications" + filter, "GET",
                                            "/api/notifications?limit=40" + filter + cursor);
  if (response.status != 200) co_return false;
  const auto shown = parse(response.body);
  compare(shown, filter, before, after);
  take(shown);
  after = shown.next;
  co_return true;
}

/// Compares a page with what was certain when it was requested, and still is. Of pages that are not the
/// first one, only compares the items.
void notification_reader::compare(const page& shown, const std::string& filter,
                                  const std::map<std::string, known_notification>& before,
                                  const std::string& after) {
  for (const auto& [id, item] : shown.items) {
    if (filter == (item.second ? only_unread : only_read)) fail("a list has the wrong notification " + id);
    if (item.second && !may_be_read(id, item.first)) fail("the notification " + id + " was read by itself");
  }
  for (const auto& [id, was] : before) {
    const auto known = known_.find(id);
    if (known == known_.end() || known->second.version != was.version || was.state == mark::unknown) continue;
    const bool is_read = was.state == mark::read;
    if (const auto item = shown.items.find(id); item != shown.items.end()) {
      if (item->second.second != is_read)
        fail("the notification " + id + (is_read ? " is unread again" : " is read without a request"));
      continue;
    }
    const bool is_covered = shown.next.empty() || std::pair(was.created_at, id) > shown.last;
    if (after.empty() && is_covered && filter != (is_read ? only_unread : only_read))
      fail("the notification " + id + " has vanished");
  }
}

/// What is read remains read.
void notification_reader::take(const page& shown) {
  for (const auto& [id, item] : shown.items) {
    const auto& [time, is_read] = item;
    const auto [place, is_new] = known_.try_emplace(id);
    auto& known = place->second;
    if (is_new) known = {time, may_be_read(id, time) ? mark::unknown : mark::unread, 0};
    if (is_read) known.state = mark::read;
  }
}

bool notification_reader::may_be_read(const std::string& id, const std::string& created_at) const {
  return marked_.contains(id) || created_at < marked_before_;
}

// Marking

client_task<> notification_reader::mark_some() {
  constexpr unsigned max_ids = 6;
  std::set<std::string> ids;
  for (unsigned i = 0; i < max_ids; ++i)
    ids.insert(std::next(known_.begin(), static_cast<std::ptrdiff_t>(random_index(known_.size())))->first);
  std::string list;
  for (const auto& id : ids) {
    marked_.insert(id);
    list += (list.empty() ? "\"" : ",\"") + id + '"';
  }
  co_await send_marks(R"({"ids":[)" + list + "]}", std::move(ids));
}

client_task<> notification_reader::mark_older() {
  const auto chosen = std::next(known_.begin(), static_cast<std::ptrdiff_t>(random_index(known_.size())));
  const auto time = chosen->second.created_at;
  marked_before_ = std::max(marked_before_, time);
  std::set<std::string> ids;
  for (const auto& [id, known] : known_)
    if (known.created_at < time) ids.insert(id);
  co_await send_marks(R"({"before":")" + time + "\"}", std::move(ids));
}

void notification_reader::set_state(const std::set<std::string>& ids, mark state) {
  for (const auto& id : ids) {
    auto& known = known_.at(id);
    if (known.state != mark::read) known.state = state;
    ++known.version;
  }
}

/// Retries a request in doubt, which is idempotent.
client_task<> notification_reader::send_marks(std::string body, std::set<std::string> ids) {
  set_state(ids, mark::unknown);
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    const auto response =
        co_await ask_office("to mark notifications as read", "POST", "/api/notifications/read", body);
    if (is_doubtful(response)) continue;
    if (is_signed_out(response)) break;
    if (response.status != 204) fail("could not mark notifications as read: " + response.body);
    set_state(ids, mark::read);
    if (std::string newest; chance(60)) co_await read_page(chance(50) ? only_unread : "", newest);
    break;
  }
}

client_task<> notification_reader::verify() {
  for (const auto* filter : {"", only_unread, only_read}) {
    std::string after;
    do {
      const bool is_shown = co_await read_page(filter, after);
      if (!is_shown) co_return;
    } while (!after.empty() && session_);
  }
}

std::vector<std::string> notification_reader::differences(store::session& db) const {
  struct user_mark {
    std::string email, id;
  };
  static const store::selection marks{
      "test_marks", "select {columns} from notification_reads x join users u on u.id = x.user_id",
      store::columns(store::column("u.email", &user_mark::email),
                     store::column("cast(x.notification_id as text)", &user_mark::id))};
  static const store::selection stored{"test_notifications", "select {columns} from notifications",
                                       store::named<std::string>("cast(id as text)")};
  // Each change of a booking notifies once.
  static const store::selection unannounced{
      "test_unannounced",
      "select {columns} from (select subject, count(*) as changes from audit where action = 'booking change'"
      " group by subject) a left join (select cast(booking_id as text) as booking, count(*) as notices from"
      " notifications where kind = 'booking_changed' group by booking_id) n on n.booking = a.subject"
      " where coalesce(notices, 0) <> changes",
      store::named<std::string>("subject")};
  std::vector<std::string> errors;
  for (const auto& id : db.internals().read_all(unannounced))
    errors.push_back(name() + ": the changes of the booking " + id + " have another number of notifications");
  std::set<std::string> read;
  for (auto& each : db.internals().read_all(marks))
    if (each.email == user_->email)
      read.insert(std::move(each.id));
    else
      errors.push_back(name() + ": " + each.email + " has read a notification without a request");
  const auto all = db.internals().read_all(stored);
  const std::set<std::string> existing(all.begin(), all.end());
  for (const auto& [id, known] : known_) {
    if (!existing.contains(id)) errors.push_back(name() + ": the notification " + id + " is lost");
    if (known.state != mark::unknown && read.contains(id) != (known.state == mark::read))
      errors.push_back(name() + ": the notification " + id +
                       (known.state == mark::read ? " is unread" : " is read") + " in the store");
  }
  return errors;
}

} // namespace roost::testing
