// Utilisation and jobs in the system over time, in the first replication of a point: exact means over parts of the run.
function bin_points({ begin, lasts }, values, words) {
  let end = begin;
  const points = lasts.map((length, at) => {
    const from = end;
    end += length;
    const text = () => [`${with_digits(from)} to ${with_digits(from + length)} ${data.unit}`, words(values[at])];
    return { x: end, y: values[at], low: null, high: null, text };
  });
  return [{ ...points[0], x: begin }, ...points];
}

// @param sets_of_bins gives the sets from the parts of a point
function over_time_part(title, about, y_name, sets_of_bins) {
  const figure = element("div", { class: "plot" }), legend = element("p", { class: "marks" });
  function describe() {
    const bins = data.pictures.bins[closely.point], found = bins ? sets_of_bins(bins) : [];
    const sets = found.map((set, n) => ({ n, known: false, line: true, hidden: false, ...set }));
    const x_name = `${with_unit("time", data.unit)}, point ${closely.point}`;
    return { x: { name: x_name, numeric: true, whole: true, logarithmic: false }, y: { name: y_name, logarithmic: false },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_words({ panels: [{ sets }] }) {
    const marked = (set) => element("span", { class: "marker" }, legend_mark(set.style, { marker: false }), set.label);
    legend.replaceChildren(...sets.map(marked));
    const labels = sets.map((set) => set.label).join(", ");
    return `Plot of ${y_name} over time, ${point_words(closely.point)}: ${labels}. Arrow keys read it.`;
  }
  return live_plot(part_of_point(title, about, figure, legend), figure, describe, fill_words);
}

function over_time_parts() {
  const percent = (value) => `${plain_number(100 * value)} % of the cores`, jobs = (value) => `${with_digits(value)} jobs`;
  const cores_of = (bins) => {
    const set = (label, colour, values) => ({ label, style: { colour, marker: 0 }, points: bin_points(bins, values, percent) });
    return [set("running", 2, bins.running), ...(bins.overhead.length ? [set("overhead", 1, bins.overhead)] : [])];
  };
  const jobs_of = (bins) => bins.classes.map((at, n) => {
    const label = data.pictures.classes[at];
    return { label, style: class_style(label), points: bin_points(bins, bins.jobs[n], jobs) };
  });
  return [
    over_time_part("Cores over time", "The share of all cores that run, and that are in overhead, in the measured part of the " +
      "first replication: means over parts with as many arrivals each.", "share of the cores", cores_of),
    over_time_part("Jobs over time", "Jobs in the system, waiting or in service: means over the same parts.", "jobs in system", jobs_of),
  ];
}
