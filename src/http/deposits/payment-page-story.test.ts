import { describe, expect, it } from "vitest";
import {
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usdt,
  xrp,
} from "../../../test/support/deposit-world.ts";
import { outcomeOf } from "../../../test/support/payment-pages.ts";
import { bitcoinPayee, payee } from "../../../test/support/payout-world.ts";
import { useShopPages } from "../../../test/support/shop-pages.ts";
import { databaseDigest } from "../../../test/support/whole-api.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { CheckoutState } from "../../deposits/checkout/checkout-state.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonValue } from "../../platform/kernel/json.ts";

/* Tests the page while a payment progresses: payments received and the refund address. ETH needs 3 confirmations here. */

const site = useShopPages();
const { database, world, pages, deposits, invoice, pathOf } = site;
const screened = depositWorld(database, { isScreened: true });

type Members = Readonly<Record<string, JsonValue>>;

const arrivalsOf = ({ arrivals }: CheckoutState): readonly string[] =>
  arrivals.map(({ state, amount, code, confirmations, needed }) =>
    [state, `${amount} ${code}`.trim(), `${confirmations}/${needed}`].join(", "),
  );

describe("payments on a payment page", () => {
  it("counts confirmations up to the required number and reverts an orphaned payment", async () => {
    const deposit = await invoice();
    const hit = payment({ deposit, amount: "0.05" });
    const summarize = async () => {
      const state = await pages.stateOf(deposit);
      return [state.stage, ...arrivalsOf(state)];
    };
    await site.chain.see([hit]);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 0/3"]);
    await site.chain.append([hit]);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 1/3"]);
    await site.chain.grow(1);
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 2/3"]);
    await site.chain.grow(1);
    expect(await summarize()).toEqual(["paid", "confirmed, 0.050000000000000000 ETH, 3/3"]);
    const { version } = await pages.stateOf(deposit);
    await site.chain.grow(2);
    expect((await pages.stateOf(deposit)).version).toBe(version);
    for (let block = 0; block < 5; block += 1) await site.chain.orphan();
    expect(await summarize()).toEqual(["seen", "pending, 0.050000000000000000 ETH, 0/3"]);
    await site.chain.conflict(hit.transfer.key.txid);
    expect(await summarize()).toEqual(["waiting", "reverted, 0.050000000000000000 ETH, 0/3"]);
  });

  it("lists uncredited payments, newest first", async () => {
    const deposit = await invoice();
    await site.chain.append([payment({ deposit, amount: "5", currency: usdt })]);
    world.clock.advance(1);
    await site.chain.append([payment({ deposit, amount: "7", unlisted: "0xfeed" })]);
    world.clock.advance(1);
    await site.chain.append([payment({ deposit, amount: "0.000000000000000001" })]);
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual([
      "too_small, 0.000000000000000001 ETH, 1/3",
      "wrong_asset, 0xfeed, 1/1",
      "wrong_asset, 5.000000 USDT-ETH, 3/3",
    ]);
    expect(state).toMatchObject({ stage: "waiting", payment: { missing: "0.050000000000000000" } });
  });

  it("shows a payment held by screening without the risk details", async () => {
    const deposit = await invoice();
    const red = await announceChain(screened, "ETH");
    await red.append([payment({ deposit, amount: "0.05" })]);
    await database.sql(
      `update transfer set risk = 99, risk_status = 3, status = -2, disposition = 'blocked', reason = 'screening'
       where deposit_id = $1`,
      [deposit.id],
    );
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual(["held, 0.050000000000000000 ETH, 1/3"]);
    expect(Object.keys(present(state.arrivals[0], "an arrival"))).toEqual(
      "txid link code amount state confirmations needed seenAt".split(" "),
    );
  });

  it("shows a refunded payment as returned", async () => {
    const deposit = await unresolved();
    await database.sql(
      `update transfer set refunded_at = confirmed_at, refund_payout_id = 1, refund_target_units = target_units,
         disposition = 'refunded' where deposit_id = $1`,
      [deposit.id],
    );
    const state = await pages.stateOf(deposit);
    expect(arrivalsOf(state)).toEqual(["returned, 0.060000000000000000 ETH, 3/3"]);
    expect(state.payment).toMatchObject({ received: "0.000000000000000000" });
  });

  it("says how much of a payment was refunded when the rest was kept", async () => {
    const deposit = await unresolved();
    expect((await pages.stateOf(deposit)).payment?.refunded).toBeNull();
    await database.sql(
      `update transfer set refunded_at = confirmed_at, refund_payout_id = 1, refund_units = 10000000000000000, refund_target_units = 1,
         disposition = 'credited' where deposit_id = $1`,
      [deposit.id],
    );
    expect((await pages.stateOf(deposit)).payment).toMatchObject({
      received: "0.060000000000000000",
      refunded: "0.010000000000000000",
    });
  });

  it("uses the deposit's own number of confirmations", async () => {
    const deposit = await invoice({ confirmations_needed: 1 });
    await site.chain.append([payment({ deposit, amount: "0.05" })]);
    const state = await pages.stateOf(deposit);
    expect([state.stage, ...arrivalsOf(state)]).toEqual([
      "paid",
      "confirmed, 0.050000000000000000 ETH, 1/1",
    ]);
  });
});

