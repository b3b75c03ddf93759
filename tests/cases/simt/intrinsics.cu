// run: => exit 0
#include "expect.h"

#include <cmath>

__global__ void integers(long long *out) {
    int i = 0;
    out[i++] = __popc(0xF0F0u) + __popcll(~0ull);
    out[i++] = __clz(1) * 1000 + __clz(0) * 10 + __clzll(1);
    out[i++] = __ffs(0x10) * 100 + __ffs(0) * 10 + __ffsll(1ll << 40);
    out[i++] = __brev(0x1u) == 0x80000000u && __brevll(2) == 1ull << 62;
    out[i++] = __funnelshift_l(0x80000000u, 1u, 1) == 3 && __funnelshift_r(0, 1u, 1) == 0x80000000u && __funnelshift_lc(5, 6, 40) == 5;
    out[i++] = __byte_perm(0x03020100u, 0x07060504u, 0x7531) == 0x07050301u;
    out[i++] = __dp4a(static_cast<int>(0xFF020304), 0x01010101, 10);
    out[i++] = __dp4a(0xFF020304u, 0x01010101u, 10u);
    out[i++] = __mulhi(-1, 2) == -1 && __umulhi(0x80000000u, 4) == 2 && __umul64hi(1ull << 63, 6) == 3;
    out[i++] = __mul24(0xFFFFFF, 3);
    out[i++] = __sad(-5, 3, 2) + __usad(3, 5, 1) + __hadd(3, 6) + __rhadd(3, 6);
    out[i++] = min(-1, 2) + max(3u, 2u) + min(5ll, 6ll) + abs(-4);
    out[i++] = __fns(0xF0, 0, 2);
    out[i++] = __float2int_rn(2.5f) * 1000 + __float2int_rz(-2.7f) * 100 + __float2int_ru(2.1f) * 10 + __float2int_rd(-0.5f);
    out[i++] = __float2int_rz(1e20f) == 2147483647 && __float2int_rz(NAN) == 0 && __double2uint_rz(-3.0) == 0u;
    out[i++] = __float_as_int(1.0f) == 0x3F800000 && __int_as_float(0x40000000) == 2.0f && __double_as_longlong(1.0) == 0x3FF0000000000000ll;
    out[i++] = __hiloint2double(0x3FF00000, 0) == 1.0 && __double2hiint(2.0) == 0x40000000;
    out[i++] = __ldg(out + 16);
    out[i++] = __vsadu4(0x01FF0380u, 0x02000300u) == 1 + 255 + 128 && __vsads2(0xFFFF0001u, 0x00010000u) == 2 + 1;
    out[i++] = __vcmpgeu4(0x01020304u, 0x01030204u) == 0xFF00FFFFu && __vcmples2(0xFFFF0005u, 0x00000004u) == 0xFFFF0000u;
    __builtin_assume(i > 0);
    __prof_trigger(0);
    out[i] = __vhaddu4(0xFF000103u, 0xFF010102u) == 0xFF000102u;
}

__global__ void reals(double *out) {
    int i = 0;
    out[i++] = rsqrtf(4.0f) + rsqrt(0.25);
    out[i++] = min(1.0f, NAN) + max(NAN, 2.0);
    float sine, cosine;
    sincosf(0.5f, &sine, &cosine);
    out[i++] = sine * sine + cosine * cosine;
    out[i++] = sinpi(0.5) + cospi(1.0) + sinpi(3.0) + cospi(0.5);
    out[i++] = __saturatef(-3.0f) + __saturatef(7.0f) + __saturatef(0.25f);
    out[i++] = __fadd_ru(1.0f, 1e-10f) > 1.0f && __fadd_rd(1.0f, 1e-10f) == 1.0f && __fadd_rz(-1.0f, -1e-10f) == -1.0f;
    out[i++] = __fmaf_rn(0.1f, 10.0f, -1.0f) == fmaf(0.1f, 10.0f, -1.0f) && __fma_rn(0.1, 10.0, -1.0) != 0.0;
    out[i++] = __fdiv_ru(1.0f, 3.0f) - __fdiv_rd(1.0f, 3.0f) > 0 && __dsqrt_ru(2.0) > __dsqrt_rd(2.0);
    out[i++] = erfinv(erf(0.5)) + normcdfinv(normcdf(1.5)) + erfcinv(erfc(0.25));
    out[i++] = erfcx(30.0) / 0.018795888861416751;
    out[i++] = exp10(2.0) + norm3d(2.0, 3.0, 6.0) + cbrt(27.0) + rcbrt(8.0);
    out[i++] = __expf(0.0f) + __logf(1.0f) + __powf(2.0f, 3.0f) + __fdividef(1.0f, 4.0f) + fdividef(1.0f, 2.0f);
    out[i++] = __uint2float_rz(0xFFFFFFFFu) == 4294967040.0f && __uint2float_rn(0xFFFFFFFFu) == 4294967296.0f;
    out[i++] = __ll2double_rd((1ll << 53) + 1) == 9007199254740992.0 && __ll2double_ru((1ll << 53) + 1) == 9007199254740994.0;
    const double sides[] = {2.0, 3.0, 6.0};
    const float small[] = {3.0f, 4.0f};
    out[i++] = norm(3, sides) + normf(2, small);
    out[i++] = cyl_bessel_i0(2.0) / 2.2795853023360673 + cyl_bessel_i1(-2.0) / 1.5906368546373291;
    out[i] = cyl_bessel_i0f(40.0f) / 1.4894774793e16 + cyl_bessel_i1f(0.0f);
}

int main() {
    Buffer<long long> words(32);
    integers<<<1, 1>>>(words.device);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    const long long expected[] = {72,  31383, 541, 1, 1, 1, 18, 274, 1, -3, 10 + 3 + 4 + 5, -1 + 3 + 5 + 4, 5, 2000 - 200 + 30 - 1, 1, 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < 21; ++i) EXPECT_EQUAL(i, words[i], expected[i]);

    Buffer<double> numbers(32);
    reals<<<1, 1>>>(numbers.device);
    const double real_expected[] = {2.5, 3, 1, 0, 1.25, 1, 1, 1, 2.25, 1, 110.5, 9.75, 1, 1, 12, 0, 1};
    for (int i = 0; i < 17; ++i) EXPECT(std::fabs(numbers[i] - real_expected[i]) < 2e-7);
    return failed_expectations != 0;
}
