import { reject } from "../../platform/kernel/rejection.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Rejects with `permissionDenied` a request that another site's page made a browser send. Browsers state the origin in
 * `Sec-Fetch-Site`; those that do not (and all of them on a plain HTTP address other than localhost) in `Origin`. A client that
 * sends neither is not a browser and carries no one's cookie unasked.
 */
export function requireSameOrigin({ header }: RequestContext, baseUrl: string): void {
  const site = header("sec-fetch-site");
  if (site !== null) {
    if (site !== "same-origin") refuse("sec-fetch-site");
    return;
  }
  const origin = header("origin");
  if (origin !== null && origin !== new URL(baseUrl).origin) refuse("origin");
}

function refuse(header: string): never {
  return reject("permissionDenied", "Only the service's own pages may send this request.", {
    header,
  });
}
