import assert from "node:assert/strict";
import { admission, readAdmission } from "../../src/platform/db/admission.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { readSpends } from "../../src/treasury/spends/spend.store.ts";
import type { Attempt, Spend } from "../../src/treasury/spends/spend.ts";
import type { TestDatabase } from "../support/database.ts";
import {
  type Backup,
  emptyDatabase,
  restoreBackup,
  takeBackup,
} from "../support/database-backup.ts";
import type { JournallingSigner } from "../support/journalling-signer.ts";
import type { PaidBlock, PaidTransaction } from "../support/paying-chain.ts";
import { signedBy } from "../support/paying-node.ts";
import {
  assertNoFailure,
  cancelAsked,
  type Deployment,
  killAll,
  replaceProgram,
  startPrograms,
} from "../support/payout-programs.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
} from "../support/payout-site.ts";
import { digest } from "../support/simulated-ledger.ts";
import type { Model, Place } from "./open-model.ts";

/*
 * Real workers on a real database, with a SIMULATED chain and signer, beside payouts.qnt: after each operation, the database, the
 * journal and the chain have to be what the model says can follow. What only a worker's memory holds is not compared: the replay
 * keeps every place of the model where it may be.
 */

type Seen = {
  readonly payouts: readonly string[];
  readonly blocks: readonly string[];
  readonly isAdmitted: boolean;
  readonly isPaused: boolean;
  readonly journal: readonly string[];
  readonly chain: readonly string[];
};
type ModelTx = { readonly payout: number; readonly claim: number; readonly fee: number };
type ModelBlock = { readonly branch: number; readonly txs: readonly ModelTx[] };
export type Modelled = {
  readonly db: {
    readonly payouts: readonly (readonly [
      number,
      { readonly stage: string; readonly attempts: readonly { state: string; tx: ModelTx }[] },
    ])[];
    readonly blocks: readonly ModelBlock[];
    readonly isAdmitted: boolean;
    readonly isPaused: boolean;
  };
  readonly signer: { readonly journal: readonly ModelTx[] };
  readonly net: { readonly chain: readonly ModelBlock[]; readonly atLarge: readonly ModelTx[] };
  readonly workers: readonly (readonly [number, unknown])[];
};

const textOf = ({ payout, claim, fee }: ModelTx): string => `${payout}/${claim}/${fee}`;
const textOfBlock = ({ branch, txs }: ModelBlock): string =>
  `${branch}: ${txs.map(textOf).sort().join(" ")}`;
/** Attempts of a payout that is over are history. */
const textOfPayout = (stage: string, attempts: readonly string[]): string =>
  ["failed", "canceled", "blocked"].includes(stage)
    ? stage
    : `${stage} ${attempts.toSorted().join(" ")}`;

/** What is compared of a state of the model, as text. */
export function seenIn(state: Modelled): string {
  return JSON.stringify(seenOf(state));
}

function seenOf({ db, signer, net }: Modelled): Seen {
  return {
    payouts: db.payouts.map(([, { stage, attempts }]) =>
      textOfPayout(
        stage,
        attempts.map(({ state, tx }) => `${textOf(tx)} ${state}`),
      ),
    ),
    blocks: db.blocks.map(textOfBlock),
    isAdmitted: db.isAdmitted,
    isPaused: db.isPaused,
    journal: signer.journal.map(textOf).sort(),
    chain: net.chain.map(textOfBlock),
  };
}

/** Whether each part is as it was, or already as it has to become. */
function isOnTheWay(before: Seen, after: Seen, target: Seen): boolean {
  const isSame = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  return (
    after.payouts.every((text, at) => text === before.payouts[at] || text === target.payouts[at]) &&
    (["blocks", "journal", "chain"] as const).every(
      (part) => isSame(after[part], before[part]) || isSame(after[part], target[part]),
    )
  );
}

/** The actions by which an operation of that kind may change something, and how many of them at most. */
const actionsOf: Readonly<Record<string, readonly [actions: readonly string[], count: number]>> = {
  // Of two workers, each with two payouts.
  transaction: [["draft", "begin", "record", "adopt", "replace", "release"], 2],
  sign: [["begin", "ask"], 2],
  query: [["admit"], 1],
  other: [[], 0],
  follower: [["read", "confirm"], 2],
};
const placesMax = 500;

