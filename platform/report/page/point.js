// Details of a point: what its cores do, how its response times are distributed, what goes on over time. A click or
// Enter on a point of a plot leads here.
const closely = { point: 0, update: () => {} };

const point_words = (point) => [`point ${point}`, words_of_point(point)].filter((text) => text).join(", ");
// The first of the classes is "all".
function class_style(name) {
  const n = data.pictures.classes.indexOf(name) - 1;
  return { colour: n, marker: n };
}

// Goes to the point's pictures, if it has any.
function show_point(point) {
  const section = document.getElementById("point");
  if (!section || !data.pictures.responses[point]) return;
  closely.point = point;
  closely.update();
  section.scrollIntoView();
  section.querySelector("select")?.focus({ preventScroll: true });
  spoken().textContent = `Pictures of ${point_words(point)}`;
}

function point_section() {
  const points = data.pictures.responses.flatMap((found, point) => (found ? [point] : []));
  closely.point = points[0];
  const parts = [cores_part(), heat_part(), waits_part(), ...(data.pictures.slowdowns ? [slowdowns_part()] : []), distribution_part(), ...over_time_parts()];
  closely.update = () => {
    controls.querySelector("select").value = closely.point;
    for (const part of parts) part.update(true);
  };
  const choose = (point) => { closely.point = Number(point); closely.update(); };
  const controls = element("div", { class: "controls" },
    select("point", points.map((point) => [point, point_words(point)]), closely.point, choose));
  document.addEventListener("choose", (event) => show_point(event.detail.point));
  const most = data.pictures.responses.length;
  const left_out = data.points.length > most ? ` Of the first ${most} points; results.sqlite has all.` : "";
  return plain_section("point", "Details of a point", `A click or Enter on a point of any plot leads here.${left_out}`, controls,
    ...parts.map((part) => part.section));
}

// @param about what is shown, a sentence or an element
const part_of_point = (title, about, ...content) =>
  element("div", { class: "part" }, element("h3", {}, title), element("p", { class: "about" }, about), ...content);
