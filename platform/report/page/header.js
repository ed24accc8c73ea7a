// Around the sections: what was run, and what is to be noted of it.
const short_number = (value) => (value >= 1e6 ? `${Number((value / 1e6).toPrecision(3))} million` : String(Number(Number(value).toPrecision(4))));

function facts(list) {
  return element("dl", { class: "facts" }, ...list.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function fill_header() {
  const m = data.manifest;
  const summary = document.getElementById("summary");
  const list = [["points", m.points_finished === m.points ? String(m.points) : `${m.points_finished} of ${m.points}`]];
  if (m.replications_finished !== undefined) list.push(["replications", String(m.replications_finished)]);
  if (m.jobs !== undefined) list.push(["jobs", short_number(m.jobs)]);
  if (m.wall_seconds !== undefined) list.push(["took", `${Number(m.wall_seconds.toPrecision(3))} s`]);
  if (m.began !== undefined) list.push(["began", String(m.began)]);
  if (m.muster_version !== undefined) list.push(["muster", String(m.muster_version)]);
  summary.append(facts(list));
  if (m.status && m.status !== "done")
    summary.append(element("p", { class: "note" }, `${m.status === "fault" ? `Ended by a fault: ${m.fault}.` : "Interrupted."} What follows are the points that were finished.`));
  // Beside a verdict, which has the marks where they count, they are notes among others.
  const reasons = cautions_by_point(), first = [...(data.verdict ? reasons : []), ...data.warnings];
  if (!data.verdict) for (const line of reasons) summary.append(element("p", { class: "note" }, line));
  const count = first.length + data.notes.count;
  const notes = () => [...first, ...numbers_to(data.notes.count).map(column_of(data.notes.column))];
  if (count) summary.append(folded({ class: "notes" }, `${count} ${count === 1 ? "note" : "notes"}`,
    () => element("ul", {}, ...notes().map((note) => element("li", {}, note)))));
}

// Which points have estimates that are not to be taken as they stand, a line for each reason.
function cautions_by_point() {
  return data.cautions.flatMap(({ word, about, points }) => (points.length === 0 ? [] : [`${points.length} of ${data.points.length} points ` +
    `${points.length === 1 ? "has" : "have"} estimates marked ${word} (${number_list(points)}): ${about}.`]));
}

function fill_facts() {
  const as_text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  document.getElementById("facts").append(sortable_table("manifest.json", ["fact", "value"],
    Object.entries(data.manifest).filter(([, value]) => value !== "").map(([name, value]) => [name, as_text(value)])));
}
