// A worker that keeps every access of the traced library to the buffers, globals and shared memory: what
// was touched and how, reads of shared memory nobody had written, and races.
//
// The library is compiled with -fsanitize=thread; the callbacks that it then makes are defined here instead
// of in the sanitizer's runtime. There is one thread: the emulator says by simt_trace_position whose turn it is.
#include "trace.h"

#include <algorithm>
#include <dlfcn.h>
#include <memory>

extern "C" {
// As the emulator's trace.h declares it.
struct simt_position {
    std::uint32_t block, thread, epoch, warp_epoch;
};

__attribute__((visibility("default"))) simt_position simt_trace_position = {};
}

namespace trace {
Progress *progress = nullptr;
}

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t most_pages = 2048;
constexpr std::size_t most_races = 64, most_poisoned = 16;
constexpr std::uint32_t warp_size = 32;

enum Flag : unsigned char { flag_read = 1, flag_written = 2, flag_atomic = 4, flag_read_first = 8 };

struct Stamp {
    simt_position at;
    bool valid, atomic, changed;
};

// What happened to one byte. Forgotten when the generation is over: a launch, or for shared memory a block.
struct Cell {
    std::uint32_t generation;
    Stamp writer;
    Stamp reader[2];  // of different threads, the later one first
    std::uint32_t first_reading_block;
    bool several_blocks_read;
    std::uint32_t race[2];  // number of the race reported for write-write and read-write, from 1
};

struct Page {
    std::uint64_t call = 0;
    unsigned char flags[page_bytes];
    Cell cells[page_bytes];
};

struct Region {
    unsigned char *low = nullptr, *high = nullptr;
    unsigned char *origin = nullptr;  // offsets are reported from here
    std::int64_t argument = -1;
    bool shared = false;
    std::vector<std::unique_ptr<Page>> pages;
    std::int64_t touched_low = INT64_MAX, touched_high = INT64_MIN;
};

struct Race {
    std::int64_t argument, offset;
    std::uint64_t reads;
    simt_position first, second;
    bool same_value;
};

bool watching = false;
bool inside = false;  // our own copying is not the library's
std::uint64_t call_number = 0;
std::size_t pages_used = 0;
std::uint32_t launch_generation = 1, block_generation = 1;
std::vector<Region> arenas;   // by argument
std::vector<Region> variables;  // at file scope
Region shared_memory;
std::vector<Race> races;
std::vector<std::int64_t> poisoned;

// The write whose effect is not known yet, since callbacks come before the access.
struct Pending {
    unsigned char *address = nullptr;
    std::size_t size = 0;
    unsigned char before[16];
    Region *region = nullptr;
    std::uint32_t blamed[4];
    std::size_t blames = 0;
} pending;

struct Inside {
    Inside() { inside = true; }
    ~Inside() { inside = false; }
};

bool same_thread(const simt_position &a, const simt_position &b) { return a.block == b.block && a.thread == b.thread; }

bool ordered(const simt_position &a, const simt_position &b) {
    if (same_thread(a, b)) return true;
    if (a.block != b.block) return false;
    if (a.epoch != b.epoch) return true;
    return a.thread / warp_size == b.thread / warp_size && a.warp_epoch != b.warp_epoch;
}

[[noreturn]] void too_wild(const Region &region, const unsigned char *address) {
    trace::progress->reason = reason_wild;
    trace::progress->argument = region.argument;
    trace::progress->offset = address - region.origin;
    trace::save_coverage();
    _exit(97);
}

Page &page_of(Region &region, const unsigned char *address) {
    const std::size_t number = std::size_t(address - region.low) / page_bytes;
    if (region.pages.size() <= number) region.pages.resize(number + 1);
    auto &page = region.pages[number];
    if (!page) page = std::make_unique<Page>();
    if (page->call != call_number) {
        if (++pages_used > most_pages) too_wild(region, address);
        page->call = call_number;
        memset(page->flags, 0, sizeof page->flags);
    }
    return *page;
}

Cell &cell_of(Page &page, const Region &region, std::size_t index) {
    Cell &cell = page.cells[index];
    const std::uint32_t generation = region.shared ? block_generation : launch_generation;
    if (cell.generation != generation) {
        cell = {};
        cell.generation = generation;
    }
    return cell;
}

Region *region_of(const unsigned char *address) {
    if (placement::arenas && address >= placement::arenas) {
        const std::size_t index = std::size_t(address - placement::arenas) / placement::arena_bytes;
        if (index < arenas.size() && arenas[index].low) return &arenas[index];
    }
    if (address >= shared_memory.low && address < shared_memory.high) return &shared_memory;
    for (Region &region : variables)
        if (address >= region.low && address < region.high) return &region;
    return nullptr;
}

