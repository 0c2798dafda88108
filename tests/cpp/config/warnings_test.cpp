#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "config/documents.hpp"
#include "config/warnings.hpp"

namespace turnout::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string serving(std::string_view model, std::string_view transports, std::string_view more = {}) {
    return "{publicModel: " + std::string(model)
           + ", adapterKey: openaicompatible, upstreamModel: up, credentials: {baseUrl: 'http://h'}, "
             "transportOverrides: {text.generate: ["
           + std::string(transports) + "]}" + std::string(more) + "}";
}

std::vector<std::string> warnings_of(const std::string& deployments, const std::string& fallbacks) {
    const auto result = load_text("deployments: [" + deployments + "]\nfallbacks: [" + fallbacks + "]\n");
    std::vector<std::string> lines;
    for (const auto& w : warnings(std::get<configuration>(result))) lines.push_back(w.path + ": " + w.message);
    return lines;
}

const std::string chain = "{primaryModel: a, fallbackModels: [b, c]}";

TEST(Warnings, NameWhatHasNoFallback) {
    RecordProperty("rules", "CFG-CHAIN-007");
    const auto both = serving("a", "chat, responses");
    EXPECT_THAT(warnings_of(both + ", " + serving("b", "messages") + ", " + serving("c", "messages"), chain),
                ElementsAre("fallbacks[0].fallbackModels: no enabled deployment of these models carries chat or "
                            "responses requests, so that those for a have no fallback here"));
    EXPECT_THAT(warnings_of(both + ", " + serving("b", "messages") + ", " + serving("c", "chat"), chain),
                ElementsAre(testing::HasSubstr("carries responses requests")));
}

TEST(Warnings, AreSilentWhereSomebodyOfTheChainFits) {
    EXPECT_THAT(
        warnings_of(serving("a", "chat") + ", " + serving("b", "messages") + ", " + serving("c", "chat"), chain),
        IsEmpty());
    EXPECT_THAT(
        warnings_of(serving("a", "chat, messages") + ", " + serving("b", "messages") + ", " + serving("c", "chat"),
                    chain),
        IsEmpty());
}

TEST(Warnings, LeaveOutWhatIsDisabled) {
    const std::string off = ", enabled: false";
    EXPECT_THAT(
        warnings_of(serving("a", "chat") + ", " + serving("b", "chat", off) + ", " + serving("c", "chat", off), chain),
        ElementsAre(testing::HasSubstr("carries chat requests")));
    EXPECT_THAT(
        warnings_of(serving("a", "chat", off) + ", " + serving("b", "messages") + ", " + serving("c", "messages"),
                    chain),
        IsEmpty());
}

} // namespace
} // namespace turnout::config
