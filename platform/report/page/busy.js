// Shares of busy cores: a row for each server, or for as many as share one, and a cell for each part of the time.
const share_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const busy_levels = 10;  // that a colour has

// Where the parts of the time end; the first is where they begin.
const ends_of = ({ begin, lasts }) => lasts.reduce((ends, length) => [...ends, ends[ends.length - 1] + length], [begin]);
const share_at = ({ rows }, row, bin) => share_letters.indexOf(rows[row][bin]) / 63;

// What is busy at all is to be seen.
function level_of(letter) {
  const share = share_letters.indexOf(letter) / 63;
  return share > 0 ? Math.max(1, Math.round(busy_levels * share)) : 0;
}

// The cells as one path for each level: there may be 40,000 of them.
// @param from before it nothing is drawn @param y gives the upper edge of a server
function draw_busy(g, busy, ends, view, from, x, y, last_server) {
  const paths = Array.from({ length: busy_levels + 1 }, () => []);
  for (let row = Math.floor(view.first / busy.each); row * busy.each < view.last; ++row) {
    const [top, bottom] = [Math.max(view.first, row * busy.each), Math.min(view.last, (row + 1) * busy.each, last_server)].map((at) => y(at).toFixed(1));
    const levels = [...busy.rows[row]].map(level_of);
    for (let bin = 0, next; bin < levels.length; bin = next) {
      for (next = bin + 1; next < levels.length && levels[next] === levels[bin];) ++next;
      const [left, right] = [Math.max(from, ends[bin]), Math.min(view.to, ends[next])];
      if (left < right) paths[levels[bin]].push(`M${x(left).toFixed(1)} ${top}H${x(right).toFixed(1)}V${bottom}H${x(left).toFixed(1)}Z`);
    }
  }
  g.selectAll("path.busy").data(paths.map((cells, level) => ({ cells, level })).filter(({ cells, level }) => level > 0 && cells.length))
    .join("path").attr("class", "busy").attr("fill-opacity", ({ level }) => level / busy_levels).attr("d", ({ cells }) => cells.join(""));
}

// The cell of a server at a time.
function busy_cell({ busy, ends, servers, clock }, server, time) {
  const bin = Math.min(busy.lasts.length, Math.max(1, d3.bisectRight(ends, time))) - 1, row = Math.floor(server / busy.each);
  const first = row * busy.each, last = Math.min(servers.count, first + busy.each);
  return { row, bin, first, last, begin: ends[bin], end: ends[bin + 1], words: [servers_name(servers, first, last),
    span_text(clock, ends[bin], ends[bin + 1]), `${with_digits(100 * share_at(busy, row, bin), 2)} % of the cores busy`] };
}

function busy_legend() {
  const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => element("span", { class: "marker" },
    element("span", { class: "swatch busy-swatch", "aria-hidden": "true", style: `--share: ${share}` }), `${100 * share} %`));
  return ["Busy cores: ", ...steps];
}
