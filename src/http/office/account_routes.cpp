#include "http/office/card_objects.hpp"
#include "http/office/resource_routes.hpp"

#include <algorithm>

namespace roost::http {

namespace {

using domain::account, domain::portfolio_account;
using portfolio::field, portfolio::optional, portfolio::read_only, portfolio::objects::in_account;
namespace kind = portfolio::kind;

constexpr auto account_object =
    portfolio::record_around<portfolio::objects::account_object, "id", "currency", "landlordKey",
                             "bookingEngine", "aiAreas", "aiBudget", "platformCards", "users", "properties",
                             "aiUsage">(
        portfolio::hooks<portfolio_account>{},
        domain::pack_of(field("id", kind::id, in_account<&account::id>, "", optional, read_only),
                        field("currency", kind::currency, in_account<&account::currency>,
                              "The currency of every amount in the account", optional, read_only),
                        field("landlordKey", kind::name, in_account<&account::landlord_key>,
                              "The landlord's name in paths", optional, read_only)),
        domain::pack_of());

portfolio_account described(const store::office_account& stored) { return {stored.settings, {}, {}, {}}; }

/// The tag of a card that does not exist matches nothing but `*` in If-None-Match.
std::string card_tag(const store::office_card& card) { return tag_of(office_card_object, card.card); }

asio::awaitable<response> show_account(const office_services& services, request& req) {
  refuse_owners(req);
  std::function<std::optional<store::office_account>(store::session&)> find =
      [scope = scope_of(req)](store::session& db) { return store::find_account(db, scope); };
  const auto account = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!account) throw not_found("There is no such account");
  co_return respond_with(200, account_object, described(*account));
}

asio::awaitable<response> change_account(const office_services& services, request& req) {
  refuse_owners(req);
  portfolio_account blank;
  const auto problems = read_some(req.body, account_object, blank, services.configured);
  if (!problems.empty()) throw bad_request(problems);
  const auto scope = scope_of(req);
  store::office_change<store::office_account> change{scope.account_id, {}, {}};
  if (auto sent = if_match_of(req); sent.is_present)
    change.is_current = [sent](const store::office_account& stored) {
      return sent.matches(tag_of(account_object, described(stored)));
    };
  change.apply = [body = req.body, &services](store::office_account& stored) {
    auto account = described(stored);
    auto edit = edit_by(body, account_object, account, services.configured);
    stored.settings = std::move(account.details);
    return edit;
  };
  auto author = author_of(services, req, "account change", domain::to_string(scope.account_id), {});
  std::function<store::office_outcome<store::office_account>(store::session&, const store::lease&)> work =
      [=](store::session& db, const store::lease& held) {
        return store::change_account(db, held, scope, change, author);
      };
  auto lane = services.lane();
  const auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  const auto account = described(done.resource);
  throw_refusal(req, account_object, account, {done.result, done.problem, done.last}, "account");
  co_return respond_with(200, account_object, account);
}

asio::awaitable<response> show_card(const office_services& services, request& req) {
  refuse_owners(req);
  std::function<store::office_card(store::session&)> find =
      [scope = scope_of(req), platform = platform_in_path(services, req, 0).name](store::session& db) {
        return store::find_card(db, scope, platform);
      };
  const auto stored = co_await actors::in_store(services.storage, "office_read", std::move(find));
  if (!stored.exists) throw not_found("The account has no card for this platform");
  co_return respond_with(200, office_card_object, stored.card);
}

/// Returns the condition of a card's write: If-Match names its state, `If-None-Match: *` means that there is
/// none yet.
store::office_condition<store::office_card> card_condition(const request& req) {
  if (req.method == "PUT" && req.only("if-none-match") == "*")
    return [](const store::office_card& card) { return !card.exists; };
  auto sent = if_match_of(req);
  if (!sent.is_present) return {};
  return [sent](const store::office_card& card) { return card.exists && sent.matches(card_tag(card)); };
}

asio::awaitable<response> write_card(const office_services& services, request& req, std::string action,
                                     store::office_card requested) {
  const auto scope = scope_of(req);
  const auto& platform = platform_in_path(services, req, 0).name;
  auto author = author_of(services, req, std::move(action), platform, {});
  store::office_change<store::office_card> change{scope.account_id, card_condition(req), {}};
  change.apply = [requested](store::office_card& stored) {
    auto changes = requested.exists ? changes_between(office_card_object,
                                                      stored.exists ? &stored.card : nullptr, requested.card)
                                    : deletion_of(office_card_object, stored.card);
    stored = requested;
    return store::office_edit{{}, std::move(changes)};
  };
  std::function<store::office_outcome<store::office_card>(store::session&, const store::lease&)> work =
      [=](store::session& db, const store::lease& held) {
        return store::write_card(db, held, scope, platform, change, author);
      };
  auto lane = services.lane();
  const auto done = co_await actors::write_for_office(std::move(lane), std::move(work));
  throw_refusal(req, office_card_object, done.resource.card, {done.result, done.problem, done.last}, "card");
  if (!done.resource.exists) co_return empty(204);
  co_return respond_with(done.result == store::office_result::created ? 201 : 200, office_card_object,
                         done.resource.card);
}

asio::awaitable<response> put_card(const office_services& services, request& req) {
  refuse_owners(req);
  store::office_card requested;
  requested.exists = true;
  read_whole(req.body, office_card_object, requested.card, services.configured);
  requested.card.platform = platform_in_path(services, req, 0).name;
  return write_card(services, req, "card change", std::move(requested));
}

asio::awaitable<response> erase_card(const office_services& services, request& req) {
  refuse_owners(req);
  store::office_card none;
  none.card.platform = platform_in_path(services, req, 0).name;
  return write_card(services, req, "card deletion", std::move(none));
}

const documented_resource documented_account{
    "Account", "account", "accounts", "account_settings.module", "account_settings.module", {}},
    documented_card{"Card", "card", "cards", "channels.view", "channels.edit", {}};

const operation show_account_operation{
    .id = "getAccount",
    .summary = "Returns the account's settings, with their ETag",
    .responses = {{200, "The settings", "Account"},
                  {403, "The role lacks account_settings.module", "Error"}}};
const operation show_card_operation{
    .id = "getCard",
    .summary = "Returns the account's card for a platform, with its ETag",
    .responses = {
        {200, "The card", "Card"},
        {403, "The role lacks channels.view", "Error"},
        {404, "There is no card, or no such platform", "Error", false, {}, "There is no such platform"}}};

std::vector<documented_response> deletion_responses() {
  auto all = change_responses(documented_card);
  all.front() = {204, "The account has no card for this platform any more", ""};
  return all;
}

} // namespace

