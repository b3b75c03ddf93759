// Writes calls to the file that the environment variable SIMT_CARVE names: arguments, variables, and what they lead to.
// Needs nothing else of simt but probe.h and variables.h, so that programs without kernels can be carved as well.
//
// One JSON object a line, written when the call has ended; its bytes stand in the file with ".bytes" appended, from
// START on:
//   {"call": NAME, "start": START, "arguments": [ARGUMENT, ...], "variables": [VARIABLE, ...], ...}
//   {"call": NAME, "large": BYTES}    a call whose buffers are larger than what is carved
// An ARGUMENT that is a value is {"value": AT, "size": BYTES}; a pointer into an allocation is
// {"buffer": AT, "size": BYTES, "below": BYTES}, where AT is followed by the buffer as it was after the call and BELOW
// is what lies before the pointer; one into the allocation of an earlier argument is {"shared": NUMBER, "below": BYTES},
// any other is {"unknown": ADDRESS}; a pointer of a launch has a "type", "… [with T = TYPE]". A VARIABLE has a "name" and, as a buffer, what it held before and after; one that
// an argument leads into has an argument as "shared". What is returned is a value, "returned".
#ifndef SIMT_CARVER_H
#define SIMT_CARVER_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simt/probe.h"
#include "simt/variables.h"

namespace simt {

struct Carver {
    static constexpr std::size_t one = std::size_t{4} << 20, all = std::size_t{64} << 20;
    static constexpr std::size_t most = 4096, each = 6;

    std::FILE *lines = nullptr, *bytes = nullptr;
    std::size_t offset = 0, count = 0;
    std::uint64_t shapes[most], kinds[most];

    Carver() {
        const char *name = std::getenv("SIMT_CARVE");
        if (name == nullptr || *name == '\0' || std::strlen(name) > 4000) return;
        char other[4096];
        std::snprintf(other, sizeof other, "%s.bytes", name);
        lines = std::fopen(name, "w");
        bytes = std::fopen(other, "wb");
        if (bytes == nullptr) lines = nullptr;
    }

    // Few of a kind are taken, each of another shape.
    bool takes(std::uint64_t kind, std::uint64_t shape) {
        std::size_t of_kind = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (kinds[i] == kind && shapes[i] == shape) return false;
            of_kind += kinds[i] == kind;
        }
        if (of_kind >= each || count == most) return false;
        kinds[count] = kind;
        shapes[count++] = shape;
        return true;
    }
};

inline Carver &carver() {
    static Carver only;
    return only;
}

// One call, held in memory until it has ended.
class CarvedCall {
  public:
    void begin(const char *name) {
        text_ = open_memstream(&text_data_, &text_size_);
        held_ = open_memstream(&held_data_, &held_size_);
        if (text_ == nullptr || held_ == nullptr) std::abort();
        std::fputs("{\"call\": ", text_);
        transpile_recording::text(text_, name);
        separator_ = ", \"arguments\": [";
    }

    std::FILE *text() { return text_; }

    void value(const void *data, std::size_t size) {
        separate();
        std::fprintf(text_, "{\"value\": %zu, \"size\": %zu}", hold(data, size, 1), size);
        ++arguments_;
    }

    // A pointer into the allocation at `base`, which is null where nothing is known of it; `type` is of what it is to.
    void pointer(const void *place, unsigned char *base, std::size_t size, const char *type = "") {
        separate();
        const Buffer *known = find(base);
        const auto below = static_cast<std::size_t>(static_cast<const unsigned char *>(place) - base);
        if (base == nullptr) {
            std::fprintf(text_, "{\"unknown\": %zu", reinterpret_cast<std::size_t>(place));
        } else if (known != nullptr) {
            std::fprintf(text_, "{\"shared\": %zu, \"below\": %zu", known->argument, below);
        } else {
            const std::size_t at = hold(base, size, 2);
            note(base, size, at);
            std::fprintf(text_, "{\"buffer\": %zu, \"size\": %zu, \"below\": %zu", at, size, below);
        }
        std::fputs(", \"type\": ", text_);
        transpile_recording::text(text_, type);
        std::fputc('}', text_);
        ++arguments_;
    }

