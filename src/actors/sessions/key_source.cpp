#include "actors/sessions/key_source.hpp"

#include "security/identity_token.hpp"

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace roost::actors {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw std::runtime_error("cannot read " + path + ": " + why);
}

std::string read_file(const std::string& path, std::size_t most) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad()) fail(path, std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most) fail(path, "it is too long");
  return text;
}

} // namespace

key_source key_source_at(std::string place, fetch::fetch_limits limits) {
  if (place.starts_with("https://"))
    return [place = std::move(place), limits = std::move(limits)] {
      return fetch::https_get(place, limits).body;
    };
  return [place = std::move(place), most = limits.bytes] { return read_file(place, most); };
}

std::optional<std::string> fault_of(const key_source& source) {
  try {
    static_cast<void>(security::identity_key_set(source()));
    return std::nullopt;
  } catch (const std::exception& failed) {
    return failed.what();
  }
}

} // namespace roost::actors
