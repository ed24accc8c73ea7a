// What the study has measured and what theory knows, as the pictures need it. The tables have the fields of results.csv.
const column = (name) => 2 + data.columns.indexOf(name);
const note_of = (row) => (data.columns.includes("note") ? row[column("note")] : "");
const of_class = (name) => (name === "all" ? "" : ` of ${name}`);

// By point: { value, low, high, note }; low and high are null where there is no interval.
function estimates_of(metric, class_at) {
  const by_point = new Map();
  for (const row of metric.rows) {
    if (row[1] !== class_at) continue;
    const [value, low, high] = ["estimate", "ci_low", "ci_high"].map((name) => finite(row[column(name)]));
    if (value !== null) by_point.set(row[0], { value, low, high, note: note_of(row) });
  }
  return by_point;
}

// By point: the value.
function theory_of(metric, class_at) {
  return new Map(metric.known.filter(([, at, value]) => at === class_at && finite(value) !== null).map(([point, , value]) => [point, value]));
}

// Every metric of every class, by its name as in report.metrics.
const quantities = () => data.metrics.flatMap((metric) =>
  metric.classes.map((name, class_at) => ({ metric, class_at, name: metric.name + of_class(name) })));

// The names of those that the verdict is about come first.
const judged_or = (...others) => [...(data.verdict?.metrics ?? []).map(({ title }) => title), ...others];

const value_text = (name, unit, value, low) => `${name} = ${with_half_width(value, low)}${unit ? ` ${unit}` : ""}`;
const interval_text = (low, high) => (low === null ? [] : [`95 %: ${with_digits(low)} to ${with_digits(high)}`]);
const note_text = (note) => (note ? [`note: ${note}`] : []);
