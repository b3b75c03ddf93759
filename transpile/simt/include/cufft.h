// cuFFT: plans of one to three dimensions, batches and layouts, between complex and real numbers.
#ifndef SIMT_CUFFT_H
#define SIMT_CUFFT_H

// By these names programs ask whether CUDA's header is there.
#ifndef SIMT_HIP
#define _CUFFT_H_
#endif

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cuComplex.h"
#include "simt/fourier/plan.h"
#include "simt/simt.h"

typedef enum cufftResult_t {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_TYPE = 3,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_SETUP_FAILED = 7,
    CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9,
    CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
    CUFFT_INVALID_DEVICE = 11,
    CUFFT_PARSE_ERROR = 12,
    CUFFT_NO_WORKSPACE = 13,
    CUFFT_NOT_IMPLEMENTED = 14,
    CUFFT_LICENSE_ERROR = 15,
    CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef enum cufftType_t {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

namespace simt::fourier {

struct Plan {
    cufftType type;
    std::shared_ptr<const Grid> grid;
    std::size_t batches;
    std::optional<Layout> in, out;  // what the caller gave; otherwise the numbers stand beside each other
};

struct Handle {
    bool created = false;
    cudaStream_t stream = nullptr;
    std::optional<Plan> plan;
};

inline std::vector<Handle> handles;  // the first is number 1

inline Handle *handle_of(cufftHandle number) {
    if (number < 1 || static_cast<std::size_t>(number) > handles.size()) return nullptr;
    Handle &handle = handles[static_cast<std::size_t>(number) - 1];
    return handle.created ? &handle : nullptr;
}

inline bool known(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_Z2Z || type == CUFFT_R2C || type == CUFFT_D2Z || type == CUFFT_C2R ||
           type == CUFFT_Z2D;
}
inline Content read_by(cufftType type) {
    if (type == CUFFT_R2C || type == CUFFT_D2Z) return Content::real;
    return type == CUFFT_C2R || type == CUFFT_Z2D ? Content::half : Content::complex;
}
inline Content written_by(cufftType type) {
    if (type == CUFFT_R2C || type == CUFFT_D2Z) return Content::half;
    return type == CUFFT_C2R || type == CUFFT_Z2D ? Content::real : Content::complex;
}

// Where one array is both sides, rows of real numbers are as long as rows of halves.
inline Layout default_layout(Content content, const Lengths &lengths, bool in_place) {
    if (content == Content::complex || (content == Content::real && !in_place)) return dense(lengths);
    const Lengths rows = halved(lengths);
    return dense(content == Content::half ? rows : with_last(rows, 2 * rows.back()));
}

template <class Integer>
std::optional<Lengths> positive(int rank, const Integer *numbers) {
    Lengths lengths;
    for (int i = 0; i < rank; ++i) {
        if (numbers[i] < 1) return std::nullopt;
        lengths.push_back(static_cast<std::size_t>(numbers[i]));
    }
    return lengths;
}

template <class Integer>
cufftResult plan_many(cufftHandle number, int rank, Integer *n, Integer *in_embedding, Integer in_stride,
                      Integer in_distance, Integer *out_embedding, Integer out_stride, Integer out_distance,
                      cufftType type, Integer batches, std::size_t *work_size) {
    const Exclusive exclusive;
    Handle *handle = handle_of(number);
    if (handle == nullptr || handle->plan) return CUFFT_INVALID_PLAN;
    if (!known(type)) return CUFFT_INVALID_TYPE;
    if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
    if ((in_embedding == nullptr) != (out_embedding == nullptr)) return CUFFT_INVALID_VALUE;
    const auto lengths = positive(rank, n);
    if (!lengths || batches < 1) return CUFFT_INVALID_SIZE;
    Plan plan{type, std::make_shared<const Grid>(*lengths), static_cast<std::size_t>(batches), {}, {}};
    if (in_embedding != nullptr) {
        const auto in = positive(rank, in_embedding), out = positive(rank, out_embedding);
        if (!in || !out || in_stride < 1 || out_stride < 1 || in_distance < 0 || out_distance < 0)
            return CUFFT_INVALID_VALUE;
        plan.in = Layout{*in, static_cast<std::size_t>(in_stride), static_cast<std::size_t>(in_distance)};
        plan.out = Layout{*out, static_cast<std::size_t>(out_stride), static_cast<std::size_t>(out_distance)};
    }
    handle->plan = std::move(plan);
    if (work_size != nullptr) *work_size = product_of(*lengths) * sizeof(Complex);
    return CUFFT_SUCCESS;
}

inline cufftResult plan_dense(cufftHandle number, std::vector<int> n, cufftType type, int batches,
                              std::size_t *work_size) {
    return plan_many<int>(number, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type, batches,
                          work_size);
}

template <class Real>
cufftResult execute(cufftHandle number, cufftType type, const void *in, void *out, bool inverse) {
    const Exclusive exclusive;
    const Handle *handle = handle_of(number);
    if (handle == nullptr || !handle->plan) return CUFFT_INVALID_PLAN;
    const Plan plan = *handle->plan;
    if (plan.type != type) return CUFFT_INVALID_TYPE;
    if (in == nullptr || out == nullptr) return CUFFT_INVALID_VALUE;
    const auto side = [&](Content content, const std::optional<Layout> &given) {
        return Side{content, given ? *given : default_layout(content, plan.grid->lengths(), in == out)};
    };
    const Side from = side(read_by(type), plan.in), to = side(written_by(type), plan.out);
    perform(handle->stream, [=] {
        execute(*plan.grid, from, to, plan.batches, inverse, static_cast<const Real *>(in), static_cast<Real *>(out));
    });
    return CUFFT_SUCCESS;
}

template <class Real>
cufftResult execute_complex(cufftHandle number, cufftType type, const void *in, void *out, int direction) {
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
    return execute<Real>(number, type, in, out, direction == CUFFT_INVERSE);
}

}  // namespace simt::fourier

inline cufftResult cufftCreate(cufftHandle *plan) {
    const simt::Exclusive exclusive;
    simt::fourier::handles.push_back({true, nullptr, {}});
    *plan = static_cast<cufftHandle>(simt::fourier::handles.size());
    return CUFFT_SUCCESS;
}
inline cufftResult cufftDestroy(cufftHandle plan) {
    const simt::Exclusive exclusive;
    simt::fourier::Handle *handle = simt::fourier::handle_of(plan);
    if (handle == nullptr) return CUFFT_INVALID_PLAN;
    *handle = {};
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    const simt::Exclusive exclusive;
    simt::fourier::Handle *handle = simt::fourier::handle_of(plan);
    if (handle == nullptr) return CUFFT_INVALID_PLAN;
    handle->stream = stream;
    return CUFFT_SUCCESS;
}
inline cufftResult cufftGetVersion(int *version) {
    *version = 11203;
    return CUFFT_SUCCESS;
}

inline cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t *work_size) {
    return simt::fourier::plan_dense(plan, {nx}, type, batch, work_size);
}
inline cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t *work_size) {
    return simt::fourier::plan_dense(plan, {nx, ny}, type, 1, work_size);
}
inline cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, std::size_t *work_size) {
    return simt::fourier::plan_dense(plan, {nx, ny, nz}, type, 1, work_size);
}
inline cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                                     int *onembed, int ostride, int odist, cufftType type, int batch,
                                     std::size_t *work_size) {
    return simt::fourier::plan_many(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                                    work_size);
}
inline cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                       long long istride, long long idist, long long *onembed, long long ostride,
                                       long long odist, cufftType type, long long batch, std::size_t *work_size) {
    return simt::fourier::plan_many(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                                    work_size);
}

