import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AccountSetAsfFlags, decode, type SubmittableTransaction, Wallet } from "xrpl";
import type { Payment } from "../../src/chains/paying-port.ts";
import { validityLedgers } from "../../src/chains/xrpl/draft-payment.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type Answer, type PrivateXrpl, startPrivateXrpl } from "../support/private-xrpl.ts";
import {
  type ConnectedXrpl,
  coin,
  connectXrpl,
  draftFrom,
  sign,
  signal,
} from "../support/xrpl-accounts.ts";

/* Paying on the simulated rippled: the adapter drafts, the signer signs, and ledgers decide. */

let ledger: PrivateXrpl;
let own: ConnectedXrpl;
let hot: string;
beforeAll(async () => {
  ledger = await startPrivateXrpl();
  own = connectXrpl([ledger.xrpl.url]);
  hot = own.adapter.addressing.treasury.hot.address;
  await ledger.pay(hot, 100_000_000n);
});
afterAll(async () => {
  await own.close();
  await ledger.stop();
});

const to = (address: string, units: bigint, tag: string | null = null): Payment => ({
  destination: { address, addressType: null, tag },
  amount: { units, currency: coin },
});
const writer = () => present(own.adapter.writer, "a writer");
const account = () => present(writer().account, "an account");

/** Makes the receiver require destination tags. */
async function requireTag(receiver: Wallet): Promise<void> {
  await ledger.send(
    {
      TransactionType: "AccountSet",
      Account: receiver.address,
      SetFlag: AccountSetAsfFlags.asfRequireDest,
    },
    receiver,
  );
  await ledger.mine();
}

const stateOf = (address: string, tag: string | null = null) =>
  present(account().receiver, "a method")({ address, addressType: null, tag }, coin, signal);

describe("a receiver", () => {
  it("that exists is ready", async () => {
    const { address } = await ledger.newAccount();
    expect(await stateOf(address)).toEqual({ kind: "ready" });
  });

  it("that does not exist needs the base reserve", async () => {
    expect(await stateOf(Wallet.generate().address)).toEqual({
      kind: "needsActivation",
      minimumUnits: 1_000_000n,
    });
  });

  it("that requires a tag cannot be paid without one, and can with 0", async () => {
    const receiver = await ledger.newAccount();
    await requireTag(receiver);
    expect(await stateOf(receiver.address)).toMatchObject({ kind: "impossible", member: "tag" });
    expect(await stateOf(receiver.address, "0")).toEqual({ kind: "ready" });
  });

  it("that is the account of a pool cannot be paid, and the ledger refuses it", async () => {
    const issuer = await ledger.newAccount();
    const sent = (transaction: SubmittableTransaction) => ledger.send(transaction, issuer);
    const SetFlag = AccountSetAsfFlags.asfDefaultRipple;
    await sent({ TransactionType: "AccountSet", Account: issuer.address, SetFlag });
    const { txid } = await sent({
      TransactionType: "AMMCreate",
      Account: issuer.address,
      Amount: "10000000",
      Amount2: { currency: "USD", issuer: issuer.address, value: "10" },
      TradingFee: 0,
    });
    await ledger.mine();
    const { meta } = await ledger.ask("tx", { transaction: txid });
    const { AffectedNodes } = meta as {
      readonly AffectedNodes: readonly {
        readonly CreatedNode?: { readonly NewFields: Readonly<Record<string, unknown>> };
      }[];
    };
    const created = AffectedNodes.flatMap(({ CreatedNode }) =>
      CreatedNode === undefined ? [] : [CreatedNode.NewFields],
    );
    const pool = created.find((fields) => fields["AMMID"] !== undefined);
    const address = String(present(pool, "the pool's account")["Account"]);
    expect(await stateOf(address)).toMatchObject({ kind: "impossible", member: "address" });
    const { result } = await ledger.send({
      TransactionType: "Payment",
      Account: ledger.faucet.address,
      Destination: address,
      Amount: "1",
    });
    expect(result).toBe("tecNO_PERMISSION");
  });

  it("that takes only authorized deposits cannot be paid", async () => {
    const receiver = await ledger.newAccount();
    await ledger.send(
      {
        TransactionType: "AccountSet",
        Account: receiver.address,
        SetFlag: AccountSetAsfFlags.asfDepositAuth,
      },
      receiver,
    );
    await ledger.mine();
    expect(await stateOf(receiver.address)).toMatchObject({
      kind: "impossible",
      member: "address",
    });
  });
});

