// The mouse and the finger in a picture of the servers: the wheel zooms at the pointer, dragging moves. Where nothing can be
// moved as all is shown, or with shift, the mouse draws a frame that is shown then; a double click shows all again.

// A wheel that scrolls the page goes on doing so when the picture comes under the pointer.
let scrolled_at = -Infinity;
addEventListener("scroll", () => { scrolled_at = performance.now(); }, { passive: true });

const units_of_wheel = [1, 33, 400];  // by deltaMode

// @param changed is called when the view has changed; true: for good, false: it goes on
function pan_and_zoom(svg, state_of, changed) {
  const place = () => d3.clientPoint(svg.node(), d3.event);
  let start = null;  // of a drag: where, and what is shown
  svg.on("wheel.zoom", () => {
    const { drawn, scene } = state_of(), { view } = scene ?? {}, { deltaX, deltaY, deltaMode, shiftKey, ctrlKey } = d3.event;
    if (!drawn || performance.now() - scrolled_at < 300) return;
    const [x, y] = place(), unit = units_of_wheel[deltaMode] ?? 1, across = shiftKey ? deltaY || deltaX : Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : 0;
    if (across) {
      if (view.is_all_time()) return;
      view.move((across * unit) / drawn.width, 0);
    } else {
      const factor = 2 ** ((-deltaY * unit) / 250);
      if (factor < 1 && view.is_all_time() && (!ctrlKey || view.is_whole())) return;  // the page goes on
      const server = view.first + ((y - drawn.top) / drawn.of_servers) * (view.last - view.first);
      view.zoom(factor, drawn.x.invert(x - drawn.left), server, ctrlKey ? factor : 1);
    }
    d3.event.preventDefault();
    changed(false);
  });
  const box = ([x, y]) => ({ x: Math.min(x, start.x), y: Math.min(y, start.y), width: Math.abs(x - start.x), height: Math.abs(y - start.y) });
  svg.on("pointerdown.drag", () => {
    const { pointerType, button, shiftKey, pointerId } = d3.event, { drawn, scene } = state_of(), is_mouse = pointerType === "mouse";
    if (!drawn || (is_mouse && button !== 0) || (!is_mouse && scene.view.is_all_time())) return;
    const [x, y] = place(), { from, first } = scene.view;
    start = { x, y, from, first, frames: is_mouse && (shiftKey || scene.view.is_whole()), free_down: is_mouse };
    svg.node().setPointerCapture(pointerId);
  });
  svg.on("pointermove.drag", () => {
    if (!start) return;
    const [x, y] = place(), { drawn, scene: { view } } = state_of();
    if (start.frames) {
      const frame = svg.selectAll("rect.frame").data([box([x, y])]).join("rect").attr("class", "frame");
      for (const name of ["x", "y", "width", "height"]) frame.attr(name, (d) => d[name]);
      return;
    }
    const time = ((x - start.x) / drawn.width) * (view.to - view.from), servers = ((y - start.y) / drawn.of_servers) * (view.last - view.first);
    view.go(start.from - time, start.free_down ? start.first - servers : view.first);
    changed(false);
  });
  svg.on("pointerup.drag pointercancel.drag", () => {
    if (!start) return;
    const { frames } = start, { x, y, width, height } = box(place()), { drawn, scene } = state_of();
    start = null;
    svg.selectAll("rect.frame").remove();
    if (!frames || d3.event.type !== "pointerup" || width < 8 || height < 4) return;
    const server_at = (up) => scene.view.first + d3.bisectRight(d3.range(scene.view.first, scene.view.last).map((n) => drawn.y(n)), up - drawn.top) - 1;
    scene.view.show(drawn.x.invert(x - drawn.left), drawn.x.invert(x + width - drawn.left), server_at(y), server_at(y + height) + 1);
    changed(true);
  });
  svg.on("dblclick.drag", () => {
    const { scene } = state_of();
    if (!scene) return;
    scene.view.whole();
    changed(true);
  });
}
