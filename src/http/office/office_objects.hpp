#pragma once

#include "http/office/conditions.hpp"
#include "http/office/lists.hpp"
#include "http/office/office_api.hpp"
#include "http/protocol/router.hpp"
#include "json/object.hpp"
#include "portfolio/body.hpp"
#include "portfolio/description.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// What follows from the description of a resource (portfolio/description.hpp): its bodies, its entity tag,
/// its lists and its schemas. This header is for the .cpp files that hold descriptions.
namespace roost::http {

namespace asio = boost::asio;

/// A rule: the member is no part of the resource's state, and so of its entity tag.
struct untagged_rule {
  constexpr void apply(json::facts&) const {}
};
inline constexpr untagged_rule untagged;

namespace detail {

inline constexpr portfolio::writing all_members{.defaults = true};

/// Calls `visit(member)` with each member that the entity tag covers.
template <typename Object, typename Visit>
void for_each_tagged(const Object& object, Visit visit) {
  portfolio::for_each_member(object, [&](const auto& member) {
    if constexpr (!std::remove_cvref_t<decltype(member)>::template has_rule<untagged_rule>) visit(member);
  });
}

} // namespace detail

/// Returns the resource as a JSON object.
template <typename Object>
std::string object_json(const Object& object, const typename Object::source& from) {
  std::string text;
  portfolio::write_on_one_line(text, object, from, detail::all_members);
  return text;
}

template <typename Object>
std::string tag_of(const Object& object, const typename Object::source& from) {
  tag_builder builder;
  detail::for_each_tagged(object, [&](const auto& member) {
    std::string value;
    member.write(value, from, detail::all_members);
    builder.add(value);
  });
  return builder.tag();
}

/// Returns the names of the members that the entity tag covers.
template <typename Object>
std::vector<std::string_view> members_of(const Object& object) {
  std::vector<std::string_view> names;
  detail::for_each_tagged(object, [&](const auto& member) { names.push_back(member.name.view()); });
  return names;
}

/// Returns the resource as an item of a list: its entity tag is the last member.
template <typename Object>
std::string item_json(const Object& object, const typename Object::source& from) {
  auto text = object_json(object, from);
  json::writer tag;
  tag.value(tag_of(object, from));
  text.pop_back();
  return text.append(", \"etag\": ").append(tag.text()) += '}';
}

/// Returns a page of a list; `place_of` returns the cursor after an item.
template <typename Object, typename Place>
std::string page_json(const Object& object, const store::office_page<typename Object::source>& page,
                      Place place_of) {
  std::vector<std::string> items;
  items.reserve(page.items.size());
  for (const auto& each : page.items) items.push_back(item_json(object, each));
  return list_json(items, page.has_more ? place_of(page.items.back()) : std::string{}, page.total);
}

/// Returns the messages about the problems of a body; empty if there are none. Throws bad_request for a text
/// that is not JSON.
std::string messages_of(const portfolio::body_problems& found);

/// Reads the members of a resource that the body has. Returns the messages about its problems; empty if there
/// are none. Throws bad_request for a text that is not JSON.
template <typename Object>
std::string read_some(std::string_view body, const Object& object, typename Object::source& to,
                      const portfolio::context& configured) {
  return messages_of(portfolio::read_body(body, object, to, configured, portfolio::expected_members::any));
}

/// Reads a new resource. Throws bad_request with all messages.
template <typename Object>
void read_whole(std::string_view body, const Object& object, typename Object::source& to,
                const portfolio::context& configured) {
  const auto messages = messages_of(portfolio::read_body(body, object, to, configured));
  if (!messages.empty()) throw bad_request(messages);
}

/// Returns the resource with its entity tag.
template <typename Object>
response respond_with(unsigned status, const Object& object, const typename Object::source& state) {
  auto result = json(status, object_json(object, state));
  result.fields.emplace_back("ETag", tag_of(object, state));
  return result;
}

/// The outcome of a write of a resource, as far as it may be a refusal.
struct write_outcome {
  store::office_result result;
  const std::string& problem;
  const store::last_change& last;
};

/// Throws the refusal of a write, if it is one; `state` is the stored state, `noun` names the resource.
template <typename Object>
void throw_refusal(const request& req, const Object& object, const typename Object::source& state,
                   const write_outcome& outcome, const std::string& noun) {
  using enum store::office_result;
  const auto sent = if_match_of(req);
  switch (outcome.result) {
  case unconditional:
    throw precondition_required();
  case outdated:
    // Without a tag, nothing can be compared: the resource should not exist yet.
    throw outdated_state("The " + noun + " has changed since it was read", sent, tag_of(object, state),
                         sent.is_present ? members_of(object) : std::vector<std::string_view>{},
                         outcome.last);
  case store::office_result::forbidden:
    throw not_allowed();
  case refused:
    throw bad_request(outcome.problem);
  case conflicting:
    throw conflict(outcome.problem);
  case not_found:
    throw http::not_found("There is no such " + noun);
  default:
    break;
  }
}

/// Returns the members that the entity tag covers and that differ, with their values as JSON; those of a
/// missing resource are null.
template <typename Object>
std::vector<domain::field_change> changes_between(const Object& object, const typename Object::source* before,
                                                  const typename Object::source& after) {
  std::vector<domain::field_change> changes;
  detail::for_each_tagged(object, [&](const auto& member) {
    std::string from = "null", to;
    if (before != nullptr) member.write(from.erase(), *before, detail::all_members);
    member.write(to, after, detail::all_members);
    if (from == to) return;
    if (!member.secret_name().empty()) from = to = R"("hidden")";
    changes.push_back({std::string(member.name.view()), std::move(from), std::move(to)});
  });
  return changes;
}

/// Returns the same members of a deleted resource, to null.
template <typename Object>
std::vector<domain::field_change> deletion_of(const Object& object, const typename Object::source& stored) {
  auto changes = changes_between(object, nullptr, stored);
  for (auto& each : changes) std::swap(each.before, each.after);
  return changes;
}

/// Changes the members of a stored resource that the body has.
template <typename Object>
store::office_edit edit_by(std::string_view body, const Object& object, typename Object::source& stored,
                           const portfolio::context& configured) {
  const auto before = stored;
  store::office_edit edit{read_some(body, object, stored, configured)};
  if (!edit.problem.empty()) return edit;
  edit.changes = changes_between(object, &before, stored);
  if (std::ranges::find(edit.changes, "id", &domain::field_change::field) != edit.changes.end())
    edit.problem = "id cannot change";
  return edit;
}

/// Reads the page after an item, or the first one after null; nullopt if what it belongs to does not exist.
template <typename Item>
using page_reader = std::function<asio::awaitable<std::optional<store::office_page<Item>>>(const Item* last)>;

/// A text that is only written, of any length.
struct stored_text {
  constexpr json::facts schema_facts() const { return {.type = "string"}; }
};

/// Returns the text of a cell for a JSON value: texts without quotes, null as an empty cell.
std::string cell_text(std::string_view json);

namespace detail {

/// Returns the object that a member describes; null if there is none.
template <typename Member, typename Source>
auto part_in(const Member& member, const Source* from) {
  const auto address = [](const auto& part) {
    if constexpr (requires { part.has_value(); })
      return part ? &*part : nullptr;
    else
      return &part;
  };
  return from != nullptr ? address(std::invoke(member.place, *from)) : nullptr;
}

} // namespace detail

/// Calls `visit(outer, name, json)` for each column of a table of these objects, with the value in `from`. An
/// object within the object has a column for each of its members, and `outer` is its name with a dot. The
/// value is empty if there is none, or if `from` is null.
template <typename Object, typename Visit>
void for_each_column(const Object& object, const typename Object::source* from, const std::string& outer,
                     Visit& visit) {
  portfolio::for_each_member(object, [&](const auto& member) {
    if constexpr (std::remove_cvref_t<decltype(member)>::template has_rule<portfolio::not_written_rule>) {
      return;
    } else if constexpr (requires { member.kind.described; }) {
      for_each_column(*member.kind.described, detail::part_in(member, from),
                      outer + std::string(member.name.view()) + '.', visit);
    } else {
      std::string value;
      if (from != nullptr && member.is_shown(*from, detail::all_members))
        member.write(value, *from, detail::all_members);
      visit(outer, member.name.view(), value);
    }
  });
}

/// Adds an item to a table, or the names of its columns if it is null.
template <typename Item>
using row_writer = std::function<void(csv_table& table, const Item* item)>;

/// Whether the last column of a table is the entity tag of each item.
enum class tag_column { no, yes };

/// Returns what adds items of a described resource to a table.
template <typename Object, typename Item = typename Object::source>
row_writer<Item> rows_of(const Object& object, tag_column tags = tag_column::no) {
  return [&object, tags](csv_table& table, const Item* item) {
    const auto add = [&](const std::string& outer, std::string_view name, const std::string& value) {
      table.add(item != nullptr ? cell_text(value) : outer + std::string(name));
    };
    for_each_column(object, item, {}, add);
    if (tags == tag_column::yes) table.add(item != nullptr ? tag_of(object, *item) : "etag");
    table.end_row();
  };
}

/// Reads a whole list as a table, one page after the other: it shows items that are created or deleted in the
/// meantime, or not. The parameters are functions because GCC warns about the linkage of a coroutine's frame
/// that holds a description.
template <typename Item>
asio::awaitable<std::optional<csv_table>> read_table(page_reader<Item> next_page, row_writer<Item> add) {
  csv_table table;
  add(table, nullptr);
  std::optional<Item> last;
  for (;;) {
    auto page = co_await next_page(last ? &*last : nullptr);
    if (!page) co_return std::nullopt;
    for (const auto& each : page->items) add(table, &each);
    if (!page->has_more) co_return table;
    last = std::move(page->items.back());
  }
}

/// A list as a table that is read and sent page by page.
template <typename Item>
class table_stream {
public:
  table_stream(store::office_page<Item> first, page_reader<Item> next_page, row_writer<Item> add)
      : page_(std::move(first)), next_page_(std::move(next_page)), add_(std::move(add)) {}

