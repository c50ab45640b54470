#include "portfolio/json_tree.hpp"

#include "domain/entered_text.hpp"
#include "json/long_numbers.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <cstring>
#include <memory_resource>
#include <vector>

namespace roost::portfolio {

namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t progress_step = 1 << 20;

/// The iterative parser needs no stack of its own for nesting; numbers come as text because money must be
/// read exactly.
constexpr unsigned parse_flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag |
                                 rapidjson::kParseNumbersAsStringsFlag;

/// Builds nodes from the parser's events.
class tree_builder : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, tree_builder> {
public:
  /// `document` has all numbers; the stream may have others of fewer digits at their places.
  tree_builder(std::string_view document, const rapidjson::MemoryStream& stream, std::string_view list,
               const json_consumer& consumer)
      : document_(document), stream_(stream), list_(list), consumer_(consumer) {}

  bool Null() { return add({.type = json_type::null}); }
  bool Bool(bool value) { return add({.type = json_type::boolean, .boolean = value}); }
  bool RawNumber(const char*, rapidjson::SizeType length, bool) {
    return add({.text = json::number_at(document_, stream_.Tell() - length), .type = json_type::number});
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return is_text({text, length}) && add({.text = keep({text, length}), .type = json_type::text});
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    if (!is_text({text, length})) return false;
    key_ = keep({text, length});
    return true;
  }
  bool StartObject() { return open(json_type::object); }
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray() { return open(json_type::array); }
  bool EndArray(rapidjson::SizeType) { return close(); }

  const json_node& root() const { return nodes_.front(); }

  /// Returns why an event was refused; empty if none was.
  std::string_view refusal() const { return refusal_; }

private:
  bool refuse(std::string_view reason) {
    refusal_ = reason;
    return false;
  }

  bool is_text(std::string_view text) {
    return json::holds_surrogate(text) ? refuse(json::half_surrogate_pair) : true;
  }

  /// Returns whether the parser is in an element of the list, whose memory ends with it.
  bool in_list() const { return list_node_ && open_.size() >= 2 && open_[1] == *list_node_; }

  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    auto& memory = in_list() ? element_memory_ : root_memory_;
    auto* copy = static_cast<char*>(memory.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
  }

  std::size_t append(json_node node) {
    const bool in_object = !open_.empty() && nodes_[open_.back()].type == json_type::object;
    if (in_object) node.key = key_;
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  bool add(const json_node& node) {
    finish(append(node));
    return true;
  }

  bool open(json_type type) {
    if (open_.size() == max_depth) return refuse("Nested too deep");
    // The bracket is the next character; close() completes the text.
    const auto at = append({.text = document_.substr(stream_.Tell()), .type = type});
    if (type == json_type::array && open_.size() == 1 && !list_.empty() && nodes_[at].key == list_) {
      list_node_ = at;
      elements_ = 0;
    }
    open_.push_back(at);
    return true;
  }

  bool close() {
    const auto at = open_.back();
    open_.pop_back();
    auto& node = nodes_[at];
    const auto begin = static_cast<std::size_t>(node.text.data() - document_.data());
    node.text = document_.substr(begin, stream_.Tell() + 1 - begin);
    node.span = static_cast<std::uint32_t>(nodes_.size() - at);
    finish(at);
    return true;
  }

  void finish(std::size_t at) {
    if (consumer_.progress && stream_.Tell() >= reported_ + progress_step) {
      reported_ = stream_.Tell();
      consumer_.progress(reported_);
    }
    if (!in_list() || open_.size() != 2) return;
    consumer_.element(elements_++, nodes_[at]);
    nodes_.resize(at);
    element_memory_.release();
  }

  std::string_view document_;
  const rapidjson::MemoryStream& stream_;
  std::string_view list_;
  const json_consumer& consumer_;
  std::vector<json_node> nodes_;
  std::vector<std::size_t> open_; ///< nodes that have not ended yet
  std::optional<std::size_t> list_node_;
  std::size_t elements_ = 0;
  std::size_t reported_ = 0;
  std::string_view key_;
  std::string_view refusal_;
  std::pmr::monotonic_buffer_resource root_memory_;
  std::pmr::monotonic_buffer_resource element_memory_{std::size_t{1} << 16};
};

struct parse_result {
  std::optional<json::syntax_error> error;
  rapidjson::ParseErrorCode code{};
};

/// Reads a document from `parsed`, in which numbers may be replaced.
parse_result read_json(std::string_view document, std::string_view parsed, std::string_view list,
                       const json_consumer& consumer) {
  rapidjson::MemoryStream stream{parsed.data(), parsed.size()};
  tree_builder builder{document, stream, list, consumer};
  rapidjson::Reader reader;
  const auto result = reader.Parse<parse_flags>(stream, builder);
  if (result.IsError()) {
    const auto text = builder.refusal().empty() ? std::string_view{rapidjson::GetParseError_En(result.Code())}
                                                : builder.refusal();
    return {json::error_at(document, result.Offset(), text), result.Code()};
  }
  // The parser treats a NUL as the end of its input.
  if (stream.Tell() != document.size())
    return {json::error_at(document, stream.Tell(), "Invalid value"), result.Code()};
  if (consumer.progress) consumer.progress(document.size());
  consumer.rest(builder.root());
  return {};
}

} // namespace

std::optional<json::syntax_error> read_json(std::string_view document, std::string_view list,
                                            const json_consumer& consumer) {
  document = domain::without_byte_order_mark(document);
  if (const auto result = read_json(document, document, list, consumer);
      result.code != rapidjson::kParseErrorNumberTooBig)
    return result.error;
  if (consumer.restart) consumer.restart();
  return read_json(document, json::without_long_numbers(document), list, consumer).error;
}

} // namespace roost::portfolio
