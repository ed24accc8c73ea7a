// Starts the page: the other scripts only define what it is made of.
const data = JSON.parse(document.getElementById("data").textContent);
// In the order of the points: a policy has its colour and its column wherever it stands.
const policies = [...new Set(data.policies)].filter((name) => name);

// All series are drawn until the reader hides some.
function arrange(axis) {
  state.arranged = arrangement_over(axis);
  state.hidden = new Set();
  fill_legend();
}

function fill_contents() {
  const nav = document.getElementById("contents");
  const choices = data.keys.map((key, at) => [at, key]).filter(([, key]) => key.values.length > 1);
  if (choices.length > 1)
    nav.append(select("over", choices.map(([at, key]) => [at, key.name]), state.arranged.axis, (at) => {
      arrange(Number(at));
      update_plots(true);
    }));
  const list = element("ul");
  for (const section of document.querySelectorAll("main section")) {
    const title = section.id.startsWith("metric-") ? title_of(section.id.slice(7)) : section.querySelector("h2").textContent;
    list.append(element("li", {}, element("a", { href: `#${section.id}` }, title)));
  }
  nav.append(list);
}

function fill_sections() {
  const sections = document.getElementById("sections");
  const zero = data.metrics.filter((metric) => metric.is_zero);
  if (data.metrics.length === 0) sections.append(element("p", { class: "note wide" }, "No point is finished yet; there is nothing to show."));
  if (data.verdict) sections.append(verdict_section());
  if (data.metrics.some((metric) => metric.name === time_parts[0])) sections.append(times_section());
  if (data.points.length > 1 && judgeable().length > 1) sections.append(pareto_section());
  if (heat_map_keys().length > 1 && data.metrics.length) sections.append(heat_map_section());
  if (data.points.length === 1 && data.metrics.length) sections.append(only_point_section());
  else sections.append(...data.metrics.filter((metric) => !metric.is_zero).map(metric_section));
  if (data.pictures) sections.append(point_section());
  if (data.presence) sections.append(presence_section());
  if (data.differences) sections.append(differences_section());
  if (data.stability) sections.append(stability_section());
  if (zero.length && data.points.length > 1) sections.append(zero_section(zero));
}

// What sticks to the top of the window covers no section that is gone to.
function keep_below_top() {
  const nav = document.getElementById("contents"), legend = document.getElementById("legend"), root = document.documentElement;
  const measure = () => {
    const beside = nav.offsetHeight > 0.5 * innerHeight || getComputedStyle(nav).gridRowStart === "1";
    root.style.setProperty("--top", beside ? "0px" : `${nav.offsetHeight}px`);
    root.style.scrollPaddingTop = `${(beside ? 0 : nav.offsetHeight) + legend.offsetHeight + 12}px`;
  };
  const observer = new ResizeObserver(measure);
  observer.observe(nav);
  observer.observe(legend);
}

arrange(data.default_key);
fill_header();
fill_sections();
fill_facts();
fill_contents();
keep_below_top();
watch_plots();
// On paper notes are open, and stand behind the answers.
const notes_on_screen = [...document.querySelectorAll("details.notes")].map((notes) => [notes, notes.parentElement]);
addEventListener("beforeprint", () => {
  for (const [notes] of notes_on_screen) {
    notes.fill();
    notes.open = true;
    document.querySelector("main").append(notes);
  }
});
addEventListener("afterprint", () => {
  for (const [notes, place] of notes_on_screen) place.append(notes);
});
