import { isObjectId } from "../platform/kernel/object-id.ts";
import { isTraceparent } from "../platform/kernel/tracing.ts";
import type { ClaimedCoins } from "./intent.ts";
import { parseReplicaCall, type ReplicaCall } from "./pair/replica-protocol.ts";

/*
 * The protocol of the signer's socket: one JSON object per line. Every request carries a number that its reply repeats, so
 * several may be pending. The signer answers in the order of the requests, except `sign` and `claimCoins`, which may take longer.
 */

/**
 * An account's public key: an extended one, or an Ed25519 key in hexadecimal, from which no other key follows. Of a Monero account,
 * both in hexadecimal, the secret view key, which finds every payment to it and spends none, and the public spend key. `addressType` is
 * empty on chains with a single address type.
 */
export type AccountKey = {
  readonly keyspace: string;
  readonly addressType: string;
  readonly path: string;
} & (
  | { readonly xpub: string }
  | { readonly publicKey: string }
  | { readonly viewKey: string; readonly spendKey: string }
);

/**
 * The addresses `first`..`last` (BIP-32 child numbers, inclusive) of one kind. Ends at most `issuedStepMax` above the highest
 * index recorded.
 */
export type IssuedRange = {
  readonly keyspace: string;
  readonly addressType: string;
  readonly first: number;
  readonly last: number;
};

/** `refused`: an index of the range was issued before; the next free one is `highest + 1`. */
export type RecordOutcome =
  | { readonly kind: "recorded" }
  | { readonly kind: "refused"; readonly highest: number };

/** A key that the signer created for a deposit address: Ed25519, in hexadecimal. */
export type CreatedKey = {
  readonly index: number;
  readonly publicKey: string;
  /** The key's own signature of `createdKeyMessage`: the signer can spend what the address receives. */
  readonly proof: string;
};

/** `refused`: as for `RecordOutcome`, and no key was created. */
export type CreateOutcome =
  | { readonly kind: "created"; readonly keys: readonly CreatedKey[] }
  | { readonly kind: "refused"; readonly highest: number };

/** What a created key signs as its proof. No chain's transaction begins with these bytes. */
export function createdKeyMessage(
  { keyspace, addressType }: Pick<IssuedRange, "keyspace" | "addressType">,
  { index, publicKey }: Pick<CreatedKey, "index" | "publicKey">,
): Uint8Array {
  const parts = ["sluice deposit key 1", keyspace, addressType, index, publicKey];
  return new TextEncoder().encode(JSON.stringify(parts));
}

/** How far the database is; see `MarkFile`. One mark advances the generation and each number by at most `markStepMax`. */
export type DatabaseMark = {
  /** Grows whenever the database has issued something. */
  readonly generation: number;
  /** The last value of each of its sequences, as decimal text. */
  readonly numbers: Readonly<Record<string, string>>;
};

/** `refused`: a later generation is known, so the database that asks is an older one. */
export type MarkOutcome =
  | { readonly kind: "marked" }
  | { readonly kind: "refused"; readonly generation: number };

/** A pair of signers as its active one sees it. */
export type PairState = {
  /** Of the active signer. */
  readonly name: string;
  readonly epoch: number;
  readonly standby: string;
  /** Whether the witness lists the standby, which may then take over. */
  readonly isInSync: boolean;
  /** Since the standby last had everything. */
  readonly ageSeconds: number;
};

