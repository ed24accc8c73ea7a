// Mean bounded slowdown of the jobs of a log by what they need and how long they run: a table for each policy.
const run_limits = [60, 600, hour, 6 * hour, day];
const limit_text = (seconds) => (seconds < hour ? `${seconds / 60} min` : `${seconds / hour} h`);
const run_text = (limit) => (limit === null ? `${limit_text(run_limits[run_limits.length - 1])} and more` : `< ${limit_text(limit)}`);
const needs_text = (largest) => (largest <= 2 ? String(largest) : `${largest / 2 + 1}-${largest}`);

// @param share of a value: the strength of its colour
function slowdown_table(point, name, needs, runs, share) {
  const cells = new Map(data.pictures.slowdowns[point].map(([cores, run, jobs, mean]) => [`${cores} ${run}`, { jobs, mean }]));
  const rows = needs.map((need) => element("tr", {}, element("th", { scope: "row" }, needs_text(need)), ...runs.map((run) => {
    const found = cells.get(`${need} ${run}`);
    if (!found) return element("td", {}, "-");
    const jobs = `${found.jobs} ${found.jobs === 1 ? "job" : "jobs"}`;
    return element("td", { class: "heat place", style: `--share: ${share(found.mean)}`,
      title: `${needs_text(need)} ${need === 1 ? "core" : "cores"}, run time ${run_text(run)}: mean bounded slowdown ${with_digits(found.mean)} of ${jobs}` },
      element("span", { class: "value" }, with_digits(found.mean, 3)), element("span", { class: "words" }, jobs));
  })));
  return element("figure", { class: "matrix" }, element("figcaption", {}, name),
    framed_table("slowdowns", `Mean bounded slowdown, ${name}`, ["cores", ...runs.map(run_text)], rows.reverse()));
}

function slowdowns_part() {
  const holder = element("div", { class: "matrices" }), range = element("p", { class: "marks" });
  const section = part_of_point("Slowdown by need and run time", "The mean bounded slowdown of the jobs of the log, and how many they are, by the cores that " +
    "they need (upward) and their run time (across), in the first replication: the policies under what else is set at the point. The stronger the colour, the " +
    "larger it is, shaded by the logarithm and alike in all tables.", holder, range);
  function update() {
    const points = alike(closely.point, data.pictures.slowdowns), all = points.flatMap((point) => data.pictures.slowdowns[point] ?? []);
    section.hidden = all.length === 0;
    if (section.hidden) return;
    const needs = [...new Set(all.map(([cores]) => cores))].sort((a, b) => a - b), found = new Set(all.map(([, run]) => run));
    const runs = [...run_limits, null].filter((run) => found.has(run));
    const [low, high] = least_and_most(all.map(([, , , mean]) => mean));
    const share = low < high ? scale_of([low, high], true).range([0.04, 0.6]) : () => 0.04;
    holder.replaceChildren(...points.map((point) => slowdown_table(point, look_of(point, points).label || point_words(point), needs, runs, share)));
    range.textContent = `From ${with_digits(low)} to ${with_digits(high)}.`;
  }
  update();
  return { section, update };
}
