import type { CurrencyId } from "../platform/kernel/money.ts";
import { ImpossibleAnswer, type TransactionReceipt, type Transfer } from "./port.ts";

/** Who said it, and what no amount exceeds; null: no bound. */
export type AnswerSource = {
  readonly chain: string;
  readonly node: string;
  readonly supplyOf: (currency: CurrencyId) => bigint | null;
};

/**
 * Refuses what no honest node says: to addresses of ours more of a currency than there is, or one output twice. Others' payments are
 * not looked at, since an odd token may log any number. Throws `ImpossibleAnswer`.
 */
export function assertPossible(
  { chain, node, supplyOf }: AnswerSource,
  ours: readonly { readonly transfer: Transfer }[],
  mined: readonly TransactionReceipt[],
): void {
  const refuse = (what: string): never => {
    throw new ImpossibleAnswer(chain, `${node} reports ${what}: its answer is refused`);
  };
  const check = (currency: CurrencyId, units: bigint, txid: string): void => {
    const supply = supplyOf(currency);
    if (supply !== null && units > supply)
      refuse(`${units} units of currency ${currency} in ${txid}, above its supply of ${supply}`);
  };
  const keys = new Set<string>();
  for (const {
    transfer: { key, asset },
  } of ours) {
    const name = `${key.txid}:${key.index}`;
    if (keys.has(name)) refuse(`output ${name} twice`);
    keys.add(name);
    if (asset.kind === "currency") check(asset.amount.currency, asset.amount.units, key.txid);
  }
  for (const { txid, delivery, lost } of mined) {
    if (delivery !== undefined) {
      check(delivery.currency, delivery.receivedUnits, txid);
      check(delivery.currency, delivery.sentUnits, txid);
    }
    for (const { currency, units } of lost ?? []) check(currency, units, txid);
  }
}
