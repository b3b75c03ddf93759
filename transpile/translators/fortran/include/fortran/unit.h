// External units: files and the standard streams, by number.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "character.h"
#include "format.h"

namespace fortran {

struct Unit {
    std::FILE *file = nullptr;
    std::string name;
    std::string pending;  // What was written of the current record, where the record goes on.
    std::size_t column = 0;
    std::string record;  // The record that is being read, where reading goes on in it.
    bool within = false;
    bool scratch = false;
    bool at_end = false;
};

inline std::recursive_mutex &unit_lock() {
    static std::recursive_mutex lock;
    return lock;
}

inline std::map<int, Unit> &units() {
    static std::map<int, Unit> all = [] {
        std::map<int, Unit> standard;
        standard[0].file = stderr;
        standard[5].file = stdin;
        standard[6].file = stdout;
        return standard;
    }();
    return all;
}

// Writes out what non-advancing output has left, before a program ends.
inline void finish_units() {
    const std::lock_guard<std::recursive_mutex> guard(unit_lock());
    for (auto &[number, unit] : units()) {
        if (!unit.file || number == 5) continue;
        if (!unit.pending.empty()) std::fwrite(unit.pending.data(), 1, unit.pending.size(), unit.file);
        unit.pending.clear();
        std::fflush(unit.file);
    }
}

inline Unit &connected(int number) {
    Unit &unit = units()[number];
    if (!unit.file) {
        unit.name = "fort." + std::to_string(number);
        unit.file = std::fopen(unit.name.c_str(), "r+");
        if (!unit.file) unit.file = std::fopen(unit.name.c_str(), "w+");
        if (!unit.file) runtime_error("cannot open file '" + unit.name + "'");
    }
    return unit;
}

// How a file is opened. What is left empty has Fortran's default.
struct Open {
    std::string file, status, action, position;
    int *iostat = nullptr;
};

inline int open(int number, const Open &how) {
    const std::lock_guard<std::recursive_mutex> guard(unit_lock());
    auto lower = [](std::string text) {
        text = trim(text);
        for (char &letter : text) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        return text;
    };
    const std::string status = lower(how.status), action = lower(how.action), position = lower(how.position);
    Unit &unit = units()[number];
    if (unit.file && number != 5 && number != 6 && number != 0) std::fclose(unit.file);
    unit = Unit{};
    unit.name = trim(how.file);
    int error = 0;
    if (status == "scratch") {
        unit.file = std::tmpfile();
        unit.scratch = true;
    } else {
        if (unit.name.empty()) unit.name = "fort." + std::to_string(number);
        std::FILE *there = std::fopen(unit.name.c_str(), "r");
        if (there) std::fclose(there);
        if (status == "old" && !there) error = 2;
        else if (status == "new" && there) error = 17;
        else if (action == "read") unit.file = std::fopen(unit.name.c_str(), "r");
        else if (status == "replace" || !there) unit.file = std::fopen(unit.name.c_str(), "w+");
        else unit.file = std::fopen(unit.name.c_str(), "r+");
        if (!error && !unit.file) unit.file = std::fopen(unit.name.c_str(), "r");
        if (unit.file && position == "append") std::fseek(unit.file, 0, SEEK_END);
    }
    if (!unit.file && !error) error = 2;
    if (how.iostat) *how.iostat = error;
    else if (error) runtime_error("cannot open file '" + unit.name + "'");
    return error;
}

inline void end_record(Unit &unit) {
    if (unit.pending.empty()) return;
    unit.pending += '\n';
    std::fwrite(unit.pending.data(), 1, unit.pending.size(), unit.file);
    unit.pending.clear();
    unit.column = 0;
}

inline void close(int number, std::string_view status = "") {
    const std::lock_guard<std::recursive_mutex> guard(unit_lock());
    auto found = units().find(number);
    if (found == units().end() || !found->second.file) return;
    Unit &unit = found->second;
    end_record(unit);
    if (number != 0 && number != 5 && number != 6) std::fclose(unit.file);
    const std::string how = trim(status);
    if (how == "delete" || how == "DELETE") std::remove(unit.name.c_str());
    units().erase(found);
}

inline void rewind(int number) {
    const std::lock_guard<std::recursive_mutex> guard(unit_lock());
    Unit &unit = connected(number);
    end_record(unit);
    unit.within = unit.at_end = false;
    std::rewind(unit.file);
}

inline void flush(int number) {
    const std::lock_guard<std::recursive_mutex> guard(unit_lock());
    std::fflush(connected(number).file);
}

inline bool file_exists(std::string_view name) {
    std::FILE *file = std::fopen(trim(name).c_str(), "r");
    if (file) std::fclose(file);
    return file != nullptr;
}

inline bool is_open(int number) {
    auto found = units().find(number);
    return found != units().end() && found->second.file;
}

// A number that no unit has yet, as NEWUNIT= gives.
inline int new_unit() {
    int number = -10;
    while (units().count(number)) --number;
    return number;
}

[[noreturn]] inline void stop(int code = 0, bool quiet = true) {
    finish_units();
    if (!quiet) std::fprintf(stderr, "STOP %d\n", code);
    std::exit(code);
}
[[noreturn]] inline void stop(std::string_view message) {
    finish_units();
    std::fprintf(stderr, "STOP %.*s\n", static_cast<int>(message.size()), message.data());
    std::exit(0);
}
[[noreturn]] inline void error_stop() {
    finish_units();
    std::fprintf(stderr, "ERROR STOP\n");
    std::exit(1);
}
[[noreturn]] inline void error_stop(int code) {
    finish_units();
    std::fprintf(stderr, "ERROR STOP %d\n", code);
    std::exit(code);
}
[[noreturn]] inline void error_stop(std::string_view message) {
    finish_units();
    std::fprintf(stderr, "ERROR STOP %.*s\n", static_cast<int>(message.size()), message.data());
    std::exit(1);
}

} // namespace fortran
