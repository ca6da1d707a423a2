import type { PlainAnswer } from "../server/plain-route.ts";

export type PagePolicy = {
  /** Whoever may show the page in a frame, as the policy writes it; default nobody. */
  readonly frameAncestors?: string;
  /** The nonce of style elements that the page's own program makes; default none are allowed. */
  readonly styleNonce?: string;
};

/**
 * The Content-Security-Policy of a page: its program, styles, pictures and connections come from this very origin, nothing is
 * written into the page, and what it sends stays here.
 */
export function contentPolicy({ frameAncestors = "'none'", styleNonce }: PagePolicy = {}): string {
  const nonce = styleNonce === undefined ? "" : ` 'nonce-${styleNonce}'`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    `frame-ancestors ${frameAncestors}`,
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

/** An HTML page with the headers that keep it to itself; it is stored nowhere. */
export function pageAnswer(html: string, policy: PagePolicy = {}, status = 200): PlainAnswer {
  return {
    status,
    contentType: "text/html; charset=utf-8",
    body: html,
    headers: {
      "content-security-policy": contentPolicy(policy),
      "permissions-policy":
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  };
}

/** What is said instead of a page that was not built; `what` is the subject: "The dashboard". */
export function notBuiltAnswer(what: string): PlainAnswer {
  return {
    status: 503,
    contentType: "text/plain; charset=utf-8",
    body: `${what} is not built here. Run "node scripts/setup.js" in Sluice's folder and start the api again.\n`,
  };
}
