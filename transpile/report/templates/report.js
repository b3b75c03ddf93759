"use strict";
document.documentElement.classList.add("scripted");

const table = document.querySelector("#units-table");
const body = table && table.tBodies[0];
const search = document.querySelector("#search");
const choices = [...document.querySelectorAll("input[name=verdict]")];

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const allowed = new Set(choices.filter(box => box.checked).map(box => box.value));
  let shown = 0;
  for (const row of body.rows) {
    const text = row.textContent.toLowerCase();
    const visible = allowed.has(row.dataset.verdict) && words.every(word => text.includes(word));
    row.hidden = !visible;
    document.getElementById(row.dataset.unit).hidden = !visible;
    shown += visible;
  }
  document.querySelector("#shown").textContent =
    shown === body.rows.length ? "" : `${shown} of ${body.rows.length} shown`;
}

function sort(heading) {
  const column = heading.cellIndex;
  const downward = heading.getAttribute("aria-sort") === "ascending";
  const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
  const numeric = heading.classList.contains("number");
  const order = (one, other) => numeric ? Number(key(one) || -1) - Number(key(other) || -1)
                                        : key(one).localeCompare(key(other));
  const rows = [...body.rows].sort(order);
  body.append(...(downward ? rows.reverse() : rows));
  for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", downward ? "descending" : "ascending");
}

function reveal() {
  const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (let place = target; place; place = place.parentElement) {
    place.hidden = false;
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  if (target) target.scrollIntoView();
}

if (table) {
  search.addEventListener("input", filter);
  for (const box of choices) box.addEventListener("change", filter);
  for (const heading of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    button.addEventListener("click", () => sort(heading));
    heading.append(button);
  }
  // Browsers keep what was typed and unchecked when a page is loaded again.
  filter();
}

const units = [...document.querySelectorAll("details.unit")];
const all = document.querySelector("#open-all");
if (all) all.addEventListener("click", () => {
  const open = units.some(unit => !unit.open);
  for (const unit of units) unit.open = open;
  all.textContent = open ? "Close all" : "Open all";
});

document.addEventListener("keydown", event => {
  if (event.key === "/" && search && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === "Escape" && document.activeElement === search) {
    search.value = "";
    filter();
  }
});
addEventListener("hashchange", reveal);
addEventListener("beforeprint", () => { for (const unit of units) unit.open = true; });
reveal();
