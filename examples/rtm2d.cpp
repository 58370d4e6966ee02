// Reverse-time migration within any memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient of the misfit of one shot by the adjoint of acoustic modelling: second order in time, fourth in space,
// pressure zero on all sides, receivers along the top. The adjoint wave field runs backwards in time and meets the field
// of the source at each step, so that all nt states are needed in the opposite order. At most `slots` of them are stored.
//
// Memory: a state, which is two wave fields, for each slot; the current state; the adjoint state and its product with
// the model; what the driver keeps.
//
//     rtm2d nz nx nt slots           the gradient
//     rtm2d check nz nx nt slots     beside it with all states stored, and beside finite differences of the misfit

#include "driver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <memshape/checkpoint.h>
#include <memshape/operator.h>
#include <vector>

namespace checkpoint = memshape::checkpoint;

namespace {

constexpr int Pad = 2; ///< points beyond each side that stay zero; the stencil reaches so far

/// Rows of nz x nx points with Pad points around.
struct Grid {
  int nz, nx;
  std::size_t columns() const { return std::size_t(nx) + 2 * Pad; }
  std::size_t points() const { return (std::size_t(nz) + 2 * Pad) * columns(); }
  std::size_t at(int z, int x) const { return std::size_t(z + Pad) * columns() + std::size_t(x + Pad); }
  std::size_t receiver(int x) const { return at(nz > 1 ? 1 : 0, x); }
  std::size_t source() const { return at(nz / 2, nx / 2); }
};

using Field = std::vector<double>;

/// Two fields, one time step apart.
struct State {
  Field now, before;
  explicit State(const Grid &grid) : now(grid.points()), before(grid.points()) {}
};

/// Symmetric: it is its own adjoint.
double laplacian(const Field &u, std::size_t at, std::size_t row) {
  return -5 * u[at] + (4.0 / 3) * (u[at - 1] + u[at + 1] + u[at - row] + u[at + row]) -
         (1.0 / 12) * (u[at - 2] + u[at + 2] + u[at - 2 * row] + u[at + 2 * row]);
}

/// A Ricker wavelet.
double wavelet(int step) {
  const double phase = 0.3 * step - 2;
  return (1 - 2 * phase * phase) * std::exp(-phase * phase);
}

/// next = 2 now - before + model * Laplacian(now) + source, in the place of before.
void advance(State &u, const float *model, const Grid &grid, int step) {
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x) {
      const std::size_t at = grid.at(z, x);
      const double speed = model[std::size_t(z) * std::size_t(grid.nx) + std::size_t(x)];
      u.before[at] = 2 * u.now[at] - u.before[at] + speed * laplacian(u.now, at, grid.columns());
    }
  u.before[grid.source()] += wavelet(step);
  u.now.swap(u.before);
}

/// One step of the adjoint field, which is driven by the residuals of this step: 2 now - before + Laplacian(model * now).
void advance_adjoint(State &a, const float *model, const Grid &grid, const State &u, const float *observed) {
  Field product(grid.points());
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x)
      product[grid.at(z, x)] =
          double(model[std::size_t(z) * std::size_t(grid.nx) + std::size_t(x)]) * a.now[grid.at(z, x)];
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x) {
      const std::size_t at = grid.at(z, x);
      a.before[at] = 2 * a.now[at] - a.before[at] + laplacian(product, at, grid.columns());
    }
  for (int x = 0; x < grid.nx; ++x)
    a.before[grid.receiver(x)] += u.now[grid.receiver(x)] - double(observed[x]);
  a.now.swap(a.before);
}

/// The step from state u to the next one, and its reversal.
void reverse_step(State &u, State &adjoint, const float *model, const float *observed, const Grid &grid, int step,
                  float *gradient) {
  advance(u, model, grid, step);
  advance_adjoint(adjoint, model, grid, u, observed + std::size_t(step) * std::size_t(grid.nx));
  // The step began with what is now the field before.
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x)
      gradient[std::size_t(z) * std::size_t(grid.nx) + std::size_t(x)] +=
          float(adjoint.now[grid.at(z, x)] * laplacian(u.before, grid.at(z, x), grid.columns()));
}

} // namespace

/// The gradient of half the sum of the squared residuals, nz x nx, with respect to the model: velocity times time step
/// over grid step, squared, below 0.37. Observed: nt x nx.
MEMSHAPE_OPERATOR
void rtm2d(const float *model, const float *observed, int nz, int nx, int nt, int slots, float *gradient) {
  const Grid grid{nz, nx};
  State u(grid), adjoint(grid);
  checkpoint::Pool<State> pool;
  for (std::size_t n = 0; n < std::size_t(nz) * std::size_t(nx); ++n)
    gradient[n] = 0;
  checkpoint::reverse(
      nt, slots,
      [&](std::int64_t from, std::int64_t to) {
        for (; from < to; ++from)
          advance(u, model, grid, int(from));
      },
      [&](std::int64_t) { return pool.store(u); }, [&](const auto &copy, std::int64_t) { u = copy.state(); },
      [&](std::int64_t step) { reverse_step(u, adjoint, model, observed, grid, int(step), gradient); });
}

