import { isDeepStrictEqual } from "node:util";
import {
  addSeconds,
  type Clock,
  instantFromSeconds,
  microsPerSecond,
} from "../../platform/kernel/clock.ts";
import {
  DraftRefused,
  type DraftSigner,
  type Ed25519Keys,
  type ExtendedEd25519Keys,
} from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import { type KeyNetwork, stellarChannelsPath, stellarHotPath } from "../keys/account-paths.ts";
import { native, type RawTransaction, type StellarOperation } from "./raw-transaction.ts";
import { readDraft, type StellarDraft } from "./read-draft.ts";
import { signTransaction, signWithBump } from "./sign-transaction.ts";
import { accountText, readAccount } from "./strkey.ts";

export type StellarDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The network's passphrase, which every signature covers. */
  readonly passphrase: string;
  /** The assets of the signer's own configuration. The account may hold these tokens. */
  readonly assets: readonly IntendedAsset[];
  /** How many channels the account may have: it keeps the reserve of each. */
  readonly channels: number;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/** Ours are valid for minutes: the money of a lost transaction waits until its time has passed. */
const validitySecondsMax = 3_600;

/** What the intent requires the draft to do. */
type Requirement = Pick<RawTransaction, "operations" | "memo">;

type Keys = Ed25519Keys & ExtendedEd25519Keys;

/** Where the keys of this chain are. */
type Paths = { readonly hot: string; readonly channels: string };

/**
 * Signs the transactions of the hot account of Stellar: payments, in coin or in tokens, or to accounts that they create, and, to use
 * sequences, a trust line for a token of the configuration, channels, or nothing. Payments may use the sequence of a channel. A transaction may
 * use further sequences if it succeeds: it claims them too. Throws `RangeError` for an invalid cold address.
 */
export function createStellarDraftSigner(options: StellarDraftSignerOptions): DraftSigner<Keys> {
  const { assets, chain, network, passphrase, coldAddress, clock } = options;
  const trusted = new Set(assets.flatMap((asset) => (asset.kind === "token" ? asset.locator : [])));
  if (coldAddress !== null) assertCold(coldAddress);
  const paths = { hot: stellarHotPath(network), channels: stellarChannelsPath(network) };
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const draft = readDraft(body);
      const { transaction } = draft;
      const { from, payer, fee, maxTime } = transaction;
      if (payer !== hotAccount(keys, paths)) throw new DraftRefused(`no key for ${payer}`);
      assertChannels(draft, keys, paths);
      const latest = Math.floor(addSeconds(clock.now(), validitySecondsMax) / microsPerSecond);
      if (maxTime > BigInt(latest))
        throw new DraftRefused(`is valid until ${maxTime}, more than an hour from now`);
      const { operations } = transaction;
      const makesChannels = draft.channels.every((number) => number < options.channels);
      const own = { coldAddress, trusted, makesChannels };
      const required = requirementOf(intent, withoutEnd(operations), own);
      assertMatches(transaction, {
        ...required,
        operations: [...required.operations, ...endOf(operations)],
      });
      if (fee > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${fee}, above ${intent.feeCeiling}`);
      const claims = claimsOf(transaction);
      return {
        claims,
        // The others are used if it succeeds. If it fails, what begins with one of them can be in a ledger as well.
        decisive: claims.slice(0, 1),
        feeUnits: fee,
        validity: { kind: "time", until: instantFromSeconds(Number(maxTime)) },
        ...(payer === from ? {} : { sender: payer }),
      };
    },
    sign: (body, keys) => {
      const draft = readDraft(body);
      const { bytes, transaction } = draft;
      const { from, payer: owner, fee } = transaction;
      assertChannels(draft, keys, paths);
      const payer = keys.ed25519At(paths.hot);
      const channels = draft.channels.map((number) =>
        keys.extendedEd25519At(`${paths.channels}/${number}`),
      );
      try {
        if (accountText(payer.publicKey) !== owner) throw new DraftRefused(`no key for ${owner}`);
        const all = [payer, ...channels];
        return owner === from
          ? signTransaction(bytes, passphrase, all)
          : signWithBump(bytes, passphrase, all, { payer, fee });
      } finally {
        for (const key of [payer, ...channels]) key.wipe();
      }
    },
  };
}

/** The channel that is used, and those that are made, are the accounts of their numbers. */
function assertChannels(
  { transaction: { from, payer, operations }, channels }: StellarDraft,
  keys: Keys,
  paths: Paths,
): void {
  const named = [
    ...operations.flatMap((one) => (one.type === "createChannel" ? [one.to] : [])),
    ...(payer === from ? [] : [from]),
  ];
  for (const [place, number] of channels.entries()) {
    const key = keys.extendedEd25519At(`${paths.channels}/${number}`);
    const account = accountText(key.publicKey);
    key.wipe();
    if (account !== named[place])
      throw new DraftRefused(`channel ${number} is ${account}, not ${named[place] ?? "any"}`);
  }
}

function hotAccount(keys: Ed25519Keys, { hot: path }: Paths): string {
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

type Own = {
  readonly coldAddress: string | null;
  readonly trusted: ReadonlySet<string>;
  /** Whether the account may have the channels that the draft names. */
  readonly makesChannels: boolean;
};

/** What the intent requires. `found` is what the draft does: coin may be paid into a new account or into one that exists. */
function requirementOf(
  intent: SpendIntent,
  found: readonly StellarOperation[],
  own: Own,
): Requirement {
  const { coldAddress } = own;
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
      return { operations: usesSequences(found, own) ? found : [nothing], memo: null };
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

/** Nothing but further sequences, or a trust line of ours, or channels. */
function usesSequences(
  found: readonly StellarOperation[],
  { trusted, makesChannels }: Own,
): boolean {
  const [first, ...others] = found;
  if (found.every(({ type }) => type === "createChannel")) return makesChannels;
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
  if (operation.type === "createChannel") return `createChannel of ${operation.to}`;
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
