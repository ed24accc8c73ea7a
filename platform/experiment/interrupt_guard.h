#pragma once

#include <csignal>

namespace muster {

/// While it lives, SIGINT and SIGTERM only leave a mark, which stays. One at a time.
class interrupt_guard {
 public:
  interrupt_guard() {
    struct sigaction action {};
    action.sa_handler = [](int) { mark = 1; };
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
  }
  ~interrupt_guard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
  }
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;

  /// Whether one of them has come.
  bool seen() const { return mark != 0; }

 private:
  static inline volatile std::sig_atomic_t mark = 0;
  struct sigaction before_int_ {
  }, before_term_{};
};

}  // namespace muster
