// turnstiles(in, state, n)
void turnstiles(const int *in, int *state, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        #pragma omp atomic
        state[0] -= in[i] & 7;
        unsigned old, wanted;
        __atomic_load((unsigned *)&state[1], &old, __ATOMIC_RELAXED);
        do {
            wanted = old >= 17 ? 0 : old + 1;
        } while (!__atomic_compare_exchange((unsigned *)&state[1], &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        unsigned previous, desired;
        __atomic_load(reinterpret_cast<unsigned *>(state + 2), &previous, __ATOMIC_RELAXED);
        do {
            desired = (previous == 0 || previous > 137u) ? 137u : previous - 1;
        } while (!__atomic_compare_exchange(reinterpret_cast<unsigned *>(state + 2), &previous, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        const int value = (in[i] & 255) + 1;
        #pragma omp atomic compare
        if (*(int *)&state[3] < value) { *(int *)&state[3] = value; }
        #pragma omp atomic
        state[4] ^= in[i];
    }
}

// rounds_of(in, place, taken, seats, n)
void rounds_of(const int *in, unsigned *place, int *taken, unsigned seats, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        const unsigned last = seats & 15;
        const unsigned limit = last;
        unsigned old, wanted;
        __atomic_load(place, &old, __ATOMIC_RELAXED);
        do {
            wanted = old >= limit ? 0 : old + 1;
        } while (!__atomic_compare_exchange(place, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        const unsigned seat = old;
        #pragma omp atomic
        taken[seat] += 1;
        const unsigned limit_here = last;
        unsigned previous, desired;
        __atomic_load(&place[1], &previous, __ATOMIC_RELAXED);
        do {
            desired = (previous == 0 || previous > limit_here) ? limit_here : previous - 1;
        } while (!__atomic_compare_exchange(&place[1], &previous, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        if (previous == last) {
            #pragma omp atomic
            taken[16] += 1;
        }
    }
}

// halves(in, sums, pairs, n)
void halves(const int *in, __half *sums, __half2 *pairs, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        const float value = (in[i] & 3) == 0 ? 1.0f : 0.0f;
        const __half value_here = __float2half(value);
        __half old, wanted;
        __atomic_load(&sums[i % 8], &old, __ATOMIC_RELAXED);
        do {
            wanted = old + value_here;
        } while (!__atomic_compare_exchange(&sums[i % 8], &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        const __half2 value2 = __floats2half2_rn(value, 1.0f);
        __half2 previous, desired;
        __atomic_load(&pairs[i % 8], &previous, __ATOMIC_RELAXED);
        do {
            desired = previous + value2;
        } while (!__atomic_compare_exchange(&pairs[i % 8], &previous, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
}

// brain_floats(in, sums, n)
void brain_floats(const int *in, __nv_bfloat16 *sums, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {
        const __nv_bfloat16 value = __float2bfloat16(1.0f);
        __nv_bfloat16 old, wanted;
        __atomic_load(&sums[in[i] & 7], &old, __ATOMIC_RELAXED);
        do {
            wanted = old + value;
        } while (!__atomic_compare_exchange(&sums[in[i] & 7], &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
}
