import { isDeepStrictEqual } from "node:util";
import { addSeconds, type Clock, type Instant } from "../../platform/kernel/clock.ts";
import { DraftRefused, type DraftSigner, type KeyRing } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { addressAt, addressText, type OwnPaths, ownPaths, readAddress } from "./own-accounts.ts";
import type { TronContract } from "./raw-transaction.ts";
import { readDraft, type TronDraft } from "./read-draft.ts";
import { signedLength, signTransaction } from "./sign-transaction.ts";

export type TronDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/** The most coin that one top-up sends to a deposit address, in sun: several times the most expensive token transfer known to us. */
const topUpUnitsMax = 100_000_000n;

/** The chain accepts up to a day. Ours are minutes: the money of a lost transaction cannot be paid again until it expires. */
const validitySecondsMax = 3_600;

/**
 * What bandwidth costs without staked coin, and what a transfer that creates the receiver costs instead (0.1 and 1 TRX). Both are
 * parameters of the chain that no signature covers: these are their values since 2021. Staked bandwidth only lowers the fee.
 */
const sunPerByte = 1_000n;
const activationUnits = 1_100_000n;
const microsPerMilli = 1_000;
/** Bytes that a transaction's result adds to its size (`MAX_RESULT_SIZE_IN_TX` of java-tron). */
const resultLength = 64;

/** What the intent requires the draft to do, and whose key signs it. */
type Requirement = { readonly contract: TronContract; readonly keyIndex: number | null };

/**
 * Signs the transactions of TRON: transfers of coin, calls of a token's `transfer`, and delegations of the gas account's energy to
 * deposit addresses of ours. Payouts and cold transfers come from the hot account, sweeps from a deposit address into the hot
 * account. Throws `RangeError` for an invalid cold address.
 */
