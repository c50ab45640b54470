#include "http/management/usage_submission.hpp"

#include "http/json/json_fault.hpp"
#include "http/json/message_list.hpp"
#include "portfolio/usage_records.hpp"

#include <string>

namespace roost::http {

namespace {

constexpr std::size_t max_records = 1000;

std::string fault_of(const portfolio::json_error& error) {
  return error.text + ", at line " + std::to_string(error.line) + ", column " + std::to_string(error.column);
}

void replace_all(std::string& in, std::string_view what, std::string_view with) {
  for (auto at = in.find(what); at != std::string::npos; at = in.find(what, at + with.size()))
    in.replace(at, what.size(), with);
}

/// A JSON pointer (RFC 6901) as the path of other messages: `/3/cost` is `3.cost`.
std::string path_of(std::string pointer) {
  replace_all(pointer, "/", ".");
  replace_all(pointer, "~1", "/");
  replace_all(pointer, "~0", "~");
  return pointer.empty() ? "The body" : pointer.substr(1);
}

} // namespace

std::vector<domain::ai_usage_record>
parse_usage_submission(std::string_view body, domain::timestamp now,
                       const std::function<bool(const domain::uuid&)>& has_account) {
  auto read = portfolio::parse_usage_records(body, max_records, now);
  if (read.broken) throw malformed_json(fault_of(*read.broken));
  message_list messages;
  for (auto& problem : read.problems)
    messages.refuse(path_of(std::move(problem.pointer)) + ' ' + problem.text);
  messages.throw_if_any();
  const bool is_array = body[body.find_first_not_of(" \t\r\n")] == '[';
  for (std::size_t i = 0; i < read.records.size(); ++i)
    if (const auto& account = read.records[i].account_id; account && !has_account(*account))
      messages.refuse((is_array ? std::to_string(i) + '.' : "") + "accountId is not the id of an account");
  messages.throw_if_any();
  return std::move(read.records);
}

} // namespace roost::http
