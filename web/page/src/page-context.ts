import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Page } from "./create-page.ts";

export const PageContext = createContext<Page | null>(null);

/** Returns the page of the component tree. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("PageContext has no provider");
  return page;
}
