import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createCertificates, remoteOf } from "../../src/main/cluster/start-signers.ts";
import type { Config } from "../../src/main/config/config.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { readSeenEpoch } from "../../src/signer/pair/epoch-file.ts";
import { createEtcdWitness } from "../../src/signer/pair/etcd-witness.ts";
import type { Witness } from "../../src/signer/pair/witness.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { configureProcess } from "./network.ts";
import type { Part } from "./part.ts";
import { programPart } from "./program-part.ts";
import {
  fillDiskOf,
  readyLine,
  type Signers,
  type SignersSite,
  spendJournalIn,
} from "./signers.ts";
import { witnessPart } from "./witness-part.ts";

/** Less than a fault lasts at most, so that some of them end in a takeover. */
const takeoverSeconds = 3;
const recordKey = "sluice/signer";
const pollMs = 200;

/** Names and folders of the two, of which the first has the keystore and is active at first. */
export function pairFolders({
  folder,
}: Pick<Config["signer"], "folder">): Readonly<Record<"signer-1" | "signer-2", string>> {
  return { "signer-1": folder, "signer-2": `${folder}-2` };
}

/**
 * Two signers with one keystore, which workers and each other reach over TLS, and etcd as their witness. The witness runs already when this
 * resolves: it holds the pair's record.
 */
export async function pairedSigners(
  site: SignersSite & { readonly etcd: string; readonly workers: readonly string[] },
): Promise<Signers> {
  const { settings, network, etcd, workers } = site;
  const folders = pairFolders(settings);
  const home = dirname(settings.folder);
  const ports = { "signer-1": await quietPort(), "signer-2": await quietPort() };
  const names = ["signer-1", "signer-2"] as const;
  const witness = witnessPart({
    program: etcd,
    folder: join(home, "etcd"),
    port: await quietPort(),
    peerPort: await quietPort(),
  });
  const accessOf = await createCertificates(
    { clock: systemClock, folder: home },
    folders["signer-1"],
    { signers: names, workers },
  );
  await cp(folders["signer-1"], folders["signer-2"], { recursive: true });
  await site.start(witness);
  const record = createEtcdWitness({ endpoints: [witness.url], key: recordKey });
  await record.replace(
    { epoch: 1, active: "signer-1", inSync: ["signer-1"], folderToken: null },
    null,
  );
  const signer = async (name: keyof typeof folders): Promise<Part> => {
    const peer = name === "signer-1" ? "signer-2" : "signer-1";
    const reached = accessOf(name, await network.layPort(name, peer, ports[peer]));
    const itsSettings = {
      ...settings,
      folder: folders[name],
      listen: { host: "127.0.0.1", port: ports[name] },
      pair: {
        name,
        takeover_seconds: takeoverSeconds,
        peer: { name: peer, ...reached },
        witness: {
          endpoints: [await network.lay(name, witness.name, witness.url)],
          record_key: recordKey,
        },
      },
    };
    const { configFile } = site.programSite;
    const ofProcess = { name, servers: {}, own: { signer: itsSettings } };
    return programPart(
      { ...site.programSite, configFile: await configureProcess(network, configFile, ofProcess) },
      "signer",
      name,
      readyLine,
      {
        role: () => roleOf(name, Object.values(folders)),
        fillDisk: fillDiskOf(folders[name], site.disks),
        mayEnd: wasReplaced,
      },
    );
  };
  return {
    parts: [witness, await signer("signer-1"), await signer("signer-2")],
    journals: Object.fromEntries(names.map((name) => [name, spendJournalIn(folders[name])])),
    accessOf: async (client) => {
      const laid = names.map((name) => network.layPort(client, name, ports[name]));
      return { ...settings, remote: remoteOf(accessOf, client, await Promise.all(laid)) };
    },
    untilInSync: (patienceMs, signal) => untilInSync(record, patienceMs, signal),
  };
}

/** A signer that was replaced ends, and comes back as the standby. */
function wasReplaced(printed: string): boolean {
  return printed.includes("has to be started again: another signer is active");
}

/** As the folders say, one of which belongs to the active signer. */
async function roleOf(name: string, folders: readonly string[]): Promise<string> {
  const seen = await Promise.all(folders.map((folder) => readSeenEpoch(folder).catch(() => null)));
  const [newest] = seen
    .flatMap((one) => (one === null ? [] : [one]))
    .toSorted((a, b) => b.epoch - a.epoch);
  return newest?.active === name ? "active" : "standby";
}

async function untilInSync(
  witness: Witness,
  patienceMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const giveUpAt = systemClock.now() + patienceMs * 1_000;
  for (;;) {
    const seen = await witness.read().catch(() => null);
    if (seen?.record.inSync.length === 2) return null;
    if (systemClock.now() > giveUpAt) return `in sync: ${seen?.record.inSync.join() ?? "unknown"}`;
    await systemClock.sleep(pollMs, signal);
    signal.throwIfAborted();
  }
}
