import { ed25519 } from "@noble/curves/ed25519.js";
import { addSeconds } from "../../platform/kernel/clock.ts";
import type { AccountsContext } from "../context.ts";
import { type PublicJwk, storeKey } from "./token-key.store.ts";
import type { TokenSettings } from "./token-settings.ts";

/** How often each process reloads the keys, and so the longest time that it signs with an older key. */
export const keyReloadSeconds = 60;

/** The context that a token key's private part is sealed with. */
export function tokenKeyContext(id: string): string {
  return `token-key/${id}/private`;
}

/**
 * Creates a signing key for access tokens (Ed25519, RFC 8037) and returns its id. Each process signs with it after its next reload; older
 * keys verify until the last token that they may have signed has expired.
 */
export async function rotateTokenKeys(
  context: Pick<AccountsContext, "db" | "clock" | "random" | "seal">,
  settings: TokenSettings,
): Promise<string> {
  const now = context.clock.now();
  const id = context.random.uuid();
  const seed = context.random.bytes(32);
  const publicJwk: PublicJwk = {
    kty: "OKP",
    crv: "Ed25519",
    x: Buffer.from(ed25519.getPublicKey(seed)).toString("base64url"),
  };
  const privateJwk = { ...publicJwk, d: Buffer.from(seed).toString("base64url") };
  const key = {
    id,
    publicJwk,
    privateJwkSealed: context.seal.seal(
      Buffer.from(JSON.stringify(privateJwk)),
      tokenKeyContext(id),
    ),
    retiresAt: addSeconds(now, settings.keySeconds),
  };
  const othersRetireAt = addSeconds(now, settings.accessSeconds + 2 * keyReloadSeconds);
  await context.db.transaction((tx) => storeKey(tx, key, now, othersRetireAt));
  return id;
}
