// What happened to a word of memory, as far as it is needed to tell whether the next access races.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

// As the emulator's trace.h declares it.
struct simt_position {
    std::uint32_t block, thread, epoch, warp_epoch;
};

namespace trace {

inline constexpr std::uint32_t warp_size = 32;

inline bool operator==(const simt_position &a, const simt_position &b) {
    return a.block == b.block && a.thread == b.thread && a.epoch == b.epoch && a.warp_epoch == b.warp_epoch;
}

inline bool same_thread(const simt_position &a, const simt_position &b) {
    return a.block == b.block && a.thread == b.thread;
}

// No barrier of their block stands between them.
inline bool same_epoch(const simt_position &a, const simt_position &b) {
    return a.block == b.block && a.epoch == b.epoch;
}

// How much an access at `a` gets into the way of one at `b`: 0 for not at all, since something orders them;
// more where it will get into the way of more threads to come.
inline unsigned conflict(const simt_position &a, const simt_position &b) {
    if (a.block != b.block) return 3;
    if (a.thread == b.thread || a.epoch != b.epoch) return 0;
    if (a.thread / warp_size != b.thread / warp_size) return 2;
    return a.warp_epoch == b.warp_epoch;
}

// An access: the number of a visit, from 1, and what else matters of it.
using Stamp = std::uint32_t;
inline constexpr Stamp stamp_none = 0;
inline constexpr Stamp stamp_changed = 1u << 31;  // others could see the value change
inline constexpr Stamp stamp_writes = 1u << 30;   // of an atomic
inline constexpr Stamp stamp_mixed = 1u << 29;    // of a write: since the last barrier of its block, not all were of one value
inline constexpr Stamp stamp_number = stamp_mixed - 1;

// Two accesses of each kind suffice: the latest, and the one of another thread that is in the way of most.
struct Cell {
    std::uint32_t generation;
    std::uint32_t bytes;  // twice the number of its four byte cells; odd while they are what counts
    Stamp writes[2], reads[2], atomics[2];
};

// Where execution was, and the place in the code that accessed memory there.
struct Visit {
    simt_position position;
    const void *site;
};

// The visits since a launch began.
class Visits {
  public:
    void clear() {
        all_.assign(1, {});
        recent_.fill(stamp_none);
        first_here_ = 1;
    }
    // Returns the number of the visit at hand.
    Stamp number(const simt_position &now, const void *site) {
        if (all_.size() == 1 || !(all_.back().position == now)) first_here_ = all_.size();
        Stamp &kept = recent_[reinterpret_cast<std::uintptr_t>(site) % recent_.size()];
        if (kept < first_here_ || all_[kept].site != site) {
            kept = Stamp(all_.size()) & stamp_number;
            all_.push_back({now, site});
        }
        return kept;
    }
    const Visit &visit(Stamp stamp) const { return all_[stamp & stamp_number]; }
    const simt_position &at(Stamp stamp) const { return visit(stamp).position; }

    void remember(Stamp (&kept)[2], Stamp stamp) const {
        const simt_position &now = at(stamp);
        const Stamp last = kept[0];
        if (last == stamp_none || same_thread(at(last), now)) {
            // What this thread changed before stays changed for threads that nothing orders with it.
            kept[0] = stamp | (last & (stamp_changed | stamp_writes));
            return;
        }
        if (weight(last, now) > weight(kept[1], now)) kept[1] = last;
        kept[0] = stamp;
    }

  private:
    std::vector<Visit> all_{1};
    std::array<Stamp, 61> recent_{};  // of the position at hand where they are not below its first
    std::size_t first_here_ = 1;

    unsigned weight(Stamp stamp, const simt_position &now) const {
        if (stamp == stamp_none) return 0;
        return 1 + 2 * conflict(at(stamp), now) + (stamp & stamp_changed ? 1 : 0);
    }
};

}  // namespace trace