export type SignerCall =
  | { readonly method: "accountKeys" }
  /** What this client may do. */
  | { readonly method: "rights" }
  /** How the pair is that the signer leads: see `PairState`. */
  | { readonly method: "pairState" }
  | {
      readonly method: "highestIssued";
      readonly keyspace: string;
      readonly addressType: string;
    }
  | ({ readonly method: "recordIssued" } & IssuedRange)
  /** Records the range and creates the keys of its addresses; at most `createdKeysMax`. */
  | ({ readonly method: "createKeys" } & IssuedRange)
  /** `request` is read by `readSignRequest`, which reports what is wrong with it. */
  | { readonly method: "sign"; readonly request: unknown }
  /** What spending coins claims, where only the signer can compute it; `coins` in the form of the chain's adapter. */
  | {
      readonly method: "claimCoins";
      readonly chain: string;
      readonly coins: string;
      /** Missing from workers of releases that want all. */
      readonly which: ClaimedCoins;
      /** Null: missing from workers of releases that do not know the answer `refused`. */
      readonly addresses: number | null;
    }
  /** A page of the journal: signed spends of the chain after that sequence number, oldest first. */
  | { readonly method: "signedSpends"; readonly chain: string; readonly after: number }
  | { readonly method: "payoutsSigned"; readonly payoutIds: readonly string[] }
  | { readonly method: "readMark" }
  | ({ readonly method: "mark" } & DatabaseMark)
  /** From the active signer of a pair to the standby. */
  | ReplicaCall;

export type SignerRequest = {
  readonly id: number;
  /** The highest epoch of a pair that the client knows; 0 before the first, and for a single signer. */
  readonly epoch: number;
  readonly call: SignerCall;
  /** The span in which the client waits (W3C): the answer then says how long the signer worked on it. Null: it is not traced. */
  readonly traceparent: string | null;
};

export type WorkedTimes = { readonly from: number; readonly until: number };

/** `error` is for operators: the request could not be read, or the journal could not be written. */
export type SignerReply = SignerAnswer & {
  /** When the signer worked on a traced request, in microseconds since 1970. The signer itself connects to no collector. */
  readonly worked?: WorkedTimes;
  /** The epoch in which the signer of a pair answers; 0 for a single signer. */
  readonly epoch: number;
};

type SignerAnswer =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number | null;
      readonly error: string;
      /** False: nothing was done, because another signer is the active one. */
      readonly isActive: boolean;
    };

/**
 * The longest line that either side reads, in UTF-16 units; a longer one is not from our program. A draft contains the
 * transactions that its legacy coins come from, in full (up to 400 kB each if standard), and an answer contains a draft with
 * its signed bytes.
 */
export const requestLengthMax = 8 * 1024 * 1024;
export const replyLengthMax = 3 * requestLengthMax;

/** The most payouts in one request. */
const payoutsAskedMax = 10_000;

/** The most sequences in a mark. */
export const sequencesMax = 100;

/** BIP-32 indexes of non-hardened children end here. */
export const indexEnd = 2 ** 31;

/** The most indexes that one request uses up: far from all of them, and 150 times what a worker records at once. */
export const issuedStepMax = 10_000;

/** The most keys that one request creates: about a tenth of a second, during which nothing is signed. */
const createdKeysMax = 256;

/**
 * The most by which one mark advances the generation, and each number. So a lying caller makes the database look old only once
 * and recoverably.
 */
export const markStepMax = 1_000_000;

/** The part of a mark that one request may report after `known`; later requests report the rest. */
export function limitStep(known: DatabaseMark | null, mark: DatabaseMark): DatabaseMark {
  const generation = Math.min(mark.generation, (known?.generation ?? 0) + markStepMax);
  const numbers = Object.entries(mark.numbers).map(([name, number]) => {
    const most = BigInt(known?.numbers[name] ?? "0") + BigInt(markStepMax);
    return [name, BigInt(number) > most ? String(most) : number];
  });
  return { generation, numbers: Object.fromEntries(numbers) as DatabaseMark["numbers"] };
}

/** Null for anything that is not a request. */
export function parseRequest(line: string): SignerRequest | null {
  const message = parseObject(line);
  const call = message?.["call"];
  const id = message?.["id"];
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return null;
  if (typeof call !== "object" || call === null) return null;
  const parsed = parseCall(call as Readonly<Record<string, unknown>>);
  if (parsed === null) return null;
  const traceparent = message?.["traceparent"];
  return {
    id,
    epoch: readEpoch(message),
    call: parsed,
    traceparent: isTraceparent(traceparent) ? traceparent : null,
  };
}

