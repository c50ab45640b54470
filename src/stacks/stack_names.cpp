#include "stacks/thread_stack.hpp"

#include <backtrace.h>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace roost::stacks {

namespace {

constexpr std::size_t max_names = 24;
constexpr std::size_t max_name_length = 160;

void ignore_error(void*, const char*, int) {}

backtrace_state* program_state() {
  static auto* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
  return state;
}

/// Truncates a name: parameters and template arguments are long and say little about where a thread hangs.
std::string shortened(std::string name) {
  if (name.size() > max_name_length) name.replace(max_name_length, std::string::npos, "...");
  return name;
}

std::string location_of(const char* file, int line) {
  const std::string_view path{file};
  return " (" + std::string{path.substr(path.rfind('/') + 1)} + ":" + std::to_string(line) + ")";
}

int take_line(void* names, std::uintptr_t, const char* file, int line, const char* function) {
  if (!function) return 0;
  auto name = shortened(readable_name(function));
  if (file) name += location_of(file, line);
  static_cast<std::vector<std::string>*>(names)->push_back(std::move(name));
  return 0;
}

void take_symbol(void* names, std::uintptr_t, const char* name, std::uintptr_t, std::uintptr_t) {
  if (name) static_cast<std::vector<std::string>*>(names)->push_back(shortened(readable_name(name)));
}

/// Looks up the call, which precedes the return address.
std::vector<std::string> names_at(void* address) {
  std::vector<std::string> names;
  const auto pc = reinterpret_cast<std::uintptr_t>(address) - 1;
  backtrace_pcinfo(program_state(), pc, take_line, ignore_error, &names);
  if (names.empty()) backtrace_syminfo(program_state(), pc, take_symbol, ignore_error, &names);
  if (names.empty()) names.emplace_back("?");
  return names;
}

} // namespace

std::string readable_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name{
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free};
  return status == 0 ? name.get() : mangled;
}

std::vector<std::string> names_of(const std::vector<void*>& addresses) {
  std::vector<std::string> names;
  for (auto* address : addresses) {
    for (auto& name : names_at(address)) names.push_back(std::move(name));
    if (names.size() < max_names) continue;
    names.resize(max_names);
    break;
  }
  return names;
}

} // namespace roost::stacks
