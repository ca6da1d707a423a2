import { type Instant, secondsBetween } from "../../platform/kernel/clock.ts";

/** An HttpOnly cookie that other sites' pages do not send. */
export type Cookie = {
  readonly read: (cookieHeader: string | null) => string | null;
  readonly set: (value: string, now: Instant, expiresAt: Instant) => string;
  readonly clear: string;
};

/**
 * The refresh token of a person's session. Over HTTPS it has the prefix `__Host-`, so that no neighboring host and no plain HTTP
 * response can set it, and the path `/` that the prefix requires; over plain HTTP (the sandbox) it is sent to the session's
 * routes only.
 */
export function sessionCookie(baseUrl: string): Cookie {
  return isHttps(baseUrl)
    ? cookie(baseUrl, "__Host-sluice-session", "/")
    : cookie(baseUrl, "sluice-session", sessionPath(baseUrl));
}

/** Proves that a member has signed in from this browser before; sent to the session's routes only. */
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
