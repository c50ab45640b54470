#include "service/support/assistant.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

/// Every command that prints a list, in its formats for people and programs.
namespace roost::testing::lists_test {
using ::testing::HasSubstr;

using fields = std::vector<std::string>;

/// Converts a value of a list's JSON to the expected CSV field (README, Commands).
std::string in_csv(const rapidjson::Value& value) {
  if (value.IsNull()) return "";
  if (value.IsString()) {
    const std::string text = value.GetString();
    return text.find_first_of("=+-@\t\r") == 0 ? "'" + text : text;
  }
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  value.Accept(writer);
  return text.GetString();
}

/// Parses a JSON array of objects into a row of member names and a row of values per object.
std::vector<fields> rows_of_json(const std::string& text) {
  rapidjson::Document list;
  if (list.Parse(text.data(), text.size()).HasParseError() || !list.IsArray()) return {{text}};
  std::vector<fields> rows;
  for (const auto& object : list.GetArray()) {
    fields names, values;
    for (const auto& member : object.GetObject()) {
      names.emplace_back(member.name.GetString());
      values.push_back(in_csv(member.value));
    }
    if (rows.empty()) rows.push_back(names);
    EXPECT_EQ(names, rows.front());
    rows.push_back(values);
  }
  return rows;
}

/// Parses CSV (RFC 4180) after a byte order mark, without which spreadsheets misread accents.
std::vector<fields> rows_of_csv(const std::string& marked) {
  EXPECT_EQ(marked.substr(0, 3), "\xef\xbb\xbf");
  const auto text = marked.substr(3);
  std::vector<fields> rows(1, fields(1));
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      rows.back().back() += text[i++];
    else if (c == '"')
      is_quoted = !is_quoted;
    else if (!is_quoted && c == ',')
      rows.back().emplace_back();
    else if (!is_quoted && c == '\n')
      rows.emplace_back(1);
    else if (is_quoted || c != '\r')
      rows.back().back() += c;
  }
  EXPECT_EQ(rows.back(), fields(1)) << "the last line is not terminated";
  rows.pop_back();
  return rows;
}

fields split(const std::string& names) {
  fields parts(1);
  for (const char c : names)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

struct list_command {
  command_words arguments; ///< after the command's own words
  std::string columns;
  bool has_same_values = true; ///< false for values that change between calls or are JSON
};

/// The columns of every command that prints a list.
const std::map<std::string, list_command> lists{
    {"account list", {{}, "id,company,currency,users,properties,units"}},
    {"property list", {{}, "id,account,name,type,city,units,archived"}},
    {"unit list",
     {{}, "id,account,property,name,kind,city,capacity,rent,lowest_rent,highest_rent,currency,archived"}},
    {"unit calendar", {{unit_id(1), "--months", "12"}, "first_night,last_night,by,id,platform"}},
    {"booking list",
     {{}, "id,status,check_in,check_out,account,unit,unit_name,guest,platform,reference,created_at"}},
    {"request list", {{}, "id,status,received_at,platform,external_id,check_in,check_out,reference,reason"}},
    {"notification list", {{}, "created_at,account,kind,title,body,booking,request"}},
    {"changelog", {{unit_id(1)}, "changed_at,changed_by,field,before,after"}},
    {"mail list",
     {{}, "id,created_at,to,subject,state,attempts,last_error,sent_at,next_attempt_at,given_up_at"}},
    {"audit list", {{}, "made_at,actor,action,subject,detail"}},
    {"doctor", {{}, "state,subject,finding,advice", false}},
    {"token list", {{}, "id,platform,label,issued_at,expires_at,last_used_at,ended_at"}},
    {"key list", {{}, "id,account,last4,label,created_at,last_used_at,ended_at"}},
    {"webhook-key list", {{}, "id,last4,label,created_at,last_used_at,ended_at"}},
    {"usage-key list", {{}, "id,last4,label,created_at,last_used_at,ended_at"}},
    {"tool-server-key list", {{}, "id,last4,resource,label,created_at,last_used_at,ended_at"}},
    {"api-key list", {{}, "id,last4,user,name,resource,created_at,last_used_at,ended_at"}},
    {"session list", {{}, "id,email,created_at,last_used_at,address,browser"}},
    {"connector list", {{}, "id,email,client_id,created_at,last_used_at"}},
    {"ai-area list", {{account_id}, "area,level"}},
    {"routes", {{}, "method,path,needs"}},
    {"import", {{"--plan", "next.json"}, "file,account,action,part,name,id,member,from,to", false}},
};

/// Fills the store with a row for each list and stops the server, so that nothing changes afterwards.
workplace& fill_store(management_fixture& fixture) {
  auto& place = fixture.place;
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  assistant(fixture).connect(ana);
  const auto partner = fixture.server->partner_of("marketplace-a");
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  fixture.server->wait_for_event("booking_created");
  EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U);
  fixture.server->wait_for_event("booking_refused");
  const auto engine = fixture.server->partner_of("booking-engine");
  EXPECT_EQ(engine.put("/listing", listing_update("u1", {{"/rent", "701"}})).status, 200U);
  place.issue_account_key(account_id);
  for (const auto* kind : {"webhook-key", "usage-key", "tool-server-key"})
    place.run_or_throw({kind, "issue", "--label", "=1+1, \"quoted\""});
  place.run_or_throw({"api-key", "issue", "ana@casaverde.example"});
  place.folder().write("next.json", portfolio_of(2));
  EXPECT_EQ(fixture.server->stop(), 0);
  fixture.server.reset();
  return place;
}

