import { isDeepStrictEqual } from "node:util";
import { sha512_256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { DraftRefused, type DraftSigner, type Ed25519Keys } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import type { KeyNetwork } from "../keys/account-paths.ts";
import { readAddress } from "./address.ts";
import { addressAt, type OwnPaths, ownPaths } from "./own-accounts.ts";
import type { AlgorandMove } from "./raw-transaction.ts";
import { type AlgorandDraft, assertKeyIndex, readDraft } from "./read-draft.ts";
import { signTransaction } from "./sign-transaction.ts";

export type AlgorandDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The network's genesis hash in base64, which every signature covers. */
  readonly genesisHash: string;
  /** The assets of the signer's own configuration. Accounts may hold these tokens. */
  readonly assets: readonly IntendedAsset[];
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
};

/** The network takes no transaction that is valid for longer. */
const validityRoundsMax = 1_000n;
/** The most coin that one transaction of the gas account sends to a deposit address, in microalgos: several activations. */
const topUpUnitsMax = 1_000_000n;

/** What the intent requires the draft to do, under which lease, and whose key signs it. */
type Requirement = {
  readonly move: AlgorandMove;
  readonly keyIndex: number | null;
  readonly lease: string | null;
};

/**
 * Signs the transactions of Algorand: payments of coin and of assets from the hot account, sweeps of deposit addresses into it, coin from the
 * gas account to a deposit address, and opt-ins to assets of the configuration. Throws `RangeError` for an invalid cold address or
 * genesis hash.
 */
