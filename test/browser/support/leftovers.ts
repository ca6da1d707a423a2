import type { Page } from "playwright-core";
import german from "../../../web/dashboard/src/language/de.json" with { type: "json" };
import spanish from "../../../web/dashboard/src/language/es.json" with { type: "json" };
import chinese from "../../../web/dashboard/src/language/zh.json" with { type: "json" };

export type Texts = Readonly<Record<keyof typeof german, string>>;

/** The dashboard's languages besides English, with their texts by the English ones. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ["de", german],
  ["es", spanish],
  ["zh", chinese],
]);

/** Names in the sandbox: of wallets, which have those of their types, and of a member. */
const names = new Set(["Merchant", "Enterprise", "Custody", "Swap", "Store"]);

/** The English texts that the page shows, or gives to screen readers, although the language has others. */
export function leftovers(page: Page, texts: Texts): Promise<readonly string[]> {
  const shown = new Set(Object.values(texts));
  const foreign = Object.keys(texts).filter(
    (english) => !shown.has(english) && !names.has(english),
  );
  return page.evaluate<readonly string[]>(`(() => {
    const foreign = new Set(${JSON.stringify(foreign)});
    const found = [];
    const add = (text) => {
      if (text !== null && foreign.has(text.trim())) found.push(text.trim());
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) add(walker.currentNode.data);
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [alt]"))
      for (const name of ["aria-label", "placeholder", "alt"]) add(element.getAttribute(name));
    return [...new Set(found)];
  })()`);
}
