// What the cores do for a while, in the first replication of a point: a bar for each slice, as high as it has cores.
function slices_of({ blocks, least_job, begin, step }) {
  const all = [];
  for (let at = 0, from = 0; at < blocks.length; at += 6) {
    const [of_class, job, after, length, row, count] = blocks.slice(at, at + 6);
    from += after;
    all.push({ name: data.pictures.classes[of_class], job: least_job + job, row, count,
      begin: begin + step * from, end: begin + step * (from + length) });
  }
  return all;
}
function overhead_of({ overhead, begin, step }) {
  const all = [];
  for (let at = 0; at < overhead.length; at += 4) {
    const [from, length, row, count] = overhead.slice(at, at + 4);
    all.push({ begin: begin + step * from, end: begin + step * (from + length), row, count });
  }
  return all;
}

// The rows of each server that is shown.
function servers_in({ servers }) {
  const all = [];
  let row = 0;
  for (const [name, count, cores] of servers)
    for (let n = 0; n < count; ++n, row += cores) all.push({ name: count > 1 ? `${name} ${n + 1}` : name, row, cores });
  return all;
}

const lowest_row = 1, highest_row = 24, usual_height = 384;  // in units of the drawing

function draw_cores(svg, found, slices, width) {
  const servers = servers_in(found), rows = servers.reduce((sum, server) => sum + server.cores, 0);
  const row_height = Math.min(highest_row, Math.max(usual_height / rows, lowest_row)), height = row_height * rows;
  const named = servers.filter((server, n) => n % Math.ceil(13 / (server.cores * row_height)) === 0);
  const left = 12 + character * Math.max(...named.map((server) => shortened(server.name).length));
  const x = d3.scaleLinear().domain([found.begin, found.end]).range([0, width - left - 8]);
  svg.attr("viewBox", `0 0 ${width} ${height + 3.2 * line_height}`);
  const g = svg.append("g").attr("transform", `translate(${left},4)`);
  const hatch = g.append("pattern").attr("id", "hatched").attr("width", 5).attr("height", 5)
    .attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)");
  hatch.append("rect").attr("class", "paper").attr("width", 2.5).attr("height", 5);
  g.append("rect").attr("class", "idle").attr("width", x(found.end)).attr("height", height);
  const bars = (name, all) => g.selectAll(`rect.${name}`).data(all).join("rect").attr("class", name)
    .attr("x", (d) => x(d.begin)).attr("width", (d) => Math.max(0.5, x(d.end) - x(d.begin)))
    .attr("y", (d) => d.row * row_height).attr("height", (d) => d.count * row_height);
  bars("slice", slices).style("--c", (d) => colour_of(class_style(d.name)));
  bars("hatched", overhead_of(found)).attr("fill", "url(#hatched)");
  g.selectAll("path").data(servers.slice(1)).join("path").attr("class", "between")
    .attr("d", (d) => `M0 ${d.row * row_height}H${x(found.end)}`);
  g.selectAll("text.up").data(named).join("text").attr("class", "tick up").attr("text-anchor", "end")
    .attr("x", -5).attr("y", (d) => (d.row + d.cores / 2) * row_height + 4).text((d) => shortened(d.name));
  g.selectAll("text.across").data(x.ticks(Math.max(2, width / 110))).join("text").attr("class", "tick across")
    .attr("text-anchor", "middle").attr("x", x).attr("y", height + line_height).text(plain_number);
  g.append("text").attr("class", "name").attr("text-anchor", "middle").attr("x", x(found.end) / 2).attr("y", height + 2.4 * line_height)
    .text(`${with_unit("time", data.unit)}, point ${closely.point}`);
  return { servers, rows };
}

// The values of a bar on hover and by arrow keys; the other bars of its job are marked, too.
function tell_slices(figure, svg, slices) {
  const tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  figure.append(tip);
  let at = -1;
  const words = ({ job, name, begin, end, count }) => [`job ${job}, ${name}`,
    `${with_digits(begin, 6)} to ${with_digits(end, 6)} ${data.unit}`, `${count} ${count === 1 ? "core" : "cores"}`];
  function tell(slice, bar) {
    svg.selectAll("rect.slice").classed("told", (d) => d.job === slice?.job);
    tip.hidden = !slice;
    if (!slice) return;
    tip.replaceChildren(...words(slice).map((line) => element("div", {}, line)));
    const of_bar = bar.getBoundingClientRect(), of_figure = figure.getBoundingClientRect();
    tip.style.left = `${Math.max(0, Math.min(of_bar.right - of_figure.left + 8, figure.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, of_bar.top - of_figure.top)}px`;
  }
  svg.on("pointermove pointerdown", () => tell(d3.select(d3.event.target).filter("rect.slice").data()[0], d3.event.target));
  svg.on("pointerleave blur", () => tell());
  svg.on("keydown", () => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[d3.event.key];
    if (!along || slices().length === 0) return;
    d3.event.preventDefault();
    at = Math.min(Math.max(at + along, 0), slices().length - 1);
    tell(slices()[at], svg.selectAll("rect.slice").nodes()[at]);
    spoken().textContent = words(slices()[at]).join(", ");
  });
  return () => { at = -1; tell(); };
}

function cores_part() {
  const figure = element("div", { class: "plot gantt" }), legend = element("p", { class: "marks" }), about = element("span");
  const section = part_of_point("What the cores do", about, figure, legend);
  const svg = d3.select(figure).append("svg").attr("tabindex", 0).attr("role", "img");
  let slices = [], is_shown = false, width = 0;
  const forget = tell_slices(figure, svg, () => slices);

  function draw_it() {
    width = printing ? on_paper.width : figure.clientWidth;
    if (!is_shown || width === 0) return;
    forget();
    svg.selectAll("*").remove();
    legend.replaceChildren();
    const found = data.pictures.cores[closely.point];
    slices = found ? slices_of(found) : [];
    if (found) fill_words(found.of, draw_cores(svg, found, slices, width));
    else about.textContent = "Nothing to be seen of this point: the first servers did nothing, or have more than 1,024 cores.";
  }
  function fill_words(of, { servers, rows }) {
    const shown = of === servers.length ? "all cores" : `the ${rows} cores of the first ${servers.length} of ${of} servers`;
    about.textContent = `From the beginning of the measurement, first replication: ${shown}; a job's cores of one server are put ` +
      "together. Hatched: set-up, saving, restoring, migrating, waking. Left free: idle, asleep or down.";
    const names = [...new Set(slices.map((slice) => slice.name))];
    for (const name of names) {
      const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
      swatch.style.background = colour_of(class_style(name));
      legend.append(element("span", { class: "marker" }, swatch, name));
    }
    svg.attr("aria-label", `What the cores do, ${point_words(closely.point)}: ${slices.length} bars of ${names.join(", ")}. ` +
      "Left and right read them.");
  }
  const self = { section, show() { is_shown = true; draw_it(); }, update: draw_it, redraw: draw_it };
  new ResizeObserver(() => { if (!printing && figure.clientWidth !== width) draw_it(); }).observe(figure);
  plots.push(self);
  return self;
}
