#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "codec/contracts/contract.hpp"
#include "config/configuration.hpp"
#include "gateway/coded_body.hpp"
#include "gateway/deployment_table.hpp"
#include "gateway/served_contract.hpp"
#include "gateway/socket_call.hpp"
#include "gateway/stored_call.hpp"
#include "gateway/worker_context.hpp"
#include "net/timers.hpp"
#include "net/upstream.hpp"
#include "routing/attempt_record.hpp"

namespace turnout::gateway {

/// Told how an attempt goes. After `on_succeeded` or `on_failed` nothing follows.
class attempt_observer {
public:
    virtual void on_commit() = 0; ///< the first frame that commits is in `output()`
    virtual void on_output() = 0; ///< after the commit: `output()` has bytes for the client
    virtual void on_succeeded() = 0;
    virtual void on_failed(base::failure_report report) = 0;

protected:
    ~attempt_observer() = default;
};

/// What an attempt is made of; the views outlive it.
struct attempt_task {
    const served_contract& contract;
    const codec::http1::head& client_head; ///< until `start` returns
    const codec::contract_request& request;
    std::string_view client_body;
    const deployment& target;
    const config::execution_policy& policy;
    const std::string& request_id;
    const codec::tracker_options& tracking;
    const stored_call& stored;
    upstream_sockets* sockets = nullptr; ///< null unless the client's request came over a WebSocket
};

/// One upstream call of one logical request: sends the edited body, watches the answer, keeps `responseMs` and `idleMs`.
class attempt : public boost::intrusive_ref_counter<attempt, boost::thread_unsafe_counter>,
                private socket_call_observer {
public:
    attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer);
    virtual ~attempt();

    void start(base::instant now);
    void cancel();
    void pause();
    void resume();
    /// Every choice is finished: what is still waited for cannot spoil the answer.
    bool finished() const { return accepted_ && grace_.armed(); }
    /// Ends a finished attempt now.
    void conclude() { succeed(); }
    /// Whether the client is behind, so that the upstream is made to wait.
    bool paused() const { return paused_; }
    /// What a success took from the upstream, but for the tokens.
    routing::attempt_measure measure() const;
    /// Whether the client's body is not needed any more.
    bool request_sent() const { return !call_ || call_->sent(); }

    /// Client bytes of a stream: held before the commit, to be taken after it.
    std::string& output() { return output_; }
    /// After success: appends to `output()` the JSON answer, or what is missing at the end of a stream. `metadata` is
    /// the value of `unified_routing`, empty if the client did not ask for it.
    virtual void write_end(std::string_view metadata) = 0;
    /// The number of the next event of a stream, in protocols that number them.
    virtual std::int64_t next_sequence() const = 0;
    virtual std::optional<codec::token_usage> usage() const = 0;
    virtual const std::vector<codec::anomaly>& anomalies() const = 0;

protected:
    /// The 2xx answer's bytes; called until the attempt is over.
    virtual void on_answer_bytes(std::string_view bytes) = 0;
    /// The answer's bytes that came together were given, and it is not over.
    virtual void on_answer_parts_read() = 0;
    /// Whether the client was told something, so that nobody else can serve it.
    virtual bool committed() const = 0;
    /// The 2xx answer ended; `clean` by its framing.
    virtual void on_answer_end(bool clean, base::failure_origin origin) = 0;

    void succeed();
    void fail(base::failure_report report);
    void fail(base::failure_origin origin, std::string_view message = {});
    /// Appends to a JSON answer; one that gets too large fails the attempt.
    void keep(std::string& answer, std::string_view bytes);
    /// What is said of an answer that did not end cleanly.
    static std::string_view why_broken_off(base::failure_origin origin);
    bool over() const { return observer_ == nullptr; }
    void commit() { observer_->on_commit(); }
    void hand_over() { observer_->on_output(); }
    void response_arrived() { response_.cancel(); }
    void arm_idle();
    void arm_grace();

    worker_context& worker_;
    const attempt_task task_;
    std::string output_;          ///< from the worker's buffers, as all long strings here
    base::failure_report answer_; ///< what the answer's head says

private:
    void on_head(const codec::http1::head& head) final;
    void on_body(std::string_view bytes) final;
    void on_parts_read() final;
    void on_complete() final;
    void on_failure(base::failure_origin origin, std::string_view detail) final;
    void on_socket_answer() final;
    void on_no_socket() final;
    void on_socket_closed(std::uint16_t code, std::string_view reason) final;
    void post();
    void send_message();
    void answer_began(int status);
    void read_coding(const codec::http1::head& head);
    void take(std::string_view bytes);
    void decode();
    void decode_later();
    void answer_ended(answer_end end);
    void end_answer(answer_end end);
    void error_answer_ended();
    bool lacks_operation(const base::failure_report& report) const;
    void on_deadline(base::failure_origin origin);
    void on_grace_over();
    attempt_observer* release();

    attempt_observer* observer_;
    net::call_ptr call_;
    base::edit_list edits_;
    std::string head_;
    boost::container::small_vector<std::string_view, 6> pieces_;
    std::string error_body_;
    std::shared_ptr<coded_body> coded_; ///< null for an answer without content coding; never outlives the attempt
    bool accepted_ = false;             ///< the status is 2xx
    bool paused_ = false;
    bool decodes_later_ = false; ///< a turn of the loop is asked for
    base::instant last_byte_{};  ///< of the upstream
    base::instant pause_began_{};
    base::duration pauses_{};
    base::duration pauses_before_last_byte_{}; ///< of a coded answer, whose last byte may come long before it is taken
    net::timer response_;
    net::timer idle_;
    net::timer grace_;
};

using attempt_ptr = boost::intrusive_ptr<attempt>;

/// For a JSON request or a streamed one, as `task.request.stream` says.
attempt_ptr make_attempt(worker_context& worker, const attempt_task& task, attempt_observer& observer);

} // namespace turnout::gateway
