import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import {
  type MoneroNode,
  type MoneroNodeOptions,
  startMoneroNode,
} from "../../src/sandbox/monero-node.ts";

/** monerod and monero-wallet-rpc, or what to do about a missing one. */
function findMonero(): MoneroNodeOptions["programs"] | string {
  const environment = {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  };
  const monerod = findDaemon("monerod", environment);
  const walletRpc = findDaemon("monero-wallet-rpc", environment);
  if (monerod.kind === "missing") return monerod.reason;
  if (walletRpc.kind === "missing") return walletRpc.reason;
  return { monerod: monerod.path, walletRpc: walletRpc.path };
}

/** Registers tests that need Monero's programs; without them they count as skipped, under a name with the reason and the remedy. */
export function describeWithMonero(
  name: string,
  body: (programs: MoneroNodeOptions["programs"]) => void,
): void {
  const programs = findMonero();
  if (typeof programs !== "string") {
    describe(name, () => {
      body(programs);
    });
    return;
  }
  console.warn(`NOT RUN: ${name}: ${programs}`);
  test.skip(`${name}: NOT RUN, ${programs}`, () => undefined);
}

export type TestMonero = Omit<MoneroNode, "stop"> & {
  readonly folder: string;
  readonly stop: () => Promise<void>;
};

/** A private chain in a temporary folder, which is removed with it. */
export async function startTestMonero(
  programs: MoneroNodeOptions["programs"],
  more: Partial<MoneroNodeOptions> = {},
): Promise<TestMonero> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-monero-"));
  const node = await startMoneroNode({
    chain: "XMR",
    programs,
    folder,
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    ...more,
  });
  return {
    ...node,
    folder,
    stop: async () => {
      await node.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
