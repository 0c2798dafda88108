#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "net/dns_peer.hpp"
#include "net/loopback.hpp"
#include "net/resolver.hpp"

namespace turnout::net {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct noting_user final : resolver_user {
    void on_resolved(std::span<const boost::asio::ip::address> found) override {
        ++told;
        for (const auto& a : found) addresses.push_back(a.to_string());
        if (then) then();
    }
    void on_unresolved(std::string_view text) override {
        ++told;
        why = text;
        if (then) then();
    }

    int told = 0;
    std::vector<std::string> addresses;
    std::string why;
    std::function<void()> then;
};

/// A resolver on a loop that the test turns, and two DNS servers that it plays.
class resolving : public testing::Test {
protected:
    resolving() { ::setenv("CARES_HOSTS", "/dev/null", 1); }
    ~resolving() override { ::unsetenv("CARES_HOSTS"); }

    dns_question asked(dns_peer& peer) {
        dns_question q;
        EXPECT_TRUE(turns.until([&] { return peer.next(q); }));
        return q;
    }
    /// The questions for both families, that for IPv6 first.
    std::pair<dns_question, dns_question> asked_both(dns_peer& peer) {
        auto one = asked(peer);
        auto other = asked(peer);
        EXPECT_NE(one.type, other.type);
        if (one.type == type_a) std::swap(one, other);
        return {one, other};
    }
    bool is_asked(dns_peer& peer) {
        turns.turn();
        dns_question q;
        return peer.next(q);
    }
    void told(const noting_user& u) {
        turns.until([&] { return u.told > 0; });
        turns.turn();
        EXPECT_EQ(u.told, 1);
    }
    /// Looks `name` up with an answer of `ttl` seconds.
    void learn(const std::string& name, std::vector<std::string> four, std::uint32_t ttl) {
        noting_user u;
        names.resolve(name, u);
        const auto [q6, q4] = asked_both(first);
        first.answer(q6, {});
        first.answer(q4, four, ttl);
        told(u);
    }

    /// Asserts that what was learned is known just before `ttl` has passed, and looked up again then.
    void is_forgotten_after(base::duration ttl) {
        turns.pass(ttl - 1ns);
        noting_user again;
        names.resolve("up.test", again);
        EXPECT_THAT(again.addresses, ElementsAre("127.0.0.2"));
        EXPECT_FALSE(is_asked(first));
        turns.pass(1ns);
        names.resolve("up.test", user);
        EXPECT_TRUE(is_asked(first));
        names.cancel(user);
    }

