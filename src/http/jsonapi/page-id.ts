import type { RequestContext } from "../server/request-context.ts";

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The payment page id in a path; null for anything but a UUID4, because no number opens a page. */
export function pageIdOf({ params }: Pick<RequestContext, "params">): string | null {
  const id = params["id"] ?? "";
  return uuid4.test(id) ? id.toLowerCase() : null;
}
