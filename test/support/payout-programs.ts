import type { Principal } from "../../src/accounts/principal.ts";
import { cancelPayout } from "../../src/payouts/cancel-payout.ts";
import { createPayoutPipeline } from "../../src/payouts/send/run-payouts.ts";
import type { SendContext } from "../../src/payouts/send/send-context.ts";
import { admission, assertAdmitted } from "../../src/platform/db/admission.ts";
import type { Database } from "../../src/platform/db/database.ts";
import { assembledStatement } from "../../src/platform/db/list-query.ts";
import { Rejected } from "../../src/platform/kernel/rejection.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { adoptSigned } from "../../src/treasury/spends/adopt-signed.ts";
import { withdrawSpend } from "../../src/treasury/spends/withdraw-spend.ts";
import { readBlock } from "./block-reading.ts";
import type { RequestedPayout } from "./check-payouts.ts";
import type { PayoutSigner } from "./journalling-signer.ts";
import { type PayoutSite, sendContext } from "./payout-site.ts";
import { createProgram, Killed, type Program } from "./turn-taking.ts";

/*
 * Two workers and a follower of one deployment that pays out on a simulated chain: programs that take turns and can be killed
 * between any two operations.
 */

export type Deployment<Signer extends PayoutSigner = PayoutSigner> = {
  readonly site: PayoutSite<Signer>;
  readonly requests: RequestedPayout[];
  readonly failures: Error[];
  /** The number of statements that a killed transaction completes without effect; null: it commits before its program dies. */
  readonly failAfter: { statements: number | null };
  readonly mains: Mains;
  programs: readonly Runner[];
};

export type Runner = { readonly program: Program; readonly main: () => Promise<void> };

/** What the processes do when their turn comes, each with a memory of its own. */
export type Mains = Readonly<
  Record<"worker" | "follower", (parts: Parts, program: Program) => Runner["main"]>
>;

const quietRoundsMax = 400;

/** None of them has started. */
export function startPrograms<Signer extends PayoutSigner>(
  site: PayoutSite<Signer>,
  mains: Mains = payingMains,
): Deployment<Signer> {
  const parts = { site, requests: [], failures: [], failAfter: { statements: null }, mains };
  return {
    ...parts,
    programs: [worker(parts, "one"), worker(parts, "other"), follower(parts)],
  };
}

export type Parts = Omit<Deployment, "programs">;

const payingMains: Mains = {
  worker: (parts, program) => {
    const context = workerContext(parts, program);
    const pipeline = createPayoutPipeline(context);
    const { signal } = new AbortController();
    return async () => {
      await admitDatabase(context, signal);
      await pipeline(signal);
    };
  },
  follower: (parts, program) => {
    const db = inTurns(parts, program);
    return async () => {
      await readBlock(parts.site, db);
    };
  },
};

export function assertNoFailure({ failures }: Parts): void {
  const [first] = failures;
  if (first !== undefined) throw first;
}

/** Silence and refusals are normal for a worker; anything else is a bug. */
function onFailure({ failures }: Parts): (error: unknown) => void {
  return (error) => {
    if (error instanceof Unavailable || error instanceof Rejected) return;
    failures.push(
      error instanceof Error ? error : new Error("something was thrown", { cause: error }),
    );
  };
}

function worker(parts: Parts, name: string): Runner {
  const program = createProgram(name, onFailure(parts));
  return { program, main: parts.mains.worker(parts, program) };
}

function follower(parts: Parts): Runner {
  const program = createProgram("follower", onFailure(parts));
  return { program, main: parts.mains.follower(parts, program) };
}

/** A worker's context: everything that it awaits is a turn. */
export function workerContext(parts: Parts, program: Program): SendContext {
  const { turn } = program;
  const { site } = parts;
  const { writer } = site.node;
  const { account } = writer;
  const { isMissingUpTo } = writer;
  const nextSequence = account?.nextSequence ?? null;
  const receiver = account?.receiver ?? null;
  const batching = account?.batching;
  const lenders = account?.lenders;
  return sendContext(site, {
    db: inTurns(parts, program),
    signer: {
      sign: (request) => turn(() => site.signer.sign(request), "sign"),
      signedSpends: (chain, after) => turn(() => site.signer.signedSpends(chain, after)),
      payoutsSigned: (ids) => turn(() => site.signer.payoutsSigned(ids)),
    },
    writer: {
      ...writer,
      quote: (request, signal) => turn(() => writer.quote(request, signal)),
      draft: (request, signal) => turn(() => writer.draft(request, signal)),
      broadcast: (raw, signal) => turn(() => writer.broadcast(raw, signal)),
      status: (txid, draft, signal) => turn(() => writer.status(txid, draft, signal)),
      isMissingUpTo:
        isMissingUpTo === null ? null : (...requested) => turn(() => isMissingUpTo(...requested)),
      account:
        account === null
          ? null
          : {
              nextSequence:
                nextSequence === null
                  ? null
                  : (address, signal) => turn(() => nextSequence(address, signal)),
              funds: (...requested) => turn(() => account.funds(...requested)),
              receiver:
                receiver === null ? null : (...requested) => turn(() => receiver(...requested)),
              draftEach: (...requested) => turn(() => account.draftEach(...requested)),
              ...(batching === undefined
                ? {}
                : {
                    batching: {
                      ...batching,
                      draftEach: (...requested) => turn(() => batching.draftEach(...requested)),
                    },
                  }),
              ...(lenders === undefined
                ? {}
                : {
                    lenders: {
                      ...lenders,
                      list: (signal) => turn(() => lenders.list(signal)),
                    },
                  }),
              broadcastEach: (...requested) => turn(() => account.broadcastEach(...requested)),
            },
    },
  });
}

