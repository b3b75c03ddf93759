// The variables at file scope that units use, as far as the build of a program names them.
#ifndef SIMT_VARIABLES_H
#define SIMT_VARIABLES_H

#include <cstddef>
#include <cstring>

namespace simt {

// The plain name in the text of a launch: "scaled" of "(&space::scaled<float, 2>)".
inline void plain_name(const char *text, char *name, std::size_t room) {
    std::size_t length = 0;
    for (; *text != '\0' && *text != '<'; ++text) {
        if (*text == ':') length = 0;
        if (std::strchr(":(&) \t\n", *text) == nullptr && length + 1 < room) name[length++] = *text;
    }
    name[length] = '\0';
}

// A variable at file scope that a kernel or function uses; a build that carves or records defines one for each.
struct CarvedVariable {
    const char *user, *name;
    unsigned char *address;
    std::size_t size;
    const CarvedVariable *next;
    static inline const CarvedVariable *first = nullptr;

    CarvedVariable(const char *who, const char *what, const volatile void *where, std::size_t bytes)
        : user(who),
          name(what),
          address(static_cast<unsigned char *>(const_cast<void *>(where))),
          size(bytes),
          next(first) {
        first = this;
    }

    static std::size_t size_of_all(const char *user) {
        std::size_t sum = 0;
        for (const CarvedVariable *row = first; row != nullptr; row = row->next)
            if (std::strcmp(row->user, user) == 0) sum += row->size;
        return sum;
    }
};

}  // namespace simt

#endif
