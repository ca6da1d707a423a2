import { isDeepStrictEqual } from "node:util";
import {
  addSeconds,
  type Clock,
  instantFromSeconds,
  microsPerSecond,
} from "../../platform/kernel/clock.ts";
import { DraftRefused, type DraftSigner, type Ed25519Keys } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import { type KeyNetwork, stellarHotPath } from "../keys/account-paths.ts";
import { native, type RawTransaction, type StellarOperation } from "./raw-transaction.ts";
import { readDraft } from "./read-draft.ts";
import { signTransaction } from "./sign-transaction.ts";
import { accountText, readAccount } from "./strkey.ts";

export type StellarDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The network's passphrase, which every signature covers. */
  readonly passphrase: string;
  /** The assets of the signer's own configuration. The account may hold these tokens. */
  readonly assets: readonly IntendedAsset[];
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/** Ours are valid for minutes: the money of a lost transaction waits until its time has passed. */
const validitySecondsMax = 3_600;

/** What the intent requires the draft to do. */
type Requirement = Pick<RawTransaction, "operations" | "memo">;

/**
 * Signs the transactions of the hot account of Stellar: payments, in coin or in tokens, or to accounts that they create, and, to use
 * sequences, a trust line for a token of the configuration or nothing. A transaction may use further sequences if it succeeds: it claims
 * them too. Throws `RangeError` for an invalid cold address.
 */
