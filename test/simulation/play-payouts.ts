import { present } from "../../src/platform/kernel/assert.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { assertAllSettled, assertNobodyPaidTwice } from "../support/check-payouts.ts";
import type { TestDatabase } from "../support/database.ts";
import {
  type Backup,
  emptyDatabase,
  restoreBackup,
  takeBackup,
} from "../support/database-backup.ts";
import { createDiskSigner } from "../support/disk-signer.ts";
import {
  assertNoFailure,
  cancelAsked,
  comeToRest,
  killAll,
  startPrograms,
} from "../support/payout-programs.ts";
import {
  askForPayout,
  coinId,
  createPayoutSiteWith,
  simulatedChainName,
  tokenId,
} from "../support/payout-site.ts";
import { createSeeded } from "../support/seeded.ts";
import { digest } from "../support/simulated-ledger.ts";
import {
  chainAndSignerEvents,
  happen,
  type PlayedDeployment,
  revertOrNot,
  type SimulatedEvent,
  takeTurn,
  type WeightedEvents,
} from "./payout-events.ts";

/*
 * One seed is one history. Payouts are requested and canceled; two workers and a follower take turns, statement by
 * statement, and are killed between any two; the node is down, lags, loses and repeats; the signer's answers get
 * lost, it dies during any write to its disk, and its machine loses power; blocks are replaced; fees rise; transactions expire; others use our keys; the database is restored from a backup. In the end, each
 * payout was paid once or its funds were released, and the ledger matches the chain.
 */

type World = PlayedDeployment & {
  backup: { readonly taken: Backup; readonly requestCount: number } | null;
};

/** How often each event occurred, so that an uneventful history is noticed. */
export type Played = Readonly<Record<string, number>>;

/** Plays a seed's history to its end. Rejects if anything is wrong. */
export async function playPayouts(database: TestDatabase, seed: number): Promise<Played> {
  await emptyDatabase(database);
  const seeded = createSeeded(seed);
  const site = await createPayoutSiteWith(
    database,
    {
      funding: present(seeded.oneOf(["coins", "account", "expiring"] as const), "a kind of chain"),
      lifetime: seeded.chance(0.5) ? { seconds: 60 } : { blocks: 6 },
      confirmations: seeded.between(1, 3),
    },
    (parts) => createDiskSigner(parts, seeded),
  );
  const world: World = { ...startPrograms(site), seeded, backup: null };
  let kills = 0;
  const turns = seeded.between(150, 700);
  for (let turn = 0; turn < turns; turn += 1) {
    if (seeded.chance(0.1)) await happen(world, weightedEvents);
    else kills += await takeTurn(world);
    assertNobodyPaidTwice(site, world.requests);
    assertNoFailure(world);
  }
  await comeToRest(world);
  await assertAllSettled(site, world.requests);
  const { deaths, powerLosses } = site.signer.counts();
  return {
    kills,
    "signer died": deaths,
    "signer lost power": powerLosses,
    ...(await countOutcomes(world)),
  };
}

const ask: SimulatedEvent<World> = async (world) => {
  const { site, seeded, requests } = world;
  if (requests.length >= 9) return;
  const number = requests.length;
  const currency = site.hot !== null && seeded.chance(0.3) ? tokenId : coinId;
  const units = BigInt(seeded.between(50, 20_000));
  const feeUnits = BigInt(seeded.between(6, 40));
  const isForged = seeded.chance(0.08);
  const { id } = await askForPayout(site, { number, currency, units, feeUnits, isForged });
  requests.push({ number, id, currency, units, isLost: false, isCancelled: false });
};

const weightedEvents: WeightedEvents<World> = [
  [7, ask],
  ...chainAndSignerEvents,
  [4, (world) => cancelAsked(world, world.seeded.oneOf(world.requests))],
  [1, stopOrGoOn],
  [2.5, revertOrNot],
  [2, changeMood],
  [1.5, stranger],
  [0.9, takeOrRestore],
];

