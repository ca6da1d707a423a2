import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { openFolderTokens } from "./folder-tokens.ts";
import { lead } from "./lead.ts";
import { openReplica } from "./open-replica.ts";
import type { Peer } from "./peer.ts";
import type { PairRecord, Witness } from "./witness.ts";

/* The active signer with a simulated standby, and a witness of which a test holds back requests and answers. */

const key = new Uint8Array(32).fill(1);
const keys = { journalKey: key, spendJournalKey: key, markKey: key };
let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-lead-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

type Held = { readonly release: () => void };

function createWitness(first: PairRecord) {
  let record = first;
  let revision = 1;
  const held: { request: Promise<void> | null; answer: Promise<void> | null } = {
    request: null,
    answer: null,
  };
  const hold = (what: "request" | "answer"): Held => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    held[what] = promise;
    return {
      release: () => {
        resolve(undefined);
      },
    };
  };
  const take = async (what: "request" | "answer"): Promise<void> => {
    const waiting = held[what];
    held[what] = null;
    await waiting;
  };
  const witness: Witness = {
    read: () => Promise.resolve({ record, revision: String(revision) }),
    replace: async (next, expected) => {
      await take("request");
      const isGranted = expected === String(revision);
      if (isGranted) {
        record = next;
        revision += 1;
      }
      const granted = isGranted ? String(revision) : null;
      await take("answer");
      return granted;
    },
  };
  return { witness, hold, record: () => record };
}

/** An active signer whose standby answers unless it `isAway`; `had` are the bodies that it got. */
async function startLead(alone: PairRecord) {
  const folder = await mkdtemp(join(home, "active-"));
  const replica = await openReplica({ folder, copyFolder: null, ...keys });
  const seals = replica.seals();
  await replica.close();
  const clock = manualClock();
  const site = createWitness(alone);
  const standby = { isAway: false, delay: Promise.resolve(), had: [] as string[] };
  const connect = (): Peer => ({
    ask: async (action) => {
      await standby.delay;
      if (standby.isAway) throw new Error("no answer");
      if (action.kind === "append") standby.had.push(...action.lines);
      return action.kind === "state"
        ? { kind: "state", state: { seals, policy: "" } }
        : { kind: "done" };
    },
    close: () => undefined,
  });
  const leader = lead(
    { name: "a", standby: "b", folder, policy: "", markText: null },
    { record: alone, revision: "1" },
    {
      witness: site.witness,
      connect,
      tokens: await openFolderTokens(folder),
      clock,
      logger: silentLogger,
      onDeposed: () => undefined,
    },
  );
  return {
    leader,
    standby,
    ...site,
    /** Some heartbeats. */
    beat: async (count: number) => {
      for (let beats = 0; beats < count; beats += 1) {
        await settle();
        clock.advance(1);
      }
      await settle();
    },
  };
}

/** Until everything that was begun has come to its next wait, the reading of files included. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await systemClock.sleep(1);
}

it("lets no line leave without the standby because an older write is answered late", async () => {
  const alone = { epoch: 2, active: "a", inSync: ["a"], folderToken: "t" };
  const { leader, standby, hold, record, beat } = await startLead(alone);
  // The standby is added, and silent before the witness got the request.
  const adding = hold("request");
  await beat(2);
  standby.isAway = true;
  const confirmed = leader.confirm();
  // Its removal is granted, and the answer is late. Until it comes, the standby is back.
  const removing = hold("answer");
  await beat(1);
  adding.release();
  await beat(1);
  standby.isAway = false;
  await beat(4);
  removing.release();
  await settle();

  standby.isAway = true;
  const written = leader.mirrors["spends.journal"].write({
    body: "line",
    previous: "p",
    seal: "s",
  });
  await Promise.race([written, beat(3)]);
  // Away, it has nothing of the line; so the line counts only if the standby may not take over.
  await written;
  expect(standby.had).toEqual([]);
  expect(record().inSync).toEqual(["a"]);
  await confirmed;
  await leader.close();
});

it("adds the standby, and removes it when it is silent", async () => {
  const alone = { epoch: 2, active: "a", inSync: ["a"], folderToken: "t" };
  const { leader, standby, record, beat } = await startLead(alone);
  await beat(2);
  expect(record().inSync).toEqual(["a", "b"]);
  await leader.mirrors["spends.journal"].write({ body: "line", previous: "p", seal: "s" });
  expect(standby.had).toEqual(["line"]);
  standby.isAway = true;
  await leader.confirm();
  expect(record().inSync).toEqual(["a"]);
  await leader.close();
});

const both = { epoch: 2, active: "a", inSync: ["a", "b"], folderToken: "t" };

it("is ready once a standby in sync has joined, which it leaves in sync", async () => {
  const { leader, standby, record, beat } = await startLead(both);
  const joining = Promise.withResolvers<undefined>();
  standby.delay = joining.promise.then(() => undefined);
  const state = { isReady: false };
  const ready = leader.ready().then(() => {
    state.isReady = true;
  });
  await beat(3);
  expect(state.isReady).toBe(false);
  joining.resolve(undefined);
  await ready;
  expect(record().inSync).toEqual(["a", "b"]);
  await leader.close();
});

it("is ready once a standby that is away was removed, and never waits for one that may not take over", async () => {
  const { leader, standby, hold, record } = await startLead(both);
  standby.isAway = true;
  const removing = hold("request");
  const ready = leader.ready();
  await settle();
  removing.release();
  await ready;
  expect(record().inSync).toEqual(["a"]);
  await leader.close();

  const alone = await startLead({ ...both, inSync: ["a"] });
  alone.standby.delay = new Promise(() => undefined);
  await alone.leader.ready();
});
