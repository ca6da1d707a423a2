import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { digestText, hashOf } from "./address.ts";
import {
  decodeValues,
  encodeValue,
  isList,
  isMap,
  MalformedBytes,
  type Value,
  type ValueMap,
  without,
} from "./msgpack.ts";

/** The parameters of an asset: total, decimals, frozen from the start, unit, name, address, hash, and its four roles. */
export type AssetParams = {
  readonly t?: bigint;
  readonly dc?: bigint;
  readonly df?: boolean;
  readonly un?: string;
  readonly an?: string;
  readonly au?: string;
  readonly am?: Uint8Array;
  readonly m?: Uint8Array;
  readonly r?: Uint8Array;
  readonly f?: Uint8Array;
  readonly c?: Uint8Array;
};

/** A transaction under the names that it is encoded with. Members of the value zero are absent, so each has one encoding. */
export type Transaction = {
  readonly type: string;
  readonly snd?: Uint8Array;
  readonly fee?: bigint;
  readonly fv?: bigint;
  readonly lv?: bigint;
  readonly note?: Uint8Array;
  readonly gen?: string;
  readonly gh?: Uint8Array;
  readonly grp?: Uint8Array;
  readonly lx?: Uint8Array;
  readonly rekey?: Uint8Array;
  readonly rcv?: Uint8Array;
  readonly amt?: bigint;
  readonly close?: Uint8Array;
  readonly xaid?: bigint;
  readonly aamt?: bigint;
  readonly asnd?: Uint8Array;
  readonly arcv?: Uint8Array;
  readonly aclose?: Uint8Array;
  readonly caid?: bigint;
  readonly apar?: AssetParams;
  readonly fadd?: Uint8Array;
  readonly faid?: bigint;
  readonly afrz?: boolean;
  readonly apid?: bigint;
  readonly apan?: bigint;
  readonly apaa?: readonly Uint8Array[];
  readonly apap?: Uint8Array;
  readonly apsu?: Uint8Array;
};

export type SignedTransaction = {
  readonly txn: Transaction;
  readonly sig?: Uint8Array;
  readonly msig?: ValueMap;
  readonly lsig?: ValueMap;
  /** The account whose key signed, where it is not the sender's. */
  readonly sgnr?: Uint8Array;
};

type Kind =
  | "integer"
  | "flag"
  | "text"
  | "bytes"
  | "any"
  | { readonly fixed: number }
  | { readonly list: Kind }
  | { readonly map: Fields };
type Fields = { readonly [name: string]: Kind };

const account = { fixed: 32 } as const;

const assetFields: Fields = {
  t: "integer",
  dc: "integer",
  df: "flag",
  un: "text",
  an: "text",
  au: "text",
  am: account,
  m: account,
  r: account,
  f: account,
  c: account,
};

const transactionFields: Fields = {
  type: "text",
  snd: account,
  fee: "integer",
  fv: "integer",
  lv: "integer",
  note: "bytes",
  gen: "text",
  gh: account,
  grp: account,
  lx: account,
  rekey: account,
  rcv: account,
  amt: "integer",
  close: account,
  xaid: "integer",
  aamt: "integer",
  asnd: account,
  arcv: account,
  aclose: account,
  caid: "integer",
  apar: { map: assetFields },
  fadd: account,
  faid: "integer",
  afrz: "flag",
  votekey: account,
  selkey: account,
  sprfkey: { fixed: 64 },
  votefst: "integer",
  votelst: "integer",
  votekd: "integer",
  nonpart: "flag",
  apid: "integer",
  apan: "integer",
  apaa: { list: "bytes" },
  apat: { list: account },
  apfa: { list: "integer" },
  apas: { list: "integer" },
  apbx: { list: "any" },
  apep: "integer",
  aprv: "integer",
  apgs: { map: { nui: "integer", nbs: "integer" } },
  apls: { map: { nui: "integer", nbs: "integer" } },
  apap: "bytes",
  apsu: "bytes",
};

const signedFields: Fields = {
  txn: { map: transactionFields },
  sig: { fixed: 64 },
  msig: "any",
  lsig: "any",
  sgnr: account,
};

/** The fields that only one type of transaction has. */
const fieldsOfType: Readonly<Record<string, readonly string[]>> = {
  pay: ["rcv", "amt", "close"],
  axfer: ["xaid", "aamt", "asnd", "arcv", "aclose"],
  acfg: ["caid", "apar"],
  afrz: ["fadd", "faid", "afrz"],
  keyreg: ["votekey", "selkey", "sprfkey", "votefst", "votelst", "votekd", "nonpart"],
  appl: [
    "apid",
    "apan",
    "apaa",
    "apat",
    "apfa",
    "apas",
    "apbx",
    "apep",
    "aprv",
    "apgs",
    "apls",
    "apap",
    "apsu",
  ],
};

