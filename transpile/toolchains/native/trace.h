// What a worker keeps of the accesses a call makes. Builds of the worker for other flavours link
// no_trace.cpp, where all of this is empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "placement.h"

namespace trace {

// Where to say why a call was ended.
extern Progress *progress;

// What the current call has done so far: its accesses and the branches that it took, whatever the clock says.
extern std::uint64_t work;
// After so much of it a call is ended.
extern std::uint64_t most_work;

// Starts to watch the buffers (whole arenas) and the globals.
void begin(const std::vector<placement::Buffer> &buffers, const std::vector<unsigned char *> &globals,
           const std::vector<std::size_t> &sizes);
void finish();
// Appends what was seen, as worker.py reads it.
void report(std::string &out);

void find_coverage(void *library);
void save_coverage();

inline void append(std::string &out, const void *data, std::size_t size) {
    out.append(static_cast<const char *>(data), size);
    out.append((8 - size % 8) % 8, '\0');
}

}  // namespace trace
