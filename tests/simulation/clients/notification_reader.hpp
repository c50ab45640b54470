#pragma once

#include "simulation/clients/office_client.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace roost::testing {

/// A member of a landlord's office who reads notifications and marks them as read, as the only user of the
/// account. A notification that was shown is in each later response that covers its time, once, and is read
/// if and only if this was acknowledged.
class notification_reader final : public office_client {
public:
  notification_reader(history& in, std::string name, std::shared_ptr<known_user> user,
                      std::string listing_token, unsigned units);

  std::vector<std::string> differences(store::session& db) const override;

private:
  enum class mark { unread, read, unknown };

  struct known_notification {
    std::string created_at;
    mark state = mark::unread;
    unsigned version = 0; ///< the number of changes of this knowledge
  };

  /// A page of a list, newest first.
  struct page {
    std::map<std::string, std::pair<std::string, bool>> items; ///< time and read mark by id
    std::pair<std::string, std::string> last;                  ///< time and id of the last item
    std::string next;                                          ///< empty: it is the last page
  };

  void forget() override;
  client_task<> act_once() override;
  client_task<> verify() override;
  client_task<> mark_some();
  client_task<> mark_older();
  client_task<> send_marks(std::string body, std::set<std::string> ids);

  client_task<bool> read_page(std::string filter, std::string& after);
  page parse(const std::string& body);
  void compare(const page& shown, const std::string& filter,
               const std::map<std::string, known_notification>& before, const std::string& after);
  void take(const page& shown);
  void set_state(const std::set<std::string>& ids, mark state);
  bool may_be_read(const std::string& id, const std::string& created_at) const;

  std::map<std::string, known_notification> known_; ///< by id
  // All requests so far; never forgotten.
  std::set<std::string> marked_;
  std::string marked_before_; ///< the latest time
};

} // namespace roost::testing
