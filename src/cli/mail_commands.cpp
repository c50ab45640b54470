#include "cli/commands.hpp"
#include "cli/facts.hpp"
#include "cli/usage_error.hpp"
#include "domain/email_address.hpp"
#include "domain/text.hpp"
#include "mail/transport.hpp"
#include "security/random.hpp"
#include "service/conversions.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/outbox.hpp"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace roost::cli {

namespace {

using domain::one_line;

domain::timestamp mail_clock() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::optional<store::mail_state> mail_state_if_given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  using enum store::mail_state;
  for (const auto state : {waiting, sent, given_up})
    if (domain::lower_case(text) == to_string(state)) return state;
  throw usage_error("--state: '" + text + "' is none of waiting, sent, given-up");
}

std::string fate_of(const store::mail_record& record) {
  const auto tries = std::to_string(record.attempts) + (record.attempts == 1 ? " failure: " : " failures: ");
  const auto failed = record.attempts == 0 ? "" : ", " + tries + record.last_error.value_or("");
  switch (record.state()) {
  case store::mail_state::sent:
    return "sent " + domain::to_string(*record.sent_at);
  case store::mail_state::waiting:
    return "waiting until " + domain::to_string(*record.next_attempt_at) + failed;
  case store::mail_state::given_up:
    return "given up" + (record.given_up_at ? " " + domain::to_string(*record.given_up_at) : "") + failed;
  }
  throw std::logic_error("unknown value");
}

domain::outgoing_mail test_message(const std::string& address) {
  const auto now = mail_clock();
  return {.id = security::time_ordered_uuid(now),
          .to = address,
          .subject = "A test of Roost's mail",
          .text = "Hello,\n\nwho reads this gets Roost's mail. It was sent by `roost mail test`.\n\nRoost\n",
          .html = "<p>Hello,</p><p>who reads this gets Roost's mail. It was sent by <code>roost mail "
                  "test</code>.</p><p>Roost</p>",
          .created_at = now};
}

/// Makes no folder: where there is none, the command was most likely given elsewhere than the server runs.
int write_test_mail(mail::transport& into, const std::filesystem::path& folder, const std::string& address) {
  const auto path = std::filesystem::absolute(folder).lexically_normal();
  const std::string nobody = "mail.transport is a folder, so nobody is mailed; ";
  if (!std::filesystem::is_directory(path)) // throws where it cannot be looked at
    throw std::runtime_error(nobody + "there is no folder " + path.string() +
                             ", and relative paths start where the command is given");
  try {
    const std::filesystem::path file = into.send(test_message(address));
    into.settle();
    std::printf("%sthe message is in %s\n", nobody.c_str(), (path / file.filename()).c_str());
    return 0;
  } catch (const mail::send_failed& failed) {
    throw std::runtime_error("nothing was written into " + path.string() + ": " + failed.what());
  }
}

} // namespace

int list_mails(const common_options& common, const mail_list_options& options) {
  store::mail_filter wanted{.state = mail_state_if_given(options.state)};
  auto session = open_store(load_configuration(common).values);
  if (!options.to.empty()) {
    wanted.to = store::recipients_like(session, options.to);
    if (wanted.to.empty()) throw std::runtime_error("there is no mail to " + options.to);
  }
  printed_list list(common.format, {"id", "created_at", "to", "subject", "state", "attempts", "last_error",
                                    "sent_at", "next_attempt_at", "given_up_at"});
  const auto read = [&](std::size_t most) { return store::list_mails(session, wanted, most); };
  for (const auto& each : list.first_of(options.limit, read))
    list.add({shown(each.mail.id), shown(each.mail.created_at), shown(each.mail.to), shown(each.mail.subject),
              shown_as(std::string(to_string(each.state())), fate_of(each)), unshown(each.attempts),
              unshown(each.last_error), unshown(each.sent_at), unshown(each.next_attempt_at),
              unshown(each.given_up_at)});
  return 0;
}

int show_mail(const common_options& common, const std::string& id) {
  const auto mail_id = id_of(id);
  auto session = open_store(load_configuration(common).values);
  const auto found = store::list_mails(session, {.id = mail_id}, 1);
  if (found.empty()) throw std::runtime_error("there is no mail with the id " + id);
  const auto& mail = found.front().mail;
  print_fact("Mail", id);
  print_fact("To", one_line(mail.to));
  print_fact("Subject", one_line(mail.subject));
  print_fact("Created", domain::to_string(mail.created_at));
  print_fact("State", fate_of(found.front()));
  print_fact("Gathered for", one_line(mail.gathered_for.value_or("")));
  if (mail.confidential)
    std::puts("\nIt holds a code or a link, which is not shown.");
  else
    std::printf("\n%s\n", mail.text.c_str());
  return 0;
}

int retry_mail(const common_options& common, const std::string& id) {
  const auto one = id.empty() ? std::nullopt : std::optional{id_of(id)};
  auto session = open_store(load_configuration(common).values);
  store::transaction txn(session, store::transaction::purpose::write);
  const auto count = store::retry_mails(session, one, mail_clock());
  if (one && count == 0)
    throw std::runtime_error("there is no mail with the id " + id + " that was not sent");
  if (count > 0) note_audit(session, common, "mail retry", id, std::to_string(count));
  txn.commit();
  std::printf("%lld due now; a running server sends within some seconds\n", static_cast<long long>(count));
  return 0;
}

int test_mail(const common_options& common, const std::string& address) {
  if (!domain::is_email_address(address)) throw usage_error("'" + address + "' is no mail address");
  const auto settings = load_configuration(common).values.mail;
  const auto& to = settings.transport;
  const auto transport = to_transport(settings);
  if (to.by == config::mail_transport::protocol::file) return write_test_mail(*transport, to.folder, address);
  const auto server = to.host + ":" + std::to_string(to.port);
  try {
    const auto answer = transport->send(test_message(address));
    transport->settle();
    std::printf("%s has taken a message to %s: %s\n", server.c_str(), address.c_str(), answer.c_str());
    return 0;
  } catch (const mail::send_failed& failed) {
    throw std::runtime_error(server + " did not take the message: " + failed.error_class +
                             (failed.said.empty() ? "" : ": " + failed.said));
  }
}

} // namespace roost::cli
