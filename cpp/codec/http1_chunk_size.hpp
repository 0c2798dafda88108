#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The lines of a chunked body that hold sizes. For `parser` alone.
namespace turnout::codec::http1 {

/// Reads the extension of a chunk's size, fed split anywhere: what stands between the size and the line's end (RFC 9112,
/// 7.1.1). llhttp knows only some of them.
class chunk_extension {
public:
    /// How many of the bytes belong to the extension: all before the first CR, or up to the first that is wrong.
    std::size_t take(std::string_view bytes);
    /// It may end here. False for good once a byte was wrong.
    bool whole() const { return part_ == part::name || part_ == part::value || part_ == part::unquoted; }
    bool broken() const { return part_ == part::broken; }

private:
    enum class part : std::uint8_t {
        before_semicolon,
        before_name,
        name,
        after_name,
        before_value,
        value,
        quoted,
        escaped,
        unquoted, ///< just after the second quote
        broken,
    };

    static part after(part now, char c);

    part part_ = part::before_semicolon;
};

/// Finds the extensions of sizes among the bytes that are not payload, so that llhttp never sees one.
class chunk_size_watch {
public:
    /// The next bytes are the first size of a body.
    void begin_body() { place_ = place::size, digits_ = false; }
    /// The next bytes are the line end behind the payload of a chunk.
    void end_payload() { place_ = place::payload_cr; }
    void reset() { place_ = place::elsewhere; }

    /// How many of the bytes come before the next extension, or all.
    std::size_t pass(std::string_view bytes) { return place_ == place::elsewhere ? bytes.size() : find(bytes); }
    bool in_extension() const { return place_ == place::extension; }
    chunk_extension& extension() { return extension_; }

private:
    enum class place : std::uint8_t {
        elsewhere,
        payload_cr,
        payload_lf,
        size,
        extension,
    };

    std::size_t find(std::string_view bytes);

    place place_ = place::elsewhere;
    bool digits_ = false; ///< of this size there were some
    chunk_extension extension_;
};

} // namespace turnout::codec::http1
