import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  AccountBatch,
  AccountBatching,
  AccountDraftOutcome,
  Payment,
} from "../../src/chains/paying-port.ts";
import type { PaymentOutcome } from "../../src/chains/port.ts";
import { assert, present } from "../../src/platform/kernel/assert.ts";
import { payment, type Signed } from "../support/evm-hot-account.ts";
import { type PayingNode, startPayingNode } from "../support/evm-paying-node.ts";
import { connectEvm, eth, signal, usdc, usdt } from "../support/private-evm.ts";

describe("batches of the EVM writer", () => {
  /*
   * The writer's drafts, signed by the signer's own code, on Anvil: the hot account is set up, pays coins and tokens together, and
   * the reader says what became of each payment, with traces and without.
   */

  const gwei = 10n ** 9n;
  const ceiling = { timesHigh: 10n };
  let node: PayingNode;
  let batching: AccountBatching;
  let next = 0;

  beforeAll(async () => {
    node = await startPayingNode();
    batching = present(node.hot.writer.account?.batching, "batches");
  });
  afterAll(() => node.close());

  const rpc = (method: string, params: readonly unknown[]): Promise<unknown> =>
    node.evm.rpc.callOnce(method, params, signal);

  function newcomer(): string {
    next += 1;
    return `0x${next.toString(16).padStart(40, "c")}`;
  }

  async function existing(): Promise<string> {
    const address = newcomer();
    await rpc("anvil_setBalance", [address, "0x1"]);
    return address;
  }

  async function draftAll(...batches: readonly AccountBatch[]) {
    return await batching.draftEach(node.hot.address, batches, ceiling, signal);
  }

  const together = (payments: readonly Payment[]): AccountBatch => ({ payments, feeTarget: null });

  async function sign(outcome: AccountDraftOutcome | undefined, payments: readonly Payment[]) {
    assert(outcome?.kind === "draft", `a draft, not ${outcome?.kind}`);
    return node.hot.sign(outcome.withSequence(BigInt(await node.hot.nextNonce())), payments);
  }

  async function send({ raw }: Signed): Promise<void> {
    expect(await node.hot.writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
  }

  async function outcomesOf({ txid, draft }: Signed): Promise<readonly PaymentOutcome[]> {
    const status = await node.hot.writer.status(txid, draft, signal);
    assert(status.kind === "mined", "in a block");
    return present(status.payments, "outcomes");
  }

  it("sets the account up in two transactions, the second of which uses two nonces and can be replaced", async () => {
    const { hot, evm } = node;
    const setUp = async () => {
      const nonce = BigInt(await hot.nextNonce());
      const funds = {
        kind: "account",
        address: hot.address,
        sequence: nonce,
        through: nonce + 1n,
      } as const;
      return { nonce, request: await hot.request([], { funds }) };
    };
    expect(await batching.state(hot.address, signal)).toEqual({ kind: "needsSetUp" });
    const first = await setUp();
    const deployment = hot.sign(await hot.draft(first.request), []);
    expect(deployment.draft.claims).toHaveLength(1);
    await send(deployment);
    await evm.mine();
    const second = await setUp();
    const draft = await hot.draft(second.request);
    await send(hot.sign(draft, []));
    const replacement = hot.sign(await hot.draft({ ...second.request, replaces: draft }), []);
    expect(replacement.draft.claims).toEqual(draft.claims);
    await send(replacement);
    expect(await batching.state(hot.address, signal)).toEqual({ kind: "needsSetUp" });
    await evm.mine();
    expect(await batching.state(hot.address, signal)).toEqual({ kind: "ready", pendingMax: 1 });
    expect(BigInt(await hot.nextNonce())).toBe(second.nonce + 2n);
    const status = await hot.writer.status(replacement.txid, replacement.draft, signal);
    expect(status).toMatchObject({ kind: "mined", hasSucceeded: true });
    // A node that refuses nothing leaves the sweeps' delegate deployed for the hot account as well.
    await evm.mine(3);
  });

  it("pays coins and tokens in one transaction, for half the gas", async () => {
    const { hot, evm } = node;
    const payments = [
      payment(await existing(), eth, 3n * gwei),
      payment(newcomer(), usdt, 5_000_000n),
      payment(await existing(), usdc, 6_000_000n),
      payment(await existing(), eth, 7n * gwei),
    ];
    expect(await batching.keysOf(hot.address, payments, signal)).toEqual(
      Array.from({ length: 4 }, () => "together"),
    );
    const [outcome] = await draftAll(together(payments));
    const signed = await sign(outcome, payments);
    await send(signed);
    const pending = await present(node.client.adapter.reader.pendingSpends, "pending spends")(
      (source) => source === hot.address.toLowerCase(),
      signal,
    );
    expect(pending[0]?.payments.map(({ currency, units }) => ({ currency, units }))).toEqual(
      payments.map(({ amount }) => amount),
    );
    await evm.mine();
    expect(await outcomesOf(signed)).toEqual(payments.map(() => "made"));
    for (const { destination, amount } of payments.filter((one) => one.amount.currency === eth))
      expect(await hot.coinUnits(destination.address)).toBe(1n + amount.units);
  });

  it("names who is paid alone: a few newcomers, and code that needs much gas", async () => {
    const { hot } = node;
    const burner = newcomer();
    await rpc("anvil_setCode", [burner, "0x5b600056"]);
    const wallet = newcomer();
    await rpc("anvil_setCode", [wallet, "0x00"]);
    const newcomers = Array.from({ length: 5 }, newcomer);
    const receivers = [await existing(), burner, wallet, ...newcomers];
    const payments = receivers.map((address) => payment(address, eth, gwei));
    const keys = await batching.keysOf(hot.address, payments, signal);
    const [alone, shared] = [null, "together"];
    expect(keys).toEqual([shared, alone, shared, alone, alone, alone, shared, shared]);
    expect(await batching.keysOf(hot.address, [payment(hot.address, eth, gwei)], signal)).toEqual([
      null,
    ]);
    const huge = payment(await existing(), usdc, 2n ** 120n);
    expect(await batching.keysOf(hot.address, [huge], signal)).toEqual([null]);
  });

  it("lets a receiver that turns hostile after the draft fail alone, and pays a contract enough gas", async () => {
    const { hot, evm } = node;
    const [turncoat, wallet] = [await existing(), newcomer()];
    // A wallet that stores something: 22,100 gas.
    await rpc("anvil_setCode", [wallet, "0x600143555b00"]);
    const payments = [
      payment(await existing(), eth, gwei),
      payment(turncoat, eth, 10n ** 17n),
      payment(wallet, eth, gwei),
      payment(newcomer(), eth, gwei),
    ];
    const [outcome] = await draftAll(together(payments));
    const before = await hot.coinUnits();
    const signed = await sign(outcome, payments);
    await send(signed);
    await rpc("anvil_setCode", [turncoat, "0x5f5ffd"]);
    await evm.mine();
    expect(await outcomesOf(signed)).toEqual(["made", "refused", "made", "made"]);
    expect(before - (await hot.coinUnits())).toBeLessThan(10n ** 17n);
  });

  it("decides about a whole batch if one of its payments cannot be made", async () => {
    const refusing = newcomer();
    await rpc("anvil_setCode", [refusing, "0x5f5ffd"]);
    const good = payment(await existing(), eth, gwei);
    const poor = payment(await existing(), usdc, 10n ** 15n);
    const outcomes = await draftAll(
      together([good, payment(refusing, eth, gwei)]),
      together([good, poor]),
      together([good]),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(["impossible", "insufficient", "draft"]);
  });

  it("pays the price per gas that its payouts were charged, and replaces a batch by the same payments", async () => {
    const { hot, evm } = node;
    const payments = [payment(await existing(), eth, gwei), payment(await existing(), eth, gwei)];
    const feeTarget = 2n * 21_000n * 4n * gwei;
    const [outcome] = await draftAll({ payments, feeTarget });
    const signed = await sign(outcome, payments);
    expect(signed.draft.body["maxFeePerGas"]).toBe((4n * gwei).toString());
    // A payment that nobody is charged for aims at the medium level, and does not slow the other down.
    const feeTargets = [feeTarget / 2n, null];
    const [mixed] = await draftAll({ payments, feeTarget: feeTarget / 2n, feeTargets });
    const [medium] = await draftAll(together(payments));
    assert(mixed?.kind === "draft" && medium?.kind === "draft", "drafts");
    const alone = (medium.feeUnits + signed.draft.feeUnits) / 2n;
    expect(Number(mixed.feeUnits) / Number(alone)).toBeCloseTo(1, 6);
    await send(signed);
    const { draft } = signed;
    const replacement = await hot.draft(await hot.request(payments, { replaces: draft }));
    expect(replacement.claims).toEqual(draft.claims);
    expect(replacement.body["data"]).toBe(draft.body["data"]);
    expect(replacement.feeUnits).toBeGreaterThan(draft.feeUnits);
    const replaced = hot.sign(replacement, payments);
    await send(replaced);
    await evm.mine();
    expect(await outcomesOf(replaced)).toEqual(["made", "made"]);
    // The first attempt is lost to a transaction that makes the same payments, which counts as its own.
    expect(await hot.writer.status(signed.txid, signed.draft, signal)).toMatchObject({
      kind: "mined",
      txid: replaced.txid,
    });
  });

  it("splits a batch that costs more than the ceiling of a transaction, not one whose payments do", async () => {
    const payments = [payment(await existing(), eth, gwei), payment(await existing(), eth, gwei)];
    const [free] = await draftAll(together(payments));
    assert(free?.kind === "draft", "a draft");
    const draftWith = async (units: bigint) =>
      (await batching.draftEach(node.hot.address, [together(payments)], { units }, signal))[0]
        ?.kind;
    const least = (free.feeUnits * 3n) / 10n;
    expect(await draftWith(least)).toBe("tooExpensive");
  });

  it.each(["auto", "off"] as const)(
    "delivers coin to our own deposit address as one transfer (traces: %s)",
    async (tracing) => {
      const { evm, hot } = node;
      const reading = connectEvm({ url: evm.anvil.url, currencies: evm.currencies, tracing });
      const deposit = reading.adapter.addressing.depositAt(tracing === "auto" ? 71 : 72, null);
      await rpc("anvil_setBalance", [deposit.address, "0x1"]);
      const payments = [
        payment(await existing(), eth, gwei),
        payment(deposit.address, eth, 5n * gwei),
        payment(deposit.address, usdt, 9n),
      ];
      const [outcome] = await draftAll(together(payments));
      const signed = await sign(outcome, payments);
      await send(signed);
      await evm.mine();
      const { reader } = reading.adapter;
      const block = await reader.tip(signal);
      const content = present(await reader.readBlock(block, signal), "the block");
      const received = content.transfers.filter(
        ({ to, key }) => key.txid === signed.txid && to === deposit.address.toLowerCase(),
      );
      expect(received.map(({ asset }) => asset)).toEqual(
        expect.arrayContaining([
          { kind: "currency", amount: { units: 5n * gwei, currency: eth } },
          { kind: "currency", amount: { units: 9n, currency: usdt } },
        ]),
      );
      expect(received).toHaveLength(2);
      // The second value moved by the transaction: 2j of `transfer-index.ts`.
      expect(received.some(({ key }) => key.index === 4)).toBe(true);
      const own = content.spends.transactionsFrom(new Set([hot.address.toLowerCase()]));
      expect(own.map(({ payments: paid }) => paid.length)).toEqual([3]);
      const receipts = await reader.receiptsIn([signed.txid], block, signal);
      expect(receipts?.[0]?.payments).toEqual(["made", "made", "made"]);
      await reading.close();
    },
  );
});
