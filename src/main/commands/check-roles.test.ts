/** `sluice check --role` passes on a host that has only what its processes read, and reports what of that is wrong. */
import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { describeWithEtcd, type Etcd } from "../../../test/support/etcd.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type RateServer, startRateServer } from "../../sandbox/rate-server.ts";
import { createEtcdWitness } from "../../signer/pair/etcd-witness.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { readConfig } from "../config/read-config.ts";
import { runSigner } from "../processes/run-signer.ts";
import { checkDeployment } from "./check-deployment.ts";
import { parseRoles } from "./check-role.ts";
import { initializeKeys } from "./initialize-keys.ts";
import { createCertificates, issueCertificate } from "./signer-certificates.ts";

const { url } = useDatabase();
const terminal = openTerminal();
/** Nobody listens there. */
const nowhere = "postgres://sluice@127.0.0.1:1/sluice";
const unreachable = {
  host: "127.0.0.1",
  port: 1,
  certificate_file: "worker-1.crt",
  key_file: "worker-1.key",
  authority_file: "signer-ca.crt",
};

const written: DeploymentFiles[] = [];
afterEach(async () => {
  for (const files of written.splice(0)) await files.remove();
});

/** A host whose nodes do not answer. `more` names its files by their folder. */
async function host(
  databaseUrl: string,
  more: (folder: string) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<DeploymentFiles> {
  const chains = { BTC: { network: "regtest", nodes: ["http://127.0.0.1:1"] } };
  const files = await writeDeployment(databaseUrl, { chains });
  written.push(files);
  const config = JSON.parse(await readFile(files.configFile, "utf8")) as object;
  await writeFile(files.configFile, JSON.stringify({ ...config, ...more(files.folder) }));
  return files;
}

/** A signer's host with a keystore and the public half of the approval key; the key itself is on the host of the API. */
async function signerHost(more: Readonly<Record<string, unknown>> = {}): Promise<DeploymentFiles> {
  const files = await host(nowhere, (folder) => ({
    signer: {
      folder: join(folder, "signer"),
      passphrase_file: join(folder, "passphrase"),
      approval_key_files: [join(folder, "approval.pub")],
      ...more,
    },
    payouts: { approval_key_file: join(folder, "approval.key") },
  }));
  const cost = { memoryKib: 64, passes: 1, threads: 1 };
  await initializeKeys(files.configFile, { showWords: false, wordsFile: null, cost }, terminal);
  terminal.lines();
  await rm(files.dataKeyFile);
  return files;
}

async function start(files: DeploymentFiles, listen: object = {}) {
  const config = await readConfig(files.configFile);
  const settings = { ...config, signer: { ...config.signer, ...listen } };
  const world = { random: systemRandom, logger: silentLogger, clock: systemClock };
  return runSigner(signerSettings(settings, null), world);
}

/** Whether everything works, the lines without the folder of the files, and which of them are findings. */
async function check({ configFile, folder }: DeploymentFiles, roles: string) {
  const isWell = await checkDeployment(configFile, terminal, { roles: parseRoles(roles) });
  const lines = terminal.lines().map((line) => line.replaceAll(folder, ""));
  return { isWell, lines, findings: lines.filter((line) => !line.startsWith("       note: ")) };
}

describe("sluice check --role api", () => {
  it("passes without a signer, its files and the nodes", async () => {
    const signer = await signerHost();
    const files = await host(url, (folder) => ({
      payouts: { approval_key_file: join(folder, "approval.key") },
    }));
    await copyFile(join(signer.folder, "approval.key"), join(files.folder, "approval.key"));
    const publicKey = (await readFile(join(signer.folder, "approval.pub"), "utf8")).trim();
    await rm(files.passphraseFile);
    const { isWell, findings } = await check(files, "api");
    expect(findings).toEqual([
      "ok     configuration /sluice.json",
      expect.stringMatching(/^ok {5}database /),
      "ok     data key /data.key: 32 bytes",
      expect.stringMatching(/^ok {5}stored secrets: 0/),
      expect.stringMatching(/^ok {5}books: 0 currencies/),
      expect.stringMatching(/^ok {5}audit logs: /),
      `ok     approval key /approval.key: it can be read, its public key is ${publicKey}; \`sluice check --role signer\` on the signer's machine shows whether that is accepted`,
      "All checks of api passed.",
    ]);
    expect(isWell).toBe(true);
    const elsewhere = await check(signer, "signer");
    expect(elsewhere.lines).toContain(`ok     approval keys: the signer accepts ${publicKey}`);
  });

  it("reports a data key that is missing", async () => {
    const files = await host(url);
    await rm(files.dataKeyFile);
    const { isWell, findings } = await check(files, "api");
    expect(isWell).toBe(false);
    expect(findings.slice(2)).toEqual([
      expect.stringMatching(/^WRONG {2}data key \/data\.key: it does not exist/),
      "Some checks of api failed: see the lines that start with WRONG.",
    ]);
  });
});

describe("sluice check --role worker", () => {
  let rates: RateServer;
  beforeAll(async () => {
    rates = await startRateServer();
  });
  afterAll(() => rates.close());

  /** Has no files of the signer, and no approval key. */
  const workerHost = (remote: object) =>
    host(url, (folder) => ({
      chains: {},
      rates: {
        sources: rates.sources.map(({ source, baseUrl }) => ({ source, base_url: baseUrl })),
      },
      signer: { remote },
      payouts: { approval_key_file: join(folder, "approval.key") },
    }));

  it("passes without the signer's files and the approval key, and asks the signer it reaches", async () => {
    const signer = await signerHost();
    await createCertificates(
      signer.configFile,
      { hosts: ["127.0.0.1"], days: 365, isRenewal: false },
      terminal,
    );
    await issueCertificate(
      signer.configFile,
      "worker-1",
      { rights: ["addresses", "sign"], days: 365, folder: signer.folder },
      terminal,
    );
    terminal.lines();
    const running = await start(signer, { listen: { host: "127.0.0.1", port: 0 } });
    const place = (name: string) => join(signer.folder, name);
    const files = await workerHost({
      host: "127.0.0.1",
      port: running.port,
      certificate_file: place("worker-1.crt"),
      key_file: place("worker-1.key"),
      authority_file: place("signer-ca.crt"),
    });
    const { isWell, lines, findings } = await check(files, "worker");
    await running.close();
    expect(findings).toContain(
      `ok     signer 127.0.0.1:${running.port}: running, its keys are those of the configured networks; rights of this client: addresses, sign`,
    );
    expect(findings).toContainEqual(expect.stringMatching(/^ok {5}marks of database and signer: /));
    expect(findings).toContainEqual(expect.stringMatching(/^ok {5}rates /));
    expect(lines.join("\n")).not.toMatch(/approval key|limits\.json|audit\.log|copy_folder/);
    expect(findings.at(-1)).toBe("All checks of worker passed.");
    expect(isWell).toBe(true);
  });

  it("reports a signer that it cannot reach, and leaves the keystore of this machine to the role signer", async () => {
    const remote = await workerHost(unreachable);
    expect((await check(remote, "worker")).findings).toContainEqual(
      expect.stringMatching(/^WRONG {2}signer 127\.0\.0\.1:1: signer: ENOENT.*worker-1\.crt/),
    );
    const local = await host(url);
    expect((await check(local, "worker")).findings).toContain(
      "ok     signer /signer: not running; `sluice check --role signer` checks its keystore",
    );
  });
});

describe("sluice check --role signer", () => {
  it("passes without database, data key, nodes and the API's approval key", async () => {
    const files = await signerHost();
    await rm(join(files.folder, "approval.key"));
    const passing = async () => {
      const { isWell, findings } = await check(files, "signer");
      expect(isWell).toBe(true);
      return findings;
    };
    const expected = (signer: string, ...more: readonly unknown[]) => [
      "ok     configuration /sluice.json",
      `ok     signer /signer: ${signer}`,
      ...more,
      expect.stringMatching(/^ok {5}approval keys: the signer accepts [\w+/]{43}=$/) as unknown,
      "ok     signer limits /signer/limits.json: none, on all chains",
      "ok     copy folder: none",
      "All checks of signer passed.",
    ];
    expect(await passing()).toEqual(
      expected("not running; its keystore opens with the passphrase"),
    );
    const running = await start(files);
    expect(await passing()).toEqual(
      expected(
        "running, its keys are those of the configured networks",
        expect.stringMatching(/^ok {5}audit log \/signer\/audit\.log: 0 entries, none altered/),
      ),
    );
    await running.close();
  });

  it("asks the signer of this machine although the file says where workers reach theirs", async () => {
    const files = await signerHost({ remote: unreachable });
    expect((await check(files, "signer")).findings).toContain(
      "ok     signer /signer: not running; its keystore opens with the passphrase",
    );
    const both = await check(files, "signer,worker");
    expect(both.findings).toContain(
      "ok     signer /signer: not running; its keystore opens with the passphrase",
    );
    expect(both.findings).toContainEqual(
      expect.stringMatching(/^WRONG {2}signer 127\.0\.0\.1:1: /),
    );
  });

  it("reports a wrong passphrase, a list without approval keys, and a host without a signer", async () => {
    const files = await signerHost();
    await writeFile(files.passphraseFile, "wrong horse");
    await chmod(files.passphraseFile, 0o600);
    await writeFile(join(files.folder, "approval.pub"), "no key");
    const wrong = await check(files, "signer");
    expect(wrong.isWell).toBe(false);
    expect(wrong.findings.filter((line) => line.startsWith("WRONG"))).toEqual([
      expect.stringMatching(/^WRONG {2}signer \/signer: .*wrong passphrase/),
      expect.stringMatching(/^WRONG {2}approval keys: /),
    ]);
    const none = await host(nowhere, () => ({ signer: { remote: unreachable } }));
    expect((await check(none, "signer")).findings).toContainEqual(
      expect.stringMatching(
        /^WRONG {2}signer of this machine: signer\.folder and signer\.passphrase_file are not set/,
      ),
    );
  });
});

describeWithEtcd("sluice check --role signer of a pair", (startEtcd) => {
  let etcd: Etcd;
  beforeAll(async () => {
    etcd = await startEtcd();
  });
  afterAll(() => etcd.close());

  it("reads the witness's record", async () => {
    const witness = { endpoints: [etcd.url], record_key: "sluice/check" };
    const peer = { name: "two", ...unreachable };
    const files = await signerHost({ pair: { name: "one", peer, witness } });
    const pair = async () => {
      const { lines } = await check(files, "signer");
      const place = lines.findIndex((line) => line.includes("pair of one and two"));
      return lines.slice(place, place + 2);
    };
    expect((await pair())[0]).toMatch(
      /^WRONG {2}pair of one and two: the witness has no record of it: run `sluice signer pair create`/,
    );
    const { replace } = createEtcdWitness({ ...witness, key: witness.record_key });
    const alone = { epoch: 1, active: "two", inSync: ["two"], folderToken: null };
    const revision = await replace(alone, null);
    expect(await pair()).toEqual([
      "ok     pair of one and two: two is active; in sync: two",
      "       note: one is not in sync: it cannot take over",
    ]);
    await replace({ ...alone, inSync: ["two", "one"] }, revision);
    expect((await pair())[0]).toBe("ok     pair of one and two: two is active; in sync: two, one");
  });
});

describe("the roles of sluice check", () => {
  it("are repeated or in a list with commas, each once, and no other", () => {
    expect(parseRoles("api, worker")).toEqual(new Set(["api", "worker"]));
    expect(parseRoles("signer,api", parseRoles("api"))).toEqual(new Set(["api", "signer"]));
    expect(() => parseRoles("api,judge")).toThrow('no role "judge": use api, worker, signer');
    expect(() => parseRoles("")).toThrow('no role ""');
  });
});
