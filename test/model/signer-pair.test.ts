/**
 * Model of the pair of signers: every history with one fault is safe, and without any of its rules some history is not. Random
 * histories are replayed against the standby's code. `SLUICE_MODEL_FAULTS=2` explores histories with two faults.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSeeded } from "../support/seeded.ts";
import { explore, walk } from "./explore.ts";
import { openModel } from "./open-model.ts";
import { replayStandby } from "./replay-standby.ts";

const faults = Number(process.env["SLUICE_MODEL_FAULTS"] ?? 1);
const asBuilt = {
  checksSession: true,
  checksSeals: true,
  addsAfterJoining: true,
  takesOverInSync: true,
  waitsForStandby: true,
  confirmsReads: true,
  renewsEpoch: true,
  hasLeftover: false,
  epochMax: 3,
  failures: faults,
};
const parts = {
  actions: [
    ...["join", "add", "remove", "receive", "replicate", "overtake", "confirm", "reply"],
    ...["takeOver", "strayArrives", "strayWriteArrives", "kill", "start"],
  ],
  invariants: ["atMostOneSpendable", "successorsKnowAll", "neverLies"],
  ignored: ["asked"],
};
const statesMax = 2_000_000;

/** The rules of the model, and which of them the standby's code keeps. */
const brokenRules: Readonly<
  Record<string, { readonly change: Partial<typeof asBuilt>; readonly isStandbys: boolean }>
> = {
  "takes over while it lacks lines": { change: { takesOverInSync: false }, isStandbys: true },
  "does not compare seals": { change: { checksSeals: false }, isStandbys: true },
  "obeys an earlier session": {
    change: { checksSession: false, hasLeftover: true },
    isStandbys: true,
  },
  "keeps its epoch when it starts again": {
    change: { renewsEpoch: false, failures: 2 },
    isStandbys: true,
  },
  "adds the standby before it has joined": {
    change: { addsAfterJoining: false },
    isStandbys: false,
  },
  "does not ask the standby before it answers": {
    change: { confirmsReads: false },
    isStandbys: false,
  },
};
const open = (constants: Readonly<Record<string, boolean | number>>) =>
  openModel(join(import.meta.dirname, "signer-pair.qnt"), "signerPair", constants);

const findViolation = (change: Partial<typeof asBuilt>) =>
  explore(open({ ...asBuilt, failures: 1, ...change }), parts, statesMax).violation;

describe("the model of two signers", () => {
  it.each([false, true])("is safe in every history (a line was left over: %s)", (hasLeftover) => {
    const explored = explore(open({ ...asBuilt, hasLeftover }), parts, statesMax);
    expect(explored.violation).toBeNull();
    expect(explored.states).toBeGreaterThan(5_000);
    const unreached = parts.actions.filter((action) => !(action in explored.reachedBy));
    expect(unreached).toEqual([]);
  });

  it.each(Object.entries(brokenRules))("is unsafe if a signer %s", (_, { change }) => {
    expect(findViolation(change)?.invariant).toBe("successorsKnowAll");
  });
});

describe("the standby's code", () => {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "sluice-model-"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it("answers and takes over as the model does in random histories", async () => {
    const answered: Record<string, number> = {};
    for (const hasLeftover of [false, true]) {
      const model = open({ ...asBuilt, hasLeftover, epochMax: 6, failures: 6 });
      for (let seed = 1; seed <= 20; seed += 1) {
        const history = walk(model, parts, createSeeded(seed), 60);
        const folder = join(home, `${hasLeftover} ${seed}`);
        for (const [kind, count] of Object.entries(await replayStandby(history, folder))) {
          answered[kind] = (answered[kind] ?? 0) + count;
        }
        await rm(folder, { recursive: true });
      }
    }
    for (const kind of ["state", "cut", "append", "beat"]) {
      expect(answered[kind], kind).toBeGreaterThan(0);
    }
    const late = Object.entries(answered).filter(([kind]) => kind.startsWith("late "));
    expect(late.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(5);
  });

  it.each(Object.entries(brokenRules).filter(([, { isStandbys }]) => isStandbys))(
    "does not take the steps that are unsafe if a signer %s",
    async (_, { change }) => {
      const violation = findViolation(change);
      const folder = await mkdtemp(join(home, "unsafe-"));
      await expect(replayStandby(violation?.history ?? [], folder)).rejects.toThrow(/^step \d+ of/);
    },
  );
});