void settle() {
    if (!pending.address) return;
    if (memcmp(pending.address, pending.before, pending.size) != 0) {
        for (std::size_t i = 0; i < pending.size; i++) {
            const unsigned char *address = pending.address + i;
            Page &page = page_of(*pending.region, address);
            cell_of(page, *pending.region, std::size_t(address - pending.region->low) % page_bytes).writer.changed = true;
        }
        for (std::size_t i = 0; i < pending.blames; i++) races[pending.blamed[i] - 1].same_value = false;
    }
    pending.address = nullptr;
    pending.blames = 0;
}

// Returns the number of the race, from 1, or 0 where there are too many of them.
std::uint32_t blame(const Region &region, Cell &cell, const unsigned char *address, bool reads, const Stamp &earlier,
                    bool same_value) {
    std::uint32_t &number = cell.race[reads];
    if (number) {
        if (!same_value) races[number - 1].same_value = false;
        return number;
    }
    if (races.size() >= most_races) {
        // The list is full; that a harmful race was seen must not be lost.
        if (!same_value) races.back().same_value = false;
        return std::uint32_t(races.size());
    }
    races.push_back({region.argument, address - region.origin, reads, earlier.at, simt_trace_position, same_value});
    return number = std::uint32_t(races.size());
}

void note_blame(std::uint32_t number) {
    for (std::size_t i = 0; i < pending.blames; i++)
        if (pending.blamed[i] == number) return;
    if (pending.blames < sizeof pending.blamed / sizeof *pending.blamed) pending.blamed[pending.blames++] = number;
    else races[number - 1].same_value = false;
}

void on_read(Region &region, Cell &cell, const unsigned char *address, bool atomic) {
    const simt_position &now = simt_trace_position;
    if (cell.writer.valid && !(atomic && cell.writer.atomic) && !ordered(cell.writer.at, now))
        blame(region, cell, address, true, cell.writer, !cell.writer.changed);
    if (cell.reader[0].valid && !same_thread(cell.reader[0].at, now)) cell.reader[1] = cell.reader[0];
    if (!cell.reader[0].valid && !cell.several_blocks_read) cell.first_reading_block = now.block;
    if (cell.first_reading_block != now.block) cell.several_blocks_read = true;
    cell.reader[0] = {now, true, atomic, false};
}

void on_write(Region &region, Cell &cell, const unsigned char *address, bool atomic) {
    const simt_position &now = simt_trace_position;
    if (cell.writer.valid && !(atomic && cell.writer.atomic) && !ordered(cell.writer.at, now))
        note_blame(blame(region, cell, address, false, cell.writer, !atomic));
    for (const Stamp &reader : cell.reader)
        if (reader.valid && !(atomic && reader.atomic) && !ordered(reader.at, now))
            note_blame(blame(region, cell, address, true, reader, !atomic));
    if (cell.reader[0].valid && (cell.several_blocks_read || cell.first_reading_block != now.block) &&
        !(atomic && cell.reader[0].atomic)) {
        Stamp elsewhere = cell.reader[0];
        elsewhere.at = {cell.first_reading_block, 0, 0, 0};
        if (elsewhere.at.block != now.block) note_blame(blame(region, cell, address, true, elsewhere, !atomic));
    }
    // Whether the value moved since others could see it: kept over the writes of one thread in one epoch.
    const bool changed = atomic || (cell.writer.valid && cell.writer.changed && same_thread(cell.writer.at, now) &&
                                    cell.writer.at.epoch == now.epoch);
    cell.writer = {now, true, atomic, changed};
}

void access(const volatile void *place, std::size_t size, bool reads, bool writes, bool atomic) {
    if (!watching || inside) return;
    const Inside guard;
    settle();
    auto *address = static_cast<unsigned char *>(const_cast<void *>(place));
    Region *region = region_of(address);
    if (!region) return;
    const std::int64_t offset = address - region->origin;
    region->touched_low = std::min(region->touched_low, offset);
    region->touched_high = std::max(region->touched_high, offset + std::int64_t(size));
    for (std::size_t i = 0; i < size; i++) {
        Page &page = page_of(*region, address + i);
        const std::size_t index = std::size_t(address + i - region->low) % page_bytes;
        Cell &cell = cell_of(page, *region, index);
        unsigned char &flags = page.flags[index];
        if (reads) {
            flags |= flag_read;
            if (!(flags & flag_written)) flags |= flag_read_first;
            if (region->shared && !cell.writer.valid && poisoned.size() < most_poisoned && (i == 0))
                poisoned.push_back(offset);
            on_read(*region, cell, address + i, atomic);
        }
        if (writes) {
            flags |= flag_written | (atomic ? flag_atomic : 0);
            on_write(*region, cell, address + i, atomic);
        }
    }
    if (!writes || atomic) return;
    if (size > sizeof pending.before) {
        // A range: taken as changed, which errs on the side of reporting.
        for (std::size_t i = 0; i < pending.blames; i++) races[pending.blamed[i] - 1].same_value = false;
        pending.blames = 0;
        for (std::size_t i = 0; i < size; i++) {
            Page &page = page_of(*region, address + i);
            cell_of(page, *region, std::size_t(address + i - region->low) % page_bytes).writer.changed = true;
        }
        return;
    }
    pending.address = address;
    pending.size = size;
    pending.region = region;
    std::copy_n(address, size, pending.before);
}

