import { commentBytesMax } from "../../currencies/ton-comment.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import { type FeeQuote, FeesTooHigh, type Payment } from "../paying-port.ts";
import { costOfWork, type NetworkPrices, type Work } from "./network-prices.ts";

/** What a payment costs, in nanotons. */
export type TonFees = Pick<FeeQuote, "low" | "medium" | "high">;

/** What the payments of a message may cost at most. */
export type FeeBounds = {
  /** For each payment: import, gas, rent and delivery. */
  readonly networkFee: bigint;
  /** What goes along with a jetton's transfer. Its contracts keep what they need, less than half of it, and return the rest. */
  readonly jettonValue: bigint;
};

/** The signer refuses more than `most` and reckons with no less than `least`; docs/decisions/ton-payments.md says why. */
export const networkFeeRange = { least: 20_000_000n, most: 100_000_000n };
export const jettonValueRange = { least: 100_000_000n, most: 500_000_000n };

/** What the hot account pays for a payment alone in its message, as measured, and a little more of gas; see docs/decisions/ton-payments.md. */
const coinWork: Work = { gas: [6_300n], messages: 2n, cells: 3n, bits: 1_120n };
/** With the reference contract: in the hot wallet and in its wallet of the jetton. It pays the forwarding to the receiver's wallet twice. */
const jettonWork: Work = { gas: [6_300n, 9_300n], messages: 5n, cells: 48n, bits: 16_900n };
/** A comment is in so many of the messages, in a cell of its own behind 32 bits. */
const commentCopies = { coin: 2n, jetton: 4n };
const commentPrefixBits = 32n;

/** What a receiver's wallet keeps for its rent and its gas, in the reference contract, at the prices of a cell and a bit below. */
const keptNano = 25_000_000n;
const keptAt = { cell: 500n, bit: 1n };

const marginPercent = 103n;
/** Fees are quoted in so many nanotons. */
const step = 10_000n;

/** The fees of a payment at these prices. Throws `FeesTooHigh` if they exceed what the signer signs. */
export function feesOf(
  chain: string,
  prices: NetworkPrices,
  kind: "coin" | "jetton",
  { destination: { tag } }: Payment,
): TonFees {
  const { jettonValue, networkFee } = feeBoundsAt(prices);
  if (networkFee > networkFeeRange.most || jettonValue > jettonValueRange.most)
    throw new FeesTooHigh(chain, tooHigh({ networkFee, jettonValue }));
  const commentBytes = tag === null ? null : Buffer.byteLength(tag);
  const low = lowOf(prices, kind, commentBytes);
  return kind === "coin"
    ? { low, medium: roundUp((low * 8n) / 5n), high: networkFee }
    : { low, medium: roundUp((low * 4n) / 3n), high: networkFee + jettonValue };
}

/** At these prices; above what the signer signs where a price has risen that far. */
export function feeBoundsAt(prices: NetworkPrices): FeeBounds {
  const coin = lowOf(prices, "coin", commentBytesMax);
  const jetton = lowOf(prices, "jetton", commentBytesMax);
  return {
    networkFee: maxBigInt(coin * 4n, networkFeeRange.least),
    jettonValue: maxBigInt(jetton * 2n, jettonValueRange.least),
  };
}

function tooHigh({ jettonValue, networkFee }: FeeBounds): string {
  const [name, found, most] =
    networkFee > networkFeeRange.most
      ? ["a payment", networkFee, networkFeeRange.most]
      : ["a jetton's transfer", jettonValue, jettonValueRange.most];
  return `The network's prices have risen: ${name} may cost ${found} nanotons, and at most ${most} are signed.`;
}

function lowOf(
  prices: NetworkPrices,
  kind: "coin" | "jetton",
  commentBytes: number | null,
): bigint {
  const work = kind === "coin" ? coinWork : jettonWork;
  const copies = commentBytes === null ? 0n : commentCopies[kind];
  const commentBits = commentPrefixBits + 8n * BigInt(commentBytes ?? 0);
  const cost = costOfWork(prices, {
    ...work,
    cells: work.cells + copies,
    bits: work.bits + copies * commentBits,
  });
  const kept = kind === "coin" ? 0n : keptNow(prices);
  return roundUp(((cost + kept) * marginPercent) / 100n);
}

/** Rent for years is paid ahead, in some jettons a fixed sum. So it rises with the price of storage, and never falls. */
function keptNow({ storedBit, storedCell }: NetworkPrices): bigint {
  const forCells = (keptNano * storedCell) / keptAt.cell;
  const forBits = (keptNano * storedBit) / keptAt.bit;
  return maxBigInt(keptNano, maxBigInt(forCells, forBits));
}

function roundUp(units: bigint): bigint {
  return ((units + step - 1n) / step) * step;
}
