#pragma once
#include <zlib.h>

// A macro with a size in it: Swift cannot import that. 16 asks for gzip's header and check (RFC 1952), 15 for its
// largest window.
static inline int CZlib_beginGunzip(z_stream *stream) { return inflateInit2(stream, 16 + 15); }
static inline int CZlib_beginGzipStream(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY);
}
