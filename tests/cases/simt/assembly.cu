// run: => exit 0
// run: SIMT_SEED=5 => exit 0
#include "expect.h"

#include <cmath>

// What inline PTX does, against loops over bits in plain C++.

#define SAME(got, expected)                                                                         \
    do {                                                                                            \
        if ((got) != (expected)) {                                                                  \
            ++*wrong;                                                                               \
            printf("%d: %llx instead of %llx\n", __LINE__, (unsigned long long)(got),               \
                   (unsigned long long)(expected));                                                 \
        }                                                                                           \
    } while (false)

typedef unsigned long long Wide;

__host__ __device__ unsigned value(int i) {
    const unsigned edges[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, 256, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x00FF8001, 0xAAAAAAAA};
    const int count = sizeof edges / sizeof *edges;
    return i < count ? edges[i] : (i * 2654435761u) ^ (i * 40503u << 11);
}
__host__ __device__ Wide wide_value(int i) { return (Wide)value(i) << 32 | value(i * 7 % 40 + 3); }
constexpr int values = 40;

__host__ __device__ Wide field(Wide a, unsigned position, unsigned length, int width, bool with_sign) {
    position &= 255, length &= 255;
    const unsigned top = position + length - 1 < (unsigned)width ? position + length - 1 : width - 1;
    const Wide sign = with_sign && length != 0 ? a >> top & 1 : 0;
    Wide result = 0;
    for (unsigned i = 0; i < (unsigned)width; ++i) {
        const bool inside = i < length && position + i < (unsigned)width;
        result |= (inside ? a >> (position + i) & 1 : sign) << i;
    }
    return result;
}
__host__ __device__ unsigned inserted(unsigned a, unsigned b, unsigned position, unsigned length) {
    position &= 255, length &= 255;
    for (unsigned i = 0; i < length && position + i < 32; ++i)
        b = (b & ~(1u << (position + i))) | (a >> i & 1) << (position + i);
    return b;
}
__host__ __device__ unsigned first_bit(Wide a, int width, bool with_sign) {
    const Wide sign = with_sign ? a >> (width - 1) & 1 : 0;
    for (int i = width - 1; i >= 0; --i)
        if ((a >> i & 1) != sign) return i;
    return ~0u;
}
__host__ __device__ unsigned permuted(unsigned a, unsigned b, unsigned selector) {
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned nibble = selector >> (4 * i) & 15;
        const unsigned byte = (nibble & 4 ? b : a) >> (8 * (nibble & 3)) & 255;
        result |= (nibble & 8 ? (byte >= 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return result;
}
__host__ __device__ unsigned looked_up(unsigned a, unsigned b, unsigned c, unsigned table) {
    unsigned result = 0;
    for (int i = 0; i < 32; ++i) result |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    return result;
}

__global__ void bits(int *wrong) {
    for (int i = 0; i < values; ++i) {
        const unsigned a = value(i);
        const Wide w = wide_value(i);
        unsigned r;
        Wide l;
        asm("brev.b32 %0, %1;" : "=r"(r) : "r"(a));
        unsigned reversed = 0, ones = 0;
        for (int bit = 0; bit < 32; ++bit) reversed |= (a >> bit & 1) << (31 - bit), ones += a >> bit & 1;
        SAME(r, reversed);
        asm("popc.b32 %0, %1;" : "=r"(r) : "r"(a));
        SAME(r, ones);
        Wide wide_reversed = 0;
        ones = 0;
        for (int bit = 0; bit < 64; ++bit) wide_reversed |= (w >> bit & 1) << (63 - bit), ones += w >> bit & 1;
        asm("brev.b64 %0, %1;" : "=l"(l) : "l"(w));
        SAME(l, wide_reversed);
        asm("popc.b64 %0, %1;" : "=r"(r) : "l"(w));
        SAME(r, ones);
        asm("clz.b32 %0, %1;" : "=r"(r) : "r"(a));
        SAME(r, 31 - first_bit(a, 32, false));
        asm("clz.b64 %0, %1;" : "=r"(r) : "l"(w));
        SAME(r, 63 - first_bit(w, 64, false));
        asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a));
        SAME(r, first_bit(a, 32, false));
        asm("bfind.s32 %0, %1;" : "=r"(r) : "r"((int)a));
        SAME(r, first_bit(a, 32, true));
        asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(w));
        SAME(r, first_bit(w, 64, false));
        asm("bfind.s64 %0, %1;" : "=r"(r) : "l"(w));
        SAME(r, first_bit(w, 64, true));
        asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a));
        SAME(r, first_bit(a, 32, false) == ~0u ? ~0u : 31 - first_bit(a, 32, false));
        asm("not.b32 %0, %1;" : "=r"(r) : "r"(a));
        SAME(r, ~a);
        for (int j = 0; j < values; ++j) {
            const unsigned b = value(j), c = value((i * 3 + j * 5) % values), d = value((i + j * 11) % values);
            asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)field(a, b, c, 32, false));
            asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)field(a, b, c, 32, true));
            asm("bfe.u64 %0, %1, %2, %3;" : "=l"(l) : "l"(w), "r"(b), "r"(c));
