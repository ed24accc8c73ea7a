// Any two metrics against each other, a mark for each point of the study with a box of its two intervals, and the front:
// the points that no other one is better than by both.
function quantities() {
  const all = [];
  for (const metric of data.metrics)
    metric.classes.forEach((name, class_at) => {
      if (metric.better) all.push({ metric, class_at, name: metric.name + of_class(name) });
    });
  return all;
}

function values_of({ metric, class_at }) {
  const by_point = new Map();
  for (const row of metric.rows) {
    if (row[1] !== class_at) continue;
    const [value, low, high] = ["estimate", "ci_low", "ci_high"].map((name) => finite(row[column(name)]));
    if (value !== null) by_point.set(row[0], { value, low, high, shown: row[column("estimate")], note: note_of(row) });
  }
  return by_point;
}

// Points that are biased or unstable may be worse than they look: they make no front.
function front_of(points, x_better, y_better) {
  const cost = (value, better) => (better === "larger" ? -value : value);
  const sorted = points.filter((p) => !/biased|unstable/.test(p.note)).map((p) => [cost(p.x, x_better), cost(p.y, y_better), p]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let least = Infinity;
  return sorted.filter(([, y]) => (y < least ? ((least = y), true) : false)).map(([, , p]) => p);
}

function pareto_section() {
  const all = quantities();
  const judged = (data.verdict?.metrics ?? []).map(({ title }) => title);
  const at_name = (...names) => names.map((name) => all.findIndex((q) => q.name === name)).find((at) => at >= 0);
  const chosen = { y: at_name(...judged, "response_time", "utility") ?? 0 };
  chosen.x = at_name("energy_per_job", "cost", ...judged.slice(1), "response_time_p99", "utility_rate") ?? 0;
  if (chosen.x === chosen.y) chosen.x = chosen.y === 0 ? 1 : 0;
  const canvas = element("canvas", { tabindex: "0", role: "img" }, "The same numbers are in the tables of the two metrics.");
  const remarks = element("div", { class: "remarks" });
  const legend = element("div", { class: "legend", role: "group", "aria-label": "Series" });

  function plot() {
    const over = abscissa();
    const [x, y] = [all[chosen.x], all[chosen.y]];
    const of_x = values_of(x), of_y = values_of(y);
    const sets = over.labels.map((label, n) => ({ label, n, style: over.styles[n], known: false, points: [], hidden: state.hidden.has(n) }));
    for (const [point, a] of of_x) {
      const b = of_y.get(point);
      if (!b) continue;
      const note = [...new Set([a.note, b.note].join("; ").split("; "))].filter((word) => word).join("; ");
      const arrivals = data.points[point].filter((_, at) => data.keys[at].name.startsWith("arrivals.")).join();
      sets[over.series[point]].points.push({ arrivals, x: a.value, y: b.value, x_low: a.low, x_high: a.high, low: b.low, high: b.high, note,
        text: [words_of_point(point), `${x.name} = ${a.shown}`, `${y.name} = ${b.shown}`, note].filter((text) => text) });
    }
    const visible = sets.filter((set) => !set.hidden).flatMap((set) => set.points);
    // What arrives is given: points of one load are held against each other.
    for (const arrivals of new Set(visible.map((p) => p.arrivals))) {
      const front = front_of(visible.filter((p) => p.arrivals === arrivals), x.metric.better, y.metric.better);
      if (front.length > 1)
        sets.push({ label: "front", n: null, known: true, points: front.map((p) => ({ ...p, note: "", x_low: null })), hidden: false });
    }
    const axis = (q, values) => ({ name: with_unit(q.name, q.metric.unit), logarithmic: wants_logarithm(values) });
    return { scatter: true, sets: sets.filter((set) => set.points.length), x: { ...axis(x, visible.map((p) => p.x)), numeric: true }, y: axis(y, visible.map((p) => p.y)) };
  }
  function fill_words(shown) {
    canvas.setAttribute("aria-label", `Plot of ${shown.y.name} against ${shown.x.name}. Arrow keys read the points.`);
    const points = { ...shown, sets: shown.sets.filter((set) => !set.known) };
    fill_remarks(remarks, points);
    fill_legend(legend, points);
  }
  const choice = (label, axis) => select(label, all.map((q, at) => [at, q.name]), chosen[axis], (at) => { chosen[axis] = Number(at); self.update(); });
  const section = plain_section("pareto", "Two metrics against each other", "A box is two 95 % intervals. Dashed: the front, for each load, of the points that no other one betters in both; those marked biased or unstable are left out.",
    element("div", { class: "controls" }, choice("across", "x"), choice("up", "y")), element("div", { class: "plot" }, canvas), remarks, legend);
  const self = live_plot(section, canvas, plot, fill_words);
  return section;
}
