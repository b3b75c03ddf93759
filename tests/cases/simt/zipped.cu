// run: => exit 0
#include "expect.h"

#include <thrust/device_delete.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_new.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/mismatch.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/uninitialized_fill.h>

#include <vector>

// Sequences side by side and backwards, scans of what functions make, selections by stencils, memory by names.
using Numbers = std::vector<int>;
using Vector = thrust::device_vector<int>;

Numbers host(const Vector &values) { return Numbers(values.begin(), values.end()); }

struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Twice {
    __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct Product {
    template <class Tuple>
    __host__ __device__ int operator()(const Tuple &pair) const {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};
struct Store {
    template <class Tuple>
    __host__ __device__ void operator()(Tuple triple) const {
        thrust::get<2>(triple) = thrust::get<0>(triple) - thrust::get<1>(triple);
    }
};
struct FirstIsOdd {
    template <class Tuple>
    __host__ __device__ bool operator()(const Tuple &pair) const {
        return thrust::get<0>(pair) % 2 != 0;
    }
};

void zips() {
    Vector a(Numbers{5, 2, 8, 1}), b(Numbers{1, 2, 3, 4}), c(4);
    auto first = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
    auto last = thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end()));
    EXPECT(last - first == 4);
    EXPECT(thrust::transform_reduce(first, last, Product(), 0, thrust::plus<int>()) == 37);
    auto all = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin()));
    thrust::for_each(thrust::device, all, all + 4, Store());
    EXPECT(host(c) == (Numbers{4, 0, 5, -3}));
    Vector keys(Numbers{3, 1, 2, 0});
    thrust::sort_by_key(keys.begin(), keys.end(), first);
    EXPECT(host(a) == (Numbers{1, 2, 8, 5}) && host(b) == (Numbers{4, 2, 3, 1}));
    const auto end = thrust::remove_if(first, last, FirstIsOdd());
    EXPECT(end - first == 2);
    EXPECT(a[0] == 2 && a[1] == 8 && b[0] == 2 && b[1] == 3);
}

void scans() {
    const Vector values(Numbers{1, 2, 3, 4, 5}), keys(Numbers{0, 0, 1, 1, 1});
    Vector out(5);
    thrust::transform_inclusive_scan(values.begin(), values.end(), out.begin(), Twice(), thrust::plus<int>());
    EXPECT(host(out) == (Numbers{2, 6, 12, 20, 30}));
    thrust::transform_exclusive_scan(values.begin(), values.end(), out.begin(), Twice(), 1, thrust::plus<int>());
    EXPECT(host(out) == (Numbers{1, 3, 7, 13, 21}));
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin());
    EXPECT(host(out) == (Numbers{0, 1, 0, 3, 7}));
    thrust::exclusive_scan_by_key(keys.begin(), keys.end(), out.begin(), out.begin(), 10);
    EXPECT(host(out) == (Numbers{10, 10, 10, 10, 13}));
    Vector totals(2);
    thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), thrust::make_discard_iterator(), totals.begin());
    EXPECT(host(totals) == (Numbers{3, 12}));
}

void selections() {
    const Vector values(Numbers{1, 2, 3, 4}), stencil(Numbers{0, 1, 1, 0}), map(Numbers{3, 2, 1, 0});
    Vector out(4, 9);
    thrust::transform_if(values.begin(), values.end(), out.begin(), Twice(), Odd());
    EXPECT(host(out) == (Numbers{2, 9, 6, 9}));
    thrust::transform_if(values.begin(), values.end(), stencil.begin(), out.begin(), Twice(), Odd());
    EXPECT(host(out) == (Numbers{2, 4, 6, 9}));
    thrust::gather_if(map.begin(), map.end(), stencil.begin(), values.begin(), out.begin());
    EXPECT(host(out) == (Numbers{2, 3, 2, 9}));
    thrust::scatter_if(values.begin(), values.end(), map.begin(), stencil.begin(), out.begin());
    EXPECT(host(out) == (Numbers{2, 3, 2, 9}));
    thrust::gather_if(map.begin(), map.end(), values.begin(), values.begin(), out.begin(), Odd());
    EXPECT(host(out) == (Numbers{4, 3, 2, 9}));
    thrust::replace_copy_if(values.begin(), values.end(), out.begin(), Odd(), 0);
    EXPECT(host(out) == (Numbers{0, 2, 0, 4}));
    EXPECT(thrust::mismatch(values.begin(), values.end(), out.begin()).first == values.begin());
    const auto back = thrust::make_reverse_iterator(values.end());
    EXPECT(*back == 4 && back[3] == 1);
}

void memory() {
    const thrust::device_ptr<int> data = thrust::device_malloc<int>(3), one = thrust::device_new<int>(1);
    thrust::uninitialized_fill(data, data + 3, 7);
    EXPECT(thrust::reduce(data, data + 3) == 21);
    thrust::device_free(data);
    thrust::device_delete(one);
}

int main() {
    zips();
    scans();
    selections();
    memory();
    return failed_expectations != 0;
}
