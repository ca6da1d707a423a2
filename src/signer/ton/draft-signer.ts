import { isDeepStrictEqual } from "node:util";
import {
  addSeconds,
  type Clock,
  instantFromSeconds,
  microsPerSecond,
} from "../../platform/kernel/clock.ts";
import { DraftRefused, type DraftSigner, type Ed25519Keys } from "../draft-signer.ts";
import type { IntendedAsset, SpendIntent } from "../intent.ts";
import { type KeyNetwork, tonHotPath } from "../keys/account-paths.ts";
import { accountText, readAccount, timeout, walletOf } from "./account.ts";
import { type JettonWalletForm, jettonWalletOf } from "./jetton-wallet.ts";
import { readDraft } from "./read-draft.ts";
import type { TonPayment } from "./read-order.ts";
import { signOrder } from "./sign-order.ts";

export type TonDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: KeyNetwork;
  /** The wallets of each jetton that may be paid, by the jetton's locator: its master, bounceable. */
  readonly jettonWallets: Readonly<Record<string, JettonWalletForm>>;
  /** The cold address, in its canonical spelling; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/**
 * What a payment may cost in gas, storage and delivery, in nanotons, whatever the draft states: the signer cannot compute it, since the network's
 * prices are not in the message. At the prices of 2026 a payment costs at most a quarter of the lower bound.
 */
const networkFeeRange = { least: 20_000_000n, most: 100_000_000n };
/** What may go along with a jetton's transfer. What its contracts do not keep returns, if they are what they should be. */
const jettonValueMax = 500_000_000n;
/** Seconds until a masterchain block refers to the last block of a shard in which the message is valid. */
const shardDelay = 60n;
/** How far the network's time may be ahead of ours, in seconds. */
const clockSkewMax = 600;

/** What the intent requires the draft to do. What goes along for the cost of a jetton's transfer is part of the fee. */
type Requirement = {
  /** Our wallet of the jetton; null for coin. */
  readonly jettonWallet: Uint8Array | null;
  readonly to: Uint8Array;
  readonly units: bigint;
  readonly comment: string | null;
};

/** Signs the messages of the hot account of TON: payments in coin or in jettons. Throws `RangeError` for an invalid cold address. */
export function createTonDraftSigner(options: TonDraftSignerOptions): DraftSigner<Ed25519Keys> {
  const { chain, network, jettonWallets, coldAddress, clock } = options;
  const path = tonHotPath(network);
  if (coldAddress !== null) assertCold(coldAddress, network);
  /** Our wallet of an asset; null for coin. Anyone can deploy a contract that behaves as one, so no draft decides which it is. */
  const walletOfAsset = (asset: IntendedAsset, own: Uint8Array): Uint8Array | null => {
    if (asset.kind === "coin") return null;
    const { locator } = asset;
    const form = Object.hasOwn(jettonWallets, locator) ? jettonWallets[locator] : undefined;
    if (form === undefined) throw new DraftRefused(`the wallets of ${locator} are not configured`);
    return jettonWalletOf(own, readAccount(locator, "contract", "the jetton's master"), form);
  };
  const requirementsOf = (intent: SpendIntent, own: Uint8Array): readonly Requirement[] => {
    switch (intent.kind) {
      case "payout":
        return intent.payouts.map((payout) => {
          if (payout.chain !== intent.chain)
            throw new DraftRefused(`the payout belongs to ${payout.chain}`);
          return {
            jettonWallet: walletOfAsset(payout.asset, own),
            to: readAccount(payout.address, network, "the intended address"),
            units: unitsOf(payout.units),
            comment: payout.tag,
          };
        });
      case "cold":
        if (coldAddress === null) throw new DraftRefused("no cold address is configured");
        return [
          {
            jettonWallet: walletOfAsset(intent.asset, own),
            to: readAccount(coldAddress, network, "the cold address"),
            units: unitsOf(intent.units),
            comment: null,
          },
        ];
      case "gap":
      case "sweep":
      case "top_up":
      case "consolidation":
      case "delegate":
      case "opt_in":
      case "undelegate":
        throw new DraftRefused(`${intent.kind} is not signed on ${intent.chain}`);
    }
  };
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const { from, networkFee, order, sequence } = readDraft(body, network);
      assertOwn(from, walletOfKey(keys, path), network);
      const latest = Math.floor(addSeconds(clock.now(), clockSkewMax) / microsPerSecond);
      if (order.createdAt > BigInt(latest))
        throw new DraftRefused(`is made at ${order.createdAt}, after our time`);
      assertMatches(order.payments, requirementsOf(intent, from), network);
      assertFeesInBounds(networkFee, order.payments);
      const feeUnits = order.payments.reduce(
        (sum, { call }) => sum + networkFee + (call.type === "jetton" ? call.value : 0n),
        0n,
      );
      if (feeUnits > BigInt(intent.feeCeiling))
        throw new DraftRefused(`burns up to ${feeUnits}, above ${intent.feeCeiling}`);
      return {
        claims: [`${accountText(from, network)}#${sequence}`],
        // The wallet forgets query ids an hour or two after they were used.
        areClaimsForgotten: true,
        feeUnits,
        validity: {
          kind: "time",
          until: instantFromSeconds(Number(order.createdAt + timeout + shardDelay)),
        },
      };
    },
    sign: (body, keys) => {
      const draft = readDraft(body, network);
      const key = keys.ed25519At(path);
      try {
        assertOwn(draft.from, walletOf(key.publicKey), network);
        return signOrder(draft, key);
      } finally {
        key.wipe();
      }
    },
  };
}

