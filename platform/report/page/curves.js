// The section of a metric: its curves over the axis, in panels for two further keys; a table where nothing but policies differs.
const column = (name) => 2 + data.columns.indexOf(name);
const note_of = (row) => (data.columns.includes("note") ? row[column("note")] : "");
// On paper the controls are gone: what has been chosen stands at the axis.
const of_class = (name) => (name === "all" ? "" : ` of ${name}`);

const interval_text = (low, high) => (low === null ? [] : [`95 %: ${with_digits(low)} to ${with_digits(high)}`]);

// By panel: a set for each series, and theory.
function sets_of(metric, class_at) {
  const by = state.arranged;
  const spread = (n) => (by.numeric ? 0 : 0.6 * ((n + 0.5) / by.labels.length - 0.5));
  const set = (n, known) => ({ label: known ? (by.labels[n] ? `theory: ${by.labels[n]}` : "theory") : by.labels[n], n, style: by.styles[n], known,
    line: by.numeric, points: [], hidden: state.hidden.has(by.labels[n]) || (known && state.no_theory) });
  const panels = by.panels.map(() => ({ measured: by.labels.map((_, n) => set(n, false)), known: by.labels.map((_, n) => set(n, true)) }));
  const add = (sets, point, y, low, high, note, known) => sets[by.series[point]].points.push({ x: by.x[point] + spread(by.series[point]), y, low, high, note, point,
    text: () => [...settings_of_point(point), `${metric.name} = ${with_half_width(y, low)}${metric.unit ? ` ${metric.unit}` : ""}`, ...interval_text(low, high), ...(note ? [`note: ${note}`] : []), ...(known ? ["theory"] : [])] });
  for (const row of metric.rows) {
    const [y, low, high] = ["estimate", "ci_low", "ci_high"].map((name) => finite(row[column(name)]));
    if (row[1] === class_at && y !== null) add(panels[by.panel[row[0]]].measured, row[0], y, low, high, note_of(row));
  }
  for (const [point, of_class_at, text] of metric.known) {
    const y = finite(text);
    if (of_class_at === class_at && y !== null) add(panels[by.panel[point]].known, point, y, null, null, "", true);
  }
  return panels.map(({ measured, known }) => {
    for (const one of [...measured, ...known]) one.points.sort((a, b) => a.x - b.x);
    return [...measured.filter((one) => one.points.length), ...common_theory(known.filter((one) => one.points.length))];
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
    const whose = series.length === in_panel.size ? "" : series.length > 2 ? `, ${series.length} series` : series.map((n) => `, ${by.labels[n]}`).join("");
    return [{ at, text: kind + whose }];
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
    return {
      x: { name: key_name(by.axis), numeric: by.numeric, categories: by.categories,
        logarithmic: chosen.logarithmic.x ?? (by.numeric && wants_logarithm(points.map((p) => p.x))) },
      y: { name: with_unit(metric.name + of_class(metric.classes[chosen.class_at]), metric.unit),
        logarithmic: chosen.logarithmic.y ?? wants_logarithm(points.map((p) => p.y)) },
      panels: by.panels.map((panel, at) => ({ ...panel, sets: panels[at], marks: marks_in(at) })).filter((panel) => panel.sets.length),
    };
  }

  function fill_controls(shown) {
    const sets = shown.panels.flatMap((panel) => panel.sets);
    const set_axis = (name) => (on) => { chosen.logarithmic[name] = on; self.update(); };
    controls.replaceChildren();
    if (metric.classes.length > 1)
      controls.append(select("class", metric.classes.map((name, at) => [at, name]), chosen.class_at,
        (at) => { chosen.class_at = Number(at); self.update(); }));
    if (shown.x.numeric && sets.every((set) => set.points.every((p) => p.x > 0)))
      controls.append(checkbox("log x", shown.x.logarithmic, set_axis("x")));
    if (sets.some((set) => set.points.some((p) => p.y > 0)))
      controls.append(checkbox("log y", shown.y.logarithmic, set_axis("y")));
  }

  function fill_words(shown) {
    marks.textContent = stability_words(shown);
    fill_remarks(remarks, shown);
    const from = new Set(shown.panels.flatMap((panel) => panel.sets.filter((set) => !set.hidden && !set.known).map((set) => set.label))).size;
    return `Plot of ${with_unit(metric.name, metric.unit)}, class ${metric.classes[chosen.class_at]}, over ${shown.x.name}: ${from} series` +
      `${shown.panels.length > 1 ? ` in ${shown.panels.length} panels` : ""}. Arrow keys read the points; the table below has the same numbers.`;
  }

  const self = live_plot(section, figure, describe, fill_words, fill_controls);
  return section;
}

const heading = (metric, id) => element("h2", { id: `${id}-title` }, title_of(metric.name), " ",
  element("span", { class: "unit" }, metric.unit));

function metric_table(metric) {
  const has_theory = metric.known.length > 0;
  const known = new Map(metric.known.map(([point, class_at, value]) => [`${point} ${class_at}`, value]));
  const rows = () => metric.rows.map(([point, class_at, ...fields]) => [String(point), ...data.points[point], metric.classes[class_at], ...fields,
    ...(has_theory ? [known.get(`${point} ${class_at}`) ?? ""] : [])]);
  const columns = ["point", ...data.keys.map((key) => key.name), "class", ...data.columns, ...(has_theory ? ["theory"] : [])];
  return folded_table(`${with_unit(metric.name, metric.unit)}: the numbers of results.csv`, columns, rows, metric.rows.length);
}
