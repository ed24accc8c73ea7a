// Utilisation and jobs in the system over time, in the first replication of a point: exact means over parts of the run.
function bin_points({ begin, lasts }, values, text) {
  let end = begin;
  const points = lasts.map((length, at) => ({ x: (end += length), y: values[at], low: null, high: null, text: () => [`until ${with_digits(end_of(begin, lasts, at))} ${data.unit}`, text(values[at])] }));
  return [{ ...points[0], x: begin }, ...points];
}
const end_of = (begin, lasts, at) => lasts.slice(0, at + 1).reduce((sum, length) => sum + length, begin);

function over_time_part(title, about, y_name, sets_of_bins) {
  const figure = element("div", { class: "plot" }), legend = element("p", { class: "marks" });
  function describe() {
    const bins = data.pictures.bins[closely.point], sets = bins ? sets_of_bins(bins).map((set) => ({ known: false, line: true, hidden: false, ...set })) : [];
    return { x: { name: `${with_unit("time", data.unit)}, point ${closely.point}`, numeric: true, whole: true, logarithmic: false }, y: { name: y_name, logarithmic: false },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_words({ panels: [{ sets }] }) {
    legend.replaceChildren(...sets.map((set) => element("span", { class: "marker" }, legend_mark(set.style, { marker: false }), set.label)));
    return `Plot of ${y_name} over time, ${point_words(closely.point)}: ${sets.map((set) => set.label).join(", ")}. Arrow keys read it.`;
  }
  return live_plot(part_of_point(title, about, figure, legend), figure, describe, fill_words);
}

function over_time_parts() {
  const percent = (value) => `${plain_number(100 * value)} % of the cores`;
  return [
    over_time_part("Cores over time", "Of the first replication, measured part: the share of all cores that run, and that are in overhead, on average over parts with as many arrivals each.", "share of the cores", (bins) => [
      { label: "running", n: 0, style: { colour: 2, marker: 0 }, points: bin_points(bins, bins.running, percent) },
      ...(bins.overhead.length ? [{ label: "overhead", n: 1, style: { colour: 1, marker: 0 }, points: bin_points(bins, bins.overhead, percent) }] : [])]),
    over_time_part("Jobs over time", "Jobs in the system, waiting or in service, on average over the same parts.", "jobs in system", (bins) => bins.classes.map((of_class, n) => {
      const name = data.pictures.classes[of_class];
      return { label: name, n, style: class_style(name), points: bin_points(bins, bins.jobs[n], (value) => `${with_digits(value)} jobs`) };
    })),
  ];
}
