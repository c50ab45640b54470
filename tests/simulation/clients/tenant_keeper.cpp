#include "simulation/clients/tenant_keeper.hpp"

#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "store/support/stored_rows.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace roost::testing {

namespace {

using namespace std::chrono_literals;

/// Further ahead than the nights that other clients book.
constexpr domain::days first_stay{4'000}, days_per_place{45};
constexpr domain::days nights_per_stay{35};
constexpr const char* all_markers = "keptguest-";

std::string path_of_tenant(const std::string& id) { return "/api/tenants/" + id; }

std::string payments_of(const std::string& booking) { return "/api/payments?limit=200&booking=" + booking; }

/// Returns the rows of all tables that contain a marker. Sent mails keep the names of guests for a while.
std::vector<std::string> rows_about_guests(store::session& db) {
  static const store::selection tables{
      "test_tables",
      "select {columns} from sqlite_master where type = 'table' and name not like 'sqlite%'"
      " and name <> 'outgoing_mail'",
      store::named<std::string>("name")};
  std::vector<std::string> rows;
  for (const auto& table : db.internals().read_all(tables))
    for (auto& each : rows_of_table(db, table, all_markers)) rows.push_back(std::move(each));
  for (auto& row : rows)
    std::ranges::transform(row, row.begin(), [](unsigned char each) { return std::tolower(each); });
  return rows;
}

} // namespace

tenant_keeper::tenant_keeper(history& in, std::string name, std::shared_ptr<known_user> user,
                             std::string listing_token, unsigned units)
    : office_client(in, std::move(name), std::move(user), std::move(listing_token), units) {
  act_every(2s);
}

void tenant_keeper::forget() {
  office_client::forget();
  tenants_.clear();
}

client_task<> tenant_keeper::act_once() {
  std::vector<tenant_pointer> kept;
  std::ranges::copy_if(tenants_, std::back_inserter(kept), [](const auto& each) { return !each->is_erased; });
  const auto choice = random_index(100);
  if (kept.empty() || choice < 15) co_return co_await book();
  const auto tenant = kept[random_index(kept.size())];
  if (choice < 35)
    co_await change(tenant);
  else if (choice < 50)
    co_await receive(tenant);
  else if (choice < 60 && !tenant->is_cancelled)
    co_await move(tenant);
  else if (choice < 80)
    co_await erase(tenant);
  else if (choice < 90)
    co_await check_receipts(tenant);
  else
    co_await check_list(tenant);
}

bool tenant_keeper::is_known(const tenant_pointer& tenant) const {
  return std::ranges::find(tenants_, tenant) != tenants_.end();
}

client_task<tenant_keeper::outcome> tenant_keeper::ask_about(tenant_pointer tenant, std::string purpose,
                                                             std::string method, std::string path,
                                                             std::string body, std::string if_match) {
  outcome result;
  bool may_follow = false;
  for (unsigned attempt = 0; attempt < max_attempts && session_; ++attempt) {
    const auto sent_at = now();
    result.response = co_await ask_office(purpose, method, path, body, if_match);
    may_follow |= was_abandoned(result.response, sent_at);
    if (!is_doubtful(result.response)) break;
    result.is_doubted = true;
  }
  if (may_follow || is_doubtful(result.response) || is_signed_out(result.response)) {
    std::erase(tenants_, tenant);
    result.response = {};
  }
  co_return result;
}

stay_placement tenant_keeper::next_place() {
  const auto today = std::chrono::floor<domain::days>(std::chrono::system_clock::now());
  const auto check_in = today + first_stay + days_per_place * static_cast<int>(++places_);
  return {random_unit(), check_in, check_in + nights_per_stay};
}

client_task<> tenant_keeper::book() {
  const auto tenant = std::make_shared<kept_tenant>();
  tenant->marker = all_markers + std::to_string(++guests_) + "-";
  tenant->booking = random_id("a0000000");
  tenant->email = tenant->marker + "@kept.example";
  tenant->last_name = tenant->marker;
  tenant->phone = "+34 " + tenant->marker;
  const auto place = next_place();
  tenants_.push_back(tenant);
  const auto sent = co_await ask_about(
      tenant, "to book " + to_string(place) + " for " + tenant->marker, "POST", office_bookings_path,
      R"({"id":")" + tenant->booking + R"(",)" + json_of(place) +
          R"(,"platform":null,"occupants":1,"tenant":{"firstName":"Nora","lastName":")" + tenant->last_name +
          R"(","email":")" + tenant->email + R"(","phone":")" + tenant->phone + R"("}})");
  if (sent.response.status == 0) co_return;
  if (sent.response.status != 201 && !(sent.response.status == 200 && sent.is_doubted))
    fail("could not book for " + tenant->marker + ": " + sent.response.body);
  tenant->id = json_text_at(sent.response.body, "/tenantId");
  co_await check_details(tenant);
}

