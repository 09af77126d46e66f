"use strict";
// Hides the cards that the filters above the list do not want, and sorts them.
(() => {
  const form = document.getElementById("filters");
  if (!form) return;
  const list = document.getElementById("list");
  const shown = document.getElementById("shown");
  const cards = Array.from(list.querySelectorAll(":scope > .card"));
  const names = ["kind", "package", "variable", "pattern"].filter((n) => form.elements[n]);
  let order = "number";

  const apply = () => {
    const wanted = names.map((n) => [n, form.elements[n].value]).filter(([, v]) => v !== "");
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let visible = 0, times = 0;
    for (const c of cards) {
      const show = wanted.every(([n, v]) => c.dataset[n] === v) && words.every((w) => c.dataset.search.includes(w));
      c.hidden = !show;
      if (show) { visible++; times += Number(c.dataset.count); }
    }
    shown.textContent = `${visible} of ${cards.length} shown, seen ${times}×`;
    if (form.elements.order.value !== order) {
      order = form.elements.order.value;
      const by = order === "count" ? (a, b) => b.dataset.count - a.dataset.count || a.dataset.number - b.dataset.number
                                   : (a, b) => a.dataset.number - b.dataset.number;
      list.replaceChildren(...cards.slice().sort(by));
    }
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (e) => e.preventDefault());
  const target = document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") target.open = true;
  apply();
})();