export type PayoutReplay = Awaited<ReturnType<typeof startReplay>>;

/** Two payouts of an account whose transactions have sequence numbers, none of which is drafted yet, and the model's first state. */
export async function startReplay(database: TestDatabase, model: Model, count: number) {
  await emptyDatabase(database);
  await database.sql(`update database_mark set ${admission}`);
  const options = { funding: "account", confirmations: 2, batchMax: 1 } as const;
  const site = await createPayoutSite(database, options);
  // From then on the account's money is final.
  site.chain.mine();
  const world = startPrograms(site);
  for (let number = 0; number < count; number += 1) {
    const payout = { number, currency: coinId, units: 1_000n + BigInt(number), feeUnits: 20n };
    const { id } = await askForPayout(site, payout);
    world.requests.push({ ...payout, id, isLost: false, isCancelled: false });
  }
  const eyes = createEyes(site, world);
  const start = model.start();
  let places: readonly Place[] = [start];
  const taken: Record<string, number> = {};

  /** The places that a number of these actions lead to, of which `fits` holds. */
  const advance = (
    actions: readonly string[],
    most: number,
    fits: (before: Modelled, after: Modelled) => boolean,
    target: string,
  ): readonly Place[] => {
    const found = new Map<string, Place>();
    const goal = JSON.parse(target) as Seen;
    let frontier = places;
    for (let depth = 0; depth <= most; depth += 1) {
      for (const place of frontier) {
        if (seenIn(modelled(place)) === target) found.set(JSON.stringify(place.state), place);
      }
      if (depth === most) break;
      const next = new Map<string, Place>();
      for (const place of frontier) {
        for (const action of actions) {
          for (const { place: after } of model.stepsFrom(place, action)) {
            const [one, other] = [modelled(place), modelled(after)];
            if (fits(one, other) && isOnTheWay(seenOf(one), seenOf(other), goal))
              next.set(JSON.stringify(after.state), after);
          }
        }
      }
      assert.ok(next.size <= placesMax, "the replay lost track of the workers");
      frontier = [...next.values()];
    }
    return [...found.values()];
  };
  const expectOneOf = (found: readonly Place[], what: string, seen: string): void => {
    if (found.length === 0) {
      const before = places.map((place) => seenIn(modelled(place)))[0];
      throw new Error(`after "${what}" the code has ${seen}, before it had ${before}`);
    }
    if (seenIn(modelled(present(places[0], "a place"))) !== seen)
      taken[what] = (taken[what] ?? 0) + 1;
    places = found;
  };
  /** Compares, after an operation of that kind. `at`: which worker did it. */
  const compare = async (what: string, at: number | null): Promise<void> => {
    assertNoFailure(world);
    const seen = JSON.stringify(await eyes.look());
    const [actions, most] = actionsOf[what] ?? [[what], 1];
    const fits = (before: Modelled, after: Modelled): boolean =>
      at === null ||
      after.workers.every(
        ([name, worker], place) =>
          name === at + 1 || JSON.stringify(worker) === JSON.stringify(before.workers[place]?.[1]),
      );
    expectOneOf(advance(actions, most, fits, seen), what, seen);
    await eyes.checkMoney();
  };
  const forgetWorker = (at: number): void => {
    places = places.map((place) => {
      for (const { place: after } of model.stepsFrom(place, "kill")) {
        const changed = modelled(after).workers[at]?.[1];
        if (JSON.stringify(changed) !== JSON.stringify(modelled(place).workers[at]?.[1]))
          return after;
      }
      return place;
    });
  };

  const replay = {
    site,
    world,
    taken,
    seen: async () => JSON.stringify(await eyes.look()),
    /** What the worker or follower is about to do; null if it has nothing to do. Starts it if it does not run. */
    next: async (at: number): Promise<string | null> => {
      const { program, main } = present(world.programs[at], "a program");
      if (!program.isRunning()) await program.start(main);
      return program.waitsFor();
    },
    /** Lets it do that, and compares. */
    step: async (at: number): Promise<void> => {
      const { program } = present(world.programs[at], "a program");
      const what = program.waitsFor() ?? "other";
      await program.step("go");
      await compare(at === 2 && what === "transaction" ? "follower" : what, at === 2 ? null : at);
    },
    kill: async (at: number, isBefore: boolean): Promise<void> => {
      const { program } = present(world.programs[at], "a program");
      const what = program.waitsFor() ?? "other";
      await program.step(isBefore ? "killBefore" : "killAfter");
      replaceProgram(world, at);
      await compare(at === 2 && what === "transaction" ? "follower" : what, at === 2 ? null : at);
      if (at < 2) forgetWorker(at);
    },
    cancel: async (number: number): Promise<void> => {
      await cancelAsked(world, world.requests[number] ?? null);
      await compare("cancel", null);
    },
    steal: (claim: number): void => {
      site.chain.submit(foreign(present(site.hot, "the account"), claim));
    },
    mine: async (isEmpty: boolean): Promise<void> => {
      site.chain.mine({ empty: isEmpty });
      await replay.compareBlocks(1);
    },
    reorg: async (mines: boolean): Promise<void> => {
      if (site.chain.tip().height <= eyes.base) return;
      eyes.branchOff();
      site.chain.reorg(1, { forgets: false, mines });
      const chain = (await eyes.look()).chain.slice(0, -2);
      const seen = JSON.stringify({ ...(await eyes.look()), chain });
      expectOneOf(
        advance(["reorg"], 1, () => true, seen),
        "reorg",
        seen,
      );
      await replay.compareBlocks(2);
    },
    /** The newest blocks of the chain, one after the other, and in each what others have broadcast. */
    compareBlocks: async (added: number): Promise<void> => {
      const whole = await eyes.look();
      for (let missing = added - 1; missing >= 0; missing -= 1) {
        const chain = missing === 0 ? whole.chain : whole.chain.slice(0, -missing);
        for (const stolen of chain.at(-1)?.match(/\b0\/\d+\/0\b/gu) ?? []) {
          const isStolen = (_: Modelled, { net }: Modelled): boolean =>
            net.atLarge.map(textOf).includes(stolen);
          const same = seenIn(modelled(present(places[0], "a place")));
          places = advance(["steal"], 1, isStolen, same).filter((place) =>
            isStolen(modelled(place), modelled(place)),
          );
        }
        const seen = JSON.stringify({ ...whole, chain });
        expectOneOf(
          advance(["mine"], 1, () => true, seen),
          "mine",
          seen,
        );
      }
    },
    restore: async (): Promise<void> => {
      await killAll(world);
      await restoreBackup(database, backup);
      for (const payout of world.requests) payout.isCancelled = false;
      await compare("restore", null);
    },
    restoreSigner: async (): Promise<void> => {
      if (site.signer.journal.length === 0) return;
      site.signer.forget();
      await database.sql(
        "insert into payout_stop (scope, reason, created_at) values ('all', 'restored', '2026-01-01Z')",
      );
      await compare("restoreSigner", null);
    },
    resume: async (): Promise<void> => {
      const { blocks, chain } = await eyes.look();
      if (JSON.stringify(blocks) !== JSON.stringify(chain)) return;
      await database.sql("delete from payout_stop");
      await compare("resume", null);
    },
  };

  // Until the follower has read what was there before.
  for (let round = 0; round < 2 * (eyes.base + 2); round += 1) {
    const { program, main } = present(world.programs[2], "the follower");
    await program.start(main);
    while (program.isRunning()) await program.step("go");
  }
  site.clock.advance(5);
  const backup: Backup = await takeBackup(database);
  await compare("other", null);
  return replay;
}