export function createTronDraftSigner(options: TronDraftSignerOptions): DraftSigner<KeyRing> {
  const { chain, network, coldAddress, clock } = options;
  if (coldAddress !== null) assertCold(coldAddress);
  const paths = ownPaths(network);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const draft = readDraft(body);
      const { contract, expiration } = draft.transaction;
      const latest = BigInt(
        Math.floor(addSeconds(clock.now(), validitySecondsMax) / microsPerMilli),
      );
      if (expiration > latest)
        throw new DraftRefused(`expires at ${expiration}, more than an hour from now`);
      assertMatches(draft, requirementOf(intent, contract, { paths, keys, coldAddress }));
      const feeUnits = feeOf(draft);
      if (feeUnits > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${feeUnits}, above ${intent.feeCeiling}`);
      return {
        // TRON accounts have no nonces: only its expiration rules a transaction out.
        claims: [],
        feeUnits,
        validity: { kind: "time", until: (Number(expiration) * microsPerMilli) as Instant },
        sender: addressText(contract.from),
      };
    },
    sign: (body, keys) => {
      const draft = readDraft(body);
      const { from } = draft.transaction.contract;
      const path =
        draft.keyIndex === null
          ? [paths.hot, paths.gas].find((own) => addressAt(keys, own) === from)
          : paths.depositAt(draft.keyIndex);
      if (path === undefined || addressAt(keys, path) !== from)
        throw new DraftRefused(`no key for ${addressText(from)}`);
      return signTransaction(draft.rawData, keys, path);
    },
  };
}

type OwnAccounts = {
  readonly paths: OwnPaths;
  readonly keys: KeyRing;
  readonly coldAddress: string | null;
};

/** What the intent requires. `found` is what the draft does; it decides the amount of a sweep and of an ended delegation. */
function requirementOf(intent: SpendIntent, found: TronContract, own: OwnAccounts): Requirement {
  const { paths, keys, coldAddress } = own;
  const fromHot = { from: addressAt(keys, paths.hot), keyIndex: null };
  switch (intent.kind) {
    case "payout": {
      const [payout, ...others] = intent.payouts;
      if (payout === undefined || others.length > 0)
        throw new DraftRefused("a transaction of this chain pays exactly one payout");
      if (payout.chain !== intent.chain)
        throw new DraftRefused(`the payout belongs to ${payout.chain}`);
      if (payout.tag !== null) throw new DraftRefused("addresses of this chain have no tag");
      const to = readAddress(payout.address, "the intended address");
      return payment(payout.asset, { ...fromHot, to, units: unitsOf(payout.units) });
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      const to = readAddress(coldAddress, "the cold address");
      return payment(intent.asset, { ...fromHot, to, units: unitsOf(intent.units) });
    }
    case "sweep": {
      const [source, ...others] = intent.sources;
      const [asset, ...otherAssets] = source?.assets ?? [];
      if (source === undefined || asset === undefined || others.length + otherAssets.length > 0)
        throw new DraftRefused("a sweep of this chain moves one asset of one address");
      const { keyIndex } = source;
      const from = addressAt(keys, paths.depositAt(keyIndex));
      if (readAddress(source.address, "the address to be swept") !== from)
        throw new DraftRefused(`${source.address} is not deposit address number ${keyIndex}`);
      if (found.units === 0n) throw new DraftRefused("the sweep moves nothing");
      return payment(asset, { from, keyIndex, to: fromHot.from, units: found.units });
    }
    case "top_up": {
      const units = unitsOf(intent.units);
      if (units > topUpUnitsMax) throw new DraftRefused(`sends ${units}, above ${topUpUnitsMax}`);
      return { contract: { type: "transfer", ...fromGas(intent.keyIndex, units) }, keyIndex: null };
    }
    case "delegate": {
      const units = unitsOf(intent.units);
      return { contract: { type: "delegate", ...fromGas(intent.keyIndex, units) }, keyIndex: null };
    }
    case "undelegate": {
      const [keyIndex, ...others] = intent.keyIndexes;
      if (keyIndex === undefined || others.length > 0)
        throw new DraftRefused("a transaction of this chain ends exactly one delegation");
      return {
        contract: { type: "undelegate", ...fromGas(keyIndex, found.units) },
        keyIndex: null,
      };
    }
    case "consolidation":
    case "gap":
    case "opt_in":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }

  /** From the gas account to one of our deposit addresses. */
  function fromGas(keyIndex: number, units: bigint): Pick<TronContract, "from" | "to" | "units"> {
    return {
      from: addressAt(keys, paths.gas),
      to: addressAt(keys, paths.depositAt(keyIndex)),
      units,
    };
  }
}

function payment(
  asset: IntendedAsset,
  {
    keyIndex,
    ...moved
  }: Pick<TronContract, "from" | "to" | "units"> & Pick<Requirement, "keyIndex">,
): Requirement {
  if (asset.kind === "coin") return { contract: { type: "transfer", ...moved }, keyIndex };
  const contract = readAddress(asset.locator, "the intended contract");
  return { contract: { type: "token", contract, ...moved }, keyIndex };
}

function assertMatches({ transaction, keyIndex }: TronDraft, requirement: Requirement): void {
  if (keyIndex !== requirement.keyIndex)
    throw new DraftRefused("another address of ours would sign this");
  if (isDeepStrictEqual(transaction.contract, requirement.contract)) return;
  const [found, intended] = [describe(transaction.contract), describe(requirement.contract)];
  throw new DraftRefused(`does ${found} instead of ${intended}`);
}

function describe(contract: TronContract): string {
  const { type, from, to, units } = contract;
  const what = type === "token" ? `token ${addressText(contract.contract)}` : type;
  return `${what} of ${units} from ${addressText(from)} to ${addressText(to)}`;
}

/** The most that it can burn, in sun: its energy up to the fee limit, and its bandwidth or the receiver's activation. */
function feeOf({ rawData, transaction }: TronDraft): bigint {
  const bandwidth = BigInt(signedLength(rawData) + resultLength) * sunPerByte;
  if (transaction.contract.type !== "transfer") return bandwidth + transaction.feeLimit;
  return bandwidth > activationUnits ? bandwidth : activationUnits;
}

function assertCold(coldAddress: string): void {
  try {
    readAddress(coldAddress, "the cold address");
  } catch (error) {
    if (error instanceof DraftRefused) throw new RangeError(error.message);
    throw error;
  }
}

function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,77}$/.test(text) || BigInt(text) >= 2n ** 256n)
    throw new DraftRefused("the intended amount is not a positive integer of 256 bits");
  return BigInt(text);
}
