// The answer before everything else: for each metric a table of the policies, the best one of each row marked.

const most_verdict_rows = 200;

const words_of = (found) => ({
  best: "best", equal: "not told apart", worse: found.lead.replace(/ \(.*/, ""), unjudged: "not judged",
})[found.place];

/// A bar as long as the value, beside the largest of the row.
function policy_cell(found, largest) {
  if (!found) return element("td", {}, "-");
  const bar = element("span", { class: "bar", "aria-hidden": "true",
    style: `--share: ${largest > 0 ? Math.abs(found.mean) / largest : 0}; --bar: var(--series-${policies.indexOf(found.policy) % colours})` });
  return element("td", { class: `place ${found.place}`, title: [found.lead, found.note].filter((text) => text).join("; ") },
    element("span", { class: "value" }, found.value), element("span", { class: "words" }, words_of(found)), bar);
}

// What the other keys put in heads the rows that it belongs to.
function verdict_table(metric, rows) {
  const heads = [data.verdict.key, "best", ...policies];
  const lines = [];
  let others = "";
  for (const row of rows) {
    if (row.others !== others) lines.push(element("tr", { class: "others" }, element("th", { scope: "rowgroup", colspan: heads.length }, `with ${row.others}`)));
    others = row.others;
    const largest = Math.max(...row.policies.map((p) => Math.abs(p.mean)));
    lines.push(element("tr", {}, element("th", { scope: "row" }, row.value),
      element("td", { class: "name" }, row.policies.find((p) => p.place === "best")?.policy ?? "-"),
      ...policies.map((name) => policy_cell(row.policies.find((p) => p.policy === name), largest))));
  }
  const title = with_unit(metric.title, metric.unit);
  return framed_table("by-policy", `Which policy is best by ${title}`, heads, lines);
}

function verdict_section() {
  const where = (row) => [data.verdict.key && `${data.verdict.key} = ${row.value}`, row.others].filter((text) => text).join(", ");
  const answers = data.verdict.metrics.map((metric) => {
    const finished = metric.rows.filter((row) => row.policies.length), rows = finished.slice(0, most_verdict_rows);
    const lines = rows.map((row) => element("li", {}, where(row) ? `${where(row)}: ${row.sentence}.` : `${row.sentence}.`));
    return element("div", {}, element("h3", {}, with_unit(metric.title, metric.unit)), verdict_table(metric, rows),
      rows.length < finished.length ? element("p", { class: "marks" }, `The first ${rows.length} of ${finished.length} rows; differences.csv has all.`) : "",
      element("details", {}, element("summary", {}, "In words"), element("ul", {}, ...lines)));
  });
  const sentences = data.verdict.sentences.map((text) => element("li", {}, `${text}.`));
  return plain_section("verdict", "Which policy is best",
    "By paired differences on the same jobs. A row calls any two policies different that are equal with a probability of 5 % at most.",
    sentences.length ? element("ul", { class: "sentences" }, ...sentences) : "", element("div", { class: "answers" }, ...answers));
}
