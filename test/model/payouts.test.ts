/**
 * Model of the pipeline of payouts: with every rule, each history of the scope is safe; without any one of them some history is not.
 * Random histories of real workers have to be histories of the model, and they do not take the step that an unsafe one needs.
 * `SLUICE_MODEL_PAYOUTS=2` explores two payouts and two workers as well, which takes minutes.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { useDatabase } from "../support/database.ts";
import { createSeeded, type Seeded } from "../support/seeded.ts";
import { explore } from "./explore.ts";
import { type ModelStep, openModel } from "./open-model.ts";
import { type Modelled, type PayoutReplay, seenIn, startReplay } from "./replay-payouts.ts";

const asBuilt = {
  draftsShareClaims: true,
  signerComparesClaims: true,
  commitsBeforeAsking: true,
  journalsBeforeAnswering: true,
  adoptsBeforeAdmitting: true,
  waitsForFinality: true,
  restoresHolds: true,
  rechecksUnderLock: true,
  fencesFollowers: true,
  expires: false,
  hasStrays: false,
  restoresBoth: false,
  payoutCount: 1,
  workerCount: 1,
  claimCount: 2,
  attemptsMax: 2,
  blockMax: 1,
  heightMax: 2,
  failures: 1,
};
type Constants = typeof asBuilt;
const everywhere = [
  ...["draft", "begin", "ask", "record", "adopt", "admit", "cancel", "mine", "reorg", "read"],
  ...["confirm", "release", "kill", "restore", "restoreSigner", "resume"],
];
const withClaims = ["replace", "steal"];
const withoutRules = ["hang", "wake", "judge", "releaseLate", "strayArrives"];
const parts = {
  actions: [...everywhere, ...withClaims, ...withoutRules],
  invariants: [
    ...["atMostOneSpendable", "paidOnce", "heldUntilReleased", "heldUntilConsumed"],
    "releasedOnce",
  ],
  ignored: [],
};
const statesMax = 3_000_000;
const open = (change: Partial<Constants>) =>
  openModel(join(import.meta.dirname, "payouts.qnt"), "payouts", { ...asBuilt, ...change });
const search = (change: Partial<Constants>, invariants = parts.invariants) =>
  explore(open(change), { ...parts, invariants }, statesMax);

const scopes: readonly (readonly [name: string, change: Partial<Constants>])[] = [
  ["one payout, one fault", {}],
  ["one payout that expires, two faults", { expires: true, claimCount: 1, failures: 2 }],
  ...(process.env["SLUICE_MODEL_PAYOUTS"] === "2"
    ? ([
        ["one payout, two workers", { workerCount: 2 }],
        ["two payouts that expire", { expires: true, claimCount: 1, payoutCount: 2 }],
        ["one payout, two faults, three blocks", { failures: 2, heightMax: 3 }],
        ["two payouts", { payoutCount: 2 }],
      ] as const)
    : []),
];

type Broken = {
  readonly change: Partial<Constants>;
  readonly invariant: string;
  /** The step of the shortest unsafe history that the code does not take; null: it is not replayed. */
  readonly refused: string | null;
};

/** The rules, and what is unsafe without each. */
const brokenRules: Readonly<Record<string, Broken>> = {
  "drafts another attempt without a claim of the first": {
    change: { draftsShareClaims: false },
    invariant: "atMostOneSpendable",
    refused: "replace",
  },
  "does so, and the signer compares no claims": {
    change: { draftsShareClaims: false, signerComparesClaims: false },
    invariant: "atMostOneSpendable",
    refused: "replace",
  },
  "asks the signer before that is committed": {
    change: { commitsBeforeAsking: false },
    invariant: "heldUntilReleased",
    refused: "begin",
  },
  "answers without the journal": {
    change: { journalsBeforeAnswering: false },
    invariant: "heldUntilReleased",
    refused: "ask",
  },
  "admits a restored database before the journal is adopted": {
    change: { adoptsBeforeAdmitting: false },
    invariant: "heldUntilReleased",
    refused: "restore",
  },
  "takes a claim for used in a block that may be replaced": {
    change: { waitsForFinality: false },
    invariant: "heldUntilReleased",
    refused: "release",
  },
  "takes a validity for ended in a block that may be replaced": {
    change: { waitsForFinality: false, expires: true },
    invariant: "heldUntilReleased",
    refused: null,
  },
  "keeps what a replaced block consumed": {
    change: { restoresHolds: false },
    invariant: "heldUntilConsumed",
    refused: "read",
  },
  "releases what another transaction has released": {
    change: { rechecksUnderLock: false },
    invariant: "releasedOnce",
    refused: "releaseLate",
  },
  // The replay's follower is a reduced one: src/chains/follow has tests of its own for the fence.
  "enters a block without its lease": {
    change: { fencesFollowers: false },
    invariant: "heldUntilConsumed",
    refused: null,
  },
};

