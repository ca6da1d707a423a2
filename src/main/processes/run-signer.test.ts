/** The signer as other processes see it: over its socket, after kill -9, started twice, with a wrong passphrase. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPowerLossDisk, replaceFileSystem } from "../../../test/support/power-loss-disk.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { signerSocketPath } from "../../signer/socket-path.ts";
import { keyTrees } from "../families/families.ts";
import { runSigner, type SignerSettings } from "./run-signer.ts";
import { startSigner } from "./start-signer.ts";

let home = "";
let passphraseFile = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-signer-"));
  passphraseFile = join(home, "passphrase");
  await writeFile(passphraseFile, "correct horse\n");
});
afterAll(() => rm(home, { recursive: true, force: true }));

const settingsFor = (name: string): SignerSettings => ({
  folder: join(home, name),
  network: "test",
  keyTrees: keyTrees(),
  passphrase: { kind: "file", path: passphraseFile },
  createWithCost: { memoryKib: 64, passes: 1, threads: 1 },
});
const run = (settings: SignerSettings) =>
  runSigner(settings, { random: systemRandom, logger: silentLogger, clock: systemClock });
const clientOf = (socketPath: string, timeoutMs = 60_000) =>
  createSignerClient({
    address: { kind: "socket", path: socketPath },
    clock: systemClock,
    timeoutMs,
  });

describe("the signer", () => {
  it("gives public keys, records addresses, and remembers them after kill -9", async () => {
    const settings = settingsFor("child");
    const first = await startSigner(settings);
    const client = clientOf(first.socketPath);
    const keys = await client.accountKeys();
    expect(keys.map(({ keyspace }) => keyspace).join(" ")).toBe(
      "evm evm evm BTC BTC BTC BTC LTC LTC LTC LTC BCH DASH DOGE ZEC TRX TRX TRX XRP XLM XLM TON ADA ALGO ALGO XMR",
    );
    const range = { keyspace: "evm", addressType: "", first: 0, last: 199 };
    expect(await client.recordIssued(range)).toEqual({ kind: "recorded" });
    expect(await client.recordIssued(range)).toEqual({ kind: "refused", highest: 199 });

    const pid = Number(await readFile(join(settings.folder, "lock.pid"), "utf8"));
    process.kill(pid, "SIGKILL");
    await first.ended;
    await expect(client.highestIssued("evm", "")).rejects.toThrow(Unavailable);

    const second = await startSigner(settings);
    expect(await client.highestIssued("evm", "")).toBe(199);
    expect(await client.accountKeys()).toEqual(keys);
    client.close();
    await second.stop();
  });

  it("opens no debugger on a signal", async () => {
    const program = join(import.meta.dirname, "signer-process.ts");
    const signer = spawn(process.execPath, [program, JSON.stringify(settingsFor("debugger"))]);
    let said = "";
    signer.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const [line] = (await once(signer.stdout, "data")) as [Buffer];
    signer.kill("SIGUSR1");
    await systemClock.sleep(300);
    const client = clientOf(line.toString().trim());
    expect(await client.accountKeys()).toHaveLength(26);
    expect(said).toBe("");
    client.close();
    const ended = once(signer, "exit");
    signer.stdin.end();
    await ended;
  });

  it("accepts connections of its own user only", async () => {
    const settings = settingsFor("modes");
    const signer = await run(settings);
    expect((await stat(signer.socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(settings.folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(settings.folder, "keystore.json"))).mode & 0o777).toBe(0o600);
    await signer.close();
  });

  it("refuses a second signer on the folder; the first one keeps its socket", async () => {
    const settings = settingsFor("twice");
    const signer = await run(settings);
    await expect(run(settings)).rejects.toThrow("already using it");
    const client = clientOf(signer.socketPath);
    expect(await client.highestIssued("BTC", "bech32")).toBeNull();
    client.close();
    await signer.close();
  });

  it("shortens a socket path that is too long, the same way on both sides", async () => {
    const settings = settingsFor("x".repeat(120));
    const signer = await run(settings);
    expect(signer.socketPath).toBe(signerSocketPath(settings.folder));
    expect(signer.socketPath.length).toBeLessThan(104);
    const client = clientOf(signer.socketPath);
    expect(await client.accountKeys()).toHaveLength(26);
    client.close();
    await signer.close();
    await rm(join(signer.socketPath, ".."), { recursive: true });
  });

  it("ends when a line cannot be written, and goes on after the next start", async () => {
    const copyFolder = "/copies/";
    const disk = createPowerLossDisk(() => 0);
    const replaced = replaceFileSystem(() => disk, [copyFolder]);
    const settings = { ...settingsFor("full"), copyFolder };
    try {
      const signer = await run(settings);
      const client = clientOf(signer.socketPath);
      const range = { keyspace: "evm", addressType: "", first: 0, last: 9 };
      expect(await client.recordIssued(range)).toEqual({ kind: "recorded" });
      disk.limit(`${copyFolder}issued.journal`, 20);
      const next = { ...range, first: 10, last: 19 };
      await expect(client.recordIssued(next)).rejects.toThrow(Unavailable);
      expect(await signer.ended).toContain("cannot be written: the disk is full");
      await signer.close();

      disk.limit(`${copyFolder}issued.journal`, 1_000_000);
      const again = await run(settings);
      expect(await client.recordIssued(next)).toEqual({ kind: "refused", highest: 19 });
      client.close();
      await again.close();
    } finally {
      replaced.restore();
    }
  });

  it("rejects a wrong passphrase and leaves the folder free for the right one", async () => {
    const settings = settingsFor("wrong");
    await (await run(settings)).close();
    const other = join(home, "other-passphrase");
    await writeFile(other, "wrong horse");
    await expect(run({ ...settings, passphrase: { kind: "file", path: other } })).rejects.toThrow(
      "wrong passphrase",
    );
    await (await run(settings)).close();
  });

  it("removes the passphrase from its environment", async () => {
    process.env["SLUICE_TEST_PASSPHRASE"] = "correct horse";
    const passphrase = { kind: "environment", name: "SLUICE_TEST_PASSPHRASE" } as const;
    await (await run({ ...settingsFor("environment"), passphrase })).close();
    expect(process.env["SLUICE_TEST_PASSPHRASE"]).toBeUndefined();
  });

  it("creates no keystore in production and never replaces a lost one", async () => {
    const none = settingsFor("none");
    await expect(run({ ...none, createWithCost: null })).rejects.toThrow("ENOENT");
    const lost = settingsFor("lost");
    await (await run(lost)).close();
    await rm(join(lost.folder, "keystore.json"));
    await expect(run(lost)).rejects.toThrow("restore it");
  });

  it("answers malformed requests, and an endless line ends only its own connection", async () => {
    const signer = await run(settingsFor("garbage"));
    const raw = connect(signer.socketPath);
    raw.write('{"id":1}\nnonsense\n{"id":2,"call":{"method":"recordIssued","keyspace":"BTC"}}\n');
    let answers = "";
    raw.setEncoding("utf8").on("data", (chunk: string) => {
      answers += chunk;
      if (answers.split("\n").length === 4) raw.write("x".repeat(9_000_000));
    });
    raw.on("error", () => undefined);
    await new Promise((resolve) => raw.once("close", resolve));
    expect(answers.trim().split("\n")).toEqual(
      Array(3).fill('{"id":null,"error":"not a request","isActive":true,"epoch":0}'),
    );
    const client = clientOf(signer.socketPath);
    expect(await client.accountKeys()).toHaveLength(26);
    client.close();
    await signer.close();
  });

  it("is reported as unavailable when it is absent or does not answer", async () => {
    const absent = clientOf(join(home, "absent.sock"));
    await expect(absent.accountKeys()).rejects.toThrow(Unavailable);

    const path = join(home, "silent.sock");
    const silent = createServer(() => undefined).listen(path);
    const client = clientOf(path, 50);
    const calls = [client.accountKeys(), client.highestIssued("evm", "")];
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow(Unavailable)));
    client.close();
    silent.close();
  });
});
