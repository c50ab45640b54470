#include "domain/text.hpp"
#include "fetch/https_get.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "http/protocol/address.hpp"
#include "http/protocol/entity_tags.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"

#include <boost/asio/ip/address.hpp>

#include <stdexcept>
#include <string>
#include <vector>

/// Values of header fields, one per line: conditions, encodings, proxies' lists, cache lifetimes and
/// addresses.
namespace roost::fuzz::header_field {
namespace {

namespace ip = boost::asio::ip;

http::request request_with(std::string_view name, const std::vector<std::string_view>& values) {
  http::request req;
  for (const auto value : values) req.fields.push_back({name, value});
  return req;
}

void check_conditions(const std::vector<std::string_view>& values) {
  const auto tag = http::entity_tag_of("a document");
  auto req = request_with("If-None-Match", values);
  const bool known = http::not_modified(req, tag);
  std::string all;
  for (const auto value : values) all.append(value).append(1, '\n');
  if (known)
    require(all.find(tag) != std::string::npos || all.find('*') != std::string::npos,
            "a condition names the tag");
  req.fields.push_back({"if-none-match", tag});
  require(http::not_modified(req, tag), "a listed tag matches");
}

void check_encoding(const std::vector<std::string_view>& values) {
  static const bytes::encoded_body document{"text/plain",
                                            bytes::shared_body{std::string{"text"}},
                                            bytes::shared_body{std::string{"gzip"}},
                                            "tag",
                                            {}};
  const auto chosen = http::serve(request_with("Accept-Encoding", values), document);
  require(chosen.status == 200 && chosen.shared, "every encoding has a representation");
  if (chosen.shared != document.gzip().whole) return;
  std::string all;
  for (const auto value : values) all.append(domain::lower_case(value)).append(1, '\n');
  require(all.find("gzip") != std::string::npos || all.find('*') != std::string::npos, "gzip was accepted");
}

/// Requires that only trusted proxies choose the client's address.
void check_proxies(const std::vector<std::string_view>& values) {
  static const http::proxy_list proxies{{"10.0.0.0/8", "fd00::/8"}};
  const auto stranger = ip::make_address("192.0.2.1"), proxy = ip::make_address("10.0.0.1");
  for (const auto* name : {"X-Forwarded-For", "Forwarded"}) {
    auto req = request_with(name, values);
    require(proxies.client_of(req, stranger) == stranger, "a stranger is the client");
    const auto client = proxies.client_of(req, proxy);
    const auto network = http::network_of_client(client);
    require(http::network_of_client(network) == network, "a network is its own network");
    const std::string last = name == std::string_view{"Forwarded"} ? "for=192.0.2.9" : "192.0.2.9";
    req.fields.push_back({name, last});
    require(proxies.client_of(req, proxy) == ip::make_address("192.0.2.9"),
            "the address that a proxy added counts");
  }
}

void check_lifetimes(const std::vector<std::string_view>& values) {
  const auto control = values.empty() ? std::string_view{} : values.front();
  const auto age = values.size() < 2 ? std::string_view{} : values[1];
  const auto fresh = fetch::freshness_of(control, age);
  require(fresh.count() >= 0, "a lifetime is not negative");
  require(fresh <= fetch::freshness_of(control, ""), "age shortens a lifetime");
  require(fetch::freshness_of("no-store, " + std::string{control}, age).count() == 0,
          "no-store forbids caching");
}

void check_address(std::string_view text) {
  try {
    const auto endpoint = http::parse_listen_address(text);
    const auto host = endpoint.address().to_string();
    const auto written =
        (endpoint.address().is_v6() ? '[' + host + ']' : host) + ':' + std::to_string(endpoint.port());
    require(http::parse_listen_address(written) == endpoint, "a written address is read as the same");
  } catch (const std::runtime_error& error) {
    if (!has_control(text)) require_one_line(error.what());
  }
}

void check(std::string_view input) {
  std::vector<std::string_view> values;
  while (!input.empty() && values.size() < 20) values.push_back(take_line(input));
  check_conditions(values);
  check_encoding(values);
  check_proxies(values);
  check_lifetimes(values);
  for (const auto value : values) check_address(value);
}

const target registered{"header_field", "FieldsOfStrangersDecideOnlyAboutThemselves", check};

} // namespace
} // namespace roost::fuzz::header_field
