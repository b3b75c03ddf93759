// What a kernel did that ends the program by a signal, said on stderr before the signal does so.
#ifndef SIMT_FAULTS_H
#define SIMT_FAULTS_H

#include <csignal>
#include <cstdint>
#include <cstdio>

#include <unistd.h>

#include "simt/fiber.h"
#include "simt/machine.h"
#include "simt/memory.h"
#include "simt/qualifiers.h"
#include "simt/shared.h"

namespace simt {

// Writes what lies at or around the address.
SIMT_QUIET inline void describe_address(char *text, std::size_t room, const unsigned char *address) {
    const Fiber &fiber = *machine.current->fiber;
    const Allocation *row = nullptr;
    if (const std::size_t index = allocations.below(address)) row = &allocations.rows[index - 1];
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    if (number == 0) {
        std::snprintf(text, room, "a null pointer");
    } else if (number >> 32 == 0) {  // no data of a program lies so low
        std::snprintf(text, room, "%zu bytes behind a null pointer", static_cast<std::size_t>(number));
    } else if (address < fiber.stack && fiber.stack - address <= static_cast<std::ptrdiff_t>(shared_arena.page)) {
        std::snprintf(text, room, "the end of its stack of %zu KiB", stack_bytes >> 10);
    } else if (address >= shared_arena.base && address < shared_arena.base + SharedArena::capacity) {
        std::snprintf(text, room, "behind a variable in shared memory");
    } else if (row != nullptr && address >= row->base + row->size && address < row->base + 2 * row->size) {
        std::snprintf(text, room, "%zu bytes behind an allocation of %zu bytes",
                      static_cast<std::size_t>(address - row->base) - row->size, row->size);
    } else {
        std::snprintf(text, room, "no memory of the device");
    }
}

SIMT_QUIET inline void on_fault(int number, siginfo_t *info, void *) {
    if (in_kernel()) {
        char where[96], text[512], refused[80] = "";
        describe_address(where, sizeof where, static_cast<const unsigned char *>(info->si_addr));
        const uint3 thread = machine.current->index;
        if (allocations.refused != 0)
            std::snprintf(refused, sizeof refused, "; an allocation of %zu bytes was refused", allocations.refused);
        const int length = std::snprintf(
            text, sizeof text,
            "simt: kernel %.120s, block (%u,%u,%u), thread (%u,%u,%u) accesses the address %p: %s%s\n", machine.kernel,
            blockIdx.x, blockIdx.y, blockIdx.z, thread.x, thread.y, thread.z, info->si_addr, where, refused);
        if (length > 0) (void)!write(STDERR_FILENO, text, static_cast<std::size_t>(length));
    }
    std::signal(number, SIG_DFL);  // the access is made again and ends the program
}

// Once for each thread of the host that launches, unless somebody else handles the signals.
SIMT_QUIET inline void watch_faults() {
    static thread_local bool watched = false;
    if (watched) return;
    watched = true;
    struct sigaction action = {};
    if (sigaction(SIGSEGV, nullptr, &action) != 0) return;
    const bool ours = (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_fault;
    if (!ours && action.sa_handler != SIG_DFL) return;
    static thread_local unsigned char alternative[16 << 10];
    stack_t stack = {};
    stack.ss_sp = alternative;
    stack.ss_size = sizeof alternative;
    if (sigaltstack(&stack, nullptr) != 0 || ours) return;
    action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

}  // namespace simt

#endif
