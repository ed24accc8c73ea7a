// What the study has measured and what theory knows, as the pictures need it. The tables have the fields of results.csv.

// A column of the metrics is a script element, parsed when it is first asked for. One of equal values has one of them.
const parsed_columns = new Map();
function column_of(number) {
  if (!parsed_columns.has(number)) {
    const found = JSON.parse(document.getElementById(`column-${number}`).textContent);
    parsed_columns.set(number, found.words ? found.places.map((at) => found.words[at]) : found);
  }
  const values = parsed_columns.get(number);
  return values.length === 1 ? () => values[0] : (row) => values[row];
}

const numbers_to = (count) => Array.from({ length: count }, (_, at) => at);
const field_of = (metric, name) => (data.columns.includes(name) ? column_of(metric.fields[data.columns.indexOf(name)]) : () => "");
const of_class = (name) => (name === "all" ? "" : ` of ${name}`);

// Rows of all classes: the point, the class's place and the fields of an estimate.
function rows_of(metric) {
  const columns = [metric.point, metric.class, ...metric.fields].map(column_of);
  return numbers_to(metric.count).map((row) => columns.map((value) => value(row)));
}

// Rows of what theory knows: the point, the class's place and the value.
function known_rows_of({ known }) {
  if (known.count === 0) return [];
  const columns = [known.point, known.class, known.value].map(column_of);
  return numbers_to(known.count).map((row) => columns.map((value) => value(row)));
}

// By point: { value, low, high, note }; low and high are null where there is no interval.
function estimates_of(metric, class_at) {
  const by_point = new Map(), [point, place] = [metric.point, metric.class].map(column_of);
  const [estimate, ci_low, ci_high, note] = ["estimate", "ci_low", "ci_high", "note"].map((name) => field_of(metric, name));
  for (let row = 0; row < metric.count; ++row) {
    if (place(row) !== class_at) continue;
    const [value, low, high] = [estimate, ci_low, ci_high].map((field) => finite(field(row)));
    if (value !== null) by_point.set(point(row), { value, low, high, note: note(row) });
  }
  return by_point;
}

// By point: the value.
function theory_of(metric, class_at) {
  return new Map(known_rows_of(metric).filter(([, at, value]) => at === class_at && finite(value) !== null).map(([point, , value]) => [point, value]));
}

// Every metric of every class, by its name as in report.metrics.
const quantities = () => data.metrics.flatMap((metric) =>
  metric.classes.map((name, class_at) => ({ metric, class_at, name: metric.name + of_class(name) })));

// The names of those that the verdict is about come first.
const judged_or = (...others) => [...(data.verdict?.metrics ?? []).map(({ title }) => title), ...others];

const value_text = (name, unit, value, low, high) => `${name} = ${with_interval(value, low, high)}${unit ? ` ${unit}` : ""}`;
const interval_text = (low, high) => (low === null ? [] : [`95 %: ${with_digits(low)} to ${with_digits(high)}`]);
const note_text = (note) => (note ? [`note: ${note}`] : []);
