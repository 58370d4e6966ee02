// A progress line on the terminal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Terminal.h"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <pthread.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace memshape {

constexpr std::chrono::milliseconds ShownAfter{1000}, Period{200};

static void write(std::string_view Text) {
  // A closed terminal is no failure.
  [[maybe_unused]] ssize_t Written = ::write(STDERR_FILENO, Text.data(), Text.size());
}

/// A thread draws the line, because long work is often a single wait for a child.
struct Progress::Line {
  explicit Line(std::string What) : What(std::move(What)) {
    // Signals go to the thread that does the work.
    sigset_t Every, Before;
    sigfillset(&Every);
    pthread_sigmask(SIG_SETMASK, &Every, &Before);
    Drawer = std::thread([this] { draw(); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

  ~Line() {
    {
      std::lock_guard<std::mutex> Lock(Guard);
      Ended = true;
    }
    Changed.notify_one();
    Drawer.join();
  }

  void draw() {
    std::unique_lock<std::mutex> Lock(Guard);
    const auto Start = std::chrono::steady_clock::now();
    bool Drawn = false;
    for (auto Wait = ShownAfter; !Changed.wait_for(Lock, Wait, [this] { return Ended; }); Wait = Period) {
      const auto Seconds =
          std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - Start).count();
      std::string Text = What + ": " + (All ? std::to_string(Done) + " of " + std::to_string(All) + ", " : "") + Part +
                         (Part.empty() ? "" : ", ") + std::to_string(Seconds) + " s";
      // A line wider than the terminal could not be erased.
      const std::size_t Width = Terminal::of(STDERR_FILENO).Width;
      if (Width > 1 && Text.size() >= Width)
        Text = oneLine(Text.substr(0, Width - 1));
      write("\r\033[K" + Text);
      Drawn = true;
    }
    if (Drawn)
      write("\r\033[K");
  }

  std::string What, Part;
  std::size_t Done = 0, All = 0;
  bool Ended = false;
  std::mutex Guard;
  std::condition_variable Changed;
  std::thread Drawer;
};

Progress::Progress(std::string What) {
  const char *Term = ::getenv("TERM");
  if (::isatty(STDERR_FILENO) && Term && std::string_view(Term) != "dumb")
    Shown = std::make_unique<Line>(std::move(What));
}

Progress::~Progress() = default;

void Progress::at(const std::string &Part, std::size_t Done, std::size_t All) {
  if (!Shown)
    return;
  std::lock_guard<std::mutex> Lock(Shown->Guard);
  Shown->Part = oneLine(Part);
  Shown->Done = Done;
  Shown->All = All;
}

} // namespace memshape
