import { type Instant, secondsBetween } from "../kernel/clock.ts";

/** The refresh token of a person's session as a cookie that no script reads and no other site's page sends. */
export type SessionCookie = {
  readonly read: (cookieHeader: string | null) => string | null;
  readonly set: (refresh: string, now: Instant, expiresAt: Instant) => string;
  readonly clear: string;
};

/**
 * Over HTTPS with the prefix `__Host-`, by which browsers let no neighbouring host and no plain HTTP answer set it, and which
 * asks for the path `/`; over plain HTTP (the sandbox) only for the session's own routes.
 */
export function sessionCookie(baseUrl: string): SessionCookie {
  const { protocol, pathname } = new URL(baseUrl);
  const isSecure = protocol === "https:";
  const name = isSecure ? "__Host-sluice-session" : "sluice-session";
  const path = isSecure ? "/" : `${pathname.replace(/\/+$/, "")}/session`;
  const render = (value: string, maxAge: number): string =>
    [
      `${name}=${value}`,
      `Path=${path}`,
      `Max-Age=${maxAge}`,
      "HttpOnly",
      "SameSite=Strict",
      ...(isSecure ? ["Secure"] : []),
    ].join("; ");
  return {
    read: (cookieHeader) => {
      const pairs = (cookieHeader ?? "").split(";").map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return found === undefined || !/^[\w-]{1,100}$/.test(found) ? null : found;
    },
    set: (refresh, now, expiresAt) =>
      render(refresh, Math.max(0, Math.floor(secondsBetween(now, expiresAt)))),
    clear: render("", 0),
  };
}
