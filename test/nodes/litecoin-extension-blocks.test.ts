/**
 * Litecoin blocks with a MimbleWimble extension, from a real litecoind. Value that stays inside is not a transfer; value that
 * leaves to an ordinary address is one, spendable six blocks later, and can be spent like any other coin.
 */
import { expect, it } from "vitest";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import type { Coin } from "../../src/chains/paying-port.ts";
import { mineBlocks, payFromFaucet } from "../../src/sandbox/drive-utxo-node.ts";
import { daemonOf, litecoin } from "../support/known-chains.ts";
import { coins, describeWithDaemon, openAdapter, startTestNode } from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer } from "../support/utxo-payer.ts";

const never = new AbortController().signal;
const coin = coins[1]!;
const firstExtensionHeight = 432;
/** Litecoin's sandbox turns extension blocks off. */
const withExtensionBlocks = { ...daemonOf(litecoin), daemonArguments: ["-mempoolreplacement=1"] };

describeWithDaemon(coin, "LTC with extension blocks on litecoind", (program) => {
  it("reads value that leaves the extension block as a transfer of the block's last transaction", async () => {
    const running = await startTestNode(coin, program, { sandbox: withExtensionBlocks });
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
      expect(
        (await reader.pendingTransfers!(never)).filter(({ key }) => key.txid === pegin),
      ).toEqual([]);
      await mineBlocks(node, 1);
      const first = await reader.readBlock(await reader.tip(never), never);
      expect(first!.transfers.filter(({ key }) => key.txid === pegin)).toEqual([]);
      const peginOrigin = await reader.senders([pegin], first!.block, never);
      expect(peginOrigin.get(pegin)!.claims.length).toBeGreaterThan(0);

      await mineBlocks(node, 1);
      // The faucet's remaining coins are inside.
      const lockOrdinary = async (): Promise<void> => {
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
      };
      await lockOrdinary();
      const destination = addressing.depositAt(0, null);
      const inside = await payFromFaucet(node, [
        { address: destination.address, units: 50_000_000n },
      ]);
      // It waits inside the extension, which shows no address.
      expect(await reader.pendingTransfers!(never)).toEqual([]);
      const waiting = await reader.senders([inside], null, never);
      expect(waiting.get(inside)).toEqual({ addresses: [], claims: [] });

      await node.command("generatetoaddress", [1, addressing.depositAt(1, null).address]);
      const block = await reader.tip(never);
      const { transfers } = (await reader.readBlock(block, never))!;
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
      const origin = (await reader.senders([txid], block, never)).get(txid)!;
      expect(origin.addresses).toEqual([]);
      expect(await reader.statusOf(txid, origin.claims, never)).toEqual({
        kind: "included",
        height: block.height,
      });
      expect(await balanceAtTip(reader, [destination.address], coin.chain.currency, never)).toBe(
        50_000_000n,
      );

      // Two inputs: then the signer must see the transactions that settle the extension blocks.
      await lockOrdinary();
      const second = addressing.depositAt(2, null);
      await payFromFaucet(node, [{ address: second.address, units: 40_000_000n }]);
      const empty = addressing.depositAt(3, null).address;
      await node.command("generatetoaddress", [1, empty]);
      const last = await reader.tip(never);
      const [other] = (await reader.readBlock(last, never))!.transfers.filter(
        ({ to }) => to === addressing.watchKey(second),
      );
      expect(other).toMatchObject({ key: { index: 1 }, spendableFromHeight: last.height + 6 });
      const payer = createUtxoPayer(coin, running, adapter);
      const owned: readonly Coin[] = [
        [txid, 50_000_000n, 0] as const,
        [other!.key.txid, 40_000_000n, 2] as const,
      ].map(([id, units, keyIndex]) => ({
        claim: `${id}:1`,
        units,
        keyIndex,
        addressType: "bech32",
        branch: 0 as const,
      }));
      const payments = [payer.payment(addressing.depositAt(4, null), 80_000_000n)];
      const draft = await payer.draft({ payments, funds: payer.funds(owned) });
      expect(Object.keys(draft.body["previous"] as object)).toHaveLength(2);
      const { raw } = payer.sign(draft, payments);
      const judged = async () =>
        (
          await node.command<readonly { allowed: boolean }[]>("testmempoolaccept", [
            [Buffer.from(raw).toString("hex")],
          ])
        )[0]!.allowed;
      await node.command("generatetoaddress", [4, empty]);
      expect(await judged()).toBe(false);
      await node.command("generatetoaddress", [1, empty]);
      expect(await judged()).toBe(true);
      const sent = await payer.send(draft, payments);
      await node.command("generatetoaddress", [1, empty]);
      expect(await payer.writer.status(sent.txid, draft, never)).toMatchObject({
        kind: "mined",
        txid: sent.txid,
      });
      expect(await burntFee(node, sent.txid)).toBe(draft.feeUnits);
    } finally {
      await rpc.close();
      await running.stop();
    }
  });
});
