// The distribution of the response times of a class: a curve for each policy, the other keys as at the point.
const most_curves = 12;

// The point and those that differ from it in the policy alone.
// @param pictures that are to be there, by point
function alike(point, pictures = data.pictures.responses) {
  const others = (p) => data.keys.map((key, at) => (key.is_policy ? "" : data.points[p][at])).join("\n");
  const wanted = others(point);
  const found = pictures.flatMap((there, p) => (there && p !== point && others(p) === wanted ? [p] : []));
  return [point, ...found].slice(0, most_curves).sort((a, b) => a - b);
}

function curve_of(point, name, tail) {
  const { classes, shares, responses } = data.pictures;
  const [, times] = responses[point].find(([at]) => classes[at] === name) ?? [0, []];
  const words = (x, at) => () => [`${plain_number(100 * shares[at])} % of the jobs take at most ${with_digits(x)} ${data.unit}`];
  return times.map((x, at) => ({ x, y: tail ? 1 - shares[at] : shares[at], low: null, high: null, point, text: words(x, at) }))
    .filter((p) => p.x > 0 && p.y > 0);
}

// Policies have their colours; what has none, or shares it, looks as its series does everywhere.
function look_of(point, points) {
  const policy = data.policies[point], series = state.arranged.series[point], label = state.arranged.labels[series];
  const is_only = policy && points.filter((p) => data.policies[p] === policy).length === 1;
  return { label: is_only ? policy : label, hidden: state.hidden.has(label),
    style: is_only ? { colour: policies.indexOf(policy), marker: 0 } : state.arranged.styles[series] };
}

function distribution_part() {
  const names = data.pictures.classes, chosen = { name: "all", tail: false };
  const controls = element("div", { class: "controls" }), remarks = element("div", { class: "remarks" });
  const figure = element("div", { class: "plot" });

  function describe() {
    const points = alike(closely.point);
    const sets = points.map((point) => ({ n: point, known: false, line: true, ...look_of(point, points),
      points: curve_of(point, chosen.name, chosen.tail) })).filter((set) => set.points.length);
    const x_name = with_unit(`response_time${of_class(chosen.name)}`, data.unit);
    return { x: { name: x_name, numeric: true, whole: true, sloping: true, logarithmic: true },
      y: { name: chosen.tail ? "share of the jobs that take longer" : "share of the jobs", logarithmic: chosen.tail },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_controls() {
    const found = new Set(alike(closely.point).flatMap((point) => data.pictures.responses[point].map(([at]) => names[at])));
    const there = names.filter((name) => found.has(name));
    if (!found.has(chosen.name)) chosen.name = "all";
    const choose = (name) => { chosen.name = name; self.update(); };
    controls.replaceChildren(...(there.length > 2 ? [select("class", there.map((name) => [name, name]), chosen.name, choose)] : []),
      checkbox("tail", chosen.tail, (on) => { chosen.tail = on; self.update(); }));
  }
  function fill_words(shown) {
    fill_remarks(remarks, shown);
    const labels = shown.panels[0].sets.map((set) => set.label).join(", ");
    const where = [`class ${chosen.name}`, ...settings_of_point(closely.point)].join(", ");
    return `Distribution of the response times, ${where}: ${labels}. Arrow keys read the curves.`;
  }
  const part = part_of_point("How long jobs take", "The share of the completed jobs whose response time is no longer, all " +
    "replications together, to 6 %: the policies under what else is set at the point.", controls, figure, remarks);
  const self = live_plot(part, figure, describe, fill_words, fill_controls);
  return self;
}
