import type { CurrencyId } from "../platform/kernel/money.ts";
import { ImpossibleAnswer, type TransactionReceipt, type Transfer } from "./port.ts";

/** Where an answer comes from, and each currency's supply; null if unlimited. */
export type AnswerSource = {
  readonly chain: string;
  readonly node: string;
  readonly supplyOf: (currency: CurrencyId) => bigint | null;
};

/**
 * Throws `ImpossibleAnswer` for what no honest node reports: more of a currency than its supply sent to one of our addresses,
 * or one output twice. Payments to others are not checked, since any token may log any number.
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
  for (const { txid, delivery, deliveries = [], lost } of mined) {
    for (const { currency, receivedUnits, sentUnits } of [delivery ?? [], deliveries].flat()) {
      check(currency, receivedUnits, txid);
      check(currency, sentUnits, txid);
    }
    for (const { currency, units } of lost ?? []) check(currency, units, txid);
  }
}
