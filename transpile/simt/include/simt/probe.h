// Writes buffers to the file that the environment variable SIMT_RECORD names. Needs nothing else of simt, so
// that a port can be probed at the places where its source copied buffers back from the device.
//
// The file holds one JSON object a line, in program order:
//   {"copy": BYTES, "label": TEXT, "digest": HEX, "offset": OFFSET, "kept": KEPT}
// BYTES is the size of the buffer, and digest the 64-bit FNV-1a hash of all of it in 16 hex digits. Its first
// KEPT bytes stand in the file named SIMT_RECORD with ".bytes" appended, from OFFSET on. At most 1 MiB of a
// buffer and 64 MiB of a run are kept; the emulator's own lines are described in record.h.
#ifndef SIMT_PROBE_H
#define SIMT_PROBE_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace transpile_recording {

struct Files {
    std::FILE *lines = nullptr;
    std::FILE *bytes = nullptr;
    std::size_t offset = 0;

    Files() {
        const char *name = std::getenv("SIMT_RECORD");
        if (name == nullptr || *name == '\0') return;
        lines = std::fopen(name, "w");
        const std::size_t length = std::strlen(name);
        auto *other = static_cast<char *>(std::malloc(length + sizeof ".bytes"));
        if (other == nullptr) return;
        std::memcpy(other, name, length);
        std::memcpy(other + length, ".bytes", sizeof ".bytes");
        bytes = std::fopen(other, "wb");
        std::free(other);
    }
};

inline Files &files() {
    static Files opened;
    return opened;
}

inline std::uint64_t hash(const void *data, std::size_t size) {
    std::uint64_t value = 0xCBF29CE484222325u;
    for (std::size_t i = 0; i < size; ++i)
        value = (value ^ static_cast<const unsigned char *>(data)[i]) * 0x100000001B3u;
    return value;
}

inline void text(std::FILE *file, const char *string) {
    std::fputc('"', file);
    for (; *string != '\0'; ++string) {
        const auto c = static_cast<unsigned char>(*string);
        if (c == '"' || c == '\\') {
            std::fprintf(file, "\\%c", c);
        } else if (c < 0x20 || c >= 0x7F) {
            std::fprintf(file, "\\u%04x", c);
        } else {
            std::fputc(c, file);
        }
    }
    std::fputc('"', file);
}

inline void buffer(const char *label, const void *data, std::size_t size) {
    Files &out = files();
    if (out.lines == nullptr) return;
    const std::size_t one = std::size_t{1} << 20, all = std::size_t{64} << 20;
    std::size_t kept = size < one ? size : one;
    if (out.bytes == nullptr || out.offset + kept > all) kept = 0;
    if (kept > 0) kept = std::fwrite(data, 1, kept, out.bytes);
    std::fprintf(out.lines, "{\"copy\": %zu, \"label\": ", size);
    text(out.lines, label);
    std::fprintf(out.lines, ", \"digest\": \"%016llx\", \"offset\": %zu, \"kept\": %zu}\n",
                 static_cast<unsigned long long>(hash(data, size)), out.offset, kept);
    out.offset += kept;
    std::fflush(out.lines);
    if (out.bytes != nullptr) std::fflush(out.bytes);
}

}  // namespace transpile_recording

inline void transpile_probe(const char *label, const void *pointer, std::size_t bytes) {
    transpile_recording::buffer(label, pointer, bytes);
}

#endif
