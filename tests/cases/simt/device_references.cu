// run: => exit 0
#include "expect.h"

#include <thrust/device_reference.h>
#include <thrust/device_vector.h>

// What stands for one element of a vector in device memory: it is read, set and computed with through it.
class Grid {
public:
    Grid(int columns, int rows) : columns_(columns), cells_(columns * rows) {}
    thrust::device_reference<int> at(int row, int column) { return cells_[row * columns_ + column]; }
    thrust::device_vector<int>::reference last() { return cells_.back(); }

private:
    int columns_;
    thrust::device_vector<int> cells_;
};

int main() {
    Grid grid(3, 2);
    grid.at(1, 2) = 7;
    grid.at(0, 0) = grid.at(1, 2);
    EXPECT(grid.last() == 7 && grid.at(0, 0) == 7 && grid.at(0, 1) == 0);
    grid.at(0, 0) += 3;
    ++grid.at(0, 0);
    int value = grid.at(0, 0);
    EXPECT(value == 11 && grid.at(0, 0)++ == 11 && grid.at(0, 0) == 12);
    thrust::device_ptr<int> place = &grid.at(0, 0);
    EXPECT(place[5] == 7 && grid.at(0, 0) * 2 == 24);
    thrust::device_reference<int> one = grid.at(0, 1);
    one = grid.at(0, 0);
    one -= 2;
    EXPECT(grid.at(0, 0) == 12 && grid.at(0, 1) == 10);
    thrust::device_reference<int> other = grid.at(1, 2);
    swap(one, other);
    EXPECT(grid.at(0, 1) == 7 && grid.at(1, 2) == 10);

    thrust::device_vector<int> numbers(2, 5);
    numbers.reserve(9);
    numbers.push_back(6);
    numbers.pop_back();
    numbers.shrink_to_fit();
    const thrust::device_vector<int> &same = numbers;
    EXPECT(same.size() == 2 && same.front() == 5 && same.back() == 5 && numbers.cend() - numbers.cbegin() == 2);
    return 0;
}
