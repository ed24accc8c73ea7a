// The jobs that waited longest in the first replication of a point, and what the cores ran meanwhile.
function wait_row(clock, [of_class, job, arrival, wait, has_left, running]) {
  const { classes } = data.pictures;
  const percent = (share) => `${with_digits(100 * share, 2)} %`;
  const rest = Math.max(0, 1 - running.reduce((sum, [, share]) => sum + share, 0));
  const words = [...running.map(([at, share]) => `${classes[at]} ${percent(share)}`), ...(rest > 0.0005 ? [`other ${percent(rest)}`] : [])].join(", ");
  const bar = element("span", { class: "stack", "aria-hidden": "true" }, ...running.map(([at, share]) => {
    const part = element("span", { style: `width: ${100 * share}%` });
    part.style.background = colour_of(class_style(classes[at]));
    return part;
  }));
  return element("tr", {}, element("th", { scope: "row" }, String(job)), element("td", {}, classes[of_class]), element("td", {}, clock ? moment_text(clock, arrival) : with_digits(arrival, 6)),
    element("td", {}, with_digits(wait), has_left ? "" : element("span", { class: "caution" }, "until the end: has not left")),
    element("td", { class: "meanwhile" }, bar, element("span", { class: "words" }, words)));
}

function waits_part() {
  const holder = element("div");
  const section = part_of_point("The longest waits", "The ten jobs that waited longest in the measured part of the first replication, and the shares " +
    "of all cores that ran jobs of each class meanwhile, those aside on which the job ran itself where it waited more than once; the rest is idle, in overhead or down, or runs classes with less. " +
    "Jobs that have not left at its end are among them, waiting or in service.", holder);
  function update() {
    const arrival = clock_of(closely.point) ? "arrival" : with_unit("arrival", data.unit);
    const heads = ["job", "class", arrival, with_unit("waiting time", data.unit), "what the cores ran meanwhile"];
    const rows = data.pictures.waits[closely.point] ?? [];
    holder.replaceChildren(rows.length ? framed_table("waits", `The longest waits, ${point_words(closely.point)}`, heads, rows.map((row) => wait_row(clock_of(closely.point), row)))
      : element("p", { class: "marks" }, "No job has waited."));
  }
  update();
  return { section, update };
}
