import { render } from "preact";
import type { LinkPageState } from "../../../../src/deposits/links/link-page-state.ts";
import { applyBrand } from "../apply-brand.ts";
import { readStored } from "../browser-storage.ts";
import { languageKey } from "../language-key.ts";
import { chooseLanguage } from "../languages/language-codes.ts";
import { loadMessages } from "../languages/load-messages.ts";
import type { PageFailure } from "../read-initial-state.ts";
import { LinkCard } from "./link-card.tsx";
import { LinkFailure } from "./link-failure.tsx";
import { linkWords } from "./words.ts";

const block = document.getElementById("state");
const root = document.getElementById("page");
if (block === null || root === null) throw new Error("the page is incomplete");

const initial = JSON.parse(block.textContent) as LinkPageState | { readonly failure: PageFailure };
const stored = readStored(() => localStorage, languageKey);
const code = chooseLanguage(stored, navigator.languages);
const messages = await loadMessages(code, navigator.languages);
document.documentElement.lang = messages.locale;
document.documentElement.dir = messages.direction;
const texts = { messages, words: linkWords[code] };
if ("failure" in initial) {
  render(<LinkFailure failure={initial.failure} {...texts} />, root);
} else {
  applyBrand(initial.brand, document.documentElement);
  render(<LinkCard state={initial} {...texts} />, root);
}
// A dialog of web/embed/embed.js waits for this.
if (window.parent !== window) window.parent.postMessage({ source: "sluice", type: "ready" }, "*");
