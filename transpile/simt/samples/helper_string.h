// Reading of command lines by the interface that CUDA's samples have, for programs whose own copy is not there.
//
// An option is "-name", "--name" or either with "=value"; its name is compared without regard to case.
#ifndef SIMT_HELPER_STRING_H
#define SIMT_HELPER_STRING_H

#include <fstream>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(destination, length, source) strcpy(destination, source)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif

/// Return where a text goes on behind the delimiters that it begins with.
inline int stringRemoveDelimiter(char delimiter, const char *text) {
    int start = 0;
    while (text[start] == delimiter) ++start;
    return start;
}

/// Return what follows "name" in the last option of that name ("" where nothing does), or null.
inline const char *transpile_option(int count, const char **arguments, const char *name) {
    const char *found = nullptr;
    const size_t length = strlen(name);
    for (int i = 1; i < count; ++i) {
        const int start = stringRemoveDelimiter('-', arguments[i]);
        const char *text = arguments[i] + start;
        if (start == 0 || strncasecmp(text, name, length) != 0) continue;
        if (text[length] == '=') found = text + length + 1;
        else if (text[length] == '\0') found = text + length;
    }
    return found;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name) {
    return transpile_option(argc, argv, name) != nullptr;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name) {
    const char *value = transpile_option(argc, argv, name);
    return value ? atoi(value) : 0;
}

inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name) {
    const char *value = transpile_option(argc, argv, name);
    return value ? static_cast<float>(atof(value)) : 0.0f;
}

template <class T>
bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value) {
    const char *text = transpile_option(argc, argv, name);
    if (text) *value = static_cast<T>(atoi(text));
    return text != nullptr;
}

inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value) {
    const char *text = transpile_option(argc, argv, name);
    *value = const_cast<char *>(text);
    return text != nullptr;
}

inline int getFileExtension(char *name, char **extension) {
    char *dot = strrchr(name, '.');
    *extension = dot ? dot + 1 : name + strlen(name);
    return static_cast<int>(*extension - name);
}

/// Return the path of a file of data, as malloc gives it, or null: here, beside the program, or in "data".
inline char *sdkFindFilePath(const char *filename, const char *executable_path) {
    std::string beside = executable_path ? executable_path : "";
    const size_t slash = beside.rfind('/');
    beside = slash == std::string::npos ? "" : beside.substr(0, slash + 1);
    for (const std::string &folder : {std::string(), std::string("data/"), std::string("../data/"), beside, beside + "data/"}) {
        const std::string path = folder + filename;
        if (std::ifstream(path).good()) return strdup(path.c_str());
    }
    return nullptr;
}

#endif
