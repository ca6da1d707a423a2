/**
 * Two signers with one keystore: what one signs, the other knows before the signature leaves, and only one signs at a time.
 * `SLUICE_PAIR_ROUNDS=100 npx vitest run test/nodes/signer-pair.test.ts` runs 100 rounds of faults and prints the pauses.
 */
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { backUpFolder } from "../../src/signer/backup-folder.ts";
import type { PayoutIntent, SignRequest } from "../../src/signer/intent.ts";
import { verifyAuditLog } from "../../src/signer/journal/audit-log.ts";
import { replicatedFiles } from "../../src/signer/pair/replica-protocol.ts";
import { planRestore } from "../../src/signer/restore-folder.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import { describeWithEtcd, type Etcd } from "../support/etcd.ts";
import { evmPayoutRequest, hotAddress } from "../support/evm-payout-request.ts";
import { runPairRounds } from "../support/run-pair-rounds.ts";
import { type SignerName, type SignerPairSite, startSignerPair } from "../support/signer-pair.ts";

const takeoverSeconds = 4;

describeWithEtcd("two signers", (start) => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await start();
  });
  afterAll(() => etcd.close());
  let site: SignerPairSite;
  let client: SignerClient;
  let from = "";
  beforeEach(async () => {
    site = await startSignerPair(etcd, takeoverSeconds);
    client = site.connect();
    from = await eventually(() => hotAddress(client));
    await site.untilInSync();
  });
  afterEach(async () => {
    client.close();
    await site.close();
  });

  const requestOf = (number: number, nonce = number): SignRequest => {
    const payout: PayoutIntent = {
      payoutId: String(number),
      chain: "ETH",
      address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      tag: null,
      currency: "1002",
      asset: { kind: "coin" },
      units: "1000",
    };
    return evmPayoutRequest(payout, { from, nonce, chainId: 1337 }, site.approvalKey);
  };
  const sign = async (number: number, nonce = number): Promise<string> => {
    const outcome = await eventually(() => client.sign(requestOf(number, nonce)));
    return outcome.kind === "signed" ? outcome.txid : outcome.reason;
  };
  const filesOf = (name: SignerName): Promise<readonly string[]> =>
    Promise.all(
      [...replicatedFiles, "database.mark"].map((file) =>
        readFile(join(site.folderOf(name), file), "utf8").catch(() => "none"),
      ),
    );

  it("keep the same files, and the standby takes over with everything that the killed one signed and issued", async () => {
    const range = { keyspace: "evm", addressType: "", first: 0, last: 9 };
    expect(await client.recordIssued(range)).toEqual({ kind: "recorded" });
    expect(await client.mark({ generation: 3, numbers: { payout_id_seq: "7" } })).toEqual({
      kind: "marked",
    });
    const txid = await sign(1);
    expect(await filesOf("b")).toEqual(await filesOf("a"));

    await site.kill("a");
    expect(await sign(2)).toMatch(/^0x/);
    expect(await site.active()).toBe("b");
    expect(await sign(1)).toBe(txid);
    expect(await sign(1, 50)).toContain(`shares no claim with ${txid}`);
    expect(await client.highestIssued("evm", "")).toBe(9);
    expect(await client.recordIssued(range)).toEqual({ kind: "refused", highest: 9 });
    expect(await client.readMark()).toEqual({ generation: 3, numbers: { payout_id_seq: "7" } });
    site.start("a");
    await site.untilInSync();
    expect(await filesOf("a")).toEqual(await filesOf("b"));
    expect((await site.witness.read())?.record).toMatchObject({
      epoch: 3,
      active: "b",
      inSync: ["b", "a"],
    });
  });

  it("sign nothing with the one that was paused and replaced", async () => {
    await sign(1);
    await site.signal("a", "SIGSTOP");
    const pending = Promise.allSettled([1, 2, 3].map((number) => sign(number, number + 100)));
    const txid = await sign(4);
    expect(await site.active()).toBe("b");
    await site.signal("a", "SIGCONT");
    await pending;
    await site.untilInSync();
    expect(await filesOf("a")).toEqual(await filesOf("b"));
    const signed = await client.payoutsSigned(["1", "2", "3", "4"]);
    expect(signed.map(({ txids }) => txids.length)).toEqual([1, 1, 1, 1]);
    expect(await sign(4)).toBe(txid);
  });

  it("continue with the active one alone once the witness has removed the standby, which then cannot take over", async () => {
    site.links["a-b"].isSilent = true;
    const txid = await sign(1);
    expect((await site.witness.read())?.record).toMatchObject({
      epoch: 2,
      active: "a",
      inSync: ["a"],
    });
    await site.signal("a", "SIGSTOP");
    await systemClock.sleep(2 * takeoverSeconds * 1000);
    expect(await site.active()).toBe("a");
    await site.signal("a", "SIGCONT");
    site.links["a-b"].isSilent = false;
    await site.untilInSync();
    await site.kill("a");
    expect(await sign(1)).toBe(txid);
    expect(await site.active()).toBe("b");
  });

  it("answer nothing while neither the other one nor the witness can be reached", async () => {
    for (const link of ["a-b", "a-etcd", "b-etcd"] as const) site.links[link].isCutOff = true;
    await expect(client.sign(requestOf(1))).rejects.toThrow(Unavailable);
    expect(await site.active()).toBe("a");
    for (const link of ["a-etcd", "b-etcd"] as const) site.links[link].isCutOff = false;
    const txid = await sign(1);
    site.links["a-b"].isCutOff = false;
    await site.untilInSync();
    expect(await filesOf("b")).toEqual(await filesOf("a"));
    expect(await sign(1)).toBe(txid);
  });

  it("hand over at once when the active one is stopped", async () => {
    await sign(1);
    await site.signal("a", "SIGTERM");
    await expect.poll(() => site.active()).toBe("b");
    expect(await sign(2)).toMatch(/^0x/);
  });

  it("end when stopped, also while a request waits for the other one and the witness", async () => {
    await sign(1);
    for (const link of ["a-b", "a-etcd", "b-etcd"] as const) site.links[link].isCutOff = true;
    const pending = client.sign(requestOf(2)).catch((error: unknown) => error);
    await systemClock.sleep(1_000);
    const before = await readFile(join(site.folderOf("a"), "lock.pid"), "utf8");
    await site.signal("a", "SIGTERM");
    await expect
      .poll(() => readFile(join(site.folderOf("a"), "lock.pid"), "utf8").catch(() => before))
      .not.toBe(before);
    expect(await pending).toBeInstanceOf(Unavailable);
    for (const link of ["a-b", "a-etcd", "b-etcd"] as const) site.links[link].isCutOff = false;
    expect(await sign(2)).toMatch(/^0x/);
  });

  it("let the standby take over from one whose folder is a restored backup", async () => {
    const { folderOf } = site;
    const backup = await backUpFolder(folderOf("a"), `${folderOf("a")}-backups`, systemClock.now());
    const txid = await sign(1);
    await site.kill("a");
    await site.kill("b");
    await rename(folderOf("a"), `${folderOf("a")}-lost`);
    await (await planRestore(backup.path, folderOf("a"), null)).write();
    site.start("a");
    await expect(client.sign(requestOf(1, 50))).rejects.toThrow(Unavailable);
    expect(await site.active()).toBe("a");
    site.start("b");
    expect(await sign(1)).toBe(txid);
    expect(await site.active()).toBe("b");
    expect(await sign(1, 50)).toContain(`shares no claim with ${txid}`);
    await site.untilInSync();
    expect(await filesOf("a")).toEqual(await filesOf("b"));
  });

  it("do not let a standby take over with a restored backup of its folder", async () => {
    const { folderOf } = site;
    const backup = await backUpFolder(folderOf("b"), `${folderOf("b")}-backups`, systemClock.now());
    const txid = await sign(1);
    await site.kill("a");
    await site.kill("b");
    await rename(folderOf("b"), `${folderOf("b")}-lost`);
    await (await planRestore(backup.path, folderOf("b"), null)).write();
    expect((await site.witness.read())?.record.inSync).toContain("b");
    site.start("b");
    await systemClock.sleep(2 * takeoverSeconds * 1000);
    expect(await site.active()).toBe("a");
    site.start("a");
    expect(await sign(1)).toBe(txid);
    expect(await site.active()).toBe("a");
    await expect.poll(() => filesOf("b"), { timeout: 20_000 }).toEqual(await filesOf("a"));
  });

  it("keep the entries of a standby that has more than an active one with an older folder", async () => {
    const { folderOf } = site;
    const older = `${folderOf("a")}-older`;
    await site.signal("a", "SIGSTOP");
    const filter = (path: string): boolean => !path.endsWith(".sock");
    await cp(folderOf("a"), older, { recursive: true, filter });
    await site.signal("a", "SIGCONT");
    for (const number of [1, 2, 3]) await sign(number);
    await site.kill("b");
    await site.kill("a");
    await rm(folderOf("a"), { recursive: true });
    await cp(older, folderOf("a"), { recursive: true });
    const before = await filesOf("b");
    const seen = await site.witness.read();
    if (seen === null) throw new Error("the record is gone");
    // As `sluice signer pair take-over` does, on the wrong host.
    const forced = { ...seen.record, inSync: ["a"], folderToken: null };
    await site.witness.replace({ ...forced, epoch: seen.record.epoch + 1 }, seen.revision);
    site.start("a");
    expect(await sign(9)).toMatch(/^0x/);
    site.start("b");
    await systemClock.sleep(3_000);
    expect((await site.witness.read())?.record.inSync).toEqual(["a"]);
    expect(await filesOf("b")).toEqual(before);
  });

  it("do not pair with other limits until the active one has restarted with them, too", async () => {
    const limit = (name: SignerName): Promise<void> =>
      writeFile(join(site.folderOf(name), "limits.json"), '"none"');
    await site.kill("b");
    await sign(1);
    await limit("b");
    site.start("b");
    await systemClock.sleep(3_000);
    expect((await site.witness.read())?.record.inSync).toEqual(["a"]);
    await limit("a");
    await site.signal("a", "SIGTERM");
    await site.untilInSync();
    expect(await site.active()).toBe("a");
    expect(await sign(2)).toMatch(/^0x/);
  });

  it("sign each payout once through kills, pauses and cut connections", async () => {
    const rounds = Number(process.env["SLUICE_PAIR_ROUNDS"] ?? 6);
    const result = await runPairRounds(site, client, { rounds, requestOf });
    process.stderr.write(`${result.table}\n`);
    await site.untilInSync();
    expect(await filesOf("a")).toEqual(await filesOf("b"));
    await verifyAuditLog(join(site.folderOf("b"), "audit.log"));
    expect(result.faults).toEqual([]);
  }, 3_600_000);
});

/** Repeats until a signer answers. */
async function eventually<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable) || tries > 300) throw error;
      await systemClock.sleep(100);
    }
  }
}
