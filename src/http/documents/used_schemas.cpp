#include "http/documents/used_schemas.hpp"

#include <simdjson.h>

#include <stdexcept>
#include <utility>

namespace roost::http {

namespace {

class schema_writer {
public:
  schema_writer(json::writer& to, std::set<std::string> names,
                const std::map<std::string, std::string>& examples)
      : json_(to), used_(std::move(names)), examples_(examples) {}

  void write(simdjson::dom::object all) {
    std::set<std::string> written;
    json_.begin_object();
    while (written != used_) {
      const auto referenced = used_;
      for (const auto& name : referenced) {
        if (!written.insert(name).second) continue;
        simdjson::dom::element schema;
        if (all[name].get(schema)) throw std::logic_error("there is no OpenAPI schema " + name);
        note_references(schema);
        json_.data_key(name);
        write_schema(schema);
      }
    }
    json_.end_object();
  }

private:
  void write_schema(const simdjson::dom::element& schema) {
    json_.begin_object();
    for (const auto& [name, content] : simdjson::dom::object(schema)) {
      json_.data_key(name);
      simdjson::dom::array examples;
      if (name != "examples" || content.get(examples)) {
        json_.raw(simdjson::minify(content));
        continue;
      }
      json_.begin_array();
      for (const auto example : examples) write_example(example);
      json_.end_array();
    }
    json_.end_object();
  }

  void write_example(const simdjson::dom::element& example) {
    simdjson::dom::object fields;
    if (example.get(fields)) return json_.raw(simdjson::minify(example));
    json_.begin_object();
    for (const auto& [name, content] : fields) {
      json_.data_key(name);
      const auto own = examples_.find(std::string{name});
      own == examples_.end() ? json_.raw(simdjson::minify(content)) : json_.value(own->second);
    }
    json_.end_object();
  }

  void note_references(const simdjson::dom::element& in) {
    simdjson::dom::array elements;
    simdjson::dom::object members;
    if (!in.get(elements))
      for (const auto each : elements) note_references(each);
    if (in.get(members)) return;
    for (const auto& [name, content] : members) {
      std::string_view reference;
      if (name == "$ref" && !content.get(reference))
        used_.emplace(reference.substr(schema_prefix.size()));
      else
        note_references(content);
    }
  }

  json::writer& json_;
  std::set<std::string> used_; ///< names of schemas
  const std::map<std::string, std::string>& examples_;
};

} // namespace

void write_used_schemas(json::writer& to, const json::schemas& all, std::set<std::string> names,
                        const std::map<std::string, std::string>& examples) {
  const auto text = all.text();
  simdjson::dom::parser parser;
  simdjson::dom::object described;
  if (parser.parse(text).get(described)) throw std::logic_error("an OpenAPI schema is not JSON");
  schema_writer(to, std::move(names), examples).write(described);
}

} // namespace roost::http
