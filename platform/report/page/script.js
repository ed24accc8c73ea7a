const data = JSON.parse(document.getElementById("data").textContent);
// In the order of the points: a policy has its colour and its column wherever it stands.
const policies = [...new Set(data.verdict?.policies ?? [])];
const drawn = [];  // plots of the page: { section, show(), chart, update() }
const state = { key: data.default_key, hidden: new Set(), no_theory: false };

// ---- what stands on the horizontal axis

const abscissa = () => data.abscissas[state.key ?? 0];
const key_name = () => (state.key === null ? "" : with_unit(data.keys[state.key].name, data.keys[state.key].unit));

// All series are drawn until the reader hides some.
function start_series() {
  state.hidden = new Set();
}

// ---- plots of metrics

const column = (name) => 2 + data.columns.indexOf(name);
const note_of = (row) => (data.columns.includes("note") ? row[column("note")] : "");

function sets_of(metric, class_at) {
  const over = abscissa();
  const sets = over.labels.map((label, n) => ({ label, n, style: over.styles[n], known: false, points: [], hidden: state.hidden.has(n) }));
  const known = over.labels.map((label, n) => ({ label: label ? `theory: ${label}` : "theory", n, style: over.styles[n], known: true, points: [], hidden: state.no_theory || state.hidden.has(n) }));
  const spread = (n) => (over.numeric ? 0 : 0.6 * ((n + 0.5) / over.labels.length - 0.5));
  const place = (point) => (state.key === null ? "" : `${data.keys[state.key].name} = ${data.points[point][state.key]}`);
  for (const row of metric.rows) {
    if (row[1] !== class_at) continue;
    const [y, low, high] = ["estimate", "ci_low", "ci_high"].map((name) => finite(row[column(name)]));
    if (y === null) continue;
    const n = over.series[row[0]];
    const text = [place(row[0]), `${metric.name} = ${row[column("estimate")]}`];
    if (low !== null) text.push(`95 %: ${row[column("ci_low")]} to ${row[column("ci_high")]}`);
    const note = note_of(row);
    if (note) text.push(`note: ${note}`);
    sets[n].points.push({ x: over.x[row[0]] + spread(n), y, low, high, note, text: text.filter((t) => t) });
  }
  for (const row of metric.known) {
    const y = finite(row[2]);
    const n = over.series[row[0]];
    if (row[1] === class_at && y !== null)
      known[n].points.push({ x: over.x[row[0]] + spread(n), y, low: null, high: null, text: [place(row[0]), `${metric.name} = ${row[2]}`].filter((t) => t) });
  }
  for (const set of [...sets, ...known]) set.points.sort((a, b) => a.x - b.x);
  return [...sets.filter((set) => set.points.length), ...common_theory(known.filter((set) => set.points.length))];
}

// One curve for the series that theory does not tell apart.
function common_theory(known) {
  const groups = new Map();
  for (const set of known) {
    const what = set.points.map((p) => `${p.x} ${p.y}`).join();
    groups.set(what, [...(groups.get(what) ?? []), set]);
  }
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]
    : { ...group[0], label: group.length === known.length ? "theory" : group.map((set) => set.label).join("; "), n: null,
      hidden: group.every((set) => set.hidden) }));
}

// A plot that is drawn when it comes near, and again when what it shows has changed. Controls that the reader holds must
// not be made anew under the hands: only where all changes.
function live_plot(section, canvas, plot, fill_words, fill_controls = () => {}) {
  const self = {
    section,
    chart: null,
    show() {
      if (self.chart) return;
      const shown = plot();
      fill_controls(shown);
      fill_words(shown);
      self.chart = draw(canvas, shown);
    },
    update(all = false) {
      if (!self.chart) return;
      const shown = plot();
      if (all) fill_controls(shown);
      fill_words(shown);
      redraw(self.chart, shown);
    },
  };
  section.classList.add("metric");
  drawn.push(self);
  return self;
}

