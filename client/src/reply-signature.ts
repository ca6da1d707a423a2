const encoder = new TextEncoder();

/**
 * Whether a login response comes from a server that knows the password: `meta.sign` is the hex HMAC-SHA-256 of `meta.time` and the
 * refresh token, keyed with the SHA-256 of login and password. Returns true without a check if the runtime has no Web Crypto (pages
 * without https).
 */
export async function hasReplySignature(
  { login, password }: { readonly login: string; readonly password: string },
  refresh: string,
  meta: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const subtle = (globalThis as { readonly crypto?: Partial<typeof crypto> }).crypto?.subtle;
  if (subtle === undefined) return true;
  const { time, sign } = meta;
  if (typeof time !== "string" || typeof sign !== "string" || !/^[0-9a-f]{64}$/.test(sign))
    return false;
  const key = await subtle.digest("SHA-256", encoder.encode(login + password));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", key, hmac, false, ["verify"]);
  const bytes = Uint8Array.from(sign.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return subtle.verify("HMAC", imported, bytes, encoder.encode(time + refresh));
}