function walletOfKey(keys: Ed25519Keys, path: string): Uint8Array {
  const key = keys.ed25519At(path);
  try {
    return walletOf(key.publicKey);
  } finally {
    key.wipe();
  }
}

function assertOwn(from: Uint8Array, own: Uint8Array, network: KeyNetwork): void {
  if (!isDeepStrictEqual(from, own))
    throw new DraftRefused(`no key for ${accountText(from, network)}`);
}

function assertFeesInBounds(networkFee: bigint, payments: readonly TonPayment[]): void {
  const { least, most } = networkFeeRange;
  if (networkFee < least || networkFee > most)
    throw new DraftRefused(
      `states a network fee of ${networkFee} for each payment, which is not from ${least} to ${most}`,
    );
  for (const { call } of payments)
    if (call.type === "jetton" && call.value > jettonValueMax)
      throw new DraftRefused(
        `sends ${call.value} along with a jetton's transfer, above ${jettonValueMax}`,
      );
}

function assertMatches(
  payments: readonly TonPayment[],
  required: readonly Requirement[],
  network: KeyNetwork,
): void {
  const length = Math.max(payments.length, required.length);
  for (let place = 0; place < length; place += 1) {
    const [payment, should] = [payments[place], required[place]];
    const does = payment === undefined ? undefined : requirementMetBy(payment);
    if (!isDeepStrictEqual(does, should))
      throw new DraftRefused(
        `does ${describe(does, network)} instead of ${describe(should, network)}`,
      );
  }
}

function requirementMetBy({ call, comment }: TonPayment): Requirement {
  const { to, units } = call;
  return { jettonWallet: call.type === "jetton" ? call.wallet : null, to, units, comment };
}

function describe(requirement: Requirement | undefined, network: KeyNetwork): string {
  if (requirement === undefined) return "nothing";
  const { comment, jettonWallet, to, units } = requirement;
  const what = jettonWallet === null ? "coin" : `what ${accountText(jettonWallet, network)} holds`;
  const text =
    comment === null ? "without a comment" : `with the comment ${JSON.stringify(comment)}`;
  return `a payment of ${units} units of ${what} to ${accountText(to, network)} ${text}`;
}

function assertCold(coldAddress: string, network: KeyNetwork): void {
  try {
    readAccount(coldAddress, network, "the cold address");
  } catch (error) {
    if (error instanceof DraftRefused) throw new RangeError(error.message);
    throw error;
  }
}

/** Amounts have up to 120 bits; more than 64 are more than any supply. */
function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,19}$/.test(text) || BigInt(text) >= 2n ** 64n)
    throw new DraftRefused("the intended amount is not a positive integer of 64 bits");
  return BigInt(text);
}
