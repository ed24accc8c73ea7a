// A picture of the servers over time that the reader can come closer to and move: with buttons, keys, wheel and mouse.

// Hovering and the arrow keys tell slices, whose job is marked, or cells.
function tell_servers(figure, svg, state_of) {
  const tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  figure.append(tip);
  let slice_at = -1, cell_at = null;
  function words_of_rows({ row, count }) {
    const { servers } = state_of().scene, device = device_at(servers, row);
    if (!device) return `${count} ${count === 1 ? "core" : "cores"}`;
    return count < 1 ? `${device}: ${with_digits(100 * count, 3)} %` : d3.range(count).map((n) => device_at(servers, row + n)).join(", ");
  }
  const words_of_slice = (slice) => [`job ${slice.job}, ${slice.name}`, span_text(state_of().scene.clock, slice.begin, slice.end), words_of_rows(slice)];
  function show(words, left, top, job) {
    svg.selectAll("rect.slice").classed("told", (d) => d.job === job);
    if (state_of().drawn) mark_job(svg, state_of(), job);
    tip.hidden = !words;
    if (!words) return;
    tip.replaceChildren(...words.map((line) => element("div", {}, line)));
    tip.style.left = `${Math.max(0, Math.min(left + 8, figure.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${Math.max(0, top)}px`;
  }
  function show_slice(slice) {
    const { drawn } = state_of(), [left, top, width] = drawn.box_of(slice);
    show(words_of_slice(slice), drawn.left + left + width, drawn.top + top, slice.job);
  }
  function show_cell(cell) {
    const { drawn } = state_of();
    show(cell.words, drawn.left + drawn.x(cell.end), drawn.y(cell.first));
  }
  function at_pointer() {
    const { drawn, scene } = state_of(), [x, y] = d3.clientPoint(svg.node(), d3.event), { view } = scene;
    const time = drawn.x.invert(x - drawn.left), down = (y - drawn.top) / drawn.height;
    if (time < view.from || time > view.to || down < 0 || down >= 1) return show();
    if (drawn.in_slices) {
      const row = drawn.row_at(y - drawn.top), near = drawn.x.invert(1) - drawn.x.invert(0);  // a narrow bar is to be found, too
      const is_there = (slice, by) => slice.begin <= time + by && slice.end >= time - by && slice.row <= row && row < slice.row + slice.count;
      const slice = drawn.bars.find((one) => is_there(one, 0)) ?? drawn.bars.find((one) => is_there(one, near));
      return slice ? show_slice(slice) : show();
    }
    const server = Math.floor(view.first + down * (view.last - view.first));
    show(busy_cell(scene, server, time).words, x, y);
  }
  function step(across, down) {
    const { drawn, scene } = state_of(), { view, busy } = scene;
    if (drawn.in_slices) {
      if (drawn.bars.length === 0) return [];
      slice_at = Math.min(Math.max(slice_at + (across || down), 0), drawn.bars.length - 1);
      show_slice(drawn.bars[slice_at]);
      return words_of_slice(drawn.bars[slice_at]);
    }
    const before = cell_at ?? { first: view.first - Math.max(0, down) * busy.each, begin: view.from, end: view.from, last: view.first };
    const time = cell_at ? (before.begin + before.end) / 2 + across * (before.end - before.begin) : view.from;
    const server = Math.min(view.last - 1, Math.max(view.first, before.first + down * busy.each));
    cell_at = busy_cell(scene, server, Math.min(view.to, Math.max(view.from, time)));
    show_cell(cell_at);
    return cell_at.words;
  }
  svg.on("pointermove.tell", () => { if (state_of().drawn) at_pointer(); });
  svg.on("pointerleave.tell blur.tell", () => show());
  svg.on("keydown.tell", () => {
    const { key, shiftKey } = d3.event, across = { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0, down = { ArrowDown: 1, ArrowUp: -1 }[key] ?? 0;
    if (shiftKey || (!across && !down) || !state_of().drawn) return;
    d3.event.preventDefault();
    spoken().textContent = step(across, down).join(", ");
  });
  return () => { slice_at = -1; cell_at = null; show(); };
}

// @param find gives what the page has of a point, or nothing
// @param tell_about fills in the sentence above the picture
function server_picture(title, name, find, tell_about) {
  const figure = element("div", { class: "plot gantt" }), legend = element("p", { class: "marks" }), about = element("span");
  const controls = element("div", { class: "controls" });
  const section = part_of_point(title, about, controls, figure, legend);
  section.classList.add(name);
  const svg = d3.select(figure).append("svg").attr("tabindex", 0).attr("role", "img");
  let scene = null, drawn = null, is_shown = false, width = 0;
  const state_of = () => ({ scene, drawn });
  const forget = tell_servers(figure, svg, state_of);
  const change = (how) => () => { if (scene) { how(scene.view); draw_it(); } };
  // Where the mouse moves faster than the picture is drawn, it is drawn once for each picture of the screen.
  let is_due = false;
  pan_and_zoom(svg, state_of, (for_good) => {
    if (for_good) return draw_it();
    if (!is_due) requestAnimationFrame(() => { is_due = false; draw_it(); });
    is_due = true;
  });

  const moves = [["Closer", "+", (view) => view.zoom(2)], ["Farther", "-", (view) => view.zoom(0.5)],
    ["Earlier", "ArrowLeft", (view) => view.move(-0.5, 0)], ["Later", "ArrowRight", (view) => view.move(0.5, 0)],
    ["Up", "ArrowUp", (view) => view.move(0, -0.5)], ["Down", "ArrowDown", (view) => view.move(0, 0.5)], ["All", "0", (view) => view.whole()]];
  const only_slices = (view) => view.show(scene.begin, scene.slices_end, 0, Math.max(1, Math.min(scene.detailed, servers_with(scene, most_slice_rows - scene.servers.of_cluster.length))));
  svg.on("keydown.zoom", () => {
    const { key, shiftKey } = d3.event, found = moves.find(([, its]) => its === (key === "=" ? "+" : key));
    if (!found || (key.startsWith("Arrow") && !shiftKey)) return;
    d3.event.preventDefault();
    change(found[2])();
    spoken().textContent = svg.attr("aria-label");
  });
  function fill_controls() {
    const buttons = moves.map(([label, , how]) => element("button", { type: "button", class: "plain", onclick: change(how) }, label));
    const has_more = scene.slices.length > 0 && scene.detailed < scene.servers.count;
    controls.replaceChildren(...buttons,
      ...(has_more ? [element("button", { type: "button", class: "plain", onclick: change(only_slices) }, "Slices")] : []),
      element("span", { class: "hint" }, "The wheel zooms, dragging moves; with shift, or where all is shown, it frames what to come closer to."));
  }
  function draw_it() {
    width = printing ? on_paper.width : figure.clientWidth;
    if (!is_shown || width === 0) return;
    forget();
    if (!scene) return;
    drawn = draw_servers(svg, scene, width);
    fill_words();
  }
  function fill_words() {
    const { view, servers, names, clock } = scene, shown = servers_name(servers, view.first, view.last);
    legend.replaceChildren(...(drawn.in_slices ? names.map(class_swatch) : busy_legend()));
    about.textContent = tell_about(scene, drawn);
    const what = drawn.in_slices ? `${drawn.bars.length} bars of ${names.join(", ")}` : "shares of busy cores";
    const time = clock ? span_text(clock, view.from, view.to) : `${with_digits(view.from)} to ${with_digits(view.to)} ${data.unit}`;
    svg.attr("aria-label", `${title}, ${point_words(scene.point)}: ${shown}, ${time}: ${what}. ` +
      "Arrow keys read it, plus and minus zoom, shift and arrow keys move, zero shows all.");
  }
  function fill() {
    const found = find(closely.point);
    scene = found ? scene_of(found, closely.point) : null;
    figure.hidden = controls.hidden = legend.hidden = !scene;
    if (scene) fill_controls();
    else about.textContent = "Nothing was recorded of this point.";
    draw_it();
  }
  const self = { section, show() { is_shown = true; if (scene) draw_it(); else fill(); }, update() { if (is_shown) fill(); }, redraw: draw_it };
  new ResizeObserver(() => { if (!printing && figure.clientWidth !== width) draw_it(); }).observe(figure);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (!printing) draw_it(); });  // a canvas has its colours for good
  plots.push(self);
  return self;
}

