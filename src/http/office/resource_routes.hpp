#pragma once

#include "actors/runtime/ask.hpp"
#include "http/office/office_api.hpp"
#include "http/office/office_objects.hpp"
#include "http/protocol/entity_tags.hpp"
#include "security/digest.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

/// The handlers of a kind of resource, which follow from its description. `Kind` says what differs:
///
///     struct unit_kind {
///       using resource = domain::portfolio_unit;
///       static constexpr auto& object = unit_object;   // its description
///       static constexpr auto& creation = unit_object; // that of a new one
///       static constexpr const char *noun = "unit", *plural = "units", *path = "/api/units/";
///       static domain::uuid& id_of(resource&);
///       static resource blank(); // to which any change of a good form can be applied
///       static constexpr auto find = store::find_unit, create = store::create_unit; // and change, erase
///       // May be missing:
///       static constexpr bool has_parts_without_tag = true; // GET never responds with 304
///       static domain::uuid id_in(const request&); // of a resource that the path does not name
///       static void complete(const office_services&, resource&); // a new one
///       static store::office_rule<resource> rule(const office_services&, const request&);
///       static store::office_side_effect<resource> side_effect(const office_services&, const request&);
///       // Of a resource of a unit, instead of `path`:
///       static constexpr std::size_t id_parameter = 1; // of the route's pattern
///       static store::office_scope scope_of(const request&);
///       static std::string path_of(const resource&);
///     };
///
/// Members of routes that a kind does not have may be missing, too.
///
/// This header is for the .cpp files that hold descriptions.
namespace roost::http {

/// The writes and their outcomes; functions, because GCC warns about the linkage of a coroutine's frame that
/// holds a description.
template <typename Kind>
class resource_routes {
  using resource = typename Kind::resource;
  using outcome = store::office_outcome<resource>;
  using write = std::function<outcome(store::session&, const store::lease&)>;

public:
  static asio::awaitable<response> show(const office_services& services, request& req) {
    const auto id = id_of(req);
    std::function<std::optional<resource>(store::session&)> find =
        [scope = scope_for(req), id](store::session& db) { return Kind::find(db, scope, id); };
    auto stored = co_await actors::in_store(services.storage, "office_read", std::move(find));
    if (!stored) throw missing();
    co_return shown(req, *stored);
  }

  static asio::awaitable<response> create(const office_services& services, request& req) {
    resource requested;
    read_whole(req.body, Kind::creation, requested, services.configured);
    const auto request_text = object_json(Kind::creation, requested);
    co_return co_await create_as(services, req, std::move(requested), request_text);
  }

  /// Creates a resource; `request_text` is the same for the same request.
  static asio::awaitable<response> create_as(const office_services& services, request& req,
                                             resource requested, const std::string& request_text) {
    auto done = co_await store_new(services, req, std::move(requested), request_text);
    co_return created(services, req, std::move(done));
  }

  /// The same for kinds that do not respond with created() alone.
  static asio::awaitable<outcome> store_new(const office_services& services, request& req, resource requested,
                                            const std::string& request_text) {
    auto work = creation_of(services, req, std::move(requested), request_text);
    auto lane = services.lane();
    co_return co_await actors::write_for_office(std::move(lane), std::move(work));
  }

  static asio::awaitable<response> change(const office_services& services, request& req) {
    auto work = change_of(services, req);
    auto lane = services.lane();
    auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
    co_return written(req, done);
  }

  static asio::awaitable<response> erase(const office_services& services, request& req) {
    auto work = deletion_of(services, req);
    auto lane = services.lane();
    auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
    co_return written(req, done);
  }

  /// Reads a part of the list: the resources after a place, at most `limit`.
  using list_reader = std::function<store::office_page<resource>(
      store::session&, const std::optional<store::name_place>& after, std::size_t limit)>;

  /// Returns a page of a list by name, or the whole list as CSV.
  static asio::awaitable<response> list(const office_services& services, request& req, list_parameters page,
                                        list_reader read) {
    const auto work_for = [&read](const std::optional<store::name_place>& after, std::size_t limit) {
      return std::function<store::office_page<resource>(store::session&)>(
          [read, after, limit](store::session& db) { return read(db, after, limit); });
    };
    if (!wants_csv(req)) {
      auto work = work_for(page.after, page.limit);
      const auto items = co_await actors::in_store(services.storage, "office_read", std::move(work));
      co_return json(200, page_json(Kind::object, items, cursor_after));
    }
    page_reader<resource> next_page = [&services, &work_for](const resource* last) {
      std::optional<store::name_place> after;
      if (last != nullptr) after = place_in_list(*last);
      return optional_page(services.storage, work_for(after, max_list_limit));
    };
    auto rows = rows_of(Kind::object, tag_column::yes);
    auto table = co_await read_table(std::move(next_page), std::move(rows));
    co_return std::move(*table).to_response(Kind::plural);
  }

  static error missing() { return not_found("There is no such " + std::string(Kind::noun)); }

  /// Returns the id in the path. Throws missing().
  static domain::uuid id_of(const request& req) {
    if constexpr (requires { Kind::id_in(req); }) {
      return Kind::id_in(req);
    } else {
      std::size_t parameter = 0;
      if constexpr (requires { Kind::id_parameter; }) parameter = Kind::id_parameter;
      const auto id = id_in_path(req, parameter);
      if (!id) throw missing();
      return *id;
    }
  }

  /// Returns what the caller may see of this kind.
  static store::office_scope scope_for(const request& req) {
    if constexpr (requires { Kind::scope_of(req); })
      return Kind::scope_of(req);
    else
      return scope_of(req);
  }

