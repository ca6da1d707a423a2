import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparable } from "../../src/chains/conformance/conformance-check.ts";
import { type Destination, WrongNetwork } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  describeTransfer,
  eth,
  newestTransfers,
  type PrivateEvm,
  signal,
  startPrivateEvm,
} from "../support/private-evm.ts";
import { startGateway } from "../support/rpc-gateway.ts";

describe("the EVM adapter through reorgs", () => {
  /* Reorgs during a read, node restarts, and nodes of another chain, on a real node. */

  let evm: PrivateEvm;
  let client: AdapterUnderTest;
  let nextIndex = 300;

  beforeAll(async () => {
    evm = await startPrivateEvm();
    client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    await evm.mine(3);
  });
  afterAll(async () => {
    await client.close();
    await evm.stop();
    // The restarted node keeps the folder, because the test passed it in.
    await rm(evm.folder, { recursive: true, force: true });
  });

  function fresh(): Destination {
    nextIndex += 1;
    return client.adapter.addressing.depositAt(nextIndex, null);
  }

  async function spendsOf(txid: string): Promise<readonly string[]> {
    const origins = await client.adapter.reader.senders([txid], null, signal);
    return present(origins.get(txid), "an origin").claims;
  }

  async function rawOf(txid: string): Promise<string> {
    return evm.rpc.call<string>("eth_getRawTransactionByHash", [txid], signal);
  }

  it("identifies an origin by sender and nonce", async () => {
    const [sender = ""] = evm.accounts;
    const count = await evm.rpc.call<string>("eth_getTransactionCount", [sender, "latest"], signal);
    const txid = await evm.send({ to: fresh().address, value: 1n });
    const origins = await client.adapter.reader.senders([txid], null, signal);
    expect(origins.get(txid)).toEqual({
      addresses: [sender.toLowerCase()],
      claims: [`${sender.toLowerCase()}#${Number(count)}`],
    });
    await evm.mine();
  });

  it("keeps the keys of a transaction that a reorg dropped and a later block includes again", async () => {
    const { reader } = client.adapter;
    const to = fresh();
    // In the first block the token payment is second, so its log has another index in the block.
    await evm.send({
      to: evm.contracts.usdc,
      call: ["DollarLike", "transfer", fresh().address, 1n],
    });
    const txid = await evm.send({
      to: evm.contracts.usdt,
      call: ["TetherLike", "transfer", to.address, 5n],
    });
    const spends = await spendsOf(txid);
    const raw = await rawOf(txid);
    await evm.mine();
    const first = await reader.tip(signal);
    const read = async (): Promise<unknown> =>
      (await newestTransfers(client.adapter)).filter(
        (transfer) => transfer.to === to.address.toLowerCase(),
      );
    const before = await read();
    expect(before).toHaveLength(1);

    await evm.reorg(1);
    expect(await reader.readBlock(first, signal)).toBeNull();
    expect(await reader.headerByHash(first.hash, signal)).toBeNull();
    expect(await reader.statusOf(txid, spends, signal)).toEqual({ kind: "unknown" });

    // The sender's earlier transaction is gone too: a new one takes that nonce, and then the old one is valid again.
    await evm.send({ to: fresh().address, value: 1n });
    await evm.rpc.callOnce("eth_sendRawTransaction", [raw], signal);
    expect(await reader.statusOf(txid, spends, signal)).toEqual({ kind: "pending" });
    await evm.mine();
    expect(await read()).toEqual(before);
    const { height } = await reader.tip(signal);
    expect(await reader.statusOf(txid, spends, signal)).toEqual({ kind: "included", height });
  });

  it("reports a conflict when another transaction used the nonce after a reorg", async () => {
    const { reader } = client.adapter;
    const txid = await evm.send({ to: fresh().address, value: 1n });
    const spends = await spendsOf(txid);
    await evm.mine();
    await evm.reorg(1);
    await evm.send({ to: fresh().address, value: 2n });
    expect(await reader.statusOf(txid, spends, signal)).toEqual({ kind: "unknown" });
    await evm.mine();
    expect(await reader.statusOf(txid, spends, signal)).toEqual({
      kind: "conflicted",
      by: null,
      height: null,
    });
  });

  it("reports no conflict for a used nonce alone, because the transaction itself may have just used it", async () => {
    const gateway = await startGateway(evm.anvil.url);
    const late = connectEvm({ url: gateway.url, currencies: evm.currencies });
    const txid = await evm.send({ to: fresh().address, value: 1n });
    const spends = await spendsOf(txid);
    await evm.mine();
    let asked = 0;
    gateway.intercept = (method) => {
      if (!/^eth_getTransaction(Receipt|ByHash)$/.test(method)) return null;
      asked += 1;
      return asked <= 2 ? { result: null } : null;
    };
    const { height } = await late.adapter.reader.tip(signal);
    expect(await late.adapter.reader.statusOf(txid, spends, signal)).toEqual({
      kind: "included",
      height,
    });
    // A node behind the same address that lacks the block knows neither.
    gateway.intercept = (method, [hash]) =>
      /^eth_getTransaction(Receipt|ByHash)$/.test(method) ||
      (method === "eth_getBlockByHash" && hash !== undefined)
        ? { result: null }
        : null;
    expect(await late.adapter.reader.statusOf(txid, spends, signal)).toEqual({ kind: "unknown" });
    await late.close();
    await gateway.close();
  });

  it("treats a chain that lost its newest blocks as shorter, not as another chain", async () => {
    const { reader } = client.adapter;
    await evm.mine(4);
    const tip = await reader.tip(signal);
    const stays = await reader.headerAt(tip.height - 2, signal);
    await evm.rpc.callOnce("anvil_rollback", [2], signal);
    expect(await reader.tip(signal)).toEqual(stays);
    expect(await reader.headerAt(tip.height, signal)).toBeNull();
    expect(await reader.headerByHash(tip.hash, signal)).toBeNull();
    expect(await reader.readBlock(tip, signal)).toBeNull();
  });

  it("stops waiting for a block when the block arrives", async () => {
    const { reader } = client.adapter;
    await reader.tip(signal);
    // Longer than the test's timeout: a wait until the end fails.
    const patienceMs = 600_000;
    const waiting = reader.waitForBlock(patienceMs, signal);
    await evm.mine();
    await waiting;
    // A block that arrived before the wait began ends it as well.
    await reader.tip(signal);
    await evm.mine();
    await reader.waitForBlock(patienceMs, signal);
  });

  it("finds the same chain, with traces, after a node restarts in its folder", async () => {
    const wallet = await evm.deploy("PayingWallet");
    const to = fresh();
    await evm.send({
      to: wallet,
      value: 9n,
      call: ["PayingWallet", "payAll", [to.address], [9n]],
    });
    await evm.mine();
    const block = await client.adapter.reader.tip(signal);
    const content = await client.adapter.reader.readBlock(block, signal);
    expect(content?.transfers.map(describeTransfer)).toEqual([`${eth} 9`, `${eth} 9`]);
    await evm.mine(2);
    await evm.anvil.stop();
    await client.close();

    evm = await startPrivateEvm(1337, evm.folder);
    client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    expect(comparable(await client.adapter.reader.readBlock(block, signal))).toEqual(
      comparable(content),
    );
    const tip = await client.adapter.reader.tip(signal);
    expect(tip.height).toBe(block.height + 2);
    await evm.reorg(3);
    expect(await client.adapter.reader.headerByHash(block.hash, signal)).toBeNull();
  });

  it("rejects a node of another chain by its chain id or its first block", async () => {
    const { url } = evm.anvil;
    const { currencies } = evm;
    const genesis = await client.adapter.reader.headerAt(0, signal);
    const genesisHash = present(genesis, "block 0").hash;
    const refusal = { name: new WrongNetwork("").name };
    for (const [wrong, verifies] of [
      [{ chainId: 1 }, true],
      [{ chainId: 1 }, false],
      [{ genesisHash: `0x${"ab".repeat(32)}` }, true],
      [{ genesisHash: `0x${"ab".repeat(32)}` }, false],
    ] as const) {
      const other = connectEvm({ url, currencies, ...wrong, verifies });
      await expect(other.adapter.reader.verifyNetwork(signal)).rejects.toMatchObject(refusal);
      await other.close();
    }
    const checked = connectEvm({ url, currencies, chainId: 1 });
    await expect(checked.adapter.reader.tip(signal)).rejects.toMatchObject(refusal);
    await checked.close();
    const right = connectEvm({ url, currencies, genesisHash });
    await right.adapter.reader.verifyNetwork(signal);
    await right.close();
  });

  it("shares addresses between two EVM chains, and reads each chain's own payments", async () => {
    const second = await startPrivateEvm(31_338);
    const base = connectEvm({
      url: second.anvil.url,
      chain: "ETH-BASE",
      chainId: 31_338,
      currencies: currenciesOf("ETH-BASE"),
    });
    expect(base.adapter.keyspace).toBe(client.adapter.keyspace);
    const to = fresh();
    expect(base.adapter.addressing.depositAt(nextIndex, null)).toEqual(to);
    await evm.send({ to: to.address, value: 5n });
    await second.send({ to: to.address, value: 6n });
    await evm.mine();
    await second.mine();
    expect((await newestTransfers(client.adapter)).map(describeTransfer)).toEqual([`${eth} 5`]);
    const [onBase] = await newestTransfers(base.adapter);
    expect(onBase?.to).toBe(client.adapter.addressing.watchKey(to));
    expect(onBase?.asset).toEqual({ kind: "currency", amount: { units: 6n, currency: "1145" } });
    await base.close();
    await second.stop();
  });
});
