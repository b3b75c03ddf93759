// Counts of branches, of libraries that are built to keep them.
#pragma once

#include <dlfcn.h>
#include <utility>

namespace coverage {

inline void (*write_counts)() = nullptr;

inline void find(void *library) {
    write_counts = reinterpret_cast<void (*)()>(dlsym(library, "transpile_write_coverage"));
}

// Once: where calls have overwritten what coverage is kept in, writing it faults, and holds its lock.
inline void save() {
    if (auto *const write = std::exchange(write_counts, nullptr)) write();
}

}  // namespace coverage
