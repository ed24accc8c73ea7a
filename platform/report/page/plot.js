// A plot: series with 95 % intervals, theory dashed, limits of stability, the values of a point on hover or by arrow keys.
const colours = 7;
const shapes = ["circle", "triangle", "rect", "rectRot", "triangleDown", "cross", "crossRot"];
const colour_of = (style) => theme(`--series-${style.colour % colours}`);
const shape_of = (style) => shapes[style.marker % shapes.length];
const theme = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Chart.js has its triangle in one position.
const point_style = (style) => (shape_of(style) === "triangleDown" ? { pointStyle: "triangle", pointRotation: 180 } : { pointStyle: shape_of(style) });

// @param style null: of no series
function legend_mark(style, { dashed = false, marker = true } = {}) {
  const drawn = {
    circle: "M13 2.5a3.5 3.5 0 1 0 .01 0Z", triangle: "M13 1.5L17.2 9H8.8Z", rect: "M9.7 2.7h6.6v6.6H9.7Z",
    rectRot: "M13 1.2L17.8 6L13 10.8L8.2 6Z", triangleDown: "M13 10.5L17.2 3H8.8Z", cross: "M9 6h8M13 2v8",
    crossRot: "M10 3l6 6M10 9l6-6",
  };
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const colour = style === null ? "currentColor" : `var(--series-${style.colour % colours})`;
  for (const [name, value] of Object.entries({ width: 26, height: 12, "aria-hidden": "true" })) svg.setAttribute(name, value);
  path.setAttribute("d", "M0 6h26" + (marker ? drawn[shape_of(style)] : ""));
  path.setAttribute("style", `stroke:${colour};fill:${marker ? colour : "none"};stroke-width:1.7` + (dashed ? ";stroke-dasharray:6 3" : ""));
  svg.append(path);
  return svg;
}

// The same rules as for the figures in SVG.
const wants_logarithm = (values) => {
  const low = Math.min(...values), high = Math.max(...values);
  return values.length > 0 && low > 0 && Math.log10(high / low) > 1.5;
};

function range_of(values, ends, logarithmic) {
  const usable = logarithmic ? values.filter((v) => v > 0) : values;
  if (usable.length === 0) return logarithmic ? { min: 1, max: 10 } : { min: 0, max: 1 };
  const low = Math.min(...usable, ...ends), high = Math.max(...usable, ...ends);
  if (logarithmic) {
    const room = Math.max(1.1, (high / low) ** 0.04);
    return { min: low / room, max: high * room };
  }
  const room = 0.05 * (high - low) || 0.1 * Math.abs(high) || 1;
  return { min: low === 0 || (low > 0 && low < 0.5 * high) ? 0 : low - room, max: high + room };
}

const plain_number = (value) => String(Number(value.toPrecision(6)));

function ticks_of(logarithmic, range) {
  if (!logarithmic) return { callback: plain_number, maxTicksLimit: 8, includeBounds: false, maxRotation: 0 };
  const decades = Math.log10(range.max / range.min);
  return { callback: (value) => {
    const leading = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
    const kept = decades < 1.5 ? [1, 2, 3, 5] : decades < 3 ? [1, 2, 5] : [1];
    return kept.some((k) => Math.abs(leading - k) < 1e-6) ? plain_number(value) : "";
  }, autoSkip: false, maxRotation: 0 };
}

const intervals = {
  id: "intervals",
  beforeDatasetDraw(chart, { index, meta }) {
    const set = chart.data.datasets[index];
    if (!set.with_intervals || meta.hidden) return;
    const { ctx, chartArea: area, scales: { y } } = chart;
    const height = (v) => (y.type === "logarithmic" && v <= 0 ? area.bottom + 9 : y.getPixelForValue(v));
    const ends = set.data.map((p, at) => ({ x: meta.data[at].x, low: p.low, high: p.high })).filter((p) => p.low !== null && p.high !== null);
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    ctx.fillStyle = ctx.strokeStyle = set.borderColor;
    ctx.beginPath();
    if (set.showLine && ends.length > 1) {
      ctx.globalAlpha = 0.16;
      for (const p of ends) ctx.lineTo(p.x, height(p.high));
      for (const p of ends.reverse()) ctx.lineTo(p.x, height(p.low));
      ctx.fill();
    } else if (chart.options.scatter) {
      const x = chart.scales.x;
      const across = (v) => (x.type === "logarithmic" && v <= 0 ? area.left - 9 : x.getPixelForValue(v));
      ctx.globalAlpha = 0.16;
      for (const p of set.data.filter((one) => one.x_low !== null && one.low !== null))
        ctx.fillRect(across(p.x_low), height(p.high), Math.max(1, across(p.x_high) - across(p.x_low)), Math.max(1, height(p.low) - height(p.high)));
    } else {
      for (const p of ends) {
        ctx.moveTo(p.x, height(p.low));
        ctx.lineTo(p.x, height(p.high));
      }
      ctx.lineWidth = 1.5;
      ctx.stroke();
    }
    ctx.restore();
  },
};

