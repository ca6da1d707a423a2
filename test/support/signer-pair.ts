import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyTrees } from "../../src/main/families/families.ts";
import { runSigner, type SignerSettings } from "../../src/main/processes/run-signer.ts";
import { type SignerChild, startSigner } from "../../src/main/processes/start-signer.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import {
  type ApprovalKey,
  createApprovalKey,
  readApprovalKey,
} from "../../src/signer/keys/approval-key.ts";
import { createEtcdWitness } from "../../src/signer/pair/etcd-witness.ts";
import type { Witness } from "../../src/signer/pair/witness.ts";
import {
  createAuthority,
  issueForClient,
  issueForSigner,
} from "../../src/signer/remote/create-certificates.ts";
import type { RemoteSigner } from "../../src/signer/signer-address.ts";
import { createSignerClient, type SignerClient } from "../../src/signer/signer-client.ts";
import { type Etcd, freePort } from "./etcd.ts";
import { startTcpGate, type TcpGate } from "./tcp-gate.ts";

const names = ["a", "b"] as const;
export type SignerName = (typeof names)[number];

/** The connections that a test can cut. */
export type LinkName = "a-b" | "b-a" | "a-etcd" | "b-etcd" | "worker-a" | "worker-b";

/** Two signers as processes, restarted whenever they end, with a gate in every connection. */
export type SignerPairSite = {
  readonly witness: Witness;
  readonly approvalKey: ApprovalKey;
  readonly links: Readonly<Record<LinkName, TcpGate>>;
  readonly folderOf: (name: SignerName) => string;
  /** A worker's client, which knows both signers. */
  readonly connect: () => SignerClient;
  /** Kills the process, which stays away until `start`. */
  readonly kill: (name: SignerName) => Promise<void>;
  readonly start: (name: SignerName) => void;
  /** Sends a signal to the process. It is started again when it ends. */
  readonly signal: (name: SignerName, signal: NodeJS.Signals) => Promise<void>;
  readonly active: () => Promise<SignerName>;
  /** Resolves once both are in sync, and the record tells their folders from copies. */
  readonly untilInSync: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Creates keystore, certificates and the witness's record, and starts both signers with `a` as the active one. */
export async function startSignerPair(
  etcd: Etcd,
  takeoverSeconds: number,
): Promise<SignerPairSite> {
  const home = await mkdtemp(join(tmpdir(), "sluice-pair-"));
  const folderOf = (name: SignerName): string => join(home, name);
  await writeFile(join(home, "passphrase"), "correct horse");
  await createApprovalKey(join(home, "approval.key"), systemRandom);
  const approvalKey = await readApprovalKey(join(home, "approval.key"));
  const ports = { a: await freePort(), b: await freePort() };
  const gateTo = (port: number): Promise<TcpGate> => startTcpGate(`tcp://127.0.0.1:${port}`);
  const links: Record<LinkName, TcpGate> = {
    "a-b": await gateTo(ports.b),
    "b-a": await gateTo(ports.a),
    "a-etcd": await startTcpGate(etcd.url),
    "b-etcd": await startTcpGate(etcd.url),
    "worker-a": await gateTo(ports.a),
    "worker-b": await gateTo(ports.b),
  };
  const remote = await createRemotes(home);
  const over = (link: LinkName, client: string): RemoteSigner => ({
    ...remote(client),
    port: Number(new URL(links[link].url).port),
  });
  const key = `pair/${home}`;
  const settingsOf = (name: SignerName): SignerSettings => {
    const other = name === "a" ? "b" : "a";
    const link: LinkName = name === "a" ? "a-b" : "b-a";
    return {
      folder: folderOf(name),
      network: "test",
      keyTrees: keyTrees(),
      passphrase: { kind: "file", path: join(home, "passphrase") },
      createWithCost: null,
      paying: {
        chains: [
          { family: "evm", chain: "ETH", chainId: 1337, assets: { 1002: { kind: "coin" } } },
        ],
        approvalKeys: [approvalKey.publicKey],
        limitsWhenAbsent: "none",
      },
      listen: {
        host: "127.0.0.1",
        port: ports[name],
        files: {
          certificateFile: join(home, "signer.crt"),
          keyFile: join(home, "signer.key"),
          authorityFile: join(home, "ca.crt"),
        },
        clientsFile: join(home, "clients.json"),
      },
      pair: {
        name,
        peer: { name: other, ...over(link, name) },
        witness: { endpoints: [links[`${name}-etcd`].url], key },
        takeoverSeconds,
      },
    };
  };
  await createKeystore(settingsOf("a"));
  await mkdir(folderOf("b"), { mode: 0o700 });
  await cp(join(folderOf("a"), "keystore.json"), join(folderOf("b"), "keystore.json"));
  const witness = createEtcdWitness({ endpoints: [etcd.url], key });
  await witness.replace({ epoch: 1, active: "a", inSync: ["a"], folderToken: null }, null);

  const running = new Map<SignerName, SignerChild>();
  const away = new Set<SignerName>();
  let isClosing = false;
  const keepRunning = async (name: SignerName): Promise<void> => {
    while (!isClosing) {
      if (away.has(name)) {
        await systemClock.sleep(50);
        continue;
      }
      const child = await startSigner(settingsOf(name)).catch(() => null);
      if (child === null) continue;
      running.set(name, child);
      await child.ended;
      running.delete(name);
    }
  };
  const keeping = names.map(keepRunning);
  const read = async () => {
    const seen = await witness.read();
    if (seen === null) throw new Error("the record is gone");
    return seen.record;
  };

  const signal = async (name: SignerName, which: NodeJS.Signals): Promise<void> => {
    const pid = await readFile(join(folderOf(name), "lock.pid"), "utf8").catch(() => null);
    if (pid !== null && running.has(name)) process.kill(Number(pid), which);
  };

  return {
    witness,
    approvalKey,
    links,
    folderOf,
    connect: () =>
      createSignerClient({
        address: { kind: "remote", ...over("worker-a", "worker") },
        second: { kind: "remote", ...over("worker-b", "worker") },
        clock: systemClock,
      }),
    kill: async (name) => {
      away.add(name);
      await signal(name, "SIGKILL");
    },
    start: (name) => void away.delete(name),
    signal,
    active: async () => ((await read()).active === "a" ? "a" : "b"),
    untilInSync: async () => {
      for (;;) {
        const { inSync, folderToken } = await read();
        if (inSync.length === 2 && folderToken !== null) return;
        await systemClock.sleep(100);
      }
    },
    close: async () => {
      isClosing = true;
      const ended = Promise.all(keeping);
      // Also one that a test left paused, and one that is just starting.
      const killing = setInterval(() => {
        for (const name of names) void signal(name, "SIGKILL");
      }, 100);
      await ended;
      clearInterval(killing);
      await Promise.all(Object.values(links).map((link) => link.close()));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Certificates of both signers and of a worker. Returns how a client with that name reaches a signer, without its port. */
async function createRemotes(home: string) {
  const now = systemClock.now();
  const authority = await createAuthority(now);
  const at = (name: string): string => join(home, name);
  await writeFile(at("ca.crt"), authority.certificate);
  const signer = await issueForSigner(authority, ["127.0.0.1"], 30, now);
  await writeFile(at("signer.crt"), signer.certificate);
  await writeFile(at("signer.key"), signer.key);
  for (const name of ["a", "b", "worker"]) {
    const issued = await issueForClient(authority, name, 30, now);
    await writeFile(at(`${name}.crt`), issued.certificate);
    await writeFile(at(`${name}.key`), issued.key);
  }
  const clients = [
    ...names.map((name) => ({ name, rights: ["replicate"], fingerprint: null })),
    { name: "worker", rights: ["addresses", "sign"], fingerprint: null },
  ];
  await writeFile(at("clients.json"), JSON.stringify(clients));
  return (client: string): Omit<RemoteSigner, "port"> => ({
    host: "127.0.0.1",
    certificateFile: at(`${client}.crt`),
    keyFile: at(`${client}.key`),
    authorityFile: at("ca.crt"),
  });
}

/** A signer of its own creates the keystore, as `sluice init` does. */
async function createKeystore(settings: SignerSettings) {
  const { folder, network, keyTrees: trees, passphrase } = settings;
  const cost = { memoryKib: 64, passes: 1, threads: 1 };
  const context = { random: systemRandom, logger: silentLogger, clock: systemClock };
  const signer = await runSigner(
    { folder, network, keyTrees: trees, passphrase, createWithCost: cost },
    context,
  );
  await signer.close();
}