export function createStellarDraftSigner(
  options: StellarDraftSignerOptions,
): DraftSigner<Ed25519Keys> {
  const { assets, chain, network, passphrase, coldAddress, clock } = options;
  const trusted = new Set(assets.flatMap((asset) => (asset.kind === "token" ? asset.locator : [])));
  if (coldAddress !== null) assertCold(coldAddress);
  const path = stellarHotPath(network);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const { transaction } = readDraft(body);
      const { from, fee, maxTime } = transaction;
      if (from !== hotAccount(keys, path)) throw new DraftRefused(`no key for ${from}`);
      const latest = Math.floor(addSeconds(clock.now(), validitySecondsMax) / microsPerSecond);
      if (maxTime > BigInt(latest))
        throw new DraftRefused(`is valid until ${maxTime}, more than an hour from now`);
      const { operations } = transaction;
      const required = requirementOf(intent, withoutEnd(operations), { coldAddress, trusted });
      assertMatches(transaction, {
        ...required,
        operations: [...required.operations, ...endOf(operations)],
      });
      if (fee > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${fee}, above ${intent.feeCeiling}`);
      return {
        claims: claimsOf(transaction),
        feeUnits: fee,
        validity: { kind: "time", until: instantFromSeconds(Number(maxTime)) },
      };
    },
    sign: (body, keys) => {
      const { bytes, transaction } = readDraft(body);
      const key = keys.ed25519At(path);
      try {
        if (accountText(key.publicKey) !== transaction.from)
          throw new DraftRefused(`no key for ${transaction.from}`);
        return signTransaction(bytes, passphrase, key);
      } finally {
        key.wipe();
      }
    },
  };
}

function hotAccount(keys: Ed25519Keys, path: string): string {
  const key = keys.ed25519At(path);
  try {
    return accountText(key.publicKey);
  } finally {
    key.wipe();
  }
}

/** A last operation that uses further sequences changes nothing else. */
function endOf(operations: readonly StellarOperation[]): readonly StellarOperation[] {
  const last = operations.at(-1);
  return last?.type === "useSequence" && last.through !== null ? [last] : [];
}

function withoutEnd(operations: readonly StellarOperation[]): readonly StellarOperation[] {
  return operations.slice(0, operations.length - endOf(operations).length);
}

/** What it uses if it succeeds. If it fails, it uses only the first, and pays nothing. */
function claimsOf({ from, sequence, operations }: RawTransaction): readonly string[] {
  const [end] = endOf(operations);
  const through = (end?.type === "useSequence" ? end.through : null) ?? sequence;
  const count = Number(through - sequence) + 1;
  return Array.from({ length: count }, (_, at) => `${from}#${sequence + BigInt(at)}`);
}

type Own = { readonly coldAddress: string | null; readonly trusted: ReadonlySet<string> };

/** What the intent requires. `found` is what the draft does: coin may be paid into a new account or into one that exists. */
function requirementOf(
  intent: SpendIntent,
  found: readonly StellarOperation[],
  { coldAddress, trusted }: Own,
): Requirement {
  switch (intent.kind) {
    case "payout": {
      const [memo = null, ...others] = new Set(intent.payouts.map(({ tag }) => memoOf(tag)));
      if (others.length > 0)
        throw new DraftRefused("the payouts of a transaction of this chain have one memo");
      const operations = intent.payouts.map((payout, place) => {
        if (payout.chain !== intent.chain)
          throw new DraftRefused(`the payout belongs to ${payout.chain}`);
        readAccount(payout.address, "the intended address");
        return payment(payout.asset, payout.address, unitsOf(payout.units), found[place]);
      });
      return { operations, memo };
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      const units = unitsOf(intent.units);
      return { operations: [payment(intent.asset, coldAddress, units, found[0])], memo: null };
    }
    case "gap":
      return { operations: usesSequences(found, trusted) ? found : [nothing], memo: null };
    case "sweep":
    case "top_up":
    case "consolidation":
    case "delegate":
    case "undelegate":
    case "opt_in":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

const nothing: StellarOperation = { type: "useSequence", through: null };

/** Nothing but further sequences, or a trust line of ours. */
function usesSequences(
  [first, ...others]: readonly StellarOperation[],
  trusted: ReadonlySet<string>,
): boolean {
  if (others.length > 0) return false;
  return first === undefined || (first.type === "changeTrust" && trusted.has(first.asset));
}

function payment(
  asset: IntendedAsset,
  to: string,
  units: bigint,
  found: StellarOperation | undefined,
): StellarOperation {
  if (asset.kind === "token") return { type: "payment", to, asset: asset.locator, units };
  return found?.type === "createAccount"
    ? { type: "createAccount", to, units }
    : { type: "payment", to, asset: native, units };
}

function assertMatches({ operations, memo }: RawTransaction, required: Requirement): void {
  const length = Math.max(operations.length, required.operations.length);
  for (let place = 0; place < length; place += 1) {
    const [does, should] = [operations[place], required.operations[place]];
    if (!isDeepStrictEqual(does, should))
      throw new DraftRefused(`does ${describe(does)} instead of ${describe(should)}`);
  }
  if (memo !== required.memo)
    throw new DraftRefused(`has the memo ${memo ?? "none"} instead of ${required.memo ?? "none"}`);
}

function describe(operation: StellarOperation | undefined): string {
  if (operation === undefined) return "nothing";
  if (operation.type === "useSequence")
    return `useSequence up to ${operation.through ?? "its own"}`;
  if (operation.type === "changeTrust") return `changeTrust of ${operation.asset}`;
  const asset = operation.type === "payment" ? operation.asset : native;
  return `${operation.type} of ${operation.units} ${asset} to ${operation.to}`;
}

function assertCold(coldAddress: string): void {
  try {
    readAccount(coldAddress, "the cold address");
  } catch (error) {
    if (error instanceof DraftRefused) throw new RangeError(error.message);
    throw error;
  }
}

function memoOf(tag: string | null): string | null {
  if (tag !== null && (!/^(?:0|[1-9]\d{0,19})$/.test(tag) || BigInt(tag) >= 2n ** 64n))
    throw new DraftRefused("the intended memo is not a number of 64 bits");
  return tag;
}

function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,18}$/.test(text) || BigInt(text) >= 2n ** 63n)
    throw new DraftRefused("the intended amount is not a positive integer of 63 bits");
  return BigInt(text);
}
