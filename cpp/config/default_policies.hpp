#pragma once

#include "config/execution_policy.hpp"

namespace turnout::config {

/// What holds where a document says nothing: as patient as the official SDKs (page 000, "How long the gateway waits").
/// Of `videos.generations`, `json` is submit, refresh and delete, and `stream` is the download.
by_operation<operation_policies> default_policies();

/// Whether the `stream` policy of an operation is its `json` policy where the document does not say otherwise.
bool streams_like_json(operation o);

} // namespace turnout::config
