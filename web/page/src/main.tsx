import { render } from "preact";
import { chooseLanguage, loadMessages } from "./languages/choose-language.ts";
import { languageKey, openPage } from "./open-page.ts";
import { PageContext } from "./page-context.ts";
import { Card } from "./parts/card.tsx";
import { readStart } from "./read-start.ts";
import { recall } from "./remember.ts";

const block = document.getElementById("state");
const root = document.getElementById("page");
if (block === null || root === null) throw new Error("the page was not served whole");

const kept = recall(() => localStorage, languageKey);
const code = chooseLanguage(kept, navigator.languages);
const messages = await loadMessages(code, navigator.languages);
// Every address of the payment's is below its own one, which is known with and without the slash.
const base = `${location.origin}${location.pathname.replace(/\/*$/, "/")}`;
const { page, start } = openPage(readStart(block.textContent), base, { code, messages });
render(
  <PageContext.Provider value={page}>
    <Card />
  </PageContext.Provider>,
  root,
);
start();
