import type { ChainAdapter } from "../../chains/chain-adapter.ts";
import type { Destination } from "../../chains/port.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { Clock, Instant } from "../../platform/kernel/clock.ts";
import {
  addAddresses,
  firstAddresses,
  highestIssued,
  highestWatched,
  type TreasuryAddress,
  type TreasuryPurpose,
} from "./address.store.ts";

/** A chain as far as its own addresses go. */
export type TreasuryChain = Pick<ChainAdapter, "keyspace" | "addressing">;

/**
 * So many change addresses are watched beyond the last one in use: more than a deployment spends between two backups
 * costs it nothing but time, since each time money comes to one of them the next ones are watched too.
 */
export const changeAhead = 100;

/**
 * Watches the deployment's own addresses: the hot and the gas account of account chains, and on chains of coins the change
 * addresses; number 0 is where the operator's money goes. To be called before the chains are followed and before anything is
 * paid; changes nothing the second time. Throws `InvariantViolation` when the keys are not those that the database has known.
 */
export async function ensureTreasury(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  chains: readonly TreasuryChain[],
): Promise<void> {
  const byKeyspace = new Map(chains.map((chain) => [chain.keyspace, chain]));
  for (const chain of byKeyspace.values()) {
    const wanted = [...accountsOf(chain), ...firstChange(chain)];
    await assertSameKeys(db, chain, wanted);
    await addAddresses(db, wanted, clock.now());
    const issued = await highestIssued(db, chain.keyspace);
    if (issued !== null) await watchAhead(db, chain, issued, clock.now());
  }
}

/** Watches the change addresses that follow `issued`, as many as belong ahead of it. */
export async function watchAhead(
  tx: Executor,
  chain: TreasuryChain,
  issued: number,
  now: Instant,
): Promise<void> {
  const watched = (await highestWatched(tx, chain.keyspace)) ?? issued;
  await addAddresses(tx, changeBetween(chain, watched + 1, issued + changeAhead), now);
}

function accountsOf(chain: TreasuryChain): readonly TreasuryAddress[] {
  const { treasury } = chain.addressing;
  if (treasury === null) return [];
  return [
    describe(chain, treasury.hot, { purpose: "hot", keyIndex: 0, isIssued: true }),
    describe(chain, treasury.gas, { purpose: "gas", keyIndex: 0, isIssued: true }),
  ];
}

function firstChange(chain: TreasuryChain): readonly TreasuryAddress[] {
  return changeBetween(chain, 0, 0).map((first) => ({ ...first, isIssued: true }));
}

/** Change addresses `first`..`last`, none of them in use. */
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
    addressType: destination.addressType ?? "",
    ...what,
  };
}

/** Other keys mean that what is on the known addresses cannot be signed for, and that the books would follow others. */
async function assertSameKeys(
  db: Database,
  { keyspace }: TreasuryChain,
  wanted: readonly TreasuryAddress[],
): Promise<void> {
  const known = await firstAddresses(db, keyspace);
  for (const { purpose, address } of wanted) {
    const stored = known.get(purpose) ?? address;
    assert(
      stored === address,
      `the signer's keys are others than those this database knows: ${keyspace} ${purpose} was ${stored}, is ${address}`,
    );
  }
}
