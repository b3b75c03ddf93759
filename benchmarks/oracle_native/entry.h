// A source and its port, as the runners call them.
#pragma once

struct Entry {
    void (*source)(void **, void *);
    void (*port)(void **, void *);
    bool barriers;
};
extern const Entry entries[];