std::vector<route> account_routes(const office_services& services) {
  static const operation change{.id = "changeAccount",
                                .summary = "Changes the settings that the body has",
                                .body_schema = "AccountChange",
                                .responses = change_responses(documented_account),
                                .headers = {if_match_header}},
      erase{.id = "deleteCard",
            .summary = "Removes the account's card for a platform",
            .responses = deletion_responses(),
            .headers = {if_match_header}};
  static const operation put = [] {
    operation both{.id = "putCard",
                   .summary = "Sets the account's card for a platform; If-None-Match: * creates one",
                   .body_schema = "Card",
                   .responses = change_responses(documented_card)};
    both.responses.push_back({201, "The new card", "Card"});
    return with_creation(std::move(both));
  }();
  constexpr auto settings = "/api/account", card = "/api/platforms/{platform}/card";
  constexpr auto of_account = "account_settings.module", may_view = "channels.view",
                 may_edit = "channels.edit";
  using enum body_policy;
  return routes_for(services, {{"GET", settings, none, of_account, show_account, &show_account_operation},
                               {"PATCH", settings, body_policy::json, of_account, change_account, &change},
                               {"GET", card, none, may_view, show_card, &show_card_operation},
                               {"PUT", card, body_policy::json, may_edit, put_card, &put},
                               {"DELETE", card, none, may_edit, erase_card, &erase}});
}

void add_account_schemas(json::schemas& to) {
  add_resource_schemas(to, account_object, "Account");
  to.add("Card", json::schema_of(office_card_object));
}

} // namespace roost::http
