#include "codec/contracts/chat/frame.hpp"

#include "codec/contracts/provider_error.hpp"
#include "codec/json_scan.hpp"

namespace turnout::codec::chat {
namespace {

class frame_reader {
public:
    frame_reader(std::string_view data, frame_facts& facts) : data_(data), scan_(data), facts_(facts) {}

    bool read() {
        if (scan_.peek() != json::kind::object || !scan_.begin_object()) return false;
        json::string_token name;
        while (scan_.next_member(name)) read_member(name);
        facts_.usage = usage_ ? usage_ : groq_usage_;
        return scan_.finish();
    }

private:
    void read_member(const json::string_token& name) {
        if (name.equals("choices") && scan_.peek() == json::kind::array) {
            read_choices();
        } else if (name.equals("usage")) {
            json::scanner ahead = scan_;
            const bool null = scan_.peek() == json::kind::null;
            std::string_view value;
            if (!scan_.skip(value) || null) return;
            facts_.usage_value = value;
            usage_ = read_usage(ahead);
        } else if (name.equals("x_groq")) {
            const groq_facts groq = read_groq(scan_);
            groq_usage_ = groq.usage;
            facts_.groq_usage_value = groq.usage_value;
            facts_.error = groq.error || facts_.error;
        } else {
            read_plain_member(name);
        }
    }

    void read_plain_member(const json::string_token& name) {
        std::string_view value;
        if (!scan_.skip(value)) return;
        const json::kind kind = json::kind_of(value.front());
        const bool text = kind == json::kind::string && value.size() > 2;
        if (name.equals("id")) {
            if (text) facts_.id = value;
        } else if (name.equals("model")) {
            if (text) facts_.model.found(value);
        } else if (name.equals("created")) {
            if (kind == json::kind::number) facts_.created = value;
        } else if (name.equals("error")) {
            facts_.error = is_error_value(kind, value) || facts_.error;
        } else if (name.equals("object")) {
            facts_.error = value == R"("error")" || facts_.error;
        } else if (name.equals("type")) {
            facts_.error = value == R"("error")" || facts_.error;
            facts_.ping = value == R"("ping")";
        } else if (name.equals("obfuscation")) {
            if (text) facts_.obfuscation = value.substr(1, value.size() - 2);
        }
    }

    void read_choices() {
        facts_.choices.clear();
        if (!scan_.begin_array()) return;
        for (std::int64_t place = 0; scan_.next_element(); ++place) {
            if (scan_.peek() == json::kind::object) {
                read_choice(facts_.choices.emplace_back(), place);
            } else {
                scan_.skip();
            }
        }
    }

    void read_choice(choice_facts& choice, std::int64_t place) {
        choice.index = place;
        if (!scan_.begin_object()) return;
        choice.start = data_.substr(scan_.offset(), 0);
        json::string_token name;
        std::string_view value;
        while (scan_.next_member(name)) {
            if (name.equals("delta")) {
                read_delta(choice);
            } else if (!scan_.skip(value)) {
                return;
            } else if (name.equals("index")) {
                choice.index = json::to_integer(value).value_or(place);
            } else if (name.equals("finish_reason")) {
                choice.finish = finish_of(value);
                choice.finish_value = value;
            } else if (name.equals("error") && json::kind_of(value.front()) == json::kind::object) {
                choice.error = value;
            }
        }
    }

    void read_delta(choice_facts& choice) {
        choice.has_delta = scan_.peek() == json::kind::object;
        if (!choice.has_delta) {
            scan_.skip(choice.blank_delta);
            return;
        }
        choice.delta_start = data_.substr(scan_.offset() + 1, 0);
        choice.output = read_output(scan_);
    }

    std::string_view data_;
    json::scanner scan_;
    frame_facts& facts_;
    std::optional<token_usage> usage_;
    std::optional<token_usage> groq_usage_;
};

} // namespace

bool read_frame(std::string_view data, frame_facts& facts) {
    facts.choices.clear();
    facts.error = false;
    facts.ping = false;
    facts.model = {};
    facts.id = facts.created = facts.usage_value = facts.groq_usage_value = facts.obfuscation = {};
    facts.usage.reset();
    return frame_reader(data, facts).read();
}

} // namespace turnout::codec::chat
