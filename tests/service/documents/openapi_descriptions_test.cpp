#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

/// What the OpenAPI documents say of fields and parameters in words.
namespace roost::testing::openapi_descriptions_test {
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A field of a schema, or a parameter of an operation.
struct told_field {
  std::string place, name;
  const rapidjson::Value* value;

  std::string full_name() const { return place + "." + name; }

  std::string description() const {
    const auto found = value->FindMember("description");
    return found == value->MemberEnd() ? "" : found->value.GetString();
  }

  bool is_of_type(std::string_view type) const {
    const auto found = value->FindMember("type");
    if (found == value->MemberEnd()) return false;
    if (found->value.IsString()) return found->value.GetString() == type;
    return std::ranges::any_of(found->value.GetArray(),
                               [&](const auto& each) { return each == type.data(); });
  }
};

void add_fields(const rapidjson::Value& in, const std::string& place, std::vector<told_field>& to) {
  if (in.IsArray())
    for (const auto& each : in.GetArray()) add_fields(each, place, to);
  if (!in.IsObject()) return;
  for (const auto& member : in.GetObject()) {
    const std::string name = member.name.GetString();
    if (name == "properties")
      for (const auto& field : member.value.GetObject()) {
        to.push_back({place, field.name.GetString(), &field.value});
        add_fields(field.value, place + "." + field.name.GetString(), to);
      }
    else if (name != "examples")
      add_fields(member.value, place, to);
  }
}

std::vector<told_field> fields_of(const openapi& told) {
  std::vector<told_field> all;
  for (const auto& schema : (*told.at({"components", "schemas"})).GetObject())
    add_fields(schema.value, schema.name.GetString(), all);
  for (const auto& [method, path] : told.operations())
    if (const auto* parameters = told.at({"paths", path, method, "parameters"}))
      for (const auto& parameter : parameters->GetArray())
        all.push_back({method + " " + path, parameter["name"].GetString(), &parameter});
  return all;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const unsigned char c : text)
    if (std::isalnum(c)) letters += static_cast<char>(std::tolower(c));
  return letters;
}

/// Without a description, or with one that says no more than the name.
bool is_undescribed(const told_field& field) {
  const auto said = letters_of(field.description());
  return said.empty() || said == letters_of(field.name);
}

bool has_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

/// By its name: a number with one of these words, or a text that ends with one.
bool is_amount(const told_field& field) {
  const auto name = letters_of(field.name);
  if (field.is_of_type("number") || field.is_of_type("integer"))
    return name == "monthly" || name == "input" || name == "output" ||
           has_one_of(name, {"rent", "price", "fee", "deposit", "cost", "value", "amount", "commission",
                             "payment", "cleaning", "billsmax", "bookingtotal"});
  return field.is_of_type("string") &&
         std::ranges::any_of(std::initializer_list<const char*>{"price", "fee", "deposit", "amount", "total"},
                             [&](const char* word) { return name.ends_with(word); });
}

/// What is not used has no unit.
bool says_its_currency(const told_field& field) {
  const auto said = field.description();
  return has_one_of(said, {"currency", "US dollars"}) || said.starts_with("Accepted, not used");
}

template <typename Condition>
std::vector<std::string> names_of(const openapi& told, Condition condition) {
  std::vector<std::string> names;
  for (const auto& field : fields_of(told))
    if (condition(field)) names.push_back(field.full_name());
  return names;
}

bool is_vague_amount(const told_field& field) { return is_amount(field) && !says_its_currency(field); }

class OpenApiDescriptions : public ::testing::Test {
protected:
  template <typename Condition>
  void expect_none(Condition condition) {
    for (const auto& document : partner_documents_with({"ical-integration", "management"}))
      EXPECT_THAT(names_of(document_of(server_, document), condition), IsEmpty()) << document;
  }

  workplace place_{store_kind::sqlite};
  running_roost server_{place_};
};

TEST_F(OpenApiDescriptions, AreThereForEveryFieldAndEveryParameter) { expect_none(is_undescribed); }

TEST_F(OpenApiDescriptions, OfAmountsSayTheirCurrency) { expect_none(is_vague_amount); }

TEST(OpenApiDescriptionsReader, SeesFieldsAndParametersWithoutADescription) {
  const openapi told(R"({"paths":{"/x":{"get":{"parameters":[{"name":"a","description":"It"},{"name":"b"}]}}},
    "components":{"schemas":{"Row":{"type":"object","properties":{"good":{"description":"All"},
    "properties":{"type":"array","description":"Properties","items":{"properties":{"deep":{"type":"string"}}}}}}}}})");
  EXPECT_THAT(names_of(told, is_undescribed),
              UnorderedElementsAre("get /x.b", "Row.properties", "Row.properties.deep"));
}

TEST(OpenApiDescriptionsReader, SeesAmountsWithoutACurrency) {
  const openapi told(R"({"paths":{},"components":{"schemas":{"Row":{"type":"object","properties":{
    "rent":{"type":"number","description":"A month"},
    "minRent":{"type":["number","null"],"description":"A month, in the landlord's currency"},
    "admin_fee":{"type":["integer","null"],"description":"Once"},
    "booking_price":{"type":"string","description":"Cents"},
    "booking_fee":{"type":"string","description":"Accepted, not used"},
    "pricingType":{"type":"string","description":"flat or monthly"},
    "rentFixed":{"type":"boolean","description":"Or by month"},
    "outputTokens":{"type":"integer","description":"Made by the model"},
    "perMTok":{"type":"object","description":"Rates","properties":{
      "input":{"type":"number","description":"For a million tokens"}}}}}}}})");
  EXPECT_THAT(names_of(told, is_vague_amount),
              UnorderedElementsAre("Row.rent", "Row.admin_fee", "Row.booking_price", "Row.perMTok.input"));
}

} // namespace roost::testing::openapi_descriptions_test