namespace simt::fourier {

// Creates a handle and makes its plan; none is left where that fails.
template <class Make>
cufftResult create(cufftHandle *number, Make make) {
    cufftCreate(number);
    const cufftResult result = make(*number);
    if (result != CUFFT_SUCCESS) cufftDestroy(*number);
    return result;
}

}  // namespace simt::fourier

inline cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
    return simt::fourier::create(plan,
                                 [=](cufftHandle made) { return cufftMakePlan1d(made, nx, type, batch, nullptr); });
}
inline cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
    return simt::fourier::create(plan, [=](cufftHandle made) { return cufftMakePlan2d(made, nx, ny, type, nullptr); });
}
inline cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
    return simt::fourier::create(plan,
                                 [=](cufftHandle made) { return cufftMakePlan3d(made, nx, ny, nz, type, nullptr); });
}
inline cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                                 int *onembed, int ostride, int odist, cufftType type, int batch) {
    return simt::fourier::create(plan, [=](cufftHandle made) {
        return cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
    });
}

inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    return simt::fourier::execute_complex<float>(plan, CUFFT_C2C, in, out, direction);
}
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
    return simt::fourier::execute<float>(plan, CUFFT_R2C, in, out, false);
}
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) {
    return simt::fourier::execute<float>(plan, CUFFT_C2R, in, out, true);
}
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction) {
    return simt::fourier::execute_complex<double>(plan, CUFFT_Z2Z, in, out, direction);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) {
    return simt::fourier::execute<double>(plan, CUFFT_D2Z, in, out, false);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) {
    return simt::fourier::execute<double>(plan, CUFFT_Z2D, in, out, true);
}

// Plans need no work area; sizes are those of one batch.
inline cufftResult cufftGetSize(cufftHandle plan, std::size_t *size) {
    const simt::fourier::Handle *handle = simt::fourier::handle_of(plan);
    if (handle == nullptr || !handle->plan) return CUFFT_INVALID_PLAN;
    *size = simt::fourier::product_of(handle->plan->grid->lengths()) * sizeof(simt::fourier::Complex);
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
    return simt::fourier::handle_of(plan) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
inline cufftResult cufftSetWorkArea(cufftHandle plan, void *) {
    return simt::fourier::handle_of(plan) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}

#endif
