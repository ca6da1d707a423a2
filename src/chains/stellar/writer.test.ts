import { Keypair, Operation } from "@stellar/stellar-sdk";
import { describe, expect, it } from "vitest";
import {
  coin,
  drafted,
  hot,
  prepare,
  token,
  usePayingStellar,
} from "../../../test/support/paying-stellar.ts";
import { named } from "../../../test/support/stellar-network.ts";

/*
 * Shows how payments are quoted, drafted, signed and sent on the simulated network, and what is found out before money is held.
 */

const { signal } = new AbortController();
const site = usePayingStellar();
const { account, balanceOf, close, execute, newAccount, testDollar } = site;

describe("a payment of the hot account", () => {
  it("arrives with its memo, and costs what the network charges", async () => {
    const receiver = (await newAccount()).publicKey();
    const before = await balanceOf(hot);
    const { draft, raw, txid } = await prepare(site, named(receiver, "77"), 12n);
    expect(await site.reached().writer.status(txid, draft, signal)).toEqual({ kind: "unknown" });
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "alreadyKnown" });
    await close();
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "alreadyKnown" });
    const status = await site.reached().writer.status(txid, draft, signal);
    const tip = await site.reached().reader.tip(signal);
    expect(status).toEqual({
      kind: "mined",
      block: tip,
      txid,
      hasSucceeded: true,
      feeUnits: 100n,
    });
    expect(await balanceOf(hot)).toBe(before - 112n);
    const content = await site.reached().reader.readBlock(tip, signal);
    expect(content?.transfers.map(({ to }) => to)).toEqual([`${receiver}:77`]);
  });

  it("creates the receiver's account if it does not exist", async () => {
    const stranger = Keypair.random().publicKey();
    expect(await account().receiver?.(named(stranger), coin, signal)).toEqual({
      kind: "needsActivation",
      minimumUnits: 10_000_000n,
      createdOnce: true,
    });
    expect((await drafted(site, named(stranger), 9_999_999n)).kind).toBe("impossible");
    const { raw } = await prepare(site, named(stranger, "5"), 10_000_000n);
    await site.reached().writer.broadcast(raw, signal);
    await close();
    expect(await balanceOf(stranger)).toBe(10_000_000n);
  });

  it("moves a token along the receiver's trust line", async () => {
    const receiver = await newAccount();
    await execute(receiver, [Operation.changeTrust({ asset: testDollar() })]);
    const destination = named(receiver.publicKey());
    expect(await account().receiver?.(destination, token, signal)).toEqual({ kind: "ready" });
    const { raw } = await prepare(site, destination, 5n, token);
    expect(await site.reached().writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const { balanceEntry } = await site
      .reached()
      .server.getAssetBalance(receiver.publicKey(), testDollar());
    expect(balanceEntry?.amount).toBe("5");
  });

  it("is quoted, and costs more only above its ceiling", async () => {
    const receiver = named((await newAccount()).publicKey());
    const quoted = (units: bigint) =>
      site.reached().writer.quote(
        {
          payment: { destination: receiver, amount: { units, currency: coin } },
          funds: { kind: "account", address: hot, sequence: null },
          balance: units,
        },
        signal,
      );
    expect(await quoted(1_000n)).toEqual({
      low: 100n,
      medium: 100n,
      high: 100n,
      dust: 0n,
      warning: null,
    });
    expect((await quoted(999n)).warning).toBe(1);
    expect(await drafted(site, receiver, 5n, { feeCeiling: 99n })).toEqual({
      kind: "tooExpensive",
      feeUnits: 100n,
    });
  });

  it("never spends the reserve", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { latest, reserved } = await account().funds(hot, coin, 1, signal);
    // Two entries for the account, one for its trust line.
    expect(reserved).toBe(15_000_000n);
    const spendable = latest - reserved;
    expect(await drafted(site, receiver, spendable)).toEqual({
      kind: "insufficient",
      currency: coin,
      missing: 100n,
    });
    expect((await drafted(site, receiver, spendable - 100n)).kind).toBe("draft");
    const dollars = await account().funds(hot, token, 1, signal);
    expect(dollars.reserved).toBe(0n);
  });
});

describe("a receiver cannot be paid", () => {
  it("without a memo if it wants one (SEP-29)", async () => {
    const receiver = await newAccount();
    await execute(receiver, [Operation.manageData({ name: "config.memo_required", value: "1" })]);
    const state = (tag: string | null) =>
      account().receiver?.(named(receiver.publicKey(), tag), coin, signal);
    expect(await state(null)).toEqual({
      kind: "impossible",
      member: "tag",
      reason: "The receiver requires a memo.",
    });
    expect(await state("0")).toEqual({ kind: "ready" });
    expect((await drafted(site, named(receiver.publicKey()), 5n)).kind).toBe("impossible");
  });

  it("in a token without a trust line, without an account, or if it issues the token", async () => {
    const state = async (address: string) =>
      await account().receiver?.(named(address), token, signal);
    const impossible = (reason: RegExp) =>
      expect.objectContaining({
        kind: "impossible",
        member: "address",
        reason: expect.stringMatching(reason) as string,
      }) as unknown;
    expect(await state((await newAccount()).publicKey())).toEqual(impossible(/no trust line/));
    expect(await state(Keypair.random().publicKey())).toEqual(impossible(/does not exist/));
    expect(await state(testDollar().getIssuer() ?? "")).toEqual(impossible(/issues USDC-XLM/));
  });
});
