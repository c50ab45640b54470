#include "service/office_support/office_world.hpp"

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace roost::testing {

namespace {

const std::string card_path = "/api/platforms/marketplace-a/card", card_mail = "feeds@casaverde.example",
                  ana_id = "22222222-0000-4000-8000-000000000001", ana_mail = "ana@casaverde.example",
                  stranger_mail = "ben@other.example", owner_mail = "olga@casaverde.example";
const header_fields any_state{{"If-Match", "*"}}, none_yet{{"If-None-Match", "*"}};

std::string user_json(const std::string& id, const std::string& email, const std::string& role) {
  return R"({"id":"22222222-0000-4000-8000-)" + id + R"(","email":")" + email +
         R"(","password":"ana-only","firstName":"A","lastName":"B","role":")" + role + "\"}";
}

void replace_all(std::string& text, const std::string& token, const std::string& value) {
  for (auto at = text.find(token); at != std::string::npos; at = text.find(token, at + value.size()))
    text.replace(at, token.size(), value);
}

void require(const raw_response& response, const std::string& request) {
  if (response.status < 200 || response.status > 299)
    throw std::runtime_error(request + ": " + std::to_string(response.status) + ' ' + response.body);
}

} // namespace

std::string token_of(office_fixture& office, const std::string& email) {
  auto client = office.browser();
  const auto opened = client.post("/auth/login", login_json(email, "ana-only"));
  require(opened, "a challenge for " + email);
  const auto code = mailed_code(office.place, ++office.codes);
  const auto started = client.post("/auth/verify-otp", code_json(string_at(opened, "/challengeToken"), code));
  require(started, "a session of " + email);
  return string_at(started, "/token");
}

office_world::office_world(store_kind kind)
    : office_fixture(kind, settings(), people()), stranger(token_of(*this, stranger_mail)),
      owner(token_of(*this, owner_mail)) {
  property_ = string_at(send("GET", "/api/units/" + unit_id(1)), "/propertyId");
}

std::map<std::string, std::string> office_world::settings() {
  return {{"roles.Owner", R"(["*"])"},
          {"bookings.cycle", "\"1s\""},
          {"connector.tool_server", R"("https://tools.example/mcp")"}};
}

std::vector<edit> office_world::people() {
  const auto other = R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0002","companyName":"Other","currency":"EUR",)"
                     R"("landlordKey":"other","users":[)" +
                     user_json("000000000009", stranger_mail, "Super Admin") + "]}";
  const auto olga = edited(user_json("000000000008", owner_mail, "Owner"),
                           {{"/ownerId", R"("99999999-0000-4000-8000-000000000001")"}});
  return {{"/accounts/1", other},
          {account_pointer + "/users/0/role", R"("Super Admin")"},
          {account_pointer + "/users/1", olga}};
}

raw_response office_world::send_as(const std::string& user_token, const office_request& request,
                                   header_fields fields) const {
  fields.emplace_back("Authorization", "Bearer " + user_token);
  if (!request.body.empty())
    fields.emplace_back("Content-Type", request.body.front() == '{' ? "application/json" : "text/csv");
  return send_request(server->port(), request.method, request.path, fields, request.body);
}

std::string office_world::created(const std::string& path, const std::string& body) {
  const auto response = send("POST", path, body);
  require(response, "POST " + path);
  return string_at(response, "/id");
}

raw_response office_world::written(const std::string& method, const std::string& path,
                                   const std::string& body) {
  auto response = send(method, path, body, any_state);
  require(response, method + ' ' + path);
  return response;
}

office_example office_world::make(office_kind kind) {
  switch (kind) {
  case office_kind::nothing:
    return {};
  case office_kind::account:
    return {account_id, "", "/api/account", account_id};
  case office_kind::ai: {
    const auto budget = "9" + next_number() + ".25";
    written("PUT", "/api/ai", R"({"budget":{"monthly":)" + budget + "}}");
    return {"", "", "/api/ai", budget};
  }
  case office_kind::me:
    written("PATCH", "/api/me", R"({"preferences":{"language":"en"}})");
    return {ana_id, "", "/api/me", ana_mail};
  case office_kind::card:
    return make_card();
  case office_kind::user: {
    const auto body = R"({"email":"user)" + next_number() + R"(@casaverde.example","role":"Viewer"})";
    const auto id = created("/api/users", body);
    return {id, "", "/api/users/" + id, id};
  }
  case office_kind::property: {
    const auto id = created("/api/properties", R"({"internalName":"House )" + next_number() + "\"}");
    return {id, "", "/api/properties/" + id, id};
  }
  case office_kind::unit:
    return make_unit();
  case office_kind::linked_unit: {
    auto unit = make_unit();
    written("PUT", unit.shown + "/links/marketplace-a",
            R"({"url":"https://www.marketplace-a.example/rooms/linked-)" + next_number() + "\"}");
    written("PUT", unit.shown + "/exclusions/marketplace-a");
    return unit;
  }
  case office_kind::block:
  case office_kind::calendar:
    return make_part_of_unit(kind);
  case office_kind::booking_by_hand:
    return make_booking();
  case office_kind::tenant: {
    const auto booking = make_booking();
    const auto id = string_at(written("POST", booking.shown + "/cancel", R"({"reason":"Ill"})"), "/tenantId");
    return {id, booking.unit, "/api/tenants/" + id, id};
  }
  case office_kind::payment:
    return make_payment();
  case office_kind::request:
    return make_request();
  case office_kind::notification:
    return make_notification();
  case office_kind::api_key:
    return make_key("/api/api-keys");
  case office_kind::engine_key:
    return make_key("/api/engine-keys");
  }
  throw std::logic_error("no such kind");
}

office_example office_world::make_unit() {
  const auto id = created("/api/units", R"({"propertyId":")" + property_ + R"(","internalName":"Unit )" +
                                            next_number() + R"(","rent":{"fixed":true,"amount":650}})");
  return {id, id, "/api/units/" + id, id};
}

