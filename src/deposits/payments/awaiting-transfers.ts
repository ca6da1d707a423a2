import type { DueTransfer, ReportedBlock } from "../../chains/chain-adapter.ts";
import type { Transfer } from "../../chains/port.ts";
import { type CurrencyId, money } from "../../platform/kernel/money.ts";
import type { AwaitingRow } from "./incoming.store.ts";

/*
 * Stored payments as nodes are asked about them.
 */

export function questionOf({ chain, currency, units }: AwaitingRow) {
  return { chain, currency: currency as CurrencyId | null, units };
}

export function blockOf({ block_height, block_hash, read_from }: AwaitingRow): ReportedBlock {
  return { height: Number(block_height), hash: block_hash, readFrom: read_from };
}

export function transferOf(row: AwaitingRow): Transfer {
  const { txid, output_index, watch_key, currency, units, withheld_units, spendable_from_height } =
    row;
  const arrived = units + (withheld_units ?? 0n);
  return {
    key: { txid, index: Number(output_index) },
    to: watch_key,
    asset: { kind: "currency", amount: money(arrived, currency as CurrencyId) },
    spendableFromHeight: spendable_from_height === null ? null : Number(spendable_from_height),
    ...(withheld_units === null ? {} : { withheldUnits: withheld_units }),
  };
}

export function dueTransferOf(row: AwaitingRow): DueTransfer {
  return { dueHeight: Number(row.due_height), transfer: transferOf(row) };
}
