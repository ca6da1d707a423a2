import { recordEvents } from "../../callbacks/events/record-events.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { Random } from "../../platform/kernel/random.ts";
import { depositEvent } from "../payments/announcement-event.ts";
import {
  activateDeposit,
  insertActivationTransfer,
  type NewActivationTransfer,
} from "./activation.store.ts";

export type AnnounceContext = {
  readonly currencies: CurrencyRegistry;
  readonly random: Random;
  readonly baseUrl: string;
};

/** A deposit whose address can be paid now. */
export type ActiveDeposit = {
  readonly accountId: string;
  readonly depositId: string;
  readonly keyspace: string;
  /** Null if nothing of ours activated the address. */
  readonly transfer: NewActivationTransfer | null;
  /** The height of the chain's tip, from which confirmations are counted. */
  readonly tipHeight: number | null;
};

/**
 * Makes a deposit active: shows its address, stores the transfer that activated it (type 49) and announces both, in the caller's
 * transaction. Does nothing for an active deposit.
 */
export async function announceActivation(
  tx: Executor,
  { currencies, random, baseUrl }: AnnounceContext,
  { accountId, depositId, keyspace, transfer, tipHeight }: ActiveDeposit,
  now: Instant,
): Promise<void> {
  const deposit = await activateDeposit(tx, { accountId, id: depositId }, keyspace, now);
  if (deposit === null) return;
  const stored =
    transfer === null ? null : await insertActivationTransfer(tx, deposit, transfer, now);
  const announcement = {
    transferId: stored?.id ?? null,
    trigger: "address_activated",
    key: `deposit:${deposit.id}:activated`,
    isDelivered: true,
  };
  const event = depositEvent(
    announcement,
    { deposit, transfer: stored, transfers: [] },
    { currencies, baseUrl },
    () => tipHeight,
    now,
  );
  await recordEvents(tx, [event], random);
}
