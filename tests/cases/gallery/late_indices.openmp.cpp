// thin(mag, out, h, w, least)
void thin(const unsigned char *mag, unsigned char *out, int h, int w, int least) {
    #pragma omp parallel for collapse(2)
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            // of a pixel
            int at = y * w + x;
            float sum = mag[at];
            if (x > 0) sum += mag[at - 1];
            out[at] = sum < least ? 0 : mag[at];
        }
}
