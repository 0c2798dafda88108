#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/env_reference.hpp"
#include "documents.hpp"

namespace turnout::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string resolved(std::string_view text) {
    auto result = resolve_references(text, test_environment);
    return std::holds_alternative<std::string>(result) ? std::get<std::string>(result)
                                                       : "fault: " + std::get<reference_fault>(result).message;
}

constexpr std::string_view malformed = "fault: holds a malformed reference; write ${NAME}, or $${ for a literal ${";

TEST(EnvReference, IsReplacedByItsValue) {
    EXPECT_EQ(resolved(""), "");
    EXPECT_EQ(resolved("plain"), "plain");
    EXPECT_EQ(resolved("${A_KEY}"), "sk-a-1");
    EXPECT_EQ(resolved("a${A_KEY}b${_x9}c"), "ask-a-1bninec");
    EXPECT_EQ(resolved("${EMPTY}"), "");
}

TEST(EnvReference, IsNotLookedUpAgainInsideAValue) { EXPECT_EQ(resolved("${NESTED}"), "${A_KEY}"); }

TEST(EnvReference, LeavesOtherDollarsAlone) {
    EXPECT_EQ(resolved("$"), "$");
    EXPECT_EQ(resolved("$A_KEY"), "$A_KEY");
    EXPECT_EQ(resolved("pa$$word"), "pa$$word");
    EXPECT_EQ(resolved("{A_KEY}"), "{A_KEY}");
}

TEST(EnvReference, IsEscapedByASecondDollar) {
    EXPECT_EQ(resolved("$${A_KEY}"), "${A_KEY}");
    EXPECT_EQ(resolved("$$${A_KEY}"), "$${A_KEY}");
    EXPECT_EQ(resolved("$${"), "${");
}

TEST(EnvReference, NamesTheVariableThatIsMissing) {
    EXPECT_EQ(resolved("x${ABSENT}"), "fault: refers to the environment variable ABSENT, which is not set");
}

TEST(EnvReference, MustHaveAVariableName) {
    for (const std::string_view text : {"${", "${}", "${A", "${A-B}", "${9}", "${A_KEY }", "${ A_KEY}", "${A:-b}"}) {
        EXPECT_EQ(resolved(text), malformed) << text;
    }
}

TEST(EnvReference, WorksInEveryString) {
    EXPECT_THAT(problems_of(document_with("server: {host: '${HOST}'}")), IsEmpty());
    EXPECT_THAT(problems_of(document_with("server:\n  host: ${HOST}\n")), IsEmpty());
    EXPECT_THAT(problems_of(document_with_deployment(", label: '${_x9}'")), IsEmpty());
}

TEST(EnvReference, IsCheckedLikeAWrittenValue) {
    EXPECT_THAT(problems_of(document_with("server: {masterKey: '${EMPTY}'}")),
                ElementsAre("server.masterKey: must not be empty"));
    EXPECT_THAT(problems_of(document_with("server: {masterKey: '${LINES}'}")),
                ElementsAre("server.masterKey: must not contain control characters"));
    EXPECT_THAT(problems_of(document_with("server: {masterKey: '${LATIN}'}")),
                ElementsAre("server.masterKey: must be UTF-8"));
    EXPECT_THAT(problems_of(document_with("server: {masterKey: '${ABSENT}'}")),
                ElementsAre("server.masterKey: refers to the environment variable ABSENT, which is not set"));
}

TEST(EnvReference, IsNoNumber) {
    EXPECT_THAT(problems_of(document_with("server: {port: '${PORT}'}")),
                ElementsAre("server.port: must be an integer from 0 to 65535"));
}

} // namespace
} // namespace turnout::config