/** As at the start of a worker's process: a restored database is not used before everything signed is adopted. */
async function admitDatabase(context: SendContext, signal: AbortSignal): Promise<void> {
  try {
    await assertAdmitted(context.db);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await adoptSigned(context, 0, signal);
    await context.db.query(
      assembledStatement("admit", `update database_mark set ${admission}`),
      [],
    );
  }
}

/** A transaction is one turn: row locks isolate it from what runs at the same time. */
export function inTurns({ site, failAfter }: Parts, { turn }: Program): Database {
  const { db } = site.database;
  return {
    query: (statement, values) => turn(() => db.query(statement, values), "query"),
    transaction: (work) =>
      turn(() => {
        let left = failAfter.statements ?? Number.POSITIVE_INFINITY;
        return db.transaction((tx) =>
          work({
            query: (statement, values) => {
              left -= 1;
              if (left < 0) return Promise.reject(new Killed("inside a transaction"));
              return tx.query(statement, values);
            },
          }),
        );
      }, "transaction"),
    close: () => Promise.resolve(),
  };
}

/** Replaces a killed program. */
export function replaceProgram(world: Deployment, at: number): void {
  const name = `${world.programs[at]?.program.name ?? ""}'`;
  const successor = at === 2 ? follower(world) : worker(world, name);
  world.programs = world.programs.map((runner, place) => (place === at ? successor : runner));
}

/** Its client asks to cancel it and learns whether it is canceled. */
export async function cancelAsked(
  { site }: Pick<Parts, "site">,
  payout: RequestedPayout | null,
): Promise<void> {
  if (payout === null) return;
  const { database, clock, currencies, listener, refunds, accountId } = site;
  const owner: Principal = {
    accountId,
    memberId: "1",
    credentialId: "1",
    role: "owner",
    accountIsReady: true,
    wallets: "all",
  };
  try {
    const cancelled = await cancelPayout(
      {
        db: database.db,
        clock,
        currencies,
        random: systemRandom,
        refunds,
        withdrawFromSpend: (tx, spendId, now) => withdrawSpend(tx, listener, spendId, now),
      },
      owner,
      payout.id,
    );
    if (cancelled !== null) payout.isCancelled = true;
  } catch (error) {
    if (!(error instanceof Rejected || error instanceof Unavailable)) throw error;
  }
}

export async function killAll(world: Deployment): Promise<void> {
  for (const [at, { program }] of world.programs.entries()) {
    await program.kill();
    replaceProgram(world, at);
  }
}

/** What an operator does between rounds; true if there is nothing left to do. */
export type Operate = () => Promise<boolean>;

/** No more faults: everything payable is paid, and what is blocked is canceled. */
export async function comeToRest(
  world: Deployment,
  operate: Operate = () => Promise.resolve(true),
): Promise<void> {
  const { site, requests } = world;
  Object.assign(site.faults, { outage: false, lag: 0, broadcast: "fine" });
  site.signer.recover();
  site.chain.market = 10n;
  site.chain.reverting.clear();
  await site.database.sql("delete from payout_stop where kind <> 'restore'");
  await site.database.sql("update wallet set payouts_blocked = false");
  for (let round = 0; round < quietRoundsMax; round += 1) {
    for (const { program, main } of world.programs) {
      if (!program.isRunning()) await program.start(main);
      while (program.isRunning()) await program.step("go");
      assertNoFailure(world);
    }
    // Until then children pay for transactions that cannot be replaced.
    if (round === quietRoundsMax / 4) site.chain.isStubborn = false;
    site.clock.advance(15);
    if (round % 2 === 0) site.chain.mine();
    const blocked = await site.database.sql<{ id: string }>(
      "select id from payout where stage = 'blocked'",
    );
    for (const { id } of blocked)
      await cancelAsked(world, requests.find((one) => one.id === id && !one.isLost) ?? null);
    if ((await operate()) && (await isAtRest(world))) return;
  }
  throw new Error(`no rest after ${quietRoundsMax} rounds: ${await describeUnrest(world)}`);
}

const unrest = `
  select 'payout ' || id || ' ' || stage as what from payout where stage not in ('confirmed', 'failed', 'cancelled')
  union all
  select 'spend ' || id || ' ' || kind || ' ' || state from spend where state in ('open', 'included')`;

async function isAtRest({ site }: Parts): Promise<boolean> {
  const [cursor] = await site.database.sql<{ hash: string }>("select hash from chain_cursor");
  if (cursor?.hash !== site.chain.tip().hash) return false;
  return (await site.database.sql(unrest)).length === 0;
}

async function describeUnrest({ site }: Parts): Promise<string> {
  const rows = await site.database.sql<{ what: string }>(unrest);
  return rows.map(({ what }) => what).join(", ");
}
