#include <initializer_list>
#include <vector>

#include <gmock/gmock.h>

#include "server/options.hpp"

namespace turnout::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;

parsed_options parse(std::initializer_list<const char*> arguments) {
    std::vector<const char*> argv{"turnout"};
    argv.insert(argv.end(), arguments);
    return parse_options(static_cast<int>(argv.size()), argv.data());
}

/// What is said, and the exit code, of a command line that runs nothing.
struct refusal {
    std::optional<int> code;
    std::string out;
    std::string err;
};

refusal refuse(std::initializer_list<const char*> arguments) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const auto code = parse(arguments).exit_code;
    return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

TEST(options, serve_with_a_configuration_alone) {
    for (const auto* flag : {"--config", "-c"}) {
        const auto p = parse({"serve", flag, "turnout.yaml"});
        EXPECT_EQ(p.exit_code, std::nullopt);
        EXPECT_EQ(p.chosen.run, command::serve);
        EXPECT_EQ(p.chosen.config_file, "turnout.yaml");
        EXPECT_EQ(p.chosen.host, std::nullopt);
        EXPECT_EQ(p.chosen.port, std::nullopt);
        EXPECT_EQ(p.chosen.workers, std::nullopt);
        EXPECT_EQ(p.chosen.seed, std::nullopt);
        EXPECT_FALSE(p.chosen.test_control);
        EXPECT_EQ(p.chosen.data, "turnout-data");
        EXPECT_FALSE(p.chosen.no_data);
    }
}

TEST(options, serve_with_everything) {
    const auto p = parse({"serve", "--config=c.json", "--host", "::1", "--port", "0", "--workers", "2", "--seed",
                          "18446744073709551615", "--test-control"});
    EXPECT_EQ(p.exit_code, std::nullopt);
    EXPECT_EQ(p.chosen.config_file, "c.json");
    EXPECT_EQ(p.chosen.host, "::1");
    EXPECT_EQ(p.chosen.port, 0);
    EXPECT_EQ(p.chosen.workers, 2U);
    EXPECT_EQ(p.chosen.seed, 18446744073709551615U);
    EXPECT_TRUE(p.chosen.test_control);
}

TEST(options, say_where_data_goes) {
    EXPECT_EQ(parse({"serve", "--config", "c", "--data", "/var/lib/turnout"}).chosen.data, "/var/lib/turnout");
    EXPECT_TRUE(parse({"serve", "--config", "c", "--no-data"}).chosen.no_data);
}

TEST(options, validate) {
    const auto p = parse({"validate", "--config", "c.yaml"});
    EXPECT_EQ(p.exit_code, std::nullopt);
    EXPECT_EQ(p.chosen.run, command::validate);
    EXPECT_EQ(p.chosen.config_file, "c.yaml");
}

TEST(options, say_the_version) {
    const auto r = refuse({"--version"});
    EXPECT_EQ(r.code, 0);
    EXPECT_EQ(r.out, "turnout " TURNOUT_VERSION "\n");
    EXPECT_EQ(r.err, "");
}

TEST(options, help) {
    const auto r = refuse({"--help"});
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.out, AllOf(HasSubstr("serve"), HasSubstr("validate")));
    EXPECT_THAT(refuse({"serve", "--help"}).out, AllOf(HasSubstr("--config"), HasSubstr("--test-control")));
}

TEST(options, are_wrong_usage_with_exit_code_2) {
    const std::initializer_list<const char*> wrong[] = {
        {},
        {"run"},
        {"serve"},
        {"validate"},
        {"serve", "--config"},
        {"serve", "--config", "c", "--port", "65536"},
        {"serve", "--config", "c", "--port", "-1"},
        {"serve", "--config", "c", "--port", "http"},
        {"serve", "--config", "c", "--workers", "1025"},
        {"serve", "--config", "c", "--workers", "-1"},
        {"serve", "--config", "c", "--seed", "x"},
        {"serve", "--config", "c", "--verbose"},
        {"serve", "--config", "c", "extra"},
        {"serve", "--config", "c", "--data"},
        {"serve", "--config", "c", "--data", ""},
        {"serve", "--config", "c", "--data", "d", "--no-data"},
        {"validate", "--config", "c", "--port", "1"},
        {"validate", "--config", "c", "--data", "d"},
        {"serve", "--config", "c", "validate", "--config", "c"},
    };
    for (const auto& arguments : wrong) {
        const auto r = refuse(arguments);
        EXPECT_EQ(r.code, 2) << testing::PrintToString(std::vector<std::string>(arguments.begin(), arguments.end()));
        EXPECT_NE(r.err, "");
        EXPECT_EQ(r.out, "");
    }
}

} // namespace
} // namespace turnout::server
