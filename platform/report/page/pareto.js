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

// Points that are biased or unstable may be worse than they look: they make no front.
function front_of(points, x_better, y_better) {
  const cost = (value, better) => (better === "larger" ? -value : value);
  const sorted = points.filter((p) => !/biased|unstable/.test(p.note)).map((p) => [cost(p.x, x_better), cost(p.y, y_better), p]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let least = Infinity;
  return sorted.filter(([, y]) => (y < least ? ((least = y), true) : false)).map(([, , p]) => p);
}

const arrivals_of = (point) => data.points[point].filter((_, at) => data.keys[at].name.startsWith("arrivals.")).join();

function pareto_section() {
  const all = quantities();
  const judged = (data.verdict?.metrics ?? []).map(({ title }) => title);
  const at_name = (...names) => names.map((name) => all.findIndex((q) => q.name === name)).find((at) => at >= 0);
  const chosen = { y: at_name(...judged, "response_time", "utility") ?? 0 };
  chosen.x = at_name("energy_per_job", "cost", ...judged.slice(1), "response_time_p99", "utility_rate") ?? 0;
  if (chosen.x === chosen.y) chosen.x = chosen.y === 0 ? 1 : 0;
  const remarks = element("div", { class: "remarks" });
  const markers = element("p", { class: "marks" });
  const figure = element("div", { class: "plot" });

  // In one panel, so that a front goes over all points: the markers tell apart what else are panels.
  function describe() {
    const by = state.arranged, [x, y] = [all[chosen.x], all[chosen.y]];
    const of_x = estimates_of(x.metric, x.class_at), of_y = estimates_of(y.metric, y.class_at);
    const sets = by.labels.map((label, n) => ({ label, n, known: false, points: [], hidden: state.hidden.has(label), style: by.styles[n] }));
    const split = new Map();
    for (const [point, a] of of_x) {
      const b = of_y.get(point), n = by.series[point];
      if (!b) continue;
      const id = `${n} ${by.split[point]}`;
      if (!split.has(id)) split.set(id, { ...sets[n], points: [], style: by.splits.length > 1 ? { ...sets[n].style, marker: by.split[point] } : sets[n].style });
      const note = [...new Set([a.note, b.note].join("; ").split("; "))].filter((word) => word).join("; ");
      split.get(id).points.push({ point, x: a.value, y: b.value, x_low: a.low, x_high: a.high, low: b.low, high: b.high, note,
        text: () => [...settings_of_point(point), `${x.name} = ${with_half_width(a.value, a.low)} ${x.metric.unit}`, `${y.name} = ${with_half_width(b.value, b.low)} ${y.metric.unit}`, note].filter((text) => text) });
    }
    const found = [...split.values()];
    const visible = found.filter((set) => !set.hidden).flatMap((set) => set.points);
    // What arrives is given: points of one load are held against each other.
    for (const arrivals of new Set(visible.map((p) => arrivals_of(p.point)))) {
      const front = front_of(visible.filter((p) => arrivals_of(p.point) === arrivals), x.metric.better, y.metric.better);
      if (front.length > 1)
        found.push({ label: "front", n: null, known: true, line: true, hidden: false, points: front.map((p) => ({ ...p, note: "", x_low: null })) });
    }
    const axis = (q, values) => ({ name: with_unit(q.name, q.metric.unit), logarithmic: wants_logarithm(values) });
    return { scatter: true, panels: [{ title: "", row: 0, row_title: "", marks: [], sets: found }],
      x: { ...axis(x, visible.map((p) => p.x)), numeric: true }, y: axis(y, visible.map((p) => p.y)) };
  }
  function fill_words(shown) {
    const { splits } = state.arranged;
    fill_remarks(remarks, { ...shown, panels: shown.panels.map((panel) => ({ ...panel, sets: panel.sets.filter((set) => !set.known) })) });
    markers.replaceChildren(...(splits.length > 1 && splits.length <= 24 ? splits.map((text, marker) =>
      element("span", { class: "marker", title: text.length > 60 ? text : null }, legend_mark({ marker }, { line: false }), text.length > 60 ? `${text.slice(0, 59)}\u2026` : text)) : []));
    return `Plot of ${shown.y.name} against ${shown.x.name}. Arrow keys read the points.`;
  }
  const choice = (label, axis) => select(label, all.map((q, at) => [at, q.name]), chosen[axis], (at) => { chosen[axis] = Number(at); self.update(); });
  const section = plain_section("pareto", "Two metrics against each other", "A box is two 95 % intervals. Dashed: the front, for each load, of the points that no other one betters in both; those marked biased or unstable are left out.",
    element("div", { class: "controls" }, choice("across", "x"), choice("up", "y")), figure, markers, remarks);
  const self = live_plot(section, figure, describe, fill_words);
  return section;
}