export function createAlgorandDraftSigner(
  options: AlgorandDraftSignerOptions,
): DraftSigner<Ed25519Keys> {
  const { assets, chain, network, coldAddress } = options;
  const tokens = new Set(assets.flatMap((asset) => (asset.kind === "token" ? asset.locator : [])));
  if (coldAddress !== null) assertCold(coldAddress);
  const genesisHash = Buffer.from(options.genesisHash, "base64").toString("hex");
  if (genesisHash.length !== 64) throw new RangeError("the genesis hash is not 32 bytes in base64");
  const paths = ownPaths(network);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const draft = readDraft(body);
      const { transaction } = draft;
      if (transaction.genesisHash !== genesisHash)
        throw new DraftRefused("belongs to another network");
      const { firstValid, lastValid, fee } = transaction;
      if (lastValid < firstValid || lastValid - firstValid > validityRoundsMax)
        throw new DraftRefused(`is valid from round ${firstValid} to ${lastValid}`);
      const own = { paths, keys, coldAddress, tokens };
      assertMatches(draft, requirementOf(intent, transaction.move, own));
      if (fee > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns ${fee}, above ${intent.feeCeiling}`);
      return {
        // Accounts have no sequence, and a lease ends: only its last round rules a transaction out.
        claims: [],
        feeUnits: fee,
        validity: { kind: "height", last: Number(lastValid) },
        sender: transaction.move.from,
      };
    },
    sign: (body, keys) => {
      const { bytes, transaction, keyIndex } = readDraft(body);
      const { from } = transaction.move;
      const path =
        keyIndex === null
          ? [paths.hot, paths.gas].find((own) => addressAt(keys, own) === from)
          : paths.depositAt(keyIndex);
      if (path === undefined || addressAt(keys, path) !== from)
        throw new DraftRefused(`no key for ${from}`);
      const key = keys.ed25519At(path);
      try {
        return signTransaction(bytes, key);
      } finally {
        key.wipe();
      }
    },
  };
}

type OwnAccounts = {
  readonly paths: OwnPaths;
  readonly keys: Ed25519Keys;
  readonly coldAddress: string | null;
  /** The locators of the assets that accounts may hold. */
  readonly tokens: ReadonlySet<string>;
};

/** What the intent requires. `found` is what the draft does; it decides the amount of a sweep. */
function requirementOf(
  intent: SpendIntent,
  found: AlgorandMove,
  { paths, keys, coldAddress, tokens }: OwnAccounts,
): Requirement {
  const addressOf = (path: string): string => addressAt(keys, path);
  const depositAt = (index: number): string => addressOf(paths.depositAt(assertKeyIndex(index)));
  switch (intent.kind) {
    case "payout": {
      const [payout, ...others] = intent.payouts;
      if (payout === undefined || others.length > 0)
        throw new DraftRefused("a transaction of this chain pays exactly one payout");
      if (payout.chain !== intent.chain)
        throw new DraftRefused(`the payout belongs to ${payout.chain}`);
      if (payout.tag !== null) throw new DraftRefused("addresses of this chain have no tags");
      readAddress(payout.address, "the intended address");
      const { asset, address, units } = payout;
      const move = moveOf(asset, addressOf(paths.hot), address, unitsOf(units));
      return { move, keyIndex: null, lease: leaseOf(payout.payoutId) };
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      const move = moveOf(intent.asset, addressOf(paths.hot), coldAddress, unitsOf(intent.units));
      return { move, keyIndex: null, lease: null };
    }
    case "sweep": {
      const [source, ...others] = intent.sources;
      const [asset, ...otherAssets] = source?.assets ?? [];
      if (source === undefined || asset === undefined || others.length + otherAssets.length > 0)
        throw new DraftRefused("a transaction of this chain sweeps one asset of one address");
      const { keyIndex } = source;
      const from = depositAt(keyIndex);
      if (source.address !== from)
        throw new DraftRefused(`${source.address} is not deposit address ${keyIndex}`);
      if (found.units === 0n) throw new DraftRefused("sweeps nothing");
      return {
        move: moveOf(asset, from, addressOf(paths.hot), found.units),
        keyIndex,
        lease: null,
      };
    }
    case "top_up": {
      const units = unitsOf(intent.units);
      if (units > topUpUnitsMax)
        throw new DraftRefused(`a top-up of ${units} is above ${topUpUnitsMax}`);
      const to = depositAt(intent.keyIndex);
      const move = { from: addressOf(paths.gas), to, asset: null, units };
      return { move, keyIndex: null, lease: null };
    }
    case "opt_in": {
      const { asset, keyIndex } = intent;
      if (asset.kind === "coin") throw new DraftRefused("every account holds coin");
      // Each asset locks 0.1 ALGO of its account.
      if (!tokens.has(asset.locator))
        throw new DraftRefused(`asset ${asset.locator} is not configured`);
      const account = keyIndex === null ? addressOf(paths.hot) : depositAt(keyIndex);
      return { move: moveOf(asset, account, account, 0n), keyIndex, lease: null };
    }
    case "gap":
    case "consolidation":
    case "delegate":
    case "undelegate":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

function moveOf(asset: IntendedAsset, from: string, to: string, units: bigint): AlgorandMove {
  return { from, to, asset: asset.kind === "coin" ? null : asset.locator, units };
}

/**
 * The lease of every transaction for a payout. Should the records of the first one be lost, the network still takes no second one before the
 * first could not have been included any more.
 */
function leaseOf(payoutId: string): string {
  return Buffer.from(sha512_256(utf8ToBytes(`sluice payout ${payoutId}`))).toString("hex");
}

function assertMatches({ transaction, keyIndex }: AlgorandDraft, required: Requirement): void {
  const { move, lease } = transaction;
  if (!isDeepStrictEqual(move, required.move))
    throw new DraftRefused(`moves ${describe(move)} instead of ${describe(required.move)}`);
  if (keyIndex !== required.keyIndex)
    throw new DraftRefused(`is signed by key ${keyIndex} instead of ${required.keyIndex}`);
  if (lease !== required.lease)
    throw new DraftRefused(
      `has the lease ${lease ?? "none"} instead of ${required.lease ?? "none"}`,
    );
}

function describe({ from, to, asset, units }: AlgorandMove): string {
  return `${units} of ${asset === null ? "coin" : `asset ${asset}`} from ${from} to ${to}`;
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
  if (!/^[1-9]\d{0,19}$/.test(text) || BigInt(text) >= 2n ** 64n)
    throw new DraftRefused("the intended amount is not a positive integer of 64 bits");
  return BigInt(text);
}
