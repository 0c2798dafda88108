// The rules STR-ANOM, STR-USAGE and STR-DONE of spec/rules/streams.yaml that only the stream tracker shows.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "codec/contracts/chat/chat.hpp"

namespace turnout::codec::chat {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view content = R"({"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]})";
constexpr std::string_view finish = R"({"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
constexpr std::string_view done = "[DONE]";

/// One stream: what came, and how the body ended.
class played_stream {
public:
    explicit played_stream(unsigned n = 1) {
        tracker_options options;
        options.public_model = "gpt";
        options.n = n;
        tracker_ = instance().make_tracker(options);
    }

    played_stream& event(std::string_view data) {
        sse::event e;
        e.data = data;
        e.has_data = true;
        tracker_->on_event(e, out_);
        return *this;
    }

    /// True if the stream was complete; it is closed then, as the gateway does.
    bool ends(bool clean = true) {
        if (tracker_->on_end(clean)) return false;
        tracker_->close(out_, {});
        return true;
    }

    stream_tracker& tracker() { return *tracker_; }
    const std::vector<anomaly>& anomalies() const { return tracker_->anomalies(); }
    const std::string& out() const { return out_; }

private:
    std::unique_ptr<stream_tracker> tracker_;
    std::string out_;
};

TEST(chat_anomalies, have_none_in_a_whole_stream) {
    RecordProperty("rules", "STR-ANOM-008");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(finish).event(done).ends());
    EXPECT_THAT(s.anomalies(), IsEmpty());
}

TEST(chat_anomalies, name_a_missing_end_marker) {
    RecordProperty("rules", "STR-ANOM-001");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(finish).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::missing_done));
}

TEST(chat_anomalies, name_a_missing_finish_reason) {
    RecordProperty("rules", "STR-ANOM-002");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(done).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::missing_finish_reason));
}

TEST(chat_anomalies, name_an_empty_output) {
    RecordProperty("rules", "STR-ANOM-003");
    played_stream s;
    EXPECT_TRUE(s.event(finish).event(done).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::empty_output));
}

TEST(chat_anomalies, name_an_unclean_close) {
    RecordProperty("rules", "STR-ANOM-004");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(finish).ends(false));
    EXPECT_THAT(s.anomalies(), Contains(anomaly::unclean_close));
}

TEST(chat_anomalies, name_choices_that_never_came) {
    RecordProperty("rules", "STR-ANOM-005");
    played_stream s(2);
    EXPECT_TRUE(s.event(content).event(finish).event(done).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::unmet_n));
}

TEST(chat_anomalies, name_an_error_after_the_finish) {
    RecordProperty("rules", "STR-ANOM-006");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(finish).event(R"({"error":{"message":"late"}})").event(done).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::error_after_finish));
    EXPECT_THAT(s.out(), Not(testing::HasSubstr("late")));
}

TEST(chat_anomalies, name_a_malformed_keepalive) {
    RecordProperty("rules", "STR-ANOM-007");
    played_stream s;
    EXPECT_TRUE(s.event(content).event(": keepalive").event(finish).event(done).ends());
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::malformed_keepalive));
    EXPECT_THAT(s.out(), Not(testing::HasSubstr("keepalive")));
}

TEST(chat_anomalies, name_an_answer_that_was_no_stream) {
    RecordProperty("rules", "STR-ANOM-009");
    played_stream s;
    std::string out;
    const auto failure = s.tracker().on_answer(
        R"({"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]})",
        out);
    EXPECT_FALSE(failure.has_value());
    s.tracker().close(out, {});
    EXPECT_THAT(s.anomalies(), ElementsAre(anomaly::non_stream_answer));
}

TEST(chat_choices, are_truncated_if_some_never_came_and_the_body_broke_off) {
    RecordProperty("rules", "STR-DONE-014");
    EXPECT_FALSE(played_stream(2).event(content).event(finish).ends(false));
    EXPECT_TRUE(played_stream(2).event(content).event(finish).ends(true));
}

TEST(chat_usage, is_found_inside_x_groq) {
    RecordProperty("rules", "STR-USAGE-004");
    played_stream s;
    s.event(content).event(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],)"
                           R"("x_groq":{"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}})");
    ASSERT_TRUE(s.tracker().usage().has_value());
    EXPECT_EQ(s.tracker().usage()->total, 7);
}

TEST(chat_usage, is_the_last_of_several) {
    RecordProperty("rules", "STR-USAGE-005");
    played_stream s;
    for (const char* const count : {"5", "6", "9"}) {
        s.event(R"({"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":4,"completion_tokens":1,)"
                R"("total_tokens":)"
                + std::string(count) + "}}");
    }
    ASSERT_TRUE(s.tracker().usage().has_value());
    EXPECT_EQ(s.tracker().usage()->total, 9);
}

} // namespace
} // namespace turnout::codec::chat
