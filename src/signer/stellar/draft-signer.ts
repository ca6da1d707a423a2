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
type Requirement = Pick<RawTransaction, "operation" | "memo">;

/**
 * Signs the transactions of the hot account of Stellar: one payment, in coin or in a token, one payment that creates its receiver, and, to
 * use a sequence, a trust line for a token of the configuration or nothing. Throws `RangeError` for an invalid cold address.
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
      const { from, fee, sequence, maxTime } = transaction;
      if (from !== hotAccount(keys, path)) throw new DraftRefused(`no key for ${from}`);
      const latest = Math.floor(addSeconds(clock.now(), validitySecondsMax) / microsPerSecond);
      if (maxTime > BigInt(latest))
        throw new DraftRefused(`is valid until ${maxTime}, more than an hour from now`);
      assertMatches(
        transaction,
        requirementOf(intent, transaction.operation, { coldAddress, trusted }),
      );
      if (fee > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${fee}, above ${intent.feeCeiling}`);
      return {
        claims: [`${from}#${sequence}`],
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

type Own = { readonly coldAddress: string | null; readonly trusted: ReadonlySet<string> };

/** What the intent requires. `found` is what the draft does: coin may be paid into a new account or into one that exists. */
function requirementOf(
  intent: SpendIntent,
  found: StellarOperation,
  { coldAddress, trusted }: Own,
): Requirement {
  switch (intent.kind) {
    case "payout": {
      const [payout, ...others] = intent.payouts;
      if (payout === undefined || others.length > 0)
        throw new DraftRefused("a transaction of this chain pays exactly one payout");
      if (payout.chain !== intent.chain)
        throw new DraftRefused(`the payout belongs to ${payout.chain}`);
      readAccount(payout.address, "the intended address");
      return {
        operation: payment(payout.asset, payout.address, unitsOf(payout.units), found),
        memo: memoOf(payout.tag),
      };
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      const units = unitsOf(intent.units);
      return { operation: payment(intent.asset, coldAddress, units, found), memo: null };
    }
    case "gap":
      return {
        operation:
          found.type === "changeTrust" && trusted.has(found.asset)
            ? found
            : { type: "useSequence" },
        memo: null,
      };
    case "sweep":
    case "top_up":
    case "consolidation":
    case "delegate":
    case "undelegate":
    case "opt_in":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

function payment(
  asset: IntendedAsset,
  to: string,
  units: bigint,
  found: StellarOperation,
): StellarOperation {
  if (asset.kind === "token") return { type: "payment", to, asset: asset.locator, units };
  return found.type === "createAccount"
    ? { type: "createAccount", to, units }
    : { type: "payment", to, asset: native, units };
}

function assertMatches({ operation, memo }: RawTransaction, required: Requirement): void {
  if (!isDeepStrictEqual(operation, required.operation))
    throw new DraftRefused(
      `does ${describe(operation)} instead of ${describe(required.operation)}`,
    );
  if (memo !== required.memo)
    throw new DraftRefused(`has the memo ${memo ?? "none"} instead of ${required.memo ?? "none"}`);
}

function describe(operation: StellarOperation): string {
  if (operation.type === "useSequence") return operation.type;
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
