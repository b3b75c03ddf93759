// run: => exit 0
#include "expect.h"

#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <vector>

#ifdef ON_DEVICE  // Newer releases have it elsewhere.
#include <cuda/std/functional>
namespace thrust {
template <class T>
using identity = ::cuda::std::identity;
}  // namespace thrust
#endif

// Algorithms of thrust with stencils, maps and keys, and iterators over what is computed.
struct Odd {
    __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

using Numbers = std::vector<int>;

Numbers host(const thrust::device_vector<int> &values, size_t count) {
    return Numbers(values.begin(), values.begin() + static_cast<ptrdiff_t>(count));
}

void selections() {
    const thrust::device_vector<int> values(Numbers{1, 2, 3, 4, 5, 6}), stencil(Numbers{0, 1, 1, 0, 0, 1});
    thrust::device_vector<int> out(6);
    auto end = thrust::copy_if(values.begin(), values.end(), out.begin(), Odd());
    EXPECT(host(out, end - out.begin()) == (Numbers{1, 3, 5}));
    end = thrust::copy_if(thrust::device, values.begin(), values.end(), stencil.begin(), out.begin(), Odd());
    EXPECT(host(out, end - out.begin()) == (Numbers{2, 3, 6}));
    thrust::device_vector<int> kept(values);
    end = thrust::remove_if(kept.begin(), kept.end(), stencil.begin(), thrust::identity<int>());
    EXPECT(host(kept, end - kept.begin()) == (Numbers{1, 4, 5}));
    kept = values;
    {
        int keys[] = {1, 2, 3, 4, 5}, marks[] = {0, 1, 0, 1, 1};
        int *middle = thrust::partition(thrust::device, keys, keys + 5, marks, Odd());
        EXPECT_EQUAL(0, middle - keys, 3);
        EXPECT_EQUAL(0, keys[0] + 10 * keys[1] + 100 * keys[2], 542);
        EXPECT_EQUAL(0, keys[3] + 10 * keys[4], 31);
    }
    end = thrust::partition(kept.begin(), kept.end(), Odd());
    EXPECT(end - kept.begin() == 3 && thrust::all_of(kept.begin(), end, Odd()));
    thrust::adjacent_difference(values.begin(), values.end(), out.begin());
    EXPECT(host(out, 6) == (Numbers{1, 1, 1, 1, 1, 1}));
}

void maps() {
    const thrust::device_vector<int> values(Numbers{10, 20, 30, 40}), map(Numbers{3, 1, 0, 2});
    thrust::device_vector<int> out(4);
    thrust::gather(map.begin(), map.end(), values.begin(), out.begin());
    EXPECT(host(out, 4) == (Numbers{40, 20, 10, 30}));
    thrust::scatter(values.begin(), values.end(), map.begin(), out.begin());
    EXPECT(host(out, 4) == (Numbers{30, 20, 40, 10}));
    thrust::tabulate(out.begin(), out.end(), thrust::square<int>());
    EXPECT(host(out, 4) == (Numbers{0, 1, 4, 9}));
    const auto permuted = thrust::make_permutation_iterator(values.begin(), map.begin());
    EXPECT(thrust::reduce(permuted, permuted + 2) == 60 && permuted[2] == 10);
}

void keys() {
    thrust::device_vector<int> keys(Numbers{7, 7, 8, 9, 9, 9, 7}), values(Numbers{1, 2, 3, 4, 5, 6, 7});
    thrust::device_vector<int> keys_out(7), values_out(7);
    const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1),
                                            keys_out.begin(), values_out.begin());
    EXPECT(host(keys_out, ends.first - keys_out.begin()) == (Numbers{7, 8, 9, 7}));
    EXPECT(host(values_out, ends.second - values_out.begin()) == (Numbers{2, 1, 3, 1}));
    thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), keys_out.begin(), values_out.begin(),
                          thrust::equal_to<int>(), thrust::maximum<int>());
    EXPECT(host(values_out, 4) == (Numbers{2, 3, 6, 7}));
    thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), values_out.begin());
    EXPECT(host(values_out, 7) == (Numbers{1, 3, 3, 4, 9, 15, 7}));
    const auto left = thrust::unique_by_key(keys.begin(), keys.end(), values.begin());
    EXPECT(host(keys, left.first - keys.begin()) == (Numbers{7, 8, 9, 7}));
    EXPECT(host(values, left.second - values.begin()) == (Numbers{1, 3, 4, 7}));
}

void iterators() {
    thrust::counting_iterator<int> first(3);
    const thrust::counting_iterator<int> last = first + 5;
    EXPECT(last - first == 5 && *last == 8 && first[2] == 5 && *first++ == 3 && *first == 4);
    EXPECT(thrust::reduce(first, last) == 22);
    thrust::device_vector<int> out(4);
    thrust::copy(first, last, out.begin());
    EXPECT(host(out, 4) == (Numbers{4, 5, 6, 7}));
    const auto doubled = thrust::make_transform_iterator(out.begin(), [](int x) { return 2 * x; });
    const auto end = thrust::make_transform_iterator(out.end(), [](int x) { return 2 * x; });
    EXPECT(doubled[3] == 14 && end.base() - doubled.base() == 4);
    EXPECT(thrust::reduce(doubled, doubled + 4, 0, thrust::plus<int>()) == 44);
    thrust::transform(first, last, thrust::make_constant_iterator(10), out.begin(), thrust::multiplies<int>());
    EXPECT(host(out, 4) == (Numbers{40, 50, 60, 70}));
    const thrust::tuple<int, float> both = thrust::make_tuple(1, 2.5f);
    EXPECT(thrust::get<0>(both) == 1 && thrust::get<1>(both) == 2.5f);
}

// The sum's type decides what is added and multiplied, and of the greatest the first counts.
void mixed() {
    const std::vector<float> values{2.5f, -0.5f, 2.5f, -0.5f};
    const thrust::device_vector<float> x(values.begin(), values.end());
    const auto ends = thrust::minmax_element(x.begin(), x.end());
    EXPECT(ends.first - x.begin() == 1 && ends.second - x.begin() == 0);
    EXPECT(thrust::reduce(x.begin(), x.end(), 0) == 4 && thrust::reduce(x.begin(), x.end()) == 4.0f);
    EXPECT(thrust::inner_product(x.begin(), x.end(), x.begin(), 0) == 8);
    EXPECT(thrust::inner_product(x.begin(), x.end(), x.begin(), 0.0f) == 13.0f);
}

int main() {
    mixed();
    selections();
    maps();
    keys();
    iterators();
    return failed_expectations != 0;
}
