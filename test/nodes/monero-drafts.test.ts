/**
 * What the view-only wallet drafts and the offline wallet signs arrives, on real daemons; and what a manipulated worker drafts never leaves
 * the signer.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Coin, DraftRequest, Payment } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { mineMonero } from "../../src/sandbox/drive-monero-node.ts";
import { DraftRefused } from "../../src/signer/draft-signer.ts";
import { xmr } from "../support/monero-adapter.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";
import { type MoneroPayer, openMoneroPayer } from "../support/monero-payer.ts";

const never = new AbortController().signal;
const coin = 1_000_000_000_000n;

describeWithMonero("drafts of Monero", (programs) => {
  let node: TestMonero;
  let payer: MoneroPayer;
  beforeAll(async () => {
    node = await startTestMonero(programs, { firstBlocks: 130 });
    payer = await openMoneroPayer(node, programs);
  }, 900_000);
  afterAll(async () => {
    await payer.close();
    await node.stop();
  }, 60_000);

  const writer = () => present(payer.adapter.writer, "a writer");
  /** An account of the faucet's wallet: its own address, and `count` subaddresses. */
  const payee = async (count: number) => {
    const { wallet } = node.drive;
    const { address, account_index } = await wallet<{
      readonly address: string;
      readonly account_index: number;
    }>("create_account");
    const { addresses } = await wallet<{ readonly addresses: readonly string[] }>(
      "create_address",
      {
        account_index,
        count,
      },
    );
    return {
      account: account_index,
      addresses: [address, ...addresses] as readonly [string, ...string[]],
    };
  };
  const payment = (address: string, units: bigint): Payment => ({
    destination: { address, addressType: null, tag: null },
    amount: money(units, xmr),
  });
  const funds = (coins: readonly Coin[]) =>
    ({
      kind: "coins",
      coins,
      change: { address: "", addressType: "", keyIndex: 0 },
    }) as const;
  const request = (payments: readonly Payment[], coins: readonly Coin[]): DraftRequest => ({
    payments,
    funds: funds(coins),
    feeTarget: null,
    feeCeiling: coin,
    replaces: null,
  });
  const draftOf = async (payments: readonly Payment[], coins: readonly Coin[]) => {
    const outcome = await writer().draft(request(payments, coins), never);
    if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
    return outcome.draft;
  };
  /** What the account received in that transaction: address and amount. */
  const received = async (txid: string, account_index: number): Promise<readonly string[]> => {
    await node.drive.wallet("refresh");
    const { transfers } = await node.drive.wallet<{
      readonly transfers: readonly { readonly address: string; readonly amount: number }[];
    }>("get_transfer_by_txid", { txid, account_index });
    return transfers.map(({ address, amount }) => `${address} ${amount}`).toSorted();
  };
  const named = (payments: readonly Payment[]) =>
    payments.map(({ destination, amount }) => `${destination.address} ${amount.units}`).toSorted();

  it("pays several receivers of all kinds, exactly, with the coins it states and the fee it states", async () => {
    const coins = await payer.receive([coin, 2n * coin, 3n * coin]);
    const { account, addresses } = await payee(2);
    const [first, second, third] = addresses;
    const payments = [
      payment(first, 10n),
      payment(present(second, "an address"), coin),
      payment(present(third, "an address"), 11n),
    ];
    const draft = await draftOf(payments, coins);
    expect(draft.claims).toEqual([present(coins[1], "2 XMR").claim]);
    const { raw, txid } = await payer.sign(draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    expect(await writer().status(txid, draft, never)).toEqual({ kind: "pending" });
    await mineMonero(node.drive, 1);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    const status = await writer().status(txid, draft, never);
    expect(status).toMatchObject({ kind: "mined", txid, feeUnits: draft.feeUnits });
    expect(await received(txid, account)).toEqual(named(payments));
  });

  it("signs nothing but the intent, whatever the draft contains", async () => {
    const coins = await payer.receive([coin]);
    const { addresses } = await payee(1);
    const [ours, thief = ""] = addresses;
    const meant = payment(ours, coin / 4n);
    const honest = await draftOf([meant], coins);
    const unsigned = honest.body["unsigned"] as string;
    // The last byte of its signature is 0 once in 17 times.
    const altered = unsigned.slice(0, -2) + (unsigned.endsWith("00") ? "01" : "00");

    // A worker that adds a receiver, exchanges it, or pays it more.
    for (const payments of [
      [meant, payment(thief, coin / 4n)],
      [payment(thief, coin / 4n)],
      [payment(ours, coin / 2n)],
    ]) {
      const draft = await draftOf(payments, coins);
      await expect(payer.sign(draft, [meant])).rejects.toThrow("pays nobody that the intent names");
    }
    const stated = (members: JsonObject) => ({ ...honest, body: { ...honest.body, ...members } });
    const lower = (honest.feeUnits - 1n).toString();
    await expect(payer.sign(stated({ feeUnits: lower }), [meant])).rejects.toThrow(
      "instead of the stated",
    );
    await expect(payer.sign(stated({ keyImages: ["00".repeat(32)] }), [meant])).rejects.toThrow(
      "spends other coins",
    );
    const [image = ""] = honest.claims;
    await expect(
      payer.sign(stated({ keyImages: [image, "00".repeat(32)] }), [meant]),
    ).rejects.toThrow("spends other coins");
    await expect(payer.sign(stated({ unsigned: altered }), [meant])).rejects.toThrow(DraftRefused);
    await expect(payer.sign(stated({ unsigned: "00" }), [meant])).rejects.toThrow(DraftRefused);
    await expect(payer.sign(stated({ more: 1 }), [meant])).rejects.toThrow("unknown member");
    expect((await payer.sign(honest, [meant])).raw.length).toBeGreaterThan(1_000);
  });

  it("signs a draft twice with the same key images, of which the network takes one", async () => {
    const coins = await payer.receive([coin]);
    const { account, addresses } = await payee(1);
    const payments = [payment(addresses[0], coin / 2n)];
    const draft = await draftOf(payments, coins);
    const [one, other] = [await payer.sign(draft, payments), await payer.sign(draft, payments)];
    expect(one.txid).not.toBe(other.txid);
    expect(await writer().broadcast(one.raw, never)).toEqual({ kind: "accepted" });
    expect(await writer().broadcast(other.raw, never)).toMatchObject({ kind: "rejected" });
    await mineMonero(node.drive, 1);
    expect(await writer().broadcast(other.raw, never)).toEqual({
      kind: "rejected",
      reason: expect.stringContaining("double_spend") as string,
    });
    expect(await writer().status(other.txid, draft, never)).toMatchObject({ kind: "conflicted" });
    expect(await received(one.txid, account)).toEqual(named(payments));
  });

  it("signs after its wallet has ended, once it was shown the coins again", async () => {
    const coins = await payer.receive([coin]);
    const { addresses } = await payee(1);
    const payments = [payment(addresses[0], coin / 3n)];
    const draft = await draftOf(payments, coins);
    await payer.signer.close();
    const learn = present(writer().keyImagesOf, "key images");
    expect(await learn([], never)).toEqual(new Map());
    const { txid, raw } = await payer.sign(draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    expect(await writer().status(txid, draft, never)).toEqual({ kind: "pending" });
  });

  it("spends what a deposit far from all others received, beyond the addresses that its wallets know", async () => {
    const coins = await payer.receive([coin], 300);
    const { account, addresses } = await payee(1);
    const payments = [payment(addresses[0], coin / 3n)];
    const draft = await draftOf(payments, coins);
    const { raw, txid } = await payer.sign(draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    await mineMonero(node.drive, 1);
    expect(await received(txid, account)).toEqual(named(payments));
  }, 900_000);

  it("drafts after the view-only wallet has lost its file", async () => {
    const coins = await payer.receive([coin]);
    await payer.loseViewWallet();
    const { addresses } = await payee(1);
    const payments = [payment(addresses[0], coin / 3n)];
    const draft = await draftOf(payments, coins);
    const { raw } = await payer.sign(draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
  });

  it("quotes within a few percent of what is burnt, for one coin and for several", async () => {
    const amounts = Array.from({ length: 4 }, () => coin / 10n);
    const coins = await payer.receive(amounts);
    const { addresses } = await payee(1);
    for (const [units, inputs] of [
      [coin / 20n, 1],
      [(coin * 31n) / 100n, 4],
    ] as const) {
      const one = payment(addresses[0], units);
      const quote = await writer().quote(
        { payment: one, funds: funds(coins), balance: coin },
        never,
      );
      for (const feeTarget of [quote.low, quote.medium, quote.high]) {
        const outcome = await writer().draft({ ...request([one], coins), feeTarget }, never);
        if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
        expect(outcome.draft.claims).toHaveLength(inputs);
        const { feeUnits } = outcome.draft;
        const difference = Number(((feeUnits - feeTarget) * 10_000n) / feeTarget) / 100;
        expect(Math.abs(difference)).toBeLessThan(3);
      }
    }
  });

  it("says what is missing, and refuses to replace a transaction that waits", async () => {
    const coins = await payer.receive([coin]);
    const { addresses } = await payee(1);
    const tooMuch = await writer().draft(request([payment(addresses[0], coin)], coins), never);
    expect(tooMuch).toMatchObject({ kind: "insufficient", currency: xmr });
    const payments = [payment(addresses[0], coin / 3n)];
    const cheap = { ...request(payments, coins), feeCeiling: 1n };
    expect(await writer().draft(cheap, never)).toMatchObject({ kind: "tooExpensive" });
    const draft = await draftOf(payments, coins);
    const { raw } = await payer.sign(draft, payments);
    await writer().broadcast(raw, never);
    expect(
      await writer().draft({ ...request(payments, coins), replaces: draft }, never),
    ).toMatchObject({
      kind: "impossible",
    });
  });

  it("leaves dust alone: neither payments nor merges spend it, and it changes no quote and no shortage", async () => {
    // The network asks for about 0.0000136 XMR for one more coin at the lowest priority.
    const dust = [1n, 1_000n, 1_000_000n, 5_000_000n];
    const amounts = [...dust, coin / 10n, coin / 20n];
    const coins = await payer.receive(amounts);
    const useful = coins.filter(({ units }) => !dust.includes(units));
    const claimsOf = (chosen: readonly Coin[]) => chosen.map(({ claim }) => claim).toSorted();

    const { account, addresses } = await payee(1);
    const quoteFor = (units: bigint, among: readonly Coin[]) =>
      writer().quote(
        { payment: payment(addresses[0], units), funds: funds(among), balance: coin },
        never,
      );
    expect(await quoteFor(coin, coins)).toEqual(await quoteFor(coin, useful));
    const tooMuch = [payment(addresses[0], coin)];
    const short = await writer().draft(request(tooMuch, coins), never);
    expect(short).toMatchObject({ kind: "insufficient" });
    expect(short).toEqual(await writer().draft(request(tooMuch, useful), never));

    const merged = await draftOf([], coins);
    expect(merged.claims.toSorted()).toEqual(claimsOf(useful));
    const feeCeiling = coin.toString();
    await payer.signIntent(merged, {
      kind: "consolidation",
      spendId: "9",
      chain: "XMR",
      feeCeiling,
    });
    const onlyDust = await writer().draft(request([], coins.slice(0, dust.length)), never);
    expect(onlyDust).toEqual({
      kind: "impossible",
      reason: "fewer than two coins are worth what moving them costs",
    });

    const most = [payment(addresses[0], coin / 8n)];
    const draft = await draftOf(most, coins);
    expect(draft.claims.toSorted()).toEqual(claimsOf(useful));
    const { raw, txid } = await payer.sign(draft, most);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    await mineMonero(node.drive, 1);
    expect(await received(txid, account)).toEqual(named(most));
  });

  it("leaves change that is dust, which no payment spends afterwards", async () => {
    const coins = await payer.receive([coin / 2n, coin / 4n]);
    const [larger, smaller] = coins.map((each) => present(each, "a coin"));
    const { account, addresses } = await payee(1);
    const probe = await draftOf([payment(addresses[0], coin / 3n)], [present(larger, "it")]);
    // Fees of equal transactions differ by some bytes, with the members of their rings.
    const margin = probe.feeUnits / 20n;
    const most = coin / 2n - probe.feeUnits - margin;
    const two = await draftOf([payment(addresses[0], most + 2n * margin)], coins);
    expect(two.claims).toHaveLength(2);
    const payments = [payment(addresses[0], most)];
    const draft = await draftOf(payments, coins);
    expect(draft.claims).toEqual([larger?.claim]);
    const { raw, txid } = await payer.sign(draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    const change = await payer.receivedBack(txid);
    expect(await received(txid, account)).toEqual(named(payments));
    expect(change.units).toBe(coin / 2n - most - draft.feeUnits);
    expect(change.units).toBeLessThan(probe.feeUnits / 4n);

    const rest = [change, present(smaller, "it")];
    const next = await draftOf([payment(addresses[0], coin / 5n)], rest);
    expect(next.claims).toEqual([smaller?.claim]);
    expect(
      (await draftOf([], [...rest, ...(await payer.receive([coin / 8n]))])).claims,
    ).not.toContain(change.claim);
  });

  it("merges coins into two of our own", async () => {
    const coins = await payer.receive(Array.from({ length: 5 }, () => coin / 10n));
    const draft = await draftOf([], coins);
    expect(draft.claims).toHaveLength(5);
    const intent = {
      kind: "consolidation",
      spendId: "9",
      chain: "XMR",
      feeCeiling: coin.toString(),
    } as const;
    const { raw, txid } = await payer.signIntent(draft, intent);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    const tip = await payer.adapter.reader.tip(never);
    await mineMonero(node.drive, 1);
    const block = present(await payer.adapter.reader.headerAt(tip.height + 1, never), "a block");
    const { transfers } = present(
      await payer.adapter.reader.readBlock(block, never),
      "its content",
    );
    // The block may also have the transaction that waited before.
    const merged = transfers.filter(({ key }) => key.txid === txid);
    const sum = merged.reduce(
      (total, { asset }) => total + (asset.kind === "currency" ? asset.amount.units : 0n),
      0n,
    );
    expect([merged.length, sum]).toEqual([2, coin / 2n - draft.feeUnits]);
  });
});
