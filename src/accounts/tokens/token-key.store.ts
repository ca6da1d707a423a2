import { type Executor, statement } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/** An Ed25519 key as JWK (RFC 8037). */
export type PublicJwk = { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string };

export type StoredTokenKey = {
  readonly id: string;
  readonly publicJwk: PublicJwk;
  readonly privateJwkSealed: Uint8Array;
  readonly retiresAt: Instant;
};

const selectLive = statement<StoredTokenKey>(
  "token-key.live",
  `select id, public_jwk as "publicJwk", private_jwk_sealed as "privateJwkSealed", retires_at as "retiresAt"
   from token_key
   where retires_at > $1 order by created_at desc, id`,
);

const insert = statement(
  "token-key.insert",
  `insert into token_key (id, public_jwk, private_jwk_sealed, created_at, retires_at)
   values ($1, $2::jsonb, $3, $4, $5)`,
);

const retireOthers = statement(
  "token-key.retire-others",
  "update token_key set retires_at = least(retires_at, $2) where id <> $1",
);

const deleteRetired = statement(
  "token-key.delete-retired",
  "delete from token_key where retires_at <= $1",
);

/** The keys that still verify, newest first. */
export function readLiveKeys(db: Executor, now: Instant): Promise<readonly StoredTokenKey[]> {
  return db.query(selectLive, [formatTimestamp(now)]);
}

/** Stores the key and retires all other keys by `othersRetireAt`. */
export async function storeKey(
  db: Executor,
  key: StoredTokenKey,
  createdAt: Instant,
  othersRetireAt: Instant,
): Promise<void> {
  await db.query(insert, [
    key.id,
    JSON.stringify(key.publicJwk),
    key.privateJwkSealed,
    formatTimestamp(createdAt),
    formatTimestamp(key.retiresAt),
  ]);
  await db.query(retireOthers, [key.id, formatTimestamp(othersRetireAt)]);
}

/** Deletes keys that retired before `before`; none of their tokens is valid. */
export async function deleteRetiredKeys(db: Executor, before: Instant): Promise<void> {
  await db.query(deleteRetired, [formatTimestamp(before)]);
}
