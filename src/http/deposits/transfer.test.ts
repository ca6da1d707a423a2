import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi } from "../../../test/support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  ownerOf,
  payment,
  readTransfers,
  usdt,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";

/*
 * Transfers with the real server and database. One deposit received, in this order: a payment of 1.5 ether (with 1 % commission),
 * dust, a token of its chain, an unknown token, and a payment that screening holds.
 */

const database = useDatabase();
const world = depositWorld(database);
const api = depositApi(world);
let wallet: Wallet;
let owner: Principal;
let deposit: Deposit;
let chain: AnnouncingChain;
let ids: readonly string[] = [];
beforeAll(async () => {
  chain = await announceChain(world, "ETH");
  wallet = await arrangeWallet(world);
  owner = ownerOf(wallet.accountId);
  deposit = await arrangeDeposit(world, wallet, {
    commission: { ratePpm: 10_000, fixedUnits: 0n, minimumUnits: 0n },
  });
  for (const hit of [
    payment({ deposit, amount: "1.5", txid: "0xpaid" }),
    payment({ deposit, amount: "0.000001" }),
    payment({ deposit, amount: "25", currency: usdt }),
    payment({ deposit, amount: "12345", unlisted: "0xcafe" }),
    payment({ deposit, amount: "66", txid: "0xred" }),
  ]) {
    world.clock.advance(60);
    await chain.append([hit]);
  }
  ids = (await readTransfers(world, deposit)).map(({ id }) => id);
  await database.sql(
    `update transfer set risk = 91, risk_status = 3, status = -2, disposition = 'blocked', due_height = null
     where txid = '0xred'`,
  );
  await database.sql(
    `update posting set credit = 'blocked/1002' where cause = $1 and credit like 'wallet/%/pending'`,
    [`transfer:${ids[4]!}`],
  );
  await database.sql(
    "update wallet_balance set pending = pending - 66 * 10::numeric ^ 18 where wallet_id = $1",
    [wallet.walletId],
  );
});

const ask = (method: string, url: string, as = owner) => api.ask(method, url, { as });

describe("the transfer resource", () => {
  it("shows the received amount with confirmations counted from the tip", async () => {
    const { one } = await ask("GET", `/transfer/${ids[0]!}`);
    expect(one).toEqual({
      type: "transfer",
      id: ids[0],
      attributes: {
        op_id: Number(deposit.id),
        op_type: 1,
        amount: "1.500000000000000000",
        amount_cleared: "1.485000000000000000",
        commission: "0.015000000000000000",
        fee: "0.000000000000000000",
        fiat_currency: null,
        fiat_rate: null,
        fiat_amount: null,
        fee_currency: null,
        fee_fiat_currency: null,
        fee_fiat_amount: null,
        tracking_id: null,
        txid: "0xpaid",
        status: 2,
        confirmations: 5,
        risk: null,
        risk_status: 4,
        message: null,
        user_message: null,
        created_at: "2026-01-02T03:05:05.678901Z",
        updated_at: "2026-01-02T03:07:05.678901Z",
      },
      relationships: {
        currency: { data: { type: "currency", id: "1002" } },
        wallet: { data: { type: "wallet", id: wallet.walletId } },
      },
    });
  });

  it("describes payments in other assets in the message", async () => {
    const seen = await Promise.all(
      ids.slice(1).map(async (id) => {
        const { attributes, relationships } = (await ask("GET", `/transfer/${id}/`)).one;
        const { op_type, amount, amount_cleared, status, message } = attributes;
        return [
          op_type,
          amount,
          amount_cleared,
          status,
          message,
          relationships["currency"]!.data?.id,
        ];
      }),
    );
    expect(seen).toEqual([
      [15, "0.000001000000000000", "0.000000000000000000", 2, null, "1002"],
      [
        1,
        "25.000000",
        "0.000000",
        2,
        "Received in a different currency than the deposit's",
        "2015",
      ],
      [1, "12345", "0", 2, "Token 0xcafe is not supported", undefined],
      [1, "66.000000000000000000", "65.340000000000000000", -2, null, "1002"],
    ]);
  });
});

