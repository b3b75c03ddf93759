// What a program is linked with so that its functions tell what they are called with: boundaries.py wraps them.
// AddressSanitizer, which the program is built with, knows how large what a pointer leads to is: on the heap, on the
// stack, at file scope. A call is kept if it is of another shape, or took another path, than those kept before.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>

#include <pthread.h>
#include <sanitizer/asan_interface.h>

#include "simt/carver.h"

namespace {

struct Open {
    simt::CarvedCall call;
    unsigned number = 0;
    const char *unit = nullptr;
    const unsigned char *frame = nullptr;
    std::uint64_t shape = 0, path = 0;
    std::size_t needed = 0;
    bool running = false;
    unsigned char seen[1 << 10] = {};  // a bit for each place in the code
};

constexpr int most_open = 8;
constexpr unsigned most_units = 4096;
constexpr std::uint64_t tried_always = 256;

Open open_calls[most_open];
thread_local int depth = 0;  // stays 0 on all threads but the first
std::uint64_t calls[most_units];
bool too_large[most_units];
const pthread_t first_thread = pthread_self();

Open &current() { return open_calls[depth - 1]; }

void drop() {
    current().call.drop();
    --depth;
}

void mix(const void *data, std::size_t size) {
    current().shape = (current().shape ^ transpile_recording::hash(data, size)) * 0x100000001B3u;
}

// What lies around an address; nothing where that is not known to the byte.
bool object_around(const void *place, unsigned char *&base, std::size_t &size) {
    char name[128];
    void *region = nullptr;
    __asan_locate_address(const_cast<void *>(place), name, sizeof name, &region, &size);
    base = static_cast<unsigned char *>(region);
    const auto *byte = static_cast<const unsigned char *>(place);
    const bool inside = region != nullptr && byte >= base && byte <= base + size;
    return inside && __asan_region_is_poisoned(base, size) == nullptr;
}

// Of a function that is called often, ever fewer calls are looked at.
bool turn(unsigned number) {
    const std::uint64_t count = ++calls[number];
    return count <= tried_always || (count & (count - 1)) == 0;
}

}  // namespace

extern "C" {

void transpile_carve_variable(const char *unit, const char *name, const void *address, std::size_t size) {
    new simt::CarvedVariable(unit, name, address, size);
}

int transpile_carve_begin(unsigned number, const char *unit, const void *frame) {
    if (simt::carver().lines == nullptr || number >= most_units || !pthread_equal(pthread_self(), first_thread)) return 0;
    const auto *here = static_cast<const unsigned char *>(frame);
    while (depth > 0 && current().frame <= here) drop();  // left by an exception or a jump
    for (int i = 0; i < depth; ++i)
        if (open_calls[i].number == number) return 0;
    if (depth == most_open || !turn(number)) return 0;
    Open &open = open_calls[depth++];
    open = Open();
    open.number = number;
    open.unit = unit;
    open.frame = here;
    open.call.begin(unit);
    return 1;
}

void transpile_carve_value(const void *data, std::size_t size, int whole) {
    current().needed += size;
    current().call.value(data, size);
    if (whole) mix(data, size);
}

void transpile_carve_pointer(const void *place) {
    unsigned char *base = nullptr;
    std::size_t size = 0;
    if (place == nullptr || !object_around(place, base, size)) return current().call.pointer(place, nullptr, 0);
    const std::size_t shape[] = {size, static_cast<std::size_t>(static_cast<const unsigned char *>(place) - base)};
    mix(shape, sizeof shape);
    current().needed += size;
    current().call.pointer(place, base, current().needed > simt::Carver::one ? 0 : size);
}

void transpile_carve_ready() {
    Open &open = current();
    open.needed += simt::CarvedVariable::size_of_all(open.unit);
    open.running = open.needed <= simt::Carver::one;
    if (open.running) return open.call.variables(open.unit);
    if (!too_large[open.number]) open.call.too_large(open.unit, open.needed);
    too_large[open.number] = true;
}

void transpile_carve_end(unsigned number, const void *returned, std::size_t size) {
    while (depth > 0 && current().number != number) drop();
    if (depth == 0) return;
    Open &open = current();
    const std::uint64_t kind = transpile_recording::hash(open.unit, std::strlen(open.unit));
    const bool new_shape = open.running && simt::carver().takes(kind, open.shape);
    const bool new_path = open.running && simt::carver().takes(~kind, open.path);
    if (!new_shape && !new_path) return drop();
    if (returned != nullptr) open.call.returned(returned, size);
    open.call.end();
    --depth;
}

// Called by every piece of instrumented code.
void __sanitizer_cov_trace_pc() {
    for (int i = 0; i < depth; ++i) {
        Open &open = open_calls[i];
        if (!open.running) continue;
        const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
        const std::uint64_t code = transpile_recording::hash(&place, sizeof place);
        unsigned char &held = open.seen[code / 8 % sizeof open.seen];
        const auto bit = static_cast<unsigned char>(1 << code % 8);
        if ((held & bit) == 0) open.path += code;
        held |= bit;
    }
}
}
