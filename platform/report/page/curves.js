// The section of a metric: its curves over the axis, in panels for two further keys; a table where nothing but policies differs.
function empty_set(n, known) {
  const { labels, styles, numeric } = state.arranged;
  const label = known ? (labels[n] ? `theory: ${labels[n]}` : "theory") : labels[n];
  return { label, n, style: styles[n], known, line: numeric, points: [], hidden: state.hidden.has(labels[n]) || (known && state.no_theory) };
}

// By panel: a set for each series, and theory.
function sets_of(metric, class_at) {
  const by = state.arranged;
  const spread = (n) => (by.numeric ? 0 : 0.6 * ((n + 0.5) / by.labels.length - 0.5));
  const panels = by.panels.map(() => [false, true].map((known) => by.labels.map((_, n) => empty_set(n, known))));
  function add(known, point, { value, low, high, note }) {
    const n = by.series[point];
    const text = () => [...settings_of_point(point), value_text(metric.name, metric.unit, value, low, high),
      ...interval_text(low, high), ...note_text(note), ...(known ? ["theory"] : [])];
    panels[by.panel[point]][Number(known)][n].points.push({ x: by.x[point] + spread(n), y: value, low, high, note, point, text });
  }
  for (const [point, estimate] of estimates_of(metric, class_at)) add(false, point, estimate);
  for (const [point, value] of theory_of(metric, class_at)) add(true, point, { value, low: null, high: null, note: "" });
  return panels.map(([measured, known]) => {
    for (const set of [...measured, ...known]) set.points.sort((a, b) => a.x - b.x);
    return [...measured.filter((set) => set.points.length), ...common_theory(known.filter((set) => set.points.length))];
  });
}

// One curve for the series that theory does not tell apart.
function common_theory(known) {
  const groups = new Map();
  for (const set of known) {
    const what = set.points.map((p) => `${p.x} ${p.y}`).join();
    groups.set(what, [...(groups.get(what) ?? []), set]);
  }
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]
    : { ...group[0], label: group.length === known.length ? "theory" : group.map((set) => set.label).join("; "), n: null,
      hidden: group.every((set) => set.hidden) }));
}

// The limits of stability of a panel's series.
function marks_in(panel) {
  const by = state.arranged, in_panel = new Set(by.series.filter((_, point) => by.panel[point] === panel));
  return by.marks.flatMap(({ at, kind, points }) => {
    const series = [...new Set(points.filter((point) => by.panel[point] === panel).map((point) => by.series[point]))];
    if (series.length === 0) return [];
    const named = series.length > 2 ? `, ${series.length} series` : series.map((n) => `, ${by.labels[n]}`).join("");
    return [{ at, text: kind + (series.length === in_panel.size ? "" : named) }];
  });
}

// Panels with the same limits have one sentence.
function stability_words(shown) {
  const by_text = new Map();
  for (const panel of shown.panels) {
    const text = panel.marks.map(mark_text).join("; ");
    if (text) by_text.set(text, [...(by_text.get(text) ?? []), [panel.row_title, panel.title].filter((title) => title).join(", ")]);
  }
  const lines = [...by_text].map(([text, titles]) => (titles.length === shown.panels.length ? text : `${titles.join(" and ")}: ${text}`));
  return lines.length ? `Stability: ${lines.join(". ")}.` : "";
}

function metric_section(metric) {
  const id = `metric-${metric.name}`;
  const chosen = { class_at: Math.max(0, metric.classes.indexOf("all")), logarithmic: {} };
  const head = [heading(metric, id), element("p", { class: "about" }, `${metric.about}.`)];
  if (state.arranged.tabular)
    return element("section", { id, "aria-labelledby": `${id}-title` }, ...head, class_table(metric), metric_table(metric));
  const controls = element("div", { class: "controls" });
  const marks = element("p", { class: "marks" });
  const remarks = element("div", { class: "remarks" });
  const figure = element("div", { class: "plot" });
  const section = element("section", { id, "aria-labelledby": `${id}-title` }, ...head, controls, figure, marks, remarks, metric_table(metric));

  function describe() {
    const by = state.arranged, panels = sets_of(metric, chosen.class_at);
    const points = panels.flat().flatMap((set) => set.points);
    // On paper the controls are gone: what has been chosen stands at the axis.
    const name = with_unit(metric.name + of_class(metric.classes[chosen.class_at]), metric.unit);
    return {
      x: { name: key_name(by.axis), numeric: by.numeric, categories: by.categories,
        logarithmic: chosen.logarithmic.x ?? (by.numeric && use_log_scale(points.map((p) => p.x))) },
      y: { name, logarithmic: chosen.logarithmic.y ?? use_log_scale(points.map((p) => p.y)) },
      panels: by.panels.map((panel, at) => ({ ...panel, sets: panels[at], marks: marks_in(at) })).filter((panel) => panel.sets.length),
    };
  }

  function fill_controls(shown) {
    const points = sets_in(shown).flatMap((set) => set.points);
    const set_axis = (name) => (on) => { chosen.logarithmic[name] = on; self.update(); };
    controls.replaceChildren();
    if (metric.classes.length > 1)
      controls.append(select("class", metric.classes.map((name, at) => [at, name]), chosen.class_at,
        (at) => { chosen.class_at = Number(at); self.update(); }));
    if (shown.x.numeric && points.every((p) => p.x > 0)) controls.append(checkbox("log x", shown.x.logarithmic, set_axis("x")));
    if (points.some((p) => p.y > 0)) controls.append(checkbox("log y", shown.y.logarithmic, set_axis("y")));
  }

  function fill_words(shown) {
    marks.textContent = stability_words(shown);
    fill_remarks(remarks, shown);
    const series = new Set(sets_in(shown).filter((set) => !set.hidden && !set.known).map((set) => set.label)).size;
    const panels = shown.panels.length > 1 ? ` in ${shown.panels.length} panels` : "";
    return `Plot of ${with_unit(metric.name, metric.unit)}, class ${metric.classes[chosen.class_at]}, over ${shown.x.name}: ${series} series${panels}. ` +
      "Arrow keys read the points; the table below has the same numbers.";
  }

  const self = live_plot(section, figure, describe, fill_words, fill_controls);
  return section;
}

const heading = (metric, id) => element("h2", { id: `${id}-title` }, title_of(metric.name), " ",
  element("span", { class: "unit" }, metric.unit));

function metric_table(metric) {
  const has_theory = metric.known.count > 0;
  const rows = () => {
    const known = new Map(known_rows_of(metric).map(([point, class_at, value]) => [`${point} ${class_at}`, value]));
    return rows_of(metric).map(([point, class_at, ...fields]) => [point, ...data.points[point], metric.classes[class_at], ...fields,
      ...(has_theory ? [known.get(`${point} ${class_at}`) ?? ""] : [])]);
  };
  const columns = ["point", ...data.keys.map((key) => key.name), "class", ...data.columns, ...(has_theory ? ["theory"] : [])];
  return folded_table(`${with_unit(metric.name, metric.unit)}: the numbers of results.csv${data.is_rounded ? ", rounded" : ""}`,
    columns, rows, metric.count);
}
