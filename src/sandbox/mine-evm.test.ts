import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import { silentLogger } from "../platform/kernel/logger.ts";
import { systemClock } from "../platform/kernel/system-clock.ts";
import { systemRandom } from "../platform/kernel/system-random.ts";
import { startAnvil } from "./anvil.ts";
import { mineBlocks } from "./mine-evm.ts";

const chainId = 1337;
const { signal } = new AbortController();
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

it("mines what was sent behind a transaction that uses two nonces", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sluice-mine-"));
  const anvil = await startAnvil({ ...world, folder, port: 0, chainId, blockSeconds: null });
  try {
    const { rpc } = anvil;
    const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
    const to = `0x${"bb".repeat(20)}` as const;
    const fees = { gas: 100_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
    const authorization = await account.signAuthorization({
      chainId,
      nonce: 1,
      address: `0x${"aa".repeat(20)}`,
    });
    const delegating = await account.signTransaction({
      ...fees,
      chainId,
      type: "eip7702",
      nonce: 0,
      to: account.address,
      authorizationList: [authorization],
    });
    const payment = (nonce: number) =>
      account.signTransaction({ ...fees, chainId, type: "eip1559", nonce, to, value: 1n });
    const nonceOf = async () =>
      Number(
        await rpc.call<string>("eth_getTransactionCount", [account.address, "latest"], signal),
      );

    await rpc.callOnce("anvil_setBalance", [account.address, "0x8ac7230489e80000"], signal);
    for (const raw of [delegating, await payment(2), await payment(3)])
      await rpc.callOnce("eth_sendRawTransaction", [raw], signal);
    await mineBlocks(rpc, 1, signal);
    expect(await nonceOf()).toBe(2);
    await mineBlocks(rpc, 1, signal);
    expect(await nonceOf()).toBe(4);
    expect(await rpc.call("eth_getBalance", [to, "latest"], signal)).toBe("0x2");
  } finally {
    await anvil.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
