import { equal } from "node:assert/strict";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { Draft, Funds, Payment } from "../paying-port.ts";
import type { BlockContent, ChainReader, Destination, Transfer } from "../port.ts";

/*
 * Defines a conformance check, the driver that controls the node under it, and the steps that many checks share. The checks are
 * listed in `conformance.ts`.
 */

/** Drives the node under the adapter. A capability that the chain or node lacks is null. */
export type ChainDriver = {
  readonly adapter: ChainAdapter;
  /** A currency of the chain that `fund` pays in. */
  readonly currency: CurrencyId;
  /** More than dust, small enough that `fund` can be called a few hundred times. */
  readonly units: bigint;
  /** Strings that look like addresses but cannot be paid on this network. */
  readonly unpayable: readonly string[];
  /**
   * Sends one payment from an external account; it stays pending until a block is mined. Resolves with the transaction id once
   * the node knows it.
   */
  readonly fund: (destination: Destination, units: bigint) => Promise<string>;
  /** Mines blocks that include all pending transactions. */
  readonly mine: (blocks: number) => Promise<void>;
  /**
   * Replaces the newest `depth` blocks with at least as many others. Their transactions may become pending again or disappear.
   */
  readonly reorg: (depth: number) => Promise<void>;
  /** One transaction that pays the destination twice; it stays pending until a block is mined. */
  readonly fundTwice:
    | ((destination: Destination, first: bigint, second: bigint) => Promise<string>)
    | null;
  /** A payment that is included in a block and fails there. Resolves with its id while it is pending. */
  readonly fundFailing: ((destination: Destination, units: bigint) => Promise<string>) | null;
  /**
   * Replaces a pending transaction with one that spends the same coins or nonce and pays another address. Resolves with the new
   * id.
   */
  readonly replace: ((txid: string) => Promise<string>) | null;
  /** Stops the node from answering until the returned function is called. */
  readonly cutOff: (() => Promise<() => Promise<void>>) | null;
  /** The same adapter, configured for another network but connected to this node. */
  readonly misconfigured: ChainReader | null;
  /** What the adapter's writer needs besides a node: funds of ours, and the signer. */
  readonly payer: Payer | null;
};

/** Pays from our own funds. */
export type Payer = {
  /**
   * Funds that cover a few payments of `ChainDriver.units` and any fee. No two calls return the same funds, except those that
   * were never spent.
   */
  readonly funds: () => Promise<Funds>;
  /** Signs the draft in the signer, after the signer has decoded it independently and found these payments in it. */
  readonly sign: (
    draft: Draft,
    payments: readonly Payment[],
  ) => { readonly txid: string; readonly raw: Uint8Array };
  /** The fee that the mined transaction burned, in units of the chain's coin, determined independently of the adapter. */
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

/** A check for drivers that have the capability. */
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

/** Hands out addresses in order, so that checks on one node do not see each other's payments. */
const nextIndex = new WeakMap<ChainDriver, number>();

/** A deposit address that no other check of this driver pays. */
export function freshDestination(driver: ChainDriver): Destination {
  const index = nextIndex.get(driver) ?? 1000;
  nextIndex.set(driver, index + 1);
  return driver.adapter.addressing.depositAt(index, null);
}

/** The tag in the form that address parsing takes; null without a tag. */
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

/** A block's content including what its transactions spend, so that two readings can be compared. */
export function comparable(content: BlockContent | null) {
  if (content === null) return null;
  const sources = content.spends.sources();
  return {
    ...content,
    spends: { sources, transactions: content.spends.transactionsFrom(new Set(sources)) },
  };
}

/** The transfers that pay the destination. */
export function paidTo(
  driver: ChainDriver,
  transfers: readonly Transfer[],
  destination: Destination,
): Transfer[] {
  const key = driver.adapter.addressing.watchKey(destination);
  return transfers.filter((transfer) => transfer.to === key);
}

/** A transfer's units in the driver's currency; null for other transfers. */
export function unitsOf(driver: ChainDriver, transfer: Transfer | undefined): bigint | null {
  if (transfer?.asset.kind !== "currency") return null;
  equal(transfer.asset.amount.currency, driver.currency);
  return transfer.asset.amount.units;
}

/** The claims that the transaction spends, from its origin. Throws when the node does not know its origin. */
export async function spendsOf(driver: ChainDriver, txid: string): Promise<readonly string[]> {
  const origins = await driver.adapter.reader.senders([txid], null, never);
  const origin = origins.get(txid);
  if (origin === undefined) throw new Error(`no origin for ${txid}`);
  return origin.claims;
}
