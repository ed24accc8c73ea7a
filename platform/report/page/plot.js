/* A plot: panels that share their scales, each with series, 95 % intervals, theory dashed and limits of stability.
   shown: { x: { name, numeric, categories, logarithmic, whole, sloping, clock }, y: { name, logarithmic }, scatter,
     panels: [{ title, row, row_title, marks: [{ at, text }],
       sets: [{ label, n, style, known, hidden, area, points: [{ x, y, low, high, x_low, x_high, note, point, text() }] }] }] } */
let clips = 0;

// What a logarithmic axis does not reach: an interval that goes on to zero or below, or a point that lies there.
const is_cut = (y_logarithmic, point) => y_logarithmic && (point.y <= 0 || (point.low !== null && point.low <= 0));

// The svg element's datum has what is drawn, with its scales and the spots that the pointer and the keys find.
function draw(svg, shown, width, height) {
  const scales = scales_of(shown), place = layout_of(shown, scales, width, height);
  const drawing = { shown, ...scales, place, groups: [] };
  svg.attr("viewBox", `0 0 ${width} ${place.height}`).datum(drawing).selectAll("*").remove();
  drawing.clip = `clip-${++clips}`;
  svg.append("clipPath").attr("id", drawing.clip).append("rect").attr("width", place.inner_width).attr("height", place.inner_height);
  svg.append("text").attr("class", "name").attr("y", 12).text(shown.y.name);
  svg.append("text").attr("class", "name").attr("x", (place.left + width) / 2).attr("y", place.height - 5)
    .attr("text-anchor", "middle").text(shown.x.name);
  for (const { text, y } of place.row_titles) write(svg.append("text").attr("class", "row").attr("y", y), text, width);
  for (const [panel, at] of place.panels) draw_panel(svg, panel, at, drawing);
  svg.append("circle").attr("class", "chosen").attr("r", 7).attr("visibility", "hidden");
}

// What does not fit is cut, and told whole by a title.
function write(text, words, width) {
  const most = Math.floor(width / character);
  text.text(words.length > most ? `${words.slice(0, most - 1)}\u2026` : words);
  if (words.length > most) text.append("title").text(words);
}

function draw_panel(svg, panel, at, drawing) {
  const { shown, place } = drawing;
  const g = svg.append("g").attr("class", "panel").attr("transform", `translate(${at.x},${at.y})`).datum(panel);
  if (panel.title) write(g.append("text").attr("class", "title").attr("y", -5), panel.title, place.inner_width);
  draw_axes(g, at, drawing);
  draw_limits(g, panel, drawing);
  const sets = panel.sets.filter((set) => !set.hidden);
  const in_order = [...sets.filter((set) => set.known), ...sets.filter((set) => !set.known)];
  const groups = g.selectAll("g.set").data(in_order).join("g").attr("class", (set) => (set.known ? "set known" : "set"))
    .attr("data-label", (set) => set.label).style("--c", (set) => (set.n === null ? "var(--ink)" : colour_of(set.style)));
  groups.filter((set) => !set.known).each(function (set) { draw_intervals(d3.select(this), set, drawing); });
  groups.each(function (set) { draw_series(d3.select(this), set, drawing); });
  for (const set of sets) {
    const spots = points_on(shown, set).map((p) => ({ x: at.x + drawing.x(p.x), y: at.y + drawing.y(p.y), point: p }));
    drawing.groups.push({ set, at, spots });
  }
}

// Those that the axes reach.
const points_on = (shown, set) => set.points.filter((p) => !(shown.y.logarithmic && p.y <= 0));

function draw_axes(g, at, { x, y, place, shown }) {
  const { inner_width: width, inner_height: height } = place;
  const rule = (x1, y1, x2, y2, name) => g.append("path").attr("class", name).attr("d", `M${x1} ${y1}L${x2} ${y2}`);
  for (const tick of place.y_ticks) rule(0, y(tick), width, y(tick), "grid");
  if (shown.x.numeric) for (const tick of place.x_ticks) rule(x(tick), 0, x(tick), height, "grid");
  rule(0, 0, 0, height, "axis");
  rule(0, height, width, height, "axis");
  if (at.first)
    g.selectAll("text.up").data(place.y_ticks).join("text").attr("class", "tick up").attr("x", -6).attr("y", (tick) => y(tick) + 4)
      .attr("text-anchor", "end").text(axis_number);
  const words = g.selectAll("text.across").data(place.x_ticks).join("text").attr("class", "tick across").text((_, n) => place.x_texts[n]);
  if (place.slanted) words.attr("transform", (tick) => `translate(${x(tick) + 4},${height + 13})rotate(-35)`).attr("text-anchor", "end");
  else words.attr("x", (tick) => x(tick)).attr("y", height + line_height).attr("text-anchor", "middle");
}

const height_of = (value, { y, shown, place }) => (shown.y.logarithmic && value <= 0 ? place.inner_height + 9 : y(value));

