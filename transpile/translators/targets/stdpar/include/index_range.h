// Whole numbers as a range for the parallel algorithms: for (Index i = first; i < last; i += step).
//
// The iterators of std::views::iota are random access by C++20's concepts, and input iterators by C++17's
// categories, which libstdc++ goes by: it would run them on one thread.
#ifndef INDEX_RANGE_H
#define INDEX_RANGE_H

#include <compare>
#include <concepts>
#include <cstddef>
#include <iterator>

template <std::integral Index, std::ptrdiff_t step = 1>
class index_range {
public:
    class iterator;

    template <std::integral Last>
    index_range(Index first, Last last) : first_(first)
    {
        // Compared as a loop does it: what goes nowhere has no elements, and nothing wraps.
        if (step > 0 ? first < last : first > last) {
            const auto low = static_cast<std::size_t>(step > 0 ? first : last);
            const auto high = static_cast<std::size_t>(step > 0 ? last : first);
            constexpr std::size_t stride = step > 0 ? step : -step;
            size_ = static_cast<std::ptrdiff_t>((high - low - 1) / stride + 1);
        }
    }

    iterator begin() const { return iterator(first_, 0); }
    iterator end() const { return iterator(first_, size_); }

private:
    Index first_;
    std::ptrdiff_t size_ = 0;
};

template <std::integral Index, std::ptrdiff_t step>
class index_range<Index, step>::iterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Index;
    using difference_type = std::ptrdiff_t;
    using pointer = const Index *;
    using reference = Index;

    iterator() = default;
    iterator(Index first, difference_type at) : first_(first), at_(at) {}

    Index operator*() const { return (*this)[0]; }
    Index operator[](difference_type ahead) const
    {
        return static_cast<Index>(static_cast<difference_type>(first_) + step * (at_ + ahead));
    }

    iterator &operator+=(difference_type ahead)
    {
        at_ += ahead;
        return *this;
    }
    iterator &operator-=(difference_type back) { return *this += -back; }
    iterator &operator++() { return *this += 1; }
    iterator &operator--() { return *this += -1; }
    iterator operator++(int)
    {
        const iterator before = *this;
        ++*this;
        return before;
    }
    iterator operator--(int)
    {
        const iterator before = *this;
        --*this;
        return before;
    }

    friend iterator operator+(iterator from, difference_type ahead) { return from += ahead; }
    friend iterator operator+(difference_type ahead, iterator from) { return from += ahead; }
    friend iterator operator-(iterator from, difference_type back) { return from -= back; }
    friend difference_type operator-(const iterator &to, const iterator &from) { return to.at_ - from.at_; }
    friend bool operator==(const iterator &one, const iterator &other) { return one.at_ == other.at_; }
    friend auto operator<=>(const iterator &one, const iterator &other) { return one.at_ <=> other.at_; }

private:
    Index first_ = 0;
    difference_type at_ = 0;
};

#endif
