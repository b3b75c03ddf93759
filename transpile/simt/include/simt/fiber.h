// Fibers: stacks of their own, and a switch between them that costs a few nanoseconds.
//
// The switch saves what the ABI says a callee keeps, and not the floating-point status, so that flags
// raised in any fiber stay raised. Elsewhere than on x86-64 and aarch64 it is ucontext's.
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

#include "simt/fail.h"
#include "simt/qualifiers.h"

#if defined(__x86_64__) && !defined(SIMT_UCONTEXT)
#define SIMT_FIBER_ASSEMBLY 1
asm(R"(
.pushsection .text.simt_fiber_switch,"axG",@progbits,simt_fiber_switch,comdat
.weak simt_fiber_switch
.hidden simt_fiber_switch
.type simt_fiber_switch,@function
simt_fiber_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simt_fiber_switch, .-simt_fiber_switch
.popsection
)");
#elif defined(__aarch64__) && !defined(SIMT_UCONTEXT)
#define SIMT_FIBER_ASSEMBLY 1
asm(R"(
.pushsection .text.simt_fiber_switch,"axG",@progbits,simt_fiber_switch,comdat
.weak simt_fiber_switch
.hidden simt_fiber_switch
.type simt_fiber_switch,@function
simt_fiber_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size simt_fiber_switch, .-simt_fiber_switch
.popsection
)");
#else
#include <ucontext.h>
#endif

#ifdef SIMT_FIBER_ASSEMBLY
extern "C" __attribute__((visibility("hidden"))) void simt_fiber_switch(void **from, void *to);
#endif

#ifdef SIMT_ADDRESS_SANITIZER
extern "C" void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
extern "C" void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
extern "C" void __asan_unpoison_memory_region(const volatile void *address, size_t size);
#endif

namespace simt {

// Room for the 512 KiB of local memory that CUDA has for a thread, and for calls; only what is touched costs memory.
inline constexpr std::size_t stack_bytes = std::size_t{5} << 17;

// A stack with the place where its execution stands. The one of the host has no stack of its own.
struct Fiber {
#ifdef SIMT_FIBER_ASSEMBLY
    void *position = nullptr;
#else
    ucontext_t position = {};
#endif
    unsigned char *stack = nullptr;
    std::size_t size = 0;
    void *fake_stack = nullptr;
    Fiber *next_free = nullptr;
};

SIMT_QUIET inline void allocate_stack(Fiber &fiber) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void *memory =
        mmap(nullptr, stack_bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) fail("out of memory for the stack of a thread");
    mprotect(memory, page, PROT_NONE);
    fiber.stack = static_cast<unsigned char *>(memory) + page;
    fiber.size = stack_bytes;
}

// Makes the fiber begin at `entry`, which never returns. `number` staggers the tops of the stacks: tops at
// equal distances of a power of two would share the same few cache sets.
SIMT_QUIET inline void prepare(Fiber &fiber, void (*entry)(), unsigned number) {
    if (fiber.stack == nullptr) allocate_stack(fiber);
    const std::size_t stagger = (number % 61) * 320;
#ifdef SIMT_ADDRESS_SANITIZER
    __asan_unpoison_memory_region(fiber.stack, fiber.size);
    fiber.fake_stack = nullptr;
#endif
#if defined(SIMT_FIBER_ASSEMBLY)
    auto **top = reinterpret_cast<void **>(fiber.stack + fiber.size - stagger);
#if defined(__x86_64__)
    *--top = nullptr;  // the return address that `entry` believes to have
    *--top = reinterpret_cast<void *>(entry);
    for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
#else
    for (int saved = 0; saved < 20; ++saved) *--top = nullptr;
    top[11] = reinterpret_cast<void *>(entry);  // x30
#endif
    fiber.position = top;
#else
    getcontext(&fiber.position);
    fiber.position.uc_stack.ss_sp = fiber.stack;
    fiber.position.uc_stack.ss_size = fiber.size - stagger;
    fiber.position.uc_link = nullptr;
    makecontext(&fiber.position, entry, 0);
#endif
}

#ifdef SIMT_ADDRESS_SANITIZER
inline Fiber *switched_from = nullptr;
#endif

// To be called first thing where a switch arrives. AddressSanitizer wants the bounds of every stack and
// tells those of the host's only here.
SIMT_QUIET inline void arrive([[maybe_unused]] Fiber &here) {
#ifdef SIMT_ADDRESS_SANITIZER
    const void *bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(here.fake_stack, &bottom, &size);
    if (switched_from->stack == nullptr) {
        switched_from->stack = static_cast<unsigned char *>(const_cast<void *>(bottom));
        switched_from->size = size;
    }
#endif
}

// Saves the caller in `from` and goes on in `to`; returns when something switches back.
SIMT_QUIET inline void switch_fiber(Fiber &from, Fiber &to) {
#ifdef SIMT_ADDRESS_SANITIZER
    switched_from = &from;
    __sanitizer_start_switch_fiber(&from.fake_stack, to.stack, to.size);
#endif
#ifdef SIMT_FIBER_ASSEMBLY
    simt_fiber_switch(&from.position, to.position);
#else
    swapcontext(&from.position, &to.position);
#endif
    arrive(from);
}

}  // namespace simt

#endif