function draw_intervals(g, set, drawing) {
  const { x, shown } = drawing, up = (value) => height_of(value, drawing);
  const ends = set.points.filter((p) => p.low !== null && p.high !== null);
  if (set.line && ends.length > 1) {
    const area = d3.area().x((p) => x(p.x)).y0((p) => up(p.low)).y1((p) => up(p.high));
    g.append("path").attr("class", "band").attr("clip-path", `url(#${drawing.clip})`).attr("d", area(ends));
  } else if (shown.scatter) {
    const across = (value) => (shown.x.logarithmic && value <= 0 ? -9 : x(value));
    g.selectAll("rect").data(apart(ends.filter((p) => p.x_low !== null), drawing, 4)).join("rect").attr("class", "band").attr("clip-path", `url(#${drawing.clip})`)
      .attr("x", (p) => across(p.x_low)).attr("width", (p) => Math.max(1, across(p.x_high) - across(p.x_low)))
      .attr("y", (p) => up(p.high)).attr("height", (p) => Math.max(1, up(p.low) - up(p.high)));
  } else if (ends.length) {
    g.append("path").attr("class", "bar").attr("clip-path", `url(#${drawing.clip})`)
      .attr("d", ends.map((p) => `M${x(p.x)} ${up(p.low)}V${up(p.high)}`).join(""));
  }
}

// Of many samples in one column of the screen the first, least, most and last ones.
function thinned(points, x) {
  if (points.length < 4000) return points;
  const columns = new Map();
  for (const p of points) {
    const at = Math.round(x(p.x));
    columns.has(at) ? columns.get(at).push(p) : columns.set(at, [p]);
  }
  return [...columns.values()].flatMap((values) => {
    const low = d3.scan(values, (a, b) => a.y - b.y), high = d3.scan(values, (a, b) => b.y - a.y);
    return [...new Set([0, low, high, values.length - 1])].sort((a, b) => a - b).map((at) => values[at]);
  });
}

// Of many points one in each square of so many pixels: marks that cover each other are one to the eye, and a browser takes
// seconds to draw ten thousand.
function apart(points, { x, y }, pixels) {
  if (points.length < 1000) return points;
  return [...new Map(points.map((p) => [`${Math.round(x(p.x) / pixels)} ${Math.round(y(p.y) / pixels)}`, p])).values()];
}

function draw_series(g, set, drawing) {
  const { x, y, shown, place } = drawing;
  const there = points_on(shown, set);
  if (set.line) {
    if (set.area)
      g.append("path").attr("class", "area").attr("d", d3.area().x((p) => x(p.x)).y0(y(Math.max(0, y.domain()[0]))).y1((p) => y(p.y)).curve(d3.curveStepBefore)(thinned(there, x)));
    const line = d3.line().x((p) => x(p.x)).y((p) => y(p.y)).curve(shown.x.whole && !shown.x.sloping ? d3.curveStepBefore : d3.curveLinear);
    g.append("path").attr("class", "line").attr("stroke-dasharray", dash_of(set.style)).attr("d", line(thinned(there, x)));
  }
  const at_point = (p) => `translate(${x(p.x)},${y(p.y)})`;
  if (shown.x.whole) return;
  const add = (tag, name, points) => g.selectAll(`.${name}`).data(points).join(tag).attr("class", name);
  if (!set.known) add("path", "mark", apart(there, drawing, 4)).attr("d", marker_path(set.style)).attr("transform", at_point);
  else if (!set.line || there.length === 1)
    add("path", "dash", there).attr("clip-path", `url(#${drawing.clip})`).attr("d", (p) => `M${x(p.x) - 12} ${y(p.y)}h24`);
  add("circle", "ring", apart(there.filter((p) => p.note), drawing, 8)).attr("r", 8).attr("transform", at_point);
  add("path", "cut", set.points.filter((p) => is_cut(shown.y.logarithmic, p)))
    .attr("d", "M-5 -8H5L0 0Z").attr("transform", (p) => `translate(${x(p.x)},${place.inner_height})`);
}

// Limits of stability, with words where there is room; all are in words below the plot.
function draw_limits(g, panel, { x, place }) {
  const [low, high] = x.domain();
  let with_words = -Infinity;
  for (const mark of panel.marks.filter(({ at }) => at >= low && at <= high)) {
    g.append("path").attr("class", "limit").attr("d", `M${x(mark.at)} 0V${place.inner_height}`);
    if (x(mark.at) - with_words < 14 || character * mark.text.length > place.inner_height) continue;
    with_words = x(mark.at);
    g.append("text").attr("class", "tick").attr("text-anchor", "end").attr("transform", `translate(${with_words - 4},4)rotate(-90)`)
      .text(mark_text(mark));
  }
}
const mark_text = (mark) => `${mark.text} ${Number(mark.at.toPrecision(4))}`;
