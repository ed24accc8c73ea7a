// Tables by class, where nothing but policies differs and a plot would be a few dots.

// @param share of the largest value: the length of the bar
function value_cell(estimate, theory, share, colour) {
  if (!estimate) return element("td", {}, "-");
  const { value, low, high, note } = estimate;
  const words = theory === undefined ? "" : `theory ${with_digits(theory)}`;
  return element("td", { class: "place", title: [...interval_text(low, high), ...note_text(note)].join("; ") || null },
    element("span", { class: "value" }, `${with_interval(value, low, high)}${note ? " \u25ef" : ""}`), words ? element("span", { class: "words" }, words) : "",
    value_bar(share, colour));
}

function largest_in(estimates) {
  const sizes = estimates.map((estimate) => Math.abs(estimate?.value ?? 0));
  const largest = Math.max(...sizes);
  return sizes.map((size) => (largest > 0 ? size / largest : 0));
}

// Marks of estimates of which the truth may be worse: the verdict calls none of them best.
const never_best = /biased|unstable|overloaded|growing/;

// A row for each policy, the best of all classes together first, a column for each class.
function class_table(metric) {
  const all = metric.classes.map((_, class_at) => ({ measured: estimates_of(metric, class_at), known: theory_of(metric, class_at) }));
  const shares = all.map(({ measured }) => largest_in(data.points.map((_, point) => measured.get(point))));
  const leading = all[Math.max(0, metric.classes.indexOf("all"))].measured, sign = metric.better === "larger" ? -1 : 1;
  const cost = (point) => (leading.has(point) ? sign * leading.get(point).value : Infinity);
  const unsound = (point) => Number(never_best.test(leading.get(point)?.note ?? ""));
  const points = data.points.map((_, point) => point);
  if (metric.better) points.sort((a, b) => unsound(a) - unsound(b) || cost(a) - cost(b) || a - b);
  const lines = points.map((point) => {
    const notes = all.flatMap(({ measured }) => measured.get(point)?.note.split("; ") ?? []);
    const cells = all.map(({ measured, known }, at) => value_cell(measured.get(point), known.get(point), shares[at][point], policies.indexOf(data.policies[point])));
    return element("tr", {}, policy_head(data.policies[point], [...new Set(notes)]), ...cells);
  });
  return framed_table("by-class", `${with_unit(metric.name, metric.unit)} by class`, ["policy", ...metric.classes], lines);
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
  const tables = metrics_by_classes().map(({ classes, metrics }) => {
    const lines = metrics.map((metric) => {
      const places = [...classes].map((name) => metric.classes.indexOf(name));
      const estimates = places.map((class_at) => estimates_of(metric, class_at).get(0)), shares = largest_in(estimates);
      return element("tr", { id: `metric-${metric.name}` },
        element("th", { scope: "row", title: metric.about }, breakable(with_unit(metric.name, metric.unit))),
        ...estimates.map((estimate, at) => value_cell(estimate, theory_of(metric, places[at]).get(0), shares[at], 0)));
    });
    return framed_table("by-class", "Metrics by class", ["metric", ...classes], lines);
  });
  const rows = () => data.metrics.flatMap((metric) =>
    rows_of(metric).map(([, class_at, ...fields]) => [metric.name, metric.classes[class_at], ...fields]));
  return plain_section("results-by-class", "Results by class",
    "Estimates with the half-widths of their 95 % intervals, and theory; a bar compares the classes of a row.",
    ...tables, folded_table("the numbers of results.csv", ["metric", "class", ...data.columns], rows,
      data.metrics.reduce((sum, { count }) => sum + count, 0)));
}
