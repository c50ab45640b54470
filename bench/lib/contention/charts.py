"""Charts as SVG for a self-contained page."""

import html
import math

WIDTH, HEIGHT = 720, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 46
_INNER_WIDTH, _INNER_HEIGHT = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM


def text_of(value):
    if value >= 1000:
        return f"{value / 1000:g}k"
    return f"{value:g}"


class Scale:
    """Maps values to pixels, linearly or logarithmically."""

    def __init__(self, low, high, pixels, is_logarithmic=False):
        self._log = is_logarithmic
        if is_logarithmic:
            low, high = 10 ** math.floor(math.log10(max(low, 1e-4))), 10 ** math.ceil(math.log10(max(high, 1e-3)))
        self.low, self.high, self._pixels = low, high if high > low else low + 1, pixels

    def __call__(self, value):
        if self._log:
            low, high, value = (math.log10(max(each, self.low)) for each in (self.low, self.high, value))
        else:
            low, high = self.low, self.high
        return (min(max(value, low), high) - low) / (high - low) * self._pixels

    def ticks(self):
        if self._log:
            return [10.0 ** power for power in range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        step *= next(factor for factor in (1, 2, 5, 10) if (self.high - self.low) / (step * factor) <= 6)
        count = int((self.high - self.low) / step + 1e-9)
        return [self.low + step * i for i in range(count + 1)]


def _element(name, content="", **attributes):
    attribute_text = "".join(f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{content}</{name}>"


def _text(x, y, text, **attributes):
    return _element("text", html.escape(text), x=f"{x:.1f}", y=f"{y:.1f}", **attributes)


def _axes(x_scale, y_scale, x_title, y_title, format_x=text_of):
    parts = []
    for tick in y_scale.ticks():
        y = _TOP + _INNER_HEIGHT - y_scale(tick)
        parts.append(_element("line", x1=_LEFT, x2=WIDTH - _RIGHT, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid"))
        parts.append(_text(_LEFT - 8, y + 4, text_of(tick), text_anchor="end"))
    for tick in x_scale.ticks():
        x = _LEFT + x_scale(tick)
        parts.append(_element("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=_TOP, y2=_TOP + _INNER_HEIGHT, class_="grid"))
        parts.append(_text(x, _TOP + _INNER_HEIGHT + 18, format_x(tick), text_anchor="middle"))
    parts.append(_text(_LEFT + _INNER_WIDTH / 2, HEIGHT - 8, x_title, text_anchor="middle", class_="title"))
    parts.append(_text(0, 0, y_title, text_anchor="middle", class_="title",
                       transform=f"translate(14 {_TOP + _INNER_HEIGHT / 2:.0f}) rotate(-90)"))
    return parts


def _svg(parts, height=HEIGHT, label=""):
    return _element("svg", "".join(parts), viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=label)


def lines(series, x_title, y_title, logarithmic=(False, False), format_x=text_of, marks=(), dots=True):
    """`series` is {name: (color, [(x, y)…])}; `marks` are vertical lines [(x, label)…]."""
    points = [point for _, line in series.values() for point in line]
    if not points:
        return ""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x_scale = Scale(min(xs) if logarithmic[0] else min(0, min(xs)), max(xs), _INNER_WIDTH, logarithmic[0])
    y_scale = Scale(min(ys) if logarithmic[1] else 0, max(ys) * (1 if logarithmic[1] else 1.05), _INNER_HEIGHT, logarithmic[1])
    parts = _axes(x_scale, y_scale, x_title, y_title, format_x)
    for name, (color, line) in series.items():
        positions = [(_LEFT + x_scale(x), _TOP + _INNER_HEIGHT - y_scale(y)) for x, y in line]
        parts.append(_element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in positions), fill="none",
                              stroke=color, stroke_width=2))
        for (x, y), (real_x, real_y) in zip(positions, line) if dots else ():
            label = html.escape(f"{name}: {real_y:,.4g} at {format_x(real_x)}")
            parts.append(_element("circle", f"<title>{label}</title>", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.5, fill=color))
    parts += _marks(marks, x_scale, _TOP + _INNER_HEIGHT)
    return _svg(parts, label=f"{y_title} over {x_title}") + legend({name: color for name, (color, _) in series.items()})


def _marks(marks, x_scale, bottom):
    parts = []
    for position, label in marks:
        x = _LEFT + x_scale(position)
        parts.append(_element("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=_TOP, y2=bottom, class_="fault"))
        parts.append(_text(x + 4, _TOP + 10, label, class_="fault-label"))
    return parts


def legend(colors):
    items = "".join(f'<li><span style="background:{color}"></span>{html.escape(name)}</li>' for name, color in colors.items())
    return f'<ul class="legend">{items}</ul>'


def bars(rows, unit):
    """`rows` are [(name, color, value, note)…]."""
    row, height = 26, 26 * len(rows) + 8
    max_value = max(value for _, _, value, _ in rows) or 1
    parts = []
    for i, (name, color, value, note) in enumerate(rows):
        y, width = 4 + i * row, value / max_value * (WIDTH - 330)
        parts.append(_text(138, y + 16, name, text_anchor="end"))
        parts.append(_element("rect", x=146, y=y, width=f"{max(width, 1):.1f}", height=row - 6, fill=color, rx=2))
        parts.append(_text(152 + width, y + 16, f"{value:,.0f}{unit} {note}"))
    return _svg(parts, height, unit)


def gantt(operations, colors, marks):
    """Draws one row per participating client, and one bar per operation from invocation to return."""
    clients = sorted({each["client"] for each in operations}, key=lambda client: min(
        each["invoked_ms"] for each in operations if each["client"] == client))
    row, bottom = 11, _TOP + 11 * len(clients)
    x_scale = Scale(min(each["invoked_ms"] for each in operations), max(each["returned_ms"] for each in operations), _INNER_WIDTH)
    parts = []
    for tick in x_scale.ticks():
        x = _LEFT + x_scale(tick)
        parts.append(_element("line", x1=f"{x:.1f}", x2=f"{x:.1f}", y1=_TOP, y2=bottom, class_="grid"))
        parts.append(_text(x, bottom + 16, f"{tick:.4g} ms", text_anchor="middle"))
    for each in operations:
        x, end = _LEFT + x_scale(each["invoked_ms"]), _LEFT + x_scale(each["returned_ms"])
        label = (f"request {each['number']}, client {each['client']}: nights {each['check_in']} to {each['check_out']}, "
                 f"{each['result']} after {each['returned_ms'] - each['invoked_ms']:.3f} ms")
        parts.append(_element("rect", f"<title>{html.escape(label)}</title>", x=f"{x:.1f}", width=f"{max(end - x, 1.5):.1f}",
                              y=_TOP + row * clients.index(each["client"]), height=row - 2, fill=colors[each["result"]], rx=1))
    visible = [(time, label) for time, label in marks if x_scale.low <= time <= x_scale.high]
    parts += _marks(visible, x_scale, bottom)
    return _svg(parts, bottom + 26, "history of the busiest unit") + legend(colors)
