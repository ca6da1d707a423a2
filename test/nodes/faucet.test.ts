/**
 * Tests the sandbox's payer, which needs only the node's URL: it pays exact amounts, mines, and reorganizes on Anvil, bitcoind
 * and litecoind.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFaucet } from "../../src/main/families/sandbox-families.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { Rejected } from "../../src/platform/kernel/rejection.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Faucet } from "../../src/sandbox/faucet.ts";
import type { SandboxChain } from "../../src/sandbox/sandbox-file.ts";
import { type PrivateEvm, signal, startPrivateEvm } from "../support/private-evm.ts";
import { coins, describeWithDaemon, startTestNode, type TestNode } from "../support/utxo-node.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

describe("Anvil", () => {
  const payee = "0x00000000000000000000000000000000000000AA";
  let evm: PrivateEvm;
  let faucet: Faucet;

  beforeAll(async () => {
    evm = await startPrivateEvm();
    const chain: SandboxChain = {
      family: "evm",
      rpc_url: evm.anvil.url,
      chain_id: 1337,
      tokens: { "USDT-ETH": evm.contracts.usdt, "USDC-ETH": evm.contracts.usdc },
    };
    faucet = openFaucet("ETH", chain, world);
    await faucet.mine(30);
  });
  afterAll(async () => {
    await faucet.close();
    await evm.stop();
  });

  const ether = async (): Promise<bigint> =>
    BigInt(await evm.rpc.call<string>("eth_getBalance", [payee, "latest"], signal));
  const tokens = async (contract: string): Promise<bigint> => {
    const data = `0x70a08231${payee.slice(2).padStart(64, "0")}`;
    return BigInt(
      await evm.rpc.call<string>("eth_call", [{ to: contract, data }, "latest"], signal),
    );
  };
  const heightOf = async (txid: string): Promise<number | null> => {
    const found = await evm.rpc.call<{ blockNumber: string | null } | null>(
      "eth_getTransactionByHash",
      [txid],
      signal,
    );
    return found === null || found.blockNumber === null ? null : Number(found.blockNumber);
  };

  it("pays ether and both tokens to the last digit", async () => {
    const [coin, usdt] = [await ether(), await tokens(evm.contracts.usdt)];
    const usdc = await tokens(evm.contracts.usdc);
    await faucet.pay("ETH", payee, "0.000000000000000001");
    await faucet.pay("USDT-ETH", payee, "12.345678");
    await faucet.pay("USDC-ETH", payee, "900719925.474099");
    await faucet.mine(1);
    expect((await ether()) - coin).toBe(1n);
    expect((await tokens(evm.contracts.usdt)) - usdt).toBe(12_345_678n);
    expect((await tokens(evm.contracts.usdc)) - usdc).toBe(900_719_925_474_099n);
  });

  it("mines the requested number of blocks and reports the tip", async () => {
    const before = await faucet.tip();
    const after = await faucet.mine(7);
    expect(after.height).toBe(before.height + 7);
    expect(await faucet.tip()).toEqual(after);
  });

  it("keeps included transactions in blocks with new hashes after a reorg, and pending ones pending", async () => {
    const first = await faucet.pay("ETH", payee, "1");
    await faucet.mine(1);
    const second = await faucet.pay("USDT-ETH", payee, "2");
    const old = await faucet.mine(1);
    const waiting = await faucet.pay("ETH", payee, "3");
    const heights = [await heightOf(first), await heightOf(second)];

    const tip = await faucet.reorg(2, "include");
    expect(tip.height).toBe(old.height);
    expect(tip.hash).not.toBe(old.hash);
    expect([await heightOf(first), await heightOf(second)]).toEqual(heights);
    expect(await heightOf(waiting)).toBeNull();
    const { height } = await faucet.mine(1);
    expect(await heightOf(waiting)).toBe(height);
  });

  it("includes all transactions in the block after a reorg that dropped them", async () => {
    const before = await ether();
    const mined: string[] = [];
    for (const amount of ["1", "2", "4"]) {
      mined.push(await faucet.pay("ETH", payee, amount));
      await faucet.mine(1);
    }
    const waiting = await faucet.pay("ETH", payee, "8");
    const tip = await faucet.reorg(3, "wait");
    expect(await ether()).toBe(before);
    expect(await Promise.all([...mined, waiting].map(heightOf))).toEqual([null, null, null, null]);
    await faucet.mine(1);
    expect(await Promise.all([...mined, waiting].map(heightOf))).toEqual(
      [1, 2, 3, 4].map(() => tip.height + 1),
    );
    expect((await ether()) - before).toBe(15n * 10n ** 18n);
  });

  it("sets block times to the current time, also after a reorg", async () => {
    const young = await startPrivateEvm();
    // By the payer's clock a day has passed since the block that the reorg builds on.
    const day = 86_400;
    const clock = { ...systemClock, now: () => addSeconds(systemClock.now(), day) };
    const site = { family: "evm", rpc_url: young.anvil.url, chain_id: 1337, tokens: {} } as const;
    const payer = openFaucet("ETH", site, { ...world, clock });
    try {
      await payer.mine(2);
      await payer.reorg(2, "wait");
      await payer.mine(1);
      const block = await young.rpc.call<{ timestamp: string }>(
        "eth_getBlockByNumber",
        ["latest", false],
        signal,
      );
      const behindSeconds = clock.now() / 1_000_000 - Number(block.timestamp);
      expect(Math.abs(behindSeconds)).toBeLessThan(day / 10);
    } finally {
      await payer.close();
      await young.stop();
    }
  });

  it.each(["wait", "include"] as const)(
    "reorganizes blocks from before a node restart with its tokens in place: %s",
    async (transactions) => {
      const folder = await mkdtemp(join(tmpdir(), "sluice-evm-"));
      const first = await startPrivateEvm(1337, folder);
      await first.mine(3);
      await first.stop();
      const again = await startPrivateEvm(1337, folder);
      const { usdt } = again.contracts;
      const payer = openFaucet(
        "ETH",
        {
          family: "evm",
          rpc_url: again.anvil.url,
          chain_id: 1337,
          tokens: { "USDT-ETH": usdt },
        },
        world,
      );
      try {
        const txid = await payer.pay("USDT-ETH", payee, "5");
        const old = await payer.mine(1);
        const tip = await payer.reorg(3, transactions);
        expect(tip.height).toBe(old.height);
        expect(tip.hash).not.toBe(old.hash);
        await payer.mine(1);
        const receipt = await again.rpc.call<{ logs: unknown[]; blockNumber: string }>(
          "eth_getTransactionReceipt",
          [txid],
          signal,
        );
        expect(receipt.logs).toHaveLength(1);
        expect(Number(receipt.blockNumber)).toBe(
          transactions === "include" ? old.height : old.height + 1,
        );
      } finally {
        await payer.close();
        await again.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it("restores the tokens after a reorg that reaches their deployment", async () => {
    const young = await startPrivateEvm();
    const { usdt } = young.contracts;
    const payer = openFaucet(
      "ETH",
      {
        family: "evm",
        rpc_url: young.anvil.url,
        chain_id: 1337,
        tokens: { "USDT-ETH": usdt },
      },
      world,
    );
    try {
      await payer.mine(1);
      await payer.reorg(2, "wait");
      await payer.mine(1);
      const txid = await payer.pay("USDT-ETH", payee, "5");
      await payer.mine(1);
      const receipt = await young.rpc.call<{ logs: unknown[] }>(
        "eth_getTransactionReceipt",
        [txid],
        signal,
      );
      expect(receipt.logs).toHaveLength(1);
    } finally {
      await payer.close();
      await young.stop();
    }
  });

  it("reorganizes only as deep as the node keeps states", async () => {
    await faucet.mine(60);
    const old = await faucet.tip();
    const tip = await faucet.reorg(24, "wait");
    expect(tip.hash).not.toBe(old.hash);
    await expect(faucet.reorg(25, "wait")).rejects.toThrow("replace 1 to 24 blocks");
    expect(await faucet.tip()).toEqual(tip);
  });

  it.each([
    ["ETH", "0.0000000000000000001", "18 decimals"],
    ["USDT-ETH", "1.0000001", "6 decimals"],
    ["ETH", "0", "greater than zero"],
    ["ETH", "-1", "greater than zero"],
    ["ETH", "a lot", "Invalid amount"],
    ["BTC", "1", "The chain ETH has no currency BTC"],
    ["DAI-ETH", "1", "no test token DAI-ETH"],
  ])("rejects %s %s", async (alpha, amount, reason) => {
    const refused = faucet.pay(alpha, payee, amount);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toThrow(Rejected);
  });

  it("rejects amounts beyond the faucet's balance with the node's reason, and sends nothing", async () => {
    const before = await faucet.tip();
    await expect(faucet.pay("USDT-ETH", payee, "2000000000")).rejects.toThrow(/revert/i);
    await expect(faucet.pay("ETH", payee, "10001")).rejects.toThrow(/insufficient funds/i);
    await expect(faucet.pay("ETH", "0x12", "1")).rejects.toThrow();
    await faucet.mine(1);
    const block = await evm.rpc.call<{ transactions: unknown[] }>(
      "eth_getBlockByNumber",
      [`0x${(before.height + 1).toString(16)}`, false],
      signal,
    );
    expect(block.transactions).toEqual([]);
  });

  it("rejects 0 and 1001 blocks, and a reorg of none", async () => {
    for (const count of [0, 1001, 1.5]) await expect(faucet.mine(count)).rejects.toThrow(Rejected);
    for (const depth of [0, 0.5])
      await expect(faucet.reorg(depth, "wait")).rejects.toThrow(Rejected);
  });
});

for (const coin of coins) {
  const alpha = coin.chain.chain;
  describeWithDaemon(coin, `${alpha} on ${coin.daemon}`, (program) => {
    let node: TestNode;
    let faucet: Faucet;
    beforeAll(async () => {
      node = await startTestNode(coin, program);
      const { rpcUrl, faucetWallet } = node.node;
      const chain: SandboxChain = { family: "utxo", rpc_url: rpcUrl, faucet_wallet: faucetWallet };
      faucet = openFaucet(alpha, chain, world);
    });
    afterAll(async () => {
      await faucet.close();
      await node.stop();
    });

    const fresh = (): Promise<string> => node.node.faucet<string>("getnewaddress");
    const received = (address: string): Promise<string | number> =>
      node.node.faucet("getreceivedbyaddress", [address, 1]);
    const confirmations = async (txid: string): Promise<number> =>
      (await node.node.faucet<{ confirmations: number }>("gettransaction", [txid])).confirmations;

    it("pays to the last digit, and mines", async () => {
      const address = await fresh();
      const before = await faucet.tip();
      const txid = await faucet.pay(alpha, address, "0.12345678");
      expect(await confirmations(txid)).toBe(0);
      const tip = await faucet.mine(2);
      expect(tip.height).toBe(before.height + 2);
      expect(await confirmations(txid)).toBe(2);
      expect(String(await received(address))).toBe("0.12345678");
    });

    it("pays an address many times in one transaction", async () => {
      const address = await fresh();
      await faucet.payPieces(alpha, address, "0.12345678", 40, null);
      await faucet.mine(1);
      const coins = await node.node.faucet<{ txid: string; amount: number | string }[]>(
        "listunspent",
        [1, 1, [address]],
      );
      expect(coins.map(({ amount }) => String(amount))).toEqual(Array(40).fill("0.12345678"));
      expect(new Set(coins.map(({ txid }) => txid)).size).toBe(1);
    });

    it("leaves a payment pending or in another block after a reorg", async () => {
      const txid = await faucet.pay(alpha, await fresh(), "0.5");
      const old = await faucet.mine(2);
      const waiting = await faucet.reorg(2, "wait");
      expect(waiting.height).toBe(old.height + 1);
      expect(await confirmations(txid)).toBe(0);
      await faucet.mine(1);
      expect(await confirmations(txid)).toBe(1);
      const other = await faucet.reorg(1, "include");
      expect(other.height).toBe(old.height + 3);
      expect(await confirmations(txid)).toBe(2);
    });

    it("rejects excess digits, no amount, too many blocks and too deep a reorg", async () => {
      const address = await fresh();
      const paying = (amount: string) => faucet.pay(alpha, address, amount);
      await expect(paying("0.123456789")).rejects.toThrow("8 decimals");
      await expect(paying("0")).rejects.toThrow("greater than zero");
      await expect(faucet.mine(1001)).rejects.toThrow("between 1 and 1000 blocks");
      await expect(faucet.reorg(101, "wait")).rejects.toThrow("replace 1 to 100 blocks");
    });
  });
}
