// Members that a constructor gives every object: callers may have set them since.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are settings, which are as the constructor leaves them if nobody gives them. Of a container that it leaves empty
// the extents are settings, of a pointer that it leaves null whether it is there. Those that nobody reads are not told.
// Other plain data is data, as an atomic counter; a mutex is no obstacle.
// What the constructor computes is no setting, what its body changes is one where it is found to be a constant; numbers
// with a point are data.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=Trace::window -fplugin-arg-memshape-operator=Trace::smooth -fplugin-arg-memshape-operator=Trace::mask -fplugin-arg-memshape-operator=Trace::taper -fplugin-arg-memshape-operator=Trace::rest -fplugin-arg-memshape-operator=Trace::best -fplugin-arg-memshape-operator=Trace::calls -fplugin-arg-memshape-operator=Trace::gained -c %s -o %t.o
// RUN: %predict --operator Trace::window --shape this.n=100 | FileCheck --check-prefix=WINDOW %s
// RUN: %predict --operator Trace::window --shape this.n=100 --set this.width=7 | %says "peak heap {{.*}} 28 bytes exact"
// RUN: %predict --operator Trace::smooth --shape this.n=100 | FileCheck --check-prefix=EMPTY %s
// RUN: %predict --operator Trace::smooth --shape this.n=100,this.picks.size=50 | %says "peak heap {{.*}} 600 bytes exact"
// RUN: %predict --operator Trace::mask --shape this.n=100 | %says "peak heap {{.*}} 0 bytes exact" "'this.mute' is taken to be null"
// RUN: %predict --operator Trace::mask --shape this.n=100 --set this.mute.present=1 | FileCheck --check-prefix=THERE %s
// RUN: %predict --operator Trace::taper --shape this.n=100 | FileCheck --check-prefix=TAPER %s
// RUN: %predict --operator Trace::rest --shape this.n=100 | FileCheck --check-prefix=REST %s
// RUN: %predict --operator Trace::best --shape this.n=100 --set this.best.has_value=1 | FileCheck --check-prefix=BEST %s
// RUN: %predict --operator Trace::calls --shape this.n=100 | FileCheck --check-prefix=CALLS %s
// RUN: %predict --operator Trace::gained --shape this.n=100 | FileCheck --check-prefix=GAIN %s
// WINDOW: Trace::window at this.n=100; this.width=5{{$}}
// WINDOW: peak heap {{.*}} 20 bytes exact
// EMPTY: Trace::smooth at this.n=100; this.picks.size=0{{$}}
// EMPTY: peak heap {{.*}} 400 bytes exact
// THERE: peak heap {{.*}} 400 bytes exact
// TAPER: Trace::taper at this.n=100; this.taper.ends=2{{$}}
// TAPER: peak heap {{.*}} 16 bytes exact
// REST: Trace::rest at this.n=100; this.shift=1, this.count=32{{$}}
// REST: peak heap {{.*}} 139 bytes exact
// BEST: peak heap {{.*}} 400 bytes exact
// CALLS: peak heap {{.*}} at least
// GAIN: peak heap {{.*}} 0 bytes at least

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

struct Taper {
  int ends = 2;
};

struct Shot {
  explicit Shot(const std::vector<int> &at) : receivers(at) {}
  std::vector<int> receivers;
};

class Base {
public:
  void shift(int by) { shift_ = by; }

protected:
  int shift_ = 0, kept_ = 9;
};

class Trace : public Base {
public:
  explicit Trace(int n) : n_(n), half_(n / 2) {
    shift_ = 1;
    count_ += 32;
    if (n < 0)
      return;
    early_ = 7;
  }
  void width(int width) { width_ = width; }
  void pick(float at) { picks_.push_back(at); }
  void gain(double gain) { gain_ = gain; }
  void mute() { mute_ = new float[n_]; }
  Taper &tapers() { return taper_; }

  float window() const;
  float smooth() const;
  float mask() const;
  float taper() const;
  float rest() const;
  float best() const;
  float calls() const;
  float gained() const;

private:
  int n_, half_, width_ = 5, count_ = 0, early_ = 1;
  Taper taper_;
  std::vector<float> picks_;
  float *mute_ = nullptr;
  std::optional<int> best_;
  std::atomic<int> calls_{4};
  std::mutex lock_;
  double gain_ = 0.0;
  std::vector<Shot> shots_;
};

float Trace::window() const { return std::vector<float>(width_).back(); }
float Trace::smooth() const { return std::vector<float>(picks_.size() + n_).back(); }
float Trace::mask() const { return mute_ ? std::vector<float>(mute_, mute_ + n_).back() : 0; }
float Trace::taper() const { return std::vector<double>(taper_.ends).back(); }
float Trace::rest() const { return std::vector<char>(half_ * 2 + count_ * shift_ + early_).back(); }
float Trace::best() const { return best_ ? std::vector<float>(n_).back() : 0; }
float Trace::calls() const { return std::vector<float>(calls_).back(); }
float Trace::gained() const { return std::vector<float>(shots_.size() + size_t(gain_)).back(); }
