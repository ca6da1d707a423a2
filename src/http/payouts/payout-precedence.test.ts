import { describe, expect, it } from "vitest";
import { created } from "../../../test/support/deposit-api.ts";
import { arrangeWallet, ownerOf, type Wallet } from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  type Members,
  newPayoutDocument,
  payoutDigest,
  postPayout,
  stopPayouts,
} from "../../../test/support/payout-world.ts";
import {
  attribute,
  tetherPayout,
  usePayoutRefusals,
  walletPointer,
} from "../../../test/support/use-payout-refusals.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";

/*
 * Which error `POST /payout/` returns first: the idempotency key before any value, then the first row of the table
 * that applies. Over the real server and database.
 */

const { database, world, payouts, wallets, refused, withAttributes } = usePayoutRefusals();

describe("idempotency key", () => {
  const as = (wallet: Wallet) => ownerOf(wallet.accountId);

  it("returns 428/1003 if it is missing or empty, whatever the body", async () => {
    for (const key of [null, "", "  "]) {
      expect(faults(await postPayout(payouts, wallets.ether, { key }))).toEqual([
        "428",
        "1003 idempotency-key",
      ]);
    }
    const answer = await payouts.api.ask("POST", "/payout/", { body: "{", as: as(wallets.ether) });
    expect(faults(answer)).toEqual(["428", "1003 idempotency-key"]);
  });

  it.each([
    "8e03978e40d543e8bc936894a57f9324",
    "8e03978e-40d5-13e8-bc93-6894a57f9324",
    "8e03978e-40d5-43e8-cc93-6894a57f9324",
    "8e03978e-40d5-43e8-bc93-6894a57f932",
    "1",
    '"8e03978e-40d5-43e8-bc93-6894a57f9324',
  ])("returns 400/1007 for %s", async (key) => {
    const before = await payoutDigest(database);
    expect(faults(await postPayout(payouts, wallets.ether, { key }))).toEqual([
      "400",
      "1007 idempotency-key",
    ]);
    expect(await payoutDigest(database)).toEqual(before);
  });

  it("returns 409/1004 before validating values, with the payout's id for an identical document", async () => {
    const key = systemRandom.uuid();
    const { id } = created(await postPayout(payouts, wallets.ether, { key }));
    const before = await payoutDigest(database);
    for (const spelled of [key, key.toUpperCase(), `"${key}"`]) {
      const again = await postPayout(payouts, wallets.ether, { key: spelled });
      expect(faults(again)).toEqual(["409", "1004 idempotency-key"]);
      expect(again.errors[0]!.meta).toEqual({ payout_id: id });
    }
    const others: Members[] = [
      { amount: "0" },
      { amount: "100000" },
      { amount: "-1", label: "x".repeat(99), travel_rule_info: {} },
      { address: "nobody" },
    ];
    for (const attributes of others) {
      const other = await postPayout(payouts, wallets.ether, { key, attributes });
      expect(faults(other)).toEqual(["409", "1004 idempotency-key"]);
      expect(other.errors[0]!.meta).toBeUndefined();
    }
    const blind: Principal = { ...as(wallets.ether), memberId: "9", wallets: new Map() };
    const hidden = await postPayout(payouts, wallets.ether, { key, as: blind });
    expect(hidden.errors).toMatchObject([{ detail: "This request has already been accepted." }]);
    expect(hidden.errors[0]!.meta).toBeUndefined();
    const reader: Principal = { ...as(wallets.ether), role: "read_only" };
    expect(faults(await postPayout(payouts, wallets.ether, { key, as: reader }))[0]).toBe("409");
    expect(await payoutDigest(database)).toEqual(before);
  });

  it("treats documents as identical regardless of whitespace and member order", async () => {
    const key = systemRandom.uuid();
    const { id } = created(await postPayout(payouts, wallets.ether, { key }));
    const { data } = newPayoutDocument(wallets.ether.walletId) as { data: JsonObject };
    const turned = Object.fromEntries(Object.entries(data).toReversed());
    const answer = await payouts.api.ask("POST", "/payout/", {
      body: JSON.stringify({ data: turned }, null, 3),
      as: as(wallets.ether),
      headers: { "idempotency-key": key },
    });
    expect(answer.errors[0]!.meta).toEqual({ payout_id: id });
  });

  it("reports a malformed body before the key", async () => {
    const key = systemRandom.uuid();
    created(await postPayout(payouts, wallets.ether, { key }));
    const send = (body: JsonObject | string) =>
      payouts.api.ask("POST", "/payout/", {
        body,
        as: as(wallets.ether),
        headers: { "idempotency-key": key },
      });
    expect(faults(await send("{"))).toEqual(["400", "parse_error"]);
    expect(faults(await send({ data: { type: "deposit" } }))).toEqual([
      "409",
      "conflict /data/type",
    ]);
    expect(faults(await send({ data: { type: "payout", id: "5" } }))).toEqual([
      "403",
      "forbidden /data/id",
    ]);
  });

  it("allows the same key in another account", async () => {
    const key = systemRandom.uuid();
    created(await postPayout(payouts, wallets.ether, { key }));
    created(await postPayout(payouts, wallets.stranger, { key }));
    expect(faults(await postPayout(payouts, wallets.stranger, { key }))[0]).toBe("409");
  });
});