void atomic_access(const volatile void *place, std::size_t size, bool reads, bool writes) {
    access(place, size, reads, writes, true);
    for (std::size_t i = 0; i < pending.blames; i++) races[pending.blamed[i] - 1].same_value = false;
    pending.blames = 0;
}

void (*write_coverage)() = nullptr;

void put(std::string &out, std::int64_t number) { trace::append(out, &number, sizeof number); }

}  // namespace

namespace trace {

void begin(const std::vector<placement::Buffer> &buffers, const std::vector<unsigned char *> &globals,
           const std::vector<std::size_t> &sizes) {
    call_number++;
    launch_generation++;
    block_generation++;
    pages_used = 0;
    races.clear();
    poisoned.clear();
    pending = {};
    simt_trace_position = {};
    if (arenas.size() < buffers.size()) arenas.resize(buffers.size());
    for (Region &region : arenas) region.low = region.high = nullptr;
    for (std::size_t i = 0; i < buffers.size(); i++) {
        Region &region = arenas[i];
        region.touched_low = INT64_MAX;
        region.touched_high = INT64_MIN;
        if (!buffers[i].start || placement::kind != placement::Kind::arena) continue;
        region.low = buffers[i].low;
        region.high = buffers[i].high;
        region.origin = buffers[i].pointer;
        region.argument = std::int64_t(i);
    }
    variables.clear();
    for (std::size_t i = 0; i < globals.size(); i++) {
        variables.emplace_back();
        variables.back().low = variables.back().origin = globals[i];
        variables.back().high = globals[i] + sizes[i];
    }
    watching = true;
}

void finish() {
    settle();
    watching = false;
}

void report(std::string &out) {
    put(out, std::int64_t(placement::buffers.size()));
    for (std::size_t i = 0; i < placement::buffers.size(); i++) {
        Region &region = arenas[i];
        const bool touched = region.low && region.touched_low < region.touched_high;
        put(out, touched ? region.touched_low : 0);
        put(out, touched ? region.touched_high : 0);
        if (!touched) continue;
        std::string flags(std::size_t(region.touched_high - region.touched_low), '\0');
        for (std::size_t k = 0; k < flags.size(); k++) {
            const std::size_t place = std::size_t(region.origin - region.low) + std::size_t(region.touched_low + std::int64_t(k));
            const std::size_t number = place / page_bytes;
            if (number >= region.pages.size() || !region.pages[number] || region.pages[number]->call != call_number) {
                k += page_bytes - place % page_bytes - 1;
                continue;
            }
            flags[k] = char(region.pages[number]->flags[place % page_bytes]);
        }
        append(out, flags.data(), flags.size());
    }
    put(out, std::int64_t(races.size()));
    for (const Race &race : races) {
        put(out, race.argument);
        put(out, race.offset);
        put(out, std::int64_t(race.reads));
        put(out, race.first.block);
        put(out, race.first.thread);
        put(out, race.second.block);
        put(out, race.second.thread);
        put(out, race.same_value);
    }
    put(out, std::int64_t(poisoned.size()));
    for (std::int64_t offset : poisoned) put(out, offset);
}

void find_coverage(void *library) {
    write_coverage = reinterpret_cast<void (*)()>(dlsym(library, "transpile_write_coverage"));
}

void save_coverage() {
    watching = false;
    if (write_coverage) write_coverage();
}

}  // namespace trace

