// Runs calls of source and port from a file, each in a process of its own, and prints what became of each.
//
// usage: runner CALLS    (the form of the file is in benchmarks/oracle.py)
#include "calls.h"
#include "comparison.h"
#include "entry.h"
#include "shim.h"

#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <random>
#include <string>
#include <vector>

namespace oracle {
dim3 grid_dim, block_dim;
uint3 block_index, thread_index;

namespace {
constexpr std::size_t ARENA = std::size_t(1) << 28, GAP = 1 << 20;

struct Region {
    char *begin;
    std::size_t size;
    bool holds(const void *pointer, std::size_t length) const {
        const char *at = (const char *)pointer;
        return begin <= at && at <= begin + size && length <= std::size_t(begin + size - at);
    }
};

struct Arena {
    char *begin = nullptr;
    std::size_t used = 0;
    std::vector<Region> live;

    void open(int sharing) {
        begin = (char *)mmap(nullptr, ARENA, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED) abort();
        reset();
    }
    void reset() {
        ASAN_POISON_MEMORY_REGION(begin, used ? std::min(ARENA, used + GAP) : ARENA);
        used = 0;
        live.clear();
    }
    char *take(std::size_t size, std::size_t gap) {
        used += gap;
        used = (used + 255) / 256 * 256;
        if (size > ARENA || used + size + GAP > ARENA) return nullptr;
        char *at = begin + used;
        used += size;
        live.push_back({at, size});
        return at;
    }
    void show(bool visible) const {
        for (const Region &region : live)
            if (visible) ASAN_UNPOISON_MEMORY_REGION(region.begin, region.size);
            else ASAN_POISON_MEMORY_REGION(region.begin, region.size);
    }
    bool owns(const void *pointer) const {
        return begin <= (const char *)pointer && (const char *)pointer < begin + ARENA;
    }
};
Arena caller, device;
std::vector<char *> given;  // Where the arguments lie; null where they are no arrays.

struct Shared {
    long launches;
    char returned[64];
    char message[400];
};
Shared *shared;
bool barriers, backwards;
int pattern;
cudaError_t error;

[[noreturn]] void object(const char *format, std::size_t size, const char *where, long long beyond) {
    std::snprintf(shared->message, sizeof shared->message, format, size, where, beyond);
    _exit(77);
}

// Threads of a block as fibers, where a kernel waits for others.
constexpr std::size_t STACK = 1 << 17;
struct Fiber {
    ucontext_t context;
    char *stack;
    void *fake;
    bool done;
    uint3 index;
};
struct Warp {
    unsigned generation, arrived, alive;
    std::uint64_t slots[32];
};
std::vector<Fiber> fibers;
std::vector<Warp> warps;
ucontext_t scheduler;
void *scheduler_fake;
const void *scheduler_bottom;
std::size_t scheduler_size;
int current, alive, waiting;
unsigned generation;
long progress;
void (*body_of)(void *);
void *data_of;
bool in_fiber;
char *dynamic;

void yield() {
    Fiber &self = fibers[current];
    __sanitizer_start_switch_fiber(self.done ? nullptr : &self.fake, scheduler_bottom, scheduler_size);
    swapcontext(&self.context, &scheduler);
    __sanitizer_finish_switch_fiber(self.fake, nullptr, nullptr);
}

void release_warp(Warp &warp) {
    warp.arrived = 0;
    ++warp.generation;
    ++progress;
}

void fiber_main() {
    __sanitizer_finish_switch_fiber(nullptr, &scheduler_bottom, &scheduler_size);
    body_of(data_of);
    Fiber &self = fibers[current];
    self.done = true;
    ++progress;
    Warp &warp = warps[current / 32];
    warp.alive &= ~(1u << current % 32);
    if (--alive && waiting == alive) waiting = 0, ++generation;
    if (warp.arrived && warp.arrived == warp.alive) release_warp(warp);
    yield();
}

void run_block_of_fibers(int threads) {
    if (fibers.size() < std::size_t(threads)) {
        const std::size_t had = fibers.size();
        fibers.resize(threads);
        for (std::size_t i = had; i < fibers.size(); ++i)
            fibers[i].stack = (char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    warps.assign((threads + 31) / 32, Warp{});
    for (int i = 0; i < threads; ++i) {
        Fiber &fiber = fibers[i];
        ASAN_UNPOISON_MEMORY_REGION(fiber.stack, STACK);
        fiber.done = false;
        fiber.fake = nullptr;
        fiber.index = {i % block_dim.x, i / block_dim.x % block_dim.y, i / block_dim.x / block_dim.y};
        warps[i / 32].alive |= 1u << i % 32;
        getcontext(&fiber.context);
        fiber.context.uc_stack = {fiber.stack, 0, STACK};
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, fiber_main, 0);
    }
    alive = threads;
    waiting = 0;
    in_fiber = true;
    while (alive) {
        const long before = progress;
        for (int k = 0; k < threads; ++k) {
            current = backwards ? threads - 1 - k : k;
            if (fibers[current].done) continue;
            thread_index = fibers[current].index;
            __sanitizer_start_switch_fiber(&scheduler_fake, fibers[current].stack, STACK);
            swapcontext(&scheduler, &fibers[current].context);
            __sanitizer_finish_switch_fiber(scheduler_fake, nullptr, nullptr);
        }
        if (progress == before) object("a barrier that not all threads reach%.0zu%s%.0lld", 0, "", 0);
    }
    in_fiber = false;
}
}  // namespace

void block_barrier() {
    if (!in_fiber) object("a barrier outside of a kernel%.0zu%s%.0lld", 0, "", 0);
    ++progress;
    const unsigned before = generation;
    if (++waiting == alive) waiting = 0, ++generation;
    else
        while (generation == before) yield();
}

void warp_barrier(unsigned mask) {
    if (!in_fiber) object("a barrier outside of a kernel%.0zu%s%.0lld", 0, "", 0);
    ++progress;
    Warp &warp = warps[current / 32];
    const unsigned before = warp.generation;
    warp.arrived |= 1u << current % 32;
    if (warp.arrived == (mask & warp.alive)) release_warp(warp);
    else
        while (warp.generation == before) yield();
}

bool takes_part(unsigned mask, int lane) { return mask & warps[current / 32].alive & 1u << lane; }

std::uint64_t exchange(unsigned mask, std::uint64_t mine, int lane) {
    warp_barrier(mask);
    Warp &warp = warps[current / 32];
    warp.slots[current % 32] = mine;
    warp_barrier(mask);
    const std::uint64_t theirs = lane >= 0 && lane < 32 && (mask >> lane & 1) ? warp.slots[lane] : 0xC3C3C3C3C3C3C3C3;
    warp_barrier(mask);
    return lane == current % 32 ? mine : theirs;
}

void *dynamic_shared() { return dynamic; }

void run(const Config &config, void (*body)(void *), void *data) {
    const dim3 g = config.grid, b = config.block;
    const std::uint64_t threads = std::uint64_t(b.x) * b.y * b.z;
    const std::uint64_t blocks = std::uint64_t(g.x) * g.y * g.z;
    if (!threads || threads > 1024 || b.z > 64 || !blocks || g.x > 0x7FFFFFFFu || g.y > 65535 || g.z > 65535) {
        error = cudaErrorInvalidConfiguration;
        return;
    }
    ++shared->launches;
    caller.show(false);
    device.show(true);
    std::vector<char> memory(config.shared + 1);
    dynamic = memory.data();
    grid_dim = g;
    block_dim = b;
    body_of = body;
    data_of = data;
    for (std::uint64_t k = 0; k < blocks; ++k) {
        const std::uint64_t i = backwards ? blocks - 1 - k : k;
        std::memset(dynamic, pattern, config.shared);
        block_index = {unsigned(i % g.x), unsigned(i / g.x % g.y), unsigned(i / g.x / g.y)};
        if (barriers) run_block_of_fibers(int(threads));
        else
            for (std::uint64_t j = 0; j < threads; ++j) {
                const unsigned t = unsigned(backwards ? threads - 1 - j : j);
                thread_index = {t % b.x, t / b.x % b.y, t / b.x / b.y};
                body(data);
            }
    }
    device.show(false);
    caller.show(true);
}

cudaError_t allocate(void **pointer, std::size_t size) {
    *pointer = nullptr;
    if (!size) return cudaSuccess;
    char *at = device.take(size, GAP);
    if (!at) return error = cudaErrorMemoryAllocation;
    ASAN_UNPOISON_MEMORY_REGION(at, size);
    std::memset(at, pattern, size);
    ASAN_POISON_MEMORY_REGION(at, size);
    *pointer = at;
    return cudaSuccess;
}

cudaError_t release(void *pointer) {
    if (!pointer) return cudaSuccess;
    const auto found = std::find_if(device.live.begin(), device.live.end(),
                                    [&](const Region &region) { return region.begin == pointer; });
    if (found == device.live.end()) object("cudaFree of what cudaMalloc did not give%.0zu%s%.0lld", 0, "", 0);
    device.live.erase(found);
    return cudaSuccess;
}

namespace {
void check_device(const void *pointer, std::size_t size, const char *what) {
    for (const Region &region : device.live)
        if (region.begin <= pointer && pointer < region.begin + region.size) {
            if (!region.holds(pointer, size))
                object("a copy of %zu bytes leaves its %s allocation by %lld bytes", size, what,
                       (long long)((const char *)pointer - region.begin + size - region.size));
            return;
        }
    object("a copy of %zu bytes: the %s is no memory of the device%.0lld", size, what, 0);
}

void check_host(const void *pointer, std::size_t size, const char *what) {
    const void *bad = __asan_region_is_poisoned((void *)pointer, size);
    if (!bad) return;
    std::string named = what;
    for (std::size_t i = 0; i < given.size(); ++i)
        if (given[i] == pointer) named = "argument " + std::to_string(i);
    object("a copy of %zu bytes leaves the caller's array (%s) after %lld bytes", size, named.c_str(),
           (long long)((const char *)bad - (const char *)pointer));
}
}  // namespace

cudaError_t copy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind) {
    if (!size) return cudaSuccess;
    const bool to_device = kind == cudaMemcpyDefault ? device.owns(to)
                                                     : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDefault
                                 ? device.owns(from)
                                 : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    to_device ? check_device(to, size, "destination's") : check_host(to, size, "destination");
    from_device ? check_device(from, size, "source's") : check_host(from, size, "source");
    device.show(true);
    std::memmove(to, from, size);
    device.show(false);
    return cudaSuccess;
}

cudaError_t fill(void *to, int value, std::size_t size) {
    if (!size) return cudaSuccess;
    check_device(to, size, "filled");
    device.show(true);
    std::memset(to, value, size);
    device.show(false);
    return cudaSuccess;
}

cudaError_t last_error(bool clear) {
    const cudaError_t found = error;
    if (clear) error = cudaSuccess;
    return found;
}

// The calls.
namespace {
int child(void (*function)(void **, void *), std::vector<void *> &places, int log, bool port) {
    shared->message[0] = 0;
    shared->launches = 0;
    std::memset(shared->returned, 0, sizeof shared->returned);
    if (ftruncate(log, 0)) std::exit(5);
    lseek(log, 0, SEEK_SET);
    const pid_t one = fork();
    if (!one) {
        dup2(log, 1);
        dup2(log, 2);
        alarm(20);
        if (!port) function(places.data(), shared->returned);
        else try {
                function(places.data(), shared->returned);
            } catch (const std::exception &thrown) {
                object("throws%.0zu (%s)%.0lld", 0, thrown.what(), 0);
            }
        _exit(0);
    }
    int status = 0;
    waitpid(one, &status, 0);
    return status;
}

std::string failure(int log, const std::vector<Argument> &arguments) {
    if (shared->message[0]) return shared->message;
    std::string text(20000, 0);
    text.resize(std::max<ssize_t>(0, pread(log, text.data(), text.size(), 0)));
    std::string found = "died";
    std::size_t at = text.find("ERROR: ");
    if (at == std::string::npos) at = text.find("runtime error: ");
    if (at != std::string::npos) found = text.substr(at, text.find('\n', at) - at);
    found = found.substr(0, found.find(" at pc"));
    std::uint64_t address = 0;
    const std::size_t on = found.find("address 0x");
    if (on != std::string::npos) address = std::strtoull(found.c_str() + on + 8, nullptr, 16);
    if (text.find("WRITE of size") != std::string::npos) found += " (write)";
    else if (text.find("READ of size") != std::string::npos) found += " (read)";
    char more[120] = "";
    long long best = LLONG_MAX;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].array && address >= (std::uint64_t)arguments[i].place) {
            const long long beyond = (long long)(address - (std::uint64_t)arguments[i].place);
            if (beyond < best && caller.owns((void *)address)) {
                best = beyond;
                std::snprintf(more, sizeof more, "; byte %lld of argument %zu, which has %" PRIu64, beyond, i, arguments[i].size);
            }
        }
    if (device.owns((void *)address)) std::snprintf(more, sizeof more, "; memory of the device");
    return found + more;
}

