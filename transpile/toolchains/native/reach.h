// How far each place in the code reached into a buffer. Part of trace.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace trace {

// The greatest offset behind an access, by the place that made it: a hash table with open addresses.
class Reach {
  public:
    struct Entry {
        const void *site = nullptr;
        std::int64_t high = 0;
    };

    void clear() {
        entries_.clear();
        count_ = 0;
    }

    void extend(const void *site, std::int64_t high) {
        if (2 * count_ >= entries_.size()) grow();
        Entry &found = entry(site);
        if (!found.site) {
            found = {site, high};
            count_++;
        }
        found.high = std::max(found.high, high);
    }

    std::vector<Entry> all() const {
        std::vector<Entry> found;
        std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(found),
                     [](const Entry &entry) { return entry.site; });
        return found;
    }

  private:
    std::vector<Entry> entries_;  // a power of two of them, at most half of them in use
    std::size_t count_ = 0;

    Entry &entry(const void *site) {
        std::size_t place = reinterpret_cast<std::uintptr_t>(site) * 0x9E3779B97F4A7C15u >> 32;
        while (true) {
            Entry &found = entries_[place++ & (entries_.size() - 1)];
            if (!found.site || found.site == site) return found;
        }
    }

    void grow() {
        const std::vector<Entry> earlier = all();
        entries_.assign(std::max<std::size_t>(2 * entries_.size(), 64), {});
        for (const Entry &old : earlier) entry(old.site) = old;
    }
};

}  // namespace trace
