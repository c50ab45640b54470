#include "domain/email_address.hpp"

#include "domain/entered_text.hpp"
#include "domain/storable_text.hpp"
#include "domain/text.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"

#include <algorithm>
#include <string>

/// Email addresses and senders.
namespace roost::fuzz::email_address {
namespace {

void check_mailable(const std::string& mailable) {
  require(!has_control(mailable) && domain::is_storable(mailable),
          "a mailable address is UTF-8 without controls");
  require(mailable.size() <= 254, "a mailable address is limited");
  require(domain::mailable_address(mailable) == mailable, "a mailable address is mailable");
  const auto name = mailable.substr(mailable.rfind('@') + 1);
  require(std::ranges::all_of(name, [](unsigned char c) { return c > ' ' && c < 0x7f; }),
          "a domain is in ASCII");
}

void check(std::string_view input) {
  const auto mailable = domain::mailable_address(input);
  if (mailable) check_mailable(*mailable);
  if (domain::is_email_address(input)) {
    require(mailable.has_value(), "an email address is mailable");
    require(domain::email_key(input) == domain::email_key(domain::composed(input)),
            "composition does not matter");
    const auto key = domain::email_key(input);
    require(domain::email_key(*mailable) == key, "one mailbox has one key");
    require(domain::email_key(key) == key, "a key is its own key");
  }
  if (const auto mailbox = domain::parse_mailbox(input)) {
    check_mailable(mailbox->address);
    require(!has_control(mailbox->name), "a sender's name is one line");
  }
  if (domain::is_storable(input) && !has_control(input))
    require(!has_control(domain::masked_email(input)), "a masked address is one line");
}

const target registered{"email_address", "AddressesOfOneMailboxHaveOneKey", check};

} // namespace
} // namespace roost::fuzz::email_address