    clock time{clock::mode::manual};
    loop on{time};
    hand_turned turns{on};
    dns_peer first;
    dns_peer second;
    resolver names{on, {first.where(), second.where()}};
    noting_user user;
};

TEST_F(resolving, asks_for_both_families_and_takes_turns_between_them) {
    names.resolve("up.test", user);
    EXPECT_EQ(user.told, 0) << "never from within, where a server is asked";
    const auto [q6, q4] = asked_both(first);
    EXPECT_EQ(q4.name, "up.test");
    EXPECT_EQ(q6.type, type_aaaa);
    first.answer(q4, {"127.0.0.2", "127.0.0.3", "127.0.0.4"});
    first.answer(q6, {"::1", "::2"});
    told(user);
    EXPECT_THAT(user.addresses, ElementsAre("::1", "127.0.0.2", "::2", "127.0.0.3", "127.0.0.4"));
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(resolving, gives_the_other_family_50_ms) {
    names.resolve("up.test", user);
    first.answer(asked_both(first).second, {"127.0.0.2"});
    turns.until([&] { return on.timers().next_due() == on.now() + 50ms; });
    turns.pass(50ms - 1ns);
    EXPECT_EQ(user.told, 0);
    turns.pass(1ns);
    told(user);
    EXPECT_THAT(user.addresses, ElementsAre("127.0.0.2"));
}

TEST_F(resolving, does_without_a_family_that_fails) {
    names.resolve("up.test", user);
    const auto [q6, q4] = asked_both(first);
    first.fail(q6);
    first.answer(q4, {"127.0.0.2"});
    told(user);
    EXPECT_THAT(user.addresses, ElementsAre("127.0.0.2"));
    EXPECT_FALSE(is_asked(second));
}

TEST_F(resolving, of_a_name_that_does_not_exist_fails_at_once) {
    names.resolve("up.test", user);
    const auto [q6, q4] = asked_both(first);
    first.no_such_name(q6);
    first.no_such_name(q4);
    told(user);
    EXPECT_EQ(user.why, "it does not exist");
    EXPECT_FALSE(is_asked(second));
}

TEST_F(resolving, of_a_name_without_addresses_fails_at_once) {
    names.resolve("up.test", user);
    const auto [q6, q4] = asked_both(first);
    first.answer(q6, {});
    first.answer(q4, {});
    told(user);
    EXPECT_EQ(user.why, "it has no address");
}

TEST_F(resolving, of_no_legal_name_fails) {
    names.resolve(std::string(80, 'x') + ".test", user);
    told(user);
    EXPECT_EQ(user.why, "it does not exist");
}

TEST_F(resolving, asks_the_next_server_after_2_seconds_of_silence) {
    names.resolve("up.test", user);
    const auto late = asked_both(first);
    turns.pass(2s - 1ns);
    EXPECT_FALSE(is_asked(second));
    turns.pass(1ns);
    const auto [q6, q4] = asked_both(second);
    second.answer(q6, {});
    turns.turn();
    first.answer(late.second, {"127.0.0.9"}); // what comes late counts
    told(user);
    EXPECT_THAT(user.addresses, ElementsAre("127.0.0.9"));
}

TEST_F(resolving, asks_the_next_server_at_once_where_one_fails) {
    names.resolve("up.test", user);
    const auto [q6, q4] = asked_both(first);
    first.fail(q6);
    first.fail(q4);
    const auto [r6, r4] = asked_both(second);
    second.answer(r6, {});
    second.answer(r4, {"127.0.0.2"});
    told(user);
    EXPECT_THAT(user.addresses, ElementsAre("127.0.0.2"));
}

TEST_F(resolving, fails_after_two_rounds_of_silence) {
    names.resolve("up.test", user);
    for (auto* peer : {&first, &second, &first, &second}) {
        EXPECT_EQ(user.told, 0);
        asked_both(*peer);
        turns.pass(2s);
    }
    told(user);
    EXPECT_EQ(user.why, "no DNS server gave an answer");
    EXPECT_TRUE(on.timers().empty());
}

TEST_F(resolving, fails_after_two_rounds_of_failures) {
    names.resolve("up.test", user);
    for (auto* peer : {&first, &second, &first, &second}) {
        const auto [q6, q4] = asked_both(*peer);
        peer->fail(q6);
        peer->fail(q4);
    }
    told(user);
    EXPECT_EQ(user.why, "no DNS server gave an answer");
}

TEST_F(resolving, joins_those_who_ask_for_the_same_name) {
    RecordProperty("rules", "UP-NAME-009");
    noting_user other;
    names.resolve("up.test", user);
    names.resolve("up.test", other);
    const auto [q6, q4] = asked_both(first);
    EXPECT_FALSE(is_asked(first));
    first.answer(q6, {});
    first.answer(q4, {"127.0.0.2"});
    told(user);
    told(other);
    EXPECT_THAT(other.addresses, ElementsAre("127.0.0.2"));
}

TEST_F(resolving, can_be_cancelled_by_one_of_several) {
    noting_user other;
    names.resolve("up.test", user);
    names.resolve("up.test", other);
    const auto [q6, q4] = asked_both(first);
    names.cancel(user);
    first.answer(q6, {});
    first.answer(q4, {"127.0.0.2"});
    told(other);
    EXPECT_EQ(user.told, 0);
}

TEST_F(resolving, can_be_cancelled_by_another_from_within_its_answer) {
    noting_user other;
    names.resolve("up.test", user);
    names.resolve("up.test", other);
    user.then = [&] { names.cancel(other); };
    const auto [q6, q4] = asked_both(first);
    first.answer(q6, {});
    first.answer(q4, {"127.0.0.2"});
    told(user);
    EXPECT_EQ(other.told, 0);
}

TEST_F(resolving, ends_when_nobody_waits) {
    names.resolve("up.test", user);
    asked_both(first);
    names.cancel(user);
    EXPECT_TRUE(on.timers().empty());
    turns.turn();
    EXPECT_EQ(user.told, 0);
}

TEST_F(resolving, ends_with_the_resolver) {
    auto mortal = std::make_unique<resolver>(on, std::vector{first.where()});
    mortal->resolve("up.test", user);
    asked_both(first);
    mortal.reset();
    EXPECT_TRUE(on.timers().empty());
    turns.turn();
    EXPECT_EQ(user.told, 0);
}

TEST_F(resolving, is_remembered_as_long_as_the_record_says) {
    learn("up.test", {"127.0.0.2"}, 60);
    is_forgotten_after(60s);
}

TEST_F(resolving, is_remembered_for_a_second_at_least) {
    RecordProperty("rules", "UP-NAME-008");
    learn("up.test", {"127.0.0.2"}, 0);
    is_forgotten_after(1s);
}

TEST_F(resolving, is_remembered_for_five_minutes_at_most) {
    RecordProperty("rules", "UP-NAME-008");
    learn("up.test", {"127.0.0.2"}, 86'400);
    is_forgotten_after(5min);
}

TEST_F(resolving, does_not_remember_failures) {
    names.resolve("up.test", user);
    const auto [q6, q4] = asked_both(first);
    first.no_such_name(q6);
    first.no_such_name(q4);
    told(user);
    learn("up.test", {"127.0.0.2"}, 60);
}

TEST_F(resolving, puts_the_good_address_first_also_when_it_is_looked_up_again) {
    learn("up.test", {"127.0.0.2", "127.0.0.3", "127.0.0.4"}, 60);
    names.prefer("up.test", boost::asio::ip::make_address("127.0.0.4"));
    noting_user again;
    names.resolve("up.test", again);
    EXPECT_THAT(again.addresses, ElementsAre("127.0.0.4", "127.0.0.2", "127.0.0.3"));
    turns.pass(60s);
    learn("up.test", {"127.0.0.3", "127.0.0.4"}, 60);
    names.resolve("up.test", user);
    EXPECT_THAT(user.addresses, ElementsAre("127.0.0.4", "127.0.0.3"));
}

TEST_F(resolving, looks_into_the_hosts_file_first) {
    const std::string path = testing::TempDir() + "turnout-hosts-" + std::to_string(::getpid());
    std::ofstream(path) << "127.0.0.7 up.test\n::7 up.test\n";
    ::setenv("CARES_HOSTS", path.c_str(), 1);
    names.resolve("up.test", user);
    told(user);
    EXPECT_THAT(user.addresses, testing::UnorderedElementsAre("127.0.0.7", "::7"));
    EXPECT_FALSE(is_asked(first));
    ::unlink(path.c_str());
}

TEST_F(resolving, knows_localhost_by_itself) {
    RecordProperty("rules", "UP-NAME-010");
    for (const auto* name : {"localhost", "LocalHost", "up.localhost"}) {
        noting_user local;
        names.resolve(name, local);
        told(local);
        EXPECT_THAT(local.addresses, ElementsAre("::1", "127.0.0.1")) << name;
    }
    EXPECT_FALSE(is_asked(first));
    for (const auto* name : {"uplocalhost.test", "localhost.test"}) learn(name, {"127.0.0.2"}, 60);
}

} // namespace
} // namespace turnout::net
