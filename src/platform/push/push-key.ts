import { createECDH } from "node:crypto";
import type { Executor } from "../db/database.ts";
import { assert, present } from "../kernel/assert.ts";
import { addSeconds, type Clock, type Instant } from "../kernel/clock.ts";
import type { Random } from "../kernel/random.ts";
import type { Seal } from "../kernel/seal.ts";
import { toDate } from "../kernel/timestamp.ts";
import { insertPushKey, readPushKeyRow } from "./push-key.store.ts";
import { pushKeyContext } from "./sealing-contexts.ts";

/** The key pair with which the deployment identifies itself to push services. */
export type PushKey = {
  /** An uncompressed point of P-256. */
  readonly publicKey: Uint8Array;
  /** A scalar of P-256, 32 bytes. */
  readonly privateKey: Uint8Array;
};

/** The deployment's key pair, created when it is first needed. Processes that create it at the same time get the same one. */
export async function providePushKey({
  db,
  clock,
  random,
  seal,
}: {
  readonly db: Executor;
  readonly clock: Clock;
  readonly random: Random;
  readonly seal: Seal;
}): Promise<PushKey> {
  const stored = (await readPushKeyRow(db)) ?? (await create());
  return {
    publicKey: stored.publicKey,
    privateKey: seal.open(stored.privateSealed, pushKeyContext("1")),
  };

  async function create() {
    const { publicKey, privateKey } = newPushKey(random);
    await insertPushKey(db, publicKey, seal.seal(privateKey, pushKeyContext("1")), clock.now());
    return present(await readPushKeyRow(db), "the push key");
  }
}

/** A new key pair of P-256. */
export function newPushKey(random: Random): PushKey {
  const privateKey = random.bytes(32);
  const pair = createECDH("prime256v1");
  // One of 2^32 numbers of 32 bytes is no scalar of P-256; the caller's work then fails and is repeated.
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey(), privateKey };
}

/** Push services refuse more than 24 hours (RFC 8292, 2). */
const validSeconds = 12 * 3_600;

/**
 * The `Authorization` header of a message to an endpoint (RFC 8292). `contact` is a mailto: or https: URL for the push service's
 * operators; null if there is none.
 */
export async function authorizePush(
  endpoint: URL,
  { publicKey, privateKey }: PushKey,
  contact: string | null,
  now: Instant,
): Promise<string> {
  assert(publicKey.length === 65, "the push key is uncompressed");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: base64url(publicKey.subarray(1, 33)),
    y: base64url(publicKey.subarray(33)),
    d: base64url(privateKey),
  };
  // A worker needs this library for nothing else.
  const { importJWK, SignJWT } = await import("jose");
  const token = await new SignJWT(contact === null ? {} : { sub: contact })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(endpoint.origin)
    .setExpirationTime(toDate(addSeconds(now, validSeconds)))
    .sign(await importJWK(jwk, "ES256"));
  return `vapid t=${token}, k=${base64url(publicKey)}`;
}

/** Bytes as web push writes them. */
export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
