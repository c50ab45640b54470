#include "domain/short_term_host.hpp"

#include "domain/mapping.hpp"
#include "domain/text.hpp"

#include <algorithm>

namespace roost::domain {

namespace {

std::string_view host_of_url(const std::vector<short_term_host>& hosts, std::string_view url) {
  const auto parts = parse_page_url(url);
  if (!parts) return {};
  for (const auto& host : hosts)
    if (is_within(parts->host, host.match)) return host.name;
  return {};
}

std::string_view host_with_agent(const std::vector<short_term_host>& hosts, std::string_view product) {
  const auto lower_product = lower_case(product);
  for (const auto& host : hosts)
    for (const auto& agent : host.agents)
      if (lower_case(agent) == lower_product) return host.name;
  return {};
}

/// Returns the host that a word of a User-Agent names, such as `Host.example/1.0` or `bot@host.example`.
std::string_view host_of_word(const std::vector<short_term_host>& hosts, std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1); // as in (+https://…)
  if (word.find("://") != std::string_view::npos) return host_of_url(hosts, word);
  word = word.substr(0, word.find('/')); // a product without its version
  if (const auto host = host_with_agent(hosts, word); !host.empty()) return host;
  const auto at = word.find('@');
  word.remove_prefix(at == std::string_view::npos ? 0 : at + 1);
  return host_of_url(hosts, "https://" + std::string{word});
}

/// Returns the first host that a User-Agent names. Products are separated by white space; comments are in
/// parentheses (RFC 9110, 10.1.5), and usually contain semicolons and commas.
std::string_view host_of_agent(const std::vector<short_term_host>& hosts, std::string_view agent) {
  constexpr std::string_view separators = " \t()<>[]{}\";,";
  while (true) {
    agent.remove_prefix(std::min(agent.find_first_not_of(separators), agent.size()));
    if (agent.empty()) return {};
    const auto word = agent.substr(0, agent.find_first_of(separators));
    if (const auto host = host_of_word(hosts, word); !host.empty()) return host;
    agent.remove_prefix(word.size());
  }
}

} // namespace

std::string_view recognized_host(const std::vector<short_term_host>& hosts, const consumer& reader) {
  if (!reader.origin.empty()) return host_of_url(hosts, reader.origin);
  if (!reader.referer.empty()) return host_of_url(hosts, reader.referer);
  return host_of_agent(hosts, reader.user_agent);
}

} // namespace roost::domain
