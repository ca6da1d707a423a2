import type { AccountCharge, BlockRef } from "../../chains/port.ts";
import { operatorAccountId, systemAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { type Entry, type Position, postingsBetween } from "../../ledger/posting.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { type BookedCharge, includeCharges, orphanCharges } from "./charge.store.ts";

/*
 * What a chain takes from our accounts for receiving, and what it gives back of our own payments. Like the fees of our transactions it is
 * the operator's cost, so payers are credited in full.
 */

/** Books a block's charges. */
export async function bookCharges(
  tx: Executor,
  chain: string,
  block: BlockRef,
  charges: readonly AccountCharge[],
  now: Instant,
): Promise<void> {
  const found = charges.filter(({ amount }) => amount.units !== 0n);
  await book(tx, chain, await includeCharges(tx, chain, block, found, now), "in", now);
}

/** Reverses the charges of the block at this height. */
export async function reverseCharges(
  tx: Executor,
  chain: string,
  height: number,
  now: Instant,
): Promise<void> {
  await book(tx, chain, await orphanCharges(tx, chain, height), "out", now);
}

async function book(
  tx: Executor,
  chain: string,
  charges: readonly BookedCharge[],
  direction: "in" | "out",
  now: Instant,
): Promise<void> {
  if (charges.length === 0) return;
  const entries = charges.map((charge): Entry => {
    const positions = positionsOf(charge);
    return {
      accountId: operatorAccountId,
      cause: `charge:${chain}:${charge.txid}`,
      postings:
        direction === "in" ? postingsBetween([], positions) : postingsBetween(positions, []),
    };
  });
  await post(tx, entries, now);
}

function positionsOf({ amount: { currency, units } }: BookedCharge): readonly Position[] {
  return [
    { account: systemAccount("chain", currency), currency, units: -units },
    { account: systemAccount("fees", currency), currency, units },
  ];
}
