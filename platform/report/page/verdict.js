// The answer before everything else: for each metric which policy is best where, and all policies in a row each, the best first.
const most_verdict_rows = 200, most_rankings = 60;

const against_best = (found) => ({
  best: "best", equal: ["not told apart", found.lead].filter((text) => text && text !== "-").join(", "), worse: found.lead, unjudged: "not judged",
}[found.place] ?? found.place);

// A policy as it looks in all plots, and what is to be noted of it.
// @param words cautions and the like
function policy_head(policy, words = []) {
  const n = policies.indexOf(policy);
  return element("th", { scope: "row", class: "policy" }, legend_mark({ colour: n, marker: n + Math.floor(n / colours) }), " ", breakable(policy),
    ...words.filter((text) => text).map((text) => element("span", { class: "caution" }, text)));
}

/// A bar as long as the value, beside the largest of the same table's part.
function value_bar(share, colour) {
  return element("span", { class: colour >= colours ? "bar striped" : "bar", "aria-hidden": "true",
    style: `--share: ${share}; --bar: ${colour_of({ colour })}` });
}

function ranking_row(found, largest) {
  const bar = value_bar(largest > 0 ? Math.abs(found.mean) / largest : 0, policies.indexOf(found.policy));
  return element("tr", { class: `place ${found.place}` }, policy_head(found.policy, [...found.note.split("; "), found.why]),
    element("td", {}, element("span", { class: "value" }, found.value), bar), element("td", { class: "words" }, against_best(found)));
}

const place_of_row = (row) => [data.verdict.key && `${data.verdict.key} = ${row.value}`, row.others].filter((text) => text).join(", ");

// A part for each contest.
function rankings(metric, rows) {
  const title = with_unit(metric.title, metric.unit), heads = ["policy", title, "against the best"];
  const lines = rows.flatMap((row) => {
    const largest = Math.max(...row.policies.map((p) => Math.abs(p.mean))), where = place_of_row(row);
    return [...(where ? [element("tr", { class: "others" }, element("th", { scope: "rowgroup", colspan: heads.length }, where))] : []),
      ...row.policies.map((found) => ranking_row(found, largest))];
  });
  return framed_table("ranking", `Policies by ${title}, the best first`, heads, lines);
}

// What the other keys put in heads the rows that it belongs to.
function winners(metric, rows) {
  const heads = [data.verdict.key || "", "best", with_unit(metric.title, metric.unit), "next"];
  const lines = [];
  let others = "";
  for (const row of rows) {
    if (row.others !== others) lines.push(element("tr", { class: "others" }, element("th", { scope: "rowgroup", colspan: heads.length }, `with ${row.others}`)));
    others = row.others;
    const best = row.policies.find((p) => p.place === "best"), next = row.policies.find((p) => p !== best);
    lines.push(element("tr", {}, element("th", { scope: "row" }, row.value || "all"),
      element("td", { class: "name" }, best ? breakable(best.policy) : "-"), element("td", {}, best?.value ?? "-"),
      element("td", { class: "words" }, next ? `${breakable(next.policy)}: ${against_best(next)}` : "-")));
  }
  return framed_table("winners", `Which policy is best by ${with_unit(metric.title, metric.unit)}`, heads, lines);
}

function verdict_section() {
  const answers = data.verdict.metrics.map((metric) => {
    const finished = metric.rows.filter((row) => row.policies.length), rows = finished.slice(0, most_verdict_rows);
    const lines = rows.map((row) => element("li", {}, place_of_row(row) ? `${place_of_row(row)}: ${row.sentence}.` : `${row.sentence}.`));
    const ranked_rows = rows.slice(0, most_rankings);
    const left_out = ranked_rows.length < finished.length ? `The first ${ranked_rows.length} of ${finished.length} comparisons; differences.csv has all.` : "";
    return element("div", {}, element("h3", {}, with_unit(metric.title, metric.unit)), rows.length > 1 ? winners(metric, rows) : "",
      rankings(metric, ranked_rows), left_out ? element("p", { class: "marks" }, left_out) : "",
      element("details", {}, element("summary", {}, "In words"), element("ul", {}, ...lines)));
  });
  const sentences = data.verdict.sentences.map((text) => element("li", {}, `${text}.`));
  return plain_section("verdict", "Which policy is best",
    "By paired differences on the same jobs. A comparison calls any two policies different that are equal with a probability of 5 % at most." +
      (data.verdict.where?.length ? ` Best among those that keep ${data.verdict.where.join(" and ")}.` : ""),
    sentences.length ? element("ul", { class: "sentences" }, ...sentences) : "", element("div", { class: "answers" }, ...answers));
}
