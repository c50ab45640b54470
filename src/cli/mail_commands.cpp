#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "domain/email_address.hpp"
#include "mail/transport.hpp"
#include "security/random.hpp"
#include "service/conversions.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

#include <cstdio>
#include <filesystem>

namespace roost::cli {

namespace {

using domain::one_line;

std::string delivery_state(const store::mail_record& record) {
  const auto failures =
      std::to_string(record.attempts) + (record.attempts == 1 ? " failure: " : " failures: ");
  const auto suffix = record.attempts == 0 ? "" : ", " + failures + record.last_error.value_or("");
  switch (record.state()) {
  case store::mail_state::sent:
    return "sent " + domain::to_string(*record.sent_at);
  case store::mail_state::waiting:
    return "waiting until " + domain::to_string(*record.next_attempt_at) + suffix;
  case store::mail_state::given_up:
    return "given up" + (record.given_up_at ? " " + domain::to_string(*record.given_up_at) : "") + suffix;
  }
  throw std::logic_error("unknown value");
}

domain::outgoing_mail test_message(const std::string& address) {
  const auto now = current_time();
  return {
      .id = security::time_ordered_uuid(now),
      .to = address,
      .subject = "A test of Roost's mail",
      .text =
          "Hello,\n\nif you can read this, mail from Roost reaches you. This message was sent by `roost mail "
          "test`.\n\nRoost\n",
      .html = "<p>Hello,</p><p>if you can read this, mail from Roost reaches you. This message was sent by "
              "<code>roost mail test</code>.</p><p>Roost</p>",
      .created_at = now};
}

/// Does not create the folder: if it is missing, the command was probably not run in the server's folder.
int write_test_mail(mail::transport& transport, const std::filesystem::path& folder,
                    const std::string& address) {
  const auto path = std::filesystem::absolute(folder).lexically_normal();
  const std::string notice = "mail.transport is a folder, so no mail is sent; ";
  if (!std::filesystem::is_directory(path)) // throws if it is inaccessible
    throw std::runtime_error(notice + "there is no folder " + path.string() +
                             "; relative paths are relative to the current folder");
  try {
    const std::filesystem::path file = mail::send_unrecorded(transport, test_message(address));
    std::printf("%sthe message is in %s\n", notice.c_str(), (path / file.filename()).c_str());
    return 0;
  } catch (const mail::send_failed& error) {
    throw std::runtime_error("the message could not be written to " + path.string() + ": " + error.what());
  }
}

} // namespace

int list_mails(const arguments& args) {
  using enum store::mail_state;
  store::mail_filter filter{.state = value_if_given("--state", args.status, {waiting, sent, given_up})};
  auto session = open_store(args);
  if (!args.to.empty()) {
    filter.to = store::recipients_like(session, args.to);
    if (filter.to.empty()) throw std::runtime_error("there is no mail to " + args.to);
  }
  list_printer list(args.format, {"id", "created_at", "to", "subject", "state", "attempts", "last_error",
                                  "sent_at", "next_attempt_at", "given_up_at"});
  for (const auto& each : list.limited(store::list_mails(session, filter, args.limit + 1), args.limit))
    list.add({cell(each.mail.id), cell(each.mail.created_at), cell(each.mail.to), cell(each.mail.subject),
              cell_as(std::string(domain::to_string(each.state())), delivery_state(each)),
              data_cell(each.attempts), data_cell(each.last_error), data_cell(each.sent_at),
              data_cell(each.next_attempt_at), data_cell(each.given_up_at)});
  return 0;
}

int show_mail(const arguments& args) {
  const auto mail_id = parse_id(args.id);
  auto session = open_store(args);
  const auto matches = store::list_mails(session, {.id = mail_id}, 1);
  if (matches.empty()) throw std::runtime_error("there is no mail with the id " + args.id);
  const auto& mail = matches.front().mail;
  print_field("Mail", args.id);
  print_field("To", one_line(mail.to));
  print_field("Subject", one_line(mail.subject));
  print_field("Created", domain::to_string(mail.created_at));
  print_field("State", delivery_state(matches.front()));
  print_field("Gathered for", one_line(mail.gathered_for.value_or("")));
  if (mail.confidential)
    std::puts("\nThe text contains a secret code or link and is not shown.");
  else
    std::printf("\n%s\n", mail.text.c_str());
  return 0;
}

int retry_mail(const arguments& args) {
  const auto mail_id = args.id.empty() ? std::nullopt : std::optional{parse_id(args.id)};
  auto session = open_store(args);
  store::transaction txn(session, store::transaction::purpose::write);
  const auto count = store::retry_mails(session, mail_id, current_time());
  if (mail_id && count == 0) throw std::runtime_error("there is no unsent mail with the id " + args.id);
  if (count > 0) record_audit(session, args, "mail retry", args.id, std::to_string(count));
  txn.commit();
  std::printf("%lld due now; a running server sends them within seconds\n", static_cast<long long>(count));
  return 0;
}

int test_mail(const arguments& args) {
  const auto& address = args.email;
  if (!domain::is_email_address(address)) throw usage_error("'" + address + "' is not an email address");
  const auto settings = load_configuration(args).values.mail;
  const auto& target = settings.transport;
  const auto transport = to_transport(settings);
  if (target.kind == config::mail_transport::protocol::file)
    return write_test_mail(*transport, target.folder, address);
  const auto server = target.host + ":" + std::to_string(target.port);
  try {
    const auto response = mail::send_unrecorded(*transport, test_message(address));
    std::printf("%s accepted a message to %s: %s\n", server.c_str(), address.c_str(), response.c_str());
    return 0;
  } catch (const mail::send_failed& error) {
    throw std::runtime_error(server + " did not accept the message: " + error.error_class +
                             (error.server_message.empty() ? "" : ": " + error.server_message));
  }
}

} // namespace roost::cli
