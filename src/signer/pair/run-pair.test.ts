import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { openReplica } from "./open-replica.ts";
import { runPair, type SignerPair } from "./run-pair.ts";
import type { PairRecord, Witness } from "./witness.ts";

/* A signer that becomes active again, whose standby does not answer, and whose witness is silent when it has to remove the standby. */

const key = new Uint8Array(32).fill(1);
const keys = { journalKey: key, spendJournalKey: key, markKey: key };
let home = "";
let record: PairRecord;
let isSilent = true;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-run-pair-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));
beforeEach(() => {
  record = { epoch: 1, active: "a", inSync: ["a", "b"], folderToken: null };
  isSilent = true;
});

const witness: Witness = {
  read: () => Promise.resolve({ record, revision: JSON.stringify(record) }),
  replace: (next, revision) => {
    if (isSilent && !next.inSync.includes("b")) throw new Unavailable("witness", "no answer");
    if (revision !== JSON.stringify(record)) return Promise.resolve(null);
    record = next;
    return Promise.resolve(JSON.stringify(record));
  },
};

async function start(): Promise<{ readonly pair: SignerPair; readonly opened: string[] }> {
  const folder = await mkdtemp(join(home, "signer-"));
  const opened: string[] = [];
  const missing = join(home, "missing");
  const files = { certificateFile: missing, keyFile: missing, authorityFile: missing };
  const pair = await runPair(
    {
      name: "a",
      folder,
      policy: "",
      peer: { name: "b", host: "127.0.0.1", port: 1, ...files },
      witness: { endpoints: [], key: "" },
      takeoverSeconds: 2,
    },
    {
      witness,
      replica: await openReplica({ folder, copyFolder: null, ...keys }),
      accounts: [],
      openActive: () => {
        opened.push(record.inSync.join());
        return Promise.resolve({
          answer: () => Promise.resolve(null),
          close: () => Promise.resolve(),
        });
      },
      clock: systemClock,
      logger: silentLogger,
    },
  );
  return { pair, opened };
}

const isActive = ({ epoch }: PairRecord): boolean => epoch === 2;

it("opens its journals only once the standby has every line or may not take over", async () => {
  const { pair, opened } = await start();
  await eventually(() => record, isActive);
  // Whatever opens them may write a line, and so may each of its processes that is killed while it starts.
  for (let turn = 0; turn < 200; turn += 1) await systemClock.sleep(1);
  expect(opened).toEqual([]);
  isSilent = false;
  await eventually(
    () => opened,
    ({ length }) => length > 0,
  );
  expect(opened).toEqual(["a"]);
  await pair.close();
});

it("can be closed while neither the standby nor the witness answers", async () => {
  const { pair, opened } = await start();
  await eventually(() => record, isActive);
  await pair.close();
  expect(opened).toEqual([]);
});
