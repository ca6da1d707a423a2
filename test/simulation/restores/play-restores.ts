import { present } from "../../../src/platform/kernel/assert.ts";
import { Rejected } from "../../../src/platform/kernel/rejection.ts";
import { Unavailable } from "../../../src/platform/kernel/unavailable.ts";
import { assertAllSettled, assertNobodyPaidTwice } from "../../support/check-payouts.ts";
import type { TestDatabase } from "../../support/database.ts";
import { emptyDatabase } from "../../support/database-backup.ts";
import { createDiskSigner, type DiskSigner, type FolderCopy } from "../../support/disk-signer.ts";
import {
  assertNoFailure,
  cancelAsked,
  comeToRest,
  killAll,
  startPrograms,
} from "../../support/payout-programs.ts";
import {
  coinId,
  createPayoutSiteWith,
  type PayoutSite,
  tokenId,
} from "../../support/payout-site.ts";
import { createSeeded } from "../../support/seeded.ts";
import {
  chainAndSignerEvents,
  happen,
  type PlayedDeployment,
  revertOrNot,
  type SimulatedEvent,
  takeTurn,
  type WeightedEvents,
} from "../payout-events.ts";
import type { Played } from "../play-payouts.ts";
import { requestPayout } from "../weave/request-payout.ts";
import { assertSignaturesExclude } from "./check-signatures.ts";
import { type DatabaseCopies, type DatabaseCopy, openCopies } from "./database-copies.ts";
import { operate } from "./operator.ts";
import { lifetimeSeconds, pauseRestored, recoveringMains } from "./recovering-programs.ts";

/*
 * One seed is one history, as in `play-payouts.ts`, of a deployment whose database, signer and machine are copied at random moments and
 * restored from copies of different moments. Workers recognize it, and an operator follows the guide. Nothing that is in the database's copy is
 * lost, nothing is paid twice, no payout has two transactions that could both be mined, and in the end the ledger matches the chain.
 */

/** What was acknowledged when a copy of the database was taken. */
type Acknowledged = { readonly requests: number; readonly cancelled: ReadonlySet<number> };

type Backup = { readonly at: number } & (
  | { readonly of: "database"; readonly copy: DatabaseCopy; readonly acknowledged: Acknowledged }
  | { readonly of: "signer"; readonly folder: FolderCopy }
  | {
      readonly of: "machine";
      readonly copy: DatabaseCopy;
      readonly acknowledged: Acknowledged;
      readonly putBackSigner: () => void;
    }
);

type World = PlayedDeployment & {
  readonly copies: DatabaseCopies;
  readonly counts: Record<string, number>;
  /** Oldest first. */
  backups: readonly Backup[];
  taken: number;
};

export type RestoreDeployment = {
  readonly database: TestDatabase;
  readonly copies: DatabaseCopies;
};

export async function startRestoreDeployment(database: TestDatabase): Promise<RestoreDeployment> {
  await emptyDatabase(database);
  return { database, copies: await openCopies(database) };
}

/** Plays a seed's history to its end. Rejects if anything is wrong. */
export async function playRestores(
  { database, copies }: RestoreDeployment,
  seed: number,
): Promise<Played> {
  await copies.empty();
  const seeded = createSeeded(seed);
  const site = await arrangeSite(database, seeded);
  const counts: Record<string, number> = {};
  const note = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const programs = startPrograms(
    site,
    recoveringMains(site, (found) => {
      note(`found: ${found}`);
    }),
  );
  const world: World = { ...programs, seeded, copies, counts, backups: [], taken: 0 };
  let checked = 0;
  const turns = seeded.between(300, 1_000);
  for (let turn = 0; turn < turns; turn += 1) {
    if (seeded.chance(0.1)) await happen(world, weightedEvents);
    else if ((await takeTurn(world)) > 0) note("kills");
    assertNobodyPaidTwice(site, world.requests);
    assertNoFailure(world);
    if (site.signer.signatures().length > checked)
      checked = await assertSignaturesExclude(site, checked);
  }
  await comeToRest(world, operateInTheEnd(world, note));
  await assertSignaturesExclude(site, checked);
  await assertAllSettled(site, world.requests);
  const lost = world.requests.filter(({ isLost }) => isLost).length;
  return { ...counts, payouts: world.requests.length, lost, ...(await countOutcomes(site)) };
}

function arrangeSite(
  database: TestDatabase,
  seeded: ReturnType<typeof createSeeded>,
): Promise<PayoutSite<DiskSigner>> {
  const funding = present(
    seeded.oneOf(["coins", "account", "expiring"] as const),
    "a kind of chain",
  );
  return createPayoutSiteWith(
    database,
    {
      funding,
      lifetime: { seconds: lifetimeSeconds },
      confirmations: seeded.between(1, 3),
      coins: seeded.oneOf([2, 5, 25]) ?? 5,
      pauseUnexplained: (tx, _, reason, now) =>
        pauseRestored(tx, { reason, now, expires: funding === "expiring", beginsAgain: false }),
    },
    (parts) => createDiskSigner(parts, seeded),
  );
}

/** Nodes drop what cannot be mined after some hours: a number before it was never used. */
function operateInTheEnd({ site }: World, note: (what: string) => void) {
  let rounds = 0;
  return async (): Promise<boolean> => {
    rounds += 1;
    site.chain.market = site.chain.relayFee;
    if (rounds % 50 === 0) for (const { txid } of site.chain.mempool()) site.chain.forget(txid);
    return await operate(site, note);
  };
}

