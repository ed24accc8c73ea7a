// Which key stands on the horizontal axis, and to which series of which panel a point belongs. Policies have the colours,
// without them the first other key; the next key has the columns of panels, the next one their rows, others the markers.
const most_values = 12, most_panels = 36;

const value_at = (key, point) => data.keys[key].values[data.keys[key].places[point]];
const setting = (key, value) => `${data.keys[key].short} = ${differing_first(key, value)}${data.keys[key].unit ? ` ${data.keys[key].unit}` : ""}`;

// Of the fields of a long value those first that tell it from the key's other values: its end may be cut off.
function differing_first(key, value) {
  if (value.length < 40 || !/^\{[^{}]*\}$/.test(value)) return value;
  const others = data.keys[key].values.filter((other) => other !== value);
  const fields = value.slice(1, -1).split(" ");
  const is_common = (field) => others.some((other) => ` ${other.slice(1, -1)} `.includes(` ${field} `));
  return `{${[...fields.filter((field) => !is_common(field)), ...fields.filter(is_common)].join(" ")}}`;
}

const is_number = (text) => text !== "" && !Number.isNaN(Number(text));
const key_name = (key) => (key === null ? "" : with_unit(data.keys[key].name, data.keys[key].unit));

// The place of each point's words among the distinct ones.
function ranked(words) {
  const distinct = [...new Set(words)], place = new Map(distinct.map((word, at) => [word, at]));
  return { distinct, places: words.map((word) => place.get(word)) };
}

// Where nothing but policies differs, nothing is on the axis: tables take the place of plots.
function arrangement_over(key) {
  const is_tabular = data.keys.every(({ values }, at) => values.length < 2 || (at === key && data.keys[at].is_policy && !data.keys[at].numeric));
  const axis = is_tabular ? null : key, on_axis = axis === null ? null : data.keys[axis];
  const others = data.keys.map((_, at) => at).filter((at) => at !== axis && data.keys[at].values.length > 1);
  const by_policy = policies.length > 1 && !on_axis?.is_policy;
  const coloured = by_policy ? others.filter((at) => data.keys[at].is_policy) : others.slice(0, 1);
  const panelled = [];
  for (const at of others.filter((key) => !coloured.includes(key))) {
    const panels = panelled.reduce((product, key) => product * data.keys[key].values.length, data.keys[at].values.length);
    if (panelled.length < 2 && data.keys[at].values.length <= most_values && panels <= most_panels) panelled.push(at);
  }
  const marked = others.filter((at) => !coloured.includes(at) && !panelled.includes(at));
  const points = data.points.map((_, point) => point);
  const word = (key, value) => (is_number(value) ? `${data.keys[key].short} = ${value}` : value);
  const words = (keys, point) => keys.map((key) => word(key, value_at(key, point))).join(", ");

  const in_legend = others.filter((at) => !panelled.includes(at));
  const series = ranked(points.map((point) => words(in_legend, point)));
  const markers = ranked(points.map((point) => words(marked, point)));
  const own = (n) => ({ colour: n, marker: n + Math.floor(n / colours) });  // tells series apart that share a colour
  const styles = series.distinct.map((_, n) => {
    if (!by_policy) return own(n);
    const point = series.places.indexOf(n), colour = policies.indexOf(data.policies[point]);
    return markers.distinct.length > 1 ? { colour, marker: markers.places[point] } : own(colour);
  });

  const [column_key, row_key] = panelled;
  const place = (key, point) => (key === undefined ? 0 : data.keys[key].places[point]);
  const columns = column_key === undefined ? 1 : data.keys[column_key].values.length;
  const panel_number = points.map((point) => place(row_key, point) * columns + place(column_key, point));
  const numbers = [...new Set(panel_number)].sort((a, b) => a - b);
  const panels = numbers.map((number) => {
    const point = panel_number.indexOf(number);
    return { row: place(row_key, point), title: column_key === undefined ? "" : setting(column_key, value_at(column_key, point)),
      row_title: row_key === undefined ? "" : setting(row_key, value_at(row_key, point)) };
  });
  const split = ranked(points.map((point) => [...panelled, ...marked].map((key) => setting(key, value_at(key, point))).join(", ")));
  return {
    axis, numeric: on_axis?.numeric ?? false, categories: on_axis?.values ?? [""], marks: on_axis?.marks ?? [], others,
    x: points.map((point) => (axis === null ? 0 : on_axis.numeric ? Number(value_at(axis, point)) : on_axis.places[point])),
    labels: series.distinct, styles, series: series.places, panels, panel: panel_number.map((number) => numbers.indexOf(number)),
    splits: split.distinct, split: split.places,  // what but the colours tells points of one place on the axis apart
    tabular: is_tabular,
  };
}

// What the sweep has put in at a point: policies are in the names of series.
const words_of_point = (point) => data.keys.map((key, at) => `${key.name} = ${data.points[point][at]}`).join(", ");
const settings_of_point = (point) => data.keys.flatMap((key, at) =>
  (key.is_policy || key.values.length < 2 ? [] : [`${key.name} = ${data.points[point][at]}`]));