  /// Returns the condition of If-Match; empty without it.
  static store::office_condition<resource> condition_of(const request& req) {
    auto sent = if_match_of(req);
    if (!sent.is_present) return {};
    return [sent = std::move(sent)](const resource& stored) {
      return sent.matches(tag_of(Kind::object, stored));
    };
  }

  /// Throws the refusal of a write, if it is one.
  static void throw_if_refused(const request& req, const outcome& done) {
    throw_refusal(req, Kind::object, done.resource, {done.result, done.problem, done.last}, Kind::noun);
  }

  /// Returns the response to a change or a deletion. Throws its refusal.
  static response written(const request& req, const outcome& done) {
    throw_if_refused(req, done);
    if (done.result == store::office_result::deleted) return empty(204);
    return respond_with(200, Kind::object, done.resource);
  }

  /// Returns the response to a creation. Throws its refusal.
  static response created(const office_services& services, const request& req, outcome done) {
    using enum store::office_result;
    if (done.result == other_request)
      throw conflict("Another " + std::string(Kind::noun) + " was created with this id");
    throw_if_refused(req, done);
    const bool is_new = done.result == store::office_result::created;
    auto result = respond_with(is_new ? 201 : 200, Kind::object, done.resource);
    if (is_new)
      result.fields.emplace_back("Location", services.management->base_url + path_of(done.resource));
    return result;
  }

private:
  static std::string path_of(resource& created) {
    if constexpr (requires { Kind::path_of(created); })
      return Kind::path_of(created);
    else
      return Kind::path + domain::to_string(Kind::id_of(created));
  }

  static store::name_place place_in_list(const resource& item) {
    using store::place_of; // for the domain's types; that of a store's type may be declared after this header
    return place_of(item);
  }

  static std::string cursor_after(const resource& last) {
    const auto place = place_in_list(last);
    return cursor_of({place.name, domain::to_string(place.id)});
  }

  /// Returns whether the state shows more than its tag covers, so that it must not be taken for unchanged.
  static constexpr bool has_parts_without_tag() {
    if constexpr (requires { Kind::has_parts_without_tag; }) return Kind::has_parts_without_tag;
    return false;
  }

  static response shown(const request& req, const resource& state) {
    auto tag = tag_of(Kind::object, state);
    if (has_parts_without_tag() || !not_modified(req, tag)) return respond_with(200, Kind::object, state);
    auto result = empty(304);
    result.fields.emplace_back("ETag", std::move(tag));
    return result;
  }

  static write creation_of(const office_services& services, request& req, resource requested,
                           const std::string& request_text) {
    store::office_creation<resource> creation{std::move(requested), {}, {}};
    auto& id = Kind::id_of(creation.resource);
    if (!id.is_nil())
      creation.request_hash = security::to_hex(security::sha256(request_text));
    else
      id = services.new_id();
    if constexpr (requires { Kind::complete(services, creation.resource); })
      Kind::complete(services, creation.resource);
    creation.side_effect = side_effect_of(services, req);
    creation.changes = changes_between(Kind::object, nullptr, creation.resource);
    auto author = author_of(services, req, std::string(Kind::noun) + " creation", domain::to_string(id), {});
    return [scope = scope_for(req), creation = std::move(creation),
            author = std::move(author)](store::session& db, const store::lease& held) {
      return Kind::create(db, held, scope, creation, author);
    };
  }

  static write change_of(const office_services& services, request& req) {
    refuse_bad_form(services, req);
    const auto id = id_of(req);
    auto author = author_of(services, req, std::string(Kind::noun) + " change", domain::to_string(id), {});
    store::office_change<resource> change{id, condition_of(req), {}};
    change.apply = [body = req.body, &services](resource& stored) {
      return edit_by(body, Kind::object, stored, services.configured);
    };
    change.rule = rule_of(services, req);
    change.side_effect = side_effect_of(services, req);
    return [scope = scope_for(req), change = std::move(change),
            author = std::move(author)](store::session& db, const store::lease& held) {
      return Kind::change(db, held, scope, change, author);
    };
  }

  /// The form is checked before everything else, by applying the change to a new resource: what depends on
  /// the stored values may be refused later.
  static void refuse_bad_form(const office_services& services, const request& req) {
    resource blank = Kind::blank();
    auto problems = read_some(req.body, Kind::object, blank, services.configured);
    if (!problems.empty()) throw bad_request(problems);
  }

  static store::office_rule<resource> rule_of(const office_services& services, const request& req) {
    if constexpr (requires { Kind::rule(services, req); })
      return Kind::rule(services, req);
    else
      return {};
  }

  static store::office_side_effect<resource> side_effect_of(const office_services& services,
                                                            const request& req) {
    if constexpr (requires { Kind::side_effect(services, req); })
      return Kind::side_effect(services, req);
    else
      return {};
  }

  static write deletion_of(const office_services& services, request& req) {
    const auto id = id_of(req);
    auto author = author_of(services, req, std::string(Kind::noun) + " deletion", domain::to_string(id), {});
    store::office_deletion<resource> deletion{id, condition_of(req), rule_of(services, req)};
    deletion.describe_changes = [](const resource& stored) {
      return http::deletion_of(Kind::object, stored);
    };
    return [scope = scope_for(req), deletion = std::move(deletion),
            author = std::move(author)](store::session& db, const store::lease& held) {
      return Kind::erase(db, held, scope, deletion, author);
    };
  }
};

} // namespace roost::http