/** The api rejects some: payouts are paused, or no worker has compared the database yet. */
const ask: SimulatedEvent<World> = async ({ site, seeded, requests, counts }) => {
  if (requests.length >= 12) return;
  const number = requests.length;
  const currency = site.hot !== null && seeded.chance(0.3) ? tokenId : coinId;
  const units = BigInt(seeded.between(50, 20_000));
  try {
    const { id } = await requestPayout(site, site.database.db, {
      number,
      currency,
      units,
      waits: false,
    });
    requests.push({ number, id, currency, units, isLost: false, isCancelled: false });
  } catch (error) {
    const isUnavailable = error instanceof Unavailable;
    if (!isUnavailable && !(error instanceof Rejected)) throw error;
    const outcome = isUnavailable ? "request: unavailable" : "request: refused";
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
};

const cancel: SimulatedEvent<World> = (world) =>
  cancelAsked(world, world.seeded.oneOf(world.requests.filter(({ isLost }) => !isLost)));

const operateNow: SimulatedEvent<World> = async ({ site, counts }) => {
  await operate(site, (what) => {
    counts[what] = (counts[what] ?? 0) + 1;
  });
};

const weightedEvents: WeightedEvents<World> = [
  [9, ask],
  ...chainAndSignerEvents,
  [3, cancel],
  [1, revertOrNot],
  [5, operateNow],
  [8, backUp],
  [4, restore],
];

function acknowledgedBy({ requests }: World): Acknowledged {
  const cancelled = requests.flatMap(({ number, isCancelled }) => (isCancelled ? [number] : []));
  return { requests: requests.length, cancelled: new Set(cancelled) };
}

async function backUp(world: World): Promise<void> {
  const { site, seeded, copies } = world;
  world.taken += 1;
  const at = world.taken;
  const add = (backup: Backup): void => {
    world.backups = [...world.backups, backup];
  };
  const of = seeded.oneOf(["database", "database", "signer", "signer", "machine"] as const);
  if (of === "signer") {
    const folder = await site.signer.backUp();
    if (folder !== null) add({ of: "signer", at, folder });
    return;
  }
  const acknowledged = acknowledgedBy(world);
  const copy = await copies.take();
  if (of === "machine") add({ of, at, copy, acknowledged, putBackSigner: site.signer.snapshot() });
  else add({ of: "database", at, copy, acknowledged });
}

/** All processes are stopped. What is restored comes from the newest backup that is left. */
async function restore(world: World): Promise<void> {
  const { seeded, counts } = world;
  // Some newer ones are lost with it.
  if (seeded.chance(0.3)) world.backups = world.backups.slice(0, -1);
  const what = seeded.oneOf(restorable(world));
  if (what === null) return;
  await killAll(world);
  await restorers[what](world);
  counts[`restored: ${what}`] = (counts[`restored: ${what}`] ?? 0) + 1;
}

type Restored = "database" | "signer" | "both" | "machine";

function restorable({ backups }: World): readonly Restored[] {
  const has = (of: Backup["of"]): boolean => backups.some((backup) => backup.of === of);
  return [
    ...(has("database") ? (["database"] as const) : []),
    ...(has("signer") ? (["signer"] as const) : []),
    ...(has("database") && has("signer") ? (["both", "both"] as const) : []),
    ...(has("machine") ? (["machine"] as const) : []),
  ];
}

const restorers: Readonly<Record<Restored, (world: World) => Promise<void>>> = {
  database: restoreDatabase,
  signer: restoreSigner,
  both: async (world) => {
    await restoreSigner(world);
    await restoreDatabase(world);
  },
  machine: async (world) => {
    const backup = newest(world, "machine");
    backup.putBackSigner();
    await putBack(world, backup, "snapshot");
    // A newer backup of the signer has newer journals, which the guide says to restore instead.
    world.backups = world.backups.filter(({ at }) => at <= backup.at);
  },
};

function newest<Of extends Backup["of"]>(
  { backups }: World,
  of: Of,
): Extract<Backup, { readonly of: Of }> {
  const isOfKind = (backup: Backup): backup is Extract<Backup, { readonly of: Of }> =>
    backup.of === of;
  return present(backups.filter(isOfKind).at(-1), `a backup of the ${of}`);
}

async function restoreDatabase(world: World): Promise<void> {
  const backup = newest(world, "database");
  await putBack(world, backup, world.seeded.chance(0.5) ? "dump" : "snapshot");
}

async function restoreSigner(world: World): Promise<void> {
  const { site, seeded } = world;
  await site.signer.restoreFolder(newest(world, "signer").folder, seeded.chance(0.5));
}

/** From now on, this is the newest database. */
async function putBack(
  world: World,
  { at, copy, acknowledged }: Extract<Backup, { readonly copy: DatabaseCopy }>,
  as: "dump" | "snapshot",
): Promise<void> {
  await world.copies.restore(copy, as);
  for (const request of world.requests) {
    request.isLost ||= request.number >= acknowledged.requests;
    request.isCancelled = acknowledged.cancelled.has(request.number);
  }
  world.backups = world.backups.filter((one) => one.of === "signer" || one.at <= at);
}

async function countOutcomes({ database }: PayoutSite): Promise<Played> {
  const rows = await database.sql<{ readonly what: string; readonly count: number }>(
    `select what, count(*)::int as count from (
       select 'payout ' || stage as what from payout
       union all select 'spend ' || kind || ' ' || state from spend
       union all select 'adopted' from spend where purpose ? 'payoutIds'
       union all select 'lost payout paid' from spend where left_units is not null and state = 'confirmed') as seen
     group by what`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}
