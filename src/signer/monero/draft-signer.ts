import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type LateDraftSigner, type LentKeys } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { accountPath, type KeyNetwork } from "../keys/account-paths.ts";
import { deriveMoneroKeys, type MoneroKeys } from "./account-keys.ts";
import { type MoneroNetwork, readAddress } from "./address.ts";
import { assertOutputs, type RequiredPayment, readTransactionKeys } from "./check-outputs.ts";
import type { OfflineWallet } from "./offline-wallet.ts";
import { readRawTransaction } from "./raw-transaction.ts";

export type MoneroDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The network whose addresses are paid. */
  readonly addresses: MoneroNetwork;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
  readonly wallet: OfflineWallet;
};

/** A draft, as the request states it. What it states is compared with what was signed, before that leaves the signer. */
type MoneroDraft = {
  /** A set of a view-only wallet, encrypted with the view key. */
  readonly unsigned: string;
  readonly feeUnits: bigint;
  readonly keyImages: readonly string[];
};

/** A transaction of monerod has at most 16 outputs, one of them change (src/cryptonote_config.h). */
const paymentsMax = 15;

/**
 * Signs the transactions of Monero through its own wallet: payouts, transfers to the cold address, and consolidations. Only the wallet can
 * read a draft, so the signed transaction is decoded instead: it must spend exactly the key images and burn exactly the fee that were
 * stated, and every output must be a payment of the intent or our own change. Throws `RangeError` for an invalid cold address.
 */
export function createMoneroDraftSigner(options: MoneroDraftSignerOptions): LateDraftSigner {
  const { chain, network, addresses, coldAddress, wallet } = options;
  if (coldAddress !== null) assertCold(coldAddress, addresses);
  const path = accountPath({ coinType: 128, isSharedByNetworks: false }, "", network);
  const keysFrom = (ring: LentKeys): MoneroKeys => deriveMoneroKeys(ring.at, path);
  return {
    chain,
    inspect: (body, intent) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const { feeUnits, keyImages } = readDraft(body);
      paymentsOf(intent, addresses, coldAddress);
      if (feeUnits > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns ${feeUnits}, above ${intent.feeCeiling}`);
      return { claims: keyImages, feeUnits };
    },
    sign: async (body, ring, intent) => {
      const draft = readDraft(body);
      const keys = keysFrom(ring);
      const signed = await wallet.sign(draft.unsigned, keys);
      const raw = Uint8Array.from(Buffer.from(signed.raw, "hex"));
      const transaction = readRawTransaction(raw);
      assertStated(draft, transaction);
      const payments = paymentsOf(intent, addresses, coldAddress);
      assertOutputs(transaction, readTransactionKeys(signed.keys), payments, keys);
      return { txid: transaction.txid, raw };
    },
    claimCoins: (outputs, which, addresses, ring) => {
      if (!/^(?:[0-9a-f]{2})+$/.test(outputs)) throw new RangeError("not a list of outputs");
      return wallet.claimCoins({ outputs, which, addresses }, keysFrom(ring));
    },
    walletWords: (ring) => wallet.words(keysFrom(ring)),
    close: wallet.close,
  };
}

/** Throws `DraftRefused` for anything that is missing, unknown or malformed. */
function readDraft(body: JsonObject): MoneroDraft {
  const { unsigned, feeUnits, keyImages, ...unknown } = body;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw new DraftRefused(`the draft has the unknown member ${other}`);
  if (typeof unsigned !== "string" || !/^(?:[0-9a-f]{2})+$/.test(unsigned))
    throw new DraftRefused("unsigned is not lower-case hex");
  if (typeof feeUnits !== "string" || !/^[1-9]\d{0,18}$/.test(feeUnits))
    throw new DraftRefused("feeUnits is not a positive integer");
  if (!Array.isArray(keyImages) || keyImages.length === 0 || !keyImages.every(isKeyImage))
    throw new DraftRefused("keyImages is not a list of key images");
  if (new Set(keyImages).size !== keyImages.length)
    throw new DraftRefused("a key image is stated twice");
  return { unsigned, feeUnits: BigInt(feeUnits), keyImages };
}

function isKeyImage(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** What the transaction has to pay to others; nothing if all of it returns to us. */
function paymentsOf(
  intent: SpendIntent,
  network: MoneroNetwork,
  coldAddress: string | null,
): readonly RequiredPayment[] {
  switch (intent.kind) {
    case "payout": {
      const { payouts } = intent;
      if (payouts.length === 0 || payouts.length > paymentsMax)
        throw new DraftRefused(`pays ${payouts.length} payouts instead of 1 to ${paymentsMax}`);
      return payouts.map(({ address, asset, chain, tag, units }) => {
        if (chain !== intent.chain) throw new DraftRefused(`the payout belongs to ${chain}`);
        if (asset.kind !== "coin") throw new DraftRefused("this chain has no tokens");
        if (tag !== null) throw new DraftRefused("addresses of this chain have no tags");
        const receiver = readAddress(address, network, "the intended address");
        return { receiver, units: unitsOf(units) };
      });
    }
    case "cold": {
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      if (intent.asset.kind !== "coin") throw new DraftRefused("this chain has no tokens");
      const receiver = readAddress(coldAddress, network, "the cold address");
      return [{ receiver, units: unitsOf(intent.units) }];
    }
    case "consolidation":
      return [];
    case "sweep":
    case "top_up":
    case "opt_in":
    case "gap":
    case "delegate":
    case "undelegate":
      throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
  }
}

function assertStated(
  { feeUnits, keyImages }: MoneroDraft,
  signed: { readonly feeUnits: bigint; readonly keyImages: readonly string[] },
): void {
  if (signed.feeUnits !== feeUnits)
    throw new DraftRefused(`burns ${signed.feeUnits} instead of the stated ${feeUnits}`);
  const stated = new Set(keyImages);
  const areSame =
    signed.keyImages.length === stated.size && signed.keyImages.every((image) => stated.has(image));
  if (!areSame) throw new DraftRefused("spends other coins than the stated ones");
}

function assertCold(coldAddress: string, network: MoneroNetwork): void {
  try {
    readAddress(coldAddress, network, "the cold address");
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