    // After all arguments.
    void variables(const char *user) {
        const bool none = arguments_ == 0;
        std::fputs(none ? ", \"arguments\": [], \"variables\": [" : "], \"variables\": [", text_);
        separator_ = "";
        for (const CarvedVariable *row = CarvedVariable::first; row != nullptr; row = row->next) {
            if (std::strcmp(row->user, user) != 0) continue;
            separate();
            std::fputs("{\"name\": ", text_);
            transpile_recording::text(text_, row->name);
            if (const Buffer *known = around(row->address)) {
                std::fprintf(text_, ", \"shared\": %zu}", known->argument);
                continue;
            }
            const std::size_t at = hold(row->address, row->size, 2);
            note(row->address, row->size, at);
            std::fprintf(text_, ", \"buffer\": %zu, \"size\": %zu}", at, row->size);
        }
        std::fputc(']', text_);
    }

    void returned(const void *data, std::size_t size) {
        std::fprintf(text_, ", \"returned\": {\"value\": %zu, \"size\": %zu}", hold(data, size, 1), size);
    }

    // Puts the call on disk with what it has left behind.
    void end() {
        Carver &out = carver();
        std::fclose(held_);
        for (std::size_t i = 0; i < count_; ++i)
            std::memcpy(held_data_ + buffers_[i].at + buffers_[i].size, buffers_[i].base, buffers_[i].size);
        if (out.offset + held_size_ <= Carver::all) {
            std::fprintf(text_, ", \"start\": %zu}\n", out.offset);
            std::fclose(text_);
            out.offset += std::fwrite(held_data_, 1, held_size_, out.bytes);
            std::fflush(out.bytes);
            std::fwrite(text_data_, 1, text_size_, out.lines);
            std::fflush(out.lines);
        } else {
            std::fclose(text_);
        }
        forget();
    }

    // Says only how much the call would have held.
    void too_large(const char *name, std::size_t size) {
        std::fputs("{\"call\": ", carver().lines);
        transpile_recording::text(carver().lines, name);
        std::fprintf(carver().lines, ", \"large\": %zu}\n", size);
        std::fflush(carver().lines);
    }

    // Nothing of a call that began is kept.
    void drop() {
        std::fclose(text_);
        std::fclose(held_);
        forget();
    }

  private:
    struct Buffer {
        unsigned char *base;
        std::size_t size, at, argument;
    };

    std::FILE *text_ = nullptr, *held_ = nullptr;
    char *text_data_ = nullptr, *held_data_ = nullptr;
    std::size_t text_size_ = 0, held_size_ = 0;
    Buffer *buffers_ = nullptr;
    std::size_t count_ = 0, arguments_ = 0, at_ = 0;
    const char *separator_ = "";

    void separate() {
        std::fputs(separator_, text_);
        separator_ = ", ";
    }

    std::size_t hold(const void *data, std::size_t size, int times) {
        const std::size_t at = at_;
        for (int i = 0; i < times; ++i) at_ += std::fwrite(data, 1, size, held_);
        return at;
    }

    void note(unsigned char *base, std::size_t size, std::size_t at) {
        auto *grown = static_cast<Buffer *>(std::realloc(static_cast<void *>(buffers_), (count_ + 1) * sizeof(Buffer)));
        if (grown == nullptr) std::abort();
        buffers_ = grown;
        buffers_[count_++] = {base, size, at, arguments_};
    }

    const Buffer *find(const unsigned char *base) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (buffers_[i].base == base) return &buffers_[i];
        return nullptr;
    }

    const Buffer *around(const unsigned char *address) const {
        for (std::size_t i = 0; i < count_; ++i)
            if (address >= buffers_[i].base && address < buffers_[i].base + buffers_[i].size) return &buffers_[i];
        return nullptr;
    }

    void forget() {
        std::free(text_data_);
        std::free(held_data_);
        std::free(buffers_);
        *this = CarvedCall();
    }
};

}  // namespace simt

#endif
