// Where the panels of a plot stand, in units of the drawing: as many in a line as are wide enough.
const character = 6.6, line_height = 16;  // of the words at the axes
const inset = 10;                         // marks stay within the axes
const gap = 16;                           // between panels
const narrowest = 150;                    // of a panel

const shortened = (text) => (text.length > 28 ? `${text.slice(0, 27)}\u2026` : text);

// @param height of a plot of one panel
function layout_of(shown, scales, width, height) {
  const rows = [...new Set(shown.panels.map((panel) => panel.row))].map((row) => shown.panels.filter((panel) => panel.row === row));
  const most = Math.max(...rows.map((row) => row.length)), several = shown.panels.length > 1;
  const columns_in = (left) => Math.max(1, Math.min(most, Math.floor((width - left - right + gap) / (narrowest + gap))));
  const place = { width, several }, right = shown.x.whole ? 20 : 8;

  let left = 40;
  for (let pass = 0; pass < 2; ++pass) {  // how wide the numbers of the upward axis are depends on its height
    place.columns = columns_in(left);
    place.inner_width = (width - left - right - gap * (place.columns - 1)) / place.columns;
    place.inner_height = several ? Math.min(230, Math.max(130, 0.7 * place.inner_width)) : height - 3.2 * line_height;
    place.y_ticks = ticks_of(scales.y, shown.y.logarithmic, Math.max(3, place.inner_height / 45));
    left = 14 + character * Math.max(...place.y_ticks.map((tick) => axis_number(tick).length));
  }
  place.left = left;
  const of_clock = shown.x.clock ? time_ticks(shown.x.clock, scales.x, place.inner_width / 90) : null;
  place.x_ticks = of_clock ? of_clock.map(({ at }) => at)
    : shown.x.numeric ? ticks_of(scales.x, shown.x.logarithmic, Math.max(2, place.inner_width / 80)) : shown.x.categories.map((_, at) => at);
  place.x_texts = of_clock ? of_clock.map(({ text }) => text)
    : shown.x.numeric ? place.x_ticks.map(axis_number) : shown.x.categories.map(shortened);
  const longest = character * Math.max(0, ...place.x_texts.map((text) => text.length));
  place.slanted = !shown.x.numeric && longest * place.x_texts.length > place.inner_width;
  place.below = line_height + (place.slanted ? Math.min(longest, left + 60) * 0.6 : 4);

  let top = line_height + 6;  // below the name of the upward axis
  place.panels = new Map();
  place.row_titles = [];
  for (const row of rows) {
    if (row[0].row_title) {
      place.row_titles.push({ text: row[0].row_title, y: top + 12 });
      top += line_height + 4;
    }
    for (let first = 0; first < row.length; first += place.columns) {
      if (several) top += line_height;  // the panels' titles
      row.slice(first, first + place.columns).forEach((panel, at) =>
        place.panels.set(panel, { x: left + at * (place.inner_width + gap), y: top, first: at === 0 }));
      top += place.inner_height + place.below + (several ? 6 : 0);
    }
  }
  place.height = top + (shown.x.name ? line_height : 0) + 2;
  const beside = shown.x.whole || !shown.x.numeric ? 0 : inset;
  scales.x.range([beside, place.inner_width - beside]);
  scales.y.range([place.inner_height - inset, inset]);
  return place;
}
