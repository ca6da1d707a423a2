import { isIP } from "node:net";
import {
  type AddressCheck,
  type AddressPolicy,
  addressCheck,
} from "./deliver/refused-addresses.ts";

export type CallbackPolicySettings = AddressPolicy & {
  /** False: https only. */
  readonly allowsHttp: boolean;
  readonly allowedPorts: ReadonlySet<number> | "any";
  /** Most characters of a URL; default: 256. */
  readonly lengthMax?: number;
};

/** Where callbacks may go. Compiled from the settings once per process. */
export type CallbackPolicy = {
  readonly allowsHttp: boolean;
  readonly allowedPorts: ReadonlySet<number> | "any";
  readonly mayReach: AddressCheck;
  readonly lengthMax: number;
};

/** Production: https to public addresses. */
export const publicCallbacks: CallbackPolicySettings = {
  allowsHttp: false,
  allowedPorts: new Set([443, 8443]),
  allowedNetworks: [],
  refusedNetworks: [],
};

/** Sandbox: also http, any port, and receivers on this machine. */
export const sandboxCallbacks: CallbackPolicySettings = {
  allowsHttp: true,
  allowedPorts: "any",
  allowedNetworks: ["127.0.0.0/8", "::1/128"],
  refusedNetworks: [],
};

/** Compiles the settings. Throws if a network is not a CIDR block. */
export function compileCallbackPolicy(settings: CallbackPolicySettings): CallbackPolicy {
  const { allowsHttp, allowedPorts, lengthMax = defaultLengthMax } = settings;
  return { allowsHttp, allowedPorts, mayReach: addressCheck(settings), lengthMax };
}

/** Returns a function that says why a text is not an allowed callback URL, or null if it is one. */
export function createCallbackUrlCheck(
  settings: CallbackPolicySettings,
): (text: string) => string | null {
  const policy = compileCallbackPolicy(settings);
  return (text) => {
    const parsed = parseCallbackUrl(text, policy);
    return "refused" in parsed ? parsed.refused : null;
  };
}

export type ParsedCallbackUrl = { readonly url: URL } | { readonly refused: string };

const privateRefused = "Private network addresses aren't allowed.";
/** Which addresses are public, so that a refusal is the operator's. */
const isPublic = addressCheck({ allowedNetworks: [], refusedNetworks: [] });

const defaultLengthMax = 256;
const shape = /^(https?):\/\/[^/?#]+/i;
/** Names that never lead to the public internet (RFC 6762, 8375, ICANN's reservation of `internal`). */
const localName = /(^|\.)(local|internal|home\.arpa)$/;

/**
 * Parses a callback URL by the WHATWG rules, or says why it is refused. Every spelling of an address that these rules accept
 * (`0x7f.1`, `2130706433`, full-width digits) is checked as the address it denotes. A name is
 * checked again at each connection, by the addresses it resolves to.
 */
export function parseCallbackUrl(text: string, policy: CallbackPolicy): ParsedCallbackUrl {
  const refused = refusalOfText(text, policy);
  if (refused !== null) return { refused };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { refused: "This is not a valid URL." };
  const refusal = refusalOfPort(url, policy) ?? refusalOfHost(url, policy);
  return refusal === null ? { url } : { refused: refusal };
}

/** Refuses what the URL parser would silently correct. */
function refusalOfText(text: string, policy: CallbackPolicy): string | null {
  if (Array.from(text).length > policy.lengthMax)
    return `A URL has at most ${policy.lengthMax} characters.`;
  // biome-ignore format: one class of characters
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text)) return "A URL must not contain spaces, control characters or backslashes.";
  const match = shape.exec(text);
  if (match === null) return "This is not an absolute http or https URL.";
  if (match[1]?.toLowerCase() === "http" && !policy.allowsHttp) return "Only https is allowed.";
  if (match[0].includes("@")) return "A callback URL must not contain a user name or password.";
  if (text.includes("#")) return "A callback URL must not have a fragment.";
  return null;
}

function refusalOfPort(url: URL, policy: CallbackPolicy): string | null {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const isAllowed = policy.allowedPorts === "any" ? port > 0 : policy.allowedPorts.has(port);
  return isAllowed ? null : "This port isn't allowed.";
}

function refusalOfHost(url: URL, policy: CallbackPolicy): string | null {
  const host = hostOf(url);
  if (host === "") return "This is not a valid URL.";
  const { mayReach } = policy;
  if (isIP(host) !== 0) {
    if (mayReach(host)) return null;
    return isPublic(host) ? "This address isn't allowed." : privateRefused;
  }
  if (/(^|\.)localhost$/.test(host)) {
    return mayReach("127.0.0.1") || mayReach("::1") ? null : privateRefused;
  }
  return localName.test(host) ? privateRefused : null;
}

/** The host as it is resolved or connected to: without the brackets of an IPv6 address and the final dots of a name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}
