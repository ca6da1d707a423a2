import { equal } from "node:assert/strict";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { Draft, Funds, Payment } from "../paying-port.ts";
import type { BlockContent, ChainReader, Destination, Transfer } from "../port.ts";

/*
 * What a conformance check is, what moves the node under it, and the few steps that many checks share. The checks
 * themselves are listed in `conformance.ts`.
 */

/** Drives the node under the adapter. An ability that the chain or node lacks is null. */
export type ChainDriver = {
  readonly adapter: ChainAdapter;
  /** A currency of the chain that `fund` pays in. */
  readonly currency: CurrencyId;
  /** More than dust, small enough that `fund` can be called a few hundred times. */
  readonly units: bigint;
  /** Texts that look like addresses and cannot be paid on this very network. */
  readonly unpayable: readonly string[];
  /** Sends one payment from outside; it waits for a block. Resolves with the transaction id once the node knows it. */
  readonly fund: (destination: Destination, units: bigint) => Promise<string>;
  /** Mines blocks with everything that waits. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Replaces the newest `depth` blocks by other ones, at least as many. Their transactions may wait again or be gone. */
  readonly reorg: (depth: number) => Promise<void>;
  /** One transaction that pays the destination twice; it waits for a block. */
  readonly fundTwice:
    | ((destination: Destination, first: bigint, second: bigint) => Promise<string>)
    | null;
  /** A payment that gets into a block and fails there. Resolves with its id while it waits. */
  readonly fundFailing: ((destination: Destination, units: bigint) => Promise<string>) | null;
  /** Replaces a waiting transaction by one that uses up the same and pays somebody else. Resolves with the new id. */
  readonly replace: ((txid: string) => Promise<string>) | null;
  /** The node stops answering, until the function that it resolves with is called. */
  readonly cutOff: (() => Promise<() => Promise<void>>) | null;
  /** The same adapter configured for another network, talking to this node. */
  readonly misconfigured: ChainReader | null;
  /** What the adapter's writer needs beside a node: money of ours, and the signer. */
  readonly payer: Payer | null;
};

/** Pays from our own funds. */
export type Payer = {
  /** Enough for a few payments of `ChainDriver.units` and any fee; what one call names no other call does, but for what was never sent. */
  readonly funds: () => Promise<Funds>;
  /** By the signer, after it has read the draft by itself and found these payments in it. */
  readonly sign: (
    draft: Draft,
    payments: readonly Payment[],
  ) => { readonly txid: string; readonly raw: Uint8Array };
  /** What the transaction of a block burnt, units of the chain's coin, by other means than the adapter's. */
  readonly burnt: (txid: string) => Promise<bigint>;
};

export type Ability =
  | "fundTwice"
  | "fundFailing"
  | "replace"
  | "cutOff"
  | "misconfigured"
  | "payer";

export type ConformanceCheck = {
  readonly name: string;
  readonly needs: Ability | null;
  readonly run: (driver: ChainDriver) => Promise<void>;
};

export const never = new AbortController().signal;
export const unknownTxid = "ab".repeat(32);

/** A check that every driver can run. */
export function check(name: string, run: (driver: ChainDriver) => Promise<void>): ConformanceCheck {
  return { name, needs: null, run };
}

/** A check for drivers that have the ability. */
export function checkWith<Name extends Ability>(
  name: string,
  needs: Name,
  run: (driver: ChainDriver, ability: NonNullable<ChainDriver[Name]>) => Promise<void>,
): ConformanceCheck {
  return {
    name,
    needs,
    run: async (driver) => {
      const ability = driver[needs];
      if (ability === null) throw new Error(`the driver has no ${needs}`);
      await run(driver, ability);
    },
  };
}

/** Addresses are handed out in order, so that checks on one node do not meet each other's payments. */
const nextIndex = new WeakMap<ChainDriver, number>();

/** A deposit address that no other check of this driver pays. */
export function freshDestination(driver: ChainDriver): Destination {
  const index = nextIndex.get(driver) ?? 1000;
  nextIndex.set(driver, index + 1);
  return driver.adapter.addressing.depositAt(index, null);
}

/** The tag as addresses are parsed with; null when there is none. */
export function tagText(destination: Destination): string | null {
  return destination.tag === null ? null : String(destination.tag.value);
}

/** The content of the node's tip. */
export async function newestBlock(driver: ChainDriver): Promise<BlockContent> {
  const tip = await driver.adapter.reader.tip(never);
  const content = await driver.adapter.reader.readBlock(tip, never);
  if (content === null) throw new Error(`the node lost its own tip ${tip.hash}`);
  return content;
}

/** A block's content with what its transactions use up worked out, so that two readings can be compared. */
export function comparable(content: BlockContent | null) {
  if (content === null) return null;
  const claims = content.spends.claims();
  return {
    ...content,
    spends: { claims, transactions: content.spends.transactionsSpending(new Set(claims)) },
  };
}

/** Those of the transfers that pay the destination. */
export function paidTo(
  driver: ChainDriver,
  transfers: readonly Transfer[],
  destination: Destination,
): Transfer[] {
  const key = driver.adapter.addressing.watchKey(destination);
  return transfers.filter((transfer) => transfer.to === key);
}

/** A transfer's units of the driver's currency; null for anything else. */
export function unitsOf(driver: ChainDriver, transfer: Transfer | undefined): bigint | null {
  if (transfer?.asset.kind !== "currency") return null;
  equal(transfer.asset.amount.currency, driver.currency);
  return transfer.asset.amount.units;
}

/** What the transaction spends, as its origin says. Throws when the node knows no origin. */
export async function spendsOf(driver: ChainDriver, txid: string): Promise<readonly string[]> {
  const origins = await driver.adapter.reader.senders([txid], null, never);
  const origin = origins.get(txid);
  if (origin === undefined) throw new Error(`no origin for ${txid}`);
  return origin.claims;
}