#ifdef ON_DEVICE  // The documentation takes 8 bits of both numbers. An H100 takes all of them.
            if (b < 256 && c < 256)
#endif
                SAME(l, field(w, b, c, 64, false));
            for (unsigned length = 0; length < 35; ++length) {
                asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(j), "r"(length));
                SAME(r, (unsigned)field(a, j, length, 32, true));
                asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(j), "r"(length));
                SAME(r, (unsigned)field(a, j, length, 32, false));
                asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(j), "r"(length));
                SAME(r, inserted(a, b, j, length));
            }
            asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d));
            SAME(r, inserted(a, b, c, d));
            asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, permuted(a, b, c));
            asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, permuted(a, b, 0x5410));
            asm("prmt.b32 %0, %1, %2, 0xba98;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, permuted(a, b, 0xBA98));
            const Wide pair = (Wide)b << 32 | a;
            asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)(pair << (c % 32) >> 32));
            asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)(pair >> (c % 32)));
            asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)(pair << (c < 32 ? c : 32) >> 32));
            asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)(pair >> (c < 32 ? c : 32)));
            asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, b < 32 ? a << b : 0);
            asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, b < 32 ? a >> b : 0);
            asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, (unsigned)((int)a >> (b < 32 ? b : 31)));
            asm("shl.b64 %0, %1, %2;" : "=l"(l) : "l"(w), "r"(b));
            SAME(l, b < 64 ? w << b : 0);
            asm("shr.u64 %0, %1, %2;" : "=l"(l) : "l"(w), "r"(b));
            SAME(l, b < 64 ? w >> b : 0);
            asm("shr.s64 %0, %1, %2;" : "=l"(l) : "l"(w), "r"(b));
            SAME(l, (Wide)((long long)w >> (b < 64 ? b : 63)));
            asm("lop3.b32 %0, %1, %2, %3, 0x00;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x00));
            asm("lop3.b32 %0, %1, %2, %3, 0x01;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x01));
            asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x1b));
            asm("lop3.b32 %0, %1, %2, %3, 0x2d;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x2d));
            asm("lop3.b32 %0, %1, %2, %3, 0x3c;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x3c));
            asm("lop3.b32 %0, %1, %2, %3, 0x47;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x47));
            asm("lop3.b32 %0, %1, %2, %3, 0x58;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x58));
            asm("lop3.b32 %0, %1, %2, %3, 0x69;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x69));
            asm("lop3.b32 %0, %1, %2, %3, 0x7a;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x7a));
            asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x80));
            asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0x96));
            asm("lop3.b32 %0, %1, %2, %3, 0xb2;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xb2));
            asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xca));
            asm("lop3.b32 %0, %1, %2, %3, 0xd4;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xd4));
            asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xe8));
            asm("lop3.b32 %0, %1, %2, %3, 0xf0;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xf0));
            asm("lop3.b32 %0, %1, %2, %3, 0xfe;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xfe));
            asm("lop3.b32 %0, %1, %2, %3, 0xff;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, looked_up(a, b, c, 0xff));
        }
    }
}