describe("the model of payouts", () => {
  it.each(scopes)("is safe in every history of %s", (_, change) => {
    const explored = search(change);
    expect(explored.violation).toBeNull();
    const expected = change.expires === true ? everywhere : [...everywhere, ...withClaims];
    expect(expected.filter((action) => !(action in explored.reachedBy))).toEqual([]);
  });

  it.each(Object.entries(brokenRules))("is unsafe if it %s", (_, { change, invariant }) => {
    expect(search(change).violation?.invariant).toBe(invariant);
  });

  it("needs the signer's rule if a request outlives its database", () => {
    const change = { hasStrays: true };
    expect(search(change, ["atMostOneSpendable", "paidOnce"]).violation).toBeNull();
    const unsafe = search({ ...change, signerComparesClaims: false }, ["atMostOneSpendable"]);
    expect(unsafe.violation?.invariant).toBe("atMostOneSpendable");
  });

  it("shows what it does not cover: such a request, and a restore of database and signer", () => {
    expect(search({ hasStrays: true }).violation?.invariant).toBe("heldUntilReleased");
    const both = search({ restoresBoth: true, failures: 2 });
    expect(both.violation?.invariant).toBe("heldUntilReleased");
  });
});

describe("the code", () => {
  const database = useDatabase();
  const correct = (payoutCount: number) =>
    open({
      payoutCount,
      workerCount: 2,
      claimCount: 6,
      attemptsMax: 6,
      blockMax: 6,
      heightMax: 60,
      failures: 200,
    });

  it("takes only steps of the model in random histories", async () => {
    const model = correct(2);
    const taken: Record<string, number> = {};
    for (let seed = 1; seed <= 8; seed += 1) {
      const replay = await startReplay(database, model, 2);
      const seeded = createSeeded(seed);
      try {
        for (let turn = 0; turn < 220; turn += 1) await takeTurn(replay, seeded, seed % 2 === 0);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
      for (const [what, times] of Object.entries(replay.taken))
        taken[what] = (taken[what] ?? 0) + times;
    }
    for (const what of ["transaction", "sign", "follower", "cancel", "mine", "reorg", "restore"])
      expect(taken[what], what).toBeGreaterThan(0);
  }, 900_000);

  it.each(Object.entries(brokenRules).filter(([, { refused }]) => refused !== null))(
    "does not take the step that is unsafe if it %s",
    async (_, { change, refused }) => {
      const history = search(change).violation?.history ?? [];
      const replay = await startReplay(database, correct(1), 1);
      for (const step of history.slice(1)) {
        await play(replay, step);
        const expected = ofTheCode(seenIn(step.state as unknown as Modelled));
        if (ofTheCode(await replay.seen()) === expected) continue;
        expect(step.action).toBe(refused);
        return;
      }
      throw new Error("the code takes every step of an unsafe history");
    },
    300_000,
  );
});

/** What the code decides: the simulated chain replaces a block by two at once. */
function ofTheCode(seen: string): string {
  const { payouts, journal, isAdmitted } = JSON.parse(seen) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ payouts, journal, isAdmitted });
}