// What the sweep has put in at a point.
const words_of_point = (point) => data.keys.map((key, at) => `${key.name} = ${data.points[point][at]}`).join(", ");

function metric_section(metric) {
  const id = `metric-${metric.name}`;
  const chosen = { class_at: Math.max(0, metric.classes.indexOf("all")), logarithmic: {} };
  const controls = element("div", { class: "controls" });
  const marks = element("p", { class: "marks" });
  const remarks = element("div", { class: "remarks" });
  const legend = element("div", { class: "legend", role: "group", "aria-label": `Series of ${metric.name}` });
  const canvas = element("canvas", { tabindex: "0", role: "img" }, "The same numbers are in the table below.");
  const section = element("section", { id, "aria-labelledby": `${id}-title` },
    heading(metric, id), element("p", { class: "about" }, `${metric.about}.`), controls,
    element("div", { class: "plot" }, canvas), marks, remarks, legend, metric_table(metric));

  function plot() {
    const sets = sets_of(metric, chosen.class_at);
    const points = sets.flatMap((set) => set.points);
    const logarithmic = {
      x: chosen.logarithmic.x ?? (abscissa().numeric && wants_logarithm(points.map((p) => p.x))),
      y: chosen.logarithmic.y ?? wants_logarithm(points.map((p) => p.y)),
    };
    return {
      x: { name: key_name(), numeric: abscissa().numeric, categories: abscissa().values, logarithmic: logarithmic.x },
      y: { name: with_unit(metric.name + of_class(metric.classes[chosen.class_at]), metric.unit), logarithmic: logarithmic.y },
      marks: abscissa().marks, sets,
    };
  }

  function fill_controls(shown) {
    const set_axis = (name) => (on) => { chosen.logarithmic[name] = on; self.update(); };
    controls.replaceChildren();
    if (metric.classes.length > 1)
      controls.append(select("class", metric.classes.map((name, at) => [at, name]), chosen.class_at,
        (at) => { chosen.class_at = Number(at); self.update(); }));
    if (shown.x.numeric && shown.sets.every((set) => set.points.every((p) => p.x > 0)))
      controls.append(checkbox("log x", shown.x.logarithmic, set_axis("x")));
    if (shown.sets.some((set) => set.points.some((p) => p.y > 0)))
      controls.append(checkbox("log y", shown.y.logarithmic, set_axis("y")));
  }

  function fill_words(shown) {
    const from = shown.sets.filter((set) => !set.hidden && !set.known).length;
    canvas.setAttribute("aria-label", `Plot of ${with_unit(metric.name, metric.unit)}, class ${metric.classes[chosen.class_at]}, over ` +
      `${shown.x.name || "the only point"}: ${from} series. Arrow keys read the points; the table below has the same numbers.`);
    marks.textContent = shown.marks.length ? `Stability: ${shown.marks.map(mark_text).join("; ")}.` : "";
    fill_remarks(remarks, shown);
    fill_legend(legend, shown);
  }

  const self = live_plot(section, canvas, plot, fill_words, fill_controls);
  return section;
}

// On paper the controls are gone: what has been chosen stands at the axis.
const of_class = (name) => (name === "all" ? "" : ` of ${name}`);

// What the plot alone does not tell: rings, what the axis cuts, and what the reader has hidden.
function fill_remarks(remarks, shown) {
  const visible = shown.sets.filter((set) => !set.hidden).flatMap((set) => set.points);
  const words = data.cautions.map(({ word }) => word).filter((word) => visible.some((p) => p.note?.split("; ").includes(word)));
  const lines = words.length ? [`\u25ef ${words.join(", ")}: see the top of the page.`] : [];
  if (visible.some((p) => is_cut(shown.y.logarithmic, p)))
    lines.push("\u25bc reaches to zero or below, where a logarithmic axis does not come.");
  const series = shown.sets.filter((set) => !set.known && set.label);
  const hidden = series.filter((set) => set.hidden).map((set) => set.label);
  if (hidden.length) lines.push(`${hidden.length} of ${series.length} series ${hidden.length === 1 ? "is" : "are"} hidden: ${hidden.join(", ")}.`);
  if (state.no_theory && shown.sets.some((set) => set.known)) lines.push("Theory is hidden.");
  remarks.replaceChildren(...lines.map((line) => element("p", { class: "marks" }, line)));
}

