// How series look: a policy has its colour everywhere, markers tell series of one colour apart.
const colours = 8;
// Of the series that have the colours once more.
const dashes = [null, "12 3 3 3", "2 3"];
const dash_of = (style) => dashes[Math.floor((style?.colour ?? 0) / colours) % dashes.length];
const marker_paths = ["M0 -3.7a3.7 3.7 0 1 0 .01 0Z", "M0 -4.6L4.3 3.2H-4.3Z", "M-3.4 -3.4H3.4V3.4H-3.4Z", "M0 -4.9L4.9 0L0 4.9L-4.9 0Z",
  "M0 4.6L4.3 -3.2H-4.3Z", "M-4.2 0H4.2M0 -4.2V4.2", "M-3.3 -3.3L3.3 3.3M-3.3 3.3L3.3 -3.3"];
const marker_path = (style) => marker_paths[style.marker % marker_paths.length];
const colour_of = (style) => (style?.colour === undefined ? "var(--ink)" : `var(--series-${style.colour % colours})`);

// @param style null: of no series
function legend_mark(style, { dashed = false, marker = true, line = true } = {}) {
  const svg = d3.create("svg:svg").attr("width", line ? 26 : 14).attr("height", 12).attr("aria-hidden", "true").attr("class", "set");
  svg.style("--c", colour_of(style));
  if (line) svg.append("path").attr("class", dashed ? "line known" : "line").attr("stroke-dasharray", dash_of(style)).attr("d", "M0 6h26");
  if (marker)
    svg.append("path").attr("class", "mark").attr("d", marker_path(style ?? { marker: 0 })).attr("transform", `translate(${line ? 13 : 7},6)`);
  return svg.node();
}
