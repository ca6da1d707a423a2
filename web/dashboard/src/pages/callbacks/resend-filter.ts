import { listQuery } from "../../components/use-list-search.ts";

/**
 * The filters of the list for the request that resends: all of them but the status, which the request states itself. Leaving out another
 * one would resend callbacks that the list does not show.
 */
export function resendFilter(
  filter: Readonly<Record<string, string>>,
  text: string,
): Readonly<Record<string, string>> {
  const search = { filter, text, sort: null };
  const listed = Object.entries(listQuery(search, callbackSearch).filter);
  return Object.fromEntries(listed.filter(([name]) => name !== "status"));
}

/** What the list's search field finds. */
export function callbackSearch(url: string): Readonly<Record<string, string>> {
  return { url };
}
