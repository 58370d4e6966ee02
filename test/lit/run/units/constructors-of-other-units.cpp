// Members that a constructor of another unit gives every object: callers may have set them since.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What it leaves empty, null or the same number in all objects is a setting, as where its body is seen.
// What follows from the symbols is as the constructor leaves it.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -DOTHER_UNIT -c %s -o %t.other.o
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: %predict %t.other.o --operator byExtent --shape t.n=100 | FileCheck --check-prefix=EXTENT %s
// RUN: %predict %t.other.o --operator byZero --shape t.n=100 | FileCheck --check-prefix=ZERO %s
// RUN: %predict %t.other.o --operator byZero --shape t.n=100 --set t.shift=7 | %says "peak heap {{.*}} 28 bytes exact"
// RUN: %predict %t.other.o --operator byWidth --shape t.n=100 | %says "byWidth at t.n=100; t.width=5{{$}}" "20 bytes exact"
// RUN: %predict %t.other.o --operator byGain --shape t.n=100 | FileCheck --check-prefix=GAIN %s
// RUN: %predict %t.other.o --operator byMute --shape t.n=100 --set t.mute.present=1 | %says "peak heap {{.*}} 400 bytes exact"
// RUN: %predict %t.other.o --operator byPicks --shape t.n=100 | FileCheck --check-prefix=PICKS %s
// RUN: %predict %t.other.o --operator byNext --shape t.size=4,t[0].n=100 | FileCheck --check-prefix=NEXT %s
// RUN: %predict %t.other.o --operator grown --shape marks.size=9,like.n=3 | %says "peak heap {{.*}} 120 bytes at most"
// EXTENT: byExtent at t.n=100{{$}}
// EXTENT: peak heap {{.*}} 600 bytes exact
// ZERO: byZero at t.n=100; t.shift=0{{$}}
// GAIN: peak heap {{.*}} 400 bytes at most
// PICKS: byPicks at t.n=100; t.picks.size=0{{$}}
// NEXT: byNext at t.size=4, t[0].n=100; t[0].next.size=0{{$}}

#include <limits>
#include <set>
#include <vector>

class Trace {
public:
  explicit Trace(int n);
  int n_, half_, width_, shift_;
  double gain_;
  float *mute_;
  std::vector<float> picks_;
  std::vector<Trace *> next_;
};

#ifdef OTHER_UNIT

Trace::Trace(int n) {
  n_ = n;
  half_ = n / 2;
  width_ = 5;
  shift_ = 0;
  gain_ = std::numeric_limits<double>::max();
  mute_ = nullptr;
  picks_.resize(0);
}

#else

int *byExtent(const Trace &t) { return new int[t.n_ + t.half_]; }
int *byZero(const Trace &t) { return new int[t.shift_]; }
int *byWidth(const Trace &t) { return new int[t.width_]; }
int *byGain(const Trace &t) { return new int[t.gain_ > 3 ? t.n_ : 2]; }
int *byMute(const Trace &t) { return t.mute_ ? new int[t.n_] : nullptr; }
int *byPicks(const Trace &t) { return new int[t.picks_.size()]; }
int *byNext(std::vector<Trace *> &t) { return new int[t[1]->next_.size()]; }

// What is returned tells nothing here, the first argument does.
Trace *grown(std::set<int> &marks, const Trace &like) {
  marks.insert(1);
  return new Trace(like.n_);
}

#endif
