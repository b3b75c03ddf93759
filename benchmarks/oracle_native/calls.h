// A file of calls, as benchmarks/oracle.py writes it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace oracle {
struct Argument {
    std::uint8_t array, leaf;
    std::uint64_t size;
    std::vector<char> data;
    char *place;
};
struct Call {
    std::uint32_t function, seed, flags;
    std::uint8_t returned;
    std::vector<Argument> arguments;
};

template <class T>
T take(std::FILE *file) {
    T value;
    if (std::fread(&value, sizeof value, 1, file) != 1) std::exit(5);
    return value;
}

inline Call take_call(std::FILE *file) {
    Call call;
    call.function = take<std::uint32_t>(file);
    call.seed = take<std::uint32_t>(file);
    call.flags = take<std::uint32_t>(file);
    call.returned = take<std::uint8_t>(file);
    call.arguments.resize(take<std::uint32_t>(file));
    for (Argument &one : call.arguments) {
        one.array = take<std::uint8_t>(file);
        one.leaf = take<std::uint8_t>(file);
        one.size = take<std::uint64_t>(file);
        one.data.resize(one.size + 16);
        if (one.size && std::fread(one.data.data(), one.size, 1, file) != 1) std::exit(5);
    }
    return call;
}
}  // namespace oracle
