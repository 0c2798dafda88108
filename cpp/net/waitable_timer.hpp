#pragma once

#include <chrono>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>

namespace turnout::net {

/// Asio's timer on real time, for what no test moves. Deadlines of requests are `timer`s.
using waitable_timer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                      boost::asio::io_context::executor_type>;

} // namespace turnout::net