ROOST_FOR_EACH_STORE(Lists);
ROOST_FOR_SQLITE(HelpOfLists);

TEST_P(HelpOfLists, OffersListFormatsForExactlyTheLists) {
  const workplace place(GetParam());
  std::vector<std::string> offering, known;
  for (const auto& command : all_commands(place))
    if (help_of(place, command).find("--csv ") != std::string::npos) offering.push_back(joined(command));
  for (const auto& [command, list] : lists) known.push_back(command);
  EXPECT_THAT(offering, ::testing::UnorderedElementsAreArray(known));
  for (const auto& command : all_commands(place))
    if (command.back() == "list") {
      EXPECT_TRUE(lists.contains(joined(command))) << joined(command);
    }
}

TEST_P(Lists, AreTheSameAsJsonAndCsv) {
  auto fixture = connector_fixture(GetParam());
  const auto& place = fill_store(fixture);
  for (const auto& [name, list] : lists) {
    command_words words;
    std::istringstream stream(name);
    for (std::string word; stream >> word;) words.push_back(word);
    words.insert(words.end(), list.arguments.begin(), list.arguments.end());
    const auto printed_as = [&](const char* format) {
      auto arguments = words;
      arguments.emplace_back(format);
      return place.run_or_throw(arguments);
    };
    const auto json = rows_of_json(printed_as("--json")), csv = rows_of_csv(printed_as("--csv"));
    ASSERT_GE(json.size(), 2U) << name << " is empty";
    EXPECT_EQ(json.front(), split(list.columns)) << name;
    EXPECT_EQ(csv.front(), json.front()) << name;
    EXPECT_EQ(csv.size(), json.size()) << name;
    if (list.has_same_values) {
      EXPECT_EQ(csv, json) << name;
    }
    EXPECT_NE(place.run_or_throw(words), "") << name;
  }
}

TEST_P(Lists, AreReadableForPropertiesAreasAndAccounts) {
  const workplace place(GetParam());
  place.import(portfolio_of(2, {{account_pointer + "/aiAreas", R"({"bookings":"read-only"})"}}));
  EXPECT_EQ(place.run_or_throw({"property", "list"}),
            "33333333-0000-4000-8000-000000000001  Calle Mayor 12  apartment  Madrid  2 units\n");
  EXPECT_EQ(place.run_or_throw({"property", "list", "--account", account_id}),
            place.run_or_throw({"property", "list"}));
  EXPECT_EQ(place.run({"property", "list", "--account", unit_id(1)}).errors,
            "roost: there is no account with the id " + unit_id(1) + "\n");
  EXPECT_EQ(
      place.run_or_throw({"account", "show", account_id}),
      "Account        " + account_id +
          "\nCompany        Casa Verde Rentals\nCurrency       EUR\nProperties     1\nUnits          2\n"
          "User           ana@casaverde.example  Admin\n");
  EXPECT_EQ(place.run({"account", "show", unit_id(1)}).errors,
            "roost: there is no account with the id " + unit_id(1) + "\n");
  EXPECT_THAT(place.run_or_throw({"ai-area", "list", account_id}), HasSubstr("bookings  read-only\n"));
  place.run_or_throw({"ai-area", "set", account_id, "bookings", "edit"});
  EXPECT_THAT(place.run_or_throw({"ai-area", "list", account_id}), HasSubstr("bookings  edit\n"));
}

} // namespace roost::testing::lists_test
