// What the pages of the reference can do where scripts run: copy their samples, and search. They are whole without it.

for (const block of document.querySelectorAll(".code")) {
  const button = document.createElement("button");
  button.type = "button";
  const name = block.querySelector("pre").getAttribute("aria-label");
  const say = (word) => {
    button.textContent = word;
    button.setAttribute("aria-label", `${word}: ${name}`);
  };
  say("Copy");
  let timer = 0;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    say("Copied");
    clearTimeout(timer);
    timer = setTimeout(() => say("Copy"), 2000);
  });
  block.append(button);
}

// On a phone the contents are folded; elsewhere they stand beside the page.
const menu = document.querySelector(".menu");
const isWide = matchMedia("(min-width: 50.01rem)");
const unfold = () => {
  menu.open = isWide.matches;
};
isWide.addEventListener("change", unfold);
unfold();

const form = document.querySelector(".search");
const input = document.querySelector("#search");
const hits = document.querySelector("#hits");
const count = document.querySelector("#hit-count");
form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  options()[Math.max(0, chosen)]?.click();
});

/** @type {Promise<readonly {title: string, route: string, href: string, words: string}[]> | null} */
let entries = null;
let chosen = -1;
const options = () => [...hits.querySelectorAll("[role=option]")];

/** What there is to find; null when it cannot be had now: the next letter asks again. */
async function load() {
  entries ??= fetch("/docs/assets/search.json").then((answer) =>
    answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText)),
  );
  const asked = entries;
  try {
    return await asked;
  } catch {
    if (entries === asked) entries = null;
    return null;
  }
}
input.addEventListener("focus", load);
input.addEventListener("input", async () => {
  const asked = input.value;
  const all = await load();
  if (all !== null && asked === input.value) show(find(all, asked));
});
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show([]);
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const many = options().length;
  if (many > 0) choose((chosen + (event.key === "ArrowDown" ? 1 : many - 1) + many) % many);
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

/** Every word has to occur; where it does says how good the hit is. */
function find(all, asked) {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const worth = ({ title, route, words: rest }) => {
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
    .map((entry) => ({ entry, worth: worth(entry) }))
    .filter((one) => one.worth > 0)
    .sort((left, right) => right.worth - left.worth)
    .slice(0, 12)
    .map(({ entry }) => entry);
}

function show(found) {
  chosen = -1;
  hits.replaceChildren(
    ...found.map(({ title, route, href }, index) => {
      const option = document.createElement("a");
      option.href = href;
      option.id = `hit-${index}`;
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
  hits.hidden = found.length === 0;
  input.setAttribute("aria-expanded", String(found.length > 0));
  input.removeAttribute("aria-activedescendant");
  const isAsked = input.value.trim() !== "";
  count.textContent = isAsked ? (found.length === 1 ? "1 hit" : `${found.length} hits`) : "";
}

function choose(index) {
  chosen = index;
  options().forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
  options()[index].scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", `hit-${index}`);
}
