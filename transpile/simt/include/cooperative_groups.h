// Cooperative groups: grids, blocks, tiles of a warp, converged threads.
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include <type_traits>

#include "simt/simt.h"

namespace cooperative_groups {

// Lanes of one warp that work together.
class lane_group {
public:
    explicit lane_group(simt::Mask lanes) : mask_(lanes) {}

    unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(mask_)); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const {
        const unsigned lane = simt::lane_of(*simt::machine.current);
        return static_cast<unsigned>(__builtin_popcountll(mask_ & ((simt::LaneMask{1} << lane) - 1)));
    }
    SIMT_INLINE void sync() const { __syncwarp(mask_); }
    template <class T>
    SIMT_INLINE T shfl(T value, int rank) const {
        return get(value, rank >= 0 && static_cast<unsigned>(rank) < size() ? static_cast<unsigned>(rank)
                                                                            : static_cast<unsigned>(rank) % size());
    }
    template <class T>
    SIMT_INLINE T shfl_up(T value, unsigned delta) const {
        return get(value, thread_rank() >= delta ? thread_rank() - delta : thread_rank());
    }
    template <class T>
    SIMT_INLINE T shfl_down(T value, unsigned delta) const {
        return get(value, thread_rank() + delta < size() ? thread_rank() + delta : thread_rank());
    }
    template <class T>
    SIMT_INLINE T shfl_xor(T value, unsigned bits) const {
        return get(value, (thread_rank() ^ bits) < size() ? thread_rank() ^ bits : thread_rank());
    }
    SIMT_INLINE int any(int predicate) const { return __any_sync(mask_, predicate); }
    SIMT_INLINE int all(int predicate) const { return __all_sync(mask_, predicate); }
    SIMT_INLINE simt::Mask ballot(int predicate) const { return ranks(__ballot_sync(mask_, predicate)); }
    template <class T>
    SIMT_INLINE simt::Mask match_any(T value) const {
        return ranks(__match_any_sync(mask_, value));
    }
    template <class T>
    SIMT_INLINE simt::Mask match_all(T value, int &predicate) const {
        return ranks(__match_all_sync(mask_, value, &predicate));
    }

private:
    simt::Mask mask_;

    unsigned lane(unsigned rank) const {
        simt::Mask left = mask_;
        for (; rank > 0; --rank) left &= left - 1;
        return static_cast<unsigned>(__builtin_ctzll(left));
    }

    // Of a mask of lanes, the mask of their ranks in the group.
    simt::Mask ranks(simt::Mask lanes) const {
        simt::Mask result = 0;
        for (unsigned rank = 0; rank < size(); ++rank) result |= (lanes >> lane(rank) & 1) << rank;
        return result;
    }

    // Values of any size go word by word.
    template <class T>
    T get(T value, unsigned rank) const {
        static_assert(simt::plain<T>, "shuffles take trivially copyable values");
        unsigned words[(sizeof(T) + 3) / 4] = {};
        std::memcpy(words, &value, sizeof value);
        for (unsigned &word : words) word = __shfl_sync(mask_, word, static_cast<int>(lane(rank)));
        std::memcpy(static_cast<void *>(&value), words, sizeof value);
        return value;
    }
};

class thread_block {
public:
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static void sync() { __syncthreads(); }
};
inline thread_block this_thread_block() { return {}; }

class grid_group {
public:
    static unsigned long long size() { return num_blocks() * thread_block::size(); }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static bool is_valid() { return simt::machine.cooperative; }
    static void sync() { simt::grid_barrier(); }
};
inline grid_group this_grid() { return {}; }

using coalesced_group = lane_group;
SIMT_INLINE coalesced_group coalesced_threads(unsigned line = __builtin_LINE()) {
    return coalesced_group(__activemask(line));
}

template <unsigned Size, class Parent = void>
class thread_block_tile : public lane_group {
    static_assert(Size >= 1 && Size <= simt::most_lanes && (Size & (Size - 1)) == 0,
                  "tiles larger than a warp are not supported");

public:
    thread_block_tile()
        : lane_group(static_cast<simt::Mask>(((Size == 64 ? 0 : simt::LaneMask{1} << (Size & 63)) - 1)
                                             << (simt::lane_of(*simt::machine.current) & ~(Size - 1)))) {
        if (Size > simt::warp_size) simt::fail("a tile of %u lanes in a warp of %u", Size, simt::warp_size);
        // A tile's own parent is a tile or the block.
        using Whole = std::conditional_t<std::is_base_of_v<lane_group, Parent>, Parent, thread_block>;
        rank_ = static_cast<unsigned>(Whole::thread_rank()) / Size;
        count_ = (static_cast<unsigned>(Whole::size()) + Size - 1) / Size;
    }
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other)
        : lane_group(other), rank_(other.meta_group_rank()), count_(other.meta_group_size()) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return simt::lane_of(*simt::machine.current) & (Size - 1); }
    unsigned meta_group_rank() const { return rank_; }
    unsigned meta_group_size() const { return count_; }

private:
    unsigned rank_, count_;
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}
// A block, or lanes of a warp: which of them is known only when it runs.
class thread_group {
public:
    thread_group(const thread_block &) {}
    thread_group(const lane_group &lanes) : block_(false), lanes_(lanes) {}
    unsigned long long size() const { return block_ ? thread_block::size() : lanes_.size(); }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        return block_ ? thread_block::thread_rank() : lanes_.thread_rank();
    }
    SIMT_INLINE void sync() const {
        if (block_)
            __syncthreads();
        else
            lanes_.sync();
    }

private:
    bool block_ = true;
    lane_group lanes_{0};
};

// Consecutive threads of a group that is itself a block or a tile.
inline lane_group tiled_partition(const thread_group &parent, unsigned size) {
    if (size < 1 || size > simt::warp_size || size > parent.size() || (size & (size - 1)) != 0)
        simt::fail("tiled_partition of %u threads", size);
    const unsigned first = simt::lane_of(*simt::machine.current) & ~(size - 1);
    return lane_group(
        static_cast<simt::Mask>((size == 64 ? ~simt::LaneMask{0} : (simt::LaneMask{1} << size) - 1) << first));
}

template <class Group>
SIMT_INLINE void sync(const Group &group) {
    group.sync();
}

}  // namespace cooperative_groups

#endif
