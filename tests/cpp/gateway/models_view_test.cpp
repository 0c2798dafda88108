#include <string>
#include <variant>

#include <gmock/gmock.h>

#include "gateway/models_view.hpp"

namespace turnout::gateway {
namespace {

class models_view : public testing::Test {
protected:
    models_view() {
        for (const auto* name : {"a", "b", "c", "d"}) models.try_emplace(name);
    }

    std::string page(const std::string& query) const {
        const auto read = read_model_page("/v1/models" + query, models);
        if (const auto* problem = std::get_if<codec::public_error>(&read)) return problem->message;
        return anthropic_models(std::get<model_page>(read));
    }
    /// The names on a page, and a sign if there are more.
    std::string names(const std::string& query) const {
        const auto body = page(query);
        std::string found;
        for (const auto& [name, model] : models)
            if (body.find(R"("display_name":")" + name) != std::string::npos) found += name;
        return found + (body.find(R"("has_more":true)") == std::string::npos ? "" : "+");
    }

    public_models models;
};

TEST_F(models_view, pages_forwards_and_backwards) {
    EXPECT_EQ(names(""), "abcd");
    EXPECT_EQ(names("?limit=4"), "abcd");
    EXPECT_EQ(names("?limit=3"), "abc+");
    EXPECT_EQ(names("?after_id=a&limit=2"), "bc+");
    EXPECT_EQ(names("?after_id=a&limit=3"), "bcd");
    EXPECT_EQ(names("?after_id=d"), "");
    EXPECT_EQ(names("?before_id=d&limit=2"), "bc+");
    EXPECT_EQ(names("?before_id=d&limit=3"), "abc");
    EXPECT_EQ(names("?before_id=a"), "");
}

TEST_F(models_view, says_which_parameter_it_does_not_understand) {
    EXPECT_EQ(page("?limit=1001"), "limit: must be a whole number from 1 to 1000");
    EXPECT_EQ(page("?limit=99999999999999999999999"), "limit: must be a whole number from 1 to 1000");
    EXPECT_EQ(page("?limit=1 "), "limit: must be a whole number from 1 to 1000");
    EXPECT_EQ(page("?after_id=x"), "after_id: must be the id of a model");
    EXPECT_EQ(page("?before_id=a&before_id=b"), "before_id: must be given only once");
}

TEST_F(models_view, escapes_names) {
    EXPECT_EQ(anthropic_model("a\"b"), R"({"type":"model","id":"a\"b","display_name":"a\"b",)"
                                       R"("created_at":"1970-01-01T00:00:00Z"})");
}

} // namespace
} // namespace turnout::gateway