// What a logarithmic axis does not reach: an interval that goes on to zero or below, or a point that lies there.
const is_cut = (y_logarithmic, point) => y_logarithmic && (point.y <= 0 || (point.low !== null && point.low <= 0));

const marks_of_points = {
  id: "marks_of_points",
  afterDatasetDraw(chart, { index, meta }) {
    const set = chart.data.datasets[index];
    if (meta.hidden || !chart.isDatasetVisible(index)) return;
    const { ctx, chartArea: area, scales: { y } } = chart;
    ctx.save();
    ctx.fillStyle = ctx.strokeStyle = set.borderColor;
    ctx.lineWidth = 1.6;
    set.data.forEach((point, at) => {
      const x = meta.data[at].x;
      ctx.beginPath();
      if (point.note && point.y > (y.type === "logarithmic" ? 0 : -Infinity)) {
        ctx.arc(x, meta.data[at].y, 8, 0, 2 * Math.PI);
        ctx.stroke();
      }
      if (is_cut(y.type === "logarithmic", point)) {
        ctx.beginPath();
        ctx.moveTo(x - 5, area.bottom - 8);
        ctx.lineTo(x + 5, area.bottom - 8);
        ctx.lineTo(x, area.bottom);
        ctx.fill();
      }
    });
    ctx.restore();
  },
};

const limits = {
  id: "limits",
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales: { x } } = chart;
    ctx.save();
    ctx.font = "11px sans-serif";
    ctx.fillStyle = ctx.strokeStyle = theme("--quiet");
    ctx.setLineDash([2, 3]);
    let with_words = -Infinity;  // where the latest line with words beside it stands; all are in words below the plot
    for (const mark of chart.options.marks ?? []) {
      if (mark.at < x.min || mark.at > x.max) continue;
      const at = x.getPixelForValue(mark.at);
      ctx.beginPath();
      ctx.moveTo(at, area.top);
      ctx.lineTo(at, area.bottom);
      ctx.stroke();
      if (at - with_words < 14) continue;
      with_words = at;
      ctx.save();
      ctx.translate(at - 4, area.top + 4);
      ctx.rotate(-Math.PI / 2);
      ctx.textAlign = "right";
      ctx.fillText(mark_text(mark), 0, 0, area.height - 8);
      ctx.restore();
    }
    ctx.restore();
  },
};
const mark_text = (mark) => `${mark.text} ${Number(mark.at.toPrecision(4))}`;

/* plot: { x: { name, numeric, categories, logarithmic }, y: { name, logarithmic }, marks,
   sets: [{ label, n, style, known, points: [{ x, y, low, high, text }], hidden }] } */
