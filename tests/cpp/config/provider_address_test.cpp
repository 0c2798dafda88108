#include <variant>

#include <gmock/gmock.h>

#include "config/documents.hpp"

namespace turnout::config {
namespace {

TEST(ProviderAddress, OfOpenAiIsKnown) {
    RecordProperty("rules", "CFG-DEPLOY-005");
    const auto result = load_text("deployments: [{publicModel: gpt, adapterKey: openai, upstreamModel: up, "
                                  "credentials: {apiKey: sk-a}}]");
    const auto* loaded = std::get_if<configuration>(&result);
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(loaded->deployments.at(0).base_url, "https://api.openai.com/v1");
}

} // namespace
} // namespace turnout::config
