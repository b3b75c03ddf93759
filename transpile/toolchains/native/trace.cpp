// A worker that keeps every access of the traced library to the buffers, globals and shared memory: what
// was touched and how, reads of shared memory nobody had written, and races.
//
// The library is compiled with -fsanitize=thread; the callbacks that it then makes are defined in
// callbacks.h instead of the sanitizer's runtime. There is one thread: the emulator says by
// simt_trace_position whose turn it is. Callbacks come before the access they tell of.
#include "trace.h"

#include <algorithm>
#include <deque>

#include "cells.h"
#include "coverage.h"
#include "races.h"
#include "reach.h"

extern "C" {
__attribute__((visibility("default"))) simt_position simt_trace_position = {};
}

namespace trace {

Progress *progress = nullptr;
std::uint64_t work = 0, most_work = UINT64_MAX;

namespace {

constexpr std::size_t word = 4;
constexpr std::int64_t most_span = std::int64_t{72} << 20;
constexpr std::size_t most_shared = std::size_t{64} << 20;
constexpr std::size_t most_poisoned = 16;
constexpr std::size_t most_cells_held = std::size_t{256} << 20;  // bytes

enum Flag : unsigned char { flag_read = 1, flag_written = 2, flag_atomic = 4, flag_read_first = 8 };
enum class Kind { read, write, atomic_read, atomic_write };

// Memory that is watched. Words and bytes count from `base`.
struct Region {
    unsigned char *base = nullptr, *high = nullptr;
    unsigned char *origin = nullptr;  // offsets are reported from here
    std::int64_t argument = -1;
    bool shared = false, wild = false;
    std::int64_t wild_offset = 0;
    Cell *cells = nullptr;
    unsigned char *flags = nullptr;
    std::int64_t low_touched = 0, high_touched = 0;  // offsets; equal where nothing was
    Reach reach;                                     // of an argument

