#include "codec/contracts/responses/kept_response.hpp"

namespace turnout::codec::responses {
namespace {

/// What was read at `from`, as if it had been at `to`.
response_facts moved(response_facts facts, const char* from, const char* to) {
    for (std::string_view* view :
         {&facts.value, &facts.model.value, &facts.id.value, &facts.previous_id.value, &facts.status, &facts.error}) {
        if (!view->empty()) *view = {to + (view->data() - from), view->size()};
    }
    return facts;
}

} // namespace

void kept_response::keep(const response_facts& read) {
    if (read.value != text_) text_ = read.value;
    facts_ = moved(read, read.value.data(), text_.data());
}

response_facts kept_response::read_at(const char* begin) const { return moved(facts_, text_.data(), begin); }

} // namespace turnout::codec::responses
