#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load.hpp"
#include "documents.hpp"

namespace turnout::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Notes which files it is asked about, and finds fault with those whose name says so.
struct noting_checks {
    std::vector<std::string> asked;

    std::variant<configuration, problems> load(const std::string& rest, const std::filesystem::path& folder) {
        file_checks checks{.folder = folder};
        checks.tls = [this](const tls_files& files) {
            asked.push_back(files.certificate_file + " " + files.key_file);
            problems found;
            if (files.certificate_file.find("bad") != std::string::npos) found.push_back({"certificateFile", "is bad"});
            if (files.key_file.find("bad") != std::string::npos) found.push_back({"keyFile", "is bad"});
            return found;
        };
        checks.authorities = [this](const std::string& file) -> std::optional<std::string> {
            asked.push_back(file);
            return file.find("bad") != std::string::npos ? std::optional<std::string>("is bad") : std::nullopt;
        };
        return config::load(rest + "\ndeployments: [" + deployment_with("") + "]", test_environment, checks);
    }

    std::vector<std::string> complaints(const std::string& rest) {
        const auto loaded = load(rest, {});
        std::vector<std::string> found;
        if (const auto* all = std::get_if<problems>(&loaded))
            for (const auto& p : *all) found.push_back(p.path + ": " + p.message);
        return found;
    }
};

TEST(config_files, count_from_the_folder_of_the_document) {
    RecordProperty("rules", "CFG-TLS-003");
    const std::string text =
        "server: {tls: {certificateFile: a/cert.pem, keyFile: /k.pem}}\nnetwork: {caFile: ../ca.pem}";
    noting_checks checks;
    const auto loaded = checks.load(text, "/etc/turnout");
    EXPECT_THAT(checks.asked, ElementsAre("/etc/turnout/a/cert.pem /k.pem", "/etc/ca.pem"));
    const auto& settings = std::get<configuration>(loaded);
    EXPECT_EQ(settings.server.tls.value().certificate_file, "/etc/turnout/a/cert.pem");
    EXPECT_EQ(settings.server.tls.value().key_file, "/k.pem");
    EXPECT_EQ(settings.network.ca_file, "/etc/ca.pem");
    noting_checks elsewhere;
    EXPECT_TRUE(std::holds_alternative<configuration>(elsewhere.load(text, {})));
    EXPECT_THAT(elsewhere.asked, ElementsAre("a/cert.pem /k.pem", "../ca.pem"));
}

TEST(config_files, are_judged_by_the_shell) {
    noting_checks checks;
    EXPECT_THAT(checks.complaints("server: {tls: {certificateFile: good, keyFile: good}}"), IsEmpty());
    EXPECT_THAT(checks.complaints("server: {tls: {certificateFile: good, keyFile: bad}}"),
                ElementsAre("server.tls.keyFile: is bad"));
    EXPECT_THAT(checks.complaints("server: {tls: {certificateFile: bad, keyFile: bad}}"),
                ElementsAre("server.tls.certificateFile: is bad", "server.tls.keyFile: is bad"));
    EXPECT_THAT(checks.complaints("network: {caFile: bad}"), ElementsAre("network.caFile: is bad"));
}

TEST(config_files, are_asked_about_only_where_their_names_are_right) {
    noting_checks checks;
    EXPECT_THAT(checks.complaints("server: {tls: {}}"),
                ElementsAre("server.tls.certificateFile: is required", "server.tls.keyFile: is required"));
    EXPECT_THAT(checks.complaints("server: {tls: {certificateFile: '', keyFile: k}}"),
                ElementsAre("server.tls.certificateFile: must not be empty"));
    EXPECT_THAT(checks.complaints("server: {tls: none}"), ElementsAre("server.tls: must be a map"));
    EXPECT_THAT(checks.complaints("server: {tls: {certificateFile: c, keyFile: k, passphrase: p}}"),
                ElementsAre("server.tls.passphrase: unknown field; known here are certificateFile, keyFile"));
    EXPECT_THAT(checks.asked, ElementsAre("c k"));
}

TEST(config_files, are_no_content) {
    noting_checks checks;
    const auto found =
        checks.complaints("server: {tls: {certificateFile: c, keyFile: '-----BEGIN PRIVATE KEY-----MIGHAgEAMBMG'}}");
    EXPECT_THAT(found, ElementsAre("server.tls.keyFile: must be the path of a file, not its content"));
    EXPECT_THAT(checks.asked, IsEmpty());
}

} // namespace
} // namespace turnout::config
