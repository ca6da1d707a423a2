import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApprovalKeyFiles } from "../../src/main/build/approval-keys.ts";
import { signerAddresses } from "../../src/main/build/signer-address.ts";
import { sandboxConfig } from "../../src/main/config/sandbox-config.ts";
import { Teardown } from "../../src/main/processes/teardown.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { createKeystore } from "../../src/signer/keys/keystore.ts";
import { createSignerClient } from "../../src/signer/signer-client.ts";
import { describeWithProgram } from "../support/describe-with-program.ts";
import { eventually } from "../support/eventually.ts";
import { createNetwork, type Network } from "./network.ts";
import { pairedSigners } from "./paired-signers.ts";
import { describePart, type Part } from "./part.ts";
import { ownProgram } from "./program-part.ts";
import { seededChoices } from "./seeded-choices.ts";
import type { Signers } from "./signers.ts";

/* The two signers of a run are a pair: one takes over from the other one, and every way to and between them can be disturbed. */

const keyCost = { memoryKib: 8_192, passes: 1, threads: 1 };
const never = new AbortController().signal;
const choices = seededChoices(1);

describeWithProgram("etcd", "the signers of a run", (etcd) => {
  const ownEnds: string[] = [];
  const teardown = new Teardown(silentLogger);
  let home = "";
  let signers: Signers;
  let network: Network;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "chaos-pair-"));
    const config = sandboxConfig({
      home,
      host: "127.0.0.1",
      port: 1,
      databaseUrl: "postgres://nobody@127.0.0.1:1/none",
      chains: {},
      unselected: [],
      rateSources: [{ source: "kraken", baseUrl: "http://127.0.0.1:1" }],
      screeningUrl: "http://127.0.0.1:1",
      mail: null,
    });
    const configFile = join(home, "config.json");
    await writeFile(configFile, JSON.stringify({ ...config, log: { level: "info" } }));
    await writeFile(config.signer.passphrase_file, "correct horse");
    await mkdir(config.signer.folder, { mode: 0o700 });
    const path = join(config.signer.folder, "keystore.json");
    const passphrase = Buffer.from("correct horse");
    await createKeystore({ path, passphrase, random: systemRandom, cost: keyCost });
    await createApprovalKeyFiles(config, systemRandom);
    network = createNetwork(true, teardown);
    const programSite = {
      configFile,
      logFolder: home,
      programOf: () => ownProgram,
      onOwnEnd: (what: string) => ownEnds.push(what),
    };
    const start = async (part: Part): Promise<void> => {
      teardown.add(part.name, part.stop);
      await part.start();
    };
    signers = await pairedSigners({
      settings: config.signer,
      network,
      programSite,
      disks: new Map(),
      start,
      etcd,
      workers: ["worker-1"],
    });
    for (const part of signers.parts) await start(part);
  });

  afterAll(async () => {
    await teardown.run();
    await rm(home, { recursive: true, force: true });
  });

  const described = (): Promise<readonly string[]> => Promise.all(signers.parts.map(describePart));

  it("reach each other and their witness through relays, and so do workers", async () => {
    expect(await signers.untilInSync(600_000, never)).toBeNull();
    const client = createSignerClient({
      ...signerAddresses(await signers.accessOf("worker-1")),
      clock: systemClock,
    });
    expect(await client.pairState()).toMatchObject({ name: "signer-1", isInSync: true });
    client.close();
    expect(network.edges.map(({ from, to }) => `${from} to ${to}`).toSorted()).toEqual([
      "signer-1 to signer-2",
      "signer-1 to witness",
      "signer-2 to signer-1",
      "signer-2 to witness",
      "worker-1 to signer-1",
      "worker-1 to signer-2",
    ]);
  });

  it("take over from each other, and the one that was replaced ends without a fault", async () => {
    expect(await described()).toEqual(["witness", "signer-1 (active)", "signer-2 (standby)"]);
    const [, first] = signers.parts;
    // Longer than a takeover takes: what it wakes up to is another signer's epoch.
    const paused = first?.pause?.(30_000);
    await eventually(described, ([, , second]) => second === "signer-2 (active)");
    await paused;
    expect(await signers.untilInSync(600_000, never)).toBeNull();
    expect(await described()).toEqual(["witness", "signer-1 (standby)", "signer-2 (active)"]);
    expect(ownEnds).toEqual([]);
  });

  it("go on with a witness that was killed", async () => {
    const [witness, , second] = signers.parts;
    await witness?.kill(choices);
    await witness?.start();
    await second?.kill(choices);
    await eventually(described, ([, active]) => active === "signer-1 (active)");
    await second?.start();
    expect(await signers.untilInSync(600_000, never)).toBeNull();
  });
});
