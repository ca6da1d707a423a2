import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { answeredMetadata } from "./apply.ts";
import type { ClosedLedger } from "./closed-ledger.ts";
import type { Metadata } from "./metadata.ts";
import type { Transaction } from "./transaction.ts";

/** Seconds from 1970 to 2000, where the ledger's time begins. */
const epochSeconds = 946_684_800;

/** A time of the ledger as ISO 8601 in UTC. */
export function timeText(closeTime: number): string {
  return formatTimestamp(instantFromSeconds(closeTime + epochSeconds)).replace(".000000Z", "Z");
}

/**
 * A transaction as nodes answer it; the ledger and the metadata are null while it waits. API version 1 has all members beside each
 * other, and names the metadata differently in lists.
 */
export function printTransaction(
  {
    transaction,
    metadata,
  }: { readonly transaction: Transaction; readonly metadata: Metadata | null },
  ledger: ClosedLedger | null,
  version: 1 | 2,
  metadataName: "meta" | "metaData" = "meta",
): JsonObject {
  const meta = metadata === null ? null : answeredMetadata(transaction.json, metadata);
  const { txid } = transaction;
  if (version === 1)
    return {
      ...printFields(transaction, 1),
      ...(ledger === null
        ? {}
        : { date: ledger.closeTime, inLedger: ledger.index, ledger_index: ledger.index }),
      hash: txid,
      ...(meta === null ? {} : { [metadataName]: meta }),
      validated: ledger !== null,
    };
  const date = ledger === null ? {} : { date: ledger.closeTime, ledger_index: ledger.index };
  return {
    tx_json: { ...printFields(transaction, 2), ...date },
    hash: txid,
    ...(meta === null ? {} : { meta }),
    ...(ledger === null
      ? {}
      : {
          close_time_iso: timeText(ledger.closeTime),
          ledger_hash: ledger.hash,
          ledger_index: ledger.index,
        }),
    validated: ledger !== null,
  };
}

/** Its members, without its id. Version 2 names the amount of a payment by what it is: the most that is delivered. */
export function printFields({ json }: Transaction, version: 1 | 2): JsonObject {
  const { Amount, ...others } = json;
  if (json.TransactionType !== "Payment" || Amount === undefined) return json;
  return version === 1 ? { ...json, DeliverMax: Amount } : { ...others, DeliverMax: Amount };
}

/** As answers to `submit` and streams name it. */
export function printSubmitted(transaction: Transaction, version: 1 | 2): JsonObject {
  return { ...printFields(transaction, version), hash: transaction.txid };
}