describe("precedence of the error table", () => {
  const broke: Members = { amount: "1000" };
  const offBounds: Members = { fee_amount: "1" };
  const rows: readonly (readonly [string, Members, string])[] = [
    ["1007 before 4008", { ...broke, label: "x".repeat(33) }, `1007 ${attribute("label")}`],
    ["1007 before 7001", { address: "nobody", tag: "1" }, `1007 ${attribute("tag")}`],
    ["1007 before 4011", { amount: "0", label: "x".repeat(33) }, `1007 ${attribute("label")}`],
    ["4008 before 4009", { ...broke, ...offBounds }, `4008 ${attribute("amount")}`],
    ["4008 before 4016", { ...broke, is_fee_included: true }, `4008 ${attribute("amount")}`],
    ["4008 before 7001", { ...broke, address: "nobody" }, `4008 ${attribute("amount")}`],
    [
      "4009 before 4016",
      { ...offBounds, is_fee_included: true },
      `4009 ${attribute("fee_amount")}`,
    ],
    ["4009 before 4013", { ...offBounds, amount: "0.000001" }, `4009 ${attribute("fee_amount")}`],
    ["4011 before 4016", { amount: "0", is_fee_included: true }, `4011 ${attribute("amount")}`],
    [
      "4013 before 4016",
      { amount: "0.000001", is_fee_included: true },
      `4013 ${attribute("amount")}`,
    ],
    [
      "4016 before 7001",
      { address: "nobody", is_fee_included: true },
      `4016 ${attribute("is_fee_included")}`,
    ],
  ];
  it.each(rows)("returns %s", async (_name, attributes, expected) => {
    expect(await withAttributes(wallets.ether, attributes)).toEqual(["400", expected]);
  });

  it("returns 4009 before 4010, 4012 before 4013, 3008 before 3022 and 4002, 4002 before 4008", async () => {
    expect(
      await refused(wallets.tether, tetherPayout({ is_fee_included: true, ...offBounds })),
    ).toEqual(["400", `4009 ${attribute("fee_amount")}`]);
    created(await postPayout(payouts, wallets.ether, { attributes: { tracking_id: "pair" } }));
    expect(
      await withAttributes(wallets.ether, { tracking_id: "pair", amount: "0.000001" }),
    ).toEqual(["400", `4012 ${attribute("tracking_id")}`]);
    const nft = await arrangeWallet(world, { type: walletType.nft });
    await database.sql("update wallet set status = 1 where id = $1", [nft.walletId]);
    const as: Principal = {
      ...ownerOf(nft.accountId),
      memberId: "9",
      wallets: new Map([[nft.walletId, { mayPay: false }]]),
    };
    expect(await refused(nft, { as })).toEqual(["400", `3008 ${walletPointer}`]);
    await database.sql("update wallet set status = 3 where id = $1", [nft.walletId]);
    expect(await refused(nft, { as })).toEqual(["400", `3022 ${walletPointer}`]);
    await database.sql("update wallet set type = 2 where id = $1", [nft.walletId]);
    expect(await refused(nft, { as })).toEqual(["400", `4002 ${walletPointer}`]);
  });

  it("returns faults of the request before those of the service: 4008 and 7001 before 3019, 4018 and the node's", async () => {
    payouts.fees.answer = new Unavailable("ETH", "down");
    expect(await withAttributes(wallets.ether, broke)).toEqual([
      "400",
      `4008 ${attribute("amount")}`,
    ]);
    expect(await withAttributes(wallets.ether, { amount: "0.000001" })).toEqual([
      "400",
      `4013 ${attribute("amount")}`,
    ]);
    payouts.fees.answer = null;
    expect(await withAttributes(wallets.ether, { is_fee_included: true })).toEqual([
      "400",
      `4016 ${attribute("is_fee_included")}`,
    ]);
    await stopPayouts(database, "all", false);
    await stopPayouts(database, "all", true);
    expect(await withAttributes(wallets.ether, { address: "nobody" })).toEqual([
      "400",
      `7001 ${attribute("address")}`,
    ]);
    expect(await refused(wallets.ether)).toEqual(["403", "3019"]);
    await database.sql("delete from payout_stop");
  });

  it("returns 403 before faults of values, and asks no node about a rejected request", async () => {
    const as: Principal = { ...ownerOf(wallets.ether.accountId), memberId: "9", role: "read_only" };
    const attributes = { amount: "0", label: "x".repeat(33) };
    const requestsBefore = payouts.fees.requests.length;
    expect(await refused(wallets.ether, { as, attributes })).toEqual(["403", "permission_denied"]);
    for (const name of ["wallet", "currency", "target_wallet"]) {
      const relationships = { [name]: { data: { type: "deposit", id: "1" } } };
      expect(await refused(wallets.ether, { as, relationships })).toEqual([
        "403",
        "permission_denied",
      ]);
      expect(await refused(wallets.ether, { relationships })).toEqual([
        "409",
        `conflict /data/relationships/${name}/data/type`,
      ]);
    }
    expect(await withAttributes(wallets.ether, broke)).toEqual([
      "400",
      `4008 ${attribute("amount")}`,
    ]);
    expect(payouts.fees.requests.length).toBe(requestsBefore);
  });
});
