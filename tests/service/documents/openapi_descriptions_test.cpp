#include "service/support/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

/// The descriptions of fields and parameters in the OpenAPI documents.
namespace roost::testing::openapi_descriptions_test {
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A field of a schema, or a parameter of an operation.
struct documented_field {
  std::string place, name;
  const rapidjson::Value* value;

  std::string full_name() const { return place + "." + name; }

  std::string description() const {
    const auto member = value->FindMember("description");
    return member == value->MemberEnd() ? "" : member->value.GetString();
  }

  bool is_of_type(std::string_view type) const {
    const auto member = value->FindMember("type");
    if (member == value->MemberEnd()) return false;
    if (member->value.IsString()) return member->value.GetString() == type;
    return std::ranges::any_of(member->value.GetArray(),
                               [&](const auto& each) { return each == type.data(); });
  }
};

void add_fields(const rapidjson::Value& in, const std::string& place, std::vector<documented_field>& to) {
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

std::vector<documented_field> fields_of(const openapi& spec) {
  std::vector<documented_field> all;
  for (const auto& schema : (*spec.at({"components", "schemas"})).GetObject())
    add_fields(schema.value, schema.name.GetString(), all);
  for (const auto& [method, path] : spec.operations())
    if (const auto* parameters = spec.at({"paths", path, method, "parameters"}))
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

/// Whether the field has no description, or one that only repeats its name.
bool is_undescribed(const documented_field& field) {
  const auto description = letters_of(field.description());
  return description.empty() || description == letters_of(field.name);
}

bool has_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; });
}

/// Whether the name suggests an amount of money: a number with one of these words, or a string that ends with
/// one.
bool is_amount(const documented_field& field) {
  const auto name = letters_of(field.name);
  if (field.is_of_type("number") || field.is_of_type("integer"))
    return name == "monthly" || name == "input" || name == "output" ||
           has_one_of(name, {"rent", "price", "fee", "deposit", "cost", "value", "amount", "commission",
                             "payment", "cleaning", "billsmax", "bookingtotal"});
  return field.is_of_type("string") &&
         std::ranges::any_of(std::initializer_list<const char*>{"price", "fee", "deposit", "amount", "total"},
                             [&](const char* word) { return name.ends_with(word); });
}

/// Whether the description names the currency; unused fields need none.
bool names_currency(const documented_field& field) {
  const auto description = field.description();
  return has_one_of(description, {"currency", "US dollars"}) || description.starts_with("Accepted, not used");
}

template <typename Condition>
std::vector<std::string> names_of(const openapi& spec, Condition condition) {
  std::vector<std::string> names;
  for (const auto& field : fields_of(spec))
    if (condition(field)) names.push_back(field.full_name());
  return names;
}

bool is_vague_amount(const documented_field& field) { return is_amount(field) && !names_currency(field); }

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

TEST_F(OpenApiDescriptions, ExistForEveryFieldAndParameter) { expect_none(is_undescribed); }

TEST_F(OpenApiDescriptions, NameTheCurrencyOfAmounts) { expect_none(is_vague_amount); }

TEST(OpenApiDescriptionsReader, FindsFieldsAndParametersWithoutADescription) {
  const openapi spec(R"({"paths":{"/x":{"get":{"parameters":[{"name":"a","description":"It"},{"name":"b"}]}}},
    "components":{"schemas":{"Row":{"type":"object","properties":{"good":{"description":"All"},
    "properties":{"type":"array","description":"Properties","items":{"properties":{"deep":{"type":"string"}}}}}}}}})");
  EXPECT_THAT(names_of(spec, is_undescribed),
              UnorderedElementsAre("get /x.b", "Row.properties", "Row.properties.deep"));
}

TEST(OpenApiDescriptionsReader, FindsAmountsWithoutACurrency) {
  const openapi spec(R"({"paths":{},"components":{"schemas":{"Row":{"type":"object","properties":{
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
  EXPECT_THAT(names_of(spec, is_vague_amount),
              UnorderedElementsAre("Row.rent", "Row.admin_fee", "Row.booking_price", "Row.perMTok.input"));
}

} // namespace roost::testing::openapi_descriptions_test
