// A metric over two swept keys, of one policy and one value of each further key: darker is larger.
const most_cells = 40;  // in a row or column

function heat_map_keys() {
  return data.keys.map((_, at) => at).filter((at) => !data.keys[at].is_policy && data.keys[at].values.length > 1 && data.keys[at].values.length <= most_cells);
}

function heat_cell(estimate, share, words) {
  if (!estimate) return element("td", {}, "-");
  const { value, low, high, note } = estimate;
  return element("td", { class: "heat", style: `--share: ${share}`, title: [words, ...interval_text(low, high), note].filter((text) => text).join("; ") },
    `${with_digits(value)}${note ? " \u25ef" : ""}`);
}

function heat_map_section() {
  const keys = heat_map_keys(), all = data.metrics.flatMap((metric) => metric.classes.map((name, class_at) => ({ metric, class_at, name: metric.name + of_class(name) })));
  const judged = (data.verdict?.metrics ?? []).map(({ title }) => title);
  const chosen = { quantity: Math.max(0, all.findIndex((one) => [...judged, "response_time", "utility"].includes(one.name))), policy: policies[0],
    across: keys.includes(state.arranged.axis) ? state.arranged.axis : keys[0], fixed: new Map(data.keys.map((key, at) => [at, key.places[0]])) };
  chosen.up = keys.find((key) => key !== chosen.across);
  const controls = element("div", { class: "controls" }), holder = element("div"), remarks = element("p", { class: "marks" });

  const stands = (point) => (!chosen.policy || data.policies[point] === chosen.policy) && data.keys.every((key, at) =>
    key.is_policy || at === chosen.across || at === chosen.up || key.places[point] === chosen.fixed.get(at));

  function fill() {
    const { metric, class_at, name } = all[chosen.quantity];
    const estimates = estimates_of(metric, class_at), across = data.keys[chosen.across], up = data.keys[chosen.up];
    const cells = up.values.map(() => across.values.map(() => null));
    data.points.forEach((_, point) => {
      if (stands(point) && estimates.has(point)) cells[up.places[point]][across.places[point]] = estimates.get(point);
    });
    const values = cells.flat().filter((cell) => cell).map((cell) => cell.value);
    const logarithmic = wants_logarithm(values), [low, high] = least_and_most(values);
    const share = low < high ? scale_of([low, high], logarithmic).range([0.04, 0.6]) : () => 0.04;
    const title = `${with_unit(name, metric.unit)}${chosen.policy ? `, ${chosen.policy}` : ""}`;
    const rows = up.values.map((value, row) => element("tr", {}, element("th", { scope: "row" }, setting(chosen.up, value)),
      ...across.values.map((at, column_at) => heat_cell(cells[row][column_at], cells[row][column_at] ? share(cells[row][column_at].value) : 0,
        `${setting(chosen.across, at)}, ${setting(chosen.up, value)}`)))).reverse();
    holder.replaceChildren(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      element("table", { class: "verdict heat-map" }, element("caption", {}, title),
        element("thead", {}, element("tr", {}, ...["", ...across.values.map((value) => setting(chosen.across, value))].map((text) => element("th", { scope: "col" }, text || key_name(chosen.up))))),
        element("tbody", {}, ...rows))));
    const notes = new Set(cells.flat().flatMap((cell) => (cell?.note ? cell.note.split("; ") : [])));
    remarks.textContent = [values.length ? `From ${with_digits(low)} to ${with_digits(high)}${logarithmic ? ", shaded by the logarithm" : ""}.` : "No value here.",
      notes.size ? `\u25ef ${[...notes].join(", ")}: see the top of the page.` : ""].filter((text) => text).join(" ");
  }

  function fill_controls() {
    const change = (name, other) => (at) => {
      if (other && chosen[other] === Number(at)) chosen[other] = chosen[name];
      chosen[name] = Number(at);
      if (other) fill_controls();
      fill();
    };
    const named = keys.map((at) => [at, data.keys[at].name]);
    controls.replaceChildren(select("metric", all.map((one, at) => [at, one.name]), chosen.quantity, change("quantity")));
    if (policies.length > 1) controls.append(select("policy", policies.map((name) => [name, name]), chosen.policy, (name) => { chosen.policy = name; fill(); }));
    if (keys.length > 2) controls.append(select("across", named, chosen.across, change("across", "up")), select("up", named, chosen.up, change("up", "across")));
    data.keys.forEach((key, at) => {
      if (!key.is_policy && key.values.length > 1 && at !== chosen.across && at !== chosen.up)
        controls.append(select(key.short, key.values.map((value, place) => [place, value]), chosen.fixed.get(at), (place) => { chosen.fixed.set(at, Number(place)); fill(); }));
    });
  }
  fill_controls();
  fill();
  return plain_section("heat-map", "Over two keys", "A cell has the estimate, its title the 95 % interval; darker is larger.", controls, holder, remarks);
}