describe("the funds of an account", () => {
  it("contain the reserve, which is not spendable", async () => {
    const { latest, final, reserved } = await account().funds(hot, coin, 1, signal);
    expect([final, reserved]).toEqual([latest, 1_000_000n]);
    const receiver = (await ledger.newAccount()).address;
    const [outcome] = await account().draftEach(
      hot,
      [{ payment: to(receiver, latest - 1_000_000n), feeTarget: null }],
      { timesHigh: 10n },
      signal,
    );
    expect(outcome).toEqual({ kind: "insufficient", currency: coin, missing: 10n });
  });

  it("have a larger reserve when the network raises it, which new accounts then need", async () => {
    const reserved = async () => (await account().funds(hot, coin, 1, signal)).reserved;
    await ledger.control("/set-fees", { reserve_base: 3_000_000 });
    expect(await reserved()).toBe(3_000_000n);
    const { address } = Wallet.generate();
    expect(await stateOf(address)).toEqual({ kind: "needsActivation", minimumUnits: 3_000_000n });
    await ledger.control("/set-fees", { reserve_base: 1_000_000 });
    expect(await reserved()).toBe(1_000_000n);
  });

  it("are none where the account does not exist", async () => {
    const { address } = Wallet.generate();
    expect(await account().funds(address, coin, 1, signal)).toEqual({
      latest: 0n,
      final: 0n,
      reserved: 0n,
    });
  });
});

