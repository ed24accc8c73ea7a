// Where nothing but policies differs, a metric is a table by class instead of a plot: a column for each policy, and theory.
function value_cell(estimate, share, style) {
  if (!estimate) return element("td", {}, "-");
  const { value, low, high, note, theory } = estimate;
  const words = [note, theory === undefined ? "" : `theory ${with_digits(theory)}`].filter((text) => text).join("; ");
  return element("td", { class: "place", title: [...interval_text(low, high), note].filter((text) => text).join("; ") || null },
    element("span", { class: "value" }, with_half_width(value, low)), words ? element("span", { class: "words" }, words) : "",
    element("span", { class: "bar", "aria-hidden": "true", style: `--share: ${share}; --bar: ${colour_of(style)}` }));
}

// By point: { value, low, high, note, theory }.
function estimates_of(metric, class_at) {
  const by_point = new Map();
  for (const row of metric.rows) {
    if (row[1] !== class_at) continue;
    const [value, low, high] = ["estimate", "ci_low", "ci_high"].map((name) => finite(row[column(name)]));
    if (value !== null) by_point.set(row[0], { value, low, high, note: note_of(row) });
  }
  for (const [point, at, text] of metric.known)
    if (at === class_at && by_point.has(point) && finite(text) !== null) by_point.get(point).theory = finite(text);
  return by_point;
}

function table_in_frame(name, caption, heads, lines) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", { class: `verdict ${name}` }, element("caption", { class: "unseen" }, caption),
      element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, breakable(text))))), element("tbody", {}, ...lines)));
}

function class_table(metric) {
  const points = data.points.map((_, point) => point), by_policy = policies.length > 1;
  const rows = metric.classes.map((name, class_at) => ({ name, of_point: estimates_of(metric, class_at) }));
  const sizes = (row) => points.map((point) => Math.abs(row.of_point.get(point)?.value ?? 0));
  const largest_of_all = Math.max(...rows.flatMap(sizes));  // of one point the classes are compared, else the policies
  const lines = rows.map((row) => {
    const largest = points.length > 1 ? Math.max(...sizes(row)) : largest_of_all;
    return element("tr", {}, element("th", { scope: "row" }, row.name), ...points.map((point, at) => value_cell(row.of_point.get(point),
      largest > 0 ? sizes(row)[at] / largest : 0, by_policy ? { colour: policies.indexOf(data.policies[point]) } : { colour: 0 })));
  });
  const heads = ["class", ...points.map((point) => (by_policy ? data.policies[point] : "estimate"))];
  return table_in_frame("by-class", `${with_unit(metric.name, metric.unit)} by class`, heads, lines);
}

// Metrics that have a class in common stand in one table; those of the whole alone in the first.
function metrics_by_classes() {
  const groups = [];
  for (const metric of data.metrics) {
    const own = metric.classes.filter((name) => name !== "all");
    let group = own.length ? groups.find(({ classes }) => own.some((name) => classes.has(name))) : groups[0];
    if (!group) groups.push(group = { classes: new Set(), metrics: [] });
    for (const name of metric.classes) group.classes.add(name);
    group.metrics.push(metric);
  }
  return groups;
}

// A study of one point: a row for each metric, a column for each class.
function only_point_section() {
  const tables = metrics_by_classes().map(({ classes, metrics }) => table_in_frame("by-class", "Metrics by class", ["metric", ...classes], metrics.map((metric) => {
    const of_class = new Map(metric.classes.map((name, class_at) => [name, estimates_of(metric, class_at).get(0)]));
    const sizes = [...of_class.values()].map((estimate) => Math.abs(estimate?.value ?? 0)), largest = Math.max(...sizes);
    return element("tr", { id: `metric-${metric.name}` }, element("th", { scope: "row", title: metric.about }, breakable(with_unit(metric.name, metric.unit))),
      ...[...classes].map((name) => value_cell(of_class.get(name), largest > 0 ? Math.abs(of_class.get(name)?.value ?? 0) / largest : 0, { colour: 0 })));
  })));
  const rows = () => data.metrics.flatMap((metric) => metric.rows.map(([, class_at, ...fields]) => [metric.name, metric.classes[class_at], ...fields]));
  return plain_section("results-by-class", "Results by class", "Estimates with the half-widths of their 95 % intervals, and theory; a bar compares the classes of a row.",
    ...tables, folded_table("the numbers of results.csv", ["metric", "class", ...data.columns], rows, rows().length));
}