function class_swatch(name) {
  const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = colour_of(class_style(name));
  return element("span", { class: "marker" }, swatch, name);
}

// How many of the first servers have so many rows together.
function servers_with({ servers, detailed }, rows) {
  let count = 0;
  while (count < detailed && rows_before(servers, count + 1) <= rows) ++count;
  return count;
}

const joined_words = ({ busy, servers }) => (busy.each > 1 ? `a row for ${busy.each} of the ${servers.count} servers` : "a row for each server");

function words_of_devices({ entries, of_cluster }) {
  const words = [];
  if (entries.some(({ devices }) => devices.length > 0)) words.push(" Below its cores a server has a row for each of its devices");
  if (of_cluster.length > 0) words.push(` Below all servers the cluster has a row for each of its devices, ${[...new Set([of_cluster[0], of_cluster[of_cluster.length - 1]])].join(" to ")}`);
  return words.length > 0 ? `${words.join(".")}; jobs that share one share the row.` : "";
}

function cores_part() {
  return server_picture("What the cores do", "cores", (point) => data.pictures.cores[point], (scene, { in_slices }) => {
    const { servers, detailed, slices, clock } = scene;
    const rest = slices.length === 0 ? "" : detailed < servers.count ? ` Slices are recorded of the first ${detailed} servers: come closer.`
      : " Come closer to see slices.";
    const whole = clock && scene.slices_end >= scene.end && detailed === servers.count;
    return (whole ? "The whole log, first replication. " : "From the beginning of the measurement, first replication. ") + (in_slices
      ? "A bar is a slice, as high as it has cores; a job's cores of one server are put together." + words_of_devices(servers) + " Hatched: set-up, saving, restoring, migrating, waking. Left free: idle, asleep or down." +
        (scene.view.to > scene.slices_end ? `${clock ? ` From ${moment_text(clock, scene.slices_end)} on, behind the first ${slices.length} bars, which are all that the page has:` : ` From ${with_digits(scene.slices_end, 6)} on:`} the stronger the colour, the more cores are busy.` : "")
      : `All ${servers.cores} cores, ${joined_words(scene)}: the stronger the colour, the more of them jobs hold.${rest}`);
  });
}

function heat_part() {
  const find = (point) => {
    const busy = data.pictures.servers[point] ?? (data.pictures.queues?.[point] ? data.pictures.cores[point].busy : null);  // of a log the same
    return busy && { busy, begin: busy.begin, end: ends_of(busy).pop() };
  };
  return server_picture("Servers over time", "heat", find, (scene) =>
    `The share of its cores that jobs hold, over the whole ${scene.clock ? "log," : "measured part of the"} first replication: ${joined_words(scene)}.`);
}
