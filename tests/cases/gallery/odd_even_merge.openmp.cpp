#include <vector>

inline void Comparator(uint &keyA, uint &valA, uint &keyB, uint &valB, uint dir)
{
    uint t;
    if ((keyA > keyB) == dir) {
        t = keyA; keyA = keyB; keyB = t;
        t = valA; valA = valB; valB = t;
    }
}

// oddEvenMergeSortShared(d_DstKey, d_DstVal, d_SrcKey, d_SrcVal, arrayLength, dir, gridDim.x, blockDim.x)
void oddEvenMergeSortShared(uint *d_DstKey, uint *d_DstVal, uint *d_SrcKey, uint *d_SrcVal, uint arrayLength, uint dir,
                            int blocks, int threads)
{
    #pragma omp parallel for
    for (int block = 0; block < blocks; ++block) {
        uint s_key[SHARED_SIZE_LIMIT];
        uint s_val[SHARED_SIZE_LIMIT];
        for (int t = 0; t < threads; ++t) {
            uint *my_d_SrcKey = d_SrcKey + block * SHARED_SIZE_LIMIT + t;
            uint *my_d_SrcVal = d_SrcVal + block * SHARED_SIZE_LIMIT + t;

            // Offset to the beginning of subbatch and load data
            s_key[t + 0] = my_d_SrcKey[0];
            s_val[t + 0] = my_d_SrcVal[0];
            s_key[t + (SHARED_SIZE_LIMIT / 2)] = my_d_SrcKey[(SHARED_SIZE_LIMIT / 2)];
            s_val[t + (SHARED_SIZE_LIMIT / 2)] = my_d_SrcVal[(SHARED_SIZE_LIMIT / 2)];
        }

        for (uint size = 2; size <= arrayLength; size <<= 1) {
            uint stride = size / 2;
            std::vector<uint> offset(threads);
            for (int t = 0; t < threads; ++t) {
                offset[t] = t & (stride - 1);
            }

            {
                for (int t = 0; t < threads; ++t) {
                    uint pos = 2 * t - (t & (stride - 1));
                    Comparator(s_key[pos + 0], s_val[pos + 0], s_key[pos + stride], s_val[pos + stride], dir);
                }
                stride >>= 1;
            }

            for (; stride > 0; stride >>= 1) {
                for (int t = 0; t < threads; ++t) {
                    uint pos = 2 * t - (t & (stride - 1));

                    if (offset[t] >= stride) {
                        Comparator(s_key[pos - stride], s_val[pos - stride], s_key[pos + 0], s_val[pos + 0], dir);
                    }
                }
            }
        }
        for (int t = 0; t < threads; ++t) {
            uint *my_d_DstKey = d_DstKey + block * SHARED_SIZE_LIMIT + t;
            uint *my_d_DstVal = d_DstVal + block * SHARED_SIZE_LIMIT + t;
            my_d_DstKey[0] = s_key[t + 0];
            my_d_DstVal[0] = s_val[t + 0];
            my_d_DstKey[(SHARED_SIZE_LIMIT / 2)] = s_key[t + (SHARED_SIZE_LIMIT / 2)];
            my_d_DstVal[(SHARED_SIZE_LIMIT / 2)] = s_val[t + (SHARED_SIZE_LIMIT / 2)];
        }
    }
}
