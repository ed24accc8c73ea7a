// Utilisation, queue and jobs in the system over time, in the first replication of a point: exact means over parts of the run.
function bin_points({ begin, lasts }, values, words) {
  const clock = clock_of(closely.point);
  let end = begin;
  const points = lasts.map((length, at) => {
    const from = end;
    end += length;
    const text = () => [clock ? span_text(clock, from, from + length) : `${with_digits(from)} to ${with_digits(from + length)} ${data.unit}`, words(values[at])];
    return { x: end, y: values[at], low: null, high: null, text };
  });
  return [{ ...points[0], x: begin }, ...points];
}

// @param y_name of a point @param find gives the parts of a point, or nothing @param sets_of_bins gives the sets from them
function over_time_part(title, about, y_name, find, sets_of_bins) {
  const figure = element("div", { class: "plot" }), legend = element("p", { class: "marks" });
  function describe() {
    const bins = find(closely.point), found = bins ? sets_of_bins(bins) : [];
    const sets = found.map((set, n) => ({ n, known: false, line: true, hidden: false, ...set }));
    const clock = clock_of(closely.point), x_name = `${time_name(clock)}, point ${closely.point}`;
    return { x: { name: x_name, numeric: true, whole: true, logarithmic: false, clock }, y: { name: y_name(closely.point), logarithmic: false },
      panels: [{ title: "", row: 0, row_title: "", marks: [], sets }] };
  }
  function fill_words({ panels: [{ sets }] }) {
    const marked = (set) => element("span", { class: "marker" }, legend_mark(set.style, { marker: false }), set.label);
    legend.replaceChildren(...sets.map(marked));
    const labels = sets.map((set) => set.label).join(", ");
    return `Plot of ${y_name(closely.point)} over time, ${point_words(closely.point)}: ${labels}. Arrow keys read it.`;
  }
  return live_plot(part_of_point(title, about, figure, legend), figure, describe, fill_words);
}

// The cores in use over the time of a log, and those that its waiting jobs ask for, which may be many more.
function queue_parts() {
  const find = (point) => {
    const found = data.pictures.queues[point];
    return found && { ...found, lasts: found.used.map((_, at) => Math.min(found.step, found.end - found.begin - at * found.step)) };
  };
  const cores = (value) => `${with_digits(value)} cores`, about = "over the whole log, first replication: means over parts of equal length.";
  const set = (label, colour, values) => (bins) => [{ label, style: { colour, marker: 0 }, area: true, points: bin_points(bins, bins[values], cores) }];
  return [
    over_time_part("Use over time", `The cores that jobs hold, ${about}`, (point) => `cores in use, of ${servers_of(point).cores}`, find, set("in use", 0, "used")),
    over_time_part("Queue over time", `The cores that the waiting jobs ask for, ${about}`, () => "cores asked for", find, set("asked for by jobs that wait", 1, "wanted")),
  ];
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
  const bins_of = (point) => data.pictures.bins[point], { bins, queues = [] } = data.pictures;
  const any_other = bins.some((found, point) => found && !queues[point]);  // than logs
  return [
    ...(queues.length ? queue_parts() : []),
    ...(any_other ? [over_time_part("Cores over time", "The share of all cores that run, and that are in overhead, in the measured part of the " +
      "first replication: means over parts with as many arrivals each.", () => "share of the cores", bins_of, cores_of)] : []),
    over_time_part("Jobs over time", "Jobs in the system, waiting or in service, in the measured part of the first replication: means over parts with as many " +
      "arrivals each.", () => "jobs in system", bins_of, jobs_of),
  ];
}
