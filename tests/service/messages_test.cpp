#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

/// The messages with which commands refuse and fail, against the table of the operations manual.
namespace roost::testing::messages_test {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A message as its source has it: its literals, with `…` for what stands between them.
struct message {
  std::string text, file;
};

/// What is thrown as one of these exceptions in the sources of a folder.
std::vector<message> thrown_in(const std::string& folder, const std::string& exceptions) {
  const std::regex thrown{"throw (?:std::|store::)?(?:" + exceptions +
                          R"re()[({]((?:[^;"]|"(?:[^"\\]|\\.)*")*);)re"},
      literal{R"re("((?:[^"\\]|\\.)*)")re"}, between{R"(^[\s]*$)"};
  std::vector<message> found;
  for (const auto& entry : std::filesystem::directory_iterator(ROOST_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const auto source = text_of(entry.path());
    for (std::sregex_iterator each{source.begin(), source.end(), thrown}, end; each != end; ++each) {
      const std::string expression = (*each)[1];
      std::string text;
      for (std::sregex_iterator part{expression.begin(), expression.end(), literal}; part != end; ++part) {
        const std::string gap = part->prefix();
        if (!std::regex_match(gap, between) && gap != "std::string(")
          text += "…"; // adjacent ones are one literal
        text += (*part)[1];
      }
      if (std::ranges::count_if(text, [](unsigned char c) { return std::isalpha(c) != 0; }) > 3)
        found.push_back({text, entry.path().filename().string()});
    }
  }
  return found;
}

/// The phrases of the table "Messages of commands".
std::vector<std::string> phrases() {
  const auto manual = text_of(ROOST_SOURCE_DIR "/docs/operations.md");
  const auto begin = manual.find("### Messages of commands"), end = manual.find("### What partners report");
  std::istringstream rows(manual.substr(begin, end - begin));
  std::vector<std::string> found;
  const std::regex phrase{"`([^`]+)`"};
  for (std::string row; std::getline(rows, row);) {
    if (!row.starts_with("| `")) continue;
    const auto messages = row.substr(0, row.find(" | ", 2));
    for (std::sregex_iterator each{messages.begin(), messages.end(), phrase}, last; each != last; ++each)
      found.push_back((*each)[1]);
  }
  return found;
}

/// The texts between the gaps of a phrase or a message.
std::vector<std::string> parts_of(std::string text) {
  std::vector<std::string> parts;
  const std::string gap = "…";
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(gap, at), text.size());
    auto part = text.substr(at, end - at);
    part.erase(0, part.find_first_not_of(" :;,."));
    part.erase(part.find_last_not_of(" :;,.") + 1);
    if (!part.empty()) parts.push_back(part);
    at = end + gap.size();
  }
  return parts;
}

/// Whether a text has all these parts in their order.
bool has_all(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  return !parts.empty() && std::ranges::all_of(parts, [&](const std::string& part) {
    const auto found = text.find(part, at);
    if (found == std::string::npos) return false;
    at = found + part.size();
    return true;
  });
}

/// Whether somebody who looks for the message finds the phrase: one has all parts of the other, or the phrase
/// has the beginning of one of the message's.
bool leads_to(const std::string& message, const std::string& phrase) {
  const auto told = parts_of(message);
  if (has_all(message, parts_of(phrase)) || has_all(phrase, told)) return true;
  constexpr std::size_t telling = 15;
  return std::ranges::any_of(told, [&](const std::string& part) {
    const auto clause = part.substr(0, part.find_first_of(":;,"));
    return clause.size() >= telling && phrase.find(clause) != std::string::npos;
  });
}

TEST(MessagesOfCommands, AreAllInTheOperationsManual) {
  auto messages = thrown_in("src/cli", "runtime_error");
  EXPECT_GT(messages.size(), 35U);
  for (auto& each : thrown_in("src/store/database", "unavailable|no_store|schema_mismatch"))
    messages.push_back(std::move(each));
  EXPECT_GT(messages.size(), 50U);
  const auto known = phrases();
  EXPECT_GT(known.size(), 80U);
  for (const auto& each : messages)
    EXPECT_TRUE(std::ranges::any_of(known, [&](const auto& phrase) { return leads_to(each.text, phrase); }))
        << each.file << ": " << each.text;
}

TEST(MessagesOfCommands, AreMissedWhereTheyAreNotInTheManual) {
  const auto known = phrases();
  for (const auto* text : {"the cellar is under water", "there is no live goat with the id …"})
    EXPECT_TRUE(std::ranges::none_of(known, [&](const auto& phrase) { return leads_to(text, phrase); }))
        << text;
}

} // namespace roost::testing::messages_test
