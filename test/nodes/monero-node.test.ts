/** Tests that the private Monero chain of sandbox and tests works on the real daemons. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "../../src/sandbox/drive-monero-node.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";

describeWithMonero("the private Monero chain", (programs) => {
  let node: TestMonero;
  beforeAll(async () => {
    node = await startTestMonero(programs);
  }, 120_000);
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
});
