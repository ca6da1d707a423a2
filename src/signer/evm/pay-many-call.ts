import { DraftRefused } from "../draft-signer.ts";

/** One payment of the hot account's call of itself; addresses in lower case. */
export type CalledPayment = {
  /** The token's contract; the zero address for the coin. */
  readonly asset: string;
  /** The gas that the receiver's or the token's code may use. */
  readonly gas: bigint;
  readonly receiver: string;
  readonly units: bigint;
};

/** The first four bytes of keccak256("sluice pay many"). */
const selector = "0x02711fa6";
/** In hexadecimal digits: selector and number of assets; an asset and its gas; a payment. */
const headDigits = 12;
const assetDigits = 48;
const paymentDigits = 72;

/** The last log has a bit for each payment. */
const paymentsMax = 256;

/**
 * Reads the data of a call of `PayoutDelegate.sol`. Throws `DraftRefused` for anything but the one encoding of its payments, so that
 * the contract does exactly what is read here.
 */
export function decodePayMany(data: string): readonly CalledPayment[] {
  if (!data.startsWith(selector)) throw new DraftRefused("calls something other than the batch");
  const count = numberAt(data, selector.length, 2);
  const start = headDigits + count * assetDigits;
  const rest = data.slice(start);
  if (data.length <= start || rest.length % paymentDigits !== 0)
    throw new DraftRefused("a batch of no or of broken payments");
  if (rest.length / paymentDigits > paymentsMax)
    throw new DraftRefused(`a batch of more than ${paymentsMax} payments`);
  const payments: CalledPayment[] = [];
  for (let at = start; at < data.length; at += paymentDigits) {
    const place = numberAt(data, at, 2);
    if (place >= count)
      throw new DraftRefused("a payment of an asset that the batch does not name");
    const asset = headDigits + place * assetDigits;
    payments.push({
      asset: `0x${data.slice(asset, asset + 40)}`,
      gas: BigInt(`0x${data.slice(asset + 40, asset + assetDigits)}`),
      receiver: `0x${data.slice(at + 2, at + 42)}`,
      units: BigInt(`0x${data.slice(at + 42, at + paymentDigits)}`),
    });
  }
  if (encodePayMany(payments) !== data) throw new DraftRefused("a batch in another encoding");
  return payments;
}

/** The data of such a call: each asset with its gas once, in the order of their first payments. */
export function encodePayMany(payments: readonly CalledPayment[]): string {
  const assets = [...new Set(payments.map(assetText))];
  const texts = payments.map((payment) => {
    const place = assets.indexOf(assetText(payment));
    return hex(BigInt(place), 2) + payment.receiver.slice(2) + hex(payment.units, 30);
  });
  return [selector, hex(BigInt(assets.length), 2), ...assets, ...texts].join("");
}

function assetText({ asset, gas }: CalledPayment): string {
  return asset.slice(2) + hex(gas, 8);
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

function numberAt(data: string, at: number, digits: number): number {
  const text = data.slice(at, at + digits);
  if (text.length < digits) throw new DraftRefused("a batch that ends too early");
  return Number.parseInt(text, 16);
}
