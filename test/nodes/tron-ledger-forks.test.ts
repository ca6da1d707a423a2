import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { processIdentity } from "../../src/platform/processes/process-identity.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";

const source = (path: string): string =>
  JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Starts a ledger in the given folder, makes seven blocks and prints the last one. */
const ownerProgram = `
const { startTron } = await import(${source("sandbox/tron/start-tron.ts")});
const { systemClock } = await import(${source("platform/kernel/system-clock.ts")});
const { systemRandom } = await import(${source("platform/kernel/system-random.ts")});
const { silentLogger } = await import(${source("platform/kernel/logger.ts")});
const tron = await startTron({ folder: process.argv[1], port: 0, minesOnTime: false,
  clock: systemClock, random: systemRandom, logger: silentLogger });
const body = JSON.stringify({ blocks: 7 });
const mined = await fetch(tron.sandboxUrl + "/mine", { method: "POST", body });
console.log(await mined.text());
`;

type Block = { readonly blockID: string };

describe("the simulated TRON ledger's chain", () => {
  /* It forks above the solid block only, keeps what it has through restarts, and can be made to fail. */

  let folder: string;
  let ledger: PrivateTron;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-tron-"));
    ledger = await startPrivateTron(folder);
  });
  afterEach(async () => {
    await ledger.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function blockAt(num: number): Promise<Block> {
    return ledger.ask<Block>("/wallet/getblockbynum", { num });
  }

  async function tokensTo(to: string, units: number): Promise<string> {
    const { callOf, send, usdt } = ledger;
    const parameters = [
      { type: "address", value: to },
      { type: "uint256", value: units },
    ];
    return await send(await callOf(usdt, "transfer(address,uint256)", parameters));
  }

  it("returns the transactions of dropped blocks to the pool, and makes other blocks", async () => {
    const { control, ask, mine, newAccount, tokensOf, web } = ledger;
    const { address } = await newAccount();
    await web.trx.sendTransaction(address, 5);
    const txid = await tokensTo(address, 7);
    const { number } = await control("/mine", { blocks: 2 });
    const former = await blockAt(Number(number) - 1);
    await control("/reorg", { depth: 2 });
    expect(await tokensOf(address)).toBe(0n);
    expect(await web.trx.getUnconfirmedBalance(address)).toBe(0);
    expect(await ask("/wallet/getblockbyid", { value: former.blockID })).toEqual({});
    expect(await ask("/wallet/gettransactionfrompending", { value: txid })).toMatchObject({
      txID: txid,
    });
    await mine(2);
    expect((await blockAt(Number(number) - 1)).blockID).not.toBe(former.blockID);
    expect(await tokensOf(address)).toBe(7n);
    expect(await web.trx.getUnconfirmedBalance(address)).toBe(5);
  });

  it("forgets the transactions of dropped blocks on request", async () => {
    const { control, ask, mine, newAccount, tokensOf } = ledger;
    const { address } = await newAccount();
    const txid = await tokensTo(address, 7);
    await mine();
    await control("/reorg", { depth: 1, transactions: "drop" });
    await mine(3);
    expect(await ask("/wallet/gettransactionbyid", { value: txid })).toEqual({});
    expect(await tokensOf(address)).toBe(0n);
  });

  it("includes a conflicting spend before the dropped one, which then fails", async () => {
    const { control, ask, mine, newAccount, web } = ledger;
    const payer = await newAccount();
    const one = await newAccount();
    const other = await newAccount();
    await web.trx.sendTransaction(payer.address, 3_000_000);
    await mine();
    const payTo = async (to: string) =>
      await web.trx.sign(
        await web.transactionBuilder.sendTrx(to, 1_500_000, payer.address),
        payer.privateKey,
      );
    const first = await payTo(one.address);
    const second = await payTo(other.address);
    await web.trx.sendRawTransaction(first);
    await mine();
    expect(await web.trx.getUnconfirmedBalance(one.address)).toBe(1_500_000);
    await control("/reorg", { depth: 1, include: [second] });
    await mine();
    expect(await ask("/wallet/gettransactioninfobyid", { value: first.txID })).toEqual({});
    expect(await web.trx.getUnconfirmedBalance(one.address)).toBe(0);
    expect(await web.trx.getUnconfirmedBalance(other.address)).toBe(1_500_000);
  });

  it("never drops a solid block", async () => {
    const { control, ask } = ledger;
    await control("/mine", { blocks: 30 });
    const solid = await ask<Block>("/walletsolidity/getnowblock");
    expect(await control("/reorg", { depth: 20 })).toEqual({
      error: "depth is an integer from 1 to 19",
    });
    await control("/reorg", { depth: 19 });
    expect(await ask<Block>("/walletsolidity/getnowblock")).toEqual(solid);
    expect(await ask<Block>("/wallet/getnowblock")).toEqual(solid);
    await control("/mine", { blocks: 19 });
    expect(await ask<Block>("/walletsolidity/getnowblock")).toEqual(solid);
    await control("/mine", { blocks: 1 });
    expect(await ask<Block>("/walletsolidity/getnowblock")).not.toEqual(solid);
  });

  it("continues after a restart with its blocks, balances, contracts and prices", async () => {
    const { address } = await ledger.newAccount();
    await tokensTo(address, 7);
    await ledger.mine();
    await ledger.control("/set-parameter", { name: "getEnergyFee", value: 210 });
    await ledger.control("/mine", { blocks: 3, seconds: 600 });
    await ledger.control("/reorg", { depth: 1 });
    const before = await ledger.ask<Block>("/wallet/getnowblock");
    const solid = await ledger.ask<Block>("/walletsolidity/getnowblock");
    await ledger.stop();
    // What a power failure leaves of the last line.
    await appendFile(join(folder, "ledger.jsonl"), '{"kind":"block","timestamp":17');
    ledger = await startPrivateTron(folder);
    expect(await ledger.ask("/wallet/getnowblock")).toEqual(before);
    expect(await ledger.ask("/walletsolidity/getnowblock")).toEqual(solid);
    expect(await ledger.tokensOf(address)).toBe(7n);
    const { chainParameter } = await ledger.ask<{
      chainParameter: readonly { key: string; value?: number }[];
    }>("/wallet/getchainparameters");
    const price = chainParameter.find(({ key }) => key === "getEnergyFee");
    expect(present(price, "the price").value).toBe(210);
    await tokensTo(address, 3);
    await ledger.control("/reorg", { depth: 3 });
    await ledger.mine(4);
    expect(await ledger.tokensOf(address)).toBe(10n);
  });

  it("ends when its EVM is killed, and continues at the same address without the pool", async () => {
    const { address } = await ledger.newAccount();
    await tokensTo(address, 7);
    await ledger.mine();
    const head = await ledger.ask<Block>("/wallet/getnowblock");
    const pending = await tokensTo(address, 8);
    process.kill(-Number(await readFile(join(folder, "evm", "pid"), "utf8")), "SIGKILL");
    await ledger.tron.ended;
    const { port } = ledger.tron;
    ledger = await startPrivateTron(folder, port);
    expect(ledger.tron.port).toBe(port);
    expect(await ledger.ask("/wallet/getnowblock")).toEqual(head);
    expect(await ledger.tokensOf(address)).toBe(7n);
    expect(await ledger.ask("/wallet/gettransactionbyid", { value: pending })).toEqual({});
    await tokensTo(address, 9);
    await ledger.mine();
    expect(await ledger.tokensOf(address)).toBe(16n);
  });

  it("loses no block, and leaves no EVM behind, when its owner is killed", async () => {
    const other = join(folder, "other");
    const owner = spawn(process.execPath, ["--input-type=module", "--eval", ownerProgram, other], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [printed] = (await once(owner.stdout, "data")) as [Buffer];
    const keeper = Number(await readFile(join(other, "evm", "pid"), "utf8"));
    owner.kill("SIGKILL");
    await once(owner, "exit");
    const successor = await startPrivateTron(other);
    try {
      const { blockID } = await successor.ask<Block>("/wallet/getnowblock");
      expect(blockID).toBe((JSON.parse(printed.toString("utf8")) as Block).blockID);
      await expect.poll(() => processIdentity(keeper)).toBeNull();
    } finally {
      await successor.stop();
    }
  });

  it("answers swallowed broadcasts with success, and never includes them", async () => {
    const { control, ask, mine, newAccount, web } = ledger;
    const { address } = await newAccount();
    await control("/swallow-broadcasts", { count: 1 });
    const lost = await web.trx.sendTransaction(address, 5);
    expect(lost.result).toBe(true);
    const kept = await web.trx.sendTransaction(address, 6);
    await mine();
    expect(await ask("/wallet/gettransactionbyid", { value: lost.txid })).toEqual({});
    expect(await ask("/wallet/gettransactionbyid", { value: kept.txid })).toHaveProperty("ret");
    expect((await web.trx.sendRawTransaction(lost.transaction)).result).toBe(true);
  });

  it("reports what is wrong with a command", async () => {
    const { control, tron } = ledger;
    expect(await control("/mine", { blocks: 0 })).toEqual({
      error: "blocks is an integer from 1 to 2000",
    });
    expect(await control("/set-parameter", { name: "getNothing", value: 1 })).toEqual({
      error: "name is a key of getchainparameters",
    });
    const unknown = await fetch(`${tron.sandboxUrl}/explode`, { method: "POST" });
    expect(unknown.status).toBe(404);
  });
});
