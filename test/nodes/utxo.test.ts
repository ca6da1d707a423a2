/**
 * What the conformance suite does not cover of bitcoind and litecoind: every type of address, coinbases, transactions that a
 * reorg drops, restarts, nodes without an index. One node per coin; the tests use addresses of their own.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import {
  type DerivedAddressing,
  type Destination,
  type Transfer,
  WrongNetwork,
} from "../../src/chains/port.ts";
import type { JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { formatDecimal } from "../../src/platform/kernel/decimal.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import {
  mineBlocks,
  payFromFaucet,
  reorgBlocks,
  replacePayment,
  signAndSend,
} from "../../src/sandbox/drive-utxo-node.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { startGateway } from "../support/rpc-gateway.ts";
import {
  addressTypeNames,
  coins,
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestNode,
} from "../support/utxo-node.ts";

const never = new AbortController().signal;

for (const coin of coins) {
  describeWithDaemon(coin, `${coin.chain.chain} on ${coin.daemon}`, (program) => {
    let running: TestNode;
    let adapter: ChainAdapter<DerivedAddressing>;
    let rpc: JsonRpc;
    let lastIndex = 0;
    beforeAll(async () => {
      running = await startTestNode(coin, program);
      ({ adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]));
    });
    afterAll(async () => {
      await rpc.close();
      await running.stop();
    });

    const fresh = (type: string | null = null): Destination =>
      adapter.addressing.depositAt((lastIndex += 1), type);
    const paidTo = (transfers: readonly Transfer[], destination: Destination): Transfer[] =>
      transfers.filter(({ to }) => to === adapter.addressing.watchKey(destination));
    const unitsOf = ({ asset }: Transfer): bigint | null =>
      asset.kind === "currency" ? asset.amount.units : null;
    const waiting = async (): Promise<readonly Transfer[]> =>
      await adapter.reader.pendingTransfers!(never);
    const newest = async (): Promise<readonly Transfer[]> => {
      const tip = await adapter.reader.tip(never);
      return (await adapter.reader.readBlock(tip, never))!.transfers;
    };
    const spendsOf = async (txid: string): Promise<readonly string[]> =>
      (await adapter.reader.senders([txid], null, never)).get(txid)!.claims;

    it("derives for each of our addresses the script that the node derives", async () => {
      for (const type of addressTypeNames) {
        const destination = fresh(type);
        expect(await running.node.command("validateaddress", [destination.address])).toMatchObject({
          isvalid: true,
          address: destination.address,
          scriptPubKey: adapter.addressing.watchKey(destination),
        });
      }
    });

    it("reads a payment to each type of address while it is pending and in its block", async () => {
      const destinations = addressTypeNames.map((type) => fresh(type));
      const txid = await payFromFaucet(
        running.node,
        destinations.map(({ address }, index) => ({ address, units: 100_000n + BigInt(index) })),
      );
      const seen = await waiting();
      await mineBlocks(running.node, 1);
      const included = await newest();
      for (const [index, destination] of destinations.entries()) {
        const transfers = paidTo(included, destination);
        expect(transfers.map(unitsOf)).toEqual([100_000n + BigInt(index)]);
        expect(transfers[0]!.key.txid).toBe(txid);
        expect(paidTo(seen, destination)).toEqual(transfers);
      }
      expect(await waiting()).toEqual([]);
    });

    it("does not read an unchanged mempool again", async () => {
      await payFromFaucet(running.node, [{ address: fresh().address, units: 100_000n }]);
      const first = await waiting();
      expect(await waiting()).toBe(first);
      await payFromFaucet(running.node, [{ address: fresh().address, units: 100_000n }]);
      expect((await waiting()).length).toBeGreaterThan(first.length);
      await mineBlocks(running.node, 1);
    });

    it("makes a coinbase spendable after a hundred blocks, and ignores its commitment", async () => {
      const destination = fresh();
      await running.node.command("generatetoaddress", [1, destination.address]);
      const { height } = await adapter.reader.tip(never);
      const transfers = await newest();
      expect(paidTo(transfers, destination)).toHaveLength(1);
      expect(transfers).toHaveLength(1);
      expect(transfers[0]!.spendableFromHeight).toBe(height + 100);
      const origins = await adapter.reader.senders(
        [transfers[0]!.key.txid],
        await adapter.reader.tip(never),
        never,
      );
      expect(origins.get(transfers[0]!.key.txid)).toEqual({ addresses: [], claims: [] });
    });

    it("reads amounts exactly to the last digit", async () => {
      const destination = fresh();
      const units = 123_456_789_01n;
      await payFromFaucet(running.node, [{ address: destination.address, units }]);
      await mineBlocks(running.node, 1);
      expect(paidTo(await newest(), destination).map(unitsOf)).toEqual([units]);
      expect(
        await balanceAtTip(adapter.reader, [destination.address], coin.chain.currency, never),
      ).toBe(units);
    });

    it("sums balances of all types of address for concurrent requests", async () => {
      const destinations = addressTypeNames.map((type) => fresh(type));
      await payFromFaucet(
        running.node,
        destinations.map(({ address }) => ({ address, units: 50_000n })),
      );
      await mineBlocks(running.node, 1);
      const addresses = destinations.map(({ address }) => address);
      const sums = await Promise.all(
        [addresses, addresses.slice(0, 1), []].map((list) =>
          balanceAtTip(adapter.reader, list, coin.chain.currency, never),
        ),
      );
      expect(sums).toEqual([200_000n, 50_000n, 0n]);
    });

    it("reads the senders of a pending and of an included payment", async () => {
      const source = await running.node.faucet<string>("getnewaddress", ["", "legacy"]);
      await payFromFaucet(running.node, [{ address: source, units: 500_000_000n }]);
      await mineBlocks(running.node, 1);
      const txid = await spendFrom(running.node, source, fresh().address, 499_900_000n);
      const expected = { addresses: [source], claims: await spendsOf(txid) };
      expect((await adapter.reader.senders([txid], null, never)).get(txid)).toEqual(expected);
      await mineBlocks(running.node, 1);
      const block = await adapter.reader.tip(never);
      expect((await adapter.reader.senders([txid], block, never)).get(txid)).toEqual(expected);
      const wrongBlock = (await adapter.reader.headerAt(block.height - 1, never))!;
      expect((await adapter.reader.senders([txid], wrongBlock, never)).size).toBe(0);
    });

    it("returns a payment to the mempool after a reorg, and includes the same payment again", async () => {
      const destination = fresh();
      const txid = await payFromFaucet(running.node, [
        { address: destination.address, units: 100_000n },
      ]);
      await mineBlocks(running.node, 1);
      const spends = (
        await adapter.reader.senders([txid], await adapter.reader.tip(never), never)
      ).get(txid)!.claims;
      await reorgBlocks(running.node, 1, "wait");
      expect(paidTo(await waiting(), destination)).toHaveLength(1);
      expect(await adapter.reader.statusOf(txid, spends, never)).toEqual({ kind: "pending" });
      await mineBlocks(running.node, 1);
      expect(paidTo(await newest(), destination)[0]!.key.txid).toBe(txid);
    });

    it("reports a payment as conflicted, with the winner's id, after a reorg and a double spend", async () => {
      const destination = fresh();
      const txid = await payFromFaucet(running.node, [
        { address: destination.address, units: 100_000n },
      ]);
      const spends = await spendsOf(txid);
      await mineBlocks(running.node, 1);
      const orphan = await adapter.reader.tip(never);
      await reorgBlocks(running.node, 1, "wait");
      const winner = await replacePayment(running.node, txid);
      expect(await adapter.reader.statusOf(txid, spends, never)).toEqual({ kind: "unknown" });
      await mineBlocks(running.node, 1);
      const { height } = await adapter.reader.tip(never);
      expect(await adapter.reader.statusOf(txid, spends, never)).toEqual({
        kind: "conflicted",
        by: winner,
        height,
      });
      expect(await adapter.reader.readBlock(orphan, never)).toBeNull();
      // While another block replaces the winner's, the conflict is undecided.
      await reorgBlocks(running.node, 1, "wait");
      expect(await adapter.reader.statusOf(txid, spends, never)).toEqual({ kind: "unknown" });
      await mineBlocks(running.node, 1);
    });

    it("drops a payment that spends the change of a dropped payment", async () => {
      const destination = fresh();
      const between = await running.node.faucet<string>("getnewaddress");
      const parent = await payFromFaucet(running.node, [{ address: between, units: 300_000_000n }]);
      const child = await spendFrom(running.node, between, destination.address, 299_980_000n);
      const spends = await spendsOf(child);
      expect(spends[0]).toContain(parent);
      await mineBlocks(running.node, 1);
      expect(paidTo(await newest(), destination)).toHaveLength(1);
      await reorgBlocks(running.node, 1, "wait");
      const winner = await replacePayment(running.node, parent);
      await mineBlocks(running.node, 1);
      expect(await adapter.reader.statusOf(child, spends, never)).toMatchObject({
        kind: "conflicted",
        by: winner,
      });
    });

    it("asks a lagging index again, and derives nothing from one that stays behind", async () => {
      const txid = await payFromFaucet(running.node, [
        { address: fresh().address, units: 100_000n },
      ]);
      const spends = await spendsOf(txid);
      const winner = await replacePayment(running.node, txid);
      await mineBlocks(running.node, 1);
      const { height } = await adapter.reader.tip(never);
      const gateway = await startGateway(running.node.rpcUrl);
      const other = openAdapter(coin, [gateway.url]);
      try {
        const behind = { result: { txindex: { synced: true, best_block_height: height - 1 } } };
        let looksBehind = Infinity;
        gateway.intercept = (method) =>
          method === "getindexinfo" && looksBehind-- > 0 ? behind : null;
        const { reader } = other.adapter;
        expect(await reader.statusOf(txid, spends, never)).toEqual({ kind: "unknown" });
        looksBehind = 1;
        expect(await reader.statusOf(txid, spends, never)).toEqual({
          kind: "conflicted",
          by: winner,
          height,
        });
      } finally {
        await other.rpc.close();
        await gateway.close();
      }
    });

    it("reports a deep payment as included, however many of its outputs are spent", async () => {
      const address = await running.node.faucet<string>("getnewaddress");
      const txid = await payFromFaucet(running.node, [{ address, units: 100_000n }]);
      const spends = await spendsOf(txid);
      await mineBlocks(running.node, 1);
      const { height } = await adapter.reader.tip(never);
      await mineBlocks(running.node, 5);
      expect(await adapter.reader.statusOf(txid, spends, never)).toEqual({
        kind: "included",
        height,
      });
    });

    it("stops waiting soon after a block is mined, also if it was mined before the wait began", async () => {
      await adapter.reader.tip(never);
      // Longer than the test's timeout: a wait until the end fails.
      const patienceMs = 600_000;
      const wait = adapter.reader.waitForBlock(patienceMs, never);
      await systemClock.sleep(200);
      await mineBlocks(running.node, 1);
      await wait;
      const { height } = await adapter.reader.tip(never);
      await mineBlocks(running.node, 1);
      await adapter.reader.waitForBlock(patienceMs, never);
      expect((await adapter.reader.tip(never)).height).toBe(height + 1);
    });

    it("reads the same after a restart", async () => {
      const destination = fresh();
      const txid = await payFromFaucet(running.node, [
        { address: destination.address, units: 100_000n },
      ]);
      const before = { tip: await adapter.reader.tip(never), transfers: await newest() };
      const url = running.node.rpcUrl;
      const resume = await running.pause();
      await resume();
      expect(running.node.rpcUrl).toBe(url);
      expect({ tip: await adapter.reader.tip(never), transfers: await newest() }).toEqual(before);
      expect(paidTo(await waiting(), destination)[0]!.key.txid).toBe(txid);
      await mineBlocks(running.node, 1);
    });

    it("skips nodes of another network or chain and uses a valid one", async () => {
      for (const [wrongCoin, network] of [
        [coin, "main"],
        [coins.find((other) => other !== coin)!, "regtest"],
      ] as const) {
        const foreign = openAdapter(wrongCoin, [running.node.rpcUrl], network);
        await expect(foreign.adapter.reader.verifyNetwork(never)).rejects.toThrow(WrongNetwork);
        await expect(foreign.adapter.reader.tip(never)).rejects.toThrow(WrongNetwork);
        await foreign.rpc.close();
      }
      const dead = "http://user:password@127.0.0.1:9";
      const both = openAdapter(coin, [dead, running.node.rpcUrl]);
      expect(await both.adapter.reader.tip(never)).toEqual(await adapter.reader.tip(never));
      await both.rpc.close();
    });

    it("has only the chain's own blind spots when the node has an index", async () => {
      expect(await adapter.reader.limitations(never)).toEqual(coin.chain.limitations);
    });
  });

  describeWithDaemon(
    coin,
    `${coin.chain.chain} on ${coin.daemon} without a transaction index`,
    (program) => {
      it("reads senders of pending payments, and never reports a conflict without an index", async () => {
        const running = await startTestNode(coin, program, { settings: ["-txindex=0"] });
        const { adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]);
        try {
          const { reader, addressing } = adapter;
          const { address } = addressing.depositAt(0, null);
          const txid = await payFromFaucet(running.node, [{ address, units: 100_000n }]);
          const { addresses, claims } = (await reader.senders([txid], null, never)).get(txid)!;
          expect(addresses.length).toBeGreaterThan(0);
          const winner = await replacePayment(running.node, txid);
          await mineBlocks(running.node, 2);
          const { height } = await reader.tip(never);
          expect(await reader.statusOf(txid, claims, never)).toEqual({ kind: "unknown" });
          expect(await reader.statusOf(winner, claims, never)).toEqual({
            kind: "included",
            height: height - 1,
          });
          expect((await reader.limitations(never)).join()).toMatch(/-txindex/);
        } finally {
          await rpc.close();
          await running.stop();
        }
      });
    },
  );
}

/** One transaction that spends what the faucet's address received; the remainder is its fee. */
async function spendFrom(
  node: UtxoNode,
  source: string,
  address: string,
  units: bigint,
): Promise<string> {
  const [coin] = await node.faucet<readonly { txid: string; vout: number }[]>("listunspent", [
    0,
    9_999_999,
    [source],
  ]);
  const draft = await node.command<string>("createrawtransaction", [
    [{ txid: coin!.txid, vout: coin!.vout }],
    [{ [address]: formatDecimal(units, 8) }],
  ]);
  return await signAndSend(node, draft);
}
