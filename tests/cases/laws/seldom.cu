// What few calls do, and what elements say has to be done often.
__global__ void relax(float *u, float *residual, const float *f, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float d = f[i] - u[i];
    u[i] += 0.5f * d;
    if (step % 100 == 0) residual[i] = d;
}

// The window grows with the square of an element.
__global__ void blur(const float *in, const int *radius, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int r = radius[y * width + x], count = 0;
    float sum = 0;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
            if (x >= r && x + r < width && y >= r && y + r < height) {
                sum += in[(y + dy) * width + x + dx];
                count++;
            }
    if (count) out[y * width + x] = sum / count;
}

// What stands behind a number that data hold by chance never, named, spelled or in a case.
constexpr unsigned short OPEN = 0x1FF;
struct Board { unsigned short cell[9]; };
__global__ void expand(const Board *boards, Board *next, int *open, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    Board board = boards[t];
    for (int i = 0; i < 9; i++) {
        if (board.cell[i] != OPEN) continue;
        for (int bit = 0; bit < 9; bit++) {
            board.cell[i] = 1u << bit;
            next[9 * t + bit] = board;
        }
        open[t] = i;
        break;
    }
}

__global__ void decode(const char *letters, const int *codes, float *out, float *odd, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    switch (letters[t]) {
    case 'x': out[t] = 1; break;
    default: out[t] = 0;
    }
    if (!codes[t]) odd[2 * t] = 1;
    if (codes[t] == 70000) odd[2 * t + 1] = 2;
}

// Pixels of 3 channels or more: with fewer, threads meet.
__global__ void grey(const unsigned char *in, unsigned char *image, int h, int w, int channels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= h || x >= w) return;
    int at = y * w * channels + x * channels;
    image[at] = image[at + 1] = image[at + 2] = in[y * w + x];
}

// What happens where an element equals a number by value, and another one a number of the text.
__global__ void frontier(const int *level, const int *row, const int *col, int *crossed, int depth, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = row[v]; e < row[v + 1]; e++)
        if (level[col[e]] == -1) crossed[e] = depth;
}
