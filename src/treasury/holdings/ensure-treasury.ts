import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { Destination } from "../../chains/port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import {
  addAddresses,
  firstAddresses,
  highestIssued,
  highestWatched,
  type IssuedChange,
  issueChange,
  type TreasuryAddress,
  type TreasuryPurpose,
} from "./address.store.ts";

/** The part of a chain that its own addresses depend on. */
export type TreasuryChain = Pick<ChainAdapter, "keyspace" | "addressing">;

/**
 * How many change addresses are watched beyond the last issued one. If a deployment spends more often between two backups, it
 * only costs time: whenever money reaches one of them, the next ones are watched too.
 */
export const changeAhead = 100;

/**
 * Watches the deployment's own addresses: the hot and gas accounts of account chains, and the change addresses of UTXO chains,
 * where index 0 receives the operator's money. Call it before following chains and paying anything; idempotent. Throws
 * `InvariantViolation` if the keys are not those that the database knows.
 */
export async function ensureTreasury(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  chains: readonly TreasuryChain[],
): Promise<void> {
  const byKeyspace = new Map(chains.map((chain) => [chain.keyspace, chain]));
  for (const chain of byKeyspace.values()) {
    const addresses = [...accountsOf(chain), ...firstChange(chain)];
    await assertSameKeys(db, chain, addresses);
    await addAddresses(db, addresses, clock.now());
    const issued = await highestIssued(db, chain.keyspace);
    if (issued !== null) await watchAhead(db, chain, issued, clock.now());
  }
}

/** Watches the change addresses after `issued`, up to `changeAhead` of them. */
export async function watchAhead(
  tx: Executor,
  chain: TreasuryChain,
  issued: number,
  now: Instant,
): Promise<void> {
  const watched = (await highestWatched(tx, chain.keyspace)) ?? issued;
  await addAddresses(tx, changeBetween(chain, watched + 1, issued + changeAhead), now);
}

/** Where deposits share the hot account, only what comes under the operator's tag is the operator's. */
function accountsOf(chain: TreasuryChain): readonly TreasuryAddress[] {
  const { addressing } = chain;
  if (addressing.treasury === null) return [];
  const { hot, gas } = addressing.treasury;
  const receiving = addressing.source === "shared" ? addressing.ownFunds : hot;
  return [
    describe(chain, receiving, { purpose: "hot", keyIndex: 0, isIssued: true }),
    ...(gas === null
      ? []
      : [describe(chain, gas, { purpose: "gas", keyIndex: 0, isIssued: true })]),
  ];
}

function firstChange(chain: TreasuryChain): readonly TreasuryAddress[] {
  return changeBetween(chain, 0, 0).map((first) => ({ ...first, isIssued: true }));
}

/** Change addresses `first`..`last`, none of them issued. */
function changeBetween(
  chain: TreasuryChain,
  first: number,
  last: number,
): readonly TreasuryAddress[] {
  const { changeAt } = chain.addressing;
  if (changeAt === null) return [];
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, place) => {
    const keyIndex = first + place;
    return describe(chain, changeAt(keyIndex), { purpose: "change", keyIndex, isIssued: false });
  });
}

function describe(
  { keyspace, addressing }: TreasuryChain,
  destination: Destination,
  what: {
    readonly purpose: TreasuryPurpose;
    readonly keyIndex: number;
    readonly isIssued: boolean;
  },
): TreasuryAddress {
  return {
    keyspace,
    watchKey: addressing.watchKey(destination),
    address: destination.address,
    tag: destination.tag,
    addressType: destination.addressType ?? "",
    ...what,
  };
}

/** With other keys, nothing on the known addresses could be signed for, and the books would follow different addresses. */
async function assertSameKeys(
  db: Database,
  { keyspace }: TreasuryChain,
  addresses: readonly TreasuryAddress[],
): Promise<void> {
  const known = await firstAddresses(db, keyspace);
  for (const { purpose, address } of addresses) {
    const stored = known.get(purpose) ?? address;
    assert(
      stored === address,
      `the signer's keys differ from those that this database knows: ${keyspace} ${purpose} was ${stored}, is ${address}`,
    );
  }
}

/**
 * Issues an unused change address for a draft, in the caller's transaction. It is watched since before, so no block can bring
 * money there unnoticed. UTXO chains only.
 */
export async function nextChangeAddress(
  tx: Executor,
  chain: TreasuryChain,
  now: Instant,
): Promise<IssuedChange> {
  const taken = (await issueChange(tx, chain.keyspace, now)) ?? (await issueBeyond(tx, chain, now));
  await watchAhead(tx, chain, taken.keyIndex, now);
  return taken;
}

/** For when all watched change addresses are issued or being issued by others. */
async function issueBeyond(
  tx: Executor,
  chain: TreasuryChain,
  now: Instant,
): Promise<IssuedChange> {
  await watchAhead(tx, chain, (await highestWatched(tx, chain.keyspace)) ?? 0, now);
  return present(await issueChange(tx, chain.keyspace, now), "a watched change address");
}
