// The search of the site: sections whose words begin with all that was typed, titles first.
const field = document.getElementById("search");
const found = document.getElementById("found");
const root = document.body.dataset.root;
let index = null;

field.addEventListener("input", async () => {
  index ??= fetch(`${root}/search.json`).then((answer) => answer.json());
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  show(words.length ? pick(await index, words) : [], words);
});

document.getElementById("menu").addEventListener("toggle", (event) => document.body.classList.toggle("menu", event.target.open));

function pick(sections, words) {
  const has = (text, word) => text.toLowerCase().includes(word);
  const rate = (s) => words.reduce((sum, w) => sum + (has(s.heading, w) ? 4 : 0) + (has(s.page, w) ? 2 : 0), 0);
  return sections
    .filter((s) => words.every((w) => has(s.heading, w) || has(s.page, w) || has(s.text, w)))
    .map((s) => ({ ...s, rate: rate(s) }))
    .sort((a, b) => b.rate - a.rate)
    .slice(0, 12);
}

function show(sections, words) {
  found.replaceChildren(
    ...sections.map((s) => {
      const link = document.createElement("a");
      link.href = `${root}/${s.at}`;
      const title = document.createElement("b");
      title.textContent = s.heading === s.page ? s.page : `${s.page}: ${s.heading}`;
      const at = Math.max(0, s.text.toLowerCase().indexOf(words[0]) - 30);
      const piece = document.createElement("span");
      piece.textContent = s.text.slice(at, at + 90);
      link.append(title, piece);
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
  if (words.length && !sections.length) {
    const item = document.createElement("li");
    item.textContent = "Nothing found";
    found.append(item);
  }
}