function parseCall(call: Readonly<Record<string, unknown>>): SignerCall | null {
  const { method, keyspace, addressType, first, last } = call;
  if (method === "accountKeys" || method === "readMark" || method === "rights") return { method };
  if (method === "pairState") return { method };
  if (method === "replica") return parseReplicaCall(call);
  if (method === "sign") return { method, request: call["request"] };
  if (method === "signedSpends") return parseSignedSpends(call);
  if (method === "claimCoins") {
    const { chain, coins, which = "all", addresses = null } = call;
    if (!isName(chain) || typeof coins !== "string") return null;
    if (addresses !== null && !isIndex(addresses)) return null;
    const isKnown = which === "new" || which === "all" || which === "none";
    return isKnown ? { method, chain, coins, which, addresses } : null;
  }
  if (method === "payoutsSigned") {
    const { payoutIds } = call;
    return isIdList(payoutIds) ? { method, payoutIds } : null;
  }
  if (method === "mark") return parseMark(call);
  if (!isName(keyspace) || !isName(addressType)) return null;
  if (method === "highestIssued") return { method, keyspace, addressType };
  if (method !== "recordIssued" && method !== "createKeys") return null;
  if (!isIndex(first) || !isIndex(last) || first > last) return null;
  if (method === "createKeys" && last - first >= createdKeysMax) return null;
  return { method, keyspace, addressType, first, last };
}

function parseSignedSpends({ chain, after }: Readonly<Record<string, unknown>>): SignerCall | null {
  const isPlace = Number.isSafeInteger(after) && (after as number) >= 0;
  return isName(chain) && isPlace
    ? { method: "signedSpends", chain, after: after as number }
    : null;
}

function parseMark({ generation, numbers }: Readonly<Record<string, unknown>>): SignerCall | null {
  if (!Number.isSafeInteger(generation) || (generation as number) < 0) return null;
  if (typeof numbers !== "object" || numbers === null || Array.isArray(numbers)) return null;
  const entries = Object.entries(numbers);
  const areNumbers = entries.every(
    ([name, number]) =>
      /^[a-z]\w{0,62}$/.test(name) && typeof number === "string" && /^\d{1,19}$/.test(number),
  );
  if (!areNumbers || entries.length > sequencesMax) return null;
  return {
    method: "mark",
    generation: generation as number,
    numbers: numbers as DatabaseMark["numbers"],
  };
}

function isIdList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= payoutsAskedMax &&
    value.every((id) => typeof id === "string" && isObjectId(id))
  );
}

/** Null for anything that is not a reply. */
export function parseReply(line: string): SignerReply | null {
  const message = parseObject(line);
  const id = message?.["id"];
  const error = message?.["error"];
  const epoch = readEpoch(message);
  if (typeof error === "string") {
    const isActive = message?.["isActive"] !== false;
    return { id: typeof id === "number" ? id : null, error, isActive, epoch };
  }
  if (typeof id !== "number") return null;
  const worked = readWorked(message?.["worked"]);
  return { id, result: message?.["result"], epoch, ...(worked === null ? {} : { worked }) };
}

function readWorked(value: unknown): WorkedTimes | null {
  if (typeof value !== "object" || value === null) return null;
  const { from, until } = value as Readonly<Record<string, unknown>>;
  return Number.isSafeInteger(from) && Number.isSafeInteger(until)
    ? { from: from as number, until: until as number }
    : null;
}

function readEpoch(message: Readonly<Record<string, unknown>> | null): number {
  const epoch = message?.["epoch"];
  return typeof epoch === "number" && Number.isSafeInteger(epoch) && epoch > 0 ? epoch : 0;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{0,32}$/.test(value);
}

function isIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < indexEnd;
}
