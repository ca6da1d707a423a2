import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TronWeb, type Types } from "tronweb";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxFamilyOf } from "../../src/main/families/sandbox-families.ts";
import type { StartedChain } from "../../src/main/families/sandbox-family.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { createFaucet, type Faucet } from "../../src/sandbox/faucet.ts";
import type { TronSite } from "../../src/sandbox/sandbox-file.ts";

/* TRON as the sandbox starts and describes it: its faucet pays, mines and reorganizes, and tronweb reads what happened. */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const family = sandboxFamilyOf("TRX");
let home: string;
let started: StartedChain;
let site: TronSite;
let faucet: Faucet;
let web: TronWeb;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sluice-tron-sandbox-"));
  const outcome = await family.start(home, world);
  if (typeof outcome === "string") throw new Error(outcome);
  started = outcome;
  site = outcome.reached as TronSite;
  faucet = createFaucet("TRX", await family.createPayer(site, world));
  web = new TronWeb({ fullHost: site.rpc_url, privateKey: site.faucet_private_key });
});
afterAll(async () => {
  await faucet.close();
  await started.stop();
  await rm(home, { recursive: true, force: true });
});

const newAddress = async (): Promise<string> => (await web.createAccount()).address.base58;

describe("the sandbox's TRON", () => {
  it("is described as simulated, with everything that an external payer needs", () => {
    expect(site).toEqual({
      family: "tron",
      simulated: true,
      rpc_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      sandbox_url: `${site.rpc_url}/sandbox`,
      faucet_private_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      tokens: { "USDT-TRX": expect.stringMatching(/^T\w{33}$/) as string },
    });
    expect(family.tokens(site)).toBe(site.tokens);
  });

  it("pays TRX and test tokens, which are solid after one mined block", async () => {
    const address = await newAddress();
    await faucet.pay("TRX", address, "2.5");
    await faucet.pay("USDT-TRX", address, "7");
    const { height, hash } = await faucet.mine(1);
    expect(await web.trx.getBalance(address)).toBe(2_500_000);
    const block = await web.trx.getConfirmedCurrentBlock();
    expect(block.block_header.raw_data.number).toBeGreaterThanOrEqual(height);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const answer: Types.TransactionWrapper = await web.transactionBuilder.triggerConstantContract(
      site.tokens["USDT-TRX"] ?? "",
      "balanceOf(address)",
      {},
      [{ type: "address", value: address }],
      address,
    );
    expect(answer.constant_result).toEqual([7_000_000n.toString(16).padStart(64, "0")]);
  });

  it("reports what the node refuses", async () => {
    await expect(faucet.pay("TRX", await newAddress(), "900000000")).rejects.toThrow(
      /balance is not sufficient/,
    );
    await expect(faucet.pay("USDC-TRX", await newAddress(), "1")).rejects.toThrow(
      "This sandbox has no test token USDC-TRX.",
    );
  });

  it("replaces blocks above the solid one, and includes their transactions again", async () => {
    const address = await newAddress();
    const txid = await faucet.pay("TRX", address, "3");
    const before = await web.trx.getCurrentBlock();
    await faucet.reorg(3, "include");
    await faucet.mine(1);
    expect((await web.trx.getTransaction(txid)).txID).toBe(txid);
    expect(await web.trx.getBalance(address)).toBe(3_000_000);
    const { number } = before.block_header.raw_data;
    expect((await web.trx.getBlockByNumber(number)).blockID).not.toBe(before.blockID);
    await expect(faucet.reorg(20, "wait")).rejects.toThrow(
      "A reorg of TRX can replace 1 to 19 blocks here.",
    );
  });
});
