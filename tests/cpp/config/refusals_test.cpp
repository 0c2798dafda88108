#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "documents.hpp"

namespace turnout::config {
namespace {

class Refusals : public testing::TestWithParam<refusal> {};

TEST_P(Refusals, AreListedWithTheirPaths) {
    EXPECT_THAT(problems_of(GetParam().document), testing::ElementsAreArray(GetParam().lines)) << GetParam().document;
}

std::string server(std::string_view members) { return document_with("server: {" + std::string{members} + "}"); }

std::string url(std::string_view text) {
    return "deployments: [{publicModel: m, adapterKey: openaicompatible, upstreamModel: u, credentials: {baseUrl: '"
           + std::string{text} + "'}}]";
}

const std::string url_path = "deployments[0].credentials.baseUrl: ";
const std::string absolute = url_path + "must be an absolute http or https URL";
const std::string bad_host = url_path + "must name a host, with a port from 1 to 65535 if any";
const std::string one_hour = "must be an integer from 1 to 3600000";
const std::string unsupported = ": not supported by this version";
const std::string known_sections = "; known here are server, network, routerSettings, deployments, keys, fallbacks";

INSTANTIATE_TEST_SUITE_P(
    Document, Refusals,
    testing::Values(
        refusal{"empty", "", {"(document): must be a map"}},
        refusal{"comment only", "# nothing\n", {"(document): must be a map"}},
        refusal{"list", "- 1\n", {"(document): must be a map"}},
        refusal{"scalar", "turnout", {"(document): must be a map"}},
        refusal{"empty map", "{}", {"deployments: is required"}},
        refusal{"two documents", document_with("") + "---\n{}\n", {"(document): must be a single document"}},
        refusal{"document end mark", "---\n" + document_with("") + "...\n", {}},
        refusal{"byte order mark", "\xEF\xBB\xBF" + document_with(""), {}},
        refusal{"not UTF-8", "a: \xFF\n", {"(document): must be UTF-8"}},
        refusal{"syntax",
                "server:\n  port: [1\n",
                {"(document): is not valid YAML at line 3, column 1: end of sequence flow not found"}},
        refusal{"after JSON", "{} x", {"(document): must be a single document"}},
        refusal{"quotation to the end",
                document_with("") + "keys: \"a\n",
                {"(document): is not valid YAML at line 3, column 9: illegal EOF in scalar"}},
        refusal{"single quotation to the end",
                document_with("") + "keys: 'a\n\n# b \r\n",
                {"(document): is not valid YAML at line 5, column 4: illegal EOF in scalar"}},
        refusal{"quotation over lines", document_with("server: {masterKey: \"a\\\n  b\"}") + " \n\n", {}},
        refusal{"text block to the end", document_with("") + "server:\n  masterKey: |-\n    a\n", {}},
        refusal{"nesting", std::string(100'000, '['), {"(document): is not valid YAML at line 1, column 1: bad file"}},
        refusal{"unknown top-level field",
                document_with("server: {}\nlogging: {}"),
                {"logging: unknown field" + known_sections}},
        refusal{"field with a digit",
                document_with("a1: {}"),
                {"(document): unknown field at line 1, column 1" + known_sections}},
        refusal{"key that is a list",
                document_with("? [a]\n: 1"),
                {"(document): unknown field at line 1, column 3" + known_sections}},
        refusal{"merge key",
                document_with("<<: {server: {}}"),
                {"(document): unknown field at line 1, column 1" + known_sections}},
        refusal{"section by a slip", document_with("sevrer: {}"), {"sevrer: unknown field; did you mean `server`?"}},
        refusal{"field by a slip", server("prot: 1"), {"server.prot: unknown field; did you mean `port`?"}},
        refusal{"later field by a slip", document_with("rooting: {}"), {"rooting: unknown field" + known_sections}},
        refusal{"repeated section", document_with("server: {}\nserver: {}"), {"server: must be given only once"}},
        refusal{"section is null", document_with("server:"), {"server: must be a map"}},
        refusal{"later sections",
                document_with("routing: {}\nupstreams: {}"),
                {"routing" + unsupported, "upstreams" + unsupported}}));

INSTANTIATE_TEST_SUITE_P(
    Server, Refusals,
    testing::Values(
        refusal{"port least", server("port: 0"), {}}, refusal{"port most", server("port: 65535"), {}},
        refusal{"port above", server("port: 65536"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port below", server("port: -1"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port quoted", server("port: '80'"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port exponent", server("port: 1e3"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port fraction", server("port: 80.0"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port octal", server("port: 0o17"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port hexadecimal", server("port: 0x50"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port leading zero", server("port: 080"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port plus", server("port: +80"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port huge", server("port: 99999999999999999999"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port null", server("port: null"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port list", server("port: [80]"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"port boolean", server("port: true"), {"server.port: must be an integer from 0 to 65535"}},
        refusal{"workers most", server("workers: 1024"), {}},
        refusal{"workers above", server("workers: 1025"), {"server.workers: must be an integer from 0 to 1024"}},
        refusal{"body least", server("requestBodyBytes: 1"), {}},
        refusal{"body below",
                server("requestBodyBytes: 0"),
                {"server.requestBodyBytes: must be an integer from 1 to 1073741824"}},
        refusal{"body most", server("requestBodyBytes: 1073741824"), {}},
        refusal{"body above",
                server("requestBodyBytes: 1073741825"),
                {"server.requestBodyBytes: must be an integer from 1 to 1073741824"}},
        refusal{"hold below",
                server("streamHoldBytes: 0"),
                {"server.streamHoldBytes: must be an integer from 1 to 1073741824"}},
        refusal{"stall least", server("clientWriteStallMs: 1"), {}},
        refusal{"stall below", server("clientWriteStallMs: 0"), {"server.clientWriteStallMs: " + one_hour}},
        refusal{"grace least", server("shutdownGraceMs: 0"), {}},
        refusal{"grace most", server("shutdownGraceMs: 3600000"), {}},
        refusal{"grace above",
                server("shutdownGraceMs: 3600001"),
                {"server.shutdownGraceMs: must be an integer from 0 to 3600000"}},
        refusal{"memory least",
                server("requestMemoryBytes: 75497471"),
                {"server.requestMemoryBytes: must be at least requestBodyBytes, which is 75497472"}},
        refusal{"memory as a body", server("requestMemoryBytes: 75497472"), {}},
        refusal{"memory most", server("requestMemoryBytes: 1099511627776"), {}},
        refusal{"memory above",
                server("requestMemoryBytes: 1099511627777"),
                {"server.requestMemoryBytes: must be an integer from 1 to 1099511627776"}},
        refusal{"connections least", server("maxConnections: 1"), {}},
        refusal{"connections most", server("maxConnections: 1000000"), {}},
        refusal{"connections below",
                server("maxConnections: 0"),
                {"server.maxConnections: must be an integer from 1 to 1000000"}},
        refusal{"connections above",
                server("maxConnections: 1000001"),
                {"server.maxConnections: must be an integer from 1 to 1000000"}},
        refusal{"later fields",
                server("metricsOpen: true, stateFailure: degrade"),
                {"server.metricsOpen" + unsupported, "server.stateFailure" + unsupported}},
        refusal{"host name", server("host: example.org"), {"server.host: must be an IP address or localhost"}},
        refusal{"host number", server("host: 127"), {"server.host: must be a string; put it in quotes"}},
        refusal{"master key blank",
                server("masterKey: 'a b'"),
                {"server.masterKey: must consist of visible ASCII characters"}},
        refusal{"master key accent",
                server("masterKey: caf\xC3\xA9"),
                {"server.masterKey: must consist of visible ASCII characters"}},
        refusal{"master key tilde", server("masterKey: '!~'"), {}},
        refusal{"master key number",
                server("masterKey: 12345"),
                {"server.masterKey: must be a string; put it in quotes"}}));

std::string network(std::string_view members) { return document_with("network: {" + std::string{members} + "}"); }

const std::string one_minute = "network.connectMs: must be an integer from 1 to 60000";
const std::string bad_server =
    "must be an IP address, with a port from 1 to 65535 if any; brackets go around IPv6 with "
    "a port";
const std::string first_server = "network.dnsServers[0]: " + bad_server;

INSTANTIATE_TEST_SUITE_P(
    Network, Refusals,
    testing::Values(
        refusal{"empty section", network(""), {}}, refusal{"connect least", network("connectMs: 1"), {}},
        refusal{"connect below", network("connectMs: 0"), {one_minute}},
        refusal{"connect most", network("connectMs: 60000"), {}},
        refusal{"connect above", network("connectMs: 60001"), {one_minute}},
        refusal{"connect null", network("connectMs: null"), {one_minute}},
        refusal{"authorities empty", network("caFile: ''"), {"network.caFile: must not be empty"}},
        refusal{"authorities list", network("caFile: [a.pem]"), {"network.caFile: must be a string"}},
        refusal{"no servers", network("dnsServers: []"), {"network.dnsServers: must name at least one server"}},
        refusal{"servers in one string", network("dnsServers: 192.0.2.1"), {"network.dnsServers: must be a list"}},
        refusal{"server by name", network("dnsServers: [dns.example.org]"), {first_server}},
        refusal{"server port least", network("dnsServers: ['192.0.2.1:1']"), {}},
        refusal{"server port below", network("dnsServers: ['192.0.2.1:0']"), {first_server}},
        refusal{"server port most", network("dnsServers: ['[::1]:65535']"), {}},
        refusal{"server port above", network("dnsServers: ['[::1]:65536']"), {first_server}},
        refusal{"server port missing", network("dnsServers: ['192.0.2.1:']"), {first_server}},
        refusal{"server port a word", network("dnsServers: ['192.0.2.1:domain']"), {first_server}},
        refusal{"server bracket open", network("dnsServers: ['[::1']"), {first_server}},
        refusal{"server bracket closed only", network("dnsServers: ['::1]:53']"), {first_server}},
        refusal{"server after bracket", network("dnsServers: ['[::1]53']"), {first_server}},
        refusal{"server IPv4 in brackets", network("dnsServers: ['[192.0.2.1]:53']"), {first_server}},
        refusal{"server number",
                network("dnsServers: [53]"),
                {"network.dnsServers[0]: must be a string; put it in quotes"}},
        refusal{"second server", network("dnsServers: [192.0.2.1, x]"), {"network.dnsServers[1]: " + bad_server}},
        refusal{"unknown",
                network("proxy: x"),
                {"network.proxy: unknown field; known here are caFile, dnsServers, connectMs"}}));

const std::string closed = "server.host: must be a loopback address while neither keys nor server.masterKey are given";

INSTANTIATE_TEST_SUITE_P(
    OpenAccess, Refusals,
    testing::Values(
        refusal{"first of 127/8", server("host: 127.0.0.0"), {}},
        refusal{"last of 127/8", server("host: 127.255.255.255"), {}},
        refusal{"before 127/8", server("host: 126.255.255.255"), {closed}},
        refusal{"after 127/8", server("host: 128.0.0.0"), {closed}},
        refusal{"localhost", server("host: localhost"), {}}, refusal{"IPv6 loopback", server("host: '::1'"), {}},
        refusal{"IPv6 long loopback", server("host: '0:0:0:0:0:0:0:1'"), {}},
        refusal{"IPv6 any", server("host: '::'"), {closed}}, refusal{"IPv6 next", server("host: '::2'"), {closed}},
        refusal{"any", server("host: 0.0.0.0"), {closed}},
        refusal{"empty keys", document_with("server: {host: 0.0.0.0}\nkeys: []"), {closed}},
        refusal{"master key", server("host: 0.0.0.0, masterKey: k"), {}},
        refusal{"client key", document_with("server: {host: 0.0.0.0}\nkeys: [{name: a, key: k}]"), {}},
        refusal{"faulty master key", server("host: 0.0.0.0, masterKey: ''"), {"server.masterKey: must not be empty"}},
        refusal{"faulty keys", document_with("server: {host: 0.0.0.0}\nkeys: {}"), {"keys: must be a list"}}));

INSTANTIATE_TEST_SUITE_P(
    Deployments, Refusals,
    testing::Values(
        refusal{"none", "deployments: []", {"deployments: must hold at least one deployment"}},
        refusal{"map", "deployments: {}", {"deployments: must be a list"}},
        refusal{"null", "deployments:", {"deployments: must be a list"}},
        refusal{"scalar item", "deployments: [a]", {"deployments[0]: must be a map"}},
        refusal{"empty item",
                "deployments: [{}]",
                {"deployments[0].publicModel: is required", "deployments[0].adapterKey: is required",
                 "deployments[0].upstreamModel: is required"}},
        refusal{"weight zero", document_with_deployment(", weight: 0"), {}},
        refusal{"weight most", document_with_deployment(", weight: 4294967295"), {}},
        refusal{"weight above",
                document_with_deployment(", weight: 4294967296"),
                {"deployments[0].weight: must be an integer from 0 to 4294967295"}},
        refusal{"enabled word",
                document_with_deployment(", enabled: yes"),
                {"deployments[0].enabled: must be true or false"}},
        refusal{"enabled quoted",
                document_with_deployment(", enabled: 'true'"),
                {"deployments[0].enabled: must be true or false"}},
        refusal{"usage number",
                document_with_deployment(", streamUsage: 1"),
                {"deployments[0].streamUsage: must be true or false"}},
        refusal{"socket word",
                document_with_deployment(", webSocket: maybe"),
                {"deployments[0].webSocket: must be true or false"}},
        refusal{"socket without responses",
                document_with_deployment(", webSocket: true"),
                {"deployments[0].webSocket: must not be true without the transport responses, which alone has "
                 "WebSockets"}},
        refusal{"label empty", document_with_deployment(", label: ''"), {"deployments[0].label: must not be empty"}},
        refusal{"label null", document_with_deployment(", label: "), {"deployments[0].label: must be a string"}},
        refusal{"label line break",
                document_with_deployment(", label: \"a\\nb\""),
                {"deployments[0].label: must not contain control characters"}},
        refusal{"label map", document_with_deployment(", label: {}"), {"deployments[0].label: must be a string"}},
        refusal{"label twice in a pool",
                "deployments: [" + deployment_with(", label: a, id: x") + ", " + deployment_with(", label: a, id: y")
                    + "]",
                {"deployments[1].label: must be unique within its publicModel; deployments[0] has it too"}},
        refusal{"adapter",
                "deployments: [{publicModel: m, adapterKey: smoke, upstreamModel: u}]",
                {"deployments[0].adapterKey: must be one of: openai, openaicompatible, anthropic, azureopenai, "
                 "openrouter"}},
        refusal{"later adapter",
                "deployments: [{publicModel: m, adapterKey: googleaistudio, upstreamModel: u}]",
                {"deployments[0].adapterKey" + unsupported}},
        refusal{"later fields",
                document_with_deployment(", catalogEntry: {}, metadata: {}"),
                {"deployments[0].catalogEntry" + unsupported, "deployments[0].metadata" + unsupported}},
        refusal{"openai without key",
                "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {}}]",
                {"deployments[0].credentials.apiKey: is required with adapterKey openai"}},
        refusal{"openai with key only",
                "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {apiKey: k}}]",
                {}},
        refusal{
            "compatible without URL",
            "deployments: [{publicModel: m, adapterKey: openaicompatible, upstreamModel: u, credentials: {apiKey: k}}]",
            {"deployments[0].credentials.baseUrl: is required with adapterKey openaicompatible"}},
        refusal{"without credentials",
                "deployments: [{publicModel: m, adapterKey: openaicompatible, upstreamModel: u}]",
                {"deployments[0].credentials: is required, with baseUrl"}},
        refusal{"credentials list",
                "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: []}]",
                {"deployments[0].credentials: must be a map"}},
        refusal{"unknown credential",
                "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {apiKey: k, "
                "organization: o}}]",
                {"deployments[0].credentials.organization: unknown field; known here are apiKey, baseUrl, version, "
                 "headers"}},
        refusal{"API key blank",
                "deployments: [{publicModel: m, adapterKey: openai, upstreamModel: u, credentials: {apiKey: 'a b'}}]",
                {"deployments[0].credentials.apiKey: must consist of visible ASCII characters"}}));

INSTANTIATE_TEST_SUITE_P(
    BaseUrl, Refusals,
    testing::Values(
        refusal{"port most", url("http://h:65535"), {}}, refusal{"port above", url("http://h:65536"), {bad_host}},
        refusal{"port least", url("http://h:1"), {}}, refusal{"port zero", url("http://h:0"), {bad_host}},
        refusal{"port empty", url("http://h:"), {bad_host}}, refusal{"port word", url("http://h:8o"), {bad_host}},
        refusal{"IPv6", url("https://[::1]:8443/v1"), {}}, refusal{"IPv6 broken", url("https://[::g]"), {bad_host}},
        refusal{"IPv6 open", url("https://[::1"), {bad_host}},
        refusal{"IPv6 then text", url("https://[::1]x"), {bad_host}}, refusal{"no host", url("http://"), {bad_host}},
        refusal{"only a path", url("http:///v1"), {bad_host}}, refusal{"blank in host", url("http://a b"), {bad_host}},
        refusal{"no scheme", url("h/v1"), {absolute}}, refusal{"other scheme", url("ws://h"), {absolute}},
        refusal{"one slash", url("http:/h"), {absolute}},
        refusal{"user", url("http://u@h"), {url_path + "must not contain a user name or password"}},
        refusal{"at in path", url("http://h/@v1"), {}},
        refusal{"query", url("http://h/?a"), {url_path + "must have neither a query nor a fragment"}},
        refusal{"fragment", url("http://h#a"), {url_path + "must have neither a query nor a fragment"}},
        refusal{"blank in path", url("http://h/a b"), {url_path + "must have a path of URL characters"}},
        refusal{"escape in path", url("http://h/a%20b"), {}}));

INSTANTIATE_TEST_SUITE_P(
    Keys, Refusals,
    testing::Values(
        refusal{"map", document_with("keys: {}"), {"keys: must be a list"}},
        refusal{"empty item", document_with("keys: [{}]"), {"keys[0].name: is required", "keys[0].key: is required"}},
        refusal{"key empty", document_with("keys: [{name: a, key: ''}]"), {"keys[0].key: must not be empty"}},
        refusal{"same name",
                document_with("keys: [{name: a, key: k}, {name: a, key: l}]"),
                {"keys[1].name: must be unique; keys[0] has it too"}},
        refusal{"same key",
                document_with("keys: [{name: a, key: k}, {name: b, key: k}]"),
                {"keys[1].key: must be unique; keys[0] has it too"}},
        refusal{"as the master key",
                document_with("keys: [{name: a, key: l}, {name: b, key: k}]\nserver: {masterKey: k}"),
                {"keys[1].key: must differ from server.masterKey"}},
        refusal{"as the master key by reference",
                document_with("server: {masterKey: sk-a-1}\nkeys: [{name: a, key: '${A_KEY}'}]"),
                {"keys[0].key: must differ from server.masterKey"}},
        refusal{"like the master key", document_with("server: {masterKey: K}\nkeys: [{name: a, key: k}]"), {}},
        refusal{"empty as the master key",
                document_with("server: {masterKey: ''}\nkeys: [{name: a, key: ''}]"),
                {"server.masterKey: must not be empty", "keys[0].key: must not be empty"}},
        refusal{"later fields",
                document_with("keys: [{name: a, key: k, rpm: 1, allowedModels: []}]"),
                {"keys[0].rpm" + unsupported, "keys[0].allowedModels" + unsupported}}));

} // namespace
} // namespace turnout::config
