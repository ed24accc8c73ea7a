// Time as it is told: of a log by days and hours, with dates where it is known when it began; of other arrivals as a number.
const hour = 3600, day = 24 * hour;
const clock_steps = [60, 300, 900, 1800, hour, 3 * hour, 6 * hour, 12 * hour, ...[1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * day)];
const monday = 4 * day;  // the first one of 1970

// { seconds, start }: seconds in a unit of time, and time 0 in seconds since 1970 or null. Null: time is a number.
const clock_of = (point) => data.pictures?.clocks?.[point] ?? null;

const two_digits = (number) => String(number).padStart(2, "0");

// "2024-01-31 12:05", "3 d 12:05", with seconds where they are wanted.
function moment_text({ seconds, start }, time, with_seconds = false) {
  const at = Math.round(time * seconds + (start ?? 0)), [days, rest] = [Math.floor(at / day), ((at % day) + day) % day];
  const clock = `${two_digits(Math.floor(rest / hour))}:${two_digits(Math.floor((rest % hour) / 60))}${with_seconds ? `:${two_digits(rest % 60)}` : ""}`;
  return `${start === null ? `${days} d` : new Date(days * day * 1000).toISOString().slice(0, 10)} ${clock}`;
}

// @param clock null: a number
const time_text = (clock, time) => (clock ? moment_text(clock, time, true) : `${with_digits(time, 6)} ${data.unit}`);
const span_text = (clock, from, to) =>
  (clock ? `${moment_text(clock, from)} to ${moment_text(clock, to)}` : `${with_digits(from, 6)} to ${with_digits(to, 6)} ${data.unit}`);
const time_name = (clock) => (!clock ? with_unit("time", data.unit) : clock.start === null ? "time since the first arrival" : "time (UTC)");

// Whole hours, days or weeks (from Monday on) between two times, at most so many. Their texts are short.
function clock_ticks({ seconds, start }, from, to, most) {
  const length = (to - from) * seconds, step = clock_steps.find((one) => length / one <= most) ?? 364 * day * Math.ceil(length / (364 * day) / most);
  const offset = start === null ? 0 : start - (step % (7 * day) === 0 ? monday : 0);
  const first = Math.ceil((from * seconds + offset) / step), ticks = [];
  for (let n = first; n * step <= to * seconds + offset; ++n) {
    const at = (n * step - offset) / seconds, text = moment_text({ seconds, start }, at);
    ticks.push({ at, text: step >= day ? text.slice(0, -6) : start === null ? text : text.slice(5) });
  }
  return ticks;
}

// @param scale from times to places @param most ticks
const time_ticks = (clock, scale, most) => (clock ? clock_ticks(clock, ...scale.domain(), Math.max(2, most))
  : scale.ticks(Math.max(2, most)).map((at) => ({ at, text: plain_number(at) })));
