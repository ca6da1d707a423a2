import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { matchTransfers } from "../../src/chains/follow/match-transfers.ts";
import type { TransactionReceipt, Transfer } from "../../src/chains/port.ts";
import type { JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { accountPath } from "../../src/chains/utxo/account-key.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { mineBlocks, payFromFaucet, reorgBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import { ensureTreasury } from "../../src/treasury/holdings/ensure-treasury.ts";
import { useDatabase } from "../support/database.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  type PrivateEvm,
  signal,
  startPrivateEvm,
} from "../support/private-evm.ts";
import {
  coins,
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestNode,
} from "../support/utxo-node.ts";

/* What real nodes' blocks contain of our own money: payments to our own addresses, and our transactions. */

/** Of test networks, because nodes of a private chain require extended keys of that kind. */
const testVersions = { public: 0x043587cf, private: 0x04358394 };

const database = useDatabase();
const { db } = database;

async function arrivalsIn(
  adapter: ChainAdapter,
): Promise<readonly { purpose: string; keyIndex: number; units: bigint }[]> {
  const tip = await adapter.reader.tip(signal);
  const content = present(await adapter.reader.readBlock(tip, signal), "the tip's content");
  const { arrivals } = await matchTransfers(db, adapter, content, tip, signal);
  return arrivals.map(({ purpose, keyIndex, transfer }) => ({
    purpose,
    keyIndex,
    units: unitsOf(transfer),
  }));
}

function unitsOf({ asset }: Transfer): bigint {
  return asset.kind === "currency" ? asset.amount.units : asset.units;
}

describe("ether on anvil", () => {
  let evm: PrivateEvm;
  let client: AdapterUnderTest;
  beforeAll(async () => {
    evm = await startPrivateEvm();
    client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    await ensureTreasury({ db, clock: systemClock }, [client.adapter]);
    await evm.mine(3);
  });
  afterAll(async () => {
    await client.close();
    await evm.stop();
  });

  const minedIn = (txid: string, block = client.adapter.reader.tip(signal)) =>
    block.then((found) => client.adapter.reader.receiptsIn([txid], found, signal));
  const balance = async (address: string): Promise<bigint> =>
    BigInt(await evm.rpc.call<string>("eth_getBalance", [address, "latest"], signal));

  it("reads payments to the hot and the gas account", async () => {
    const { hot, gas } = present(client.adapter.addressing.treasury, "our own accounts");
    await evm.send({ to: hot.address, value: 7n });
    await evm.send({ to: gas.address, value: 8n });
    await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", hot.address, 9n] });
    await evm.mine();
    expect(await arrivalsIn(client.adapter)).toEqual([
      { purpose: "hot", keyIndex: 0, units: 7n },
      { purpose: "gas", keyIndex: 0, units: 8n },
      { purpose: "hot", keyIndex: 0, units: 9n },
    ]);
  });

  it("reads a transaction's cost as what its sender lost, also when it was reverted", async () => {
    const [, sender = ""] = evm.accounts;
    const { hot } = present(client.adapter.addressing.treasury, "our own accounts");
    const before = await balance(sender);
    const paid = await evm.send({ from: sender, to: hot.address, value: 5n });
    await evm.mine();
    const [succeeded] = present(await minedIn(paid), "the block");
    const between = await balance(sender);
    expect(succeeded).toEqual<TransactionReceipt>({
      txid: paid,
      hasSucceeded: true,
      feeUnits: before - between - 5n,
    });

    // The sender has none of these tokens.
    const call = ["TetherLike", "transfer", hot.address, 1n] as const;
    const reverted = await evm.send({ from: sender, to: evm.contracts.usdt, call });
    await evm.mine();
    expect(await minedIn(reverted)).toEqual([
      { txid: reverted, hasSucceeded: false, feeUnits: between - (await balance(sender)) },
    ]);
    expect(await arrivalsIn(client.adapter)).toEqual([]);
  });

  it("drops a block that a reorg replaced, and finds none of our transactions in the new one", async () => {
    const { hot } = present(client.adapter.addressing.treasury, "our own accounts");
    const txid = await evm.send({ to: hot.address, value: 1n });
    await evm.mine();
    const block = await client.adapter.reader.tip(signal);
    expect(await minedIn(txid)).toHaveLength(1);
    await evm.reorg(1);
    expect(await minedIn(txid, Promise.resolve(block))).toBeNull();
    expect(await minedIn(txid)).toEqual([]);
  });
});

for (const coin of coins) {
  const { chain } = coin.chain;
  describeWithDaemon(coin, `${chain} on ${coin.daemon}`, (program) => {
    let running: TestNode;
    let adapter: ChainAdapter;
    let rpc: JsonRpc;
    beforeAll(async () => {
      running = await startTestNode(coin, program);
      ({ adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]));
      await ensureTreasury({ db, clock: systemClock }, [adapter]);
    });
    afterAll(async () => {
      await rpc.close();
      await running.stop();
    });

    it("derives the change addresses that the node derives on branch 1 of the account", async () => {
      const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(42), testVersions);
      const account = root.derive(accountPath(coin.chain, "regtest", "bech32"));
      const { descriptor } = await running.node.command<{ readonly descriptor: string }>(
        "getdescriptorinfo",
        [`wpkh(${account.publicExtendedKey}/1/*)`],
      );
      const theirs = await running.node.command<readonly string[]>("deriveaddresses", [
        ...[descriptor, [0, 20]],
      ]);
      const changeAt = present(adapter.addressing.changeAt, "change");
      expect(theirs.map((_, index) => changeAt(index).address)).toEqual(theirs);
    });

    it("reads change, and one of our transactions in its block, until a reorg removes it", async () => {
      const change = present(adapter.addressing.changeAt, "change")(3);
      const { address } = change;
      const txid = await payFromFaucet(running.node, [{ address, units: 50_000_000n }]);
      await mineBlocks(running.node, 1);
      expect(await arrivalsIn(adapter)).toEqual([
        { purpose: "change", keyIndex: 3, units: 50_000_000n },
      ]);
      const block = await adapter.reader.tip(signal);
      expect(await adapter.reader.receiptsIn([txid], block, signal)).toEqual([
        { txid, hasSucceeded: true, feeUnits: null },
      ]);
      await reorgBlocks(running.node, 1, "wait");
      expect(await adapter.reader.receiptsIn([txid], block, signal)).toBeNull();
    });
  });
}
