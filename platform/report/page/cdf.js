// The distribution of the response times of a class: a curve for each policy, the other keys as at the point.
const most_curves = 12;

// Points that differ from it in the policy alone, and it.
function alike(point) {
  const others = data.keys.map((key, at) => (key.is_policy ? "" : data.points[point][at])).join("\n");
  const same = data.points.map((_, p) => p).filter((p) => data.keys.map((key, at) => (key.is_policy ? "" : data.points[p][at])).join("\n") === others);
  const nearest = [point, ...same.filter((p) => p !== point)].filter((p) => data.pictures.responses[p]);
  return nearest.slice(0, most_curves).sort((a, b) => a - b);
}

function curve_of(point, name, tail) {
  const { classes, shares, responses } = data.pictures, found = responses[point].find(([at]) => classes[at] === name);
  return (found?.[1] ?? []).map((x, at) => ({ x, y: tail ? 1 - shares[at] : shares[at], low: null, high: null, point,
    text: () => [`${plain_number(100 * shares[at])} % of the jobs take at most ${with_digits(x)} ${data.unit}`] }));
}

function distribution_part() {
  const names = data.pictures.classes, chosen = { name: "all", tail: false };
  const controls = element("div", { class: "controls" }), remarks = element("div", { class: "remarks" });
  const figure = element("div", { class: "plot" });
  function describe() {
    const points = alike(closely.point), by = state.arranged;
    const policy = (point) => data.policies[point];
    const twice = new Set(points.map(policy)).size < points.length;  // policies of one name
    const label = (point) => (policy(point) && !twice ? policy(point) : by.labels[by.series[point]]);
    const sets = points.map((point) => ({ label: label(point), n: point, known: false, line: true, style: twice || !policy(point) ? by.styles[by.series[point]] : { colour: policies.indexOf(policy(point)), marker: 0 },
      hidden: state.hidden.has(by.labels[by.series[point]]), points: curve_of(point, chosen.name, chosen.tail).filter((p) => p.x > 0 && p.y > 0) })).filter((set) => set.points.length);
    return { x: { name: with_unit(`response_time${of_class(chosen.name)}`, data.unit), numeric: true, whole: true, sloping: true, logarithmic: true },
      y: { name: chosen.tail ? "share of the jobs that take longer" : "share of the jobs", logarithmic: chosen.tail },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_controls() {
    const there = names.filter((name) => name !== "all" && alike(closely.point).some((p) => data.pictures.responses[p].some(([at]) => names[at] === name)));
    if (![...there, "all"].includes(chosen.name)) chosen.name = "all";
    controls.replaceChildren(...(there.length > 1 ? [select("class", ["all", ...there].map((name) => [name, name]), chosen.name, (name) => { chosen.name = name; self.update(); })] : []),
      checkbox("tail", chosen.tail, (on) => { chosen.tail = on; self.update(); }));
  }
  function fill_words(shown) {
    fill_remarks(remarks, shown);
    return `Distribution of the response times, class ${chosen.name}, ${settings_of_point(closely.point).join(", ")}: ${shown.panels[0].sets.map((set) => set.label).join(", ")}. Arrow keys read the curves.`;
  }
  const part = part_of_point("How long jobs take", "The share of the completed jobs whose response time is no longer, all replications together, to 6 %: the policies under what else is set at the point.", controls, figure, remarks);
  const self = live_plot(part, figure, describe, fill_words, fill_controls);
  return self;
}