__global__ void arithmetic(int *wrong) {
    for (int i = 0; i < values; ++i) {
        for (int j = 0; j < values; ++j) {
            const unsigned a = value(i), b = value(j), c = value((i + 3 * j) % values);
            const int sa = a, sb = b;
            const Wide la = wide_value(i), lb = wide_value(j), lc = wide_value((i + j) % values);
            unsigned r;
            Wide l;
            int s;
            asm("add.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, a + b);
            asm("sub.s32 %0, %1, %2;" : "=r"(s) : "r"(sa), "r"(sb));
            SAME((unsigned)s, a - b);
            asm("mul.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, (unsigned)((Wide)a * b));
            asm("mul.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, (unsigned)((Wide)a * b >> 32));
            asm("mul.hi.s32 %0, %1, %2;" : "=r"(s) : "r"(sa), "r"(sb));
            SAME(s, (int)((long long)sa * sb >> 32));
            asm("mul.wide.u32 %0, %1, %2;" : "=l"(l) : "r"(a), "r"(b));
            SAME(l, (Wide)a * b);
            asm("mul.wide.s32 %0, %1, %2;" : "=l"(l) : "r"(sa), "r"(sb));
            SAME(l, (Wide)((long long)sa * sb));
            asm("mul.wide.u16 %0, %1, %2;" : "=r"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
            SAME(r, (a & 0xFFFF) * (b & 0xFFFF));
            asm("mul.wide.s16 %0, %1, %2;" : "=r"(s) : "h"((short)a), "h"((short)b));
            SAME(s, (short)a * (short)b);
            asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)((Wide)a * b) + c);
            asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)((Wide)a * b >> 32) + c);
            asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, (unsigned)((long long)sa * sb >> 32) + c);
            asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(l) : "r"(a), "r"(b), "l"(lc));
            SAME(l, (Wide)a * b + lc);
            asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(l) : "r"(a), "r"(b), "l"(lc));
            SAME(l, (Wide)((long long)sa * sb) + lc);
            asm("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, (unsigned)((Wide)(a & 0xFFFFFF) * (b & 0xFFFFFF)));
            asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
            SAME(r, c + (sa < sb ? b - a : a - b));
            asm("min.s32 %0, %1, %2;" : "=r"(s) : "r"(a), "r"(b));
            SAME(s, sa < sb ? sa : sb);
            asm("max.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, a > b ? a : b);
            asm("min.u64 %0, %1, %2;" : "=l"(l) : "l"(la), "l"(lb));
            SAME(l, la < lb ? la : lb);
            asm("mul.hi.u64 %0, %1, %2;" : "=l"(l) : "l"(la), "l"(lb));
            const Wide a0 = la & 0xFFFFFFFF, a1 = la >> 32, b0 = lb & 0xFFFFFFFF, b1 = lb >> 32;
            const Wide middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xFFFFFFFF);
            const Wide high = a1 * b1 + (middle >> 32) + (other >> 32);
            SAME(l, high);
            asm("mul.hi.s64 %0, %1, %2;" : "=l"(l) : "l"(la), "l"(lb));
            SAME(l, high - ((long long)la < 0 ? lb : 0) - ((long long)lb < 0 ? la : 0));
            asm("{\n\t"
                ".reg .u32 t, %%u;  // two registers\n\t"
                "xor.b32 t, %1, %2;\n\t"
                "and.b32 %%u, t, 0xFF00FF;\n\t"
                "or.b32 %0, %%u, %3;\n\t"
                "}"
                : "=r"(r)
                : "r"(a), "r"(b), "n"((1 << 9) + 0x1a5));
            SAME(r, ((a ^ b) & 0xFF00FF) | 0x3A5);
            unsigned changed = a;
            asm volatile("add.u32 %0, %0, %1; mul.lo.u32 %0, %0, 3;" : "+r"(changed) : "r"(b) : "memory");
            SAME(changed, (a + b) * 3);
        }
    }
}