function fill_legend(legend, shown) {
  const at = document.activeElement?.parentElement === legend ? [...legend.children].indexOf(document.activeElement) : -1;
  const series = shown.sets.filter((set) => !set.known && set.label);
  legend.replaceChildren(...series.map((set) => element("button",
    { type: "button", "aria-pressed": String(!set.hidden), onclick: () => toggle(set.n) }, legend_mark(set.style), set.label)));
  if (series.length > 3)
    legend.prepend(element("button", { type: "button", class: "all", onclick: () => toggle_all(series) }, series.some((set) => set.hidden) ? "Show all" : "Hide all"));
  if (shown.sets.some((set) => set.known))
    legend.append(element("button", { type: "button", "aria-pressed": String(!state.no_theory), onclick: () => { state.no_theory = !state.no_theory; update_all(); } },
      legend_mark(null, { dashed: true, marker: false }), "theory"));
  legend.children[at]?.focus();
}

function toggle(n) {
  if (!state.hidden.delete(n)) state.hidden.add(n);
  update_all();
}
function toggle_all(series) {
  const show = series.some((set) => set.hidden);
  for (const { n } of series) show ? state.hidden.delete(n) : state.hidden.add(n);
  update_all();
}
function update_all(everything = false) {
  for (const plot of drawn) plot.update(everything);
}

const heading = (metric, id) => element("h2", { id: `${id}-title` }, title_of(metric.name), " ",
  element("span", { class: "unit" }, metric.unit));

function metric_table(metric) {
  const has_theory = metric.known.length > 0;
  const known = new Map(metric.known.map(([point, class_at, value]) => [`${point} ${class_at}`, value]));
  const rows = () => metric.rows.map(([point, class_at, ...fields]) => [String(point), ...data.points[point], metric.classes[class_at], ...fields,
    ...(has_theory ? [known.get(`${point} ${class_at}`) ?? ""] : [])]);
  const columns = ["point", ...data.keys.map((key) => key.name), "class", ...data.columns, ...(has_theory ? ["theory"] : [])];
  return folded_table(`${with_unit(metric.name, metric.unit)}: the numbers of results.csv`, columns, rows, metric.rows.length);
}

// ---- the other sections

