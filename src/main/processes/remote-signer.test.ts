/** The signer over the network: certificates made by the commands, rights, and their revocation. */
import { X509Certificate } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type DeploymentFiles,
  openTerminal,
  writeDeployment,
} from "../../../test/support/command-line.ts";
import { secondsBetween } from "../../platform/kernel/clock.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { RemoteSigner } from "../../signer/signer-address.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import { signerSettings } from "../build/signer-settings.ts";
import {
  allowClient,
  createCertificates,
  issueCertificate,
  listClients,
  parseRights,
  revokeClient,
} from "../commands/signer-certificates.ts";
import { readConfig } from "../config/read-config.ts";
import { type RunningSigner, runSigner } from "./run-signer.ts";

const terminal = openTerminal();
const hosts = { hosts: ["127.0.0.1"], days: 30, isRenewal: false };
const range = { keyspace: "evm", addressType: "", first: 0, last: 9 };
let files: DeploymentFiles;
let signer: RunningSigner;
let clientFolder = "";
const open: SignerClient[] = [];

beforeAll(async () => {
  files = await writeDeployment("postgres://127.0.0.1:1/none");
  clientFolder = join(files.folder, "clients");
  await createCertificates(files.configFile, hosts, terminal);
  signer = await start(files);
});
afterAll(async () => {
  for (const client of open) client.close();
  await signer.close();
  await files.remove();
});
beforeEach(() => terminal.lines());

async function start({ configFile }: DeploymentFiles): Promise<RunningSigner> {
  const config = await readConfig(configFile);
  const listening = { ...config.signer, listen: { host: "127.0.0.1", port: 0 } };
  const cost = { memoryKib: 64, passes: 1, threads: 1 };
  const settings = signerSettings({ ...config, signer: listening }, cost);
  return runSigner(settings, { random: systemRandom, logger: silentLogger, clock: systemClock });
}

async function issue(name: string, rights: string): Promise<void> {
  const options = { rights: parseRights(rights), days: 30, folder: clientFolder };
  await issueCertificate(files.configFile, name, options, terminal);
}

function connectAs(name: string, more: Partial<RemoteSigner> = {}): SignerClient {
  const client = createSignerClient({
    address: {
      kind: "remote",
      host: "127.0.0.1",
      port: signer.port ?? 0,
      certificateFile: join(clientFolder, `${name}.crt`),
      keyFile: join(clientFolder, `${name}.key`),
      authorityFile: join(clientFolder, "signer-ca.crt"),
      ...more,
    },
    clock: systemClock,
  });
  open.push(client);
  return client;
}

