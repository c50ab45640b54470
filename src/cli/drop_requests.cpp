#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "domain/date.hpp"
#include "http/access/access.hpp"
#include "mail/notices.hpp"
#include "security/random.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/error.hpp"
#include "store/portfolio/live.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iterator>
#include <map>
#include <span>

namespace roost::cli {

namespace {

constexpr std::size_t requests_per_transaction = 500;

/// The landlord of a request, and its unit if there still is one.
struct request_owner {
  domain::uuid account_id{};
  std::optional<domain::uuid> unit_id;
};

/// Refuses requests that no server decides, and notifies their landlords as a server would.
class request_dropper {
public:
  request_dropper(store::session& db, const config::settings& settings) : db_(db), settings_(settings) {}

  store::decision_rows refuse(std::span<const store::pending_request> requests) {
    store::decision_rows rows;
    for (const auto& pending : requests) rows.add(refuse(pending.request));
    return rows;
  }

private:
  struct landlord {
    std::string company_name;
    std::vector<std::string> mail_to;
  };

  domain::decision refuse(const domain::booking_request& request) {
    constexpr auto reason = domain::refusal::platform_not_configured;
    domain::decision decision{.request_id = request.id,
                              .state = domain::request_state::failed,
                              .reason = reason,
                              .ends_hold = true};
    if (request.reference) decision.reported_to = request.platform;
    const auto owner = owner_of(request);
    if (!owner) return decision;
    decision.account_id = owner->account_id;
    decision.unit_id = owner->unit_id;
    const auto now = current_time();
    const auto units = owner->unit_id ? store::list_units(db_, {.id = owner->unit_id}, 1)
                                      : std::vector<store::unit_overview>{};
    const auto unit = units.empty() ? store::unit_overview{} : units.front();
    const mail::stay_facts stay{unit.name, unit.city, owner->unit_id, request};
    decision.notifications.push_back(
        mail::refused_notice(security::time_ordered_uuid(now), now, owner->account_id, stay, reason));
    const auto write = settings_.mail.gathers_refusals ? mail::gathered_refusal : mail::refused_mail;
    const auto& contacts = landlord_of(owner->account_id);
    for (const auto& address : contacts.mail_to)
      decision.mails.push_back(
          write(security::time_ordered_uuid(now), now, address, contacts.company_name, stay, reason));
    return decision;
  }

  /// Returns the owner of the unit that the request names, else the ID's last landlord; nullopt if unknown.
  /// An ID's property part is not searched for: platforms that match by it always have their requests decided
  /// if they are configured, and the kind of one that is not configured is unknown.
  std::optional<request_owner> owner_of(const domain::booking_request& request) {
    if (request.unit_id)
      if (const auto units = store::list_units(db_, {.id = request.unit_id}, 1); !units.empty())
        return request_owner{units.front().account_id, request.unit_id};
    const std::vector ids{request.external_id};
    const auto is_match = [&](const auto& link) { return link.platform == request.platform; };
    const auto links = store::current_links(db_, ids);
    if (const auto link = std::ranges::find_if(links, is_match); link != links.end())
      return request_owner{link->account_id, link->unit_id};
    const auto former = store::former_links(db_, ids);
    const auto is_recent_match = [&](const auto& link) { return link.is_recent && is_match(link); };
    if (const auto last = std::find_if(former.rbegin(), former.rend(), is_recent_match);
        last != former.rend())
      return request_owner{last->account_id, {}};
    return std::nullopt;
  }

  const landlord& landlord_of(const domain::uuid& account) {
    const auto [entry, is_new] = landlords_.try_emplace(account);
    if (is_new)
      entry->second = {require_account(db_, account).company_name,
                       store::recipients_of(store::targets_of(db_, account),
                                            http::booking_notification_rule(settings_.roles))};
    return entry->second;
  }

  store::session& db_;
  const config::settings& settings_;
  std::map<domain::uuid, landlord> landlords_;
};

std::string count_of(std::int64_t requests) {
  return domain::counted(requests, "booking request", "booking requests");
}

/// Drops a platform's requests. A request whose refusal the database rejects stays New.
class platform_drop {
public:
  platform_drop(store::session& db, const config::settings& settings, const arguments& args)
      : db_(db), args_(args), dropper_(db, settings) {}

  void run() {
    for (auto requests = next(); !requests.empty(); requests = next()) {
      try {
        drop(requests);
      } catch (const store::already_decided&) {
        // A server with another configuration has just decided one of them: read again.
      }
    }
  }

  std::int64_t dropped() const { return dropped_; }

  /// Returns the requests that the database rejected, with the reasons.
  const std::map<domain::uuid, std::string>& rejected() const { return rejected_; }

private:
  std::vector<store::pending_request> next() {
    auto requests = store::pending_requests(db_, 0, requests_per_transaction + rejected_.size(),
                                            std::span{&args_.platform, 1});
    std::erase_if(requests, [this](const auto& each) { return rejected_.contains(each.request.id); });
    return requests;
  }

  /// Writes the halves of a rejected group separately.
  void drop(std::span<const store::pending_request> requests) {
    std::deque<std::span<const store::pending_request>> groups{requests};
    for (; !groups.empty(); groups.pop_front()) {
      const auto group = groups.front();
      try {
        record(group);
      } catch (const store::constraint_violated& rejection) {
        if (group.size() == 1) {
          rejected_.emplace(group.front().request.id, rejection.what());
        } else {
          groups.push_back(group.first(group.size() / 2));
          groups.push_back(group.subspan(group.size() / 2));
        }
      }
    }
  }

  void record(std::span<const store::pending_request> requests) {
    const auto count = std::ssize(requests);
    store::record_refusals(db_, dropper_.refuse(requests), [&] { // in the same transaction
      record_audit(db_, args_, "request drop", args_.platform, count_of(count));
    });
    dropped_ += count;
  }

  store::session& db_;
  const arguments& args_;
  request_dropper dropper_;
  std::int64_t dropped_ = 0;
  std::map<domain::uuid, std::string> rejected_;
};

std::int64_t count_waiting(store::session& db, const std::string& platform) {
  for (const auto& each : store::backlog_by_platform(db))
    if (each.platform == platform) return each.requests;
  return 0;
}

} // namespace

int drop_requests(const arguments& args) {
  const auto settings = load_configuration(args).values;
  auto session = open_store(settings);
  const auto& platform = args.platform;
  if (is_decidable(session, settings, platform))
    throw std::runtime_error("the platform " + platform +
                             " is configured: its requests are decided by the server");
  const auto waiting = count_waiting(session, platform);
  if (waiting == 0) throw std::runtime_error("no booking request of " + platform + " waits for a decision");
  if (!args.confirmed)
    throw usage_error("this refuses " + count_of(waiting) + ", which " + platform +
                      " believes to be accepted, and notifies the landlords; pass --confirm to do it");
  platform_drop drop(session, settings, args);
  drop.run();
  std::printf("refused %s of %s\n", count_of(drop.dropped()).c_str(), platform.c_str());
  if (drop.rejected().empty()) return 0;
  std::string rejected;
  for (const auto& [id, reason] : drop.rejected()) rejected += "; " + domain::to_string(id) + ": " + reason;
  throw std::runtime_error("the database rejected the refusal of " + count_of(std::ssize(drop.rejected())) +
                           ", so these still wait" + rejected);
}

} // namespace roost::cli