describe("a payment", () => {
  it("creates its receiver, and carries the tag", async () => {
    const receiver = Wallet.generate();
    const payment = to(receiver.address, 2_000_000n, "4294967295");
    const { raw, txid } = sign(await draftFrom(own, payment), payment);
    expect(decode(Buffer.from(raw).toString("hex"))).toMatchObject({
      DestinationTag: 4_294_967_295,
    });
    expect(await writer().broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect(await ledger.client.getXrpBalance(receiver.address)).toBe(2);
    expect(await ledger.ask("tx", { transaction: txid })).toMatchObject({ validated: true });
  });

  it("that the ledger refuses burns its fee, and is reported as failed", async () => {
    const receiver = await ledger.newAccount();
    const payment = to(receiver.address, 2_000_000n);
    const draft = await draftFrom(own, payment);
    const { raw, txid } = sign(draft, payment);
    await requireTag(receiver);
    expect(await writer().broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await ledger.mine();
    expect(await writer().status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: false,
      feeUnits: 10n,
    });
  });

  it("whose sequence another transaction used is conflicted by it", async () => {
    const [first, second] = [await ledger.newAccount(), await ledger.newAccount()];
    const lost = to(first.address, 2_000_000n);
    const won = to(second.address, 2_000_000n);
    const draft = await draftFrom(own, lost);
    const loser = sign(draft, lost);
    const winner = sign(await draftFrom(own, won), won);
    await writer().broadcast(winner.raw, signal);
    await ledger.mine(5);
    expect(await writer().broadcast(loser.raw, signal)).toMatchObject({ kind: "rejected" });
    const status = await writer().status(loser.txid, draft, signal);
    expect(status).toMatchObject({ kind: "conflicted", by: winner.txid });
  });

  it("that expired is drafted again with the same sequence", async () => {
    const receiver = await ledger.newAccount();
    const payment = to(receiver.address, 2_000_000n);
    const first = await draftFrom(own, payment);
    await ledger.control("/swallow-broadcasts", { count: 1 });
    const lost = sign(first, payment);
    expect(await writer().broadcast(lost.raw, signal)).toEqual({ kind: "accepted" });
    await ledger.mine(151);
    expect(await writer().broadcast(lost.raw, signal)).toMatchObject({ kind: "rejected" });
    const tip = await own.adapter.reader.tip(signal);
    const isMissing = present(writer().isMissingUpTo, "a method");
    expect(await isMissing(lost.txid, first, tip, signal)).toBe(true);
    const sequence = BigInt(present(first.claims[0]?.split("#")[1], "a sequence"));
    const second = await draftFrom(own, payment, sequence, first);
    expect(second.claims).toEqual(first.claims);
    await writer().broadcast(sign(second, payment).raw, signal);
    await ledger.mine();
    expect(await ledger.client.getXrpBalance(receiver.address)).toBe(102);
  });

  it("costs what the open ledger asks for, unless that exceeds the ceiling", async () => {
    const payment = to((await ledger.newAccount()).address, 2_000_000n);
    await ledger.control("/set-fees", { open_ledger_fee: 2_000_000 });
    await expect(draftFrom(own, payment)).rejects.toThrow("tooExpensive");
    await ledger.control("/set-fees", { open_ledger_fee: 400 });
    expect((await draftFrom(own, payment)).feeUnits).toBe(400n);
    const quote = await writer().quote(
      { payment, funds: { kind: "account", address: hot, sequence: null }, balance: 0n },
      signal,
    );
    expect(quote).toMatchObject({ low: 10n, medium: 400n, high: 4_000n, dust: 0n });
    await ledger.control("/set-fees", { open_ledger_fee: 10 });
  });
});

describe("the transaction that uses up a sequence", () => {
  it("makes the account require tags, and does nothing else", async () => {
    const readiness = present(account().readiness, "a method");
    expect(await readiness(Wallet.generate().address, signal)).toBe("missing");
    expect(await readiness(hot, signal)).toBe("needsSetUp");
    const { raw } = sign(await draftFrom(own, null), { kind: "gap" });
    const before = await account().funds(hot, coin, 1, signal);
    await writer().broadcast(raw, signal);
    await ledger.mine();
    const { account_flags } = await ledger.ask("account_info", { account: hot });
    expect((account_flags as Answer)["requireDestinationTag"]).toBe(true);
    expect(await readiness(hot, signal)).toBe("ready");
    expect((await account().funds(hot, coin, 1, signal)).latest).toBe(before.latest - 10n);
  });
});

describe("a node with a gap in its history", () => {
  it("does not say that a transaction is missing which was valid there", async () => {
    const receiver = await ledger.newAccount();
    const draft = await draftFrom(own, to(receiver.address, 2_000_000n));
    const made = await own.adapter.reader.tip(signal);
    await ledger.mine(validityLedgers + 1);
    const end = await own.adapter.reader.tip(signal);
    const isMissing = present(writer().isMissingUpTo, "a method");
    const txid = "AB".repeat(32);
    await ledger.mine(1_500);
    const tip = await own.adapter.reader.tip(signal);
    const lose = (height: number) => ledger.control("/lose-history", { from: height, to: height });
    // After its end the transaction was not valid.
    await lose(end.height + 1);
    expect(await isMissing(txid, draft, tip, signal)).toBe(true);
    await lose(made.height + 1);
    expect(await isMissing(txid, draft, end, signal)).toBe(false);
    expect(await isMissing(txid, draft, tip, signal)).toBe(false);
  });
});

describe("a network above 1024", () => {
  it("is named by its transactions", async () => {
    const networkId = 21_337;
    const other = await startPrivateXrpl({ settings: { networkId } });
    const there = connectXrpl([other.xrpl.url], { networkId });
    await other.pay(there.adapter.addressing.treasury.hot.address, 50_000_000n);
    const payment = to(other.faucet.address, 1_000_000n);
    const draft = await draftFrom(there, payment);
    expect(() => sign(draft, payment)).toThrow("names the network 21337 instead of null");
    const { raw } = sign(draft, payment, { networkId });
    expect(await there.adapter.writer?.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await there.close();
    await other.stop();
  });
});
