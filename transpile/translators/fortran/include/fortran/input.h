// READ: fortran::read(5) >> a >> b; reads list-directed or by a format.
#pragma once

#include <complex>
#include <cstring>

#include "output.h"

namespace fortran {

constexpr int end_of_file = -1, end_of_record = -2, bad_input = 5010;

// One input statement.
class Input {
  public:
    explicit Input(int unit) : unit_(unit), guard_(unit_lock()) {
        Unit &external = connected(unit);
        if (external.within) record_ = external.record, column_ = external.column, loaded_ = true;
        external.within = false;
    }
    Input(int unit, std::string_view format) : Input(unit) { walk_ = std::make_unique<FormatWalk>(format); }
    explicit Input(std::string_view text) : guard_(unit_lock()), internal_(true), lines_{std::string(text)} {}
    Input(std::string_view text, std::string_view format) : Input(text) { walk_ = std::make_unique<FormatWalk>(format); }
    Input(const Input &) = delete;
    ~Input() noexcept(false) { finish(); }

    Input &status(int &status) {
        iostat_ = &status;
        status = 0;
        return *this;
    }
    Input &advance(std::string_view how) {
        const std::string word = trim(how);
        advancing_ = !(word == "no" || word == "NO" || word == "No");
        return *this;
    }
    // Reads nothing more than the current record.
    Input &record() {
        load();
        return *this;
    }

    template <class T> Input &operator>>(T &&target) {
        if constexpr (is_array<T>)
            for_each_index(target, [&](auto... index) { get(target(index...)); });
        else
            get(target);
        return *this;
    }

  private:
    template <class T> void get(T &target) {
        if (error_ || done_) return;
        load();
        if (error_) return;
        if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
            complex(target);
        } else {
            std::string text;
            if (!(walk_ ? field(text) : item(text))) return;
            store_value(target, text);
        }
    }
    template <class T> void store_value(T &target, const std::string &text) {
        if constexpr (std::is_convertible_v<const T &, std::string_view>) {
            target = std::string_view(text);
        } else if constexpr (std::is_same_v<T, bool>) {
            const std::size_t at = text.find_first_not_of(" .");
            if (at == std::string::npos || !std::strchr("tTfF", text[at])) return fail(bad_input);
            target = text[at] == 't' || text[at] == 'T';
        } else if constexpr (std::is_integral_v<T>) {
            std::int64_t value = 0;
            if (!parse_integer(text, value)) return fail(bad_input);
            target = static_cast<T>(value);
        } else {
            double value = 0;
            if (!parse_real(text, value, sizeof(T) == 4)) return fail(bad_input);
            target = static_cast<T>(value);
        }
    }
    template <class T> void complex(std::complex<T> &target) {
        if (walk_) {
            std::string text;
            T parts[2]{};
            for (T &part : parts)
                if (field(text)) store_value(part, text);
            target = {parts[0], parts[1]};
            return;
        }
        std::string text;
        if (!item(text)) return;
        const std::size_t comma = text.find(',');
        if (text.empty() || text[0] != '(' || comma == std::string::npos) return fail(bad_input);
        T real{}, imaginary{};
        store_value(real, text.substr(1, comma - 1));
        store_value(imaginary, text.substr(comma + 1, text.size() - comma - 2));
        target = {real, imaginary};
    }
    bool parse_integer(const std::string &text, std::int64_t &value) const {
        const std::string number = trim(adjust_left(text));
        if (number.empty()) {
            value = 0;
            return walk_ != nullptr;
        }
        char *end = nullptr;
        value = std::strtoll(number.c_str(), &end, 10);
        return *end == '\0';
    }
    bool parse_real(const std::string &text, double &value, bool single) const {
        std::string number = trim(adjust_left(text));
        if (number.empty()) {
            value = 0;
            return walk_ != nullptr;
        }
        for (char &letter : number)
            if (letter == 'd' || letter == 'D' || letter == 'q' || letter == 'Q') letter = 'e';
        char *end = nullptr;
        value = single ? static_cast<double>(std::strtof(number.c_str(), &end)) : std::strtod(number.c_str(), &end);
        return *end == '\0';
    }

