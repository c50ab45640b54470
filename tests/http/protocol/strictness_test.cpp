// Ambiguous requests are refused, and the bytes after them are not parsed as a request (RFC 9112, 11.2).
#include "http/support/running_server.hpp"
#include "support/raw_client.hpp"

#include <gtest/gtest.h>

namespace roost::http::testing::strictness_test {
struct refused_request {
  std::string name;
  std::string bytes;
  unsigned status = 400;
};

void PrintTo(const refused_request& req, std::ostream* out) { *out << req.name; }

/// The request that an attacker smuggles after an ambiguous one.
const std::string hidden = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n";

std::string post(const std::string& fields, const std::string& body = "") {
  return "POST /any HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body + hidden;
}
std::string get(const std::string& fields) { return "GET /hello HTTP/1.1\r\n" + fields + "\r\n" + hidden; }
std::string line(const std::string& first) { return first + "\r\nHost: a\r\n\r\n" + hidden; }
std::string chunked(const std::string& body) { return post("Transfer-Encoding: chunked\r\n", body); }

using namespace std::string_literals;

const std::vector<refused_request> refused_requests{
    // Transfer-Encoding
    {"unknown_coding", post("Transfer-Encoding: foo\r\n")},
    {"empty_coding", post("Transfer-Encoding:\r\n")},
    {"quoted_coding", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n")},
    {"identity_coding", post("Transfer-Encoding: identity\r\n")},
    {"gzip_chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
    {"chunked_chunked", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")},
    {"chunked_identity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n")},
    {"chunked_with_comma", post("Transfer-Encoding: chunked,\r\n", "0\r\n\r\n")},
    {"chunked_with_parameter", post("Transfer-Encoding: chunked;a=b\r\n", "0\r\n\r\n")},
    {"chunked_with_vertical_tab", post("Transfer-Encoding: \x0b"s + "chunked\r\n", "0\r\n\r\n")},
    {"two_coding_fields", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
    {"two_differing_coding_fields",
     post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", "0\r\n\r\n")},
    {"coding_and_length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n")},
    {"length_and_coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")},
    {"length_and_unknown_coding", post("Content-Length: 0\r\nTransfer-Encoding: xchunked\r\n")},
    {"coding_in_version_10",
     "POST /any HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden},
    {"space_before_coding_colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")},
    {"folded_coding", post("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n")},
    // Content-Length
    {"two_lengths", post("Content-Length: 0\r\nContent-Length: 5\r\n")},
    {"two_equal_lengths", post("Content-Length: 0\r\nContent-Length: 0\r\n")},
    {"length_list", post("Content-Length: 0, 0\r\n")},
    {"length_with_plus", post("Content-Length: +0\r\n")},
    {"negative_length", post("Content-Length: -1\r\n")},
    {"length_with_leading_zero", post("Content-Length: 00\r\n")},
    {"hexadecimal_length", post("Content-Length: 0x0\r\n")},
    {"empty_length", post("Content-Length:\r\n")},
    {"length_with_inner_space", post("Content-Length: 0 0\r\n")},
    {"length_beyond_64_bits", post("Content-Length: 18446744073709551616\r\n")},
    {"length_with_letter", post("Content-Length: 0a\r\n")},
    {"quoted_length", post("Content-Length: \"0\"\r\n")},
    {"space_before_length_colon", post("Content-Length : 0\r\n")},
    // Host
    {"no_host", get("")},
    {"two_hosts", get("Host: a\r\nHost: b\r\n")},
    {"two_equal_hosts", get("Host: a\r\nHost: a\r\n")},
    {"empty_host", get("Host:\r\n")},
    {"host_list", get("Host: a, b\r\n")},
    {"host_with_path", get("Host: a/b\r\n")},
    {"host_with_user", get("Host: u@a\r\n")},
    {"host_with_bad_port", get("Host: a:b\r\n")},
    {"host_with_big_port", get("Host: a:65536\r\n")},
    {"host_with_space", get("Host: a b\r\n")},
    {"host_with_broken_escape", get("Host: a%2\r\n")},
    {"host_with_open_bracket", get("Host: [::1\r\n")},
    {"host_with_bad_literal", get("Host: [::g]\r\n")},
    {"bad_host_in_version_10", "GET /hello HTTP/1.0\r\nHost: a b\r\n\r\n" + hidden},
    {"two_hosts_in_version_10", "GET /hello HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n" + hidden},
    // Fields
    {"folded_field", get("Host: a\r\nX: b\r\n c\r\n")},
    {"folded_first_field", get(" Host: a\r\n")},
    {"space_before_colon", get("Host : a\r\n")},
    {"tab_before_colon", get("Host\t: a\r\n")},
    {"field_without_colon", get("Host: a\r\nX\r\n")},
    {"field_without_name", get("Host: a\r\n: b\r\n")},
    {"name_with_space", get("Host: a\r\nX Y: b\r\n")},
    {"name_with_parenthesis", get("Host: a\r\nX(Y): b\r\n")},
    {"name_with_high_byte", get("Host: a\r\nX\xff: b\r\n")},
    {"name_with_nul", get("Host: a\r\nX\0Y: b\r\n"s)},
    {"value_with_nul", get("Host: a\r\nX: b\0c\r\n"s)},
    {"value_with_control", get("Host: a\r\nX: b\x01\r\n")},
    {"value_with_delete", get("Host: a\r\nX: b\x7f\r\n")},
    {"value_with_lone_cr", get("Host: a\r\nX: b\rY: c\r\n")},
    {"line_ended_by_lf", get("Host: a\nX: b\r\n")},
    {"header_ended_by_lf", "GET /hello HTTP/1.1\nHost: a\n\n" + hidden},
    {"header_ended_by_mixed_lines", "GET /hello HTTP/1.1\r\nHost: a\r\n\n" + hidden},
    {"cr_cr_lf", "GET /hello HTTP/1.1\r\nHost: a\r\r\n\r\n" + hidden},
    // Request line
    {"no_target", line("GET HTTP/1.1")},
    {"empty_target", line("GET  HTTP/1.1")},
    {"two_spaces", line("GET  /hello HTTP/1.1")},
    {"tab_for_space", line("GET\t/hello HTTP/1.1")},
    {"trailing_space", line("GET /hello HTTP/1.1 ")},
    {"leading_space", line(" GET /hello HTTP/1.1")},
    {"space_in_target", line("GET /hel lo HTTP/1.1")},
    {"no_version", line("GET /hello")},
    {"lower_case_version", line("GET /hello http/1.1")},
    {"version_without_minor", line("GET /hello HTTP/1")},
    {"long_version", line("GET /hello HTTP/1.10")},
    {"version_with_leading_zero", line("GET /hello HTTP/01.1")},
    {"other_protocol", line("GET /hello ICAP/1.1")},
    {"method_with_bad_character", line("GE(T /hello HTTP/1.1")},
    {"fragment", line("GET /hello#x HTTP/1.1")},
    {"control_in_target", line("GET /hel\x01lo HTTP/1.1")},
    {"high_byte_in_target", line("GET /hel\xfflo HTTP/1.1")},
    {"relative_target", line("GET hello HTTP/1.1")},
    {"asterisk_for_get", line("GET * HTTP/1.1")},
    {"other_scheme", line("GET ftp://a/hello HTTP/1.1")},
    {"absolute_without_authority", line("GET http:///hello HTTP/1.1")},
    {"absolute_with_user", line("GET http://u@a/hello HTTP/1.1")},
    {"connect_without_port", line("CONNECT a HTTP/1.1")},
    {"http_2_preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
    {"tls_client_hello", "\x16\x03\x01\x02"s},
    {"two_empty_lines_first", "\r\n\r\n" + hidden},
    {"version_2", line("GET /hello HTTP/2.1"), 505},
    {"version_12", line("GET /hello HTTP/1.2"), 505},
    {"version_09", line("GET /hello HTTP/0.9"), 505},
    {"other_expectation", post("Expect: wonders\r\n"), 417},
    // Chunks
    {"chunk_size_empty", chunked("\r\n\r\n")},
    {"chunk_size_with_prefix", chunked("0x1\r\na\r\n0\r\n\r\n")},
    {"chunk_size_with_sign", chunked("+1\r\na\r\n0\r\n\r\n")},
    {"chunk_size_with_leading_space", chunked(" 1\r\na\r\n0\r\n\r\n")},
    {"chunk_size_with_trailing_space", chunked("1 \r\na\r\n0\r\n\r\n")},
    {"chunk_size_too_long", chunked("00000000000000001\r\na\r\n0\r\n\r\n")},
    {"chunk_size_beyond_64_bits", chunked("10000000000000001\r\na\r\n0\r\n\r\n")},
    {"chunk_size_line_with_lf", chunked("1\na\r\n0\r\n\r\n")},
    {"chunk_size_line_with_lone_cr", chunked("1\ra\r\n0\r\n\r\n")},
    {"chunk_longer_than_size", chunked("1\r\nab\r\n0\r\n\r\n")},
    {"chunk_shorter_than_size", chunked("5\r\nab\r\n0\r\n\r\n")},
    {"chunk_end_with_lf", chunked("1\r\na\n0\r\n\r\n")},
    {"chunk_without_end", chunked("1\r\na0\r\n\r\n")},
    {"chunk_extension_without_name", chunked("1;\r\na\r\n0\r\n\r\n")},
    {"chunk_extension_with_lf", chunked("1;a\nb\r\na\r\n0\r\n\r\n")},
    {"chunk_extension_with_nul", chunked("1;a\0b\r\na\r\n0\r\n\r\n"s)},
    {"chunk_extension_with_open_quote", chunked("1;a=\"b\r\na\r\n0\r\n\r\n")},
    {"chunk_extensions_too_long", chunked("1;a=" + std::string(8000, 'x') + "\r\na\r\n0\r\n\r\n")},
    {"trailers_too_long", chunked("0\r\nX: " + std::string(8000, 'x') + "\r\n\r\n")},
    {"trailer_without_colon", chunked("0\r\nX\r\n\r\n")},
    {"trailer_folded", chunked("0\r\nX: a\r\n b\r\n\r\n")},
    {"trailer_with_lf", chunked("0\r\nX: a\n\r\n")},
    {"last_chunk_with_lf", chunked("0\r\n\n")},
};

class Refuses : public ::testing::TestWithParam<refused_request> {
protected:
  static running_server& server() {
    static running_server instance;
    return instance;
  }
};

TEST_P(Refuses, WithOneErrorResponseAndCloses) {
  raw_client client(server().port());
  client.send(GetParam().bytes);
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].status, GetParam().status);
  EXPECT_EQ(responses[0].header("connection"), "close");
  EXPECT_EQ(responses[0].header("x-request-id").size(), 16U);
  EXPECT_TRUE(responses[0].body.starts_with(R"({"statusCode":)" + std::to_string(GetParam().status)));
}

/// Sends the bytes one at a time: the decision must not depend on the segmentation.
TEST_P(Refuses, HoweverTheBytesAreSplit) {
  raw_client client(server().port());
  for (const char byte : GetParam().bytes.substr(0, 400))
    if (!client.send({&byte, 1})) break;
  client.send(std::string_view(GetParam().bytes).substr(std::min<std::size_t>(400, GetParam().bytes.size())));
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 1U);
  EXPECT_EQ(responses[0].status, GetParam().status);
}

INSTANTIATE_TEST_SUITE_P(Strictness, Refuses, ::testing::ValuesIn(refused_requests),
                         [](const auto& info) { return info.param.name; });

struct accepted_request {
  std::string name;
  std::string bytes;
  std::string body; ///< as the handler saw it
};

void PrintTo(const accepted_request& req, std::ostream* out) { *out << req.name; }

const std::vector<accepted_request> accepted_requests{
    {"plain", hidden, R"("hello")"},
    {"one_empty_line_first", "\r\n" + hidden, R"("hello")"},
    {"port_and_literal_in_host", "GET /hello HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", R"("hello")"},
    {"no_space_after_colon", "GET /hello HTTP/1.1\r\nHost:a\r\n\r\n", R"("hello")"},
    {"white_space_around_value", "GET /hello HTTP/1.1\r\nHost: \t a \t\r\n\r\n", R"("hello")"},
    {"absolute_form", "GET HTTP://b:80/hello HTTP/1.1\r\nHost: a\r\n\r\n", R"("hello")"},
    {"encoded_letters", "GET /h%65llo HTTP/1.1\r\nHost: a\r\n\r\n", R"("hello")"},
    {"get_with_body", "GET /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", R"("hello")"},
    {"any_case_of_chunked",
     "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: cHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "abc"},
    {"chunks_with_extensions",
     "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
     "3;a=b;c=\"d;\\\"e\";f\r\nabc\r\n0002\r\nde\r\n0\r\n\r\n",
     "abcde"},
    {"trailers",
     "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
     "1\r\na\r\n0\r\nContent-Length: 99\r\nX: y\r\n\r\n",
     "a"},
    {"empty_chunked", "POST /any HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""},
    {"high_bytes_in_value", "GET /hello HTTP/1.1\r\nHost: a\r\nX: \xc3\xa9\xff\r\n\r\n", R"("hello")"},
};

class Accepts : public ::testing::TestWithParam<accepted_request> {};

TEST_P(Accepts, AndParsesTheNextRequestAfterIt) {
  running_server server;
  raw_client client(server.port());
  client.send(GetParam().bytes + "GET /units/next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const auto responses = responses_in(client.receive_until_close());
  ASSERT_EQ(responses.size(), 2U);
  EXPECT_EQ(responses[0].status, 200U);
  EXPECT_EQ(responses[0].body, GetParam().body);
  EXPECT_EQ(responses[1].header("x-parameter"), "next");
}

INSTANTIATE_TEST_SUITE_P(Strictness, Accepts, ::testing::ValuesIn(accepted_requests),
                         [](const auto& info) { return info.param.name; });

} // namespace roost::http::testing::strictness_test
