#include "portfolio/differences.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>

namespace roost::portfolio {

namespace {

rapidjson::Document tree_of(const std::string& json) {
  rapidjson::Document tree;
  tree.Parse<rapidjson::kParseFullPrecisionFlag>(json.data(), json.size());
  return tree;
}

bool is_scalar(const rapidjson::Value& value) { return !value.IsObject() && !value.IsArray(); }

std::string text_of(const rapidjson::Value& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer writer(text);
  value.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

class comparison {
public:
  void compare(const std::string& name, const std::string& before, const std::string& after) {
    if (before == after) return;
    if (name == "passwordHash" || name == "wifiPassword") {
      found_.push_back({name == "passwordHash" ? "password" : name, std::nullopt, std::nullopt});
      return;
    }
    const auto from = tree_of(before), to = tree_of(after);
    if (from.IsObject() && to.IsObject()) return compare_members(name, from, to);
    if (is_scalar(from) && is_scalar(to))
      found_.push_back({name, before, after});
    else
      found_.push_back({name, std::nullopt, std::nullopt});
  }

  std::vector<difference> take() { return std::move(found_); }

private:
  static const rapidjson::Value& member_of(const rapidjson::Value& object, const rapidjson::Value& name) {
    static const rapidjson::Value nothing;
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nothing : found->value;
  }

  void compare_members(const std::string& outer, const rapidjson::Value& from, const rapidjson::Value& to) {
    const auto compare_one = [&](const rapidjson::Value& name) {
      const auto &before = member_of(from, name), &after = member_of(to, name);
      if (before == after) return;
      const bool shown = is_scalar(before) && is_scalar(after);
      const auto text = [&](const rapidjson::Value& value) {
        return shown ? std::optional{text_of(value)} : std::nullopt;
      };
      found_.push_back({outer + '.' + name.GetString(), text(before), text(after)});
    };
    for (const auto& [name, value] : from.GetObject()) compare_one(name);
    for (const auto& [name, value] : to.GetObject())
      if (!from.HasMember(name)) compare_one(name);
  }

  std::vector<difference> found_;
};

std::string json_in(const written_members& object, std::string_view name) {
  const auto found = std::ranges::find(object, name, &written_member::name);
  if (found == object.end()) return "null";
  return found->elements.empty() ? found->json : on_one_line(found->elements);
}

} // namespace

std::vector<difference> differences(const written_members& before, const written_members& after) {
  comparison found;
  for (const auto& member : before)
    found.compare(std::string(member.name), json_in(before, member.name), json_in(after, member.name));
  for (const auto& member : after)
    if (std::ranges::find(before, member.name, &written_member::name) == before.end())
      found.compare(std::string(member.name), "null", json_in(after, member.name));
  return found.take();
}

} // namespace roost::portfolio