function plain_section(id, title, about, ...content) {
  return element("section", { id, class: "wide", "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), about ? element("p", { class: "about" }, about) : "", ...content);
}

function zero_section(metrics) {
  return plain_section("zero", "Zero at every point", "Measured, and nothing of it was there.",
    ...metrics.map((metric) => element("div", {}, element("p", { class: "about" }, element("code", {}, metric.name), `: ${metric.about}`),
      metric_table(metric))));
}

function presence_section() {
  const { samples, thinned } = data.presence;
  const points = Object.keys(samples);
  const words = (point) => [`point ${point}`, words_of_point(point)].filter((text) => text).join(", ");
  const canvas = element("canvas", { tabindex: "0", role: "img" }, "The same numbers are in the table below.");
  const legend = element("div", { class: "legend", role: "group", "aria-label": "Classes" });
  const folded = element("div");
  const hidden = new Set();
  let point = points[0];

  function plot() {
    const sets = Object.entries(samples[point]).map(([name, { time, jobs }], n) => ({ label: name, n, style: { colour: n, marker: n }, known: false, hidden: hidden.has(name),
      points: time.map((t, at) => ({ x: t, y: jobs[at], low: null, high: null, text: [`time ${t} ${data.unit}`, `${jobs[at]} jobs`] })) }));
    return { x: { name: `${with_unit("time", data.unit)}, point ${point}`, numeric: true, whole: true, logarithmic: false }, y: { name: "jobs in system", logarithmic: false }, sets };
  }
  function fill_words(shown) {
    canvas.setAttribute("aria-label", `Plot of the jobs in the system over time, ${words(point)}: ${shown.sets.length} classes. The table below has the same numbers.`);
    legend.replaceChildren(...shown.sets.map((set) => element("button", { type: "button", "aria-pressed": String(!set.hidden), onclick: (event) => {
      if (!hidden.delete(set.label)) hidden.add(set.label);
      const at = [...legend.children].indexOf(event.currentTarget);
      self.update();
      legend.children[at].focus();
    } }, legend_mark(set.style, { marker: false }), set.label)));
  }
  function rows() {
    return Object.entries(samples[point]).flatMap(([name, { time, jobs }]) => time.map((t, at) => [String(t), name, String(jobs[at])]));
  }
  const fold = () => folded.replaceChildren(folded_table(`jobs in the system, ${words(point)}`, ["time", "class", "jobs"], rows, rows().length));
  fold();
  const choice = select("point", points.map((p) => [p, words(p)]), point, (chosen) => { point = chosen; fold(); self.update(); });
  const section = plain_section("presence", "Jobs in system over time", "Recorded in the first replication of each point." +
    (thinned > 1 ? ` Of ${thinned} samples one is shown; jobs_in_system.csv has them all.` : ""),
    element("div", { class: "controls" }, choice), element("div", { class: "plot" }, canvas), legend, folded);
  const self = live_plot(section, canvas, plot, fill_words);
  return section;
}

function stability_section() {
  const columns = ["point", ...data.keys.map((key) => key.name), "load", "overhead", "work bound", "policy's limit", "verdict"];
  const rows = () => data.stability.rows.map(([point, ...fields]) => [String(point), ...data.points[point], ...fields]);
  return plain_section("stability", "Stability", `The bounds are total arrival rates per ${data.unit}, the shares being kept.`,
    element("ul", {}, ...data.stability.conditions.map((text) => element("li", {}, text))),
    folded_table("stability of each point, as muster check finds it", columns, rows, data.stability.rows.length));
}

function differences_section() {
  const { columns, words, rows } = data.differences;
  const texts = () => rows.map((row) => row.map((field) => (typeof field === "number" ? words[field] : field)));
  const folded = folded_table("paired differences: the numbers of differences.csv", columns, texts, rows.length);
  folded.open = true;
  return plain_section("differences", "Paired differences", "Between policies on the same jobs, with intervals of their own.", folded);
}

// ---- around them

const short_number = (value) => (value >= 1e6 ? `${Number((value / 1e6).toPrecision(3))} million` : String(Number(Number(value).toPrecision(4))));

function facts(list) {
  return element("dl", { class: "facts" }, ...list.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function fill_header() {
  const m = data.manifest;
  const summary = document.getElementById("summary");
  const list = [["points", m.points_finished === m.points ? String(m.points) : `${m.points_finished} of ${m.points}`]];
  if (m.replications_finished !== undefined) list.push(["replications", String(m.replications_finished)]);
  if (m.jobs !== undefined) list.push(["jobs", short_number(m.jobs)]);
  if (m.wall_seconds !== undefined) list.push(["took", `${Number(m.wall_seconds.toPrecision(3))} s`]);
  if (m.began !== undefined) list.push(["began", String(m.began)]);
  if (m.muster_version !== undefined) list.push(["muster", String(m.muster_version)]);
  summary.append(facts(list));
  if (m.status && m.status !== "done")
    summary.append(element("p", { class: "note" }, `${m.status === "fault" ? `Ended by a fault: ${m.fault}.` : "Interrupted."} What follows are the points that were finished.`));
  // Beside a verdict, which has the marks where they count, they are notes among others.
  const reasons = cautions_by_point(), notes = [...(data.verdict ? reasons : []), ...(m.notes ?? [])];
  if (!data.verdict) for (const line of reasons) summary.append(element("p", { class: "note" }, line));
  if (notes.length)
    summary.append(element("details", { class: "notes" }, element("summary", {}, `${notes.length} ${notes.length === 1 ? "note" : "notes"}`),
      element("ul", {}, ...notes.map((note) => element("li", {}, note)))));
}

// Which points have estimates that are not to be taken as they stand, a line for each reason.
function cautions_by_point() {
  return data.cautions.flatMap(({ word, about }) => {
    const points = new Set(data.metrics.flatMap((metric) => metric.rows.filter((row) => note_of(row).split("; ").includes(word)).map((row) => row[0])));
    return points.size === 0 ? [] : [`${points.size} of ${data.points.length} points ${points.size === 1 ? "has" : "have"} estimates marked ${word} (${[...points].sort((a, b) => a - b).join(", ")}): ${about}.`];
  });
}

function fill_facts() {
  const as_text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  document.getElementById("facts").append(sortable_table("manifest.json", ["fact", "value"],
    Object.entries(data.manifest).filter(([name, value]) => name !== "notes" && value !== "").map(([name, value]) => [name, as_text(value)])));
}

function fill_contents() {
  const nav = document.getElementById("contents");
  const choices = data.keys.map((key, at) => [at, key]).filter(([, key]) => key.varies);
  if (choices.length > 1)
    nav.append(select("over", choices.map(([at, key]) => [at, key.name]), state.key, (at) => {
      state.key = Number(at);
      start_series();
      update_all(true);
    }));
  const list = element("ul");
  for (const section of document.querySelectorAll("main section"))
    list.append(element("li", {}, element("a", { href: `#${section.id}` }, section.id.startsWith("metric-") ? title_of(section.id.slice(7)) : section.querySelector("h2").textContent)));
  nav.append(list);
}

function fill_sections() {
  const sections = document.getElementById("sections");
  const is_zero = (metric) => metric.rows.every((row) => !finite(row[column("estimate")])) && metric.known.every((row) => !finite(row[2]));
  const zero = data.metrics.filter(is_zero);
  if (data.metrics.length === 0) sections.append(element("p", { class: "note wide" }, "No point is finished yet; there is nothing to show."));
  if (data.verdict) sections.append(verdict_section());
  if (data.metrics.some((metric) => metric.name === time_parts[0])) sections.append(times_section());
  if (data.points.length > 1 && quantities().length > 1) sections.append(pareto_section());
  sections.append(...data.metrics.filter((metric) => !is_zero(metric)).map(metric_section));
  if (data.presence) sections.append(presence_section());
  if (data.differences) sections.append(differences_section());
  if (data.stability) sections.append(stability_section());
  if (zero.length) sections.append(zero_section(zero));
}

// Plots are drawn when they come near the window, all of them on paper.
function watch() {
  const by_section = new Map(drawn.map((plot) => [plot.section, plot]));
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        by_section.get(entry.target).show();
        near.unobserve(entry.target);
      }
  }, { rootMargin: "400px" });
  for (const plot of drawn) near.observe(plot.section);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => update_all());
  addEventListener("beforeprint", () => {
    document.documentElement.setAttribute("data-printing", "");
    for (const notes of document.querySelectorAll("details.notes")) notes.open = true;
    for (const plot of drawn) {
      plot.show();
      plot.update();
      plot.chart.resize(660, 240);
    }
  });
  addEventListener("afterprint", () => {
    document.documentElement.removeAttribute("data-printing");
    for (const plot of drawn) {
      plot.update();
      plot.chart.resize();
    }
  });
}

start_series();
fill_header();
fill_sections();
fill_facts();
fill_contents();
watch();
