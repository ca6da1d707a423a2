import { render } from "preact";
import { readStored } from "./browser-storage.ts";
import { Card } from "./components/card.tsx";
import { createPage } from "./create-page.ts";
import { languageKey } from "./language-key.ts";
import { chooseLanguage } from "./languages/language-codes.ts";
import { loadMessages } from "./languages/load-messages.ts";
import { PageContext } from "./page-context.ts";
import { readInitialState } from "./read-initial-state.ts";

const block = document.getElementById("state");
const root = document.getElementById("page");
if (block === null || root === null) throw new Error("the page is incomplete");

const stored = readStored(() => localStorage, languageKey);
const code = chooseLanguage(stored, navigator.languages);
const messages = await loadMessages(code, navigator.languages);
// The page's endpoints are below its own URL, which works with and without the trailing slash.
const base = `${location.origin}${location.pathname.replace(/\/*$/, "/")}`;
const { page, start } = createPage(readInitialState(block.textContent), base, { code, messages });
render(
  <PageContext.Provider value={page}>
    <Card />
  </PageContext.Provider>,
  root,
);
start();
