#include "portfolio/write.hpp"

#include "portfolio/account.hpp"
#include "portfolio/parse.hpp"

namespace roost::portfolio {

file_writer::file_writer(std::function<void(std::string_view text)> out, password_hashes hashes)
    : out_(std::move(out)), hashes_(hashes) {
  text_ = "{";
  depth_ = 1;
  begin_member("format");
  append_quoted(text_, format_name);
  begin_member("accounts");
  begin("[");
}

void file_writer::begin_line() {
  if (!is_first_) text_ += ',';
  text_ += '\n';
  text_.append(depth_ * 2, ' ');
  is_first_ = false;
}

void file_writer::begin_member(std::string_view name) {
  begin_line();
  text_.append(1, '"').append(name).append("\": ");
}

/// Opens an object or a list.
void file_writer::begin(std::string_view bracket) {
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void file_writer::end(char bracket) {
  --depth_;
  if (!is_first_) text_.append(1, '\n').append(depth_ * 2, ' ');
  text_ += bracket;
  is_first_ = false;
}

template <typename Object, typename T>
void file_writer::members(const Object& object, const T& from) {
  const writing with{.password_hashes = hashes_ == password_hashes::written};
  for_each_member(object, [&](const auto& member) {
    if (!member.is_shown(from, with)) return;
    begin_member(member.name.view());
    if constexpr (requires { member.kind.elements; }) {
      begin("[");
      for (const auto& each : std::invoke(member.place, from)) element(*member.kind.elements, each);
      end(']');
    } else {
      member.write(text_, from, with);
    }
  });
}

template <typename Object, typename T>
void file_writer::element(const Object& object, const T& from) {
  begin_line();
  if (!object.object_hooks.has_lines) return write_on_one_line(text_, object, from, {});
  begin("{");
  members(object, from);
  end('}');
  flush();
}

void file_writer::begin_account(const domain::portfolio_account& account) {
  begin_line();
  begin("{");
  members(objects::account_object, account);
  add_usage(account.ai_usage);
  flush();
}

void file_writer::add_usage(std::span<const domain::ai_usage_record> records) {
  if (records.empty()) return;
  if (!in_usage_) {
    begin_member("aiUsage");
    begin("[");
  }
  in_usage_ = true;
  for (const auto& each : records) element(objects::usage_object, each);
  flush();
}

void file_writer::end_account() {
  if (in_usage_) end(']');
  in_usage_ = false;
  end('}');
  flush();
}

void file_writer::finish() {
  end(']');
  text_ += "\n}\n";
  flush();
}

void file_writer::flush() {
  out_(text_);
  text_.clear();
}

std::string written(const domain::portfolio& file, password_hashes hashes) {
  std::string text;
  file_writer writer([&](std::string_view piece) { text += piece; }, hashes);
  for (const auto& account : file.accounts) {
    writer.begin_account(account);
    writer.end_account();
  }
  writer.finish();
  return text;
}

} // namespace roost::portfolio
