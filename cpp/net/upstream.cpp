#include "net/upstream.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "net/connector.hpp"
#include "net/recycled.hpp"
#include "net/stale.hpp"
#include "net/upstream_connection.hpp"
#include "net/upstream_websocket.hpp"

namespace turnout::net {
namespace {

constexpr std::size_t idle_per_endpoint = 256;

} // namespace

struct upstream_client::impl final : connection_keeper {
    impl(loop& l, upstream_options options) : on(l), reach(l, std::move(options)) {}

    struct idle_list {
        endpoint where;
        std::vector<upstream_connection_ptr> connections; // last in, first out
    };

    idle_list& list_of(const endpoint& where) {
        for (auto& l : idle)
            if (l->where == where) return *l;
        idle.push_back(std::make_unique<idle_list>(idle_list{where, {}}));
        return *idle.back();
    }

    upstream_connection_ptr take(const endpoint& where) {
        auto& list = list_of(where).connections;
        while (!list.empty()) {
            auto c = std::move(list.back());
            list.pop_back();
            if (c->quiet()) return c;
            c->close();
        }
        return nullptr;
    }

    void on_idle(const upstream_connection_ptr& c) override {
        auto& list = list_of(c->where()).connections;
        if (list.size() == idle_per_endpoint) list.front()->close();
        list.push_back(c);
    }

    void on_closed(upstream_connection& c) override {
        auto& list = list_of(c.where()).connections;
        std::erase_if(list, [&](const auto& other) { return other.get() == &c; });
    }

    loop& on;
    connecting reach;
    std::vector<std::unique_ptr<idle_list>> idle;
};

namespace {

/// One request's use of a connection, and of a fresh one if a reused one turns out to be dead.
class call final : public upstream_call, public recycled<call>, private connector_user, private connection_user {
public:
    call(upstream_client::impl& client, const endpoint& to, std::span<const std::string_view> request,
         call_observer& observer)
        : client_(client), to_(to), request_(request), observer_(&observer) {}

    ~call() override {
        if (connector_) connector_->cancel();
        if (connection_) connection_->close();
    }

    void start() {
        if ((connection_ = client_.take(to_))) {
            reused_ = true;
            // The observer must not hear anything before the caller has its pointer: reading begins on the next turn.
            send();
        } else {
            connect();
        }
    }

    void pause() override {
        if (connection_) connection_->pause();
    }
    void resume() override {
        if (connection_) connection_->resume();
    }
    bool sent() const override { return connection_ && connection_->written_at().has_value(); }
    void cancel() override {
        observer_ = nullptr;
        if (auto c = std::move(connector_)) c->cancel();
        if (auto c = std::move(connection_)) c->close();
    }
    void drain() override {
        observer_ = nullptr;
        if (auto c = std::move(connector_)) c->cancel();
        if (auto c = std::move(connection_)) c->drain();
    }

private:
    void connect() {
        reused_ = false;
        connector_ = new connector(client_.reach, to_, *this);
        boost::asio::post(client_.on.context(), [c = connector_] { c->start(); });
    }

    void send() { connection_->send(*this, request_); }

    void on_reached(stream&& s) override {
        connector_ = nullptr;
        connection_ = new upstream_connection(client_.on, client_, to_, std::move(s));
        send();
    }

    void on_unreached(base::failure_origin origin, std::string_view detail) override {
        const boost::intrusive_ptr<call> self(this);
        connector_ = nullptr;
        if (auto* o = std::exchange(observer_, nullptr)) o->on_failure(origin, detail);
    }

    void on_answer_head(const codec::http1::head& head) override {
        if (observer_ != nullptr) observer_->on_head(head);
    }
    void on_answer_body(std::string_view bytes) override {
        if (observer_ != nullptr) observer_->on_body(bytes);
    }
    void on_parts_read() override {
        if (observer_ != nullptr) observer_->on_parts_read();
    }
    void on_answer_complete() override {
        const boost::intrusive_ptr<call> self(this);
        connection_ = nullptr;
        if (auto* o = std::exchange(observer_, nullptr)) o->on_complete();
    }

    void on_connection_failed(base::failure_origin origin, std::string_view detail) override {
        const boost::intrusive_ptr<call> self(this);
        const bool replace = reused_ && stale();
        connection_ = nullptr;
        if (observer_ == nullptr) return;
        if (replace) {
            connect();
            return;
        }
        std::exchange(observer_, nullptr)->on_failure(origin, detail);
    }

    bool stale() const {
        return connection_ && !connection_->answer_begun() && is_stale(connection_->written_at(), client_.on.now());
    }

    upstream_client::impl& client_;
    const endpoint& to_;
    std::span<const std::string_view> request_;
    call_observer* observer_;
    connector_ptr connector_; ///< while a fresh connection is being made
    upstream_connection_ptr connection_;
    bool reused_ = false;
};

} // namespace

upstream_client::upstream_client(loop& l, upstream_options options)
    : impl_(std::make_unique<impl>(l, std::move(options))) {}

upstream_client::~upstream_client() { close_idle(); }

call_ptr upstream_client::start(const endpoint& to, std::span<const std::string_view> request,
                                call_observer& observer) {
    boost::intrusive_ptr<call> c(new call(*impl_, to, request, observer));
    c->start();
    return c;
}

upstream_websocket_ptr upstream_client::make_websocket(const endpoint& to, std::string head, std::uint64_t most_bytes) {
    return new upstream_websocket(impl_->reach, to, std::move(head), most_bytes);
}

void upstream_client::close_idle() {
    for (auto& list : impl_->idle)
        while (!list->connections.empty()) {
            const auto c = list->connections.back();
            list->connections.pop_back();
            c->close();
        }
}

} // namespace turnout::net
