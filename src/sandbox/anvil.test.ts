import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ethereum } from "../currencies/coins/ethereum.ts";
import { addSeconds } from "../platform/kernel/clock.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import { systemClock } from "../platform/kernel/system-clock.ts";
import { systemRandom } from "../platform/kernel/system-random.ts";
import { processIdentity } from "../platform/processes/process-identity.ts";
import { type Anvil, setNodeTime, startAnvil } from "./anvil.ts";
import { deployTokens } from "./deploy-tokens.ts";

describe("startAnvil", () => {
  /* The sandbox's private chain mines automatically, survives restarts and ends with its owner. */

  const { signal } = new AbortController();
  let folder: string;
  let running: Anvil[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-anvil-"));
  });
  afterEach(async () => {
    for (const anvil of running) await anvil.stop();
    running = [];
    await rm(folder, { recursive: true, force: true });
  });

  async function start(blockSeconds: number | null = null): Promise<Anvil> {
    const anvil = await startAnvil({
      folder,
      port: 0,
      chainId: 1337,
      blockSeconds,
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
    });
    running.push(anvil);
    return anvil;
  }

  async function stop(anvil: Anvil): Promise<void> {
    running = running.filter((other) => other !== anvil);
    await anvil.stop();
  }

  async function hashOf(anvil: Anvil, height: string): Promise<string | null> {
    const block = await anvil.rpc.call<{ hash: string } | null>(
      "eth_getBlockByNumber",
      [height, false],
      signal,
    );
    return block?.hash ?? null;
  }

  async function heightOf(anvil: Anvil): Promise<number> {
    return Number(await anvil.rpc.call<string>("eth_blockNumber", [], signal));
  }

  it("mines blocks at its interval, and more on demand", async () => {
    const anvil = await start(0.2);
    await anvil.rpc.callOnce("anvil_mine", ["0x64"], signal);
    const height = await heightOf(anvil);
    expect(height).toBeGreaterThanOrEqual(100);
    while ((await heightOf(anvil)) < height + 3) await systemClock.sleep(50);
  });

  it("continues the chain, its tokens and its developer accounts after a restart", async () => {
    const first = await start();
    const tokens = await deployTokens(first.rpc, ethereum, signal);
    await first.rpc.callOnce("anvil_mine", ["0x5"], signal);
    const tip = await hashOf(first, "0x8");
    expect(tip).not.toBeNull();
    await stop(first);
    const second = await start();
    expect(await hashOf(second, "0x8")).toBe(tip);
    expect(await heightOf(second)).toBe(8);
    expect(await deployTokens(second.rpc, ethereum, signal)).toEqual(tokens);
    expect(await heightOf(second)).toBe(8);
  });

  it("stays the same chain, with current block times, after any number of restarts", async () => {
    const hashes = new Set<string | null>();
    for (let round = 0; round < 4; round += 1) {
      const anvil = await start();
      await anvil.rpc.callOnce("anvil_mine", ["0x2"], signal);
      hashes.add(await hashOf(anvil, "0x0"));
      const tip = await anvil.rpc.call<{ readonly timestamp: string }>(
        "eth_getBlockByNumber",
        ["latest", false],
        signal,
      );
      const ageSeconds = systemClock.now() / 1_000_000 - Number(tip.timestamp);
      expect(Math.abs(ageSeconds)).toBeLessThan(600);
      await stop(anvil);
      await systemClock.sleep(1_000);
    }
    expect(hashes.size).toBe(1);
  });

  it("sets the clock of a slow node again", async () => {
    const anvil = await start();
    const day = 86_400;
    // From the third reading on, which is after the clock was first set, a day has passed.
    let polls = 0;
    const now = () => addSeconds(systemClock.now(), ++polls > 2 ? day : 0);
    await setNodeTime(anvil.rpc, { ...systemClock, now }, signal);
    await anvil.rpc.callOnce("anvil_mine", ["0x1"], signal);
    const { timestamp } = await anvil.rpc.call<{ readonly timestamp: string }>(
      "eth_getBlockByNumber",
      ["latest", false],
      signal,
    );
    const aheadSeconds = Number(timestamp) - systemClock.now() / 1_000_000;
    expect(Math.abs(aheadSeconds - day)).toBeLessThan(day / 10);
  });

  it("reorganizes deeper than the sandbox's confirmations, also right after a restart", async () => {
    const first = await start();
    await first.rpc.callOnce("anvil_mine", ["0x40"], signal);
    await stop(first);
    const second = await start();
    const former = await hashOf(second, "0x2f");
    await second.rpc.callOnce("anvil_reorg", [20, []], signal);
    expect(await heightOf(second)).toBe(64);
    expect(await hashOf(second, "0x2f")).not.toBe(former);
  });

  it("replaces a damaged chain file with the one of the last start", async () => {
    const first = await start();
    await first.rpc.callOnce("anvil_mine", ["0x3"], signal);
    await stop(first);
    const second = await start();
    await second.rpc.callOnce("anvil_mine", ["0x3"], signal);
    await stop(second);
    await writeFile(join(folder, "chain.json"), '{"block":');
    const third = await start();
    expect(await heightOf(third)).toBe(3);
  });

  it("writes the chain and ends when its owner ends or is killed", async () => {
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", ownerProgram, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(owner.stdout, "data");
    const keeper = Number(await readFile(join(folder, "pid"), "utf8"));
    expect(await processIdentity(keeper)).not.toBeNull();
    owner.kill("SIGKILL");
    await once(owner, "exit");
    const anvil = await start();
    expect(await heightOf(anvil)).toBe(9);
    await expect.poll(() => processIdentity(keeper)).toBeNull();
  });
});

const ownerProgram = `
const { startAnvil } = await import(${JSON.stringify(new URL("anvil.ts", import.meta.url).href)});
const { systemClock } = await import(${JSON.stringify(new URL("../platform/kernel/system-clock.ts", import.meta.url).href)});
const { systemRandom } = await import(${JSON.stringify(new URL("../platform/kernel/system-random.ts", import.meta.url).href)});
const { silentLogger } = await import(${JSON.stringify(new URL("../platform/kernel/logger.ts", import.meta.url).href)});
const anvil = await startAnvil({ folder: process.argv[1], port: 0, chainId: 1337, blockSeconds: null,
  clock: systemClock, random: systemRandom, logger: silentLogger });
await anvil.rpc.callOnce("anvil_mine", ["0x9"], new AbortController().signal);
console.log(anvil.url);
`;