/** One operation of a worker or the follower, or something that happens around them. */
async function takeTurn(
  replay: PayoutReplay,
  seeded: Seeded,
  isDatabaseRestored: boolean,
): Promise<void> {
  const { clock } = replay.site;
  if (seeded.chance(0.75)) {
    const at = seeded.between(0, 1);
    if ((await replay.next(at)) === null) return;
    if (seeded.chance(0.03)) await replay.kill(at, seeded.chance(0.4));
    else await replay.step(at);
    return;
  }
  const event = seeded.between(1, 100);
  if (event <= 40) await readOn(replay);
  else if (event <= 62) await replay.mine(seeded.chance(0.3));
  else if (event <= 82) clock.advance(seeded.oneOf([3, 8, 25, 70]) ?? 3);
  else if (event <= 88) await replay.reorg(seeded.chance(0.6));
  else if (event <= 91) await replay.cancel(seeded.between(0, 1));
  else if (event <= 94) replay.steal(seeded.between(1, 3));
  else if (event <= 97) await replay.resume();
  else if (isDatabaseRestored) await replay.restore();
  else await replay.restoreSigner();
}

/** The follower takes one step, unless nobody may read. */
async function readOn(replay: PayoutReplay): Promise<void> {
  const { isAdmitted } = JSON.parse(await replay.seen()) as { readonly isAdmitted: boolean };
  if (!isAdmitted || (await replay.next(2)) === null) return;
  const { program } = present(replay.world.programs[2], "the follower");
  while (program.isRunning()) await replay.step(2);
}

/** Lets a worker go on until it has done that; at most to the end of its pass. */
async function untilDone(replay: PayoutReplay, at: number, what: string): Promise<void> {
  const before = await replay.seen();
  for (let next = await replay.next(at); next !== null; ) {
    await replay.step(at);
    if (next === what && (await replay.seen()) !== before) return;
    const { program } = present(replay.world.programs[at], "a program");
    if (!program.isRunning()) return;
    next = program.waitsFor();
  }
}

/** Lets the code do what the model's action stands for. */
async function play(replay: PayoutReplay, { action, state }: ModelStep): Promise<void> {
  const { clock } = replay.site;
  const { net } = state as unknown as Modelled;
  switch (action) {
    case "draft":
    case "begin":
    case "record":
    case "adopt":
      return untilDone(replay, 0, "transaction");
    case "admit":
      return untilDone(replay, 0, "query");
    case "ask":
      return untilDone(replay, 0, "sign");
    case "replace":
      clock.advance(90);
      return untilDone(replay, 1, "transaction");
    case "judge":
      return readyToRelease(replay);
    case "release":
    case "releaseLate":
      clock.advance(30);
      return untilDone(replay, 1, "transaction");
    case "cancel":
      return replay.cancel(0);
    case "steal":
      replay.steal(net.atLarge.find(({ payout }) => payout === 0)?.claim ?? 1);
      return;
    case "mine":
      // What is recorded may not be broadcast yet.
      if (net.chain.at(-1)?.txs.some(({ payout }) => payout > 0) === true)
        await finishPass(replay, 0);
      return replay.mine(net.chain.at(-1)?.txs.length === 0);
    case "reorg":
      return replay.reorg(false);
    case "read":
      return untilDone(replay, 2, "transaction");
    case "restore":
      return replay.restore();
    case "restoreSigner":
      return replay.restoreSigner();
    default:
      throw new Error(`${action} is not replayed`);
  }
}

async function finishPass(replay: PayoutReplay, at: number): Promise<void> {
  const { program } = present(replay.world.programs[at], "a program");
  while (program.isRunning()) await replay.step(at);
}

/** Stops the other worker before the first transaction in which it may release something. */
async function readyToRelease(replay: PayoutReplay): Promise<void> {
  replay.site.clock.advance(30);
  for (let next = await replay.next(1); next !== null && next !== "transaction"; ) {
    await replay.step(1);
    next = present(replay.world.programs[1], "a program").program.waitsFor();
  }
}
