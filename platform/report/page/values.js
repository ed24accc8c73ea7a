// The values of a point on hover and by arrow keys: left and right go along a series, up and down to another one. What is
// there is spoken, too. A click or Enter on a point sends "choose" with its number.
const spoken = () => document.getElementById("spoken");

function tell_values(figure, svg) {
  const tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  figure.append(tip);
  let group = 0, at = -1, chosen = null;

  function show(spot, set) {
    chosen = spot;
    svg.select("circle.chosen").attr("visibility", spot ? "visible" : "hidden");
    tip.hidden = !spot;
    if (!spot) return;
    svg.select("circle.chosen").attr("cx", spot.x).attr("cy", spot.y).style("--c", set.n === null ? "var(--ink)" : colour_of(set.style));
    tip.replaceChildren(set.label ? element("strong", {}, set.label) : "", ...spot.point.text().map((line) => element("div", {}, line)));
    const scale = svg.node().clientWidth / svg.datum().place.width;
    const room = figure.clientWidth - tip.offsetWidth, right = spot.x * scale + 14;
    tip.style.left = `${Math.max(0, right <= room ? right : Math.min(room, spot.x * scale - tip.offsetWidth - 14))}px`;
    tip.style.top = `${Math.max(0, spot.y * scale - tip.offsetHeight / 2)}px`;
  }

  svg.on("pointermove pointerdown", () => {
    const drawing = svg.datum();
    if (!drawing) return;
    const [x, y] = d3.clientPoint(svg.node(), d3.event);
    const { inner_width: width, inner_height: height } = drawing.place;
    let nearest = null, least = Infinity;
    for (const one of drawing.groups) {
      if (x < one.at.x - 6 || x > one.at.x + width + 6 || y < one.at.y || y > one.at.y + height) continue;
      for (const spot of one.spots) {
        const distance = (spot.x - x) ** 2 + (spot.y - y) ** 2;
        if (distance < least) [least, nearest] = [distance, { spot, set: one.set }];
      }
    }
    if (nearest?.spot !== chosen) show(nearest?.spot ?? null, nearest?.set);
  });
  svg.on("pointerleave blur", () => show(null));
  const choose = () => {
    if (chosen?.point.point !== undefined) figure.dispatchEvent(new CustomEvent("choose", { bubbles: true, detail: { point: chosen.point.point } }));
  };
  svg.on("click", choose);
  svg.on("keydown", () => {
    const { key } = d3.event;
    if (key === "Enter") choose();
    const along = { ArrowRight: 1, ArrowLeft: -1 }[key], across = { ArrowDown: 1, ArrowUp: -1 }[key];
    const groups = svg.datum()?.groups.filter((one) => one.spots.length) ?? [];
    if ((!along && !across) || groups.length === 0) return;
    d3.event.preventDefault();
    group = (Math.min(group, groups.length - 1) + (across ?? 0) + groups.length) % groups.length;
    const { set, spots } = groups[group];
    at = Math.min(Math.max(at + (along ?? 0), 0), spots.length - 1);
    show(spots[at], set);
    spoken().textContent = [set.label, ...spots[at].point.text()].filter((text) => text).join(", ");
  });
  return () => show(null);
}
