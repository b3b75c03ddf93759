// WRITE and PRINT: fortran::print() << a << b; writes one record, list-directed or by a format.
#pragma once

#include <complex>
#include <cstring>

#include "edit.h"
#include "expression.h"
#include "unit.h"

namespace fortran {

// One output statement. The record ends when it goes out of scope.
class Output {
  public:
    explicit Output(int unit) : unit_(unit), guard_(unit_lock()) {
        Unit &external = connected(unit);
        record_ = external.pending;
        column_ = start_ = external.column;
    }
    Output(int unit, std::string_view format) : Output(unit) { walk_ = std::make_unique<FormatWalk>(format); }
    explicit Output(CharacterView text) : guard_(unit_lock()), lines_{text} {}
    Output(CharacterView text, std::string_view format) : Output(text) { walk_ = std::make_unique<FormatWalk>(format); }
    template <class T, int Rank> explicit Output(const View<T, Rank> &texts) : guard_(unit_lock()) {
        for_each_index(texts, [&](auto... index) { lines_.push_back(texts(index...)); });
    }
    template <class T, int Rank> Output(const View<T, Rank> &texts, std::string_view format) : Output(texts) {
        walk_ = std::make_unique<FormatWalk>(format);
    }
    Output(const Output &) = delete;
    ~Output() { finish(); }

    // With "no", the next statement goes on in the same record.
    Output &advance(std::string_view how) {
        const std::string word = trim(how);
        advancing_ = !(word == "no" || word == "NO" || word == "No");
        return *this;
    }
    Output &status(int &status) {
        status = 0;
        return *this;
    }

    template <class T> Output &operator<<(const T &value) {
        if constexpr (is_array<T>)
            for_each_index(value, [&](auto... index) { put(value(index...)); });
        else
            put(value);
        return *this;
    }

  private:
    template <class T> void put(const T &value) {
        if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
            complex(value);
        else if constexpr (std::is_convertible_v<const T &, std::string_view>)
            text(value);
        else if (!walk_)
            listed(value);
        else
            formatted(value);
    }
    void blank_before(bool character) {
        if (record_.size() == start_ || !(character && last_character_)) write(" ");
        last_character_ = character;
    }
    void text(std::string_view value) {
        if (!walk_) {
            blank_before(true);
            write(value);
            return;
        }
        const Edit &edit = *next();
        if (edit.name != "A" && edit.name != "G") wrong(edit, "character");
        const int width = edit.width <= 0 ? static_cast<int>(value.size()) : edit.width;
        const auto size = static_cast<std::size_t>(width);
        if (value.size() < size) write(std::string(size - value.size(), ' '));
        write(value.substr(0, size));
    }
    template <class T> void listed(T value) {
        blank_before(false);
        if constexpr (std::is_same_v<T, bool>) {
            write(value ? "T" : "F");
        } else if constexpr (std::is_integral_v<T>) {
            constexpr int width = sizeof(T) == 1 ? 4 : sizeof(T) == 2 ? 6 : sizeof(T) == 4 ? 11 : 20;
            write(edit::integer(value, width, -1, sign_));
        } else {
            write(edit::listed(value, static_cast<int>(sizeof(T)), sign_));
        }
    }
    template <class T> void complex(const std::complex<T> &value) {
        if (walk_) {
            formatted(value.real());
            formatted(value.imag());
            return;
        }
        blank_before(false);
        constexpr int kind = static_cast<int>(sizeof(T));
        const std::string text = "(" + edit::shortest(value.real(), kind, 1, sign_) + "," + edit::shortest(value.imag(), kind, 1, sign_) + ")";
        write(edit::right(text, kind == 4 ? 35 : 53));
    }
    template <class T> void formatted(T value) {
        const Edit &edit = *next();
        const std::string &name = edit.name;
        if constexpr (std::is_same_v<T, bool>) {
            if (name != "L" && name != "G") wrong(edit, "logical");
            write(edit::right(value ? "T" : "F", edit.width > 0 ? edit.width : 1));
        } else if constexpr (std::is_integral_v<T>) {
            const auto bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
            const int width = edit.width < 0 ? (sizeof(T) == 8 ? 20 : 11) : edit.width;
            if (name == "I" || name == "G") write(edit::integer(value, width, name == "I" ? edit.digits : -1, sign_));
            else if (name == "B") write(edit::based(bits, edit.width, edit.digits, 2));
            else if (name == "O") write(edit::based(bits, edit.width, edit.digits, 8));
            else if (name == "Z") write(edit::based(bits, edit.width, edit.digits, 16));
            else wrong(edit, "integer");
        } else {
            write(real(edit, value));
        }
    }
    template <class T> std::string real(const Edit &edit, T value) {
        const std::string &name = edit.name;
        const int kind = static_cast<int>(sizeof(T));
        int width = edit.width, digits = edit.digits;
        if (name == "G" && width == 0) return edit::minimal(value, digits > 0 ? digits : kind == 4 ? 9 : 17, sign_);
        if (width < 0) width = kind == 4 ? 15 : 25, digits = kind == 4 ? 7 : 16;
        if (name == "F") return edit::fixed(value, width, digits, scale_, sign_);
        if (name == "E" || name == "D") return edit::exponential(value, width, digits, edit.exponent, scale_, name[0], sign_);
        if (name == "ES") return edit::exponential(value, width, digits, edit.exponent, 1, 'E', sign_);
        if (name == "EN") return edit::engineering(value, width, digits, edit.exponent, sign_);
        if (name == "G") return edit::general(value, width, digits, edit.exponent, scale_, sign_);
        if (name == "Z" || name == "B" || name == "O") {
            std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits;
            std::memcpy(&bits, &value, sizeof bits);
            return edit::based(bits, width, edit.digits, name == "Z" ? 16 : name == "B" ? 2 : 8);
        }
        wrong(edit, "real");
    }
    [[noreturn]] static void wrong(const Edit &edit, const char *type) {
        runtime_error(std::string("edit descriptor ") + edit.name + " for a value of type " + type);
    }

