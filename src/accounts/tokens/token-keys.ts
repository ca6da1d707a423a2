import { type CryptoKey, importJWK, type JWK } from "jose";
import { microBatch } from "../../platform/db/micro-batch.ts";
import { assert } from "../../platform/kernel/assert.ts";
import { addSeconds, type Instant, secondsBetween } from "../../platform/kernel/clock.ts";
import type { AccountsContext } from "../context.ts";
import { keyReloadSeconds, rotateTokenKeys, tokenKeyContext } from "./rotate-token-keys.ts";
import { readLiveKeys, type StoredTokenKey } from "./token-key.store.ts";
import type { TokenSettings } from "./token-settings.ts";

/** The keys of access tokens, which all processes share through the database. */
export type TokenKeys = {
  /** The newest key that outlives a token signed now; created when there is none. */
  readonly signing: () => Promise<{ readonly id: string; readonly key: CryptoKey }>;
  /** The public key with this id; null for an unknown or retired one. */
  readonly verifying: (id: string) => Promise<CryptoKey | null>;
};

type LoadedKey = { readonly stored: StoredTokenKey; readonly publicKey: CryptoKey };

/**
 * Caches the keys and reloads them every minute and for each unknown id, so that a token signed with another process's new key is
 * accepted at once. Only one query runs at a time, however many unknown ids arrive.
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
      assert(key !== undefined, "the new token key is missing");
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
  assert(!(key instanceof Uint8Array), "a token key must not be symmetric");
  return key;
}