    bool touched() const { return low_touched < high_touched; }
};

bool watching = false;
bool inside = false;  // our own copying is not the library's
bool launched = false;  // a kernel runs: nobody else has threads that could race
std::uint32_t launch_generation = 1, block_generation = 1;
std::vector<Region> arenas;     // by argument
std::vector<Region> variables;  // at file scope
std::vector<std::vector<Cell>> variable_cells;
std::vector<std::vector<unsigned char>> variable_flags;
Region shared_memory;
Visits visits;
Races races;
struct Bytes {
    Cell cells[word];
};
std::deque<Bytes> byte_cells;  // of words that were not accessed as a whole
std::size_t cells_held = 0;    // bytes of cells that calls since the last release may have touched
std::vector<std::int64_t> poisoned;
std::int64_t parted[2] = {0, 0};  // lines of barriers at which threads of one block waited for each other

// The write whose effect is not known yet.
struct Pending {
    unsigned char *address = nullptr;
    std::size_t size = 0;
    unsigned char before[16];
    Region *region = nullptr;
    Stamp stamp = stamp_none;
    struct Part {
        Cell *cell;
        unsigned char offset, size;
        bool again;  // the block has written there since its last barrier
    } parts[16];
    std::size_t count = 0;
    std::vector<std::pair<std::size_t, Race>> suspects;  // with the part that they are about
} pending;

bool equal(const unsigned char *a, const unsigned char *b, std::size_t size) {
    for (std::size_t i = 0; i < size; i++)
        if (a[i] != b[i]) return false;
    return true;
}

// Finds out what the last write did, now that it has happened.
void settle() {
    if (!pending.address) return;
    inside = true;
    bool changed[16];
    for (std::size_t i = 0; i < pending.count; i++) {
        const auto &part = pending.parts[i];
        changed[i] = !equal(pending.address + part.offset, pending.before + part.offset, part.size);
        if (changed[i] && (part.cell->writes[0] & stamp_number) == pending.stamp)
            part.cell->writes[0] |= stamp_changed | (part.again ? stamp_mixed : stamp_none);
    }
    for (auto &[part, race] : pending.suspects) {
        race.same_value = !changed[part];
        races.add(pending.region, race);
    }
    pending.suspects.clear();
    pending.address = nullptr;
    inside = false;
}

struct Access {
    Region &region;
    Kind kind;
    Stamp stamp;
    const unsigned char *address;
    bool known;  // what a write changes will be known: it is pending
};

void suspect(const Access &access, std::int64_t offset, Stamp earlier, bool reads, bool own = false) {
    const Visit &then = visits.visit(earlier), &now = visits.visit(access.stamp);
    if (!conflict(then.position, now.position)) return;
    Race race = {access.region.argument, offset, reads, then, now, false};
    if (access.kind == Kind::write && access.known) {
        pending.suspects.emplace_back(pending.count, race);
        return;
    }
    // A read after a write: harmless where that write, and those it hid, moved nothing, or where the reader has
    // written itself what all of its block write.
    const bool reading = access.kind == Kind::read || access.kind == Kind::atomic_read;
    race.same_value = reading && (!(earlier & stamp_changed) || (own && same_epoch(then.position, now.position)));
    races.add(&access.region, race);
}

void judge(const Access &access, const Cell &cell, std::int64_t offset) {
    const bool writes = access.kind == Kind::write || access.kind == Kind::atomic_write;
    const bool plain = access.kind == Kind::read || access.kind == Kind::write;
    const bool own = cell.writes[0] && !(cell.writes[0] & stamp_mixed) &&
                     same_thread(visits.at(cell.writes[0]), visits.at(access.stamp));
    for (Stamp earlier : cell.writes)
        if (earlier) suspect(access, offset, earlier, !writes, own);
    if (writes)
        for (Stamp earlier : cell.reads)
            if (earlier) suspect(access, offset, earlier, true);
    if (plain)
        for (Stamp earlier : cell.atomics)
            if (earlier && (writes || earlier & stamp_writes)) suspect(access, offset, earlier, !writes);
}

// Tells whether its block has written to a cell since its last barrier.
bool written_again(const Access &access, const Cell &cell) {
    return cell.writes[0] && same_epoch(visits.at(cell.writes[0]), visits.at(access.stamp));
}

void visit_cell(const Access &access, Cell &cell, std::int64_t offset) {
    if (access.region.shared && (access.kind == Kind::read || access.kind == Kind::atomic_read) && !cell.writes[0] &&
        !cell.atomics[0] && poisoned.size() < most_poisoned)
        poisoned.push_back(offset);
    Stamp(&kept)[2] = access.kind == Kind::read ? cell.reads : access.kind == Kind::write ? cell.writes : cell.atomics;
    // Nobody else has run since: nothing is new.
    if ((kept[0] & stamp_number) == access.stamp) {
        if (access.kind == Kind::atomic_write) kept[0] |= stamp_writes | stamp_changed;
        return;
    }
    judge(access, cell, offset);
    const Stamp mixed = written_again(access, cell) ? cell.writes[0] & stamp_mixed : stamp_none;
    visits.remember(kept, access.stamp | (access.kind == Kind::atomic_write ? stamp_writes | stamp_changed : 0));
    if (access.kind == Kind::write) kept[0] |= access.known ? mixed : stamp_changed | stamp_mixed;
}

void add_part(const Access &access, Cell &cell, const unsigned char *address, std::size_t size, bool again) {
    if (access.kind != Kind::write || !access.known) return;
    pending.parts[pending.count++] = {&cell, static_cast<unsigned char>(address - pending.address),
                                      static_cast<unsigned char>(size), again};
}

Cell *split(Cell &cell) {
    if (cell.bytes < 2) {
        byte_cells.emplace_back();
        cell.bytes = std::uint32_t(byte_cells.size()) * 2;
    }
    Cell *bytes = byte_cells[cell.bytes / 2 - 1].cells;
    if (!(cell.bytes & 1)) {
        for (std::size_t i = 0; i < word; i++) {
            bytes[i] = cell;
            bytes[i].bytes = 0;
        }
        cell.bytes |= 1;
    }
    return bytes;
}

// Takes note of an access within one word.
void visit_word(const Access &access, const unsigned char *address, std::size_t size) {
    const std::size_t place = std::size_t(address - access.region.base);
    Cell &cell = access.region.cells[place / word];
    const std::uint32_t generation = access.region.shared ? block_generation : launch_generation;
    if (cell.generation != generation) cell = {generation, cell.bytes & ~1u, {}, {}, {}};
    const std::int64_t offset = address - access.region.origin;
    if (size == word && !(cell.bytes & 1)) {
        const bool again = written_again(access, cell);
        visit_cell(access, cell, offset);
        add_part(access, cell, address, word, again);
        return;
    }
    Cell *bytes = split(cell);
    for (std::size_t i = 0; i < size; i++) {
        Cell &byte = bytes[place % word + i];
        const bool again = written_again(access, byte);
        visit_cell(access, byte, offset + std::int64_t(i));
        add_part(access, byte, address + i, 1, again);
    }
}

void mark(Region &region, const unsigned char *address, std::size_t size, bool reads, bool writes, bool atomic) {
    unsigned char *flags = region.flags + (address - region.base);
    if (size == word) {
        constexpr std::uint32_t each = 0x01010101;
        std::uint32_t all;
        __builtin_memcpy(&all, flags, word);
        if (reads) all |= each * flag_read | (~all & each * flag_written) * (flag_read_first / flag_written);
        if (writes) all |= each * (flag_written | (atomic ? flag_atomic : 0));
        __builtin_memcpy(flags, &all, word);
        return;
    }
    for (std::size_t i = 0; i < size; i++) {
        if (reads) flags[i] |= flag_read | (flags[i] & flag_written ? 0 : flag_read_first);
        if (writes) flags[i] |= flag_written | (atomic ? flag_atomic : 0);
    }
}

bool widen(Region &region, const unsigned char *address, std::size_t size) {
    const std::int64_t low = address - region.origin, high = low + std::int64_t(size);
    const bool first = !region.touched();
    if (!first && low >= region.low_touched && high <= region.high_touched) return true;
    const std::int64_t lowest = first ? low : std::min(low, region.low_touched);
    const std::int64_t highest = first ? high : std::max(high, region.high_touched);
    if (highest - lowest > most_span && region.argument >= 0) {
        if (!region.wild) region.wild_offset = low;
        region.wild = true;
        return false;
    }
    region.low_touched = lowest;
    region.high_touched = highest;
    return true;
}

// Lengths below zero make sizes with which addresses would overflow.
bool ends_within(const unsigned char *address, std::size_t size, const Region &region) {
    return address <= region.high && size <= std::size_t(region.high - address);
}

Region *region_of(const unsigned char *address, std::size_t size) {
    const std::size_t away = std::size_t(address - placement::arenas);
    if (away < arenas.size() * placement::arena_bytes) {
        Region &region = arenas[away / placement::arena_bytes];
        return region.base && ends_within(address, size, region) ? &region : nullptr;
    }
    if (address >= shared_memory.origin && ends_within(address, size, shared_memory)) return &shared_memory;
    for (Region &region : variables)
        if (address >= region.origin && ends_within(address, size, region)) return &region;
    return nullptr;
}

constexpr std::uint64_t watched_work = 4;  // an access that is kept takes so many times as long as one that is not

[[noreturn]] void end_of_work() {
    progress->reason = reason_timeout;
    save_coverage();
    _exit(97);
}

// Every branch moves a counter of coverage, so that a loop that touches nothing else is seen as well.
void count(std::uint64_t amount) {
    work += amount;
    if (work > most_work) end_of_work();
}

void access(const volatile void *place, std::size_t size, Kind kind, const void *site) {
    if (!watching || inside) return;
    count(1);
    auto *address = static_cast<unsigned char *>(const_cast<void *>(place));
    // Most accesses are to locals and to the counters of coverage.
    Region *region = region_of(address, size);
    if (!region) return;
    count(watched_work * (1 + size / word));
    settle();
    if (!widen(*region, address, size)) return;
    inside = true;
    if (region->argument >= 0) region->reach.extend(site, address - region->origin + std::int64_t(size));
    const bool atomic = kind == Kind::atomic_read || kind == Kind::atomic_write;
    mark(*region, address, size, kind != Kind::write, kind == Kind::write || kind == Kind::atomic_write, atomic);
    if (!launched) {  // Nothing can race, and what would tell takes eight times the memory of the data.
        inside = false;
        return;
    }
    const Access now = {*region, kind, visits.number(simt_trace_position, site), address, size <= sizeof pending.before};
    if (kind == Kind::write && now.known) {
        pending.address = address;
        pending.size = size;
        pending.region = region;
        pending.stamp = now.stamp;
        pending.count = 0;
        for (std::size_t i = 0; i < size; i++) pending.before[i] = address[i];
    }
    while (size) {
        const std::size_t piece = std::min(size, word - std::size_t(address - region->base) % word);
        visit_word(now, address, piece);
        address += piece;
        size -= piece;
    }
    inside = false;
}

void put(std::string &out, std::int64_t number) { append(out, &number, sizeof number); }

// Returns where a call is in the file that it was loaded from, by where it returns to; -1 where it is in none.
std::int64_t in_library(const void *after) {
    Dl_info found;
    if (!after || !dladdr(after, &found)) return -1;
    return static_cast<const unsigned char *>(after) - static_cast<const unsigned char *>(found.dli_fbase) - 1;
}

// Forgets what a call before this one did there. Cells forget by their generation: to hand their pages back and take
// new ones costs more than all that is written to them.
void clear(Region &region) {
    if (region.touched()) {
        const std::size_t first = std::size_t(region.origin - region.base + region.low_touched) / word * word;
        const std::size_t size = std::size_t(region.origin - region.base + region.high_touched) - first;
        std::fill_n(region.flags + first, size, 0);
        cells_held += size / word * sizeof(Cell);
    }
    region.low_touched = region.high_touched = 0;
    region.wild = false;
    region.reach.clear();
}

// Hands the memory of all cells back once it is much.
void release_cells() {
    if (cells_held + byte_cells.size() * sizeof(Bytes) < most_cells_held) return;
    for (Region &region : arenas)
        if (region.cells) madvise(region.cells, placement::arena_bytes / word * sizeof(Cell), MADV_DONTNEED);
    if (shared_memory.cells) madvise(shared_memory.cells, most_shared / word * sizeof(Cell), MADV_DONTNEED);
    byte_cells.clear();
    cells_held = 0;
}

void watch_arena(std::size_t index, const placement::Buffer &buffer) {
    Region &region = arenas[index];
    if (!region.cells) {
        region.flags = placement::reserve(placement::arena_bytes, PROT_READ | PROT_WRITE);
        region.cells = reinterpret_cast<Cell *>(
            placement::reserve(placement::arena_bytes / word * sizeof(Cell), PROT_READ | PROT_WRITE));
    }
    region.base = buffer.low;
    region.high = buffer.high;
    region.origin = buffer.pointer;
    region.argument = std::int64_t(index);
}

void watch_shared(void *low, void *high) {
    auto *first = static_cast<unsigned char *>(low);
    Region &region = shared_memory;
    if (region.origin == first && region.high == high) return;
    if (!region.cells) {
        region.flags = placement::reserve(most_shared, PROT_READ | PROT_WRITE);
        region.cells = reinterpret_cast<Cell *>(
            placement::reserve(most_shared / word * sizeof(Cell), PROT_READ | PROT_WRITE));
        region.shared = true;
    }
    region.origin = first;
    region.base = first - reinterpret_cast<std::uintptr_t>(first) % word;
    region.high = static_cast<unsigned char *>(high);
    if (std::size_t(region.high - region.base) > most_shared) placement::give_up("too much shared memory");
}

void watch_variable(unsigned char *address, std::size_t size) {
    const std::size_t early = reinterpret_cast<std::uintptr_t>(address) % word;
    variable_cells.emplace_back((size + early) / word + 1);
    variable_flags.emplace_back(size + early);
    Region region;
    region.base = address - early;
    region.origin = address;
    region.high = address + size;
    region.cells = variable_cells.back().data();
    region.flags = variable_flags.back().data();
    variables.push_back(region);
}

void forget_variable(const unsigned char *address) {
    for (Region &region : variables)
        if (region.origin == address) region.high = region.origin;  // holds nothing any more
}

}  // namespace

void begin(const std::vector<placement::Buffer> &buffers, const std::vector<unsigned char *> &globals,
           const std::vector<std::size_t> &sizes) {
    work = 0;
    launch_generation++;
    block_generation++;
    visits.clear();
    races.clear();
    poisoned.clear();
    parted[0] = parted[1] = 0;
    pending.address = nullptr;
    pending.suspects.clear();
    simt_trace_position = {};
    launched = false;
    if (arenas.size() < buffers.size()) arenas.resize(buffers.size());
    for (Region &region : arenas) {
        clear(region);
        region.base = nullptr;
    }
    clear(shared_memory);
    release_cells();
    for (std::size_t i = 0; i < buffers.size(); i++)
        if (buffers[i].start && placement::kind == placement::Kind::arena) watch_arena(i, buffers[i]);
    variables.clear();
    variable_cells.clear();
    variable_flags.clear();
    for (std::size_t i = 0; i < globals.size(); i++) watch_variable(globals[i], sizes[i]);
    watching = true;
}

void finish() {
    settle();
    watching = false;
}

void report(std::string &out) {
    std::int64_t argument = -1, offset = 0;
    for (const Region &region : arenas)
        if (region.base && region.wild) {
            argument = region.argument;
            offset = region.wild_offset;
        }
    put(out, argument);
    put(out, offset);
    put(out, std::int64_t(placement::buffers.size()));
    for (std::size_t i = 0; i < placement::buffers.size(); i++) {
        const Region &region = arenas[i];
        const bool touched = region.base && region.touched() && argument < 0;
        put(out, touched ? region.low_touched : 0);
        put(out, touched ? region.high_touched : 0);
        if (!touched) continue;
        append(out, region.flags + (region.origin - region.base) + region.low_touched,
               std::size_t(region.high_touched - region.low_touched));
        const std::vector<Reach::Entry> places = region.reach.all();
        put(out, std::int64_t(places.size()));
        for (const Reach::Entry &place : places) {
            put(out, in_library(place.site));
            put(out, place.high);
        }
    }
    put(out, std::int64_t(races.list().size()));
    for (const Race &race : races.list()) {
        put(out, race.argument);
        put(out, race.offset);
        put(out, race.reads);
        for (const Visit &visit : {race.first, race.second}) {
            put(out, visit.position.block);
            put(out, visit.position.thread);
            put(out, in_library(visit.site));
        }
        put(out, race.same_value);
    }
    put(out, std::int64_t(poisoned.size()));
    for (std::int64_t offset_of_read : poisoned) put(out, offset_of_read);
    for (std::int64_t line : parted) put(out, line);
}

void find_coverage(void *library) { coverage::find(library); }

void save_coverage() {
    watching = false;
    coverage::save();
}

}  // namespace trace

#include "callbacks.h"
