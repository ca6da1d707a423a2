import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Page } from "./open-page.ts";

export const PageContext = createContext<Page | null>(null);

/** The page that a part belongs to. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a part of the page stands outside of it");
  return page;
}