extern "C" {

#define EXPORT __attribute__((visibility("default")))

EXPORT void simt_trace_block(std::uint32_t, const void *low, const void *high) {
    settle();
    block_generation++;
    shared_memory.shared = true;
    auto *first = static_cast<unsigned char *>(const_cast<void *>(low));
    if (first != shared_memory.low) shared_memory.pages.clear();
    shared_memory.low = shared_memory.origin = first;
    shared_memory.high = static_cast<unsigned char *>(const_cast<void *>(high));
}

EXPORT void simt_trace_launch(int) {
    settle();
    launch_generation++;
    simt_trace_position = {};
}

EXPORT void simt_trace_atomic(const volatile void *address, std::uint32_t size, int writes) {
    atomic_access(address, size, true, writes != 0);
}

EXPORT void __tsan_init() {}
EXPORT void __tsan_func_entry(void *) {}
EXPORT void __tsan_func_exit() {}
EXPORT void __tsan_vptr_update(void **, void *) {}
EXPORT void __tsan_vptr_read(void **) {}

#define PLAIN(size)                                                                             \
    EXPORT void __tsan_read##size(void *p) { access(p, size, true, false, false); }             \
    EXPORT void __tsan_write##size(void *p) { access(p, size, false, true, false); }            \
    EXPORT void __tsan_unaligned_read##size(void *p) { access(p, size, true, false, false); }   \
    EXPORT void __tsan_unaligned_write##size(void *p) { access(p, size, false, true, false); }  \
    EXPORT void __tsan_volatile_read##size(void *p) { access(p, size, true, false, false); }    \
    EXPORT void __tsan_volatile_write##size(void *p) { access(p, size, false, true, false); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

EXPORT void __tsan_read_range(void *p, unsigned long size) { access(p, size, true, false, false); }
EXPORT void __tsan_write_range(void *p, unsigned long size) { access(p, size, false, true, false); }

EXPORT void __tsan_atomic_thread_fence(int) {}
EXPORT void __tsan_atomic_signal_fence(int) {}

#define FETCH(bits, type, name, builtin)                                          \
    EXPORT type __tsan_atomic##bits##_##name(volatile type *p, type v, int) {     \
        atomic_access(p, sizeof *p, true, true);                                  \
        return builtin(p, v, __ATOMIC_SEQ_CST);                                   \
    }
#define EXCHANGE(bits, type, name, weak)                                                                 \
    EXPORT int __tsan_atomic##bits##_##name(volatile type *p, type *e, type v, int, int) {               \
        atomic_access(p, sizeof *p, true, true);                                                         \
        return __atomic_compare_exchange_n(p, e, v, weak, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    }
#define ATOMIC(bits, type)                                                                               \
    EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int) {                                \
        atomic_access(p, sizeof *p, true, false);                                                        \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                     \
    }                                                                                                    \
    EXPORT void __tsan_atomic##bits##_store(volatile type *p, type v, int) {                             \
        atomic_access(p, sizeof *p, false, true);                                                        \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                    \
    FETCH(bits, type, exchange, __atomic_exchange_n)                                                     \
    FETCH(bits, type, fetch_add, __atomic_fetch_add)                                                     \
    FETCH(bits, type, fetch_sub, __atomic_fetch_sub)                                                     \
    FETCH(bits, type, fetch_and, __atomic_fetch_and)                                                     \
    FETCH(bits, type, fetch_or, __atomic_fetch_or)                                                       \
    FETCH(bits, type, fetch_xor, __atomic_fetch_xor)                                                     \
    FETCH(bits, type, fetch_nand, __atomic_fetch_nand)                                                   \
    EXCHANGE(bits, type, compare_exchange_strong, false)                                                 \
    EXCHANGE(bits, type, compare_exchange_weak, true)                                                    \
    EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type e, type v, int, int) { \
        atomic_access(p, sizeof *p, true, true);                                                         \
        __atomic_compare_exchange_n(p, &e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
        return e;                                                                                        \
    }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

// What the library copies through the C library would go unseen. Loops are kept as loops by a flag.
EXPORT void *memcpy(void *__restrict to, const void *__restrict from, std::size_t size) {
    if (watching && size) {
        access(from, size, true, false, false);
        access(to, size, false, true, false);
    }
    auto *target = static_cast<unsigned char *>(to);
    auto *source = static_cast<const unsigned char *>(from);
    for (std::size_t i = 0; i < size; i++) target[i] = source[i];
    return to;
}

EXPORT void *memmove(void *to, const void *from, std::size_t size) {
    if (watching && size) {
        access(from, size, true, false, false);
        access(to, size, false, true, false);
    }
    auto *target = static_cast<unsigned char *>(to);
    auto *source = static_cast<const unsigned char *>(from);
    if (target < source)
        for (std::size_t i = 0; i < size; i++) target[i] = source[i];
    else
        for (std::size_t i = size; i-- > 0;) target[i] = source[i];
    return to;
}

EXPORT void *memset(void *to, int value, std::size_t size) {
    if (watching && size) access(to, size, false, true, false);
    auto *target = static_cast<unsigned char *>(to);
    for (std::size_t i = 0; i < size; i++) target[i] = static_cast<unsigned char>(value);
    return to;
}

}  // extern "C"
