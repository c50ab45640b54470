#include "stacks/stack_names.hpp"

#include <backtrace.h>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace roost::stacks {

namespace {

constexpr std::size_t max_names = 24;
constexpr std::size_t longest_name = 160;

void ignore_error(void*, const char*, int) {}

backtrace_state* program() {
  static auto* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  return state;
}

/// Parameters and template arguments say little about where a thread hangs, and are long.
std::string shortened(std::string name) {
  if (name.size() > longest_name) name.replace(longest_name, std::string::npos, "...");
  return name;
}

std::string place_of(const char* file, int line) {
  const std::string_view path{file};
  return " (" + std::string{path.substr(path.rfind('/') + 1)} + ":" + std::to_string(line) + ")";
}

struct collected {
  std::vector<std::string> names;
};

int take_line(void* to, std::uintptr_t, const char* file, int line, const char* function) {
  if (!function) return 0;
  auto name = shortened(readable_name(function));
  if (file) name += place_of(file, line);
  static_cast<collected*>(to)->names.push_back(std::move(name));
  return 0;
}

void take_symbol(void* to, std::uintptr_t, const char* name, std::uintptr_t, std::uintptr_t) {
  if (name) static_cast<collected*>(to)->names.push_back(shortened(readable_name(name)));
}

/// The call is before the address to which the function returns.
std::vector<std::string> names_at(void* address) {
  collected found;
  const auto pc = reinterpret_cast<std::uintptr_t>(address) - 1;
  backtrace_pcinfo(program(), pc, take_line, ignore_error, &found);
  if (found.names.empty()) backtrace_syminfo(program(), pc, take_symbol, ignore_error, &found);
  if (found.names.empty()) found.names.emplace_back("?");
  return found.names;
}

} // namespace

std::string readable_name(const char* mangled) {
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> name{
      abi::__cxa_demangle(mangled, nullptr, nullptr, &failed), &std::free};
  return failed == 0 ? name.get() : mangled;
}

std::vector<std::string> names_of(const std::vector<void*>& addresses) {
  std::vector<std::string> names;
  for (auto* address : addresses) {
    for (auto& each : names_at(address)) names.push_back(std::move(each));
    if (names.size() < max_names) continue;
    names.resize(max_names);
    break;
  }
  return names;
}

} // namespace roost::stacks
