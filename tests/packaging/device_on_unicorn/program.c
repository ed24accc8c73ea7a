// Submits 1,000 jobs through the doorbell of the device, and takes their completions by interrupt from a ring in memory.
#include <stdint.h>

#define REGISTER(offset) (*(volatile uint32_t*)(0x10000000u + (offset)))
enum {
  DOORBELL = 0x00, TAG = 0x08, INTERRUPT_ENABLE = 0x20, RING_BASE = 0xa0, RING_SIZE = 0xa8, RING_HEAD = 0xb0,
  RING_TAIL = 0xb8, TYPE = 0x800, SIZE = 0x808,
  JOBS = 1000, RING = 16
};
#define HALT (*(volatile uint32_t*)0x20000000u)  // a store ends the program; the value is its result

struct completion {
  uint64_t tag, status, submitted, completed;
};

static volatile struct completion ring[RING];
static volatile uint32_t taken, failed, tags;

// The processor comes here while the interrupt line is high; mret returns.
__attribute__((interrupt, aligned(4))) static void on_interrupt(void) {
  const uint32_t tail = REGISTER(RING_TAIL);
  for (; taken != tail; ++taken) {
    const volatile struct completion* c = &ring[taken % RING];
    if (c->status != 0 || c->completed <= c->submitted) ++failed;
    tags += (uint32_t)c->tag;
  }
  REGISTER(RING_HEAD) = taken;
}

__attribute__((used)) static void run(void) {
  __asm__ volatile("csrw mtvec, %0" : : "r"(on_interrupt));
  REGISTER(RING_BASE) = (uint32_t)ring;
  REGISTER(RING_SIZE) = RING;
  REGISTER(INTERRUPT_ENABLE) = 1;
  __asm__ volatile("csrsi mstatus, 8");  // interrupts are enabled
  for (uint32_t job = 1; job <= JOBS; ++job) {
    REGISTER(TAG) = job;
    REGISTER(TYPE) = job & 1;
    REGISTER(SIZE) = 100 + (job & 15);
    REGISTER(DOORBELL) = 2;
  }
  while (taken != JOBS) {}
  HALT = failed == 0 && tags == JOBS * (JOBS + 1) / 2 ? 0 : 1;
  for (;;) {}
}

__attribute__((naked, section(".start"), used)) void start(void) {
  __asm__ volatile("li sp, 0x10000\n j run");
}
