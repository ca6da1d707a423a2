import { isIP } from "node:net";

/** The site that passkeys are for, as WebAuthn names it; null where the base URL has no domain. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/**
 * From the base URL alone, never from the request. Passkeys belong to a domain: a service that is reached at this machine's own address
 * has them at `localhost`, one at any other bare address has none.
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
