#include "store/copy/canonical_json.hpp"

#include "domain/decimal.hpp"
#include "store/database/error.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <map>
#include <vector>

namespace roost::store {

namespace {

constexpr unsigned how_to_read = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseValidateEncodingFlag;

template <typename Handler>
void read_json(std::string_view text, Handler& with) {
  rapidjson::MemoryStream from(text.data(), text.size());
  rapidjson::Reader reader;
  if (!reader.Parse<how_to_read>(from, with)) throw failure("a column holds what is no JSON");
}

std::string in_json_quotes(const char* text, rapidjson::SizeType length) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  writer.String(text, length);
  return {out.GetString(), out.GetSize()};
}

/// The library's own writer puts a number that was kept as text into quotes.
class compact_writer : public rapidjson::Writer<rapidjson::StringBuffer> {
public:
  explicit compact_writer(rapidjson::StringBuffer& to) : rapidjson::Writer<rapidjson::StringBuffer>(to) {}
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    return RawValue(text, length, rapidjson::kNumberType);
  }
};

/// Collects the members of every open object, and writes those of one that closes in their order.
class canonical_writer : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, canonical_writer> {
public:
  bool Null() { return put("null"); }
  bool Bool(bool flag) { return put(flag ? "true" : "false"); }
  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const auto number = domain::parse_decimal({text, length});
    if (!number) return false;
    if (number->digits.empty()) return put("0");
    return put((number->negative ? "-" : "") + number->digits + 'e' + std::to_string(number->exponent));
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return put(in_json_quotes(text, length));
  }
  bool StartObject() { return open_.emplace_back(), true; }
  bool StartArray() { return open_.emplace_back(), true; }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    open_.back().name = in_json_quotes(text, length);
    return true;
  }
  bool EndObject(rapidjson::SizeType) {
    std::string text = "{";
    for (const auto& [name, value] : open_.back().members)
      text.append(text.size() > 1 ? "," : "").append(name).append(":").append(value);
    open_.pop_back();
    return put(text + '}');
  }
  bool EndArray(rapidjson::SizeType) {
    auto text = '[' + open_.back().elements + ']';
    open_.pop_back();
    return put(std::move(text));
  }

  std::string finished;

private:
  struct part {
    std::string name; ///< of the member that comes; empty in an array
    std::map<std::string, std::string> members;
    std::string elements;
  };

  bool put(std::string value) {
    if (open_.empty()) {
      finished = std::move(value);
    } else if (auto& in = open_.back(); !in.name.empty()) {
      in.members.insert_or_assign(in.name, std::move(value));
    } else {
      in.elements.append(in.elements.empty() ? "" : ",").append(value);
    }
    return true;
  }

  std::vector<part> open_;
};

} // namespace

std::string compact_json(std::string_view text) {
  rapidjson::StringBuffer out;
  compact_writer writer(out);
  read_json(text, writer);
  return {out.GetString(), out.GetSize()};
}

std::string canonical_json(std::string_view text) {
  canonical_writer writer;
  read_json(text, writer);
  return std::move(writer.finished);
}

} // namespace roost::store
