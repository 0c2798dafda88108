#include <limits>

#include <gmock/gmock.h>

#include "net/descriptors.hpp"
#include "server/connection_limit.hpp"

namespace turnout::server {
namespace {

TEST(connection_limit_test, leaves_an_upstream_connection_for_each_client) {
    RecordProperty("rules", "HTTP-FULL-003");
    EXPECT_EQ(choose_connection_limit({}, 20'000, 10, 2).connections, (20'000U - 10 - 64 - 2 * 40) / 2);
    EXPECT_EQ(choose_connection_limit({}, 20'000, 10, 2).warning, "");
}

TEST(connection_limit_test, is_what_was_configured_if_that_fits) {
    RecordProperty("rules", "HTTP-FULL-003");
    EXPECT_EQ(choose_connection_limit(447, 1'000, 2, 1).connections, 447U);
    EXPECT_EQ(choose_connection_limit(447, 1'000, 2, 1).warning, "");
    const auto less = choose_connection_limit(448, 1'000, 2, 1);
    EXPECT_EQ(less.connections, 447U);
    EXPECT_EQ(less.warning,
              "turnout: server.maxConnections 448 is more than the limit of 1000 open descriptors allows: at most 447 "
              "clients are taken at once, each with an upstream connection");
}

TEST(connection_limit_test, warns_of_a_low_limit) {
    RecordProperty("rules", "LIFE-LIMIT-002");
    EXPECT_EQ(choose_connection_limit({}, 10 + 64 + 40 + 2 * 128, 10, 1).warning, "");
    EXPECT_EQ(choose_connection_limit({}, 10 + 64 + 40 + 2 * 128 - 1, 10, 1).warning,
              "turnout: the limit of 369 open descriptors is low: at most 127 clients are taken at once, each with an "
              "upstream connection");
    EXPECT_EQ(choose_connection_limit(127, 369, 10, 1).warning, "");
}

TEST(connection_limit_test, is_nothing_only_where_nobody_could_be_served) {
    RecordProperty("rules", "LIFE-LIMIT-003");
    EXPECT_EQ(choose_connection_limit({}, 10 + 8 + 2 * 3, 10, 2).connections, 1U);
    EXPECT_EQ(choose_connection_limit({}, 10 + 8 + 2 * 3 - 1, 10, 2).connections, 0U);
    EXPECT_EQ(choose_connection_limit({}, 0, 0, 1).connections, 0U);
    EXPECT_EQ(choose_connection_limit(100, 12, 5, 1).warning,
              "the limit of 12 open descriptors is too low to serve anybody (ulimit -n)");
    EXPECT_GT(choose_connection_limit({}, std::numeric_limits<std::size_t>::max(), 10, 64).connections, 1'000'000U);
}

TEST(descriptors_test, are_counted) {
    EXPECT_GE(net::open_descriptors(), 3U);
    EXPECT_GT(net::descriptor_limit(), net::open_descriptors());
}

} // namespace
} // namespace turnout::server
