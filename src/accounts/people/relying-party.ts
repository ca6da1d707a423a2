import { isIP } from "node:net";

/** The site that passkeys are valid for, in WebAuthn's terms. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/**
 * The relying party of a base URL, never of a request. Passkeys belong to a domain: a loopback address uses `localhost`, any other IP
 * address has none (null).
 */
export function relyingParty(baseUrl: string): RelyingParty | null {
  const { hostname, origin, protocol, port } = new URL(baseUrl);
  const bare = hostname.replaceAll(/[[\]]/g, "");
  if (isIP(bare) === 0)
    return protocol === "https:" || hostname === "localhost" ? { id: hostname, origin } : null;
  if (!bare.startsWith("127.") && bare !== "::1") return null;
  return {
    id: "localhost",
    origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}`,
  };
}
