import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccountDraftOutcome, FeeCeiling, Payment } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type HotAccount, payment } from "../support/evm-hot-account.ts";
import { dai, type PayingNode, startPayingNode } from "../support/evm-paying-node.ts";
import {
  type AdapterUnderTest,
  eth,
  type PrivateEvm,
  signal,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import type { RpcGateway } from "../support/rpc-gateway.ts";

describe("the EVM writer with several payments", () => {
  /*
   * Several payments of the hot account at once on a real node: each is drafted and broadcast as if it were alone, in a few round
   * trips for all of them.
   */

  const ether = 10n ** 18n;
  const ceiling: FeeCeiling = { units: ether };

  let node: PayingNode;
  let evm: PrivateEvm;
  let gateway: RpcGateway;
  let client: AdapterUnderTest;
  let hot: HotAccount;
  let receivers: readonly string[];

  beforeAll(async () => {
    node = await startPayingNode();
    ({ evm, gateway, client, hot } = node);
  });
  afterAll(() => node.close());

  let fresh = 700;
  beforeEach(() => {
    gateway.intercept = () => null;
    receivers = Array.from({ length: 6 }, () => {
      fresh += 1;
      return client.adapter.addressing.depositAt(fresh, null).address;
    });
  });

  const account = () => present(hot.writer.account, "accounts");
  const to = (index: number): string => present(receivers[index], "a receiver");

  async function draftEach(
    payments: readonly Payment[],
    how: { readonly feeTarget?: bigint; readonly ceiling?: FeeCeiling } = {},
  ): Promise<readonly AccountDraftOutcome[]> {
    const requested = payments.map((each) => ({ payment: each, feeTarget: how.feeTarget ?? null }));
    return await account().draftEach(hot.address, requested, how.ceiling ?? ceiling, signal);
  }

  it("drafts each payment as it would alone, in a handful of requests", async () => {
    const wallet = await evm.deploy("PayingWallet");
    await evm.mine();
    const payments = [
      payment(to(0), eth, 5n),
      payment(to(1), usdc, 6n),
      payment(to(2), usdt, 7n),
      payment(wallet, eth, 8n),
      payment(evm.contracts.usdt, eth, 9n),
      payment(to(3), eth, 10n ** 24n),
      payment(to(4), dai, 5n),
      ...receivers.map((receiver) => payment(receiver, eth, 11n)),
    ];
    const nonce = await hot.nextNonce();
    gateway.requests.length = 0;
    const outcomes = await draftEach(payments);
    expect(gateway.requests.length).toBeLessThan(8);
    for (const [index, outcome] of outcomes.entries()) {
      const alone = await hot.writer.draft(
        await hot.request([payments[index]!], { nonce: nonce + index, feeCeiling: ether }),
        signal,
      );
      if (outcome.kind !== "draft") expect(outcome).toEqual(alone);
      else {
        expect({ kind: "draft", draft: outcome.withSequence(BigInt(nonce + index)) }).toEqual(
          alone,
        );
        expect(outcome.feeUnits).toBe(outcome.withSequence(0n).feeUnits);
      }
    }
    expect(outcomes.map(({ kind }) => kind).slice(0, 7)).toEqual([
      ...["draft", "draft", "draft", "draft"],
      ...["impossible", "insufficient", "insufficient"],
    ]);
    expect(await draftEach([])).toEqual([]);
  });

  it("returns no outcome for a payment that the node cannot simulate now, and drafts the others", async () => {
    const contract = await evm.deploy("PayingWallet");
    await evm.mine();
    gateway.intercept = (method, [call]) =>
      method === "eth_call" && (call as { to: string }).to === contract.toLowerCase()
        ? { error: { code: -32000, message: "execution timeout" } }
        : null;
    const payments = [payment(contract, eth, 5n), payment(to(0), eth, 5n)];
    const [silent, other] = await draftEach(payments);
    expect([silent?.kind, other?.kind]).toEqual(["unanswered", "draft"]);
    gateway.isCutOff = true;
    await expect(draftEach(payments)).rejects.toMatchObject({ name: "Unavailable" });
    gateway.isCutOff = false;
  });

  it("multiplies the high quote for a ceiling, and drafts nothing above a ceiling", async () => {
    const paid = payment(to(0), usdc, 5n);
    const funds = { kind: "account", address: hot.address, sequence: 0n } as const;
    const { high } = await hot.writer.quote({ payment: paid, funds, balance: 1n }, signal);
    const [bounded] = await draftEach([paid], {
      feeTarget: ether,
      ceiling: { timesHigh: 2n },
    });
    if (bounded?.kind !== "draft") throw new Error(`it is ${bounded?.kind}`);
    expect(bounded.feeUnits).toBeLessThanOrEqual(2n * high);
    expect(bounded.feeUnits).toBeGreaterThan((2n * high * 99n) / 100n);
    const [tooDear] = await draftEach([paid], { ceiling: { units: 5n } });
    expect(tooDear?.kind).toBe("tooExpensive");
  });

  it("broadcasts several payments in order, and recognizes them when they are sent again", async () => {
    const payments = receivers.map((receiver, index) => payment(receiver, eth, BigInt(index + 1)));
    const first = await hot.nextNonce();
    const outcomes = await draftEach(payments);
    const signed = outcomes.map((outcome, index) => {
      if (outcome.kind !== "draft") throw new Error(`it is ${outcome.kind}`);
      return hot.sign(outcome.withSequence(BigInt(first + index)), [payments[index]!]);
    });
    const raws = signed.map(({ raw }) => raw);
    const each = (kind: string) => raws.map(() => ({ kind }));
    expect(await account().broadcastEach(raws, signal)).toEqual(each("accepted"));
    expect(await account().broadcastEach(raws, signal)).toEqual(each("alreadyKnown"));
    await evm.mine();
    expect(await account().broadcastEach(raws, signal)).toEqual(each("alreadyKnown"));
    for (const [index, receiver] of receivers.entries())
      expect(await hot.coinUnits(receiver)).toBe(BigInt(index + 1));

    const other = payment(to(0), eth, 99n);
    const late = hot.sign(await hot.draft(await hot.request([other], { nonce: first })), [other]);
    const next = hot.sign(await hot.draft(await hot.request([other])), [other]);
    const [rejected, accepted] = await account().broadcastEach([late.raw, next.raw], signal);
    expect([rejected?.kind, accepted?.kind]).toEqual(["rejected", "accepted"]);
    await evm.mine();
    expect(await account().broadcastEach([], signal)).toEqual([]);
  });

  it("replaces a pending payment that would now revert, so that later ones proceed", async () => {
    const paid = [payment(to(0), eth, 5n)];
    const request = await hot.request(paid);
    const first = hot.sign(await hot.draft(request), paid);
    await hot.writer.broadcast(first.raw, signal);
    // PUSH0 PUSH0 REVERT
    await evm.rpc.call("anvil_setCode", [to(0), "0x5f5ffd"], signal);
    expect((await hot.writer.draft(request, signal)).kind).toBe("impossible");
    const second = hot.sign(await hot.draft({ ...request, replaces: first.draft }), paid);
    expect(await hot.writer.broadcast(second.raw, signal)).toEqual({ kind: "accepted" });
    await evm.mine();
    const status = await hot.writer.status(second.txid, second.draft, signal);
    expect(status).toMatchObject({ kind: "mined", txid: second.txid, hasSucceeded: false });
    expect(await hot.nextNonce()).toBe(
      Number((request.funds as { sequence: bigint }).sequence) + 1,
    );
  });
});
