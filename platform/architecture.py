#!/usr/bin/env python3
"""Draws architecture.svg, the picture of the three storeys in README.md: architecture.py > architecture.svg"""

from xml.sax.saxutils import escape

WIDTH, HEIGHT = 960, 600

# Name, what it is made of, top, height.
STOREYS = [
    ("platform/", "what a user drives", 10, 140),
    ("modules/", "SystemC and TLM-2.0", 190, 210),
    ("policies/", "who runs next: plain C++", 440, 150),
]

# Key: x, y, width, title, lines below it.
BOXES = {
    "scenario": (30, 60, 150, "scenario", ["a TOML file, checked", "against tables of keys"]),
    "study": (215, 60, 150, "study", ["points of a sweep,", "theory, stability"]),
    "replications": (400, 60, 160, "replications", ["in worker processes", "and on MPI ranks"]),
    "estimates": (595, 60, 150, "estimates", ["intervals, differences,", "verdict"]),
    "report": (780, 60, 150, "results", ["CSV, SQLite, page,", "figures, traces"]),
    "source": (30, 245, 150, "job source", ["workload, arrivals,", "sizes"]),
    "scheduler": (250, 245, 220, "scheduler", ["ports, core allocator,", "a service for each kind of job"]),
    "network": (545, 245, 150, "link, network", ["latency, bandwidth,", "routes, sharing"]),
    "server": (770, 245, 160, "server", ["cores: idle, overhead,", "running; holder, times"]),
    "timekeeper": (430, 345, 500, "timekeeper: all timers of a cluster behind one kernel event", []),
    "rigid": (30, 495, 280, "rigid jobs", ["fcfs, first_fit, msf, msfq, static_quickswap,", "adaptive_quickswap, server_filling .."]),
    "pooled": (340, 495, 280, "pooled jobs", ["fcfs_pooled, balanced_fair"]),
    "slotted": (650, 495, 280, "slotted jobs", ["ispeed, fifo, edf, equal_partitioning"]),
}

# From side of box to side of box, words beside the arrow, whether both ways.
ARROWS = [
    ("scenario", "right", "study", "left", "", False),
    ("study", "right", "replications", "left", "", False),
    ("replications", "right", "estimates", "left", "", False),
    ("estimates", "right", "report", "left", "", False),
    ("source", "right", "scheduler", "left", "job", True),
    ("scheduler", "right", "network", "left", "slice", True),
    ("network", "right", "server", "left", "slice", True),
    ("replications", "bottom", "scheduler", "top", "builds, measures", False),
    ("scheduler", "bottom", "timekeeper", "top", "", False),
    ("server", "bottom", "timekeeper", "top", "", False),
    ("scheduler", "bottom", "pooled", "top", "asks one of a kind", False),
]


def height(box):
    return 34 + 18 * len(BOXES[box][4])


def side(box, where, towards):
    """A point on a side of a box; on the top or bottom, where the box towards which it points lies."""
    x, y, width = BOXES[box][:3]
    if where in ("left", "right"):
        return x + (width if where == "right" else 0), y + height(box) / 2
    other, _, other_width = BOXES[towards][:3]
    middle = (max(x, other) + min(x + width, other + other_width)) / 2
    return min(max(middle, x + 12), x + width - 12), y + (height(box) if where == "bottom" else 0)


def text(x, y, words, kind, anchor="middle"):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def storey(name, about, top, tall):
    yield f'<rect x="10" y="{top}" width="{WIDTH - 20}" height="{tall}" rx="8" class="storey"/>'
    yield text(30, top + 28, name, "name", "start")
    yield text(130, top + 28, about, "about", "start")


def box(key):
    x, y, width, title, lines = BOXES[key]
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height(key)}" rx="5" class="box"/>'
    yield text(x + width / 2, y + 22, title, "title")
    for n, line in enumerate(lines):
        yield text(x + width / 2, y + 42 + 18 * n, line, "line")


def arrow(start, out, end, into, words, both):
    x1, y1 = side(start, out, end)
    x2, y2 = side(end, into, start)
    back = ' marker-start="url(#head)"' if both else ""
    yield f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" marker-end="url(#head)"{back}/>'
    if words:
        beside = out in ("left", "right")
        yield text((x1 + x2) / 2 + (0 if beside else 12), (y1 + y2) / 2 - (8 if beside else -4), words, "line",
                   "middle" if beside else "start")


def picture():
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
           f'height="{HEIGHT}" font-family="sans-serif" font-size="13">')
    yield "<title>The three storeys of muster: includes and calls point down only</title>"
    yield ("<style>.storey{fill:#f4f6f8;stroke:#c4ccd4}.box{fill:#fff;stroke:#4a6785}.name{font-weight:bold;font-size:17px}"
           ".about,.line{fill:#445}.title{font-weight:bold}line{stroke:#345;stroke-width:1.5}</style>")
    yield ('<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
           'orient="auto-start-reverse"><path d="M0 1L9 5L0 9z" fill="#345"/></marker></defs>')
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    for each in STOREYS:
        yield from storey(*each)
    for each in ARROWS:
        yield from arrow(*each)
    for key in BOXES:
        yield from box(key)
    for n, line in enumerate(["A job is a transaction: BEGIN_REQ as it arrives,", "BEGIN_RESP as it is complete."]):
        yield text(30, 345 + 18 * n, line, "line", "start")
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(picture()))
