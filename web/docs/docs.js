// Adds copy buttons and search to the API reference, which also works without JavaScript.

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  const name = block.querySelector("pre").getAttribute("aria-label");
  const setLabel = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${name}`);
  };
  setLabel("Copy");
  let timer = 0;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    setLabel("Copied");
    clearTimeout(timer);
    timer = setTimeout(() => setLabel("Copy"), 2000);
  });
  block.append(button);
}

// The table of contents is collapsed on phones and beside the page elsewhere.
const menu = document.querySelector(".menu");
const isWide = matchMedia("(min-width: 50.01rem)");
const updateMenu = () => {
  menu.open = isWide.matches;
};
isWide.addEventListener("change", updateMenu);
updateMenu();

const form = document.querySelector(".search");
const input = document.querySelector("#search");
const results = document.querySelector("#results");
const count = document.querySelector("#result-count");
form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  options()[Math.max(0, chosen)]?.click();
});

/** @type {Promise<readonly {title: string, route: string, href: string, words: string}[]> | null} */
let entries = null;
let chosen = -1;
const options = () => [...results.querySelectorAll("[role=option]")];

/** Loads the search index once; returns null on failure, and the next input retries. */
async function load() {
  entries ??= fetch("/docs/assets/search.json").then((response) =>
    response.ok ? response.json() : Promise.reject(new Error(response.statusText)),
  );
  const loading = entries;
  try {
    return await loading;
  } catch {
    if (entries === loading) entries = null;
    return null;
  }
}
input.addEventListener("focus", load);
input.addEventListener("input", async () => {
  const query = input.value;
  const all = await load();
  if (all !== null && query === input.value) show(find(all, query));
});
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show([]);
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const total = options().length;
  if (total > 0) choose((chosen + (event.key === "ArrowDown" ? 1 : total - 1) + total) % total);
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) show([]);
});
document.addEventListener("keydown", (event) => {
  const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});

/** Finds entries that contain every word. A match in the route ranks highest, then the title, then the rest. */
function find(all, query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const rank = ({ title, route, words: rest }) => {
    let sum = 0;
    for (const word of words) {
      if (route.toLowerCase().includes(word)) sum += 3;
      else if (title.toLowerCase().includes(word)) sum += 2;
      else if (rest.toLowerCase().includes(word)) sum += 1;
      else return 0;
    }
    return sum - route.length / 1000;
  };
  return all
    .map((entry) => ({ entry, score: rank(entry) }))
    .filter((one) => one.score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, 12)
    .map(({ entry }) => entry);
}

function show(found) {
  chosen = -1;
  results.replaceChildren(
    ...found.map(({ title, route, href }, index) => {
      const option = document.createElement("a");
      option.href = href;
      option.id = `result-${index}`;
      option.tabIndex = -1;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      const code = document.createElement("code");
      code.textContent = route;
      option.append(title, document.createElement("br"), code);
      option.addEventListener("click", () => {
        input.value = "";
        show([]);
      });
      return option;
    }),
  );
  results.hidden = found.length === 0;
  input.setAttribute("aria-expanded", String(found.length > 0));
  input.removeAttribute("aria-activedescendant");
  const isEmpty = input.value.trim() === "";
  count.textContent = isEmpty ? "" : found.length === 1 ? "1 result" : `${found.length} results`;
}

function choose(index) {
  chosen = index;
  options().forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
  options()[index].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", `result-${index}`);
}