describe("the signer over the network", () => {
  it("answers a listed client within its rights, and refuses the other calls", async () => {
    await issue("worker-1", "addresses");
    const client = connectAs("worker-1");
    expect(await client.rights()).toEqual(["addresses"]);
    expect(await client.accountKeys()).not.toHaveLength(0);
    expect(await client.readMark()).toBeNull();
    expect(await client.recordIssued(range)).toEqual({ kind: "recorded" });
    const refused = 'this client lacks the right "sign"';
    await expect(client.signedSpends("BTC", 0)).rejects.toThrow(refused);
    await expect(client.payoutsSigned([])).rejects.toThrow(refused);
    await expect(client.mark({ generation: 1, numbers: {} })).rejects.toThrow(refused);
    expect(await client.readMark()).toBeNull();

    const daysUntil = (at = systemClock.now()) => secondsBetween(systemClock.now(), at) / 86_400;
    const expiries = client.certificateExpiries();
    expect(daysUntil(expiries?.client)).toBeCloseTo(30, 0);
    expect(daysUntil(expiries?.signer)).toBeCloseTo(30, 0);

    await issue("worker-2", "sign");
    const other = connectAs("worker-2");
    expect(await other.mark({ generation: 1, numbers: {} })).toEqual({ kind: "marked" });
    await expect(other.recordIssued(range)).rejects.toThrow("lacks the right");
  });

  it("grants and revokes without a restart, also on open connections", async () => {
    await issue("leaving", "addresses,sign");
    const client = connectAs("leaving");
    expect(await client.highestIssued("evm", "")).not.toBeNull();
    await allowClient(files.configFile, "leaving", [], terminal);
    await expect(client.highestIssued("evm", "")).rejects.toThrow("lacks the right");
    await revokeClient(files.configFile, "leaving", terminal);
    await expect(client.accountKeys()).rejects.toThrow(Unavailable);
    await expect(client.accountKeys()).rejects.toThrow(Unavailable);
    await expect(revokeClient(files.configFile, "leaving", terminal)).rejects.toThrow(
      "lists no client leaving",
    );
  });

  it("accepts only the newest certificate of a name that it issued", async () => {
    await issue("replaced", "sign");
    const before = connectAs("replaced");
    expect(await before.rights()).toEqual(["sign"]);
    const [oldCertificate, oldKey] = [
      await readFile(join(clientFolder, "replaced.crt")),
      await readFile(join(clientFolder, "replaced.key")),
    ];
    await issue("replaced", "sign");
    expect(await readFile(join(clientFolder, "replaced.crt"))).not.toEqual(oldCertificate);
    expect(await readFile(join(clientFolder, "replaced.key"))).not.toEqual(oldKey);
    await expect(before.rights()).rejects.toThrow(Unavailable);
    expect(await connectAs("replaced").rights()).toEqual(["sign"]);
  });

  it("refuses clients without a certificate of its authority", async () => {
    await issue("known", "sign");
    const stranger = await writeDeployment("postgres://127.0.0.1:1/none");
    await createCertificates(stranger.configFile, hosts, terminal);
    const folder = join(stranger.folder, "clients");
    const options = { rights: parseRights("sign"), days: 30, folder };
    await issueCertificate(stranger.configFile, "known", options, terminal);
    const foreign = connectAs("known", {
      certificateFile: join(folder, "known.crt"),
      keyFile: join(folder, "known.key"),
    });
    await expect(foreign.accountKeys()).rejects.toThrow(Unavailable);
    // The other way round: a signer of another authority.
    const trusting = connectAs("known", { authorityFile: join(folder, "signer-ca.crt") });
    await expect(trusting.accountKeys()).rejects.toThrow("certificate signature failure");
    await stranger.remove();

    const raw = connect(signer.port ?? 0, "127.0.0.1");
    raw.on("error", () => undefined);
    raw.write('{"id":1,"call":{"method":"accountKeys"}}\n');
    let answer = "";
    raw.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    await new Promise((resolve) => raw.once("close", resolve));
    expect(answer).not.toContain("keyspace");
    expect(await connectAs("known").rights()).toEqual(["sign"]);
  });

  it("is refused by clients that reach it under another name than its certificate has", async () => {
    await issue("careful", "sign");
    const client = connectAs("careful", { host: "localhost" });
    await expect(client.accountKeys()).rejects.toThrow("does not match certificate's altnames");
    expect(await connectAs("careful").rights()).toEqual(["sign"]);
  });

  it("admits no one while its list cannot be read", async () => {
    await issue("worker-3", "sign");
    const client = connectAs("worker-3");
    expect(await client.rights()).toEqual(["sign"]);
    const list = join(files.signerFolder, "tls", "clients.json");
    const text = await readFile(list, "utf8");
    await writeFile(list, text.slice(0, -20));
    await expect(client.rights()).rejects.toThrow(Unavailable);
    await writeFile(list, text);
    expect(await client.rights()).toEqual(["sign"]);
  });

  it("lists its clients, protects the keys, and keeps an existing authority", async () => {
    await issue("listed", "none");
    terminal.lines();
    await listClients(files.configFile, terminal);
    expect(terminal.lines().join("\n")).toMatch(
      /^listed +no rights +([0-9A-F]{2}:){31}[0-9A-F]{2}$/m,
    );
    for (const path of [
      join(files.signerFolder, "tls", "ca.key"),
      join(clientFolder, "listed.key"),
    ]) {
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    await expect(createCertificates(files.configFile, hosts, terminal)).rejects.toThrow(
      "use renew",
    );
    const renewed = { hosts: ["signer.internal", "10.0.0.5"], days: 30, isRenewal: true };
    await createCertificates(files.configFile, renewed, terminal);
    const certificate = new X509Certificate(
      await readFile(join(files.signerFolder, "tls", "signer.crt")),
    );
    expect(certificate.checkHost("signer.internal")).toBe("signer.internal");
    expect(certificate.checkIP("10.0.0.5")).toBe("10.0.0.5");
    expect(certificate.checkIP("127.0.0.1")).toBeUndefined();
    await expect(issue("../escape", "sign")).rejects.toThrow("is not a name");
    expect(() => parseRights("sign,spend")).toThrow('no right "spend"');
  });
});
