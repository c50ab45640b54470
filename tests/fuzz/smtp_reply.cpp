#include "domain/storable_text.hpp"
#include "fuzz/support/scripted_server.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "mail/transport.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <string>

/// Replies of mail servers, one per line.
namespace roost::fuzz::smtp_reply {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 11> error_classes{
    "unreachable", "timeout",     "interrupted",        "tls",  "deferred", "authentication",
    "refused",     "unconfirmed", "rejected_recipient", "disk", "internal"};

void check_failure(const mail::send_failed& failure, bool passed_gate) {
  require_one_line(failure.what());
  require(std::ranges::find(error_classes, failure.error_class) != error_classes.end(),
          "a failure has a known class");
  require(!has_control(failure.server_message) && domain::is_storable(failure.server_message),
          "a server's message is one line of UTF-8");
  require(passed_gate || !failure.possibly_delivered, "a message is delivered only after it was recorded");
}

void check(std::string_view input) {
  const scripted_server server{std::string{input}};
  mail::smtp_server settings;
  settings.host = "127.0.0.1";
  settings.port = server.port();
  settings.connect_timeout = settings.send_timeout = settings.confirmation_timeout = 300ms;
  const auto transport = mail::smtp_transport(settings, "Roost <ops@roost.example>");
  domain::outgoing_mail mail;
  mail.to = "ana@casaverde.example";
  mail.subject = "A booking was refused";
  mail.text = "Hello";
  bool passed_gate = false;
  const auto results = transport->send({&mail, 1}, [&](auto) { passed_gate = true; });
  require(results.size() == 1, "each message has a result");
  const auto& result = results.front();
  require(!has_control(result.receipt) && domain::is_storable(result.receipt),
          "a receipt is one line of UTF-8");
  if (result.failure)
    check_failure(*result.failure, passed_gate);
  else
    require(passed_gate, "a delivered message was recorded");
}

const target registered{"smtp_reply", "RepliesOfMailServersAreOneLine", check};

} // namespace
} // namespace roost::fuzz::smtp_reply