namespace {

/// What the receivers record, nt x nx, and the misfit against what is observed.
double record(const float *model, const Grid &grid, int nt, float *traces, const float *observed = nullptr) {
  State u(grid);
  double misfit = 0;
  for (int step = 0; step < nt; ++step) {
    advance(u, model, grid, step);
    for (int x = 0; x < grid.nx; ++x) {
      const std::size_t n = std::size_t(step) * std::size_t(grid.nx) + std::size_t(x);
      const double value = u.now[grid.receiver(x)];
      if (traces)
        traces[n] = float(value);
      if (observed)
        misfit += (value - double(observed[n])) * (value - double(observed[n])) / 2;
    }
  }
  return misfit;
}

/// Processor time of the fastest of three calls.
template <class Callable> double seconds(const Callable &call) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    call();
    least = std::min(least, double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

/// 0.2 with noise of that size around it.
std::vector<float> make_model(const Grid &grid, float noise) {
  const std::size_t count = std::size_t(grid.nz) * std::size_t(grid.nx);
  float *random = driver_make_input(count);
  std::vector<float> model(random, random + count);
  for (float &value : model)
    value = 0.2f + noise * value;
  free(random);
  return model;
}

/// One line for each check; whether all hold.
bool check(const Grid &grid, int nt, int slots, const std::vector<float> &model, const std::vector<float> &observed) {
  const std::size_t count = model.size();
  std::vector<float> few(count), all(count);
  rtm2d(model.data(), observed.data(), grid.nz, grid.nx, nt, nt, all.data());
  const auto migrate = [&](int held) {
    return seconds([&] { rtm2d(model.data(), observed.data(), grid.nz, grid.nx, nt, held, few.data()); });
  };
  const auto steps = [&](int held) { return double(checkpoint::least_forward_steps(nt, held)); };
  // The time of a forward step from runs with fewer and with more states.
  const int fewer = std::max(slots / 2, 1), more = std::min(slots * 2, nt);
  const double slow = migrate(fewer), fast = migrate(more), took = migrate(slots);
  const double forward = steps(fewer) > steps(more) ? (slow - fast) / (steps(fewer) - steps(more)) : 0;
  const bool identical = std::memcmp(few.data(), all.data(), count * sizeof(float)) == 0;
  printf("gradient with %d of %d states: %s\n", slots, nt, identical ? "identical" : "DIFFERENT");

  // Towards a point that is not the one observed.
  const std::vector<float> direction = make_model(grid, 0.05f);
  constexpr float Step = 1.0f / 16384;
  std::vector<float> up(model), down(model);
  double predicted = 0;
  for (std::size_t n = 0; n < count; ++n) {
    up[n] += Step * direction[n];
    down[n] -= Step * direction[n];
    predicted += double(few[n]) * (double(up[n]) - double(down[n]));
  }
  const double measured =
      record(up.data(), grid, nt, nullptr, observed.data()) - record(down.data(), grid, nt, nullptr, observed.data());
  const double error = std::abs(predicted - measured) / std::max(std::abs(measured), 1e-300);
  printf("misfit by the gradient %.6e, by differences %.6e: relative error %.1e\n", predicted, measured, error);

  const double expected = fast + (steps(slots) - steps(more)) * forward;
  printf("%.0f forward steps, %.2f of a single sweep\n", steps(slots), steps(slots) / std::max(nt - 1, 1));
  printf("predicted %.3f s, took %.3f s: %.2f\n", expected, took, took / std::max(expected, 1e-9));
  return identical && error < 1e-4;
}

} // namespace

int main(int argc, char **argv) {
  const bool checks = argc > 1 && !strcmp(argv[1], "check");
  int shape[4];
  if (checks)
    argv[1] = argv[0];
  driver_read_shape(argc - checks, argv + checks, "nz nx nt slots", 4, shape);
  const Grid grid{shape[0], shape[1]};
  const int nt = shape[2];
  std::vector<float> observed(std::size_t(nt) * std::size_t(grid.nx));
  record(make_model(grid, 0.05f).data(), grid, nt, observed.data());
  const std::vector<float> model = make_model(grid, 0);
  if (checks)
    return check(grid, nt, shape[3], model, observed) ? 0 : 1;
  std::vector<float> gradient(model.size());
  for (int call = 0; call < DriverCalls; ++call)
    rtm2d(model.data(), observed.data(), grid.nz, grid.nx, nt, shape[3], gradient.data());
  printf("rtm2d %.6e\n", driver_checksum(gradient.data(), gradient.size()));
}
