#pragma once

namespace turnout::base {

/// Several lambdas as one visitor: `std::visit(overloaded{...}, variant)`.
template <class... Fs>
struct overloaded : Fs... {
    using Fs::operator()...;
};

template <class... Fs>
overloaded(Fs...) -> overloaded<Fs...>;

} // namespace turnout::base
