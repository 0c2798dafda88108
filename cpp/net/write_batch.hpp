#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include <boost/intrusive/list.hpp>

namespace turnout::net {

struct write_batch_tag;
using write_batch_hook = boost::intrusive::list_base_hook<boost::intrusive::tag<write_batch_tag>,
                                                          boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// Somebody with something to write that can wait for the end of the turn. One that is destroyed before is forgotten.
class batched_writer : public write_batch_hook {
public:
    virtual void write_batched() = 0;
    bool waits_to_write() const { return is_linked(); }

protected:
    ~batched_writer() = default;
};

/// The writes of one turn of a loop: they are made one behind the other, once all that was ready has been looked at.
/// To wake a peer that sleeps is the dearest part of a write, and a peer that gets one write after the other sleeps
/// once for all of them.
///
/// A turn that ends so looks at the kernel's events once more than it needs to. Where few write at a time that is for
/// nothing: after a batch of fewer than `worth_it` writers, the next `at_once` write without waiting.
class write_batch {
public:
    /// `schedule` arranges for one call of `flush`, behind all that is ready now.
    explicit write_batch(std::function<void()> schedule) : schedule_(std::move(schedule)) {}

    /// True when `w` will be told to write, false when it should write now. Not to be asked for one that waits.
    bool defers(batched_writer& w);
    void flush();

    static constexpr std::size_t worth_it = 4;
    static constexpr unsigned at_once = 64;

private:
    using list = boost::intrusive::list<batched_writer, boost::intrusive::base_hook<write_batch_hook>,
                                        boost::intrusive::constant_time_size<false>>;

    std::function<void()> schedule_;
    list waiting_;
    unsigned without_ = 0; ///< how many more are written at once
};

} // namespace turnout::net