/// The body of a tenant must have its state.
void tenant_keeper::check_body(const kept_tenant& tenant, const std::string& body) const {
  const auto is = [&](const char* member, const std::string& value) {
    return json_text_at(body, member) == value;
  };
  if (tenant.is_erased ? !is("/erased", "true") || body.find(tenant.marker) != std::string::npos
                       : !is("/erased", "false") || !is("/email", tenant.email) ||
                             !is("/lastName", tenant.last_name) || !is("/phone", tenant.phone))
    fail("the tenant " + tenant.marker + " is another one: " + body);
}

client_task<> tenant_keeper::check_details(tenant_pointer tenant) {
  const auto sent =
      co_await ask_about(tenant, "for the tenant " + tenant->marker, "GET", path_of_tenant(tenant->id));
  if (sent.response.status == 0) co_return;
  if (sent.response.status != 200) fail("the tenant " + tenant->marker + " is lost: " + sent.response.body);
  check_body(*tenant, sent.response.body);
  tenant->tag = field_of(sent.response, "ETag");
}

client_task<> tenant_keeper::check_list(tenant_pointer tenant) {
  const auto sent = co_await ask_about(tenant, "for tenants like " + tenant->marker, "GET",
                                       "/api/tenants?q=" + tenant->marker);
  if (sent.response.status == 0) co_return;
  const auto& body = sent.response.body;
  if (json_at(body, "/total") != (tenant->is_erased ? "0" : "1"))
    fail("the list of tenants does not fit to " + tenant->marker + ": " + body);
  if (!tenant->is_erased) check_body(*tenant, json_at(body, "/items/0"));
}

client_task<> tenant_keeper::change(tenant_pointer tenant) {
  const auto text = tenant->marker + std::to_string(++texts_);
  auto wanted = *tenant;
  std::string member = "lastName";
  if (const auto choice = random_index(3); choice == 0) {
    wanted.last_name = text;
  } else if (choice == 1) {
    member = "phone";
    wanted.phone = text;
  } else {
    member = "email";
    wanted.email = text;
  }
  const auto sent =
      co_await ask_about(tenant, "to change the tenant " + tenant->marker + " to " + text, "PATCH",
                         path_of_tenant(tenant->id), "{\"" + member + "\":\"" + text + "\"}", tenant->tag);
  if (sent.response.status == 0) co_return;
  if (sent.response.status != 200 && !(sent.response.status == 412 && sent.is_doubted))
    fail("could not change the tenant " + tenant->marker + ": " + sent.response.body);
  *tenant = std::move(wanted);
  if (sent.response.status == 200) check_body(*tenant, sent.response.body);
  tenant->tag = field_of(sent.response, "ETag");
  if (sent.response.status != 200 || chance(30)) co_await check_details(tenant);
}

/// Notes a payment of the stay with the guest's name.
client_task<> tenant_keeper::receive(tenant_pointer tenant) {
  const auto page =
      co_await ask_about(tenant, "for payments of " + tenant->marker, "GET", payments_of(tenant->booking));
  if (page.response.status != 200) co_return;
  for (const auto& [id, item] : items_in(page.response.body)) {
    if (json_at(item, "/received") != "null" || json_at(item, "/amount") == "0") continue;
    auto tag = json_text_at(item, "/etag");
    std::erase(tag, '\\');
    const auto sent = co_await ask_about(
        tenant, "to receive a payment of " + tenant->marker, "PUT", "/api/payments/" + id + "/received",
        R"({"date":"2020-01-01","note":")" + tenant->marker + std::to_string(++texts_) + "\"}", tag);
    if (sent.response.status == 0) co_return;
    if (sent.response.status != 200 && !(sent.response.status == 412 && sent.is_doubted))
      fail("could not receive the payment " + id + ": " + sent.response.body);
    tenant->receipts[id] = json_at(item, "/amount");
    break;
  }
  co_await check_receipts(tenant);
}

client_task<> tenant_keeper::check_receipts(tenant_pointer tenant) {
  const auto sent =
      co_await ask_about(tenant, "for payments of " + tenant->marker, "GET", payments_of(tenant->booking));
  if (sent.response.status != 200) co_return;
  std::map<std::string, std::string> shown;
  for (auto& [id, item] : items_in(sent.response.body)) shown.emplace(id, std::move(item));
  for (const auto& [id, amount] : tenant->receipts) {
    const auto item = shown.find(id);
    if (item == shown.end()) fail("the received payment " + id + " is lost");
    const auto note = json_text_at(item->second, "/received/note");
    if (json_at(item->second, "/received/amount") != amount ||
        (tenant->is_erased ? !note.empty() : !note.starts_with(tenant->marker)))
      fail("the payment " + id + " has another receipt: " + item->second);
  }
}

