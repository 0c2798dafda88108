#include <gmock/gmock.h>

#include "admin/log_query.hpp"

namespace turnout::admin {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

log_query parsed(std::string_view query) {
    auto q = parse_log_query("/admin/logs" + std::string(query));
    if (const auto* bad = std::get_if<bad_parameter>(&q)) ADD_FAILURE() << query << ": " << bad->name << bad->message;
    return std::holds_alternative<log_query>(q) ? std::get<log_query>(q) : log_query();
}

/// The parameter that is refused.
std::string refused(std::string_view query) {
    const auto q = parse_log_query("/admin/logs" + std::string(query));
    const auto* bad = std::get_if<bad_parameter>(&q);
    return bad == nullptr ? "nothing" : bad->name;
}

TEST(log_query, asks_for_the_first_fifty_of_all_without_parameters) {
    for (const auto* nothing : {"", "?", "?&", "?&&"}) {
        const auto q = parsed(nothing);
        EXPECT_EQ(q.limit, 50U);
        EXPECT_EQ(q.offset, 0U);
        EXPECT_FALSE(q.wanted.request_id || q.wanted.public_model || q.wanted.stream || q.wanted.start);
    }
}

TEST(log_query, reads_every_parameter) {
    const auto q =
        parsed("?limit=7&offset=9&requestId=req_1&publicModel=gpt&callType=chat&adapterKey=openai"
               "&deploymentId=dep_0123456789ab&outcome=success&failureKind=throttle&stream=true&degraded=false"
               "&minDurationMs=0&maxDurationMs=250&start=1700000000123&end=2023-11-14T22:13:21Z");
    EXPECT_EQ(q.limit, 7U);
    EXPECT_EQ(q.offset, 9U);
    EXPECT_EQ(q.wanted.request_id, "req_1");
    EXPECT_EQ(q.wanted.public_model, "gpt");
    EXPECT_EQ(q.wanted.call_type, "chat");
    EXPECT_EQ(q.wanted.adapter, "openai");
    EXPECT_EQ(q.wanted.deployment, "dep_0123456789ab");
    EXPECT_EQ(q.wanted.outcome, "success");
    EXPECT_EQ(q.wanted.failure, "throttle");
    EXPECT_EQ(q.wanted.stream, true);
    EXPECT_EQ(q.wanted.degraded, false);
    EXPECT_EQ(q.wanted.min_duration, 0ms);
    EXPECT_EQ(q.wanted.max_duration, 250ms);
    EXPECT_EQ(q.wanted.start->value, 1'700'000'000'123);
    EXPECT_EQ(q.wanted.end->value, 1'700'000'001'000);
}

TEST(log_query, takes_values_up_to_their_edges) {
    EXPECT_EQ(parsed("?limit=1").limit, 1U);
    EXPECT_EQ(refused("?limit=0"), "limit");
    EXPECT_EQ(parsed("?limit=500").limit, 500U);
    EXPECT_EQ(refused("?limit=501"), "limit");
    EXPECT_EQ(parsed("?offset=1000000000").offset, 1'000'000'000U);
    EXPECT_EQ(refused("?offset=1000000001"), "offset");
    EXPECT_EQ(refused("?offset=-1"), "offset");
    EXPECT_EQ(refused("?minDurationMs=-1"), "minDurationMs");
    EXPECT_EQ(parsed("?start=0").wanted.start->value, 0);
    EXPECT_EQ(parsed("?start=253402300799999").wanted.start->value, 253'402'300'799'999);
    EXPECT_EQ(refused("?start=253402300800000"), "start");
}

TEST(log_query, names_what_it_does_not_understand) {
    for (const auto* query :
         {"?limit=", "?limit=x", "?limit=5x", "?limit=5.0", "?limit=+5", "?limit= 5", "?limit=99999999999999999999"})
        EXPECT_EQ(refused(query), "limit") << query;
    for (const auto* query : {"?stream=1", "?stream=True", "?stream"}) EXPECT_EQ(refused(query), "stream") << query;
    for (const auto* query : {"?deploymentId=a", "?deploymentId=dep_0123456789a", "?deploymentId=dep_0123456789abc",
                              "?deploymentId=dep_0123456789aB"})
        EXPECT_EQ(refused(query), "deploymentId") << query;
    for (const auto* query : {"?start=yesterday", "?start=2023-11-14", "?start=-5", "?start=2023-13-14T22:13:21Z"})
        EXPECT_EQ(refused(query), "start") << query;
    EXPECT_EQ(refused("?end=x"), "end");
    EXPECT_EQ(refused("?degraded=yes"), "degraded");
    EXPECT_EQ(refused("?maxDurationMs=1s"), "maxDurationMs");
    EXPECT_EQ(refused("?outcome=incomplete"), "outcome");
    EXPECT_EQ(refused("?failureKind=timeout"), "failureKind");
    EXPECT_EQ(refused("?publicModel="), "publicModel");
    EXPECT_EQ(refused("?virtualKeyId=1"), "virtualKeyId");
    EXPECT_EQ(refused("?Limit=1"), "Limit");
    EXPECT_EQ(refused("?limit=1&limit=1"), "limit");
    EXPECT_EQ(refused("?requestId=%zz"), "");
    EXPECT_EQ(refused("?requestId=%4"), "");
}

TEST(log_query, says_which_words_it_knows) {
    const auto q = parse_log_query("/admin/logs?outcome=x");
    EXPECT_EQ(std::get<bad_parameter>(q).message, "must be one of success, error, cancelled");
}

TEST(log_query, decodes_names_and_values) {
    EXPECT_EQ(parsed("?publicModel=a%2Fb%26c+d").wanted.public_model, "a/b&c d");
    EXPECT_EQ(parsed("?%6Cimit=3").limit, 3U);
    EXPECT_EQ(parsed("?end=2023-11-15T00:13:21.5%2B02:00").wanted.end->value, 1'700'000'001'500);
}

} // namespace
} // namespace turnout::admin