function chart_options(plot) {
  const visible = plot.sets.filter((set) => !set.hidden);
  const points = (visible.length ? visible : plot.sets).flatMap((set) => set.points);
  const xs = plot.sets.flatMap((set) => set.points.flatMap((p) => [p.x, p.x_low ?? p.x, p.x_high ?? p.x])).filter((x) => !(plot.x.logarithmic && x <= 0));
  const x_data = range_of(xs, [], plot.x.logarithmic);
  const near = (plot.marks ?? []).map((m) => m.at).filter((at) => at >= x_data.min && at <= x_data.max + 0.12 * (x_data.max - x_data.min));
  const x_range = plot.x.numeric ? (plot.x.whole ? { min: Math.min(...xs), max: Math.max(...xs) } : range_of([...xs, ...near], [], plot.x.logarithmic))
    : { min: -0.5, max: plot.x.categories.length - 0.5 };
  const ends = points.flatMap((p) => [p.low, p.high]).filter((end) => end !== null && end !== undefined && !(plot.y.logarithmic && end <= 0));
  const y_range = range_of(points.map((p) => p.y), ends, plot.y.logarithmic);
  const at_categories = (axis) => { axis.ticks = plot.x.categories.map((_, value) => ({ value })); };
  const scale = (range, logarithmic, name, ticks) => ({
    ...range, type: logarithmic ? "logarithmic" : "linear",
    title: { display: true, text: name, color: theme("--ink") },
    grid: { color: theme("--grid"), borderColor: theme("--line"), tickLength: 4 },
    ticks: { color: theme("--quiet"), ...ticks },
  });
  const categories = { autoSkip: false, maxRotation: 40,
    callback: (at) => { const text = plot.x.categories[at] ?? ""; return text.length > 28 ? text.slice(0, 27) + "\u2026" : text; } };
  return {
    animation: false, responsive: true, maintainAspectRatio: false, parsing: false, marks: plot.marks, scatter: plot.scatter,
    interaction: { mode: "nearest", intersect: false, axis: "xy" },
    scales: {
      x: plot.x.numeric ? scale(x_range, plot.x.logarithmic, plot.x.name, ticks_of(plot.x.logarithmic, x_range))
        : { ...scale(x_range, false, plot.x.name, categories), afterBuildTicks: at_categories },
      y: scale(y_range, plot.y.logarithmic, plot.y.name, ticks_of(plot.y.logarithmic, y_range)),
    },
    plugins: {
      legend: { display: false },
      tooltip: {
        displayColors: false, titleFont: { weight: "600" },
        callbacks: { title: ([item]) => item?.dataset.label ?? "", label: (item) => item.raw.text },
      },
    },
  };
}

function chart_sets(plot) {
  return plot.sets.map((set) => {
    const colour = set.n === null ? theme("--ink") : colour_of(set.style);
    return {
      label: set.label, data: set.points, hidden: set.hidden, borderColor: colour, backgroundColor: colour, normalized: true,
      showLine: plot.x.numeric && (set.known || !plot.scatter), borderWidth: set.known ? 1.6 : plot.x.whole ? 1.2 : 2, borderDash: set.known ? [7, 4] : [],
      ...(set.known ? { pointStyle: plot.x.numeric ? "circle" : "line" } : point_style(set.style)),
      pointRadius: plot.x.whole || (set.known && plot.x.numeric && set.points.length > 1) ? 0 : set.known ? 12 : 4,
      pointHoverRadius: plot.x.whole ? 3 : 6, pointBorderWidth: 1.7, with_intervals: !set.known, order: set.known ? 1 : 0,
      stepped: plot.x.whole ? "before" : false,
    };
  });
}

function draw(canvas, plot) {
  const chart = new Chart(canvas, { type: "line", data: { datasets: chart_sets(plot) }, options: chart_options(plot),
    plugins: [intervals, marks_of_points, limits] });
  walk_by_keys(canvas, chart);
  return chart;
}

function redraw(chart, plot) {
  chart.data.datasets = chart_sets(plot);
  chart.options = chart_options(plot);
  chart.update("none");
}

// Left and right go along a series, up and down to another one; what is there is spoken.
function walk_by_keys(canvas, chart) {
  let set = 0, at = -1;
  canvas.addEventListener("keydown", (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key], across = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const sets = chart.data.datasets.map((_, n) => n).filter((n) => chart.isDatasetVisible(n) && chart.data.datasets[n].data.length);
    if ((!along && !across) || sets.length === 0) return;
    event.preventDefault();
    const place = Math.max(0, sets.indexOf(set));
    set = sets[(place + (across ?? 0) + sets.length) % sets.length];
    const { data, label } = chart.data.datasets[set];
    at = Math.min(Math.max(at + (along ?? 0), 0), data.length - 1);
    const element = chart.getDatasetMeta(set).data[at];
    chart.setActiveElements([{ datasetIndex: set, index: at }]);
    chart.tooltip.setActiveElements([{ datasetIndex: set, index: at }], { x: element.x, y: element.y });
    chart.update("none");
    document.getElementById("spoken").textContent = [label, ...data[at].text].filter((text) => text).join(", ");
  });
}
