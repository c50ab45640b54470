#pragma once

#include "service/office_support/office_routes.hpp"
#include "service/support/office.hpp"

#include <string>

namespace roost::testing {

/// A resource of the account, created for a test.
struct office_example {
  std::string id;
  std::string unit;  ///< of the resource, or for it
  std::string shown; ///< the path of a GET that shows the resource; empty: there is none
  std::string mark;  ///< a text that only responses about the resource contain
};

/// The path and the body of a route's request.
struct office_request {
  std::string method, path, body;
};

/// Signs a user in who has Ana's password. Returns the access token.
std::string token_of(office_fixture& office, const std::string& email);

/// A server with Ana's account, in which she has all permissions; a user of another account, and a user of
/// the role Owner in Ana's account to whom no property belongs, both with all permissions.
class office_world : public office_fixture {
public:
  explicit office_world(store_kind kind);

  /// Creates a resource as Ana; resets it if an account has exactly one.
  office_example make(office_kind kind);

  /// Changes the resource as Ana, so that its entity tag is outdated. Returns the name of the changed member;
  /// empty for kinds that do not change.
  std::string touch(office_kind kind, const office_example& about);

  /// Returns the request of a route about the resource. Texts without a resource are as they are.
  office_request request_of(const office_route& route, const office_example& about);

  /// Returns a condition that the resource's present state meets.
  header_fields state_of(const office_example& about);

  raw_response send_as(const std::string& user_token, const office_request& request,
                       header_fields fields = {}) const;
  raw_response send_as_ana(const office_request& request, const header_fields& fields = {}) const {
    return send_as(token, request, fields);
  }

  std::string stranger, owner; ///< access tokens

private:
  static std::map<std::string, std::string> settings();
  static std::vector<edit> people();
  std::string next_number() { return std::to_string(++number_); }

  /// Creates a resource and returns its id. Throws std::runtime_error when it is refused.
  std::string created(const std::string& path, const std::string& body);
  /// Sends a write in any state. Throws std::runtime_error when it is refused.
  raw_response written(const std::string& method, const std::string& path, const std::string& body = "");
  office_example make_unit();
  office_example make_part_of_unit(office_kind kind);
  office_example make_booking();
  office_example make_payment();
  office_example make_notification();
  office_example make_request();
  office_example make_key(const std::string& path);
  office_example make_card();

  unsigned number_ = 0;
  std::string property_, requested_;
};

} // namespace roost::testing