client_task<std::string> tenant_keeper::tag_of_booking(tenant_pointer tenant) {
  const auto sent = co_await ask_about(tenant, "for the booking of " + tenant->marker, "GET",
                                       path_of_booking(tenant->booking));
  if (sent.response.status == 0) co_return std::string();
  if (sent.response.status != 200) fail("the booking of " + tenant->marker + " is lost");
  co_return field_of(sent.response, "ETag");
}

client_task<> tenant_keeper::change_stay(tenant_pointer tenant, std::string purpose, std::string method,
                                         std::string path, std::string body) {
  auto tag = co_await tag_of_booking(tenant);
  if (tag.empty()) co_return;
  const auto sent = co_await ask_about(tenant, purpose, std::move(method), std::move(path), std::move(body),
                                       std::move(tag));
  if (sent.response.status == 0) co_return;
  if (sent.response.status != 200 && !(sent.response.status == 412 && sent.is_doubted))
    fail("could not change the booking of " + tenant->marker + ": " + sent.response.body);
}

client_task<> tenant_keeper::move(tenant_pointer tenant) {
  const auto place = next_place();
  co_await change_stay(tenant, "to move " + tenant->marker + " to " + to_string(place), "PATCH",
                       path_of_booking(tenant->booking), '{' + json_of(place) + '}');
  if (is_known(tenant)) co_await check_receipts(tenant);
}

client_task<> tenant_keeper::cancel(tenant_pointer tenant) {
  co_await change_stay(tenant, "to cancel the stay of " + tenant->marker, "POST",
                       path_of_booking(tenant->booking) + "/cancel",
                       R"({"reason":")" + tenant->marker + R"( is ill"})");
  if (!is_known(tenant)) co_return;
  tenant->is_cancelled = true;
  if (chance(50)) co_await check_receipts(tenant);
}

client_task<> tenant_keeper::erase(tenant_pointer tenant) {
  if (!tenant->is_cancelled && chance(70)) co_await cancel(tenant);
  if (!is_known(tenant) || !session_) co_return;
  const auto sent =
      co_await ask_about(tenant, "to erase " + tenant->marker, "POST", path_of_tenant(tenant->id) + "/erase");
  if (sent.response.status == 0) co_return;
  const bool is_refused = sent.response.status == 409;
  if (!is_refused && sent.response.status != 200)
    fail("could not erase " + tenant->marker + ": " + sent.response.body);
  if (!tenant->is_cancelled && !is_refused) fail("a tenant with a stay to come was erased");
  if (is_refused && tenant->is_cancelled && sent.response.body.find("clock") == std::string::npos)
    fail("a tenant whose stay is cancelled cannot be erased: " + sent.response.body);
  if (is_refused) co_return;
  tenant->is_erased = true;
  check_body(*tenant, sent.response.body);
  if (chance(40)) co_await check_list(tenant);
  if (is_known(tenant) && session_ && chance(40)) co_await check_receipts(tenant);
}

client_task<> tenant_keeper::verify() {
  const auto known = tenants_;
  for (const auto& each : known)
    if (session_ && is_known(each)) {
      co_await check_details(each);
      if (session_ && is_known(each)) co_await check_receipts(each);
    }
}

std::vector<std::string> tenant_keeper::differences(store::session& db) const {
  struct tenant_row {
    std::string id, email, last_name, phone;
  };
  static const store::selection all{"test_kept_tenants",
                                    "select {columns} from tenants where email like 'keptguest-%'",
                                    store::columns(store::column("cast(id as text)", &tenant_row::id),
                                                   store::column("email", &tenant_row::email),
                                                   store::column("last_name", &tenant_row::last_name),
                                                   store::column("phone", &tenant_row::phone))};
  std::vector<std::string> errors;
  std::map<std::string, tenant_row> stored;
  for (auto& each : db.internals().read_all(all)) stored.emplace(each.id, std::move(each));
  std::vector<std::string> rows;
  if (std::ranges::any_of(tenants_, [](const auto& each) { return each->is_erased; }))
    rows = rows_about_guests(db);
  for (const auto& each : tenants_) {
    const auto row = stored.find(each->id);
    const bool is_stored = row != stored.end() && row->second.email == each->email &&
                           row->second.last_name == each->last_name && row->second.phone == each->phone;
    if (!each->is_erased && !is_stored)
      errors.push_back(name() + ": the tenant " + each->marker + " is another one in the store");
    if (!each->is_erased) continue;
    for (const auto& text : rows)
      if (text.find(each->marker) != std::string::npos)
        errors.push_back(name() + ": the store still has data of the erased " + each->marker + ": " + text);
  }
  return errors;
}

} // namespace roost::testing
