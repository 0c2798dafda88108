#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/contracts/contract.hpp"

namespace turnout::codec {

/// A tracker of any contract and everything that it said.
class tracked_stream {
public:
    tracked_stream(const contract& protocol, tracker_options options)
        : tracker_(protocol.make_tracker(std::move(options))) {}

    frame_class send(std::string_view data, std::string_view name = {}) {
        sse::event e;
        e.name = name;
        e.data = data;
        e.has_data = true;
        classes.push_back(tracker_->on_event(e, out));
        return classes.back();
    }

    /// Without names of events.
    tracked_stream& send_all(const std::vector<std::string>& payloads) {
        for (const std::string& data : payloads) send(data);
        return *this;
    }

    /// What `close` adds.
    std::string closing(std::string_view unified_routing = {}) {
        std::string added;
        tracker_->close(added, unified_routing);
        return added;
    }

    stream_tracker& operator*() { return *tracker_; }
    stream_tracker* operator->() { return tracker_.get(); }

    std::string out;
    std::vector<frame_class> classes;

private:
    std::unique_ptr<stream_tracker> tracker_;
};

} // namespace turnout::codec