__global__ void carries(int *wrong) {
    for (int i = 0; i < values; ++i) {
        for (int j = 0; j < values; ++j) {
            const Wide a = wide_value(i), b = wide_value(j);
            const unsigned a0 = (unsigned)a, a1 = (unsigned)(a >> 32), b0 = (unsigned)b, b1 = (unsigned)(b >> 32);
            unsigned low, high, third;
            asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;" : "=r"(low), "=r"(high) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
            SAME((Wide)high << 32 | low, a + b);
            asm("sub.cc.u32 %0, %2, %4;\n\tsubc.u32 %1, %3, %5;" : "=r"(low), "=r"(high) : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
            SAME((Wide)high << 32 | low, a - b);
            asm("{ add.cc.u32 %0, %3, %5; addc.cc.u32 %1, %4, %6; addc.u32 %2, 0, 0; }"
                : "=&r"(low), "=&r"(high), "=r"(third)
                : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
            SAME(third, a + b < a ? 1 : 0);
            asm("{ sub.cc.u32 %0, %3, %5; subc.cc.u32 %1, %4, %6; subc.u32 %2, 0, 0; }"
                : "=&r"(low), "=&r"(high), "=r"(third)
                : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
            SAME(third, a < b ? ~0u : 0);
            asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, %5;"
                : "=&r"(low), "=r"(high)
                : "r"(a0), "r"(b0), "r"(a1), "r"(b1));
            SAME((Wide)high << 32 | low, (Wide)a0 * b0 + ((Wide)b1 << 32 | a1));
            Wide sum, carry;
            asm("add.cc.u64 %0, %2, %3; addc.u64 %1, 0, 0;" : "=l"(sum), "=l"(carry) : "l"(a), "l"(b));
            SAME(sum, a + b);
            SAME(carry, a + b < a ? 1 : 0);
        }
    }
}

__global__ void predicates(int *wrong) {
    for (int i = 0; i < values; ++i) {
        for (int j = 0; j < values; ++j) {
            const unsigned a = value(i), b = value(j);
            unsigned r;
            asm("{ .reg .pred p; setp.lt.u32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, a < b ? 1 : 0);
            asm("{ .reg .pred p; setp.lt.s32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "r"(a), "r"(b));
            SAME(r, (int)a < (int)b ? 1 : 0);
            asm("{ .reg .pred p, q; setp.hs.u32 p, %1, %2; setp.ne.s32 q, %1, -1; and.pred p, p, q; @p mov.u32 %0, 7; @!p mov.u32 %0, 9; }"
                : "=r"(r)
                : "r"(a), "r"(b));
            SAME(r, a >= b && a != ~0u ? 7 : 9);
            unsigned kept = b;
            asm("{ .reg .pred p; setp.gt.s32 p, %1, 0; @p add.u32 %0, %0, %1; }" : "+r"(kept) : "r"(a));
            SAME(kept, (int)a > 0 ? a + b : b);
        }
    }
    const float odd[] = {0.0f, -0.0f, 1.0f, -2.5f, 3e38f, 1e-30f, INFINITY, -INFINITY, NAN};
    for (float a : odd) {
        for (float b : odd) {
            unsigned r;
            const bool either = isnan(a) || isnan(b);
            asm("{ .reg .pred p; setp.eq.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (!either && a == b) ? 1 : 0);
            asm("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (!either && a != b) ? 1 : 0);
            asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (!either && a < b) ? 1 : 0);
            asm("{ .reg .pred p; setp.ge.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (!either && a >= b) ? 1 : 0);
            asm("{ .reg .pred p; setp.equ.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a == b) ? 1 : 0);
            asm("{ .reg .pred p; setp.neu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a != b) ? 1 : 0);
            asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a < b) ? 1 : 0);
            asm("{ .reg .pred p; setp.leu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a <= b) ? 1 : 0);
            asm("{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a > b) ? 1 : 0);
            asm("{ .reg .pred p; setp.geu.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(r) : "f"(a), "f"(b));
            SAME(r, (either || a >= b) ? 1 : 0);
            float least;
            asm("min.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
            SAME(isnan(least), isnan(a) && isnan(b));
            if (!isnan(least) && least != 0) SAME(__float_as_int(least), __float_as_int(isnan(a) || b < a ? b : a));
        }
    }
}

#define NEAR(got, expected) SAME(fabsf((got) - (expected)) <= fabsf(expected) * 1e-5f + 1e-6f, true)

__global__ void reals(int *wrong) {
    for (int i = 1; i < 60; ++i) {
        const float a = i * 0.37f, b = 1.9f - i * 0.11f, c = i * i * 0.01f;
        const double da = a * 1.0000001, db = b, dc = c;
        float r;
        double d;
        asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
        SAME(__float_as_int(r), __float_as_int((float)((double)a * b + c)));
        asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(d) : "d"(da), "d"(db), "d"(dc));
        SAME(__double_as_longlong(d), __double_as_longlong(fma(da, db, dc)));
        asm("add.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        SAME(r, (float)((double)a + b));
        asm("mul.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        SAME(r, (float)((double)a * b));
        asm("sub.f64 %0, %1, 0d3FF0000000000000;" : "=d"(d) : "d"(da));
        SAME(d, da - 1);
        asm("mul.f32 %0, %1, 0f40200000;" : "=f"(r) : "f"(a));
        SAME(r, a * 2.5f);
        asm("neg.f32 %0, %1;" : "=f"(r) : "f"(a));
        SAME(r, -a);
        asm("abs.f32 %0, %1;" : "=f"(r) : "f"(b));
        SAME(r, b < 0 ? -b : b);
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
        NEAR(r, 1 / a);
        asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
        NEAR(r * r, a);
        asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
        NEAR(r * r * a, 1.0f);
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
        NEAR(r, (float)exp((double)b * 0.693147180559945));
        asm("lg2.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
        NEAR(r, (float)(log((double)a) / 0.693147180559945));
        asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(b));
        NEAR(r, (float)sin((double)b));
        asm("cos.approx.f32 %0, %1;" : "=f"(r) : "f"(b));
        NEAR(r, (float)cos((double)b));
        unsigned low, high;
        asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "d"(da));
        SAME((long long)((Wide)high << 32 | low), __double_as_longlong(da));
        asm("mov.b64 %0, {%1, %2};" : "=d"(d) : "r"(low), "r"(high));
        SAME(d, da);
        unsigned held;
        asm("mov.b32 %0, %1;" : "=r"(held) : "f"(a));
        SAME((int)held, __float_as_int(a));
        unsigned short first, second;
        asm("mov.b32 {%0, %1}, %2;" : "=h"(first), "=h"(second) : "r"(held));
        SAME((unsigned)second << 16 | first, held);
    }
}

__global__ void positions(int *wrong) {
    unsigned r;
    const unsigned number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = number % 32;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(r));
    SAME(r, lane);
#ifndef ON_DEVICE  // There it is the place that the warp has for now.
    asm("mov.u32 %0, %%warpid;" : "=r"(r));
    SAME(r, number / 32);
#endif
    asm("mov.u32 %0, %%smid;" : "=r"(r));
    SAME(r < 1024, true);
    asm("mov.u32 %0, %%tid.y;" : "=r"(r));
    SAME(r, threadIdx.y);
    asm("mov.u32 %0, %%ntid.z;" : "=r"(r));
    SAME(r, blockDim.z);
    asm("mov.u32 %0, %%ctaid.x;" : "=r"(r));
    SAME(r, blockIdx.x);
    asm("mov.u32 %0, %%nctaid.x;" : "=r"(r));
    SAME(r, gridDim.x);
    unsigned less = 0;
    for (unsigned other = 0; other < lane; ++other) less |= 1u << other;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    SAME(r, less);
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(r));
    SAME(r, less | 1u << lane);
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r));
    SAME(r, 1u << lane);
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(r));
    SAME(r, ~(less | 1u << lane));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(r));
    SAME(r, ~less);
    Wide before, after;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(after));
    SAME(after >= before, true);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
    asm volatile("mov.u32 %0, %%clock;" : "=r"(r));
}

// The sum of the lanes up to this one, by the predicate that tells whether there is a lane so far below.
__device__ int prefix(int value) {
    for (int by = 1; by < 32; by *= 2) {
        asm volatile("{ .reg .s32 r0; .reg .pred p;"
                     "  shfl.sync.up.b32 r0|p, %0, %1, 0, 0xffffffff;"
                     "  @p add.s32 r0, r0, %0;"
                     "  @!p mov.s32 r0, %0;"
                     "  mov.s32 %0, r0; }"
                     : "+r"(value)
                     : "r"(by));
    }
    return value;
}

__global__ void lanes(int *wrong) {
    const unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (unsigned other = 0; other <= lane; ++other) sum += other * other + 1;
    SAME(prefix(lane * lane + 1), sum);
    unsigned r;
    const unsigned own = lane * 3 + threadIdx.x / 32 * 1000, base = threadIdx.x / 32 * 1000;
    asm("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(own), "r"(lane + 5));
    SAME(r, (lane + 5) % 32 * 3 + base);
    asm("shfl.sync.down.b32 %0, %1, 4, 0x1f, -1;" : "=r"(r) : "r"(own));
    SAME(r, (lane < 28 ? lane + 4 : lane) * 3 + base);
    asm("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(own), "r"(6), "r"(0x181f), "r"(0xffffffff));
    SAME(r, (lane ^ 6) * 3 + base);
    unsigned partner;
    asm("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 3, 0x181f, 0xffffffff; selp.u32 %1, 1, 0, p; }"
        : "=r"(r), "=r"(partner)
        : "r"(own));
    SAME(partner, lane % 8 + 3 < 8 ? 1 : 0);
    SAME(r, (lane % 8 + 3 < 8 ? lane + 3 : lane) * 3 + base);
    float moved;
    asm("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(moved) : "f"(lane + 0.5f));
    SAME(moved, (lane ^ 1) + 0.5f);
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(r) : "r"(lane % 3));
    unsigned expected = 0;
    for (int other = 0; other < 32; ++other) expected |= (other % 3 != 0 ? 1u : 0u) << other;
    SAME(r, expected);
    asm("{ .reg .pred p, q; setp.eq.u32 p, %1, 31; vote.sync.any.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(lane));
    SAME(r, 1);
    asm("{ .reg .pred p, q; setp.eq.u32 p, %1, 31; vote.sync.all.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(r) : "r"(lane));
    SAME(r, 0);
    asm("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane / 8));
    SAME(r, 0xFFu << (lane / 8 * 8));
    asm("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(lane));
    SAME(r, 496);
    asm("redux.sync.min.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"((int)lane - 7));
    SAME((int)r, -7);
    if (lane < 8) {
        asm volatile("activemask.b32 %0;" : "=r"(r));
        SAME(r & 1u << lane, 1u << lane);
        asm volatile("bar.warp.sync 0xff;");
    }
}

#define BARRIER asm volatile("bar.sync 0;" ::: "memory")
#define STORE(place, number)                    \
    asm volatile("st.global.cg.u32 [%0], %1;"   \
                 :                              \
                 : "l"(place), "r"(number)      \
                 : "memory")

__global__ void memory(unsigned *words, float4 *quads, unsigned char *bytes, int *wrong) {
    __shared__ unsigned tile[64];
    const unsigned i = threadIdx.x;
    STORE(words + i, i * 7 + 1);
    tile[i] = i;
    BARRIER;
    unsigned r;
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(r) : "l"(words + (i + 1) % 64));
    SAME(r, (i + 1) % 64 * 7 + 1);
    asm volatile("ld.volatile.global.u32 %0, [%1+4];" : "=r"(r) : "l"(words + i % 63));
    SAME(r, (i % 63 + 1) * 7 + 1);
    asm volatile("membar.gl; fence.acq_rel.gpu;");
    const float x = i * 0.5f;
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(quads + i), "f"(x), "f"(x + 1), "f"(x + 2), "f"(x + 3));
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(quads + i));
    SAME(v.x == x && v.y == x + 1 && v.z == x + 2 && v.w == x + 3, true);
    unsigned pair[2];
    asm("ld.global.v2.u32 {%0, %1}, [%2+8];" : "=r"(pair[0]), "=r"(pair[1]) : "l"(quads + i));
    SAME((int)pair[0] == __float_as_int(x + 2) && (int)pair[1] == __float_as_int(x + 3), true);
    asm volatile("st.global.u8 [%0], %1;" ::"l"(bytes + i), "r"(i * 5 + 0x700));
    int widened;
    asm volatile("ld.global.s8 %0, [%1];" : "=r"(widened) : "l"(bytes + i));
    SAME(widened, (int)(signed char)(i * 5));
    asm volatile("ld.global.u8 %0, [%1];" : "=r"(r) : "l"(bytes + i));
    SAME(r, i * 5 % 256);
    asm volatile("{ .reg .u64 a; cvta.to.global.u64 a, %1; ld.global.u32 %0, [a]; }" : "=r"(r) : "l"(words));
    SAME(r, 1);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(words));
    asm volatile("nanosleep.u32 20;");
    asm volatile("" ::: "memory");
    int next = 0;
    unsigned counts[2] = {3, 5};
    asm("add.u32 %0, %0, %1;" : "+r"(counts[next++]) : "r"(i));
    SAME(next, 1);
    SAME(counts[0], 3 + i);
    SAME(tile[63 - i], 63 - i);
    BARRIER;
    asm volatile("{ .reg .pred p; setp.ge.u32 p, %0, 32; @p exit; }" ::"r"(i));
    words[i] = 0;
}

int main() {
    Buffer<int> wrong(1);
    Buffer<unsigned> words(64);
    Buffer<float4> quads(64);
    Buffer<unsigned char> bytes(64);
    wrong.clear();
    bits<<<1, 1>>>(wrong.device);
    arithmetic<<<1, 1>>>(wrong.device);
    carries<<<1, 1>>>(wrong.device);
    predicates<<<1, 1>>>(wrong.device);
    reals<<<1, 1>>>(wrong.device);
    positions<<<3, dim3(5, 7, 3)>>>(wrong.device);
    lanes<<<1, 64>>>(wrong.device);
    memory<<<1, 64>>>(words.device, quads.device, bytes.device, wrong.device);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT_EQUAL(0, wrong[0], 0);
    for (int i = 0; i < 64; ++i) EXPECT_EQUAL(i, words[i], i < 32 ? 0u : i * 7 + 1);
    return failed_expectations;
}