/** A deposit overpaid by 20%. */
async function unresolved(): Promise<Deposit> {
  const deposit = await invoice();
  await site.chain.append([payment({ deposit, amount: "0.06" })]);
  await site.chain.grow(3);
  return deposit;
}

/** A deposit in XRP, overpaid by 20%. */
async function unresolvedXrp(): Promise<Deposit> {
  const keyspace = { name: "XRP", chain: "XRP", addressTypes: [], defaultAddressType: "" };
  await fillPool(world, keyspace.name, "", 1);
  const chain = await announceChain(world, "XRP");
  const deposit = await arrangeDeposit(world, site.shop, {
    currency: xrp,
    keyspace,
    requested: "100",
    rate: rateOf("2"),
  });
  await chain.append([payment({ deposit, amount: "60" })]);
  await chain.grow(3);
  return deposit;
}

describe("the refund address", () => {
  const leave = (deposit: Deposit, body: JsonValue) =>
    pages.post(pathOf(deposit, "refund-address/"), body);
  const readPayer = (deposit: Deposit, as: Principal = ownerOf(deposit.accountId)) =>
    pages.api.ask("GET", `/deposit/${deposit.id}/payer/`, { as });

  it("is requested for an unresolved deposit and readable by the merchant", async () => {
    const deposit = await unresolved();
    expect(await pages.stateOf(deposit)).toMatchObject({
      stage: "unresolved",
      reason: "overpaid",
      refund: { isAsked: true, tagType: null, address: null, tag: null },
    });
    expect((await readPayer(deposit)).one.attributes).toEqual({
      refund_address: null,
      tag: null,
      left_at: null,
    });
    const { status, state } = await leave(deposit, { address: payee.toLowerCase() });
    expect([status, state.refund]).toMatchObject([
      200,
      { isAsked: true, address: payee, tag: null },
    ]);
    const { one } = await readPayer(deposit);
    expect(one).toMatchObject({ type: "deposit-payer", id: deposit.id });
    expect(one.attributes).toMatchObject({ refund_address: payee, tag: null });
  });

  it("keeps the tag that selects the payer at an exchange", async () => {
    const deposit = await unresolvedXrp();
    expect((await pages.stateOf(deposit)).refund).toMatchObject({
      tagType: "destination_tag",
      tag: null,
    });
    const address = "r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59";
    expect(outcomeOf(await leave(deposit, { address, tag: "x" }))).toBe("400 1007 /tag");
    const { status, state } = await leave(deposit, { address, tag: "7" });
    expect([status, state.refund]).toMatchObject([200, { address, tag: "7" }]);
    expect((await readPayer(deposit)).one.attributes).toMatchObject({
      refund_address: address,
      tag: "7",
    });
    expect(outcomeOf(await leave(deposit, { address }))).toBe("409 refund_not_asked");
  });

  it("cannot be replaced by a second visitor with the page's link", async () => {
    const deposit = await unresolved();
    await leave(deposit, { address: payee });
    const left = (await readPayer(deposit)).one.attributes;
    world.clock.advance(1);
    const before = await databaseDigest(database);
    const other = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    expect(outcomeOf(await leave(deposit, { address: other }))).toBe("409 refund_not_asked");
    expect((await leave(deposit, { address: payee.toLowerCase() })).status).toBe(200);
    expect(await databaseDigest(database)).toEqual(before);
    expect((await readPayer(deposit)).one.attributes).toEqual(left);
  });

  it("may belong to this service, so that responses do not reveal its addresses", async () => {
    const neighbor = await invoice();
    const [waiting] = await database.sql<{ address: string }>(
      "select address from address where keyspace = 'evm' and deposit_id is null limit 1",
    );
    const own = [String(neighbor.address), String(waiting?.address)];
    for (const address of own.filter((one) => /^0x[\dA-Fa-f]{40}$/.test(one))) {
      expect((await leave(await unresolved(), { address })).status).toBe(200);
    }
    const hot = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    await database.sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, issued_at, created_at)
       values ('evm', lower($1::text), $1, '', 'hot', 0, '2026-01-01Z', '2026-01-01Z')`,
      [hot],
    );
    expect((await leave(await unresolved(), { address: hot })).status).toBe(200);
  });

  it("is validated by the rules of its chain", async () => {
    const deposit = await unresolved();
    const rows: readonly (readonly [Members, string])[] = [
      [{ address: bitcoinPayee }, "400 7001 /address"],
      [{ address: "0x8ba1f109551bD432803012645Ac136ddd64DBA73" }, "400 7001 /address"],
      [{ address: payee, tag: "12" }, "400 1007 /tag"],
      [{ address: "" }, "400 1007 /address"],
      [{ address: 7 }, "400 1007 /address"],
      [{ address: "x".repeat(129) }, "400 1007 /address"],
    ];
    const before = await databaseDigest(database);
    for (const [body, expected] of rows)
      expect(outcomeOf(await leave(deposit, body))).toBe(expected);
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("is rejected before a payment is on hold and after the merchant resolved it", async () => {
    const waiting = await invoice();
    expect(outcomeOf(await leave(waiting, { address: payee }))).toBe("409 refund_not_asked");
    const deposit = await unresolved();
    await leave(deposit, { address: payee });
    const accept = { data: { type: "deposit", attributes: { action: "accept" } } };
    const as = ownerOf(deposit.accountId);
    await deposits.ask("POST", `/deposit/${deposit.id}/resolve/`, { as, body: accept });
    const before = await databaseDigest(database);
    expect(outcomeOf(await leave(deposit, { address: bitcoinPayee }))).toBe("409 refund_not_asked");
    expect(await databaseDigest(database)).toEqual(before);
    expect((await pages.stateOf(deposit)).refund).toMatchObject({ isAsked: false, address: payee });
  });

  it("is readable by members who can view the deposit", async () => {
    const deposit = await unresolved();
    const stranger = await arrangeWallet(world);
    expect((await readPayer(deposit, ownerOf(stranger.accountId))).status).toBe(404);
    const blind: Principal = { ...ownerOf(deposit.accountId), memberId: "2", wallets: new Map() };
    expect(outcomeOf2(await readPayer(deposit, blind))).toBe("400 5001");
    const reader: Principal = { ...ownerOf(deposit.accountId), memberId: "3", role: "read_only" };
    expect((await readPayer(deposit, reader)).status).toBe(200);
  });

  const outcomeOf2 = (answer: { status: number; errors: readonly { code: string }[] }): string =>
    [answer.status, ...answer.errors.map(({ code }) => code)].join(" ");
});
