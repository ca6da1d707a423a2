import { reject } from "../../platform/kernel/rejection.ts";
import type { RequestContext } from "./request-context.ts";

/**
 * Rejects with `permissionDenied` what another site's page makes a browser send. Browsers tell by `Sec-Fetch-Site`, those that do not
 * (and all of them on a plain HTTP address that is not this machine's) by `Origin`; whoever sends neither is no browser, and
 * carries nobody's cookie unasked.
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
  return reject("permissionDenied", "This is answered to the service's own pages only.", {
    header,
  });
}
