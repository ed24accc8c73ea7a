// A metric over two swept keys, of one policy and one value of each further key.
const most_cells = 40;  // in a row or column

const heat_map_keys = () => data.keys.map((_, at) => at).filter((at) => {
  const { is_policy, values } = data.keys[at];
  return !is_policy && values.length > 1 && values.length <= most_cells;
});

function heat_cell(estimate, share, where) {
  if (!estimate) return element("td", {}, "-");
  const { value, low, high, note } = estimate;
  return element("td", { class: "heat", style: `--share: ${share(value)}`, title: [where, ...interval_text(low, high), ...note_text(note)].join("; ") },
    `${with_digits(value)}${note ? " \u25ef" : ""}`);
}

function heat_map_section() {
  const keys = heat_map_keys(), all = quantities();
  const wanted = judged_or("response_time", "utility");
  const chosen = { quantity: Math.max(0, all.findIndex(({ name }) => wanted.includes(name))), policy: policies[0],
    across: keys.includes(state.arranged.axis) ? state.arranged.axis : keys[0], fixed: data.keys.map((key) => key.places[0]) };
  chosen.up = keys.find((key) => key !== chosen.across);
  const controls = element("div", { class: "controls" }), holder = element("div"), remarks = element("p", { class: "marks" });

  const is_fixed = (at) => !data.keys[at].is_policy && at !== chosen.across && at !== chosen.up;
  const is_shown = (point) => (!chosen.policy || data.policies[point] === chosen.policy) &&
    data.keys.every((key, at) => !is_fixed(at) || key.places[point] === chosen.fixed[at]);

  // By the places of the two keys' values.
  function cells_of({ metric, class_at }) {
    const cells = data.keys[chosen.up].values.map(() => data.keys[chosen.across].values.map(() => null));
    for (const [point, estimate] of estimates_of(metric, class_at))
      if (is_shown(point)) cells[data.keys[chosen.up].places[point]][data.keys[chosen.across].places[point]] = estimate;
    return cells;
  }

  function fill() {
    const { metric, name } = all[chosen.quantity], cells = cells_of(all[chosen.quantity]);
    const found = cells.flat().filter((cell) => cell), values = found.map((cell) => cell.value);
    const logarithmic = use_log_scale(values), [low, high] = least_and_most(values);
    const share = low < high ? scale_of([low, high], logarithmic).range([0.04, 0.6]) : () => 0.04;
    const across = data.keys[chosen.across].values.map((value) => setting(chosen.across, value));
    const up = data.keys[chosen.up].values.map((value) => setting(chosen.up, value));
    const rows = cells.map((row, at) => element("tr", {}, element("th", { scope: "row" }, up[at]),
      ...row.map((cell, column_at) => heat_cell(cell, share, `${across[column_at]}, ${up[at]}`)))).reverse();
    const title = `${with_unit(name, metric.unit)}${chosen.policy ? `, ${chosen.policy}` : ""}`;
    holder.replaceChildren(element("p", { class: "marks" }, title), framed_table("heat-map", title, [key_name(chosen.up), ...across], rows));
    const range = found.length ? `From ${with_digits(low)} to ${with_digits(high)}${logarithmic ? ", shaded by the logarithm" : ""}.` : "No value here.";
    const notes = new Set(found.flatMap(({ note }) => (note ? note.split("; ") : [])));
    remarks.textContent = range + (notes.size ? ` \u25ef ${[...notes].join(", ")}: see the top of the page.` : "");
  }

  function fill_controls() {
    const choose = (name) => (value) => { chosen[name] = value; fill(); };
    // The same key does not stand on both axes: they change places.
    const choose_key = (name, other) => (at) => {
      if (chosen[other] === Number(at)) chosen[other] = chosen[name];
      chosen[name] = Number(at);
      fill_controls();
      fill();
    };
    const named = keys.map((at) => [at, data.keys[at].name]);
    controls.replaceChildren(select("metric", all.map(({ name }, at) => [at, name]), chosen.quantity, choose("quantity")));
    if (policies.length > 1) controls.append(select("policy", policies.map((name) => [name, name]), chosen.policy, choose("policy")));
    if (keys.length > 2)
      controls.append(select("across", named, chosen.across, choose_key("across", "up")), select("up", named, chosen.up, choose_key("up", "across")));
    data.keys.forEach((key, at) => {
      if (is_fixed(at) && key.values.length > 1)
        controls.append(select(key.short, key.values.map((value, place) => [place, value]), chosen.fixed[at],
          (place) => { chosen.fixed[at] = Number(place); fill(); }));
    });
  }
  fill_controls();
  fill();
  return plain_section("heat-map", "Over two keys", "A cell has the estimate, its title the 95 % interval; the stronger its colour, the larger it is.",
    controls, holder, remarks);
}
