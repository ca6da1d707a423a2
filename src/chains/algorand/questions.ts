import { Malformed, readFields, readText } from "../rpc/answer.ts";
import type { AlgodQuestion } from "./algod-node.ts";
import { readRound, readUnits } from "./answer.ts";
import { type AlgorandBlock, readBlock } from "./block.ts";

/** The round of the node's newest block. */
export const newestRound: AlgodQuestion<number> = {
  path: "/v2/status",
  read: (document) => readRound(readFields(document)["last-round"]),
};

/** The genesis hash of the node's network, in base64. */
export const genesisHash: AlgodQuestion<string> = {
  path: "/versions",
  read: (document) => readText(readFields(document)["genesis_hash_b64"]),
};

/** The block of a round; null if the node does not have it: not yet, or not any more. */
export function blockAt(round: number): AlgodQuestion<AlgorandBlock | null> {
  return {
    path: `/v2/blocks/${round}?format=msgpack`,
    isPacked: true,
    read: readBlock,
    onError: { 404: () => null },
  };
}

/** What a node knows of a transaction that it received, or that one of its newest 1,000 blocks contains. */
export type KnownTransaction =
  /** The round of its block. */
  | { readonly kind: "included"; readonly round: number }
  | { readonly kind: "pending"; readonly sender: string }
  /** Never seen, refused, expired, or in an older block. */
  | { readonly kind: "unknown" };

const unknown: KnownTransaction = { kind: "unknown" };

export function transactionWithId(txid: string): AlgodQuestion<KnownTransaction> {
  return {
    path: `/v2/transactions/pending/${txid}`,
    read: (document) => {
      const fields = readFields(document);
      const round = readRound(fields["confirmed-round"]);
      if (round > 0) return { kind: "included", round };
      const { "pool-error": refusal = "" } = fields;
      if (refusal !== "") return unknown;
      const { txn: transaction } = readFields(fields["txn"]);
      return { kind: "pending", sender: readText(readFields(transaction)["snd"]) };
    },
    // 400: the text is no id.
    onError: { 400: () => unknown, 404: () => unknown },
  };
}

/** An account as of a round. */
export type AccountState = {
  readonly round: number;
  /** Of coin; 0 if the account does not exist. */
  readonly units: bigint;
  /** What the account must keep: 0.1 for itself and for each asset. */
  readonly minimumUnits: bigint;
  /** The address whose key signs for it; null for its own. */
  readonly signedBy: string | null;
};

export function accountAt(address: string): AlgodQuestion<AccountState> {
  return {
    path: `/v2/accounts/${address}?exclude=all`,
    read: (document) => {
      const fields = readFields(document);
      const signedBy = fields["auth-addr"];
      return {
        round: readRound(fields["round"]),
        units: readUnits(fields["amount"]),
        minimumUnits: readUnits(fields["min-balance"]),
        signedBy: signedBy === undefined || signedBy === address ? null : readText(signedBy),
      };
    },
  };
}

/** An account's holding of an asset; null if the account did not opt in. */
export type AssetHolding = {
  readonly round: number;
  readonly units: bigint;
  readonly isFrozen: boolean;
};

export function holdingAt(address: string, asset: string): AlgodQuestion<AssetHolding | null> {
  return {
    path: `/v2/accounts/${address}/assets/${asset}`,
    read: (document) => {
      const fields = readFields(document);
      const { "asset-holding": holding } = fields;
      // An account that created an asset may have opted out of it.
      if (holding === undefined || holding === null) return null;
      const { amount, "is-frozen": isFrozen } = readFields(holding);
      if (isFrozen !== undefined && typeof isFrozen !== "boolean")
        throw new Malformed("no flag of an asset");
      return {
        round: readRound(fields["round"]),
        units: readUnits(amount),
        isFrozen: isFrozen === true,
      };
    },
    onError: { 404: () => null },
  };
}

/** What the next transactions need. */
export type Terms = {
  /** The newest block's. */
  readonly round: number;
  /** The fee of any transaction, and what each byte costs while blocks are full (otherwise 0), in microalgos. */
  readonly minimumFee: bigint;
  readonly feePerByte: bigint;
  /** In base64. */
  readonly genesisHash: string;
};

export const currentTerms: AlgodQuestion<Terms> = {
  path: "/v2/transactions/params",
  read: (document) => {
    const fields = readFields(document);
    return {
      round: readRound(fields["last-round"]),
      minimumFee: readUnits(fields["min-fee"]),
      feePerByte: readUnits(fields["fee"]),
      genesisHash: readText(fields["genesis-hash"]),
    };
  },
};

/** Sends a signed transaction: null if the node accepts it, otherwise why not. */
export function submissionOf(raw: Uint8Array): AlgodQuestion<string | null> {
  return {
    path: "/v2/transactions",
    posted: raw,
    read: () => null,
    onError: { 400: (message) => message },
  };
}
