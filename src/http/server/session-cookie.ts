import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";

/** A cookie that no script reads and no other site's page sends. */
export type Cookie = {
  readonly read: (cookieHeader: string | null) => string | null;
  readonly set: (value: string, now: Instant, expiresAt: Instant) => string;
  readonly clear: string;
};

/**
 * The refresh token of a person's session. Over HTTPS with the prefix `__Host-`, by which browsers let no neighbouring host and no
 * plain HTTP answer set it, and which asks for the path `/`; over plain HTTP (the sandbox) only for the session's own routes.
 */
export function sessionCookie(baseUrl: string): Cookie {
  return isHttps(baseUrl)
    ? cookie(baseUrl, "__Host-sluice-session", "/")
    : cookie(baseUrl, "sluice-session", sessionPath(baseUrl));
}

/** Proves that a member has signed in from this browser before; sent to the session's own routes only. */
export function deviceCookie(baseUrl: string): Cookie {
  const prefix = isHttps(baseUrl) ? "__Secure-" : "";
  return cookie(baseUrl, `${prefix}sluice-device`, sessionPath(baseUrl));
}

function cookie(baseUrl: string, name: string, path: string): Cookie {
  const render = (value: string, maxAge: number): string =>
    [
      `${name}=${value}`,
      `Path=${path}`,
      `Max-Age=${maxAge}`,
      "HttpOnly",
      "SameSite=Strict",
      ...(isHttps(baseUrl) ? ["Secure"] : []),
    ].join("; ");
  return {
    read: (cookieHeader) => {
      const pairs = (cookieHeader ?? "").split(";").map((pair) => pair.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return found === undefined || !/^[\w-]{1,200}$/.test(found) ? null : found;
    },
    set: (value, now, expiresAt) =>
      render(value, Math.max(0, Math.floor(secondsBetween(now, expiresAt)))),
    clear: render("", 0),
  };
}

function isHttps(baseUrl: string): boolean {
  return new URL(baseUrl).protocol === "https:";
}

function sessionPath(baseUrl: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/+$/, "")}/session`;
}
