#include "service/management_module.hpp"

#include "actors/sessions/identity_keys.hpp"
#include "http/access/access.hpp"
#include "http/documents/openapi.hpp"
#include "http/management/management_api.hpp"
#include "http/pages/pages_api.hpp"
#include "log/log.hpp"
#include "mail/sign_in_mails.hpp"
#include "mail/usage_mails.hpp"
#include "security/session_tokens.hpp"
#include "service/conversions.hpp"

#include <algorithm>
#include <iterator>

namespace roost {

namespace {

/// Checks a file before the first token arrives. An https address is not checked: it may become reachable
/// later.
void warn_of_missing_keys(const std::string& place, const actors::key_source& source) {
  if (place.starts_with("https://")) return;
  if (const auto fault = actors::key_source_error(source))
    log::warn("identity_keys_unreadable", {{"what", *fault}, {"older_ones", false}});
}

std::chrono::seconds whole_seconds(std::chrono::milliseconds time) {
  return std::chrono::floor<std::chrono::seconds>(time);
}

mail::mailed_user mailed(const store::sign_in_user& user) { return {user.email, user.first_name}; }

actors::sign_in_mails mails_of(const service_context& base) {
  const auto id = base.new_id();
  const auto base_url = base.settings.server.base_url;
  const auto code_time = whole_seconds(base.settings.sessions.code);
  const auto reset_time = whole_seconds(base.settings.sessions.password_reset);
  actors::sign_in_mails mails;
  using to = const store::sign_in_user&;
  mails.code = [=](to user, const std::string& code, domain::timestamp now) {
    return mail::sign_in_code_mail(id(), now, mailed(user), code, code_time);
  };
  mails.new_browser = [=](to user, const actors::browser_facts& browser, domain::timestamp now) {
    return mail::new_browser_mail(id(), now, mailed(user), {browser.name, browser.origin.address}, base_url);
  };
  mails.reset = [=](to user, const std::string& token, domain::timestamp now) {
    return mail::password_reset_mail(id(), now, mailed(user), base_url, token, reset_time);
  };
  mails.invitation = [=](to user, const actors::known_user& from, const std::string& token,
                         domain::timestamp now) {
    return mail::invitation_mail(id(), now, mailed(user), {from.email, from.company_name}, base_url, token,
                                 actors::invitation_lifetime);
  };
  mails.password_changed = [=](to user, const store::connected_assistants& assistants,
                               domain::timestamp now) {
    mail::mailed_assistants named{{}, assistants.ended};
    for (const auto& each : assistants.connections)
      named.names.push_back(each.client_name.value_or(std::string(http::unnamed_assistant)));
    return mail::password_changed_mail(id(), now, mailed(user), named, base_url);
  };
  return mails;
}

http::documented_api management_api_document(const std::string& base_url) {
  return {.name = "management",
          .title = "Roost: management",
          .description = "Signing in, sessions and the AI usage ledger. Sign in with the first two routes, "
                         "then paste the token of the session.",
          .token_help = "The access token of a session",
          .server_url = base_url,
          .parameters = {{"browserId", "The browser's UUID, as in the list"}},
          .schemas = [](json::schemas& to) {
            http::add_auth_route_schemas(to);
            http::add_usage_route_schemas(to);
          }};
}

} // namespace

management_module::management_module(service_context& base, const management_access_data& access,
                                     const partner_credentials& credentials, const mail_module& mail)
    : base_(base) {
  const auto& settings = base.settings;
  services_.base_url = settings.server.base_url;
  services_.lease = base.lease;
  services_.users = &access.users();
  services_.keys = &access.keys();
  services_.access_tokens = &access.access_tokens();
  services_.ended = access.ended();
  const auto& ledger = base.storage_at(service_context::side_lane::ledger);
  services_.usage = actors::usage_ledger(ledger);
  services_.usage_recorder =
      actors::spawn_usage_recorder(*base.runtime, {ledger, base.lease, &base.registry});
  services_.live_keys = &credentials.live_keys();
  services_.has_account = [&base](const domain::uuid& id) {
    const auto known = base.directory.get();
    return known && known->find_account(id);
  };
  services_.roles = settings.roles;
  services_.limits = settings.rate_limits;
  services_.access_token = settings.sessions.access_token;
  services_.remembered_browser = settings.sessions.remembered_browser;
  services_.now = base.hooks.now;
  spawn_actors(base, access, mail);
  spawn_connector_keeper(base, access);
  spawn_budget_watch(base, mail);
}

void management_module::spawn_budget_watch(service_context& base, const mail_module& mail) {
  actors::budget_watch_setup setup;
  // With the looks for due calendars, so that a shutdown does not wait for one more lane during an outage.
  setup.storage = base.storage_at(service_context::side_lane::office);
  setup.lease = base.lease;
  setup.mailer = mail.mailer();
  setup.now = base.hooks.now;
  for (const auto& [role, permissions] : services_.roles)
    if (role != domain::owner_role && http::has_permission(services_.roles, role, http::usage_permission))
      setup.roles.push_back(role);
  setup.mail = [id = base.new_id(), base_url = base.settings.server.base_url](
                   const store::budget_warning& warning, const store::warned_user& user,
                   domain::timestamp now) {
    const mail::reached_budget reached{warning.company_name, warning.month, warning.budget, warning.cost,
                                       warning.thresholds.back()};
    return mail::budget_mail(id(), now, {user.email, user.first_name}, reached, base_url);
  };
  setup.on_hold = base.hooks.on_hold;
  budget_watch_ = actors::spawn_budget_watch(*base.runtime, std::move(setup));
}

void management_module::spawn_connector_keeper(service_context& base, const management_access_data& access) {
  const auto& connector = base.settings.connector;
  actors::connector_setup setup;
  setup.storage = base.storage_at(service_context::side_lane::management);
  setup.lease = base.lease;
  setup.ended = access.ended();
  setup.checks.may_use_tools = [&access, &roles = services_.roles](const domain::uuid& id) {
    const auto users = access.users().get();
    const auto* user = users ? users->find(id) : nullptr;
    return user != nullptr && http::usable_tools(roles, *user).any();
  };
  setup.checks.is_tool_server = [tool_server = connector.tool_server,
                                 published = services_.live_keys](const std::string& resource) {
    const auto keys = published->get();
    return keys && http::issuable_resource(resource, tool_server, *keys);
  };
  setup.now = base.hooks.now;
  setup.code = connector.code;
  setup.refresh_token = connector.refresh_token;
  setup.grace = connector.refresh_grace;
  setup.access_token = security::max_validity(base.settings.sessions.access_token);
  setup.max_clients = connector.max_clients;
  setup.registry = &base.registry;
  setup.on_hold = base.hooks.on_hold;
  setup.clients = access.clients();
  services_.connections = std::make_shared<const actors::connection_repository>(setup);
  connector_keeper_ = actors::spawn_connector_keeper(*base.runtime, std::move(setup));
}

void management_module::spawn_actors(service_context& base, const management_access_data& access,
                                     const mail_module& mail) {
  const auto& sessions = base.settings.sessions;
  const domain::sign_in_limits& limits = sessions;
  const auto storage = base.storage_at(service_context::side_lane::management);
  const auto cost = to_password_cost(sessions);
  hasher_ = actors::spawn_password_hasher(
      *base.runtime, {sessions.hashing_threads, sessions.hashing_queue, cost, &base.registry});
  actors::session_setup sessions_setup{storage,
                                       base.lease,
                                       access.ended(),
                                       base.hooks.now,
                                       sessions.refresh_grace,
                                       security::max_validity(sessions.access_token),
                                       &base.registry,
                                       base.hooks.on_hold};
  sessions_setup.limits = limits;
  services_.sessions = std::make_shared<const actors::session_repository>(sessions_setup);
  services_.keeper = actors::spawn_session_keeper(*base.runtime, sessions_setup);
  actors::sign_in_setup setup;
  setup.storage = storage;
  setup.lease = base.lease;
  setup.ended = access.ended();
  setup.hasher = hasher_;
  setup.mailer = mail.mailer();
  setup.keys = &access.keys();
  setup.limits = limits;
  setup.cost = cost;
  setup.mails = mails_of(base);
  setup.now = base.hooks.now;
  setup.new_id = base.new_id();
  setup.registry = &base.registry;
  setup.access_token = security::max_validity(sessions.access_token);
  services_.sign_ins = std::make_shared<const actors::sign_in_repository>(setup);
  services_.password_resets = std::make_shared<const actors::password_reset_repository>(setup);
  services_.sign_in = actors::spawn_sign_in(*base.runtime, std::move(setup));
  if (sessions.identity_jwks.empty()) return;
  actors::identity_keys_setup identity;
  identity.source = actors::key_source_at(sessions.identity_jwks);
  warn_of_missing_keys(sessions.identity_jwks, identity.source);
  identity.expected = {sessions.identity_issuer, sessions.identity_audience};
  identity.now = base.hooks.now;
  identity.registry = &base.registry;
  services_.identity_keys = actors::spawn_identity_keys(*base.runtime, std::move(identity));
}

void management_module::mount(http::router& to) const { mount_management_routes(to, services_); }

void mount_management_routes(http::router& to, const http::management_services& services) {
  auto routes = http::auth_routes(services);
  std::ranges::move(http::usage_routes(services), std::back_inserter(routes));
  const auto document = management_api_document(services.base_url);
  to.mount("", {http::openapi_route(document, routes)});
  to.mount("/management", http::explorer_page({document}));
  to.mount("", std::move(routes));
  for (const auto pages : {http::sign_in_pages, http::account_pages, http::usage_pages})
    to.mount("", pages(services));
  to.mount("", http::page_assets());
}

/// Keeps the handles: requests that write have finished, but those that read still copy handles.
void management_module::finish_writing() {
  send_exit(services_.sign_in);
  send_exit(services_.identity_keys);
  send_exit(services_.keeper);
  send_exit(connector_keeper_);
  send_exit(budget_watch_);
  stop_actor(hasher_);
  send_and_wait(base_.system(), services_.usage_recorder, actors::flush_usage{},
                [](const actors::usage_flushed&) {});
  send_exit(services_.usage_recorder);
}

connector_module::connector_module(service_context& base, const management_access_data& access,
                                   const management_module& management) {
  const auto& connector = base.settings.connector;
  services_.management = &management.services();
  services_.keeper = management.connector_keeper();
  services_.tokens = &access.connector_tokens();
  services_.redirects = oauth::redirect_policy(connector.callbacks, connector.prefixes);
  services_.tool_server = connector.tool_server;
  services_.limits = base.settings.rate_limits;
  services_.consent_form = connector.consent_form;
  services_.access_token = base.settings.sessions.access_token;
  if (!connector.client_documents.empty()) spawn_client_documents(base);
}

void connector_module::spawn_client_documents(service_context& base) {
  const auto& connector = base.settings.connector;
  auto limits = actors::client_document_limits();
  limits.trusted_certificates = connector.client_documents_ca.string();
  limits.private_addresses = connector.client_documents_anywhere;
  actors::client_documents_setup setup;
  services_.document_policy = {connector.client_documents, services_.redirects};
  setup.policy = services_.document_policy;
  setup.fetch = [limits](const std::string& url) { return fetch::https_get(url, limits); };
  setup.registry = &base.registry;
  services_.documents = actors::spawn_client_documents(*base.runtime, setup);
  if (!services_.document_policy.allows_any_host()) return;
  constexpr std::size_t threads_for_other_hosts = 4;
  setup.threads = threads_for_other_hosts;
  services_.other_documents = actors::spawn_client_documents(*base.runtime, std::move(setup));
}

void connector_module::finish_writing() {
  send_exit(services_.documents);
  send_exit(services_.other_documents);
}

void connector_module::mount(http::router& to) const { mount_connector_routes(to, services_); }

void mount_connector_routes(http::router& to, const http::connector_services& services) {
  for (const auto routes : {http::metadata_routes, http::registration_routes, http::consent_pages,
                            http::token_routes, http::introspection_routes})
    to.mount("", routes(services));
}

} // namespace roost
