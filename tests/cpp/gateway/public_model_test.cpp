#include <gmock/gmock.h>

#include "gateway/public_model.hpp"

namespace turnout::gateway {
namespace {

using namespace std::chrono_literals;
using routing::fallback_reason;
using testing::ElementsAre;
using testing::IsEmpty;

config::deployment of_model(const std::string& name, const std::string& domain = {}) {
    config::deployment d;
    d.public_model = name;
    d.failure_domain = domain;
    return d;
}

class public_model_test : public testing::Test {
protected:
    void chain(const std::string& primary, fallback_reason reason, std::vector<std::string> models) {
        settings.fallbacks.push_back({primary, reason, std::move(models)});
    }
    model_routes made(std::string_view name, config::transport t = config::transport::chat) const {
        return make_public_models(settings).find(name)->second.text[t];
    }

    config::configuration settings;
};

TEST_F(public_model_test, has_its_own_pool_first_and_then_those_of_its_chains) {
    settings.deployments = {of_model("b"), of_model("a"), of_model("c"), of_model("a")};
    chain("a", fallback_reason::general, {"c", "b"});
    chain("a", fallback_reason::context_window, {"b"});
    const auto m = made("a");
    EXPECT_EQ(m.size(), 2U);
    EXPECT_THAT(m.pool_names, ElementsAre("a", "c", "b"));
    EXPECT_EQ(m.key(0), 1U);
    EXPECT_EQ(m.key(1), 3U);
    EXPECT_EQ(m.key(2), 2U);
    EXPECT_EQ(m.key(3), 0U);
    EXPECT_THAT(m.routes.chain(fallback_reason::general), ElementsAre(1, 2));
    EXPECT_THAT(m.routes.chain(fallback_reason::context_window), ElementsAre(2)) << "a pool is in the plan once";
    EXPECT_THAT(m.routes.chain(fallback_reason::content_policy), IsEmpty());
    EXPECT_FALSE(made("b").routes.has_chain()) << "chains are not walked backwards";
}

TEST_F(public_model_test, leaves_out_fallbacks_without_an_enabled_deployment) {
    settings.deployments = {of_model("a"), of_model("b"), of_model("c")};
    settings.deployments[1].enabled = false;
    chain("a", fallback_reason::general, {"b", "c"});
    EXPECT_THAT(made("a").pool_names, ElementsAre("a", "c"));
    EXPECT_THAT(made("a").routes.chain(fallback_reason::general), ElementsAre(1));
}

TEST_F(public_model_test, has_routes_of_their_own_for_each_transport) {
    using enum config::transport;
    settings.deployments = {of_model("a"), of_model("a"), of_model("b"), of_model("c")};
    settings.deployments[1].transports = {messages, responses};
    settings.deployments[2].transports = {messages};
    chain("a", fallback_reason::general, {"b", "c"});
    chain("b", fallback_reason::context_window, {"c"});
    EXPECT_THAT(made("a", chat).pool_names, ElementsAre("a", "c"));
    EXPECT_THAT(made("a", messages).pool_names, ElementsAre("a", "b"));
    EXPECT_THAT(made("a", responses).pool_names, ElementsAre("a"));
    EXPECT_EQ(made("a", messages).size(), 1U);
    EXPECT_EQ(made("a", messages).key(0), 1U);
    EXPECT_TRUE(made("a", responses).carried());
    EXPECT_FALSE(made("b", responses).carried());
    EXPECT_FALSE(made("b", chat).carried()) << "a chain for another reason begins with an attempt";
    EXPECT_EQ(make_public_models(settings).find("a")->second.pool.size(), 2U) << "whatever they carry";
}

TEST_F(public_model_test, is_carried_by_the_general_chain_alone) {
    settings.deployments = {of_model("a"), of_model("b")};
    settings.deployments[1].transports = {config::transport::messages};
    chain("a", fallback_reason::general, {"b"});
    const auto m = made("a", config::transport::messages);
    EXPECT_EQ(m.size(), 0U);
    EXPECT_TRUE(m.carried());
    EXPECT_EQ(m.key(0), 1U);
}

TEST_F(public_model_test, shares_domains_by_name_also_across_models) {
    settings.deployments = {of_model("a", "x"), of_model("a"), of_model("a"), of_model("b", "x"), of_model("a", "y")};
    const auto m = made("a");
    EXPECT_EQ(m.refs[0].domain, made("b").refs[0].domain);
    EXPECT_NE(m.refs[1].domain, m.refs[2].domain) << "without a name each has its own";
    EXPECT_NE(m.refs[0].domain, m.refs[3].domain);
    for (std::size_t i = 0; i < m.refs.size(); ++i) EXPECT_EQ(m.refs[i].domain, m.routes.deployments[i].domain);
}

TEST_F(public_model_test, takes_over_what_is_configured_per_deployment) {
    settings.deployments = {of_model("a"), of_model("a")};
    settings.deployments[0].weight = 7;
    settings.deployments[0].rpm_limit = 10;
    settings.deployments[0].overrides.all = {.response = {}, .idle = {}, .total = 20s};
    const auto m = made("a");
    EXPECT_EQ(m.routes.deployments[0].weight, 7U);
    EXPECT_EQ(m.routes.deployments[0].total, 20s);
    EXPECT_EQ(m.routes.deployments[1].total, std::nullopt);
    EXPECT_EQ(m.refs[0].limits.rpm, 10U);
    EXPECT_EQ(m.refs[0].limits.tpm, std::nullopt);
}

TEST_F(public_model_test, compares_prices_only_if_all_are_known) {
    settings.deployments = {of_model("a"), of_model("a")};
    settings.deployments[0].pricing = {
        .input_cents_per_mtokens = 1, .output_cents_per_mtokens = 2, .search_unit_cents = {}};
    EXPECT_FALSE(made("a").routes.pools[0].comparable_prices);
    settings.deployments[1].pricing = settings.deployments[0].pricing;
    EXPECT_TRUE(made("a").routes.pools[0].comparable_prices);
    EXPECT_EQ(made("a").routes.deployments[1].price, 3);
}

} // namespace
} // namespace turnout::gateway
