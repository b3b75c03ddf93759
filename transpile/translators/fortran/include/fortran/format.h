// Format specifications: parsed once, then walked item by item.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace fortran {

[[noreturn]] inline void runtime_error(const std::string &message) {
    std::fflush(stdout);
    std::fprintf(stderr, "Fortran runtime error: %s\n", message.c_str());
    std::exit(2);
}

// One edit descriptor, or a group of them.
struct Edit {
    std::string name;
    int repeat = 1;
    int width = -1, digits = -1, exponent = -1;
    std::string text;
    std::vector<Edit> items;

    bool takes_data() const { return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) && items.empty() && name.find_first_of("XTPSR") != 0 && name != "BN" && name != "BZ" && name != "DC" && name != "DP" && name != "TL" && name != "TR"; }
};

class FormatParser {
  public:
    explicit FormatParser(std::string_view text) : text_(text) {}
    std::vector<Edit> parse() {
        skip();
        if (peek() != '(') fail();
        ++at_;
        return group();
    }

  private:
    static constexpr int unlimited = 1 << 30;
    [[noreturn]] void fail() const { runtime_error("bad format '" + std::string(text_) + "'"); }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    char peek() {
        skip();
        return at_ < text_.size() ? static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_]))) : '\0';
    }
    int number(int otherwise) {
        if (!std::isdigit(static_cast<unsigned char>(peek()))) return otherwise;
        int value = 0;
        while (std::isdigit(static_cast<unsigned char>(peek()))) value = value * 10 + (text_[at_++] - '0');
        return value;
    }
    std::vector<Edit> group() {
        std::vector<Edit> items;
        for (;;) {
            const char mark = peek();
            if (mark == '\0') fail();
            if (mark == ')') {
                ++at_;
                return items;
            }
            if (mark == ',') {
                ++at_;
                continue;
            }
            items.push_back(item());
        }
    }
    Edit item() {
        Edit edit;
        bool negative = false;
        if (peek() == '*') {
            ++at_;
            edit.repeat = unlimited;
        } else if (peek() == '-' || peek() == '+') {
            negative = peek() == '-';
            ++at_;
            edit.repeat = number(0);
        } else {
            edit.repeat = number(-1);
        }
        const int count = edit.repeat;
        if (edit.repeat < 0) edit.repeat = 1;
        const char mark = peek();
        if (mark == '(') {
            ++at_;
            edit.name = "(";
            edit.items = group();
            return edit;
        }
        if (mark == '\'' || mark == '"') return quoted(text_[at_]);
        if (mark == '/' || mark == ':') {
            ++at_;
            edit.name = mark;
            return edit;
        }
        if (mark == 'P') {
            ++at_;
            edit.name = "P";
            edit.width = negative ? -edit.repeat : edit.repeat;
            edit.repeat = 1;
            return edit;
        }
        if (mark == 'X') {
            ++at_;
            edit.name = "X";
            edit.width = edit.repeat;
            edit.repeat = 1;
            return edit;
        }
        if (mark == 'H') {
            ++at_;
            edit.name = "'";
            edit.text = std::string(text_.substr(at_, static_cast<std::size_t>(count)));
            at_ += static_cast<std::size_t>(count);
            edit.repeat = 1;
            return edit;
        }
        return descriptor(edit);
    }
    Edit quoted(char mark) {
        Edit edit;
        edit.name = "'";
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == mark) {
                ++at_;
                if (at_ >= text_.size() || text_[at_] != mark) return edit;
            }
            edit.text += text_[at_];
        }
        fail();
    }
    Edit descriptor(Edit edit) {
        edit.name = std::string(1, peek());
        ++at_;
        const char second = peek();
        static const std::string pairs[] = {"EN", "ES", "EX", "TL", "TR", "SP", "SS", "BN", "BZ", "DC", "DP", "RN", "RU", "RD", "RZ"};
        for (const std::string &pair : pairs)
            if (pair[0] == edit.name[0] && pair[1] == second) {
                edit.name = pair;
                ++at_;
                break;
            }
        if (std::string("IFEDGALBOZTS").find(edit.name[0]) == std::string::npos && edit.name.size() == 1) fail();
        edit.width = number(-1);
        if (peek() == '.') {
            ++at_;
            edit.digits = number(0);
        }
        if (peek() == 'E' && edit.digits >= 0 && edit.name != "A") {
            ++at_;
            edit.exponent = number(-1);
        }
        return edit;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// Walks a format: yields its descriptors in order, and goes back to the last group when data is left.
class FormatWalk {
  public:
    explicit FormatWalk(std::string_view text) : items_(FormatParser(text).parse()) { stack_.push_back({&items_, 0, 0, 1}); }

    // The next descriptor, or null at the end of the format.
    const Edit *next() {
        for (;;) {
            Frame &frame = stack_.back();
            if (frame.index == frame.items->size()) {
                if (--frame.left > 0) {
                    frame.index = 0;
                } else if (stack_.size() == 1) {
                    return nullptr;
                } else {
                    stack_.pop_back();
                }
                continue;
            }
            const Edit &edit = (*frame.items)[frame.index];
            if (edit.name == "(") {
                ++frame.index;
                if (edit.repeat > 0 && !edit.items.empty()) stack_.push_back({&edit.items, 0, 0, edit.repeat});
            } else if (frame.used < edit.repeat) {
                ++frame.used;
                if (edit.takes_data()) data_seen_ = true;
                return &edit;
            } else {
                frame.used = 0;
                ++frame.index;
            }
        }
    }
    void revert() {
        if (!data_seen_) runtime_error("no data edit descriptor left in the format");
        data_seen_ = false;
        std::size_t start = 0;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (items_[i].name == "(") start = i;
        stack_.clear();
        stack_.push_back({&items_, start, 0, 1});
    }

  private:
    struct Frame {
        const std::vector<Edit> *items;
        std::size_t index;
        int used;
        int left;
    };
    std::vector<Edit> items_;
    std::vector<Frame> stack_;
    bool data_seen_ = false;
};

} // namespace fortran
