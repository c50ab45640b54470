#include "actors/runtime/ask.hpp"
#include "http/office/block_object.hpp"
#include "http/office/conditions.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_api.hpp"
#include "http/protocol/entity_tags.hpp"
#include "security/digest.hpp"

namespace roost::http {

namespace {

using store::office_block, store::office_result;

constexpr std::size_t place_texts = 2; // a first night and an id

std::string place_of(const office_block& block) {
  return cursor_of({domain::to_string(block.block.nights.first), domain::to_string(block.block.id)});
}

std::optional<store::block_place> read_place(query_reader& query) {
  const auto texts = read_cursor(query, place_texts);
  if (!texts) return std::nullopt;
  const auto night = domain::parse_date(texts->front());
  const auto id = domain::parse_uuid(texts->back());
  if (!night || !id) return refuse_cursor(query);
  return store::block_place{*night, *id};
}

error no_unit() { return not_found("There is no such unit"); }
error no_block() { return not_found("There is no such block"); }

domain::uuid unit_of(const request& req) {
  const auto id = id_in_path(req, 0);
  if (!id) throw no_unit();
  return *id;
}

domain::uuid block_of(const request& req) {
  const auto id = id_in_path(req, 1);
  if (!id) throw no_block();
  return *id;
}

/// The bookings of nights that a block would cover.
error nights_are_booked(const std::vector<store::booking_overlap>& booked) {
  json::writer json;
  json.begin_array();
  for (const auto& each : booked) {
    json.begin_object();
    json.field("bookingId", each.booking_id);
    json.field("from", each.nights.first);
    json.field("to", each.nights.last);
    json.end_object();
  }
  json.end_array();
  auto refusal = conflict("The nights are booked");
  refusal.with("bookings", json_value{std::string(json.text())});
  return refusal;
}

response not_changed(std::string tag) {
  auto result = empty(304);
  result.fields.emplace_back("ETag", std::move(tag));
  return result;
}

/// Converts the outcome of a change or a deletion. Throws its refusal.
response written(const request& req, const store::block_outcome& outcome) {
  if (outcome.result == office_result::booked) throw nights_are_booked(outcome.booked);
  throw_refusal(req, block_object, outcome.block, {outcome.result, outcome.problem, outcome.last}, "block");
  if (outcome.result == office_result::deleted) return empty(204);
  return respond_with(200, block_object, outcome.block);
}

store::block_condition condition_of(const request& req) {
  auto sent = if_match_of(req);
  if (!sent.is_present) return {};
  return [sent = std::move(sent)](const office_block& stored) {
    return sent.matches(tag_of(block_object, stored));
  };
}

asio::awaitable<response> list_blocks(const office_services& services, request& req) {
  query_reader query(req.query, {"limit", "after"});
  const auto limit = read_list_limit(query);
  const auto after = read_place(query);
  query.throw_if_refused();
  const auto unit = unit_of(req);
  if (wants_csv(req)) {
    page_reader<office_block> next_page = [&](const office_block* last) {
      std::optional<store::block_place> place;
      if (last != nullptr) place = {last->block.nights.first, last->block.id};
      return actors::list_blocks(services.storage, scope_of(req), unit, place, max_list_limit);
    };
    auto rows = rows_of(block_object, tag_column::yes);
    auto table = co_await read_table(std::move(next_page), std::move(rows));
    if (!table) throw no_unit();
    co_return std::move(*table).to_response("blocks");
  }
  const auto page = co_await actors::list_blocks(services.storage, scope_of(req), unit, after, limit);
  if (!page) throw no_unit();
  co_return json(200, page_json(block_object, *page, place_of));
}

asio::awaitable<response> show_block(const office_services& services, request& req) {
  const auto unit = unit_of(req), id = block_of(req);
  const auto block = co_await actors::find_block(services.storage, scope_of(req), unit, id);
  if (!block) throw no_block();
  if (auto tag = tag_of(block_object, *block); not_modified(req, tag)) co_return not_changed(std::move(tag));
  co_return respond_with(200, block_object, *block);
}

asio::awaitable<response> create_block(const office_services& services, request& req) {
  office_block block;
  read_whole(req.body, block_object, block, services.configured);
  const auto unit = unit_of(req);
  const bool is_chosen = !block.block.id.is_nil();
  store::block_creation creation{
      unit, block.block.id, block.block.nights, std::string(block.block.note.view()), {}};
  if (is_chosen) {
    block.unit_id = unit;
    creation.request_hash =
        security::to_hex(security::sha256(domain::to_string(unit) + object_json(block_object, block)));
  } else {
    creation.id = services.new_id();
  }
  auto author = author_of(services, req, "block creation", domain::to_string(creation.id), {});
  actors::create_block message{scope_of(req), std::move(creation), std::move(author),
                               actors::response_deadline()};
  const auto outcome = co_await actors::ask(services.writer, std::move(message));
  switch (outcome.result) {
  case office_result::created:
  case office_result::repeated:
    break;
  case office_result::other_request:
    throw conflict("Another block was created with this id");
  case office_result::booked:
    throw nights_are_booked(outcome.booked);
  case office_result::conflicting:
    throw conflict(outcome.problem);
  default:
    throw no_unit();
  }
  const bool is_new = outcome.result == office_result::created;
  auto result = respond_with(is_new ? 201 : 200, block_object, outcome.block);
  if (is_new)
    result.fields.emplace_back("Location", services.management->base_url + "/api/units/" +
                                               domain::to_string(unit) + "/blocks/" +
                                               domain::to_string(outcome.block.block.id));
  co_return result;
}

/// Changes the members of a block that the body has. Throws bad_request.
std::string changed_by(const std::string& body, office_block& block) {
  const portfolio::context nothing_configured;
  const auto id = block.block.id;
  auto problems = read_some(body, block_object, block, nothing_configured);
  if (problems.empty() && block.block.id != id) return "id cannot change";
  return problems;
}

asio::awaitable<response> change_block(const office_services& services, request& req) {
  office_block widest; // the nights that the change may block, whichever are stored
  widest.block.id = id_in_path(req, 1).value_or(domain::uuid{});
  widest.block.nights = {domain::date::min(), domain::no_end};
  if (auto problems = changed_by(req.body, widest); !problems.empty()) throw bad_request(problems);
  const auto unit = unit_of(req), id = block_of(req);
  store::block_change request{unit, id, condition_of(req), {}, std::nullopt};
  request.apply = [body = req.body](office_block& block) { return changed_by(body, block); };
  if (portfolio::has_any(req.body, {"from", "to"})) request.may_block = widest.block.nights;
  auto author = author_of(services, req, "block change", domain::to_string(id), {});
  actors::change_block message{scope_of(req), std::move(request), std::move(author),
                               actors::response_deadline()};
  const auto outcome = co_await actors::ask(services.writer, std::move(message));
  co_return written(req, outcome);
}

asio::awaitable<response> erase_block(const office_services& services, request& req) {
  const auto unit = unit_of(req), id = block_of(req);
  auto author = author_of(services, req, "block deletion", domain::to_string(id), {});
  store::block_deletion request{unit, id, condition_of(req)};
  actors::delete_block message{scope_of(req), std::move(request), std::move(author),
                               actors::response_deadline()};
  const auto outcome = co_await actors::ask(services.writer, std::move(message));
  co_return written(req, outcome);
}

const documented_response unit_unknown{404, "There is no such unit", "Error", false,
                                       {},  "There is no such unit"},
    block_unknown{404, "There is no such block", "Error", false, {}, "There is no such block"},
    forbidden_to_view{403, "The role lacks listings.view", "Error"},
    forbidden_to_edit{403, "The role lacks listings.edit", "Error"},
    booked{
        409, "Nights are booked: `bookings` names them", "NightsBooked", false, {}, "The nights are booked"},
    held{409,
         "A platform holds nights for a guest who is about to book: try again later",
         "Error",
         false,
         {},
         "marketplace-a holds nights for a guest who is about to book, from 2027-02-01 to 2027-05-01: try "
         "again in some minutes"},
    of_calendar{409,     "The block comes from an imported calendar",
                "Error", false,
                {},      "The block comes from an imported calendar and cannot be changed here"},
    required{428, "If-Match is missing", "Error"},
    outdated{412, "The block has changed: who changed which members, and when", "OutdatedState"};

const operation list_operation{.id = "listBlocks",
                               .summary = "Returns the blocked nights of a unit by their first night",
                               .responses = {{200, "A page of blocks, or all blocks as CSV", "BlockPage"},
                                             forbidden_to_view,
                                             unit_unknown},
                               .queries = {limit_query, after_query}};
const operation show_operation{.id = "getBlock",
                               .summary = "Returns a block, with its ETag",
                               .responses = {{200, "The block", "Block"}, forbidden_to_view, block_unknown}};
const operation create_operation{.id = "createBlock",
                                 .summary =
                                     "Blocks nights of a unit. Repeating a request with the same id is safe",
                                 .body_schema = "Block",
                                 .responses = {{201, "The block; Location is its URL", "Block"},
                                               {200, "The same request created this block before", "Block"},
                                               forbidden_to_edit,
                                               unit_unknown,
                                               booked,
                                               held,
                                               {409,
                                                "Another block was created with this id",
                                                "Error",
                                                false,
                                                {},
                                                "Another block was created with this id"}}};
const operation change_operation{.id = "changeBlock",
                                 .summary = "Changes the members that the body has",
                                 .body_schema = "BlockChange",
                                 .responses = {{200, "The block as it is now", "Block"},
                                               forbidden_to_edit,
                                               block_unknown,
                                               booked,
                                               held,
                                               of_calendar,
                                               required,
                                               outdated},
                                 .headers = {if_match_header}};
const operation erase_operation{.id = "deleteBlock",
                                .summary = "Frees the blocked nights",
                                .responses = {{204, "The block is deleted", ""},
                                              forbidden_to_edit,
                                              block_unknown,
                                              of_calendar,
                                              required,
                                              outdated},
                                .headers = {if_match_header}};

} // namespace

std::vector<route> block_routes(const office_services& services) {
  constexpr auto of_unit = "/api/units/{unitId}/blocks", one = "/api/units/{unitId}/blocks/{blockId}";
  constexpr auto may_view = "listings.view", may_edit = "listings.edit";
  using enum body_policy;
  return routes_for(services,
                    {{"GET", of_unit, none, may_view, list_blocks, &list_operation},
                     {"POST", of_unit, body_policy::json, may_edit, create_block, &create_operation},
                     {"GET", one, none, may_view, show_block, &show_operation},
                     {"PATCH", one, body_policy::json, may_edit, change_block, &change_operation},
                     {"DELETE", one, none, may_edit, erase_block, &erase_operation}});
}

void add_block_schemas(json::schemas& to) { add_resource_schemas(to, block_object, "Block"); }

} // namespace roost::http
