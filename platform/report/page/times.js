// What the response time consists of, a bar for each point: the metrics that report.explain adds. Its parts add up to it.
const time_parts = ["time_running", "time_overhead", "time_network", "time_decision", "time_failure", "wait_no_core",
  "wait_fragmentation", "wait_behind_others", "wait_no_resource"];

function times_section() {
  const metrics = time_parts.map((name) => data.metrics.find((metric) => metric.name === name)).filter((metric) => metric);
  const classes = metrics[0].classes;
  const chosen = { class_at: Math.max(0, classes.indexOf("all")) };
  const bars = element("div", { class: "times" });
  const swatch = (n) => element("span", { class: `swatch part-${n}`, "aria-hidden": "true" });

  function fill() {
    const values = metrics.map((metric) => new Map([...estimates_of(metric, metric.classes.indexOf(classes[chosen.class_at]))]
      .map(([point, { value }]) => [point, value])));
    const sums = data.points.map((_, point) => values.reduce((sum, of_part) => sum + (of_part.get(point) ?? 0), 0));
    const largest = Math.max(...sums);
    const line = (point) => {
      const parts = values.map((of_part, n) => [n, of_part.get(point) ?? 0]).filter(([, value]) => value > 0);
      const words = parts.map(([n, value]) => `${metrics[n].name} ${with_digits(value)} (${with_digits((100 * value) / sums[point])} %)`).join(", ");
      const where = data.policies[point] || words_of_point(point) || "the only point";
      return element("div", { class: "line", "data-point": point }, element("span", { class: "where" }, where),
        element("div", { class: "stack", role: "img", "aria-label": `${words_of_point(point) || where}: ${words}`, title: words },
          ...parts.map(([n, value]) => element("span", { class: `part-${n}`, style: `width: ${(100 * value) / largest}%` }))),
        element("span", { class: "sum" }, with_digits(sums[point])));
    };
    // Policies beside each other, under what else the sweep has put in.
    const others = ranked(data.points.map((_, point) => (data.policies[point] ? settings_of_point(point).join(", ") : "")));
    bars.replaceChildren(...others.distinct.flatMap((text, group) => [text ? element("p", { class: "group" }, text) : "",
      ...data.points.flatMap((_, point) => (others.places[point] === group && sums[point] ? [line(point)] : []))]));
  }
  fill();
  const choice = select("class", classes.map((name, at) => [at, name]), chosen.class_at, (at) => { chosen.class_at = Number(at); fill(); });
  return plain_section("times", "What the response time consists of",
    `Means in ${metrics[0].unit}; the parts of a bar add up to the mean response time.`,
    element("div", { class: "controls" }, choice),
    element("ul", { class: "parts" }, ...metrics.map((metric, n) =>
      element("li", {}, swatch(n), element("code", {}, metric.name), ` ${metric.about.replace(/^of response_time: /, "")}`))),
    bars);
}
