import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { ChainAdapter } from "../chain-adapter.ts";
import type { Draft, Funds, Payment } from "../paying-port.ts";
import type { Addressing, BlockContent, ChainReader, Destination, Transfer } from "../port.ts";

/*
 * Defines a conformance check, the driver that controls the node under it, and the steps that many checks share. The checks are
 * listed in `conformance.ts`.
 */

/** What a family says about its chains. The suite checks that all of it is true, and that no more is true. */
export type Declaration = {
  /** Whether a block at the tip may still be replaced. */
  readonly finality: "final" | "probable";
  /**
   * Where a payment is seen before its block is at the tip: in the node's pool, or in blocks that are newer than the tip. `hidden`: nodes
   * list none, but know one by its id. `unseen`: they do not know it either.
   */
  readonly pending: "pool" | "newerBlocks" | "hidden" | "unseen";
  /** What a transaction spends that no other transaction can spend as well. */
  readonly claims: "outpoints" | "keyImages" | "sequences" | "none";
  /** Nodes keep the first of two transactions with a claim in common, however much the second one pays. Absent where they do not. */
  readonly neverReplaces?: true;
  /** What ends the validity of a draft besides its claims. */
  readonly validity: "height" | "time" | "none";
  /** Where the addresses of deposits come from. */
  readonly deposits: Addressing["source"];
  /** Whether blocks contain transactions that failed. */
  readonly includesFailed: boolean;
  /** Whether one transaction can make several payments. */
  readonly paysSeveral: boolean;
  /**
   * A payment arrives in a transaction of its receiver, which has an id of its own. Absent where sender and receiver see one transaction.
   */
  readonly arrivesUnderOwnId?: true;
  /** The chain does not show who sent a payment. */
  readonly hidesSenders?: true;
  /** Nodes know outputs, but not what an address holds. */
  readonly knowsNoBalances?: true;
  /** The network locks blocks, after which no reorg replaces them: when the driver says so, or never on this private network. */
  readonly locksBlocks?: "onDemand" | "never";
  /** Whether the adapter pays. */
  readonly pays: boolean;
};

/** Drives the node under the adapter. An ability that the declaration does not ask for is null. */
export type ChainDriver = {
  readonly adapter: ChainAdapter;
  readonly declares: Declaration;
  /** A currency of the chain that `fund` pays in. */
  readonly currency: CurrencyId;
  /** More than dust, small enough that `fund` can be called a few hundred times. */
  readonly units: bigint;
  /** Strings that look like addresses but cannot be paid on this network. */
  readonly unpayable: readonly string[];
  /**
   * Sends one payment from an external account; it stays pending until a block is mined. Resolves with the transaction id once
   * the node shows it as pending.
   */
  readonly fund: (destination: Destination, units: bigint) => Promise<string>;
  /** Mines until the tip has moved by at least so many blocks and includes all pending transactions. */
  readonly mine: (blocks: number) => Promise<void>;
  /**
   * Replaces the newest `depth` blocks with at least as many others; where the tip is final, those above it. Their transactions may
   * become pending again or disappear.
   */
  readonly reorg: (depth: number) => Promise<void>;
  /** One transaction that pays the destination twice; it stays pending until a block is mined. */
  readonly fundTwice:
    | ((destination: Destination, first: bigint, second: bigint) => Promise<string>)
    | null;
  /** A payment that is included in a block and fails there. Resolves with its id while it is pending. */
  readonly fundFailing: ((destination: Destination, units: bigint) => Promise<string>) | null;
  /**
   * Replaces a pending transaction with one that spends the same coins or nonce and pays another address; where nodes replace none, by
   * a reorg. Resolves with the new id.
   */
  readonly replace: ((txid: string) => Promise<string>) | null;
  /** Has the network lock the newest block. */
  readonly lock?: () => Promise<void>;
  /**
   * The id under which a payment arrived that `fund` or `fundFailing` sent under the given one, once a block has it. Absent where both are the
   * same.
   */
  readonly arrivalOf?: (sent: string) => Promise<string>;
  /** Stops the node from answering until the returned function is called. */
  readonly cutOff: () => Promise<() => Promise<void>>;
  /** The same adapter, configured for another network but connected to this node. */
  readonly misconfigured: ChainReader;
  /** What the adapter's writer needs besides a node: funds of ours, and the signer. */
  readonly payer: Payer | null;
  /** Mines until the draft has expired, by a block at the tip. */
  readonly outlive: ((draft: Draft) => Promise<void>) | null;
};

