// A table that can be sorted. A field is a number, a text, or null or an empty text where there is none.
const first_rows = 500;

const is_missing = (field) => field === null || field === "";

function compare_fields(a, b) {
  if (is_missing(a) || is_missing(b)) return is_missing(a) - is_missing(b);
  const difference = Number(a) - Number(b);
  return Number.isNaN(difference) ? (a < b ? -1 : a > b ? 1 : 0) : difference;
}

function sortable_table(caption, columns, rows) {
  const numeric = columns.map((_, at) => rows.every((row) => is_missing(row[at]) || !Number.isNaN(Number(row[at]))));
  const body = element("tbody");
  let shown = first_rows;
  let sorted = rows;

  const more = element("button", { type: "button", class: "plain", onclick: () => { shown = rows.length; fill(); } },
    `The first ${first_rows} of ${rows.length} rows are shown; show all`);
  function fill() {
    const lines = sorted.slice(0, shown).map((row) => element("tr", {}, ...row.map((field, at) =>
      element(at === 0 ? "th" : "td", { scope: at === 0 ? "row" : null, class: numeric[at] ? "number" : null }, field ?? ""))));
    body.replaceChildren(...lines);
    more.hidden = shown >= rows.length;
  }

  const heads = columns.map((name, at) => {
    const head = element("th", { scope: "col", "aria-sort": "none", class: numeric[at] ? "number" : null },
      element("button", { type: "button", onclick: () => sort(head, at) }, name));
    return head;
  });
  function sort(head, at) {
    const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of heads) other.setAttribute("aria-sort", other === head ? order : "none");
    const sign = order === "ascending" ? 1 : -1;
    // Fields that are missing stay last.
    sorted = [...rows].sort((a, b) =>
      (is_missing(a[at]) || is_missing(b[at]) ? 1 : sign) * compare_fields(a[at], b[at]));
    fill();
  }

  fill();
  const table = element("table", {}, element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...heads)), body);
  return element("div", {}, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table),
    more);
}

// A table that is read as it stands.
function framed_table(name, caption, heads, lines) {
  const head = element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, breakable(text)))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", { class: `verdict ${name}` }, element("caption", { class: "unseen" }, caption), head, element("tbody", {}, ...lines)));
}

// A name may be broken behind its points and underscores.
const breakable = (name) => name.replace(/[._]/g, "$&\u200b");

// A study may have a hundred thousand rows.
const folded_table = (caption, columns, rows_of, count) =>
  folded({}, `Table, ${count} ${count === 1 ? "row" : "rows"}`, () => sortable_table(caption, columns, rows_of()));
