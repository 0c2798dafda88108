#include "admin/admin_service.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "admin/log_json.hpp"
#include "admin/log_query.hpp"
#include "gateway/client_answer.hpp"
#include "gateway/query_string.hpp"
#include "gateway/refusals.hpp"
#include "gateway/request_id.hpp"
#include "journal/operation_id.hpp"

namespace turnout::admin {
namespace {

constexpr std::string_view list_path = "/admin/logs";
constexpr std::string_view one_prefix = "/admin/logs/";
constexpr std::string_view allowed_methods = "GET, HEAD";

using gateway::invalid;
using gateway::refuse;
using gateway::send;

net::refusal bad(std::string_view request_id, const bad_parameter& p) {
    return refuse(request_id,
                  invalid(400, "invalid_parameter",
                          p.name.empty() ? p.message : "The parameter " + p.name + " " + p.message + ".", p.name));
}

net::refusal no_such_operation(std::string_view request_id) {
    return refuse(request_id, invalid(404, "not_found", "There is no operation with this id."));
}

net::refusal unreadable(std::string_view request_id) {
    return refuse(request_id, {503, "service_unavailable_error", "service_unavailable", "",
                               "The operation log cannot be read at the moment."});
}

} // namespace

bool admin_service::owns(std::string_view path) const { return path == list_path || path.starts_with(one_prefix); }

std::optional<net::refusal> admin_service::check_head(gateway::worker_context& worker, const codec::http1::head& head,
                                                      std::string_view /*path*/) {
    if (head.method() != "GET" && head.method() != "HEAD") {
        std::string allow;
        codec::http1::write_header(allow, "allow", allowed_methods);
        return refuse(
            gateway::request_id_of(head, worker.ids),
            invalid(405, "method_not_allowed", "This path answers " + std::string(allowed_methods) + " only."), allow);
    }
    if (!worker.shared.keys.accepts_master(head))
        return refuse(gateway::request_id_of(head, worker.ids),
                      invalid(401, "invalid_api_key",
                              "The master key is missing or wrong. Send it as 'Authorization: Bearer KEY' or "
                              "'x-api-key: KEY'."));
    return std::nullopt;
}

// The page is read and formatted on the log's thread. The pointer travels in a holder, since its count is not for two
// threads; a client that has left meanwhile is no matter, its exchange takes the answer and drops it.
journal::log::read_done admin_service::answer_later(net::loop& on, const net::exchange_ptr& x, std::string request_id,
                                                    answer_maker make) {
    return [&on, holder = std::make_shared<net::exchange_ptr>(x), request_id = std::move(request_id),
            make = std::move(make)](std::optional<journal::page> found) mutable {
        auto answer = found ? make(*found) : unreadable(request_id);
        on.post([holder = std::move(holder), answer = std::move(answer)] {
            send(*holder, answer);
            *holder = nullptr;
        });
    };
}

void admin_service::on_request(gateway::worker_context& worker, const net::exchange_ptr& x, std::string_view path) {
    const auto& head = x->request();
    auto id = gateway::request_id_of(head, worker.ids);
    if (path == list_path) {
        auto parsed = parse_log_query(head.target());
        if (const auto* problem = std::get_if<bad_parameter>(&parsed)) {
            send(x, bad(id, *problem));
            return;
        }
        auto& q = std::get<log_query>(parsed);
        log_.list(std::move(q.wanted), q.limit, q.offset,
                  answer_later(worker.on, x, id, [id, limit = q.limit, offset = q.offset](const journal::page& found) {
                      return net::refusal{200, gateway::json_fields(id), log_page_json(found, limit, offset)};
                  }));
        return;
    }
    const auto parameters = gateway::parse_query(head.target());
    if (!parameters) {
        send(x, bad(id, {"", std::string(broken_encoding)}));
        return;
    }
    if (!parameters->empty()) {
        send(x, bad(id, {parameters->front().first, "is not known here"}));
        return;
    }
    const auto number = journal::operation_number(path.substr(one_prefix.size()));
    if (!number) {
        send(x, no_such_operation(id));
        return;
    }
    log_.get(*number, answer_later(worker.on, x, id, [id](const journal::page& found) {
        if (found.rows.empty()) return no_such_operation(id);
        return net::refusal{200, gateway::json_fields(id), log_detail_json(found.rows.front())};
    }));
}

} // namespace turnout::admin
