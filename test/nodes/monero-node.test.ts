/** Tests that the private Monero chain of sandbox and tests works on the real daemons. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import {
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "../../src/sandbox/drive-monero-node.ts";
import { type MoneroNode, startMoneroNode } from "../../src/sandbox/monero-node.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";

describeWithMonero("the private Monero chain", (programs) => {
  let node: TestMonero;
  beforeAll(async () => {
    node = await startTestMonero(programs);
  }, 900_000);
  afterAll(() => node.stop());

  const height = async (): Promise<number> =>
    (await node.drive.daemon<{ readonly height: number }>("get_info")).height;

  const heightOf = async (txid: string): Promise<number | "pending" | "unknown"> => {
    const { txs = [] } = await node.drive.path<{
      readonly txs?: readonly { readonly in_pool: boolean; readonly block_height: number }[];
    }>("/get_transactions", { txs_hashes: [txid] });
    const [found] = txs;
    if (found === undefined) return "unknown";
    return found.in_pool ? "pending" : found.block_height;
  };

  const otherAddress = async (): Promise<string> =>
    (await node.drive.wallet<{ readonly address: string }>("create_address", { account_index: 0 }))
      .address;

  it("pays from the faucet, mines, and puts payments of replaced blocks back", async () => {
    const before = await height();
    const payment = { address: await otherAddress(), units: 1_500_000_000_000n };
    const txid = await payFromMoneroFaucet(node.drive, [payment]);
    expect(await heightOf(txid)).toBe("pending");
    await mineMonero(node.drive, 3);
    expect(await heightOf(txid)).toBe(before);
    await reorgMonero(node.drive, 3, "wait");
    expect(await height()).toBe(before + 4);
    expect(await heightOf(txid)).toBe("pending");
    await reorgMonero(node.drive, 2, "include");
    expect(await heightOf(txid)).toBe(before + 2);
    expect(await height()).toBe(before + 5);
  });

  it("continues its chain when it starts again after it was killed", {
    timeout: 900_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-monero-"));
    const start = () =>
      startMoneroNode({
        chain: "XMR",
        programs,
        folder,
        firstBlocks: 3,
        clock: systemClock,
        logger: silentLogger,
        random: systemRandom,
      });
    const tipOf = ({ drive }: MoneroNode) =>
      drive.daemon<{ readonly height: number; readonly top_block_hash: string }>("get_info");
    const killed = await start();
    await mineMonero(killed.drive, 2);
    await killed.drive.path("/save_bc");
    const { height: before, top_block_hash: newest } = await tipOf(killed);
    process.kill(present(killed.pid(), "a running monerod"), "SIGKILL");
    await killed.ended;
    await killed.stop();
    const again = await start();
    expect(await tipOf(again)).toMatchObject({ height: before, top_block_hash: newest });
    await again.stop();
    await rm(folder, { recursive: true });
  });
});
