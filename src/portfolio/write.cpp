#include "portfolio/write.hpp"

namespace roost::portfolio {

file_writer::file_writer(std::function<void(std::string_view text)> out, password_hashes hashes)
    : out_(std::move(out)), hashes_(hashes) {
  text_ = "{";
  depth_ = 1;
  line(R"("format": "roost-portfolio/1")");
  begin_list("accounts");
}

void file_writer::line(std::string_view text) {
  if (!is_first_) text_ += ',';
  text_ += '\n';
  text_.append(depth_ * 2, ' ').append(text);
  is_first_ = false;
}

void file_writer::begin_list(std::string_view name) {
  line(json_of(name) + ": [");
  ++depth_;
  is_first_ = true;
}

void file_writer::end_list() {
  --depth_;
  if (!is_first_) text_.append(1, '\n').append(depth_ * 2, ' ');
  text_ += ']';
  is_first_ = false;
}

void file_writer::begin_element() {
  line("{");
  ++depth_;
  is_first_ = true;
}

void file_writer::end_element() {
  --depth_;
  text_.append(1, '\n').append(depth_ * 2, ' ') += '}';
  is_first_ = false;
}

void file_writer::members(const written_members& object) {
  for (const auto& [name, json, elements] : object) {
    if (elements.empty()) {
      line(json_of(name) + ": " + json);
      continue;
    }
    begin_list(name);
    for (const auto& each : elements) line(each);
    end_list();
  }
}

void file_writer::user(const domain::portfolio_user& user) {
  begin_element();
  members(members_of(user.details, hashes_, defaults::left_out));
  end_element();
}

void file_writer::property(const domain::portfolio_property& property) {
  begin_element();
  members(members_of(property.details, defaults::left_out));
  if (!property.units.empty()) {
    begin_list("units");
    for (const auto& unit : property.units) {
      begin_element();
      members(members_of(unit, defaults::left_out));
      end_element();
      flush();
    }
    end_list();
  }
  end_element();
}

void file_writer::begin_account(const domain::portfolio_account& account) {
  begin_element();
  members(members_of(account.details, defaults::left_out));
  member_list cards(defaults::left_out);
  cards.put_list("platformCards", account.details.cards,
                 [](const domain::platform_card& card) { return members_of(card, defaults::left_out); });
  members(cards.take());
  if (!account.users.empty()) {
    begin_list("users");
    for (const auto& each : account.users) user(each);
    end_list();
  }
  if (!account.properties.empty()) {
    begin_list("properties");
    for (const auto& each : account.properties) property(each);
    end_list();
  }
  add_usage(account.ai_usage);
  flush();
}

void file_writer::add_usage(std::span<const domain::ai_usage_record> records) {
  if (records.empty()) return;
  if (!in_usage_) begin_list("aiUsage");
  in_usage_ = true;
  for (const auto& each : records) line(on_one_line(members_of(each, defaults::left_out)));
  flush();
}

void file_writer::end_account() {
  if (in_usage_) end_list();
  in_usage_ = false;
  end_element();
  flush();
}

void file_writer::finish() {
  end_list();
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
