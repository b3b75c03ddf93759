// Calls a function and prints its arguments afterwards, in the form that the item files expect.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <type_traits>

template <class T, std::size_t N>
void print_argument(T (&values)[N]) {
    std::cout << "[ ";
    for (std::size_t i = 0; i < N; ++i) std::cout << (i ? ", " : "") << values[i];
    std::cout << " ]";
}

template <class T, std::enable_if_t<!std::is_array_v<T>, int> = 0>
void print_argument(const T &value) {
    std::cout << value;
}

template <class... Parameters, class Result, class... Arguments>
void wrapper(Result (*function)(Parameters...), Arguments &&...arguments) {
    std::cout << "Return value: ";
    if constexpr (std::is_void_v<Result>) {
        function(arguments...);
        std::cout << "void";
    } else {
        std::cout << function(arguments...);
    }
    std::cout << "\nArguments after function call: (";
    bool first = true;
    ((std::cout << (first ? "" : ", "), first = false, print_argument(arguments)), ...);
    std::cout << ")\n";
}
