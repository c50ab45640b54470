#include "bytes/shared_body.hpp"

#include <utility>

namespace roost::bytes {

shared_body::shared_body(std::string_view bytes) {
  memory_writer all;
  all.append(bytes);
  append({all.seal(), 0, bytes.size()});
}

/// Where it follows the last part in memory, both become one: a part is a system call for each reader.
void shared_body::append(part next) {
  if (next.size == 0) return;
  size_ += next.size;
  if (!parts_.empty()) {
    auto& last = parts_.back();
    if (last.memory == next.memory && last.at + last.size == next.at) {
      last.size += next.size;
      return;
    }
  }
  parts_.push_back(std::move(next));
}

std::string to_string(const shared_body& body) {
  std::string all;
  all.reserve(body.size());
  for (const auto& part : body.parts()) all += part.bytes();
  return all;
}

shared_body::part body_writer::append(std::string_view bytes) {
  shared_body::part part{nullptr, own_.size(), bytes.size()};
  own_.append(bytes);
  body_.append(part);
  return part;
}

void body_writer::append(const shared_body::part& of_another) { body_.append(of_another); }

shared_body body_writer::finish() {
  own_memory_ = own_.seal();
  for (auto& part : body_.parts_)
    if (!part.memory) part.memory = own_memory_;
  return std::move(body_);
}

} // namespace roost::bytes
