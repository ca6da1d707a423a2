import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";

type Info = {
  readonly fee?: number;
  readonly result?: string;
  readonly resMessage?: string;
  readonly contractResult: readonly string[];
  readonly receipt: Readonly<Record<string, number | string>>;
  readonly log?: unknown;
};
type Resources = Readonly<Record<string, number>>;

const transferSelector = "transfer(address,uint256)";
const energyPriceSun = 100;

describe("the simulated TRON ledger's resources", () => {
  /* Bandwidth and energy are charged as java-tron does: from stakes, from the daily free amount, or in TRX. */

  let ledger: PrivateTron;
  let address: string;
  let privateKey: string;

  beforeAll(async () => {
    ledger = await startPrivateTron();
  });
  afterAll(() => ledger.stop());
  beforeEach(async () => {
    const { web, newAccount, send, callOf, usdt, mine } = ledger;
    ({ address, privateKey } = await newAccount());
    await web.trx.sendTransaction(address, 1_000_000_000);
    await send(await callOf(usdt, transferSelector, tokensTo(address, 1000)));
    await mine();
  });

  function tokensTo(to: string, units: number) {
    return [
      { type: "address", value: to },
      { type: "uint256", value: units },
    ];
  }

  /** Sends tokens from the account to the faucet and returns the receipt. */
  async function pay(units: number, feeLimit = 100_000_000): Promise<Info> {
    const { callOf, send, usdt, faucet, mine } = ledger;
    const call = tokensTo(faucet, units);
    const options = { from: address, feeLimit };
    const txid = await send(await callOf(usdt, transferSelector, call, options), privateKey);
    await mine();
    return infoOf(txid);
  }

  function infoOf(txid: string): Promise<Info> {
    return ledger.ask<Info>("/wallet/gettransactioninfobyid", { value: txid });
  }

  function resources(of = address): Promise<Resources> {
    return ledger.ask<Resources>("/wallet/getaccountresource", { address: of, visible: true });
  }

  /** Use decays with each block, so that a few blocks take a little of it. */
  function expectAbout(used: number | undefined, expected: number): void {
    expect(used).toBeGreaterThan(expected - 3);
    expect(used).toBeLessThanOrEqual(expected);
  }

  async function stake(resource: "ENERGY" | "BANDWIDTH", sun: number): Promise<void> {
    const { web, send, mine } = ledger;
    const drafted = await web.transactionBuilder.freezeBalanceV2(sun, resource, address);
    await send(drafted, privateKey);
    await mine();
  }

  it("give each account 600 bytes a day, then charge 1,000 sun a byte", async () => {
    const { web, send, mine, faucet } = ledger;
    const receipts = [];
    for (let count = 1; count <= 3; count += 1) {
      const drafted = await web.transactionBuilder.sendTrx(faucet, count, address);
      const txid = await send(drafted, privateKey);
      await mine();
      receipts.push(await infoOf(txid));
    }
    const [first, , third] = receipts;
    const bytes = Number(first?.receipt["net_usage"]);
    expect(bytes).toBeGreaterThan(250);
    expect(third).toMatchObject({ fee: bytes * 1000, receipt: { net_fee: bytes * 1000 } });
    const { freeNetUsed = 0, freeNetLimit } = await resources();
    expect(freeNetLimit).toBe(600);
    expectAbout(freeNetUsed, 2 * bytes);
    await ledger.control("/mine", { blocks: 1, seconds: 43_200 });
    expectAbout((await resources())["freeNetUsed"], bytes);
    await ledger.control("/mine", { blocks: 1, seconds: 43_200 });
    expect(await resources()).not.toHaveProperty("freeNetUsed");
  });

  it("burn TRX for energy, at the price of the chain parameters", async () => {
    const { control, ask } = ledger;
    const { fee = 0, receipt } = await pay(10);
    const energy = Number(receipt["energy_usage_total"]);
    expect(receipt).toMatchObject({ energy_fee: energy * energyPriceSun, result: "SUCCESS" });
    expect(fee).toBe(energy * energyPriceSun);
    await control("/set-parameter", { name: "getEnergyFee", value: 210 });
    const dearer = await pay(10);
    expect(dearer.receipt["energy_fee"]).toBe(energy * 210);
    await control("/set-parameter", { name: "getEnergyFee", value: energyPriceSun });
    const { prices } = await ask<{ prices: string }>("/wallet/getenergyprices");
    expect(prices).toMatch(/^0:100,\d{13}:210,\d{13}:100$/);
  });

  it("multiply the energy of a popular contract by its factor", async () => {
    const { control, usdt, web, faucet } = ledger;
    const plain = await pay(10);
    const base = Number(plain.receipt["energy_usage_total"]);
    await control("/set-energy-factor", { contract: usdt, factor: 34_000 });
    const popular = await pay(10);
    const penalty = Math.floor(base * 3.4);
    expect(popular.receipt).toMatchObject({
      energy_usage_total: base + penalty,
      energy_penalty_total: penalty,
    });
    const estimated = await web.transactionBuilder.triggerConstantContract(
      usdt,
      transferSelector,
      {},
      tokensTo(faucet, 10),
      address,
    );
    expect(estimated).toMatchObject({ energy_used: base + penalty, energy_penalty: penalty });
    const info = await ledger.ask("/wallet/getcontractinfo", {
      value: usdt,
      visible: true,
    });
    expect(info["contract_state"]).toMatchObject({ energy_factor: 34_000 });
    await control("/set-energy-factor", { contract: usdt, factor: 0 });
  });

  it("burn the whole fee limit of a call that needs more, and undo the call", async () => {
    const { tokensOf } = ledger;
    const before = await tokensOf(address);
    const { fee, result, resMessage, receipt, log } = await pay(10, 1_000_000);
    expect({ fee, result, log }).toEqual({ fee: 1_000_000, result: "FAILED", log: undefined });
    expect(receipt).toMatchObject({
      energy_fee: 1_000_000,
      energy_usage_total: 10_000,
      result: "OUT_OF_ENERGY",
    });
    expect(Buffer.from(resMessage ?? "", "hex").toString()).toMatch(/^Not enough energy for/);
    expect(await tokensOf(address)).toBe(before);
  });

  it("charge a reverted call only what it used", async () => {
    const { ask, tokensOf } = ledger;
    const before = await tokensOf(address);
    const { receipt, result, resMessage, contractResult } = await pay(1_000_000);
    expect({ result, message: Buffer.from(resMessage ?? "", "hex").toString() }).toEqual({
      result: "FAILED",
      message: "REVERT opcode executed",
    });
    // A checked subtraction panics with code 0x11.
    expect(contractResult[0]).toMatch(/^4e487b71.*11$/);
    expect(receipt["result"]).toBe("REVERT");
    expect(Number(receipt["energy_usage_total"])).toBeLessThan(10_000);
    expect(await tokensOf(address)).toBe(before);
    const block = await ask<{ transactions: readonly { ret: unknown }[] }>("/wallet/getnowblock");
    expect(block.transactions[0]?.ret).toEqual([{ contractRet: "REVERT" }]);
  });

  it("take energy and bandwidth from a stake first", async () => {
    await stake("ENERGY", 400_000_000);
    await stake("BANDWIDTH", 400_000_000);
    const { EnergyLimit = 0, NetLimit = 0, tronPowerLimit } = await resources();
    expect(tronPowerLimit).toBe(800);
    expect(EnergyLimit).toBeGreaterThan(3000);
    expect(NetLimit).toBeGreaterThan(500);
    const { receipt } = await pay(10);
    const total = Number(receipt["energy_usage_total"]);
    expect(receipt).toMatchObject({
      energy_usage: EnergyLimit,
      energy_fee: (total - EnergyLimit) * energyPriceSun,
      net_usage: expect.any(Number) as number,
    });
    const { EnergyUsed, NetUsed } = await resources();
    expectAbout(EnergyUsed, EnergyLimit);
    expectAbout(NetUsed, Number(receipt["net_usage"]));
  });

  it("lend energy to another account, and take it back", async () => {
    const { web, send, mine, newAccount, ask } = ledger;
    const to = (await newAccount()).address;
    await web.trx.sendTransaction(to, 1);
    await mine();
    await stake("ENERGY", 500_000_000);
    const { EnergyLimit = 0 } = await resources();
    const sizeOf = { owner_address: address, type: 1, visible: true };
    expect(await ask("/wallet/getcandelegatedmaxsize", sizeOf)).toEqual({ max_size: 500_000_000 });
    const builder = web.transactionBuilder;
    await send(await builder.delegateResource(500_000_000, to, "ENERGY", address), privateKey);
    await mine();
    expect(await resources(to)).toMatchObject({ EnergyLimit });
    expect(await resources()).not.toHaveProperty("EnergyLimit");
    const pair = { fromAddress: address, toAddress: to, visible: true };
    expect(await ask("/wallet/getdelegatedresourcev2", pair)).toEqual({
      delegatedResource: [{ from: address, to, frozen_balance_for_energy: 500_000_000 }],
    });
    await send(await builder.undelegateResource(500_000_000, to, "ENERGY", address), privateKey);
    await mine();
    expect(await resources()).toMatchObject({ EnergyLimit });
    expect(await resources(to)).not.toHaveProperty("EnergyLimit");
    expect(await ask("/wallet/getdelegatedresourcev2", pair)).toEqual({});
  });

  it("keep a locked delegation until its period is over", async () => {
    const { web, send, mine, faucet, control } = ledger;
    await stake("ENERGY", 100_000_000);
    const builder = web.transactionBuilder;
    const locked = await builder.delegateResource(50_000_000, faucet, "ENERGY", address, true, 100);
    await send(locked, privateKey);
    await mine();
    const back = () => builder.undelegateResource(50_000_000, faucet, "ENERGY", address);
    await expect(send(await back(), privateKey)).rejects.toThrow("CONTRACT_VALIDATE_ERROR");
    await control("/mine", { blocks: 1, seconds: 301 });
    await send(await back(), privateKey);
    await mine();
    expect(await resources()).toHaveProperty("EnergyLimit");
  });

  it("estimate as much energy as a call needs, and refuse to estimate a failing one", async () => {
    const { web, usdt, faucet, ask } = ledger;
    const call = (units: number) => tokensTo(faucet, units);
    const builder = web.transactionBuilder;
    const estimate = await builder.estimateEnergy(usdt, transferSelector, {}, call(10), address);
    const { receipt } = await pay(10);
    const used = Number(receipt["energy_usage_total"]);
    expect(estimate.energy_required).toBeGreaterThanOrEqual(used);
    const failing = await ask<{ result: Readonly<Record<string, string>> }>(
      "/wallet/estimateenergy",
      {
        owner_address: address,
        contract_address: usdt,
        function_selector: transferSelector,
        parameter: `${web.address.toHex(faucet).slice(2).padStart(64, "0")}${"f".repeat(64)}`,
        visible: true,
      },
    );
    expect(failing.result).toEqual({
      code: "CONTRACT_EXE_ERROR",
      message: "REVERT opcode executed",
    });
  });

  it("charge a memo and move TRC-10 tokens without crediting TRX", async () => {
    const { web, send, mine, faucet } = ledger;
    const drafted = await web.transactionBuilder.sendAsset(address, 25, "1000001", faucet);
    await send(drafted);
    const noted = await web.transactionBuilder.addUpdateData(
      await web.transactionBuilder.sendTrx(address, 1),
      "thank you",
    );
    const txid = await send(noted);
    await mine();
    expect((await infoOf(txid)).fee).toBeGreaterThanOrEqual(1_000_000);
    const account = await web.trx.getUnconfirmedAccount(address);
    expect(account.assetV2).toEqual([{ key: "1000001", value: 25 }]);
    expect(account.balance).toBe(1_000_000_001);
  });
});