void call_once(std::FILE *file, int log, std::uint32_t number) {
    Call call = take_call(file);
    std::vector<Argument> &arguments = call.arguments;
    std::mt19937 random(call.seed);
    std::vector<std::size_t> order(arguments.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    caller.reset();
    for (std::size_t i : order) {
        Argument &one = arguments[i];
        one.place = one.array ? caller.take(one.size, GAP * 4 + random() % GAP) : one.data.data();
        if (!one.place) {
            std::printf("%u skipped 0 too large\n", number);
            return;
        }
    }
    std::vector<void *> places;
    given.clear();
    for (Argument &one : arguments) {
        places.push_back(one.place);
        given.push_back(one.array ? one.place : nullptr);
    }
    const auto set = [&] {
        caller.show(true);
        for (const Argument &one : arguments)
            if (one.array && one.size) std::memcpy(one.place, one.data.data(), one.size);
    };
    const Entry &entry = entries[call.function];
    set();
    if (child(entry.source, places, log, false)) {
        std::printf("%u source 0 %s\n", number, failure(log, arguments).c_str());
        return;
    }
    std::vector<std::vector<char>> expected;
    for (const Argument &one : arguments)
        expected.emplace_back(one.place, one.place + (one.array ? one.size : 0));
    char returned[64];
    std::memcpy(returned, shared->returned, sizeof returned);
    bool effect = call.returned != 0;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        effect |= arguments[i].array && std::memcmp(expected[i].data(), arguments[i].data.data(), expected[i].size());
    if (!entry.port) {
        std::printf("%u ok 0 %s\n", number, effect ? "effect" : "idle");
        return;
    }
    set();
    backwards = call.flags & 1;
    pattern = call.flags & 2 ? 0xFF : 0x5C;
    barriers = entry.barriers;
    error = cudaSuccess;
    if (child(entry.port, places, log, true)) {
        std::printf("%u fault %ld %s\n", number, shared->launches, failure(log, arguments).c_str());
        return;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].array) continue;
        const char leaf = char(arguments[i].leaf);
        const long long at = difference(expected[i].data(), arguments[i].place, expected[i].size(), leaf);
        if (at < 0) continue;
        std::printf("%u differs %ld argument %zu at byte %lld: %s, not %s\n", number, shared->launches, i, at,
                    shown(arguments[i].place + at, leaf).c_str(), shown(expected[i].data() + at, leaf).c_str());
        return;
    }
    const std::size_t bytes = call.returned ? 8 : 0;
    if (difference(returned, shared->returned, call.returned == 'f' ? 4 : bytes, char(call.returned)) >= 0)
        std::printf("%u differs %ld what is returned: %s, not %s\n", number, shared->launches,
                    shown(shared->returned, char(call.returned)).c_str(), shown(returned, char(call.returned)).c_str());
    else std::printf("%u ok %ld %s\n", number, shared->launches, effect ? "effect" : "idle");
}
}  // namespace
}  // namespace oracle

int main(int, char **arguments) {
    using namespace oracle;
    shared = (Shared *)mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    // What the child leaves in the caller's arrays is compared by its parent; the device is the child's own.
    caller.open(MAP_SHARED);
    device.open(MAP_PRIVATE);
    const int log = memfd_create("log", 0);
    std::FILE *file = std::fopen(arguments[1], "rb");
    if (!file || log < 0) return 5;
    const std::uint32_t count = take<std::uint32_t>(file);
    for (std::uint32_t i = 0; i < count; ++i) {
        call_once(file, log, i);
        std::fflush(stdout);
    }
}