type SignedDraft = { readonly txid: string; readonly raw: Uint8Array };

/** Pays from our own funds. */
export type Payer = {
  /**
   * Funds that cover a few payments of `ChainDriver.units` and any fee. No two calls return the same funds, except those that
   * were never spent.
   */
  readonly funds: () => Promise<Funds>;
  /**
   * Signs the draft in the signer, after the signer has decoded it independently and found these payments in it. `reference` is the one
   * that the draft was requested with: a payout's id.
   */
  readonly sign: (
    draft: Draft,
    payments: readonly Payment[],
    reference: string,
  ) => SignedDraft | Promise<SignedDraft>;
  /** The fee that the mined transaction burned, in units of the chain's coin, determined independently of the adapter. */
  readonly burnt: (txid: string) => Promise<bigint>;
};

/** What a driver can do beyond paying and mining, and for which chains it has to. */
const abilities = {
  fundTwice: ({ paysSeveral }: Declaration) => paysSeveral,
  fundFailing: ({ includesFailed }: Declaration) => includesFailed,
  replace: ({ claims, pending }: Declaration) => claims !== "none" && pending !== "unseen",
  lock: ({ locksBlocks }: Declaration) => locksBlocks === "onDemand",
  payer: ({ pays }: Declaration) => pays,
  outlive: ({ pays, validity }: Declaration) => pays && validity !== "none",
} satisfies Partial<Record<keyof ChainDriver, (declares: Declaration) => boolean>>;

export type Ability = keyof typeof abilities;

/** The abilities that the declaration asks for. */
export function abilitiesOf(declares: Declaration): readonly Ability[] {
  return (Object.keys(abilities) as Ability[]).filter((ability) => abilities[ability](declares));
}

export type ConformanceCheck = {
  readonly name: string;
  /** Whether the check is about a chain of which this is true. */
  readonly concerns: (declares: Declaration) => boolean;
  readonly run: (driver: ChainDriver) => Promise<void>;
};

export const never = new AbortController().signal;
export const unknownTxid = "ab".repeat(32);

/** Chains whose transactions spend outputs of earlier ones. */
export function spendsOutputs({ claims }: Declaration): boolean {
  return claims === "outpoints" || claims === "keyImages";
}

/** Chains whose nodes list what waits for a block. */
export function listsPending({ pending }: Declaration): boolean {
  return pending === "pool" || pending === "newerBlocks";
}

/** The status of a transaction that waits for a block. */
export function waitingStatus({ declares }: ChainDriver): {
  readonly kind: "pending" | "unknown";
} {
  return { kind: declares.pending === "unseen" ? "unknown" : "pending" };
}

/** Chains whose newest blocks may be replaced. */
export function isProbable({ finality }: Declaration): boolean {
  return finality === "probable";
}

/** A check of every chain, or of those that the declaration selects. */
export function check(
  name: string,
  run: (driver: ChainDriver) => Promise<void>,
  concerns: ConformanceCheck["concerns"] = () => true,
): ConformanceCheck {
  return { name, concerns, run };
}

/** A check of chains whose drivers have the ability. */
export function checkWith<Name extends Ability>(
  name: string,
  needs: Name,
  run: (driver: ChainDriver, ability: NonNullable<ChainDriver[Name]>) => Promise<void>,
  concerns: ConformanceCheck["concerns"] = () => true,
): ConformanceCheck {
  return {
    name,
    concerns: (declares) => abilities[needs](declares) && concerns(declares),
    run: async (driver) => {
      const ability = driver[needs];
      if (ability == null) throw new Error(`the driver has no ${needs}`);
      await run(driver, ability);
    },
  };
}