    // The descriptor of the next value; what stands before it takes effect.
    const Edit *next() {
        for (bool again = false;;) {
            const Edit *edit = walk_->next();
            if (!edit) {
                if (again) runtime_error("no data edit descriptor in the format");
                again = true;
                walk_->revert();
                new_record();
            } else if (edit->takes_data()) {
                return edit;
            } else {
                control(*edit);
            }
        }
    }
    void control(const Edit &edit) {
        const std::string &name = edit.name;
        const auto width = static_cast<std::size_t>(edit.width > 0 ? edit.width : 0);
        if (name == "'") write(edit.text);
        else if (name == "X" || name == "TR") column_ += width;
        else if (name == "T") column_ = start_ + (width > 0 ? width - 1 : 0);
        else if (name == "TL") column_ = column_ - start_ > width ? column_ - width : start_;
        else if (name == "/") new_record();
        else if (name == "P") scale_ = edit.width;
        else if (name == "SP") sign_ = edit::Sign::Plus;
        else if (name == "S" || name == "SS") sign_ = edit::Sign::Plain;
        else if (name == ":") return;
        else if (name != "BN" && name != "BZ" && name != "DP" && name != "RN") runtime_error("edit descriptor " + name + " is not known");
    }
    void write(std::string_view text) {
        if (record_.size() < column_) record_.append(column_ - record_.size(), ' ');
        const std::size_t over = std::min(text.size(), record_.size() - column_);
        record_.replace(column_, over, text);
        column_ += text.size();
    }
    void new_record() {
        if (lines_.empty()) {
            record_ += '\n';
            std::FILE *file = connected(unit_).file;
            std::fwrite(record_.data(), 1, record_.size(), file);
            connected(unit_).pending.clear();
        } else {
            keep_line();
        }
        record_.clear();
        column_ = start_ = 0;
        last_character_ = false;
    }
    void keep_line() {
        if (line_ >= lines_.size()) runtime_error("end of file: the text has no more records");
        if (record_.size() > static_cast<std::size_t>(lines_[line_].length())) runtime_error("end of record: the text is too short");
        lines_[line_++] = std::string_view(record_);
    }
    void finish() {
        if (walk_)
            for (const Edit *edit = walk_->next(); edit && !edit->takes_data() && edit->name != ":"; edit = walk_->next())
                control(*edit);
        if (!lines_.empty()) {
            keep_line();
        } else if (advancing_) {
            new_record();
            Unit &unit = connected(unit_);
            unit.column = 0;
        } else {
            Unit &unit = connected(unit_);
            static const int registered = std::atexit(finish_units);
            (void)registered;
            if (record_.size() < column_) record_.append(column_ - record_.size(), ' ');
            unit.pending = record_;
            unit.column = column_;
        }
    }

    int unit_ = 6;
    std::lock_guard<std::recursive_mutex> guard_;
    std::unique_ptr<FormatWalk> walk_;
    std::vector<CharacterView> lines_;
    std::size_t line_ = 0;
    std::string record_;
    std::size_t column_ = 0, start_ = 0;
    int scale_ = 0;
    edit::Sign sign_ = edit::Sign::Plain;
    bool advancing_ = true, last_character_ = false;
};

inline Output print() { return Output(6); }
inline Output print(std::string_view format) { return Output(6, format); }
inline Output write(int unit) { return Output(unit); }
inline Output write(int unit, std::string_view format) { return Output(unit, format); }
inline Output write(CharacterView text) { return Output(text); }
inline Output write(CharacterView text, std::string_view format) { return Output(text, format); }
template <class T, int Rank> Output write(const View<T, Rank> &texts) { return Output(texts); }
template <class T, int Rank> Output write(const View<T, Rank> &texts, std::string_view format) { return Output(texts, format); }

} // namespace fortran
