import type { Address, Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReceipt } from "../../src/chains/evm/answer.ts";
import { readBatchOutcomes } from "../../src/chains/evm/batch-outcomes.ts";
import {
  type BatchPayment,
  payManyCall,
  payoutDelegate,
  payoutDelegateDeployment,
  payoutDesignator,
} from "../../src/chains/evm/payout-delegate.ts";
import { coinAsset } from "../../src/chains/evm/sweep-delegate.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { type DelegateTools, delegateToolsOn, keyAt } from "../support/delegated.ts";
import { type PrivateEvm, startPrivateEvm } from "../support/private-evm.ts";

describe("the contract by which the hot account pays many", () => {
  /*
   * On Anvil, with batches that the account signs itself: receivers with hostile code, and a token that can be switched to every
   * behavior that harms its callers. After each batch, what the reader says about each payment is compared with the balances.
   */

  const ether = 10n ** 18n;
  const hot = keyAt(1, 0);
  const stranger = keyAt(3, 0);
  const account = hot.address.toLowerCase();
  const odd = "1" as CurrencyId;
  let chain: PrivateEvm;
  let tools: DelegateTools;
  let token: Address;
  let next = 0;

  beforeAll(async () => {
    chain = await startPrivateEvm();
    tools = delegateToolsOn(chain);
    for (const { address } of [hot, stranger]) await tools.setBalance(address, 1_000n * ether);
    token = (await chain.deploy("ConfigurableToken", [10n ** 30n])) as Address;
    await chain.send({ to: token, call: ["ConfigurableToken", "transfer", account, 10n ** 29n] });
    await chain.mine();
    const { data } = payoutDelegateDeployment;
    await tools.run(stranger, { to: payoutDelegateDeployment.to as Address, data: data as Hex });
    await delegate();
  });
  afterAll(() => chain.stop());

  /** The account's own delegation, whose nonce is one above the transaction's. */
  async function delegate(): Promise<void> {
    const nonce = await tools.nonceOf(hot.address);
    const authorization = await hot.signAuthorization({
      address: payoutDelegate as Address,
      chainId: chain.anvil.chainId,
      nonce: nonce + 1,
    });
    const raw = await hot.signTransaction({
      type: "eip7702",
      chainId: chain.anvil.chainId,
      nonce,
      to: hot.address,
      gas: 200_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      authorizationList: [authorization],
    });
    await tools.rpc("eth_sendRawTransaction", [raw]);
    await chain.mine();
    expect(await tools.codeOf(hot.address)).toBe(payoutDesignator);
    expect(await tools.nonceOf(hot.address)).toBe(nonce + 2);
  }

  function newAddress(): Address {
    next += 1;
    return `0x${next.toString(16).padStart(40, "b")}`;
  }

  async function existing(): Promise<Address> {
    const address = newAddress();
    await tools.setBalance(address, 1n);
    return address;
  }

  async function withCode(code: Hex): Promise<Address> {
    const address = newAddress();
    await tools.rpc("anvil_setCode", [address, code]);
    return address;
  }

  const coin = (receiver: string, units: bigint, gas = 0): BatchPayment => ({
    asset: coinAsset,
    gas,
    receiver,
    units,
  });
  const ofToken = (receiver: string, units: bigint, gas = 100_000): BatchPayment => ({
    asset: token.toLowerCase(),
    gas,
    receiver,
    units,
  });

  async function pay(payments: readonly BatchPayment[], gas = 5_000_000n) {
    const call = payManyCall(account, payments);
    const receipt = await tools.run(hot, { to: hot.address, data: call.data as Hex, gas });
    const read = present(readReceipt(receipt), "a receipt");
    const listed = new Map([[token.toLowerCase(), odd]]);
    return { ...read, ...readBatchOutcomes(read, account, payments, listed) };
  }

  async function behave(behavior: number): Promise<void> {
    await chain.send({ to: token, call: ["ConfigurableToken", "setBehavior", behavior] });
    await chain.mine();
  }

  const tokensOf = (address: string): Promise<bigint> => tools.tokenOf(token, address as Address);

  it("pays coins, and a token that returns nothing, for less than 0.55 of a transfer each", async () => {
    const receivers = await Promise.all(Array.from({ length: 20 }, existing));
    const batch = receivers.map((receiver, place) => coin(receiver, ether + BigInt(place)));
    const { payments, gasUsed } = await pay(batch);
    expect(payments).toEqual(receivers.map(() => "made"));
    for (const [place, receiver] of receivers.entries())
      expect(await tools.coinOf(receiver)).toBe(1n + ether + BigInt(place));
    expect(gasUsed / 20).toBeLessThan(0.55 * 21_000);

    const { usdt } = chain.contracts;
    await tools.pay("TetherLike", usdt, hot.address, 1_000_000n);
    const [first, second] = [newAddress(), newAddress()];
    const tether = { asset: usdt.toLowerCase(), gas: 100_000, receiver: first, units: 7n };
    const mixed = await pay([coin(second, 3n), tether, coin(first, 5n), ofToken(second, 9n)]);
    expect(mixed.payments[0]).toBe("made");
    expect(await tools.tokenOf(usdt, first)).toBe(7n);
    expect(await tokensOf(second)).toBe(9n);
    expect([await tools.coinOf(first), await tools.coinOf(second)]).toEqual([5n, 3n]);
  });

  /** Reverts; burns all gas; reverts with 120 kB; returns 120 kB. */
  const hostile: readonly Hex[] = ["0x5f5ffd", "0x5b600056", "0x6201d4c05ffd", "0x6201d4c05ff3"];

  it("lets a receiver that fails fail alone, whatever its code does", async () => {
    const before = await tools.coinOf(hot.address);
    const good = [await existing(), await existing(), newAddress()];
    const bad = await Promise.all(hostile.map(withCode));
    const batch = [
      coin(present(good[0], "a receiver"), ether),
      ...bad.map((receiver) => coin(receiver, ether, 60_000)),
      coin(present(good[1], "a receiver"), ether),
      // Without gas for its code: more than the stipend is refused, and stops nobody either.
      coin(present(bad[1], "a receiver"), ether),
      coin(present(good[2], "a receiver"), ether),
    ];
    const { payments, hasSucceeded, gasUsed, gasPrice } = await pay(batch);
    expect(hasSucceeded).toBe(true);
    expect(payments).toEqual([
      "made",
      "refused",
      "refused",
      "refused",
      "made",
      "made",
      "refused",
      "made",
    ]);
    expect(await tools.coinOf(present(bad[3], "a receiver"))).toBe(ether);
    for (const receiver of bad.slice(0, 3)) expect(await tools.coinOf(receiver)).toBe(0n);
    const spent = before - (await tools.coinOf(hot.address));
    expect(spent).toBe(4n * ether + BigInt(gasUsed) * gasPrice);
    expect(gasUsed).toBeLessThan(350_000);
  });

  it("is called by the account alone: a receiver that calls back moves nothing", async () => {
    const thief = newAddress();
    const call = payManyCall(account, [coin(thief, ether), ofToken(thief, 5n)]).data.slice(2);
    const length = (call.length / 2).toString(16).padStart(4, "0");
    // Copies the call behind its own code and makes it.
    const code: Hex = `0x61${length}60135f395f5f61${length}5f5f335af15000${call}`;
    const caller = await withCode(code);
    const { payments } = await pay([coin(caller, 1n, 200_000), coin(await existing(), 1n)]);
    expect(payments).toEqual(["made", "made"]);
    await behave(6);
    await chain.send({
      to: token,
      call: ["ConfigurableToken", "setCall", hot.address, `0x${call}`],
    });
    const again = await pay([ofToken(await existing(), 2n, 200_000)]);
    expect(again.payments).toEqual(["made"]);
    await behave(0);

    const before = await tools.coinOf(hot.address);
    const { status } = await tools.run(stranger, {
      to: hot.address,
      data: `0x${call}`,
      value: 11n,
    });
    expect(status).toBe("0x1");
    expect(await tools.coinOf(hot.address)).toBe(before + 11n);
    expect([await tools.coinOf(thief), await tokensOf(thief)]).toEqual([0n, 0n]);
  });

  it.each([
    ["answers false", 1, "refused", null],
    ["reverts", 2, "refused", null],
    ["reverts at length", 3, "refused", null],
    ["burns all gas", 5, "refused", null],
    ["does nothing and answers true", 12, "refused", { sentUnits: 0n, receivedUnits: 0n }],
    ["moves half", 13, "made", { sentUnits: 50n, receivedUnits: 50n }],
    ["moves all to itself", 14, "refused", { sentUnits: 100n, receivedUnits: 0n }],
    ["keeps a hundredth", 15, "made", { sentUnits: 100n, receivedUnits: 99n }],
  ] as const)("judges a token by its logs: it %s", async (_name, behavior, outcome, delivery) => {
    await behave(behavior);
    const [receiver, other] = [newAddress(), await existing()];
    const before = await tokensOf(hot.address);
    const found = await pay([coin(other, 1n), ofToken(receiver, 100n), coin(other, 1n)]);
    await behave(0);
    expect(found.payments).toEqual(["made", outcome, "made"]);
    const said = { currency: odd, requestedUnits: 100n, place: 1 };
    const isCalled = behavior === 1;
    const nothing = { ...said, sentUnits: 0n, receivedUnits: 0n };
    expect(found.deliveries).toEqual(
      delivery === null ? (isCalled ? [nothing] : []) : [{ ...said, ...delivery }],
    );
    expect(await tokensOf(receiver)).toBe(delivery?.receivedUnits ?? 0n);
    expect(before - (await tokensOf(hot.address))).toBe(delivery?.sentUnits ?? 0n);
  });

  it("attributes each log to its own payment, also to the same receiver", async () => {
    const receiver = newAddress();
    const { payments, deliveries } = await pay([
      ofToken(receiver, 100n),
      ofToken(receiver, 10n ** 29n),
      ofToken(receiver, 100n),
    ]);
    expect(payments).toEqual(["made", "refused", "made"]);
    expect(deliveries).toEqual([]);
    expect(await tokensOf(receiver)).toBe(200n);
  });

  it("stops before a payment that its gas does not suffice for, and says so", async () => {
    const receivers = await Promise.all(Array.from({ length: 4 }, existing));
    const batch = receivers.map((receiver) => coin(receiver, 7n));
    const { payments, hasSucceeded } = await pay(batch, 80_000n);
    expect(hasSucceeded).toBe(true);
    expect(payments).toEqual(["made", "made", "refused", "refused"]);
    expect(await Promise.all(receivers.map(tools.coinOf))).toEqual([8n, 8n, 1n, 1n]);
  });

  it("pays nothing that the account does not hold, and everything else", async () => {
    const [first, second] = [await existing(), await existing()];
    const { payments } = await pay([coin(first, 10_000n * ether), coin(second, 1n)]);
    expect(payments).toEqual(["refused", "made"]);
  });

  it("takes coin with the stipend of 2,300 gas, as sweeps send it, but not with 21,000 of a whole transaction", async () => {
    // Sends its whole balance to the account without gas.
    const sender = await withCode(`0x5f5f5f5f4773${account.slice(2)}5ff15000`);
    const before = await tools.coinOf(hot.address);
    await tools.run(stranger, { to: sender, value: 5n });
    expect(await tools.coinOf(hot.address)).toBe(before + 5n);
    const plain = await tools.run(stranger, { to: hot.address, value: 5n, gas: 21_000n });
    expect(plain.status).toBe("0x0");
    const enough = await tools.run(stranger, { to: hot.address, value: 5n, gas: 21_200n });
    expect(enough.status).toBe("0x1");
  });

  it("refuses data that ends within a payment, and pays nothing", async () => {
    const { data } = payManyCall(account, [coin(await existing(), 1n)]);
    const { status } = await tools.run(hot, { to: hot.address, data: `${data}00` as Hex });
    expect(status).toBe("0x0");
  });
});
