import { DraftRefused, type KeyRing } from "../draft-signer.ts";
import type { IntendedAsset } from "../intent.ts";
import { assertPaysMany } from "./inspect-batch.ts";
import { assertAddress, type PlainTransaction, unitsOf } from "./read-transaction.ts";
import { deploysSweepDelegate } from "./set-up-inspector.ts";
import type { IntentOf } from "./spend-kind.ts";

/** What a payment's transaction must contain, regardless of the caller. */
type Due = { readonly address: string; readonly asset: IntendedAsset; readonly units: bigint };

/** Exactly these payouts: one by its own payment, several by a batch. */
export function inspectPayout(
  transaction: PlainTransaction,
  { payouts, chain }: IntentOf<"payout">,
): void {
  for (const payout of payouts) {
    if (payout.chain !== chain) throw new DraftRefused(`the payout belongs to ${payout.chain}`);
    if (payout.tag !== null) throw new DraftRefused("addresses of this chain have no tag");
  }
  const [payout, ...others] = payouts;
  if (payout === undefined) throw new DraftRefused("a transaction for no payout");
  if (others.length > 0) {
    assertPaysMany(transaction, payouts);
    return;
  }
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

/** Sends nothing to the sender itself, or deploys the sweeps' delegate. */
export function inspectGap(
  transaction: PlainTransaction,
  _intent: IntentOf<"gap">,
  keys: KeyRing,
): void {
  const { to, from, value, data } = transaction;
  if (deploysSweepDelegate(transaction, keys)) return;
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