describe("GET /transfer/", () => {
  it.each([
    ["", "4 3 2 1 0"],
    ["sort=created_at", "0 1 2 3 4"],
    ["filter[id]=ID0", "0"],
    ["filter[currency]=1002&sort=id", "0 1 4"],
    ["filter[currency]=2015", "2"],
    ["filter[wallet]=WALLET&sort=id", "0 1 2 3 4"],
    ["filter[wallet]=999999", ""],
    ["filter[op_id]=DEPOSIT&sort=id", "0 1 2 3 4"],
    ["filter[op_id]=999998,DEPOSIT&filter[op_type]=15", "1"],
    ["filter[op_id]=999998,999999", ""],
    ["filter[op_type]=15", "1"],
    ["filter[op_type]=2", ""],
    ["filter[status]=-2", "4"],
    ["filter[txid]=0xpaid", "0"],
    ["filter[risk_status]=3", "4"],
    ["filter[amount]=1.50", "0"],
    ["filter[amount]=25", "2"],
    ["filter[commission]=0.015", "0"],
    ["filter[created_at_from]=2026-01-02T03:08:05.678901Z", "4 3"],
    ["filter[created_at_to]=2026-01-02T03:06:05.678901Z", "1 0"],
    ["filter[updated_at_to]=2026-01-01", ""],
  ])("finds the transfers for ?%s: %s", async (query, expected) => {
    const filled = query
      .replace("ID0", ids[0]!)
      .replace("WALLET", wallet.walletId)
      .replace("DEPOSIT", deposit.id);
    const { resources, status, text } = await ask("GET", `/transfer/?${filled}`);
    expect(status, text).toBe(200);
    expect(resources.map(({ id }) => ids.indexOf(id)).join(" ")).toBe(expected);
  });

  it.each([
    "status=9",
    "op_type=3",
    "amount=lots",
    "id=0",
    "op_id=1,",
    "op_id=1,0",
    "created_at_from=now",
    "color=red",
  ])("rejects the filter %s", async (filter) => {
    const [name = "", text = ""] = filter.split("=");
    const answer = await ask("GET", `/transfer/?filter[${name}]=${text}`);
    expect(answer.status).toBe(400);
    expect(answer.errors[0]!.source).toEqual({ parameter: `filter[${name}]` });
  });
});

describe("the transfer resource", () => {
  it("hides transfers from other accounts and from members without the wallet", async () => {
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    const narrow = { ...owner, memberId: "2", wallets: new Map() };
    for (const as of [stranger, narrow]) {
      expect((await ask("GET", "/transfer/", as)).resources).toEqual([]);
    }
    expect(faults(await ask("GET", `/transfer/${ids[0]!}/`, stranger))).toEqual(["404", "404"]);
    expect(faults(await ask("GET", `/transfer/${ids[0]!}/`, narrow))).toEqual(["400", "5001"]);
    expect(faults(await ask("GET", "/transfer/99999999/"))).toEqual(["404", "404"]);
  });

  it("lets only operators of the deployment release a blocked payment, with a reason and once", async () => {
    const url = `/transfer/${ids[4]!}/release/`;
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    const release = (as = owner, reason: string | null = "The payer is known", path = url) =>
      api.ask("POST", path, { as, body: { data: { type: "transfer", attributes: { reason } } } });
    const isOperator = (is: boolean) =>
      database.sql("update account set is_operator = $2 where id = $1", [owner.accountId, is]);
    await isOperator(false);
    expect(faults(await release())).toEqual(["403", "permission_denied"]);
    await isOperator(true);
    for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const) {
      const as = { ...owner, memberId: role, role };
      expect(faults(await release(as))).toEqual(["403", "permission_denied"]);
    }
    expect(faults(await release(stranger))).toEqual(["403", "permission_denied"]);
    const narrow = { ...owner, memberId: "2", wallets: new Map() };
    expect(faults(await release(narrow))).toEqual(["403", "permission_denied"]);
    for (const reason of [null, "", "x".repeat(257)])
      expect(faults(await release(owner, reason))).toEqual(["400", "1007 /data/attributes/reason"]);
    await chain.grow(2);
    const { status, one } = await release();
    expect([status, one.attributes["status"], one.attributes["risk_status"]]).toEqual([200, 2, 3]);
    expect(faults(await release())).toEqual(["400", "1007"]);
    const other = `/transfer/${ids[0]!}/release/`;
    expect(faults(await release(owner, "The payer is known", other))).toEqual(["400", "1007"]);
  });
});
