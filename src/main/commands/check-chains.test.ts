/** `sluice check` asks the servers of older ledgers too. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTerminal, writeDeployment } from "../../../test/support/command-line.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "../../sandbox/stellar/start-stellar.ts";
import { checkDeployment } from "./check-deployment.ts";

const { url } = useDatabase();
const terminal = openTerminal();

let folder = "";
let network: Stellar;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-check-"));
  network = await startStellar({
    folder,
    port: 0,
    minesOnTime: false,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

async function linesOf(history: string, passphrase = network.networkPassphrase) {
  const chain = { network: "regtest", nodes: [network.rpcUrl], network_passphrase: passphrase };
  const { configFile } = await writeDeployment(url, {
    chains: { XLM: { ...chain, start_height: 1, history: [history] } },
  });
  await checkDeployment(configFile, terminal);
  return terminal.lines().filter((line) => line.includes("XLM history"));
}

describe("sluice check", () => {
  it("reports which ledgers a history has", async () => {
    expect(await linesOf(network.horizonUrl)).toEqual([
      expect.stringMatching(/^ok {5}XLM history 127\.0\.0\.1:\d+: ledgers 1 to \d+$/),
    ]);
  });

  it("reports a history of another network, and one that is no Horizon", async () => {
    const [other] = await linesOf(network.horizonUrl, "Another network");
    expect(other).toMatch(/^WRONG {2}XLM history .*: .*network/);
    const [none] = await linesOf(`${network.rpcUrl}/nothing`);
    expect(none).toMatch(/^WRONG {2}XLM history /);
  });
});
