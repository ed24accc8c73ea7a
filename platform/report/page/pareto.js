// Any two metrics against each other, a mark for each point of the study with a box of its two intervals, and the front:
// the points that no other one is better than by both.
const judgeable = () => quantities().filter(({ metric }) => metric.better);

// Points of which the truth may be worse than the estimate make no front.
function front_of(points, x_better, y_better) {
  const cost = (value, better) => (better === "larger" ? -value : value);
  const sorted = points.filter((p) => !never_best.test(p.note)).map((p) => [cost(p.x, x_better), cost(p.y, y_better), p]);
  sorted.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let least = Infinity;
  return sorted.filter(([, y]) => (y < least ? ((least = y), true) : false)).map(([, , p]) => p);
}

const arrivals_of = (point) => data.points[point].filter((_, at) => data.keys[at].name.startsWith("arrivals.")).join();

// By series, and by what else is put in, which has the markers.
function scattered(x, y) {
  const by = state.arranged, of_x = estimates_of(x.metric, x.class_at), of_y = estimates_of(y.metric, y.class_at);
  const sets = new Map();
  for (const [point, a] of of_x) {
    const b = of_y.get(point), n = by.series[point], id = `${n} ${by.split[point]}`;
    if (!b) continue;
    const style = by.splits.length > 1 ? { ...by.styles[n], marker: by.split[point] } : by.styles[n];
    if (!sets.has(id)) sets.set(id, { ...empty_set(n, false), line: false, style });
    const note = [...new Set([...a.note.split("; "), ...b.note.split("; ")])].filter((word) => word).join("; ");
    const text = () => [...settings_of_point(point), value_text(x.name, x.metric.unit, a.value, a.low, a.high),
      value_text(y.name, y.metric.unit, b.value, b.low, b.high), ...note_text(note)];
    sets.get(id).points.push({ point, x: a.value, y: b.value, x_low: a.low, x_high: a.high, low: b.low, high: b.high, note, text });
  }
  return [...sets.values()];
}

// What arrives is given: points of one load are held against each other.
function fronts(points, x, y) {
  const by_arrivals = new Map();
  for (const p of points) {
    const arrivals = arrivals_of(p.point);
    if (!by_arrivals.has(arrivals)) by_arrivals.set(arrivals, []);
    by_arrivals.get(arrivals).push(p);
  }
  return [...by_arrivals.values()].flatMap((alike) => {
    const front = front_of(alike, x.metric.better, y.metric.better);
    const bare = front.map((p) => ({ ...p, note: "", x_low: null }));
    return front.length > 1 ? [{ label: "front", n: null, known: true, line: true, hidden: false, points: bare }] : [];
  });
}

// What the markers tell apart.
function marker_words() {
  const { splits } = state.arranged, most = 60;
  if (splits.length < 2 || splits.length > 24) return [];
  return splits.map((text, marker) => element("span", { class: "marker", title: text.length > most ? text : null },
    legend_mark({ marker }, { line: false }), text.length > most ? `${text.slice(0, most - 1)}\u2026` : text));
}

function pareto_section() {
  const all = judgeable();
  const at_name = (...names) => names.map((name) => all.findIndex((q) => q.name === name)).find((at) => at >= 0);
  const chosen = { y: at_name(...judged_or("response_time", "utility")) ?? 0 };
  chosen.x = at_name("energy_per_job", "cost", ...judged_or().slice(1), "response_time_p99", "utility_rate") ?? 0;
  if (chosen.x === chosen.y) chosen.x = chosen.y === 0 ? 1 : 0;
  const remarks = element("div", { class: "remarks" });
  const markers = element("p", { class: "marks" });
  const figure = element("div", { class: "plot" });

  // In one panel, so that a front goes over all points.
  function describe() {
    const [x, y] = [all[chosen.x], all[chosen.y]], sets = scattered(x, y);
    const visible = sets.filter((set) => !set.hidden).flatMap((set) => set.points);
    const axis = (q, values) => ({ name: with_unit(q.name, q.metric.unit), logarithmic: use_log_scale(values) });
    return { scatter: true, x: { ...axis(x, visible.map((p) => p.x)), numeric: true }, y: axis(y, visible.map((p) => p.y)),
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets: [...sets, ...fronts(visible, x, y)] }] };
  }
  function fill_words(shown) {
    fill_remarks(remarks, { ...shown, panels: shown.panels.map((panel) => ({ ...panel, sets: panel.sets.filter((set) => !set.known) })) });
    markers.replaceChildren(...marker_words());
    return `Plot of ${shown.y.name} against ${shown.x.name}. Arrow keys read the points.`;
  }
  const choice = (label, axis) => select(label, all.map(({ name }, at) => [at, name]), chosen[axis],
    (at) => { chosen[axis] = Number(at); self.update(); });
  const section = plain_section("pareto", "Two metrics against each other", "A box is two 95 % intervals. Dashed: the front, for each load, " +
    "of the points that no other one betters in both; those marked biased, unstable, overloaded or growing are left out.",
    element("div", { class: "controls" }, choice("across", "x"), choice("up", "y")), figure, markers, remarks);
  const self = live_plot(section, figure, describe, fill_words);
  return section;
}
