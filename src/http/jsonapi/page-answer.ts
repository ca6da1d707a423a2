import type { PlainAnswer } from "../server/plain-route.ts";

export type PagePolicy = {
  /** Who may frame the page, as in the policy; default nobody. */
  readonly frameAncestors?: string;
  /** The nonce for style elements that the page's program creates; default: none are allowed. */
  readonly styleNonce?: string;
};

/**
 * The Content-Security-Policy of a page: scripts, styles, images, connections and forms are limited to this origin, without
 * inline code.
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

/** An HTML page with headers that isolate it; never cached. */
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

/** The text shown instead of a page that is not built; `what` is the subject: "The dashboard". */
export function notBuiltAnswer(what: string): PlainAnswer {
  return {
    status: 503,
    contentType: "text/plain; charset=utf-8",
    body: `${what} is not built here. Run "node scripts/setup.js" in Sluice's folder and start the api again.\n`,
  };
}
