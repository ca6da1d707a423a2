import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Page } from "./create-page.ts";

/** The page that `usePage` returns to the components below. */
export const PageContext = createContext<Page | null>(null);

/** Returns the page that the component belongs to. Throws outside a `PageContext.Provider`. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("PageContext has no provider");
  return page;
}
