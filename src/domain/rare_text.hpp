#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace roost::domain {

/// Text that is nearly always empty, and then costs no more than a pointer.
class rare_text {
public:
  rare_text() = default;
  explicit rare_text(std::string_view text) {
    if (!text.empty()) text_ = std::make_unique<const std::string>(text);
  }
  rare_text(const rare_text& other) : rare_text(other.view()) {}
  rare_text(rare_text&&) noexcept = default;
  rare_text& operator=(const rare_text& other) { return *this = rare_text(other); }
  rare_text& operator=(rare_text&&) noexcept = default;
  rare_text& operator=(std::string_view text) { return *this = rare_text(text); }
  ~rare_text() = default;

  std::string_view view() const { return text_ ? std::string_view{*text_} : std::string_view{}; }

  friend bool operator==(const rare_text& a, const rare_text& b) { return a.view() == b.view(); }
  friend bool operator==(const rare_text& a, std::string_view b) { return a.view() == b; }

private:
  std::unique_ptr<const std::string> text_;
};

} // namespace roost::domain