office_example office_world::make_part_of_unit(office_kind kind) {
  const auto unit = make_unit();
  const bool is_block = kind == office_kind::block;
  const auto path = unit.shown + (is_block ? "/blocks" : "/calendars");
  const auto id =
      created(path, is_block ? R"({"from":"2099-05-01","to":"2099-05-10"})"
                             : R"({"name":"Paper","ics":"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"})");
  return {id, unit.id, path + "/" + id, id};
}

office_example office_world::make_booking() {
  const auto unit = make_unit();
  const auto id = created("/api/bookings", R"({"unitId":")" + unit.id +
                                               R"(","checkInDate":"2099-02-01","checkOutDate":"2099-03-01",)"
                                               R"("occupants":1,"tenant":{"firstName":"Ida","email":"guest)" +
                                               next_number() + R"(@guests.example"}})");
  return {id, unit.id, "/api/bookings/" + id, id};
}

office_example office_world::make_payment() {
  const auto booking = make_booking();
  const auto shown = "/api/payments?booking=" + booking.id;
  const auto id = string_at(send("GET", shown), "/items/0/id");
  return {id, booking.unit, shown, id};
}

office_example office_world::make_notification() {
  make_booking();
  const auto id = string_at(send("GET", "/api/notifications?limit=1"), "/items/0/id");
  return {id, "", "", id};
}

office_example office_world::make_request() {
  if (requested_.empty()) {
    const auto sent = partner_of("marketplace-a").post("/bookings", booking("u1", 30, 60));
    require(sent, "a partner's booking");
    if (!eventually([&] { return decisions().size() == 1; })) throw std::runtime_error("no decision");
    requested_ = string_at(send("GET", "/api/requests"), "/items/0/id");
  }
  return {requested_, unit_id(1), "", requested_};
}

office_example office_world::make_key(const std::string& path) {
  const auto id = created(path, R"({"name":"Key )" + next_number() + "\"}");
  return {id, "", path + "/" + id, id};
}

office_example office_world::make_card() {
  const auto body = R"({"integrationEmail":")" + card_mail + "\"}";
  if (send("GET", card_path).status == 404)
    require(send("PUT", card_path, body, none_yet), "a new card");
  else
    written("PUT", card_path, body);
  return {"", "", card_path, card_mail};
}

std::string office_world::touch(office_kind kind, const office_example& about) {
  const auto patch = [&](const std::string& member, const std::string& value) {
    written("PATCH", about.shown, "{\"" + member + "\":" + value + "}");
    return member;
  };
  const auto number = next_number(), text = "\"Changed " + number + '"';
  switch (kind) {
  case office_kind::account:
    return patch("advanceNoticeDays", number);
  case office_kind::ai:
    written("PUT", about.shown, R"({"budget":{"monthly":)" + number + "}}");
    return "budget";
  case office_kind::me:
    return patch("preferences", R"({"language":"es"})");
  case office_kind::card:
    written("PUT", about.shown,
            R"({"integrationEmail":")" + card_mail + R"(","calendarBlockDays":)" + number + "}");
    return "calendarBlockDays";
  case office_kind::user:
    return patch("lastName", text);
  case office_kind::property:
  case office_kind::unit:
  case office_kind::linked_unit:
    return patch("internalName", text);
  case office_kind::block:
    return patch("note", text);
  case office_kind::calendar:
    return patch("name", text);
  case office_kind::booking_by_hand:
    return patch("occupants", "2");
  case office_kind::tenant:
    return patch("phone", text);
  case office_kind::payment:
    written("PUT", "/api/payments/" + about.id + "/received", R"({"date":"2026-11-01","amount":1})");
    return "received";
  default:
    return {};
  }
}

office_request office_world::request_of(const office_route& route, const office_example& about) {
  office_request request{route.method, route.path, route.write.body};
  const auto number = next_number();
  char uuid[40];
  std::snprintf(uuid, sizeof uuid, "77777777-0000-4000-8000-%012u", number_);
  replace_all(request.path, "{unitId}", about.unit);
  replace_all(request.path, "{platform}", "marketplace-a");
  if (const auto at = request.path.find('{'); at != std::string::npos)
    request.path.replace(at, request.path.find('}') + 1 - at, about.id);
  request.path += route.query;
  replace_all(request.body, "{id}", about.id);
  replace_all(request.body, "{new}", uuid);
  replace_all(request.body, "{n}", number);
  return request;
}

header_fields office_world::state_of(const office_example& about) {
  const auto shown = send("GET", about.shown);
  require(shown, "GET " + about.shown);
  const auto tag = shown.headers.find("etag");
  return {{"If-Match", tag == shown.headers.end() ? item_tag(shown, "/items/0") : tag->second}};
}

} // namespace roost::testing
