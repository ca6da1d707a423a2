import type { HDKey } from "@scure/bip32";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { Validity } from "../platform/kernel/validity.ts";
import type { ClaimAnswer, ClaimedCoins, SpendIntent } from "./intent.ts";
import type { ExtendedEd25519Key } from "./keys/bip32-ed25519.ts";
import type { Ed25519Key } from "./keys/ed25519-keys.ts";

/** Keys by their BIP-32 path, inside the signer only: `m/84'/0'/0'/0/17`. The caller wipes the keys it was lent. */
export type KeyRing = { readonly at: (path: string) => HDKey };

/** Also the Ed25519 keys by their SLIP-10 path: `m/44'/283'/0'/17'`. */
export type Ed25519Keys = KeyRing & { readonly ed25519At: (path: string) => Ed25519Key };

/** The extended Ed25519 keys by their CIP-1852 path: `m/1852'/1815'/0'/0/17`. */
export type ExtendedEd25519Keys = {
  readonly extendedEd25519At: (path: string) => ExtendedEd25519Key;
};

/** All keys of the signer. */
export type LentKeys = Ed25519Keys & ExtendedEd25519Keys;

/** A signed transaction. */
export type SignedDraft = { readonly txid: string; readonly raw: Uint8Array };

/** What a draft does, as the signer decodes it. */
export type InspectedDraft = {
  /** The claims that it uses; must equal the claims of the request. */
  readonly claims: readonly string[];
  /**
   * Those of the claims that decide whether a block can contain it: of transactions that share one of these, only one can be mined.
   * Absent: all of them. What uses further claims only as it is executed can be mined without them.
   */
  readonly decisive?: readonly string[];
  /** Set if the chain forgets after a while that the claims were used, so that sharing them rules out no later transaction. */
  readonly areClaimsForgotten?: true;
  /** The most that it can burn, in units of the chain's coin. */
  readonly feeUnits: bigint;
  /** How long the chain accepts it. Absent: for as long as its claims are unspent. Without claims it must have an end. */
  readonly validity?: Validity;
  /** The sending account's watch key, where transactions have a sender and claim nothing; otherwise the claims name it. */
  readonly sender?: string;
};

/**
 * Decodes and signs the drafts of one chain; created in the signer process from its own configuration. `Keys` are those that it
 * needs.
 */
export type DraftSigner<Keys = LentKeys> = {
  readonly chain: string;
  /**
   * Decodes the draft independently. Throws `DraftRefused` unless it does exactly what the intent says: destination, amount,
   * asset, change and sweeps to our own keys only, network and chain id, and a fee within the intent's ceiling. Never trusts a
   * sum or an amount that it can compute or that the signature does not cover.
   */
  readonly inspect: (body: JsonObject, intent: SpendIntent, keys: Keys) => InspectedDraft;
  /** Signs what `inspect` accepted. Deterministic: the same draft gives the same bytes. */
  readonly sign: (body: JsonObject, keys: Keys) => SignedDraft;
};

/**
 * A draft signer whose signatures a program makes, later, and not the same ones twice. That is safe where every signature of a draft has
 * the same claims, since the journal answers a repeated request, and bytes that a crash lost before the journal never left the signer.
 */
export type LateDraftSigner = Omit<DraftSigner, "sign"> & {
  /**
   * Has the draft signed, and decodes what was signed: anything that differs from the intent, or from what `inspect` returned, throws
   * `DraftRefused`. The keys are lent until the promise settles.
   */
  readonly sign: (body: JsonObject, keys: LentKeys, intent: SpendIntent) => Promise<SignedDraft>;
  /**
   * Computes what spending these coins claims; `coins` is in the form of the chain's adapter. `new` leaves out coins before them, and may leave
   * out some of them that were shown before. `addresses` says how many of our addresses, from the first on, they are at; null: unknown, and then
   * nothing is answered with `refused`.
   */
  readonly claimCoins: (
    coins: string,
    which: ClaimedCoins,
    addresses: number | null,
    keys: LentKeys,
  ) => Promise<ClaimAnswer>;
  /** The words with which the chain's own wallets restore the account. */
  readonly walletWords: (keys: LentKeys) => Promise<string>;
  /** Ends the program. */
  readonly close: () => Promise<void>;
};

/** What signs the drafts of a chain. */
export type ChainSigner = DraftSigner | LateDraftSigner;

/** The draft does not do what the intent says, or does something that this signer never signs. */
export class DraftRefused extends Error {
  override readonly name = "DraftRefused";
}
