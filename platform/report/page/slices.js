// Slices as bars: elements where they are few, a canvas where they are many, and on paper a path for each class.
const most_bars = 1500;

// Those in view, in the order of their begin. @param all in that order, longest: the longest of them, place_of: see places_of_rows()
function slices_in_view(all, longest, { from, to }, place_of) {
  const end = d3.bisector((slice) => slice.begin).left(all, to), found = [];
  for (let at = d3.bisector((slice) => slice.begin).left(all, from - longest); at < end; ++at) {
    const slice = all[at];
    if (slice.end > from && place_of(slice.row + slice.count) > place_of(slice.row)) found.push(slice);
  }
  return found;
}

// The bars of slices: x, y, width, height.
function boxes_of({ view }, x, y_row) {
  return (d) => {
    const left = x(Math.max(view.from, d.begin)), top = y_row(d.row);
    return [left, top, Math.max(0.5, x(Math.min(view.to, d.end)) - left), y_row(d.row + d.count) - top];
  };
}

let hatches = 0;

// @param bars the slices in view @return whether the bars are elements
function draw_slices(g, scene, bars, x, y_row, height) {
  const box_of = boxes_of(scene, x, y_row);
  const covered = slices_in_view(scene.overheads, scene.longest_overhead, scene.view, places_of_rows(scene));
  if (bars.length > most_bars) {
    if (printing) draw_paths(g, bars, box_of);
    else draw_canvas(g, bars, covered, box_of, x(scene.view.to), height);
    return false;
  }
  const id = `hatched-${++hatches}`, hatch = g.append("pattern").attr("id", id).attr("width", 5).attr("height", 5)
    .attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)");
  hatch.append("rect").attr("class", "paper").attr("width", 2.5).attr("height", 5);
  const add = (name, all) => g.selectAll(`rect.${name}`).data(all).join("rect").attr("class", name).each(function (d) {
    ["x", "y", "width", "height"].forEach((side, at) => this.setAttribute(side, box_of(d)[at]));
  });
  add("slice", bars).style("--c", (d) => colour_of(class_style(d.name)));
  add("hatched", covered).attr("fill", `url(#${id})`);
  return true;
}

function by_class(bars) {
  const all = new Map();
  for (const slice of bars) {
    if (!all.has(slice.name)) all.set(slice.name, []);
    all.get(slice.name).push(slice);
  }
  return all;
}

function draw_paths(g, bars, box_of) {
  const path_of = (slice) => {
    const [left, top, width, height] = box_of(slice).map((number) => Number(number.toFixed(2)));
    return `M${left} ${top}h${width}v${height}h${-width}Z`;
  };
  for (const [name, slices] of by_class(bars)) g.append("path").attr("class", "slices").style("--c", colour_of(class_style(name))).attr("d", slices.map(path_of).join(""));
}

function draw_canvas(g, bars, covered, box_of, width, height) {
  const canvas = g.append("foreignObject").attr("width", width).attr("height", height).append("xhtml:canvas").node(), sharp = devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.ceil(width * sharp), height: Math.ceil(height * sharp) });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, display: "block" });
  const drawing = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  drawing.scale(sharp, sharp);
  // What is high enough has a gap to its neighbours.
  const fill = (d) => {
    const [left, top, across, down] = box_of(d);
    drawing.fillRect(left, top, across > 2 ? across - 0.5 : across, down > 3 ? down - 0.5 : down);
  };
  for (const [name, slices] of by_class(bars)) {
    drawing.fillStyle = style.getPropertyValue(`--series-${class_style(name).colour % colours}`).trim();
    slices.forEach(fill);
  }
  drawing.fillStyle = style.getPropertyValue("--paper").trim();
  drawing.globalAlpha = 0.5;
  for (const one of covered) fill(one);
}

// Outlines of the bars of a job where bars are no elements.
function mark_job(svg, { scene, drawn }, job) {
  const bars = job === undefined || drawn.are_elements ? [] : drawn.bars.filter((slice) => slice.job === job);
  svg.select("g.all").selectAll("rect.marked").data(bars).join("rect").attr("class", "marked").each(function (d) {
    ["x", "y", "width", "height"].forEach((side, at) => this.setAttribute(side, drawn.box_of(d)[at]));
  });
}
