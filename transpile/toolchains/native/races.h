// The list of races that a call showed.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "cells.h"

namespace trace {

struct Race {
    std::int64_t argument, offset;
    bool reads;  // one of the two accesses does
    Visit first, second;
    bool same_value;
};

// One entry for each place and kind. Those that change nothing must not displace those that do.
class Races {
  public:
    void clear() {
        list_.clear();
        known_.clear();
        harmless_ = 0;
    }
    void add(const void *region, const Race &race) {
        const auto key = std::make_tuple(region, race.offset, race.reads);
        const auto found = known_.find(key);
        if (found != known_.end()) {
            Race &kept = list_[found->second];
            if (kept.same_value && !race.same_value) kept = race;
            return;
        }
        if (race.same_value ? harmless_ == most / 2 : list_.size() - harmless_ == most / 2) return;
        harmless_ += race.same_value;
        known_[key] = list_.size();
        list_.push_back(race);
    }
    const std::vector<Race> &list() const { return list_; }

  private:
    static constexpr std::size_t most = 64;
    std::vector<Race> list_;
    std::map<std::tuple<const void *, std::int64_t, bool>, std::size_t> known_;
    std::size_t harmless_ = 0;
};

}  // namespace trace
