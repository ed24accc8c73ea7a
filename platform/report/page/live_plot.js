// A plot that is drawn when it comes near, and again when its width or what it shows has changed. Controls that the reader
// holds are not made anew under the hands: only where all changes.
const on_paper = { width: 660, height: 240 };
const plots = [];  // of the page
let printing = false;

// @param describe gives what is shown, see plot.js
// @param words fills in what stands around the plot and gives its label for a screen reader
function live_plot(section, figure, describe, words, controls = () => {}) {
  const svg = d3.select(figure).append("svg").attr("tabindex", 0).attr("role", "img");
  const forget = tell_values(figure, svg);
  const on_paper_only = element("p", { class: "paper-legend", "aria-hidden": "true" });
  figure.after(on_paper_only);
  let shown = null, width = 0;
  function draw_it() {
    width = figure.clientWidth;
    if (!printing && width === 0) return;
    const height = Math.min(384, Math.max(272, 0.42 * innerHeight));
    forget();
    draw(svg, shown, printing ? on_paper.width : width, printing ? on_paper.height : height);
  }
  const self = {
    section,
    show() {
      if (!shown) self.fill(true);
    },
    update(all = false) {
      if (shown) self.fill(all);
    },
    fill(all) {
      shown = describe();
      if (all) controls(shown);
      svg.attr("aria-label", words(shown));
      on_paper_only.replaceChildren(...paper_legend(shown));
      draw_it();
    },
    redraw() {
      if (shown) draw_it();
    },
  };
  new ResizeObserver(() => { if (shown && !printing && figure.clientWidth !== width) draw_it(); }).observe(figure);
  section.classList.add("metric");
  plots.push(self);
  return self;
}

function update_plots(all = false) {
  for (const plot of plots) plot.update(all);
}

// Plots are drawn when they come near the window, all of them on paper.
function watch_plots() {
  const of_section = new Map(plots.map((plot) => [plot.section, plot]));
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        of_section.get(entry.target).show();
        near.unobserve(entry.target);
      }
  }, { rootMargin: "400px" });
  for (const plot of plots) near.observe(plot.section);
  const print = (on) => () => {
    printing = on;
    for (const plot of plots) {
      if (on) plot.show();
      plot.redraw();
    }
  };
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
}
