import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import type { Destination } from "../../src/chains/port.ts";
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
  usdc,
  usdt,
} from "../support/private-evm.ts";

describe("reading EVM transfers", () => {
  /*
   * What counts as delivered on an EVM chain, on a real node: each test sends real transactions, mines one block and compares
   * what the adapter reads from it, address by address.
   */

  let evm: PrivateEvm;
  let client: AdapterUnderTest;
  let wallet: string;
  let hostile: string;
  let nextIndex = 100;

  beforeAll(async () => {
    evm = await startPrivateEvm();
    client = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
    wallet = await evm.deploy("PayingWallet");
    hostile = await evm.deploy("HostileToken");
  });
  afterAll(async () => {
    await client.close();
    await evm.stop();
  });

  function fresh(): Destination {
    nextIndex += 1;
    return client.adapter.addressing.depositAt(nextIndex, null);
  }

  /** Mines; returns the place and value of each transfer that the block delivered to the address. */
  async function delivered({ address }: Destination): Promise<readonly string[]> {
    await evm.mine();
    const transfers = await newestTransfers(client.adapter);
    return transfers
      .filter(({ to }) => to === address.toLowerCase())
      .map((transfer) => `${transfer.key.index}: ${describeTransfer(transfer)}`);
  }

  function payEther(...args: [string, ...unknown[]]): Promise<string> {
    return evm.send({ to: wallet, value: 100n, call: ["PayingWallet", ...args] });
  }

  describe("payments by people", () => {
    it("deliver ether", async () => {
      const to = fresh();
      await evm.send({ to: to.address, value: 15n });
      expect(await delivered(to)).toEqual([`0: ${eth} 15`]);
    });

    it("deliver ether with data", async () => {
      const to = fresh();
      await evm.send({ to: to.address, value: 15n, call: ["HostileToken", "symbol"] });
      expect(await delivered(to)).toEqual([`0: ${eth} 15`]);
    });

    it("deliver tokens, also those whose transfer returns nothing", async () => {
      const to = fresh();
      await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", to.address, 7n] });
      await evm.send({ to: evm.contracts.usdc, call: ["DollarLike", "transfer", to.address, 8n] });
      expect((await delivered(to)).toSorted()).toEqual([`1: ${usdc} 8`, `1: ${usdt} 7`]);
    });

    it("deliver several transfers of one token to one address in one transaction, each with its place", async () => {
      const to = fresh();
      await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", wallet, 60n] });
      await evm.send({
        to: wallet,
        call: ["PayingWallet", "payTokens", evm.contracts.usdt, to.address, [10n, 20n, 20n]],
      });
      expect(await delivered(to)).toEqual([`1: ${usdt} 10`, `3: ${usdt} 20`, `5: ${usdt} 20`]);
    });

    it("deliver what the log states for a token that charges a fee, listed or not", async () => {
      const to = fresh();
      const fee = await evm.deploy("FeeToken", [10n ** 18n]);
      const listing = connectEvm({
        url: evm.anvil.url,
        currencies: currenciesOf("ETH", { [usdc]: fee }),
      });
      await evm.send({ to: fee, call: ["FeeToken", "transfer", to.address, 1000n] });
      expect(await delivered(to)).toEqual([`3: ${fee.toLowerCase()} 990`]);
      const listed = (await newestTransfers(listing.adapter)).filter(
        (transfer) => transfer.to === to.address.toLowerCase(),
      );
      expect(listed.map(describeTransfer)).toEqual([`${usdc} 990`]);
      await listing.close();
    });
  });

  describe("payments by contracts", () => {
    it("deliver ether to several addresses, in the order of execution", async () => {
      const [one, other] = [fresh(), fresh()];
      await payEther("payAll", [one.address, other.address, one.address], [1n, 2n, 3n]);
      expect(await delivered(one)).toEqual([`2: ${eth} 1`, `6: ${eth} 3`]);
      const transfers = await newestTransfers(client.adapter);
      expect(transfers.map((transfer) => [transfer.to, describeTransfer(transfer)])).toEqual([
        [wallet.toLowerCase(), `${eth} 100`],
        [one.address.toLowerCase(), `${eth} 1`],
        [other.address.toLowerCase(), `${eth} 2`],
        [one.address.toLowerCase(), `${eth} 3`],
      ]);
    });

    it("deliver nothing through a failed inner call, although the transaction succeeded", async () => {
      const [failing, paid] = [fresh(), fresh()];
      await payEther("payPartly", [failing.address, paid.address], [paid.address], [5n, 6n]);
      expect(await delivered(failing)).toEqual([]);
      const before = fresh();
      await payEther("payPartly", [before.address], [paid.address], [5n]);
      expect(await delivered(paid)).toEqual([`2: ${eth} 5`]);
      expect(await balanceAtTip(client.adapter.reader, [before.address], eth, signal)).toBe(0n);
    });

    it("deliver once through a delegatecall, which moves nothing itself", async () => {
      const to = fresh();
      await payEther("payThroughDelegate", [to.address], [9n]);
      expect(await delivered(to)).toEqual([`2: ${eth} 9`]);
    });

    it("deliver ether of a self-destructing contract, unless that call failed", async () => {
      const [heir, disappointed] = [fresh(), fresh()];
      await payEther("payByEnding", heir.address);
      await payEther("failByEnding", disappointed.address);
      await evm.mine();
      const transfers = await newestTransfers(client.adapter);
      const to = (destination: Destination): readonly string[] =>
        transfers
          .filter((transfer) => transfer.to === destination.address.toLowerCase())
          .map(describeTransfer);
      expect(to(heir)).toEqual([`${eth} 100`]);
      expect(to(disappointed)).toEqual([]);
      const { reader } = client.adapter;
      expect(await balanceAtTip(reader, [heir.address, disappointed.address], eth, signal)).toBe(
        100n,
      );
    });
  });

  describe("transactions that deliver nothing", () => {
    it("include failed ones, with ether or with tokens", async () => {
      const to = fresh();
      const poor = evm.accounts[5]!;
      await payEther("payAllAndFail", [to.address], [100n]);
      await evm.send({
        from: poor,
        to: evm.contracts.usdc,
        call: ["DollarLike", "transfer", to.address, 5n],
      });
      expect(await delivered(to)).toEqual([]);
      expect(await newestTransfers(client.adapter)).toEqual([]);
    });

    it("include those of a token whose transfer returns false", async () => {
      const to = fresh();
      await evm.send({ to: hostile, call: ["HostileToken", "transfer", to.address, 5n] });
      expect(await delivered(to)).toEqual([]);
    });

    it("include payments to oneself, in ether or in tokens", async () => {
      const [holder] = evm.accounts;
      await evm.send({ to: holder!, value: 5n });
      await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", holder, 5n] });
      await evm.mine();
      expect(await newestTransfers(client.adapter)).toEqual([]);
    });

    it("include logs of zero, of another standard and of unusual shapes", async () => {
      const to = fresh();
      const [from = ""] = evm.accounts;
      const word = (hex: string): string => `0x${hex.replace("0x", "").padStart(64, "0")}`;
      const topics = [word(from), word(to.address)];
      const dirty = `0x01${word(to.address).slice(4)}`;
      const raw = (which: readonly string[], data: string): Promise<string> =>
        evm.send({ to: hostile, call: ["HostileToken", "pretendRaw", which, data] });
      await evm.send({ to: hostile, call: ["HostileToken", "pretend", from, to.address, 0n] });
      await raw([...topics, word("0x01")], "0x");
      await raw([...topics, word("0x01")], word("0x05"));
      await raw(topics, "0x");
      await raw(topics, "0x05");
      await raw(topics, `${word("0x05")}00`);
      await raw([word(from), dirty], word("0x05"));
      await raw([], word("0x05"));
      expect(await delivered(to)).toEqual([]);
      expect(await newestTransfers(client.adapter)).toEqual([]);
    });
  });

  it("never treats a contract that calls itself USDT as USDT, but identifies tokens by address", async () => {
    const to = fresh();
    const [from = ""] = evm.accounts;
    const all = 2n ** 256n - 1n;
    await evm.send({ to: hostile, call: ["HostileToken", "pretend", from, to.address, all] });
    expect(await delivered(to)).toEqual([`1: ${hostile.toLowerCase()} ${all}`]);
  });

  it("sums balances over addresses, in ether and in tokens, and fails for a missing contract", async () => {
    const [one, other] = [fresh(), fresh()];
    await evm.send({ to: one.address, value: 3n });
    await evm.send({ to: evm.contracts.usdc, call: ["DollarLike", "transfer", one.address, 4n] });
    await evm.send({ to: evm.contracts.usdc, call: ["DollarLike", "transfer", other.address, 5n] });
    await evm.mine();
    const addresses = [one.address, other.address];
    const { reader } = client.adapter;
    expect(await balanceAtTip(reader, addresses, eth, signal)).toBe(3n);
    expect(await balanceAtTip(reader, addresses, usdc, signal)).toBe(9n);
    expect(await balanceAtTip(reader, addresses, usdt, signal)).toBe(0n);
    const nowhere = connectEvm({
      url: evm.anvil.url,
      currencies: currenciesOf("ETH", { [usdc]: one.address }),
    });
    await expect(balanceAtTip(nowhere.adapter.reader, addresses, usdc, signal)).rejects.toThrow(
      "returns no balance",
    );
    await nowhere.close();
  });

  it("reports pending payments in ether only, as they will be in the block", async () => {
    const to = fresh();
    const { reader } = client.adapter;
    await evm.send({ to: to.address, value: 21n });
    await evm.send({ to: evm.contracts.usdt, call: ["TetherLike", "transfer", to.address, 7n] });
    await payEther("payAll", [to.address], [1n]);
    const waiting = await reader.pendingTransfers?.(signal);
    const toUs = waiting?.filter((transfer) => transfer.to === to.address.toLowerCase());
    expect(toUs?.map(describeTransfer)).toEqual([`${eth} 21`]);
    await evm.mine();
    const mined = await newestTransfers(client.adapter);
    expect(mined).toContainEqual(toUs?.[0]);
    expect(await reader.pendingTransfers?.(signal)).toEqual([]);
  });
});
