// Text goes into the page as text only, never as markup: names in scenarios may hold anything.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function select(label, options, chosen, change) {
  const box = element("select", { onchange: () => change(box.value) });
  for (const [value, text] of options)
    box.append(element("option", { value, selected: String(value) === String(chosen) }, text));
  return element("label", {}, label, box);
}

function checkbox(label, checked, change) {
  const box = element("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return element("label", {}, box, label);
}

// Its content is made when it is opened, or by its fill().
function folded(attributes, summary, content_of) {
  const details = element("details", { ...attributes, ontoggle: () => { if (details.open) details.fill(); } }, element("summary", {}, summary));
  details.fill = () => { if (details.children.length === 1) details.append(content_of()); };
  return details;
}
