// The sections that are tables alone.
function plain_section(id, title, about, ...content) {
  return element("section", { id, class: "wide", "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), about ? element("p", { class: "about" }, about) : "", ...content);
}

function zero_section(metrics) {
  return plain_section("zero", "Zero at every point", "Measured, and nothing of it was there.",
    ...metrics.map((metric) => element("div", {}, element("p", { class: "about" }, element("code", {}, metric.name), `: ${metric.about}`),
      metric_table(metric))));
}

function stability_section() {
  const columns = ["point", ...data.keys.map((key) => key.name), "load", "overhead", "work bound", "policy's limit", "verdict"];
  const rows = () => data.stability.rows.map(([point, load, overhead, bound, ...fields]) =>
    [point, ...data.points[point], finite(load) === null ? load : load.toFixed(4), overhead, finite(bound) === null ? bound : plain_number(bound), ...fields]);
  return plain_section("stability", "Stability", `The bounds are total arrival rates per ${data.unit}, the shares being kept.`,
    element("ul", {}, ...data.stability.conditions.map((text) => element("li", {}, text))),
    folded_table("stability of each point, as muster check finds it", columns, rows, data.stability.rows.length));
}

function differences_section() {
  const { columns, texts, words, rows } = data.differences;
  const fields = () => rows.map((row) => row.map((field, at) => (at < texts ? words[field] : field)));
  const folded = folded_table("paired differences: the numbers of differences.csv", columns, fields, rows.length);
  folded.open = true;
  return plain_section("differences", "Paired differences", "Between policies on the same jobs, with intervals of their own.", folded);
}
