/**
 * The contract that deposit addresses delegate to, on a real EVM: whatever tokens do and however it is called, value goes to the
 * destination or stays, and no deposit address of a batch can block another one.
 */
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { type Behavior, behaviors } from "../support/configurable-token.ts";
import {
  coin,
  type DelegateTools,
  delegateOf,
  delegateToolsOn,
  keyAt,
} from "../support/delegated.ts";
import { type PrivateEvm, startPrivateEvm } from "../support/private-evm.ts";

const hot = keyAt(1, 0).address;
const gasAccount = keyAt(2, 0);
const stranger = keyAt(0, 5);
/** The gas limit of one call to a token. */
const gasEach = 100_000n;

let chain: PrivateEvm;
let tools: DelegateTools;
let delegate: Address;

beforeAll(async () => {
  chain = await startPrivateEvm();
  tools = delegateToolsOn(chain);
  await tools.setBalance(gasAccount.address, 10n ** 20n);
  delegate = await tools.deployDelegate(gasAccount, hot);
});
afterAll(async () => {
  await chain.stop();
});

let nextIndex = 100;

/** A new deposit address that has already delegated. */
async function delegated() {
  const key = keyAt(0, nextIndex);
  nextIndex += 1;
  await tools.run(gasAccount, {
    to: gasAccount.address,
    authorize: [{ key, to: delegate }],
  });
  return key;
}

/** Calls as the gas account does. */
function sweep(groups: readonly unknown[], gas = 5_000_000n, each = gasEach) {
  const data = tools.encode("sweepMany", [groups, each]);
  return tools.run(gasAccount, { to: delegate, data, gas });
}

/** With the omitted behaviors it moves something. */
const harmfulBehaviors = behaviors.filter(
  (behavior) => !["good", "halving", "astray", "keepingAFee"].includes(behavior),
);

/** A token with that behavior of which `owner` holds a thousand. */
async function deployToken(owner: Address, behavior: Behavior): Promise<Address> {
  const token = (await chain.deploy("ConfigurableToken", [10n ** 6n])) as Address;
  await tools.pay("ConfigurableToken", token, owner, 1000n);
  await chain.send({
    to: token,
    call: ["ConfigurableToken", "setBehavior", behaviors.indexOf(behavior)],
  });
  await chain.mine();
  return token;
}

/** Whether the token moved, read after its behavior is good again. */
async function heldIn(token: Address, owner: Address): Promise<bigint> {
  await chain.send({ to: token, call: ["ConfigurableToken", "setBehavior", 0] });
  await chain.mine();
  return tools.tokenOf(token, owner);
}