async function stopOrGoOn({ site, seeded }: World): Promise<void> {
  const scope = seeded.chance(0.5) ? "all" : `chain/${simulatedChainName}`;
  await site.database.sql("delete from payout_stop");
  const isCommon = seeded.chance(0.5);
  await site.database.sql("update wallet set payouts_blocked = $1 where id = $2", [
    !isCommon && scope === "all",
    site.wallets.get(coinId) ?? null,
  ]);
  if (isCommon) {
    await site.database.sql(
      "insert into payout_stop (scope, reason, created_at) values ($1, 'simulated', '2026-01-01Z')",
      [scope],
    );
  }
}

/** Makes a token's contract misbehave for a receiver, or behave again. */
function changeMood({ site, seeded, requests }: World): void {
  const payout = seeded.oneOf(requests.filter(({ currency }) => currency === tokenId));
  if (payout === null) return;
  const { address } = site.addressing.depositAt(1_000 + payout.number, null);
  const behavior = seeded.oneOf(["idle", "halving", "astray", null] as const);
  if (behavior === null) site.chain.tokenBehaviors.delete(address);
  else site.chain.tokenBehaviors.set(address, behavior);
}

/** Someone else uses what one of our pending transactions needs, for the same payments or for their own. */
function stranger({ site, seeded }: World): void {
  const ours = seeded.oneOf(site.chain.mempool().filter(({ claims }) => claims.length > 0));
  if (ours === null) return;
  const feeUnits = ours.feeUnits + 1n;
  const outputs = [...ours.outputs];
  const last = outputs.at(-1);
  if (last === undefined || last.units <= 1n) return;
  const isTwin = seeded.chance(0.5) && site.own.has(last.address);
  const stolen = isTwin ? last.address : "elsewhere";
  const rest = isTwin ? outputs.slice(0, -1) : [];
  const units = isTwin || ours.account !== null ? last.units : sum(outputs);
  const changed = { ...last, address: stolen, units: ours.account === null ? units - 1n : units };
  const txid = digest(`stranger ${ours.txid}`);
  site.chain.submit({ ...ours, txid, outputs: [...rest, changed], feeUnits });
}

function sum(outputs: readonly { readonly units: bigint }[]): bigint {
  return outputs.reduce((total, { units }) => total + units, 0n);
}

/** Takes a backup, and later restores it; running processes die with the database. */
async function takeOrRestore(world: World): Promise<void> {
  const { site, requests, backup } = world;
  if (backup === null) {
    world.backup = { taken: await takeBackup(site.database), requestCount: requests.length };
    return;
  }
  await killAll(world);
  await restoreBackup(site.database, backup.taken);
  // Like a recent backup: an older one pauses payouts until the chain is read, which is the easier case.
  await site.database.sql("update chain_cursor set caught_up_at = $1", [
    formatTimestamp(site.clock.now()),
  ]);
  for (const payout of requests.slice(backup.requestCount)) payout.isLost = true;
  // Payouts canceled since then are not canceled in the database.
  for (const payout of requests) payout.isCancelled = false;
  world.backup = null;
}

async function countOutcomes({ site, requests }: World): Promise<Played> {
  const rows = await site.database.sql<{ what: string; count: number }>(
    `select what, count(*)::int as count from (
       select 'payout ' || stage as what from payout
       union all select 'spend ' || kind || ' ' || state from spend
       union all select 'mined replacement' from spend where mined_attempt > 1
       union all select 'event ' || trigger from event
       union all select 'batch' from payout where spend_id is not null group by spend_id having count(*) > 1
       union all select 'child' from spend where kind = 'consolidation'
       union all select 'adopted' from spend where purpose ? 'payoutIds'
       union all select 'lost payout paid' from spend where left_units is not null and state = 'confirmed'
       union all select 'twin' from spend_attempt where raw = ''
       union all select 'refused attempt' from spend_attempt where state = 'refused'
       union all select 'expired' from spend where state = 'dead' and block_hash is not null
       union all select 'reverted' from spend where has_succeeded = false and delivery is null
       union all select 'token brought nothing' from spend where has_succeeded = false and delivery is not null
       union all select 'token brought a part' from spend where has_succeeded and delivery is not null
       union all select 'replacement' from spend_attempt where number > 1) as seen
     group by what`,
  );
  return {
    payouts: requests.length,
    lost: requests.filter(({ isLost }) => isLost).length,
    ...Object.fromEntries(rows.map(({ what, count }) => [what, count])),
  };
}
