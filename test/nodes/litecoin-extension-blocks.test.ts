/**
 * Litecoin blocks with a MimbleWimble extension, from a real litecoind: what goes in and stays inside is nobody's transfer,
 * what comes out to an ordinary address is one, spendable six blocks later.
 */
import { expect, test } from "vitest";
import { mineBlocks, payFromFaucet } from "../../src/sandbox/drive-utxo-node.ts";
import { coins, describeWithDaemon, openAdapter, startTestNode } from "../support/utxo-node.ts";

const never = new AbortController().signal;
const coin = coins[1]!;
const firstExtensionHeight = 432;

describeWithDaemon(coin, "LTC with extension blocks on litecoind", (program) => {
  test("value that leaves the extension block is a transfer of the block's last transaction", async () => {
    const running = await startTestNode(coin, program, { hasExtensionBlocks: true });
    const { adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]);
    const { node } = running;
    try {
      const { reader, addressing } = adapter;
      const { height } = await reader.tip(never);
      await mineBlocks(node, firstExtensionHeight - 1 - height);

      const hidden = await node.faucet<string>("getnewaddress", ["", "mweb"]);
      expect(hidden).toMatch(/^tmweb1/);
      expect(addressing.parse(hidden, null)).toBeNull();
      const pegin = await payFromFaucet(node, [{ address: hidden, units: 500_000_000n }]);
      expect((await reader.pending!(never)).filter(({ key }) => key.txid === pegin)).toEqual([]);
      await mineBlocks(node, 1);
      const first = await reader.transfersIn(await reader.tip(never), never);
      expect(first!.transfers.filter(({ key }) => key.txid === pegin)).toEqual([]);
      const peginOrigin = await reader.origins([pegin], first!.block, never);
      expect(peginOrigin.get(pegin)!.spends.length).toBeGreaterThan(0);

      await mineBlocks(node, 1);
      const ordinary =
        await node.faucet<readonly { txid: string; vout: number; address: string }[]>(
          "listunspent",
        );
      await node.faucet("lockunspent", [
        false,
        ordinary
          .filter(({ address }) => !address.startsWith("tmweb1"))
          .map(({ txid, vout }) => ({ txid, vout })),
      ]);
      const destination = addressing.depositAt(0, null);
      const inside = await payFromFaucet(node, [
        { address: destination.address, units: 50_000_000n },
      ]);
      // It waits inside the extension, where nothing names an address.
      expect(await reader.pending!(never)).toEqual([]);
      const waiting = await reader.origins([inside], null, never);
      expect(waiting.get(inside)).toEqual({ from: [], spends: [] });

      await node.command("generatetoaddress", [1, addressing.depositAt(1, null).address]);
      const block = await reader.tip(never);
      const { transfers } = (await reader.transfersIn(block, never))!;
      const paid = transfers.filter(({ to }) => to === addressing.watchKey(destination));
      expect(paid).toEqual([
        {
          key: { txid: expect.stringMatching(/^[0-9a-f]{64}$/) as string, index: 1 },
          to: addressing.watchKey(destination),
          asset: { kind: "currency", amount: { units: 50_000_000n, currency: "1003" } },
          spendableFromHeight: block.height + 6,
        },
      ]);
      const { txid } = paid[0]!.key;
      const origin = (await reader.origins([txid], block, never)).get(txid)!;
      expect(origin.from).toEqual([]);
      expect(await reader.fate(txid, origin.spends, never)).toEqual({
        kind: "included",
        height: block.height,
      });
      expect(await reader.balanceOf!([destination.address], coin.chain.currency, never)).toBe(
        50_000_000n,
      );
    } finally {
      await rpc.close();
      await running.stop();
    }
  });
});
