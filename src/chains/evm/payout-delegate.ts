import artifacts from "./artifacts.gen.json" with { type: "json" };
import { deployedAddress, deploymentCall, designatorOf } from "./deployment.ts";
import type { Call } from "./fee-questions.ts";
import { coinAsset } from "./sweep-delegate.ts";

/*
 * The code that the hot account delegates to (`PayoutDelegate.sol`), and the data by which the account pays many with it.
 */

const initCode = artifacts.PayoutDelegate.bytecode.slice(2);

/** The contract's address on every chain, lower case. */
export const payoutDelegate = deployedAddress(initCode);

/** The code of an account that delegates to it. */
export const payoutDesignator = designatorOf(payoutDelegate);

/** The call that deploys it, valid from any sender. */
export const payoutDelegateDeployment: Call = deploymentCall(initCode);

/** One payment of a batch; addresses in lower case. */
export type BatchPayment = {
  /** The token's contract; `coinAsset` for the coin. */
  readonly asset: string;
  /** The gas that it may use beside the call itself; 0 where no code runs. */
  readonly gas: number;
  readonly receiver: string;
  /** At most `batchUnitsMax`. */
  readonly units: bigint;
};

/** The data has 15 bytes for an amount: 10^18 tokens of 18 decimals. */
export const batchUnitsMax = 2n ** 120n - 1n;

const selector = "02711fa6";
const assetDigits = 48;
const paymentDigits = 72;

/** The account's call of itself that makes the payments in this order. */
export function payManyCall(account: string, payments: readonly BatchPayment[]): Call {
  const assets = [...new Set(payments.map(assetText))];
  const texts = payments.map(
    (payment) =>
      byte(assets.indexOf(assetText(payment))) +
      payment.receiver.slice(2) +
      payment.units.toString(16).padStart(30, "0"),
  );
  const data = `0x${selector}${byte(assets.length)}${assets.join("")}${texts.join("")}`;
  return { to: account, value: 0n, data };
}

/** The payments of such a call; null for any other data. */
export function readPayMany(data: string): readonly BatchPayment[] | null {
  if (!data.startsWith(`0x${selector}`)) return null;
  const count = Number.parseInt(data.slice(10, 12), 16);
  const start = 12 + count * assetDigits;
  const rest = data.slice(start);
  if (Number.isNaN(count) || data.length < start || rest.length % paymentDigits !== 0) return null;
  const payments: BatchPayment[] = [];
  for (let at = 0; at < rest.length; at += paymentDigits) {
    const place = Number.parseInt(rest.slice(at, at + 2), 16);
    if (place >= count) return null;
    const asset = data.slice(12 + place * assetDigits, 12 + (place + 1) * assetDigits);
    payments.push({
      asset: `0x${asset.slice(0, 40)}`,
      gas: Number.parseInt(asset.slice(40), 16),
      receiver: `0x${rest.slice(at + 2, at + 42)}`,
      units: BigInt(`0x${rest.slice(at + 42, at + 72)}`),
    });
  }
  return payments;
}

/** Whether the payment moves the chain's coin. */
export function isCoin({ asset }: Pick<BatchPayment, "asset">): boolean {
  return asset === coinAsset;
}

function assetText({ asset, gas }: BatchPayment): string {
  return asset.slice(2) + gas.toString(16).padStart(8, "0");
}

function byte(value: number): string {
  return value.toString(16).padStart(2, "0");
}
