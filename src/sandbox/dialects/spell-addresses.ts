import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import {
  type Method,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
  rpcCode,
} from "../utxo-ledger/rpc.ts";

/** The version bytes of a chain's addresses: of a public key's hash, and of a script's. */
export type AddressVersions = { readonly publicKeyHash: number; readonly scriptHash: number };

/** Bitcoin's on test networks. */
const behind: AddressVersions = { publicKeyHash: 0x6f, scriptHash: 0xc4 };

const base58check = createBase58check(sha256);
/** Also in descriptors, such as `addr(…)`. */
const likeAddresses = /\b[1-9A-HJ-NP-Za-km-z]{26,35}\b/g;

// TypeScript's library types lack `JSON.isRawJSON`.
const { isRawJSON } = JSON as unknown as { readonly isRawJSON: (value: unknown) => boolean };

/**
 * The same methods for clients that write addresses with these versions: addresses in parameters and answers are respelled, and Bitcoin's
 * own are refused as the chain's node refuses them, with that error.
 */
export function spellAddresses(own: AddressVersions, invalid: string, methods: Methods): Methods {
  const inward = new Map([
    [own.publicKeyHash, behind.publicKeyHash],
    [own.scriptHash, behind.scriptHash],
  ]);
  const outward = new Map([...inward].map(([ours, theirs]) => [theirs, ours]));
  const refusing = (text: string): string => {
    const words = text.match(likeAddresses) ?? [];
    if (/^bcrt1/i.test(text) || words.some((word) => outward.has(versionOf(word) ?? -1)))
      throw new RpcFault(rpcCode.invalidAddressOrKey, invalid);
    return respell(text, inward);
  };
  const spelled = (method: Method): Method => {
    return async (params, signal) => {
      const given = mapTexts(params as readonly RpcJson[], refusing) as Params;
      return mapTexts(await method(given, signal), (text) => respell(text, outward));
    };
  };
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, spelled(method)]),
  );
}

/** Changes all texts, including the names of members. */
function mapTexts(value: RpcJson, change: (text: string) => string): RpcJson {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || isRawJSON(value)) return value;
  if (Array.isArray(value))
    return (value as readonly RpcJson[]).map((one) => mapTexts(one, change));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [change(name), mapTexts(one, change)]),
  );
}

function respell(text: string, versions: ReadonlyMap<number, number>): string {
  return text.replace(likeAddresses, (word) => {
    const version = versions.get(versionOf(word) ?? -1);
    if (version === undefined) return word;
    const bytes = base58check.decode(word);
    bytes[0] = version;
    return base58check.encode(bytes);
  });
}

/** Null for a word that is no base58check address. */
function versionOf(word: string): number | null {
  try {
    const bytes = base58check.decode(word);
    return bytes.length === 21 ? (bytes[0] ?? null) : null;
  } catch {
    return null;
  }
}
