// Character variables of fixed length: assignment pads with blanks or cuts off, comparison pads.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "array.h"

namespace fortran {

inline void store(char *target, std::size_t length, std::string_view value) {
    const std::size_t count = std::min(length, value.size());
    std::memmove(target, value.data(), count);
    std::memset(target + count, ' ', length - count);
}

// Characters that lie elsewhere and may be changed. Assigning to one changes them.
class CharacterView {
  public:
    CharacterView(char *data, int length) : data_(data), length_(length > 0 ? length : 0) {}
    CharacterView(const CharacterView &) = default;
    CharacterView &operator=(const CharacterView &other) { return *this = std::string_view(other); }
    template <class X, class = std::enable_if_t<std::is_convertible_v<const X &, std::string_view>>>
    CharacterView &operator=(const X &value) {
        store(data_, static_cast<std::size_t>(length_), std::string_view(value));
        return *this;
    }
    operator std::string_view() const { return {data_, static_cast<std::size_t>(length_)}; }
    int length() const { return length_; }
    char *data() const { return data_; }
    CharacterView substring(int first, int last) const { return {data_ + first - 1, last - first + 1}; }
    // The first characters, where a dummy argument is declared shorter than the actual one.
    CharacterView first(int length) const { return {data_, length}; }

  private:
    char *data_;
    int length_;
};

template <int Length> class Character {
  public:
    Character() { std::memset(data_, ' ', sizeof data_); }
    Character(std::string_view value) { store(data_, Length, value); }
    Character(const char *value) : Character(std::string_view(value)) {}
    Character(const std::string &value) : Character(std::string_view(value)) {}
    Character(const CharacterView &value) : Character(std::string_view(value)) {}
    template <int Other> explicit Character(const Character<Other> &value) : Character(std::string_view(value)) {}
    Character(const Character &) = default;
    Character &operator=(const Character &) = default;
    template <class X, class = std::enable_if_t<std::is_convertible_v<const X &, std::string_view>>>
    Character &operator=(const X &value) {
        store(data_, Length, std::string_view(value));
        return *this;
    }
    operator std::string_view() const { return {data_, Length}; }
    operator CharacterView() { return {data_, Length}; }
    static constexpr int length() { return Length; }
    char *data() { return data_; }
    const char *data() const { return data_; }
    CharacterView substring(int first, int last) { return {data_ + first - 1, last - first + 1}; }
    std::string_view substring(int first, int last) const {
        return {data_ + first - 1, static_cast<std::size_t>(last >= first ? last - first + 1 : 0)};
    }

  private:
    char data_[Length > 0 ? Length : 1];
};

// Characters of which there are as many as was said when the variable came to be; allocatable ones take the
// length of what is assigned to them by `assign`.
class String {
  public:
    String() = default;
    explicit String(int length) : data_(static_cast<std::size_t>(length > 0 ? length : 0), ' '), allocated_(true) {}
    String &operator=(std::string_view value) {
        const std::string copy(value);
        store(data_.data(), data_.size(), copy);
        return *this;
    }
    void assign(std::string_view value) {
        data_ = std::string(value);
        allocated_ = true;
    }
    void allocate(int length) {
        data_.assign(static_cast<std::size_t>(length > 0 ? length : 0), ' ');
        allocated_ = true;
    }
    void deallocate() {
        data_.clear();
        allocated_ = false;
    }
    bool allocated() const { return allocated_; }
    operator std::string_view() const { return data_; }
    operator CharacterView() { return {data_.data(), length()}; }
    int length() const { return static_cast<int>(data_.size()); }
    CharacterView substring(int first, int last) { return {data_.data() + first - 1, last - first + 1}; }
    std::string_view substring(int first, int last) const {
        return {data_.data() + first - 1, static_cast<std::size_t>(last >= first ? last - first + 1 : 0)};
    }

  private:
    std::string data_;
    bool allocated_ = false;
};

// A value where a variable must stand: what is written to it is lost.
class Scratch {
  public:
    explicit Scratch(std::string_view value) : data_(value) {}
    operator CharacterView() { return {data_.data(), static_cast<int>(data_.size())}; }

  private:
    std::string data_;
};

// An optional argument that is a text.
class OptionalText : public std::string_view {
  public:
    OptionalText() = default;
    template <class X, class = std::enable_if_t<std::is_convertible_v<const X &, std::string_view>>>
    OptionalText(const X &text) : std::string_view(text), present_(true) {}
    OptionalText(const OptionalText &) = default;
    OptionalText &operator=(const OptionalText &) = default;
    bool present() const { return present_; }
    // As much of it as a dummy argument of this length sees.
    OptionalText first(int length) const {
        if (!present_) return {};
        return std::string_view(*this).substr(0, static_cast<std::size_t>(length > 0 ? length : 0));
    }

  private:
    bool present_ = false;
};

inline std::string_view substring(std::string_view text, int first, int last) {
    return text.substr(static_cast<std::size_t>(first - 1), static_cast<std::size_t>(last >= first ? last - first + 1 : 0));
}

inline std::string concatenate(std::string_view a, std::string_view b) {
    std::string result(a);
    result += b;
    return result;
}

// Below zero, zero or above zero, as the first text is less than, equal to or greater than the second.
inline int compare(std::string_view a, std::string_view b) {
    const std::size_t most = std::max(a.size(), b.size());
    for (std::size_t i = 0; i < most; ++i) {
        const auto left = static_cast<unsigned char>(i < a.size() ? a[i] : ' ');
        const auto right = static_cast<unsigned char>(i < b.size() ? b[i] : ' ');
        if (left != right) return left < right ? -1 : 1;
    }
    return 0;
}

inline int length_trimmed(std::string_view text) { return static_cast<int>(text.find_last_not_of(' ') + 1); }
inline std::string trim(std::string_view text) {
    return std::string(text.substr(0, static_cast<std::size_t>(length_trimmed(text))));
}
inline std::string adjust_left(std::string_view text) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    return std::string(text.substr(blanks)) + std::string(blanks, ' ');
}
inline std::string adjust_right(std::string_view text) {
    const auto kept = static_cast<std::size_t>(length_trimmed(text));
    return std::string(text.size() - kept, ' ') + std::string(text.substr(0, kept));
}
inline std::string repeat(std::string_view text, int copies) {
    std::string result;
    for (int i = 0; i < copies; ++i) result += text;
    return result;
}
inline int index(std::string_view text, std::string_view part, bool back = false) {
    return static_cast<int>((back ? text.rfind(part) : text.find(part)) + 1);
}
inline int scan(std::string_view text, std::string_view set, bool back = false) {
    return static_cast<int>((back ? text.find_last_of(set) : text.find_first_of(set)) + 1);
}
inline int verify(std::string_view text, std::string_view set, bool back = false) {
    return static_cast<int>((back ? text.find_last_not_of(set) : text.find_first_not_of(set)) + 1);
}
inline int code(std::string_view text) { return static_cast<unsigned char>(text[0]); }
inline std::string character(int code) { return std::string(1, static_cast<char>(code)); }
inline int length(std::string_view text) { return static_cast<int>(text.size()); }

// What a reference to a character variable of the given length sees.
template <int Length> CharacterView view(Character<Length> &text) { return text; }

} // namespace fortran
