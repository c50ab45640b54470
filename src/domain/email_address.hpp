#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Email addresses: one rule for signing in, imports, commands, the configuration and sending.
namespace roost::domain {

/// Returns a domain name with its labels in ASCII (RFC 5891, with the mapping of UTS 46): `xn--mnchen-3ya.de`
/// for `münchen.de`. nullopt if IDNA does not allow the name.
std::optional<std::string> ascii_domain(std::string_view name);

/// Returns a domain name with its labels in Unicode and lower case: `münchen.de` for `xn--mnchen-3ya.de`.
/// nullopt if IDNA does not allow the name.
std::optional<std::string> unicode_domain(std::string_view name);

/// Returns the address as mail servers need it, with its domain in ASCII. Its local part may contain
/// characters beyond ASCII, for which a server must support SMTPUTF8 (RFC 6531). nullopt if the text is not
/// an email address, longer than 254 bytes, or contains control characters.
std::optional<std::string> mailable_address(std::string_view address);

/// Returns whether mail servers must support SMTPUTF8 for this mailable address.
bool needs_smtputf8(std::string_view mailable);

/// Returns whether a text is a valid email address by the rules of the booking platforms' own services, and
/// can be emailed (mailable_address()): a local part of at most 64 bytes, dotted or quoted, and a domain name
/// with a top-level domain, at most 254 bytes together. Letters of all scripts are allowed in both. IP
/// address literals, display names, control characters and surrounding white space are not.
bool is_email_address(std::string_view text);

/// Returns the form in which addresses are compared, in memory and in the store. Addresses of one mailbox
/// have the same key: letter case and composition do not count, nor whether the domain is written in Unicode
/// or, as browsers and mail servers send it, in ASCII. The key has its domain in Unicode. Text that is not an
/// address is only composed and folded.
std::string email_key(std::string_view address);

/// Masks an address, for readers who need not know it: `a***@casaverde.example`.
std::string masked_email(std::string_view email);

/// An address and the name that is shown with it (RFC 5322, 3.4).
struct mailbox {
  std::string name; ///< may be empty; one line
  std::string address;
};

/// Parses `address` or `Name <address>`; the name may be quoted, and contain letters of all scripts. nullopt
/// if it is neither. The result's address is mailable.
std::optional<mailbox> parse_mailbox(std::string_view text);

} // namespace roost::domain
