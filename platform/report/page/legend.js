// One legend for all plots: it switches series on and off in all of them.
const state = { arranged: null, hidden: new Set(), no_theory: false };  // hidden: labels

function toggle(labels, hide) {
  for (const label of labels) hide ? state.hidden.add(label) : state.hidden.delete(label);
  fill_legend();
  update_plots();
}

function fill_legend() {
  const legend = document.getElementById("legend"), { labels, styles, tabular } = state.arranged;
  const focused = [...legend.children].indexOf(document.activeElement);
  const named = labels.filter((label) => label);
  legend.replaceChildren();
  const hidden = named.filter((label) => state.hidden.has(label));
  const add = (attributes, ...content) => legend.append(element("button", { type: "button", ...attributes }, ...content));
  const add_switch = (is_on, onclick, ...content) => add({ "aria-pressed": String(is_on), onclick }, ...content);
  if (named.length > 3) add({ class: "all", onclick: () => toggle(named, hidden.length === 0) }, hidden.length ? "Show all" : "Hide all");
  labels.forEach((label, n) => {
    if (label) add_switch(!state.hidden.has(label), () => toggle([label], !state.hidden.has(label)), legend_mark(styles[n]), label);
  });
  if (!tabular && data.metrics.some((metric) => metric.known.count))
    add_switch(!state.no_theory, () => { state.no_theory = !state.no_theory; toggle([]); },
      legend_mark(null, { dashed: true, marker: false }), "theory");
  legend.hidden = legend.children.length === 0;
  legend.children[focused]?.focus();
}

// On paper every plot has its own: the series that are drawn.
function paper_legend(shown) {
  const series = new Map(sets_in(shown).filter((set) => !set.hidden && !set.known && set.label).map((set) => [set.label, set]));
  return [...series.values()].map((set) => element("span", {}, legend_mark(set.style, { line: !shown.scatter, marker: !shown.x.whole }), set.label));
}

// What the plot alone does not tell: rings, what the axis cuts, and what the reader has hidden.
function fill_remarks(remarks, shown) {
  const sets = sets_in(shown), visible = sets.filter((set) => !set.hidden).flatMap((set) => set.points);
  const words = data.cautions.map(({ word }) => word).filter((word) => visible.some((p) => p.note?.split("; ").includes(word)));
  const lines = words.length ? [`\u25ef ${words.join(", ")}: see the top of the page.`] : [];
  if (visible.some((p) => is_cut(shown.y.logarithmic, p)))
    lines.push("\u25bc reaches to zero or below, where a logarithmic axis does not come.");
  const series = [...new Set(sets.filter((set) => !set.known && set.label).map((set) => set.label))];
  const hidden = series.filter((label) => sets.some((set) => set.label === label && set.hidden));
  if (hidden.length) lines.push(`${hidden.length} of ${series.length} series ${hidden.length === 1 ? "is" : "are"} hidden: ${hidden.join(", ")}.`);
  if (state.no_theory && sets.some((set) => set.known)) lines.push("Theory is hidden.");
  remarks.replaceChildren(...lines.map((line) => element("p", { class: "marks" }, line)));
}
