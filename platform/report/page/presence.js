// The jobs in the system over time, of each class, in the first replication of a point.
function presence_section() {
  const { samples, thinned } = data.presence;
  const points = Object.keys(samples);
  const words = (point) => [`point ${point}`, words_of_point(point)].filter((text) => text).join(", ");
  const figure = element("div", { class: "plot" });
  const legend = element("div", { class: "legend", role: "group", "aria-label": "Classes" });
  const folded = element("div");
  const hidden = new Set();
  let point = points[0];

  function describe() {
    const sets = Object.entries(samples[point]).map(([name, { time, jobs }], n) => ({ label: name, n, style: { colour: n, marker: n },
      known: false, line: true, hidden: hidden.has(name),
      points: time.map((t, at) => ({ x: t, y: jobs[at], low: null, high: null, text: () => [`time ${t} ${data.unit}`, `${jobs[at]} jobs`] })) }));
    return { x: { name: `${with_unit("time", data.unit)}, point ${point}`, numeric: true, whole: true, logarithmic: false },
      y: { name: "jobs in system", logarithmic: false },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_words(shown) {
    const { sets } = shown.panels[0];
    legend.replaceChildren(...sets.map((set) => element("button", { type: "button", "aria-pressed": String(!set.hidden), onclick: (event) => {
      if (!hidden.delete(set.label)) hidden.add(set.label);
      const at = [...legend.children].indexOf(event.currentTarget);
      self.update();
      legend.children[at].focus();
    } }, legend_mark(set.style, { marker: false }), set.label)));
    return `Plot of the jobs in the system over time, ${words(point)}: ${sets.length} classes. The table below has the same numbers.`;
  }
  const rows = () => Object.entries(samples[point]).flatMap(([name, { time, jobs }]) => time.map((t, at) => [t, name, jobs[at]]));
  const fold = () => folded.replaceChildren(folded_table(`jobs in the system, ${words(point)}`, ["time", "class", "jobs"], rows, rows().length));
  fold();
  const choice = select("point", points.map((p) => [p, words(p)]), point, (chosen) => { point = chosen; fold(); self.update(); });
  const section = plain_section("presence", "Jobs in system over time", "Recorded in the first replication of each point." +
    (thinned > 1 ? ` Of ${thinned} samples one is shown; jobs_in_system.csv has them all.` : ""),
    element("div", { class: "controls" }, choice), figure, legend, folded);
  const self = live_plot(section, figure, describe, fill_words);
  return section;
}
