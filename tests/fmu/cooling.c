/* A room with servers in it, and a controller that slows them down when the room is too warm: an FMU for co-simulation.
   The room loses `loss` W for each K above `outside` and takes up `capacity` J for each K. Heat is the same throughout
   a step, so that the temperature is known exactly. FMI is 2 or 3; its functions are declared here, apart from
   muster's. */

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ok, warning, discard, error, fatal };
enum { heat, speed, temperature, setpoint, capacity, loss, outside, fail_at, reals };
enum { fail_status = 100, queue, most_queued };
enum { open = 200, quiet };

#if FMI == 2
typedef void (*logger)(void* environment, const char* instance, int status, const char* category, const char* form,
                       ...);
typedef struct {
  logger log;
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*finished)(void*, int);
  void* environment;
} callbacks;
typedef int truth;
#else
typedef void (*logger)(void* environment, int status, const char* category, const char* text);
typedef bool truth;
#endif

typedef struct {
  double real[reals], time;
  int32_t fail_status, queue, most_queued;
  truth quiet;
  int runs;
  logger log;
  void* environment;
  char name[100];
} room;

static int say(const room* r, int status, const char* text) {
#if FMI == 2
  if (!r->quiet) r->log(r->environment, r->name, status, "room", "%s at %g s", text, r->time);
#else
  char whole[200];
  snprintf(whole, sizeof whole, "%s at %g s", text, r->time);
  if (!r->quiet) r->log(r->environment, status, "room", whole);
#endif
  return status;
}

static room* make(const char* name, const char* token, const char* resources, logger log, void* environment) {
  if (strcmp(token, "{cooling}") != 0) return NULL;
  room* r = calloc(1, sizeof *r);
  snprintf(r->name, sizeof r->name, "%s", name);
  r->log = log;
  r->environment = environment;
  /* What the room takes up stands in a file of the FMU. */
  char path[4200];
  snprintf(path, sizeof path, "%s/capacity.txt", strncmp(resources, "file://", 7) == 0 ? resources + 7 : resources);
  FILE* file = fopen(path, "r");
  if (!file || fscanf(file, "%lf", &r->real[capacity]) != 1) say(r, error, "capacity.txt is missing");
  if (file) fclose(file);
  r->real[setpoint] = 30.0;
  r->real[loss] = 10.0;
  r->real[outside] = r->real[temperature] = 20.0;
  r->real[fail_at] = 1e300;
  r->fail_status = error;
  r->most_queued = 1000000;
  return r;
}

static void control(room* r) { r->real[speed] = r->real[temperature] < r->real[setpoint] ? 1.0 : 0.5; }

static int step(room* r, double at, double length) {
  if (fabs(at - r->time) > 1e-9 * (1.0 + at)) return say(r, error, "the step begins at another time");
  if (at >= r->real[fail_at]) {
    if (r->fail_status == -1) abort();
    if (r->fail_status == -2)
      printf("the fan hums at %g s\n", at), fflush(stdout);
    else if (say(r, r->fail_status, "the fan has failed") != warning)
      return r->fail_status;
  }
  const double rest = r->real[outside] + r->real[heat] / r->real[loss];
  r->real[temperature] = rest + (r->real[temperature] - rest) * exp(-r->real[loss] * length / r->real[capacity]);
  r->time += length;
  control(r);
  return ok;
}

static int real_of(room* r, unsigned reference, double* value, bool set) {
  if (reference >= reals) return say(r, error, "no such variable");
  if (set)
    r->real[reference] = *value;
  else
    *value = r->real[reference];
  return ok;
}

static int integer_of(room* r, unsigned reference, int32_t* value, bool set) {
  int32_t* const own = reference == fail_status ? &r->fail_status : reference == queue ? &r->queue : &r->most_queued;
  if (set)
    *own = *value;
  else
    *value = *own;
  return ok;
}

static int truth_of(room* r, unsigned reference, truth* value, bool set) {
  if (set && reference == quiet) r->quiet = *value;
  if (!set) *value = reference == open ? r->queue <= r->most_queued : r->quiet;
  return ok;
}

#if FMI == 2
#define EACH(name, type, of, set)                                                                    \
  int name(void* c, const unsigned reference[], size_t count, type value[]) {                        \
    int status = ok;                                                                                 \
    for (size_t i = 0; i < count && status == ok; ++i) status = of(c, reference[i], value + i, set); \
    return status;                                                                                   \
  }
EACH(fmi2SetReal, double, real_of, true)
EACH(fmi2GetReal, double, real_of, false)
EACH(fmi2SetInteger, int32_t, integer_of, true)
EACH(fmi2GetInteger, int32_t, integer_of, false)
EACH(fmi2SetBoolean, truth, truth_of, true)
EACH(fmi2GetBoolean, truth, truth_of, false)

void* fmi2Instantiate(const char* name, int type, const char* token, const char* resources, const callbacks* functions,
                      int visible, int logging) {
  return type == 1 && !visible && logging ? make(name, token, resources, functions->log, functions->environment) : NULL;
}
void fmi2FreeInstance(void* c) { free(c); }
int fmi2SetupExperiment(void* c, int tolerance_defined, double tolerance, double start, int stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((room*)c)->time = start;
  return ok;
}
int fmi2EnterInitializationMode(void* c) { return (void)c, ok; }
int fmi2ExitInitializationMode(void* c) { return control(c), ok; }
int fmi2Terminate(void* c) { return (void)c, ok; }
int fmi2DoStep(void* c, double at, double length, int no_way_back) { return (void)no_way_back, step(c, at, length); }
#else
#define EACH(name, type, of, set)                                                                    \
  int name(void* c, const uint32_t reference[], size_t count, type value[], size_t values) {         \
    int status = count == values ? ok : error;                                                       \
    for (size_t i = 0; i < count && status == ok; ++i) status = of(c, reference[i], value + i, set); \
    return status;                                                                                   \
  }
EACH(fmi3SetFloat64, double, real_of, true)
EACH(fmi3GetFloat64, double, real_of, false)
EACH(fmi3SetInt32, int32_t, integer_of, true)
EACH(fmi3GetInt32, int32_t, integer_of, false)
EACH(fmi3SetBoolean, truth, truth_of, true)
EACH(fmi3GetBoolean, truth, truth_of, false)

void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible,
                                  bool logging, bool events, bool early, const uint32_t intermediate[], size_t count,
                                  void* environment, logger log, void* update) {
  (void)intermediate, (void)update;
  return !visible && logging && !events && !early && count == 0 ? make(name, token, resources, log, environment) : NULL;
}
void fmi3FreeInstance(void* c) { free(c); }
int fmi3EnterInitializationMode(void* c, bool tolerance_defined, double tolerance, double start, bool stop_defined,
                                double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((room*)c)->time = start;
  return ok;
}
int fmi3ExitInitializationMode(void* c) { return control(c), ok; }
int fmi3Terminate(void* c) { return (void)c, ok; }
int fmi3DoStep(void* c, double at, double length, bool no_way_back, bool* event, bool* end, bool* early,
               double* reached) {
  (void)no_way_back;
  const int status = step(c, at, length);
  *event = *end = *early = false;
  *reached = ((room*)c)->time;
  return status;
}
#endif
