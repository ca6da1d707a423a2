import { DraftRefused } from "../draft-signer.ts";
import type { IntendedAsset } from "../intent.ts";
import { assertAddress, type PlainTransaction } from "./read-transaction.ts";
import type { IntentOf } from "./spend-kind.ts";

/** What a payment's transaction must contain, regardless of the caller. */
type Due = { readonly address: string; readonly asset: IntendedAsset; readonly units: bigint };

/** Exactly one payout, to its address, of its units. */
export function inspectPayout(
  transaction: PlainTransaction,
  { payouts, chain }: IntentOf<"payout">,
): void {
  const [payout, ...others] = payouts;
  if (payout === undefined || others.length > 0)
    throw new DraftRefused("a transaction of this chain pays exactly one payout");
  if (payout.chain !== chain) throw new DraftRefused(`the payout belongs to ${payout.chain}`);
  if (payout.tag !== null) throw new DraftRefused("addresses of this chain have no tag");
  const { address, asset } = payout;
  assertPays(transaction, { address, asset, units: unitsOf(payout.units) });
}

/** Pays the cold address of this signer's own configuration, whatever the caller assumes. */
export function inspectCold(
  transaction: PlainTransaction,
  { asset, units }: IntentOf<"cold">,
  coldAddress: string | null,
): void {
  if (coldAddress === null) throw new DraftRefused("no cold address is configured");
  assertPays(transaction, { address: coldAddress, asset, units: unitsOf(units) });
}

/** Sends nothing to the sender itself. */
export function inspectGap({ to, from, value, data }: PlainTransaction): void {
  if (to !== from || value !== 0n || data !== "0x")
    throw new DraftRefused("a gap's transaction must send nothing to its own sender");
}

/** Coin: to the address, without data. Token: to its contract, without coin, calling exactly this `transfer`. */
function assertPays({ to, value, data }: PlainTransaction, due: Due): void {
  const address = assertAddress(due.address, "the intended address");
  if (due.asset.kind === "coin") {
    if (to !== address) throw new DraftRefused(`pays ${to} instead of ${address}`);
    if (value !== due.units) throw new DraftRefused(`pays ${value} instead of ${due.units}`);
    if (data !== "0x") throw new DraftRefused("a payment of coin with data");
    return;
  }
  const contract = assertAddress(due.asset.locator, "the intended contract");
  if (to !== contract) throw new DraftRefused(`calls ${to} instead of ${contract}`);
  if (value !== 0n) throw new DraftRefused("a token transfer with coin");
  if (data !== transferData(address, due.units))
    throw new DraftRefused(`calls something other than transfer(${address}, ${due.units})`);
}

/** ERC-20 `transfer(address,uint256)` as the contract ABI encodes it. */
export function transferData(address: string, units: bigint): string {
  const words = [address.slice(2), units.toString(16)].map((word) => word.padStart(64, "0"));
  return `0xa9059cbb${words.join("")}`;
}

function unitsOf(text: string): bigint {
  if (!/^[1-9]\d{0,77}$/.test(text) || BigInt(text) >= 2n ** 256n)
    throw new DraftRefused("the intended amount is not a positive integer of 256 bits");
  return BigInt(text);
}