describe("SweepDelegate", () => {
  it("delegates two addresses and moves their tokens and ether in one transaction", async () => {
    const first = keyAt(0, 90);
    const second = keyAt(0, 91);
    await tools.pay("TetherLike", chain.contracts.usdt, first.address, 5n);
    await tools.pay("TetherLike", chain.contracts.usdt, second.address, 7n);
    await tools.pay("DollarLike", chain.contracts.usdc, second.address, 11n);
    await tools.setBalance(second.address, 13n);
    const before = await tools.coinOf(hot);
    const groups = [
      { assets: [chain.contracts.usdt], deposits: [first.address] },
      { assets: [chain.contracts.usdt, chain.contracts.usdc, coin], deposits: [second.address] },
    ];
    const { status } = await tools.run(gasAccount, {
      to: delegate,
      data: tools.encode("sweepMany", [groups, gasEach]),
      authorize: [first, second].map((key) => ({ key, to: delegate })),
    });
    expect(status).toBe("0x1");
    expect(await tools.tokenOf(chain.contracts.usdt, hot)).toBe(12n);
    expect(await tools.tokenOf(chain.contracts.usdc, hot)).toBe(11n);
    expect((await tools.coinOf(hot)) - before).toBe(13n);
  });

  it("delivers what a token that charges a fee lets through", async () => {
    const key = await delegated();
    const token = await chain.deploy("FeeToken", [10n ** 6n]);
    await tools.pay("FeeToken", token, key.address, 1000n);
    await sweep([{ assets: [token], deposits: [key.address] }]);
    expect(await tools.tokenOf(token, key.address)).toBe(0n);
    expect(await tools.tokenOf(token, hot)).toBe(990n - 9n);
  });

  it.each(harmfulBehaviors)(
    "moves everything else around a %s token at any place of a batch",
    async (behavior) => {
      const [before, victim, after] = [await delegated(), await delegated(), await delegated()];
      const token = await deployToken(victim.address, behavior);
      for (const { address } of [before, victim, after]) {
        await tools.pay("TetherLike", chain.contracts.usdt, address, 3n);
        await tools.setBalance(address, 1n);
      }
      const held = await tools.tokenOf(chain.contracts.usdt, hot);
      const groups = [
        { assets: [chain.contracts.usdt, coin], deposits: [before.address] },
        { assets: [token, chain.contracts.usdt, token, coin], deposits: [victim.address] },
        { assets: [chain.contracts.usdt, coin], deposits: [after.address] },
      ];
      // The minimum at which the contract continues: burning gas must not starve the next calls.
      const { status, gasUsed } = await sweep(groups, 1_250_000n);
      expect(status).toBe("0x1");
      expect(BigInt(gasUsed)).toBeLessThan(1_250_000n);
      expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(9n);
      for (const { address } of [before, victim, after])
        expect(await tools.coinOf(address)).toBe(0n);
      // A token with a long response (which contains true or not) moved nothing with that behavior; reentrancy has its own test.
      if (behavior !== "callingBack") expect(await heldIn(token, victim.address)).toBe(1000n);
    },
  );

  it("starts a batch only with gas enough for the worst token, and otherwise does nothing", async () => {
    const key = await delegated();
    await tools.pay("TetherLike", chain.contracts.usdt, key.address, 3n);
    const groups = [{ assets: [chain.contracts.usdt], deposits: [key.address] }];
    const { status } = await sweep(groups, 140_000n);
    expect(status).toBe("0x0");
    expect(await tools.tokenOf(chain.contracts.usdt, key.address)).toBe(3n);
  });

  it("limits reading a balance and moving it to one shared amount of gas", async () => {
    const key = await delegated();
    const token = await deployToken(key.address, "draining");
    const { status, gasUsed } = await sweep([{ assets: [token], deposits: [key.address] }]);
    expect(status).toBe("0x1");
    // The whole limit, and what the transaction and the contract use in addition.
    expect(BigInt(gasUsed)).toBeGreaterThan(gasEach);
    expect(BigInt(gasUsed)).toBeLessThan(gasEach + 21_000n + 30_000n);
  });

  it("lets a reentrant token do nothing and take nothing", async () => {
    const key = await delegated();
    const token = await deployToken(key.address, "callingBack");
    await tools.pay("TetherLike", chain.contracts.usdt, key.address, 3n);
    const held = await tools.tokenOf(chain.contracts.usdt, hot);
    const group = { assets: [chain.contracts.usdt], deposits: [key.address] };
    for (const [to, again] of [
      [key.address, tools.encode("sweep", [[chain.contracts.usdt], 20_000n])],
      [delegate, tools.encode("sweepMany", [[group], 20_000n])],
    ] as const) {
      await chain.send({ to: token, call: ["ConfigurableToken", "setCall", to, again] });
      await chain.mine();
      const groups = [{ assets: [token], deposits: [key.address] }];
      expect((await sweep(groups, 5_000_000n, 300_000n)).status).toBe("0x1");
      expect(await tools.tokenOf(token, key.address)).toBe(1000n);
      expect(await tools.tokenOf(chain.contracts.usdt, hot)).toBe(held);
    }
    await sweep([{ assets: [token, chain.contracts.usdt], deposits: [key.address] }]);
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(3n);
  });

  it("lets only the gas account start a sweep, at the contract and at a deposit address", async () => {
    const key = await delegated();
    await tools.pay("TetherLike", chain.contracts.usdt, key.address, 2n);
    const groups = [{ assets: [chain.contracts.usdt, coin], deposits: [key.address] }];
    const sweepManyData = tools.encode("sweepMany", [groups, gasEach]);
    const one = tools.encode("sweep", [[chain.contracts.usdt, coin], gasEach]);
    const calls = [
      [stranger, delegate, sweepManyData],
      [stranger, key.address, sweepManyData],
      [gasAccount, key.address, sweepManyData],
      [stranger, key.address, one],
      [gasAccount, key.address, one],
    ] as const;
    for (const [from, to, data] of calls)
      expect((await tools.run(from, { to, data })).status).toBe("0x0");
    expect(await tools.tokenOf(chain.contracts.usdt, key.address)).toBe(2n);
  });

  it("gives a third party nothing, at the contract or at a deposit address", async () => {
    const key = await delegated();
    await tools.pay("TetherLike", chain.contracts.usdt, key.address, 8n);
    const taken = await tools.tokenOf(chain.contracts.usdt, stranger.address);
    const calls = [
      "0xa9059cbb", // transfer(address,uint256)
      "0x8129fc1c", // initialize()
      "0xb61d27f6", // execute(address,uint256,bytes)
      "0xf2fde38b", // transferOwnership(address)
      "0x150b7a02", // onERC721Received(...)
    ] as const;
    const argument = stranger.address.slice(2).toLowerCase().padStart(64, "0");
    for (const selector of calls)
      for (const to of [key.address, delegate])
        await tools.run(stranger, { to, data: `${selector}${argument}${"0".repeat(63)}1` });
    expect(await tools.tokenOf(chain.contracts.usdt, stranger.address)).toBe(taken);
    expect(await tools.tokenOf(chain.contracts.usdt, key.address)).toBe(8n);
    for (const address of [key.address, delegate])
      expect(await tools.rpc("eth_getStorageAt", [address, "0x0", "latest"])).toBe(
        `0x${"0".repeat(64)}`,
      );
  });

  it("skips an address that is not delegated", async () => {
    const bare = keyAt(0, 95);
    const key = await delegated();
    for (const { address } of [bare, key])
      await tools.pay("TetherLike", chain.contracts.usdt, address, 2n);
    const held = await tools.tokenOf(chain.contracts.usdt, hot);
    const { status } = await sweep([
      { assets: [chain.contracts.usdt], deposits: [bare.address, key.address] },
    ]);
    expect(status).toBe("0x1");
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(2n);
    expect(await tools.tokenOf(chain.contracts.usdt, bare.address)).toBe(2n);
  });

  it("receives ether at a delegated address: from contracts that give 2300 gas, with data, and from wallets", async () => {
    const key = await delegated();
    const wallet = (await chain.deploy("PayingWallet")) as Address;
    await tools.setBalance(wallet, 10n ** 18n);
    const payAll = present(chain.accounts[1], "a developer account");
    await chain.send({
      from: payAll,
      to: wallet,
      call: ["PayingWallet", "payAll", [key.address], [5n]],
    });
    await chain.mine();
    await tools.run(stranger, { to: key.address, value: 6n, data: "0xdeadbeef", gas: 60_000n });
    await tools.run(stranger, { to: key.address, value: 7n, gas: 21_100n });
    expect(await tools.coinOf(key.address)).toBe(18n);
  });

  it("receives no ether with exactly 21000 gas, so addresses with only ether are never delegated", async () => {
    const key = await delegated();
    const exactly = { to: key.address, value: 7n, gas: 21_000n };
    expect((await tools.run(stranger, exactly)).status).toBe("0x0");
    await tools.run(gasAccount, { to: gasAccount.address, authorize: [{ key, to: coin }] });
    expect(await tools.codeOf(key.address)).toBe("0x");
    expect((await tools.run(stranger, exactly)).status).toBe("0x1");
  });

  it("has the address that follows from its creation code and destination", async () => {
    expect(delegateOf(hot, gasAccount.address).address).toBe(delegate);
    expect((await tools.codeOf(delegate)).length).toBeGreaterThan(500);
    expect(delegateOf(stranger.address, gasAccount.address).address).not.toBe(delegate);
    expect(delegateOf(hot, stranger.address).address).not.toBe(delegate);
  });
});