/** The type of transaction whose fields this one has besides those of its own type; null if there is none. */
export function foreignType({ type, ...members }: Transaction): string | null {
  const others = Object.entries(fieldsOfType).filter(([name]) => name !== type);
  return others.find(([, names]) => names.some((name) => name in members))?.[0] ?? null;
}

/** The signed transactions in the body of a submission; throws `MalformedBytes`. */
export function readSignedTransactions(bytes: Uint8Array): readonly SignedTransaction[] {
  return decodeValues(bytes).map((value) => {
    const signed = normalMap(value, signedFields);
    // Only the type is required by the declaration, and the empty text stands for an absent one.
    const txn = { type: "", ...((signed["txn"] ?? {}) as ValueMap) };
    return { ...signed, txn };
  });
}

/** A transaction in canonical members; throws `MalformedBytes`. */
export function readTransaction(bytes: Uint8Array): Transaction {
  const [value, ...more] = decodeValues(bytes);
  if (value === undefined || more.length > 0)
    throw new MalformedBytes("one transaction is expected");
  return { type: "", ...normalMap(value, transactionFields) };
}

function normalMap(value: Value, fields: Fields): ValueMap {
  if (!isMap(value)) throw new MalformedBytes("a map is expected");
  const members = Object.entries(value).map(([name, member]) => {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined || member === undefined)
      throw new MalformedBytes(
        `no matching struct field found when decoding stream map with key ${name}`,
      );
    return [name, normal(member, kind, name)] as const;
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/** A member in the form that its kind demands; undefined for the kind's zero. */
function normal(value: Value, kind: Kind, name: string): Value | undefined {
  const wrong = () => new MalformedBytes(`${name} has a wrong type`);
  if (kind === "any") return value;
  if (kind === "integer") {
    if (typeof value !== "bigint") throw wrong();
    return value === 0n ? undefined : value;
  }
  if (kind === "flag") {
    if (typeof value !== "boolean") throw wrong();
    return value ? true : undefined;
  }
  if (kind === "text") {
    if (typeof value !== "string") throw wrong();
    return value === "" ? undefined : value;
  }
  if (kind === "bytes") {
    if (!(value instanceof Uint8Array)) throw wrong();
    return value.length === 0 ? undefined : value;
  }
  if ("fixed" in kind) {
    if (!(value instanceof Uint8Array) || value.length !== kind.fixed) throw wrong();
    return value.every((byte) => byte === 0) ? undefined : value;
  }
  if ("map" in kind) {
    const members = normalMap(value, kind.map);
    return Object.keys(members).length === 0 ? undefined : members;
  }
  if (!isList(value)) throw wrong();
  if (value.length === 0) return undefined;
  // The zero of an item stays: it has a place in the list.
  return value.map((item) => normal(item, kind.list, name) ?? item);
}

export function encodeTransaction(transaction: Transaction): Uint8Array {
  return encodeValue(transaction);
}

export function encodeSigned(signed: SignedTransaction): Uint8Array {
  return encodeValue(signed);
}

/** The hash of a transaction: its id in bytes. */
export function transactionHash(transaction: Transaction): Uint8Array {
  return hashOf("TX", encodeTransaction(transaction));
}

/** A transaction's id. */
export function transactionId(transaction: Transaction): string {
  return digestText(transactionHash(transaction));
}

/** What the transactions of a group name as their group. */
export function groupHash(transactions: readonly Transaction[]): Uint8Array {
  const txlist = transactions.map((transaction) =>
    hashOf("TX", encodeValue(without(transaction, ["grp"]))),
  );
  return hashOf("TG", encodeValue({ txlist }));
}

export function authorizerOf({ sgnr, txn }: SignedTransaction): Uint8Array {
  return sgnr ?? txn.snd ?? new Uint8Array(32);
}

export function hasValidSignature(signed: SignedTransaction): boolean {
  const { sig, txn } = signed;
  if (sig === undefined) return false;
  const message = Uint8Array.from(Buffer.concat([utf8ToBytes("TX"), encodeTransaction(txn)]));
  try {
    return ed25519.verify(sig, message, authorizerOf(signed), { zip215: false });
  } catch {
    return false;
  }
}

/** Signs with an Ed25519 seed. */
export function signTransaction(txn: Transaction, seed: Uint8Array): SignedTransaction {
  const message = Uint8Array.from(Buffer.concat([utf8ToBytes("TX"), encodeTransaction(txn)]));
  return { txn, sig: ed25519.sign(message, seed) };
}