function modelled({ state }: Place): Modelled {
  return state as unknown as Modelled;
}

function foreign(sender: string, claim: number): PaidTransaction {
  const nonce = claim - 1;
  return {
    txid: digest(`stolen ${claim}`),
    claims: [`${sender}#${nonce}`],
    account: { sender, nonce, through: null, lender: null },
    outputs: [{ address: "elsewhere", units: 1n, currency: coinId }],
    feeUnits: 900n,
    validity: null,
  };
}

/** What there is now, in the model's words. */
function createEyes(site: PayoutSite<JournallingSigner>, { requests }: Deployment) {
  const { database, chain, signer } = site;
  const base = chain.tip().height;
  let branch = 0;
  const known = new Map<string, ModelTx>();
  const blocks = new Map<string, string>();
  const numberOf = (payoutId: string): number =>
    requests.findIndex(({ id }) => id === payoutId) + 1;
  const claimOf = (claims: readonly string[]): number => Number(claims[0]?.split("#")[1]) + 1;
  /** The attempt's number among those of its payout with its claim, in the order in which they were first seen. */
  const identify = (payout: number, body: Parameters<typeof signedBy>[0]): ModelTx => {
    const { txid, claims } = signedBy(body);
    const claim = claimOf(claims);
    const earlier = [...known.values()].filter(
      (one) => one.payout === payout && one.claim === claim,
    );
    const tx = known.get(txid) ?? { payout, claim, fee: earlier.length + 1 };
    known.set(txid, tx);
    return tx;
  };
  const describe = (block: PaidBlock): string => {
    const described =
      blocks.get(block.ref.hash) ??
      textOfBlock({
        branch,
        txs: block.applied.map(
          ({ transaction: { txid, claims } }) =>
            known.get(txid) ?? { payout: 0, claim: claimOf(claims), fee: 0 },
        ),
      });
    blocks.set(block.ref.hash, described);
    return described;
  };
  const attemptsOf = (payout: number, spend: Spend | undefined): readonly string[] =>
    (spend?.attempts ?? []).flatMap((attempt) => {
      const state = stateOf(attempt);
      return state === null ? [] : [`${textOf(identify(payout, attempt.draft.body))} ${state}`];
    });
  const readPayouts = () =>
    database.sql<{ id: string; stage: string; spendId: string | null; charged: bigint }>(
      `select id, replace(stage, 'cancelled', 'canceled') as stage, spend_id as "spendId", charged_units as charged from payout order by id`,
    );

  return {
    base,
    branchOff: (): void => {
      branch += 1;
    },
    look: async (): Promise<Seen> => {
      const payouts = await readPayouts();
      const spends = await readSpends(
        database.db,
        payouts.flatMap(({ spendId }) => spendId ?? []),
      );
      const byId = new Map(spends.map((spend) => [spend.id, spend]));
      const described = payouts.map(({ id, stage, spendId }) =>
        textOfPayout(stage, attemptsOf(numberOf(id), byId.get(spendId ?? ""))),
      );
      const best = chain.blocks().slice(base + 1);
      const newest = best.map(describe);
      const read = await database.sql<{ hash: string }>(
        "select hash from chain_block where orphaned_at is null and height > $1 order by height",
        [base],
      );
      const stops = await database.sql("select from payout_stop");
      return {
        payouts: described,
        blocks: read.map(({ hash }) => present(blocks.get(hash), "a block of the chain")),
        isAdmitted: await readAdmission(database.db),
        isPaused: stops.length > 0,
        journal: signer.journal
          .filter(({ kind }) => kind === "payout")
          .map(({ payoutIds, body }) => textOf(identify(numberOf(payoutIds[0] ?? ""), body)))
          .sort(),
        chain: newest,
      };
    },
    /** The wallet holds exactly what unpaid payouts need, and has lost exactly what was paid. */
    checkMoney: async (): Promise<void> => {
      const payouts = await readPayouts();
      const sumOf = (stages: readonly string[]): bigint =>
        payouts
          .filter(({ stage }) => stages.includes(stage))
          .reduce((sum, { charged }) => sum + charged, 0n);
      const held = sumOf(["held", "sending", "blocked"]);
      const paid = sumOf(["included", "confirmed"]);
      const [balance] = await database.sql<{ available: bigint; held: bigint }>(
        "select available, held from wallet_balance where wallet_id = $1",
        [site.wallets.get(coinId) ?? null],
      );
      assert.deepEqual(balance, { available: floatUnits - held - paid, held });
    },
  };
}

/** Null if it was given up. */
function stateOf({ state, raw }: Attempt): string | null {
  if (state === "drafted" || state === "signing") return state;
  return state === "refused" || raw === null ? null : "signed";
}
