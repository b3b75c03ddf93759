long fibonacci(int n);
long queens(unsigned all, unsigned columns, unsigned left, unsigned right);
double area(double from, double to, double tolerance, int depth);
void merge_sort(int *a, int *b, int low, int high);
void quick_sort(int *a, int low, int high);