    // The next list-directed item; false where the value stays as it is.
    bool item(std::string &text) {
        if (repeats_ > 0) {
            --repeats_;
            text = repeated_;
            return !null_;
        }
        bool comma_allowed = !after_item_;
        for (;;) {
            while (column_ < record_.size() && std::strchr(" \t\r", record_[column_])) ++column_;
            if (column_ < record_.size()) {
                if (record_[column_] != ',') break;
                ++column_;
                if (comma_allowed) {
                    after_item_ = false;
                    return false;
                }
                comma_allowed = true;
                after_item_ = false;
                continue;
            }
            if (!next_record()) return false;
        }
        if (record_[column_] == '/') {
            done_ = true;
            return false;
        }
        after_item_ = true;
        text = word();
        const std::size_t star = text.find('*');
        if (star != std::string::npos && star > 0 && text.find_first_not_of("0123456789") == star) {
            repeats_ = std::atoi(text.c_str()) - 1;
            repeated_ = text.substr(star + 1);
            if (repeated_.empty() && column_ < record_.size() && std::strchr("'\"", record_[column_])) repeated_ = word();
            null_ = repeated_.empty();
            text = repeated_;
            return !null_;
        }
        return true;
    }
    std::string word() {
        std::string text;
        const char mark = record_[column_];
        if (mark == '\'' || mark == '"') {
            for (++column_; column_ < record_.size(); ++column_) {
                if (record_[column_] == mark) {
                    ++column_;
                    if (column_ >= record_.size() || record_[column_] != mark) break;
                }
                text += record_[column_];
            }
            return text;
        }
        const bool pair = mark == '(';
        while (column_ < record_.size()) {
            const char letter = record_[column_];
            if (pair ? letter == ')' : std::strchr(" \t\r,/", letter) != nullptr) break;
            text += letter;
            ++column_;
            if (letter == '*' && column_ < record_.size() && std::strchr("'\"", record_[column_])) break;
        }
        if (pair && column_ < record_.size()) text += record_[column_++];
        return text;
    }
    // The characters that the next descriptor takes.
    bool field(std::string &text) {
        for (bool again = false;;) {
            const Edit *edit = walk_->next();
            if (!edit) {
                if (again) runtime_error("no data edit descriptor in the format");
                again = true;
                walk_->revert();
                if (!next_record()) return false;
            } else if (edit->takes_data()) {
                const std::size_t left = column_ < record_.size() ? record_.size() - column_ : 0;
                const std::size_t width = edit->width > 0 ? static_cast<std::size_t>(edit->width) : left;
                text = column_ < record_.size() ? record_.substr(column_, width) : "";
                column_ += width;
                if (edit->name == "A") text.resize(std::max(text.size(), edit->width > 0 ? width : 0), ' ');
                else if (const auto comma = text.find(','); comma != std::string::npos) {
                    column_ = column_ - width + comma + 1;
                    text.resize(comma);
                }
                if (edit->name == "F" || edit->name[0] == 'E' || edit->name == "D" || edit->name == "G") imply_point(text, edit->digits);
                return true;
            } else {
                control(*edit);
            }
        }
    }
    static void imply_point(std::string &text, int digits) {
        if (digits <= 0 || text.find('.') != std::string::npos || text.find_first_of("eEdD") != std::string::npos) return;
        std::string number = trim(adjust_left(text));
        if (number.empty() || number.find_first_not_of("+-0123456789") != std::string::npos) return;
        text = number + "e-" + std::to_string(digits);
    }
    void control(const Edit &edit) {
        const auto width = static_cast<std::size_t>(edit.width > 0 ? edit.width : 0);
        if (edit.name == "X" || edit.name == "TR") column_ += width;
        else if (edit.name == "T") column_ = width > 0 ? width - 1 : 0;
        else if (edit.name == "TL") column_ = column_ > width ? column_ - width : 0;
        else if (edit.name == "/") next_record();
        else if (edit.name == "'") column_ += edit.text.size();
        else if (edit.name != ":" && edit.name != "BN" && edit.name != "SP" && edit.name != "S" && edit.name != "SS") runtime_error("edit descriptor " + edit.name + " is not known for input");
    }

    void load() {
        if (loaded_) return;
        next_record();
    }
    bool next_record() {
        loaded_ = true;
        column_ = 0;
        if (error_) return false;
        if (internal_) {
            if (line_ >= lines_.size()) {
                fail(end_of_file);
                return false;
            }
            record_ = lines_[line_++];
            return true;
        }
        Unit &unit = connected(unit_);
        if (unit_ == 5) std::fflush(stdout);
        record_.clear();
        int letter = std::fgetc(unit.file);
        if (letter == EOF) {
            fail(end_of_file);
            return false;
        }
        for (; letter != EOF && letter != '\n'; letter = std::fgetc(unit.file)) record_ += static_cast<char>(letter);
        std::fseek(unit.file, 0, SEEK_CUR);
        return true;
    }
    void fail(int error) { error_ = error_ ? error_ : error; }
    void finish() noexcept(false) {
        if (!error_) load();
        if (!internal_ && !advancing_ && !error_) {
            Unit &unit = connected(unit_);
            unit.within = true;
            unit.record = record_;
            unit.column = column_;
        }
        if (iostat_) *iostat_ = error_;
        else if (error_ == end_of_file) runtime_error("end of file");
        else if (error_) runtime_error("bad input");
    }

    int unit_ = 5;
    std::lock_guard<std::recursive_mutex> guard_;
    bool internal_ = false;
    std::vector<std::string> lines_;
    std::size_t line_ = 0;
    std::unique_ptr<FormatWalk> walk_;
    std::string record_, repeated_;
    std::size_t column_ = 0;
    int repeats_ = 0, error_ = 0;
    int *iostat_ = nullptr;
    bool loaded_ = false, done_ = false, advancing_ = true, after_item_ = false, null_ = false;
};

inline Input read(int unit) { return Input(unit); }
inline Input read(int unit, std::string_view format) { return Input(unit, format); }
inline Input read(std::string_view text) { return Input(text); }
inline Input read(std::string_view text, std::string_view format) { return Input(text, format); }

} // namespace fortran
