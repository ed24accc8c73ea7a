// What servers do: slices where they are recorded and there is room for a row for each core and device, else shares of busy cores.
const closest = 1 / 1000, closest_of_log = 1 / 50_000;  // that one comes to the whole time
const most_slice_rows = 600, lowest_row = 1, highest_row = 24, usual_height = 384;  // the latter in units of the drawing

// Blocks of a log are a text, with a comma behind each number.
function slices_of({ blocks, least_job, begin, step }) {
  const all = [], numbers = typeof blocks === "string" ? blocks.split(",").map(Number) : blocks;
  for (let at = 0, from = 0; at + 5 < numbers.length; at += 6) {
    const [of_class, job, after, length, row, count] = numbers.slice(at, at + 6);
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

// @param found what the page has of a point: see cores_part() and heat_part()
function scene_of(found, point) {
  const servers = { ...servers_of(point), of_cluster: found.of_cluster ?? [] };
  const clock = clock_of(point), slices = found.blocks ? slices_of(found) : [], overheads = found.overhead ? overhead_of(found) : [];
  const longest_of = (all) => all.reduce((longest, { begin, end }) => Math.max(longest, end - begin), 0);
  const scene = { ...found, point, servers, clock, ends: ends_of(found.busy), slices, longest: longest_of(slices), names: [...new Set(slices.map(({ name }) => name))],
    overheads: overheads.sort((a, b) => a.begin - b.begin), longest_overhead: longest_of(overheads),
    view: viewport(servers, found.begin, found.end, found.busy.each, found.detailed ?? 0, clock ? closest_of_log : closest) };
  if (has_slices(scene) && !clock) scene.view.show(found.begin, found.slices_end, 0, servers.count);
  return scene;
}

const has_slices = (scene) => scene.slices.length > 0 && scene.view.last <= scene.detailed && rows_on_screen(scene) <= most_slice_rows;
const rows_on_screen = (scene) => places_of_rows(scene)(scene.servers.rows + scene.servers.of_cluster.length);

// Names where there is room for them.
function row_names(scene, in_slices, y, height) {
  const { servers, view, busy } = scene, each = in_slices ? 1 : busy.each, names = [];
  let free = -Infinity;
  for (let first = Math.floor(view.first / each) * each; first < view.last; first += each) {
    const last = Math.min(servers.count, first + each), middle = (y(Math.max(first, view.first)) + y(Math.min(last, view.last))) / 2;
    if (middle < free) continue;
    names.push({ text: shortened(servers_name(servers, first, last)), y: middle });
    free = middle + 13;
  }
  if (!in_slices || servers.of_cluster.length === 0) return names;
  const of_cluster = (y(view.last) + height) / 2;
  return [...names.filter((name) => name.y + 13 <= of_cluster), { text: "cluster", y: of_cluster }];
}

// @return the scales, by which the pointer finds what it is on
function draw_servers(svg, scene, width) {
  const { servers, view, busy, ends } = scene, in_slices = has_slices(scene);
  const place_of = places_of_rows(scene), rows = rows_on_screen(scene);
  const row_height = Math.min(highest_row, Math.max(usual_height / rows, lowest_row));
  const busy_rows = Math.ceil(view.last / busy.each) - Math.floor(view.first / busy.each);
  const height = in_slices ? row_height * rows : Math.min(usual_height, highest_row * busy_rows);
  const y_row = (row) => place_of(row) * row_height;
  const y = in_slices ? (server) => y_row(rows_before(servers, server))
    : (server) => (height * (server - view.first)) / (view.last - view.first);
  const names = row_names(scene, in_slices, y, height), left = 12 + character * Math.max(...names.map(({ text }) => text.length));
  const x = d3.scaleLinear().domain([view.from, view.to]).range([0, width - left - 8]);
  svg.attr("viewBox", `0 0 ${width} ${height + 3.2 * line_height}`).selectAll("*").remove();
  const g = svg.append("g").attr("class", "all").attr("transform", `translate(${left},4)`);
  g.append("rect").attr("class", "idle").attr("width", x(view.to)).attr("height", height);
  draw_busy(g, busy, ends, view, in_slices ? Math.max(view.from, scene.slices_end) : view.from, x, y, servers.count);
  const bars = in_slices ? slices_in_view(scene.slices, scene.longest, view, place_of) : [];
  const are_elements = in_slices && draw_slices(g, scene, bars, x, y_row, height);
  const borders = (in_slices ? d3.range(view.first + 1, view.last) : servers.entries.map((entry) => entry.first))
    .filter((at) => at > view.first && at < view.last);
  if (in_slices && servers.of_cluster.length > 0) borders.push(view.last);
  g.selectAll("path.between").data(borders).join("path").attr("class", "between")
    .attr("d", (server) => `M0 ${y(server)}H${x(view.to)}`);
  g.selectAll("text.up").data(names).join("text").attr("class", "tick up").attr("text-anchor", "end")
    .attr("x", -5).attr("y", (d) => d.y + 4).text((d) => d.text);
  g.selectAll("text.across").data(time_ticks(scene.clock, x, width / 110)).join("text").attr("class", "tick across")
    .attr("text-anchor", ({ at }) => (x(at) > x(view.to) - 35 ? "end" : "middle")).attr("x", ({ at }) => x(at))
    .attr("y", height + line_height).text(({ text }) => text);
  g.append("text").attr("class", "name").attr("text-anchor", "middle").attr("x", x(view.to) / 2).attr("y", height + 2.4 * line_height)
    .text(`${time_name(scene.clock)}, point ${scene.point}`);
  const of_servers = rows_before(servers, view.last) - rows_before(servers, view.first);
  const row_at = (up) => up / row_height + (up / row_height < of_servers ? rows_before(servers, view.first) : servers.rows - of_servers);
  return { x, y, left, top: 4, height, of_servers: y(view.last), width: x(view.to), in_slices, bars, are_elements, box_of: boxes_of(scene, x, y_row), row_at };
}
