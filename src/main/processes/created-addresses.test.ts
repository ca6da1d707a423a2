/**
 * Addresses whose keys only the signer can derive, over its socket: each comes with a proof that another library verifies, is
 * recorded before anyone sees it, and is never created twice. The addresses are Algorand's.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { createAlgorandAddressing } from "../../chains/algorand/addressing.ts";
import { type FillContext, fillPools } from "../../chains/pools/fill-pools.ts";
import { InvariantViolation } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { createdAccountPath, type KeyTree } from "../../signer/keys/account-paths.ts";
import type { CreatedKey } from "../../signer/protocol.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import { type RunningSigner, runSigner } from "./run-signer.ts";

const testTree = { isSharedByNetworks: false };
const keyTrees: readonly KeyTree[] = [
  { ...testTree, keyspace: "ALGO", coinType: 283, addressTypes: ["", "hot"], curve: "ed25519" },
  { ...testTree, keyspace: "XRP", coinType: 144, addressTypes: ["hot"], sharesAccount: true },
];
const kind = { keyspace: "ALGO", addressType: "" };

const addressing = createAlgorandAddressing(null);

const database = useDatabase();
let home = "";
let signer: RunningSigner;
let client: SignerClient;

async function start(): Promise<void> {
  signer = await runSigner(
    {
      folder: join(home, "signer"),
      network: "test",
      keyTrees,
      passphrase: { kind: "file", path: join(home, "passphrase") },
      createWithCost: { memoryKib: 64, passes: 1, threads: 1 },
      paying: { chains: [], approvalKeys: [], limitsWhenAbsent: "none" },
    },
    { random: systemRandom, logger: silentLogger, clock: systemClock },
  );
  client = createSignerClient({
    address: { kind: "socket", path: signer.socketPath },
    clock: systemClock,
  });
}
async function stop(): Promise<void> {
  client.close();
  await signer.close();
}
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-created-"));
  await writeFile(join(home, "passphrase"), "correct horse");
  await start();
});
afterAll(async () => {
  await stop();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => database.sql("delete from address"));

const fill = (changes: Partial<FillContext> = {}): Promise<number> =>
  fillPools(
    {
      db: database.db,
      clock: systemClock,
      logger: silentLogger,
      signer: client,
      pools: [{ ...kind, addressing }],
      size: 8,
      ...changes,
    },
    new AbortController().signal,
  );
const stored = () =>
  database.sql<{ index: number; address: string }>(
    "select key_index::int as index, address from address order by key_index",
  );
type Change = (keys: readonly CreatedKey[]) => readonly CreatedKey[];
/** The signer's client, except that the keys of its answers are changed. */
const answering = (change: Change): FillContext["signer"] => ({
  ...client,
  createKeys: async (range) => {
    const outcome = await client.createKeys(range);
    return outcome.kind === "created" ? { ...outcome, keys: change(outcome.keys) } : outcome;
  },
});

describe("addresses that the signer creates", () => {
  it("fill the pool with keys that have no extended public key, and are recorded", async () => {
    expect(await fill()).toBe(8);
    const rows = await stored();
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(8);
    for (const { address } of rows) expect(address).toMatch(/^[A-Z2-7]{58}$/);
    expect(await client.highestIssued("ALGO", "")).toBe(7);
    const held = (await client.accountKeys()).map((key) => [
      `${key.keyspace}/${key.addressType}`,
      "xpub" in key,
    ]);
    expect(held).toEqual([
      ["ALGO/hot", false],
      ["XRP/hot", true],
    ]);
    expect(createdAccountPath("test", keyTrees, kind)).toBe("m/44'/1'/283'");
    const ofXrp = { keyspace: "XRP", addressType: "hot" };
    expect(createdAccountPath("test", keyTrees, ofXrp)).toBeNull();
  });

  it("are created once, also after a restart of the signer", async () => {
    const highest = (await client.highestIssued("ALGO", "")) ?? -1;
    const range = { ...kind, first: highest + 1, last: highest + 2 };
    const outcome = await client.createKeys(range);
    const created = outcome.kind === "created" ? outcome.keys : [];
    expect(created.map(({ index }) => index)).toEqual([highest + 1, highest + 2]);
    const refused = { kind: "refused", highest: highest + 2 };
    expect(await client.createKeys(range)).toEqual(refused);
    expect(await client.recordIssued(range)).toEqual(refused);
    await stop();
    await start();
    expect(await client.createKeys(range)).toEqual(refused);
    const next = { ...kind, first: highest + 3, last: highest + 3 };
    expect((await client.createKeys(next)).kind).toBe("created");
  });

  const zeros = "0".repeat(128);
  it.each<[string, Change]>([
    ["a proof is missing", (keys) => keys.map((key) => ({ ...key, proof: "" }))],
    ["a proof is false", (keys) => keys.map((key) => ({ ...key, proof: zeros }))],
    [
      "a key is another one's",
      (keys) =>
        keys.map((key, place) => ({
          ...key,
          publicKey: keys.at(place - 1)?.publicKey ?? "",
        })),
    ],
    ["a key has another index", (keys) => keys.map((key) => ({ ...key, index: key.index + 1 }))],
    ["keys and their proofs change places", (keys) => keys.toReversed()],
    ["a key is too short", (keys) => keys.map((key) => ({ ...key, publicKey: "f".repeat(63) }))],
    ["keys are left out", (keys) => keys.slice(1)],
  ])("reach no pool if %s", async (_fault, change) => {
    await expect(fill({ signer: answering(change) })).rejects.toThrow(InvariantViolation);
    expect(await stored()).toEqual([]);
  });

  it("reach no pool if two libraries compute different addresses", async () => {
    const other: typeof addressing = {
      ...addressing,
      addressAgain: (key) => addressing.addressAgain(key.toReversed()),
    };
    await expect(fill({ pools: [{ ...kind, addressing: other }] })).rejects.toThrow(
      "two libraries derive different addresses",
    );
    expect(await stored()).toEqual([]);
  });

  it("are not created for other kinds, nor too many at once", async () => {
    const unused = { addressType: "", first: 0, last: 0 };
    for (const keyspace of ["XRP", "TON"])
      await expect(client.createKeys({ keyspace, ...unused })).rejects.toThrow(
        "are not created here",
      );
    expect(await client.highestIssued("XRP", "")).toBeNull();
    const before = await client.highestIssued("ALGO", "");
    const first = (before ?? -1) + 1;
    await expect(client.createKeys({ ...kind, first, last: first + 256 })).rejects.toThrow(
      "an answer that cannot be read",
    );
    expect(await client.highestIssued("ALGO", "")).toBe(before);
  });
});

describe("tags of a shared account", () => {
  it("are recorded by the signer, which has no key of their own", async () => {
    const tags = { keyspace: "XRP", addressType: "", first: 0, last: 63 };
    expect(await client.recordIssued(tags)).toEqual({ kind: "recorded" });
    expect(await client.recordIssued(tags)).toEqual({ kind: "refused", highest: 63 });
  });
});