/** The destination of deposit `index`; where the signer creates keys, that of a key that stands for it here. */
export function depositOf(
  addressing: Addressing,
  index: number,
  addressType: string | null,
): Destination {
  return addressing.source === "created"
    ? addressing.addressOf(keyOf(index))
    : addressing.depositAt(index, addressType);
}

/** 32 bytes that differ for each index. */
export function keyOf(index: number): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`key ${index}`).digest());
}

/** Hands out addresses in order, so that checks on one node do not see each other's payments. */
const nextIndex = new WeakMap<ChainDriver, number>();

/** A deposit address that no other check of this driver pays. */
export function freshDestination(driver: ChainDriver): Destination {
  const index = nextIndex.get(driver) ?? 1000;
  nextIndex.set(driver, index + 1);
  return depositOf(driver.adapter.addressing, index, null);
}

/** What the tip passed while blocks were mined: one block for most chains, several where a tip becomes final in steps. */
export type Mined = {
  /** Oldest first. */
  readonly blocks: readonly BlockContent[];
  readonly transfers: readonly Transfer[];
};

/** Mines at least `count` blocks and reads them. */
export async function mine(driver: ChainDriver, count = 1): Promise<Mined> {
  const { reader } = driver.adapter;
  const before = await reader.tip(never);
  await driver.mine(count);
  const after = await reader.tip(never);
  ok(after.height >= before.height + count, "the tip moved");
  const blocks: BlockContent[] = [];
  for (let height = before.height + 1; height <= after.height; height += 1) {
    const header = await reader.headerAt(height, never);
    const content = header === null ? null : await reader.readBlock(header, never);
    if (content === null) throw new Error(`the node lost its block ${height}`);
    blocks.push(content);
  }
  return { blocks, transfers: blocks.flatMap(({ transfers }) => transfers) };
}

/** The id of a payment in its block, from the id under which it was sent. */
export async function arrivalOf(driver: ChainDriver, sent: string): Promise<string> {
  return driver.arrivalOf === undefined ? sent : await driver.arrivalOf(sent);
}

/** Sends a payment to the destination and mines it. */
export async function fundAndMine(
  driver: ChainDriver,
  destination: Destination,
): Promise<{ readonly txid: string; readonly mined: Mined }> {
  const sent = await driver.fund(destination, driver.units);
  const mined = await mine(driver);
  return { txid: await arrivalOf(driver, sent), mined };
}

/** The mined block whose transfers or spends contain the transaction. Throws when there is not exactly one. */
export function blockOf({ blocks }: Mined, txid: string): BlockContent {
  const [found, ...others] = blocks.filter(
    ({ transfers, spends }) =>
      transfers.some(({ key }) => key.txid === txid) ||
      spends.transactionsFrom(new Set(spends.sources())).some((one) => one.txid === txid),
  );
  if (found === undefined || others.length > 0)
    throw new Error(`${txid} is in ${others.length + (found === undefined ? 0 : 1)} blocks`);
  return found;
}

/**
 * A block's content including what its transactions spend, so that two readings can be compared. Throws if its transfers by receiver are
 * others.
 */
export function comparable(content: BlockContent | null) {
  if (content === null) return null;
  const sources = content.spends.sources();
  const { byReceiver, ...rest } = content;
  if (byReceiver !== undefined) {
    const { keys, to } = byReceiver;
    const receivers = rest.transfers.map((transfer) => transfer.to);
    deepEqual(keys, receivers);
    deepEqual(to(new Set(receivers)), rest.transfers);
    const some = new Set(receivers.slice(0, 1));
    deepEqual(
      to(some),
      rest.transfers.filter((transfer) => some.has(transfer.to)),
    );
  }
  return {
    ...rest,
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
