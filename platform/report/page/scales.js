// Scales of a plot, and where they have ticks. The same rules as for the figures in SVG.
const use_log_scale = (values) => {
  const [low, high] = least_and_most(values);
  return values.length > 0 && low > 0 && Math.log10(high / low) > 1.5;
};

function least_and_most(values) {
  let low = Infinity, high = -Infinity;  // of a hundred thousand samples, too
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function domain_of(values, logarithmic) {
  const [low, high] = least_and_most(logarithmic ? values.filter((v) => v > 0) : values);
  if (low > high) return logarithmic ? [1, 10] : [0, 1];
  const room = 0.1 * Math.abs(low) || 1;
  if (low === high) return logarithmic ? [low / 1.1, high * 1.1] : [low - room, high + room];
  return [!logarithmic && low > 0 && low < 0.5 * high ? 0 : low, high];
}

const scale_of = (domain, logarithmic) => (logarithmic ? d3.scaleLog() : d3.scaleLinear()).domain(domain);

function ticks_of(scale, logarithmic, count) {
  const [low, high] = scale.domain();
  if (!logarithmic) return scale.ticks(count);
  const decades = Math.log10(high / low), kept = decades < 1.5 ? [1, 2, 3, 5] : decades < 3 ? [1, 2, 5] : [1];
  const ticks = [];
  const step = Math.max(1, Math.ceil(decades / Math.max(1, count)));
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high) + 1; power += 1)
    if (kept.length > 1 || power % step === 0) ticks.push(...kept.map((k) => Number(`${k}e${power}`)));
  const within = ticks.filter((tick) => tick >= low && tick <= high);
  return within.length > 1 ? within : d3.scaleLinear().domain([low, high]).ticks(count);
}

const sets_in = (shown) => shown.panels.flatMap((panel) => panel.sets);
const visible_sets = (shown) => {
  const sets = sets_in(shown), visible = sets.filter((set) => !set.hidden);
  return visible.length ? visible : sets;
};

// All panels of a plot share them. Marks of stability widen the axis if they are near.
function scales_of(shown) {
  const points = visible_sets(shown).flatMap((set) => set.points);
  const ends = (p) => (shown.scatter ? [p.x, p.x_low ?? p.x, p.x_high ?? p.x] : [p.x]);
  const of_all = sets_in(shown).flatMap((set) => set.points.flatMap(ends));
  let across = [-0.5, shown.x.categories?.length - 0.5];
  if (shown.x.numeric) {
    const [low, high] = domain_of(of_all, shown.x.logarithmic);
    const near = shown.panels.flatMap((panel) => panel.marks.map((mark) => mark.at)).filter((at) => at >= low && at <= high + 0.12 * (high - low));
    across = shown.x.whole ? least_and_most(of_all) : domain_of([...of_all, ...near], shown.x.logarithmic);
  }
  const heights = points.map((p) => p.y);
  for (const p of points) for (const end of [p.low, p.high]) if (end !== null && end !== undefined) heights.push(end);
  const y = scale_of(domain_of(heights, shown.y.logarithmic), shown.y.logarithmic);
  return { x: scale_of(across, shown.x.numeric && shown.x.logarithmic), y: shown.y.logarithmic ? y : y.nice(5) };
}
