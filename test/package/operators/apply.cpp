// Uses both operators: prints one number that shows they computed.
#include <cstdio>
#include <vector>

extern "C" void stack_gathers(const float *traces, int gathers, int fold, int samples, float *out);
extern "C" int taper_traces(float *traces, int count, int samples, int ramp);

int main() {
  std::vector<float> traces(3 * 4 * 100, 1.0f), out(3 * 100);
  if (taper_traces(traces.data(), 12, 100, 10))
    return 1;
  stack_gathers(traces.data(), 3, 4, 100, out.data());
  double sum = 0;
  for (float value : out)
    sum += value;
  std::printf("%.3f\n", sum);
}
