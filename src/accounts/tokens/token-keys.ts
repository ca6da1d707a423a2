import { type CryptoKey, importJWK, type JWK } from "jose";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { AccountsContext } from "../context.ts";
import { keyReloadSeconds, rotateTokenKeys, tokenKeyContext } from "./rotate-token-keys.ts";
import { readLiveKeys, type StoredTokenKey } from "./token-key.store.ts";
import type { TokenSettings } from "./token-settings.ts";

/** The keys of access tokens as this process knows them; the database holds them for all processes. */
export type TokenKeys = {
  /** The newest key that will outlive a token signed now; made when there is none. */
  readonly signing: () => Promise<{ readonly id: string; readonly key: CryptoKey }>;
  /** The public key of that id while it verifies; null for one that is unknown or retired. */
  readonly verifying: (id: string) => Promise<CryptoKey | null>;
};

type LoadedKey = { readonly stored: StoredTokenKey; readonly publicKey: CryptoKey };

/**
 * Keeps the keys in memory and reads them again each minute and for an id that it does not know (so a token signed
 * by a key that another process has just made is accepted at once). However many unknown ids come, one query at a time asks.
 */
export function createTokenKeys(
  context: Pick<AccountsContext, "db" | "clock" | "random" | "seal">,
  settings: TokenSettings,
): TokenKeys {
  let keys: readonly LoadedKey[] = [];
  let loadedAt: Instant | null = null;

  const load = async (): Promise<void> => {
    const now = context.clock.now();
    const stored = await readLiveKeys(context.db, now);
    keys = await Promise.all(
      stored.map(async (key) => ({ stored: key, publicKey: await importKey(key.publicJwk) })),
    );
    loadedAt = now;
  };
  const reload = microBatch<null, null>(
    async (callers) => {
      await load();
      return callers.map(() => null);
    },
    { slots: 1, maxSize: 100_000 },
  );
  const reloadWhenStale = async (): Promise<void> => {
    if (loadedAt === null || secondsBetween(loadedAt, context.clock.now()) >= keyReloadSeconds) {
      await reload(null);
    }
  };
  const find = (id: string): LoadedKey | undefined =>
    keys.find((key) => key.stored.id === id && key.stored.retiresAt > context.clock.now());
  const findSigning = (): LoadedKey | undefined => {
    const lastExpiry = addSeconds(context.clock.now(), settings.accessSeconds);
    return keys.find((key) => key.stored.retiresAt >= lastExpiry);
  };

  return {
    signing: async () => {
      await reloadWhenStale();
      if (findSigning() === undefined) {
        await rotateTokenKeys(context, settings);
        await reload(null);
      }
      const key = findSigning();
      assert(key !== undefined, "a token key that was just made is not there");
      const { id, privateJwkSealed } = key.stored;
      const privateJwk = context.seal.open(privateJwkSealed, tokenKeyContext(id));
      return { id, key: await importKey(JSON.parse(Buffer.from(privateJwk).toString()) as JWK) };
    },
    verifying: async (id) => {
      await reloadWhenStale();
      if (find(id) === undefined) await reload(null);
      return find(id)?.publicKey ?? null;
    },
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, "EdDSA");
  assert(!(key instanceof Uint8Array), "a token key is no symmetric key");
  return key;
}