  /// Returns the next rows; nullopt at the end. Throws if what the list belongs to was deleted meanwhile.
  asio::awaitable<std::optional<std::string>> next() {
    csv_table table;
    if (!std::exchange(has_begun_, true)) {
      add_(table, nullptr);
    } else {
      if (!page_.has_more) co_return std::nullopt;
      auto page = co_await next_page_(&page_.items.back());
      page_ = std::move(page).value();
    }
    for (const auto& each : page_.items) add_(table, &each);
    co_return std::move(table).take_text();
  }

private:
  store::office_page<Item> page_; ///< the last one that was read
  page_reader<Item> next_page_;
  row_writer<Item> add_;
  bool has_begun_ = false;
};

/// Returns a list as a table whose length has no limit, so that it is not kept in memory; nullopt if what the
/// list belongs to does not exist. `next_page` is called after the handler has finished.
template <typename Item>
asio::awaitable<std::optional<response>> stream_table(page_reader<Item> next_page, row_writer<Item> add,
                                                      std::string name) {
  auto first = co_await next_page(nullptr);
  if (!first) co_return std::nullopt;
  auto stream = std::make_shared<table_stream<Item>>(*std::move(first), std::move(next_page), std::move(add));
  auto result = csv_table{}.to_response(name);
  result.parts = [stream = std::move(stream)] { return stream->next(); };
  result.parts_must_end = true;
  co_return result;
}

/// The documentation of a resource's routes.
struct resource_operations {
  operation list, show, create, change, erase;
};

/// What the documentation of a kind of resource says.
struct documented_resource {
  std::string_view name;         ///< of its schema: `Unit`
  std::string_view noun, plural; ///< `unit`, `units`
  std::string_view may_view, may_edit;
  std::vector<documented_query> filters; ///< of its list
  std::string_view order = "name";
  bool can_be_archived = false; ///< a resource with bookings is archived instead of deleted
};
resource_operations operations_of(const documented_resource& of);

/// The responses of a route that changes a resource.
std::vector<documented_response> change_responses(const documented_resource& of);

/// The header field of a conditional write.
extern const documented_header if_match_header;

/// Documents that a PUT may also create: it requires either If-Match or If-None-Match.
operation with_creation(operation put);
/// The fields of the queries of all lists.
extern const documented_query limit_query, after_query;

/// Which part of a list by name a query asks for.
struct list_parameters {
  std::size_t limit = 0;
  std::optional<store::name_place> after;
};
list_parameters read_list_parameters(query_reader& query);

/// Returns the page of a list that always exists.
template <typename Item>
asio::awaitable<std::optional<store::office_page<Item>>>
optional_page(actors::storage_lane lane, std::function<store::office_page<Item>(store::session&)> read) {
  auto page = co_await actors::in_store(std::move(lane), "office_read", std::move(read));
  co_return std::move(page);
}

/// Adds the schemas of a resource and of its lists: `Block`, `BlockItem`, `BlockPage`.
void add_list_schemas(json::schemas& to, const json::schema& resource, std::string_view name);
/// Adds the schema of a page of these items.
void add_page_schema(json::schemas& to, std::string_view item_name, std::string_view page_name);
/// Adds these and the schema of its changes: `BlockChange`.
void add_resource_schemas(json::schemas& to, const json::schema& resource, std::string_view name);

template <typename Object>
void add_resource_schemas(json::schemas& to, const Object& object, std::string_view name) {
  add_resource_schemas(to, json::schema_of(object), name);
}

} // namespace roost::http
