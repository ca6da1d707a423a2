import { beforeAll, describe, expect, it } from "vitest";
import { rejections } from "../../src/platform/kernel/rejection.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { administer, useDatabase } from "../support/database.ts";
import { fillPool } from "../support/deposit-world.ts";
import type { Members } from "../support/payout-world.ts";
import {
  databaseDigest,
  describeResponse,
  useWholeApi,
  type WholeRequest,
} from "../support/whole-api.ts";
import { fundTenant, newPayout } from "../support/whole-payouts.ts";
import { arrangeDepositOf, arrangeTenant, newDeposit, setPrices } from "../support/whole-tenant.ts";
import { createDepositRows, invalidValueRows } from "./rows/create-deposit-rows.ts";
import { calculatePayoutRows, createPayoutRows } from "./rows/create-payout-rows.ts";
import { generalRows, getDepositRows, login } from "./rows/general-rows.ts";
import { merchant, type Row, type RowContext } from "./rows/row.ts";

/*
 * Every row of the interface's tables "Common", "Get deposit or payout", "Create deposit", "Create payout" and "Precalculate fee", and
 * every error without an interface code, over HTTP with real tokens: request, response, and that a rejected request changes nothing in
 * the database.
 */

const database = useDatabase();
const api = useWholeApi(database);
const frugal = useWholeApi(
  database,
  { throttle: { read: 2, create: 2, calculate: 2, token: 2 } },
  api.clock,
);

let context: RowContext;

beforeAll(async () => {
  await fillPool(api.world(), "evm", "", 200);
  await fillPool(api.world(), "BTC", "bech32", 50);
  await setPrices(api, { ETH: 2000, USDT: 1 });
  const shop = await arrangeTenant(api);
  const stranger = await arrangeTenant(api);
  const { accountId, wallets } = shop;
  await fundTenant(api, shop);
  const granted = new Map([[wallets.ether, { mayPay: false }]]);
  const clerk = await api.arrangeMember({ accountId, wallets: granted });
  const reader = await api.arrangeMember({ accountId, role: "read_only" });
  context = {
    shop,
    stranger,
    clerk: await api.tokenOf(clerk),
    reader: await api.tokenOf(reader),
    deposits: {
      ether: await arrangeDepositOf(api, shop.token, newDeposit(wallets.ether)),
      bitcoin: await arrangeDepositOf(api, shop.token, newDeposit(wallets.bitcoin)),
      foreign: await arrangeDepositOf(api, stranger.token, newDeposit(stranger.wallets.ether)),
    },
    wallets: {
      inactive: await arrangeWalletRow(accountId, { status: 1 }),
      inactiveNft: await arrangeWalletRow(accountId, { type: 4, status: 1 }),
      registering: await arrangeWalletRow(accountId, { status: 2 }),
      dormant: await arrangeWalletRow(accountId, { needsActivation: true }),
      litecoin: await arrangeWalletRow(accountId, { currency: "1003" }),
    },
  };
  await database.sql(
    `insert into currency_state (currency, is_disabled, is_unavailable, is_unpaid)
     values ('2015', true, false, false), ('2014', false, true, false), ('2068', false, false, true)`,
  );
});

/** States that HTTP cannot create: wallets start active. */
async function arrangeWalletRow(
  accountId: string,
  row: {
    readonly type?: number;
    readonly status?: number;
    readonly needsActivation?: boolean;
    readonly currency?: string;
  },
): Promise<string> {
  const [created] = await database.sql<{ id: string }>(
    `with w as (
       insert into wallet (account_id, type, currency, label, status, needs_activation, created_at)
       values ($1::bigint, $5, $2, 'Made', $3, $4, '2026-01-01T00:00:00Z') returning account_id, id)
     insert into wallet_balance (account_id, wallet_id) select account_id, id from w returning wallet_id as id`,
    [
      accountId,
      row.currency ?? "1002",
      row.status ?? 3,
      row.needsActivation ?? false,
      row.type ?? 2,
    ],
  );
  return created!.id;
}

const covered = new Set<string>();

/** Sends a row's request and compares the response and the database. */
async function verifyRow([, request, answer]: Row): Promise<void> {
  const sent = await request(context);
  const before = await databaseDigest(database);
  const received = await api.ask(sent);
  expect(describeResponse(received)).toBe(answer);
  expect(await databaseDigest(database)).toEqual(before);
  if (received.status >= 400) for (const { code } of received.errors) covered.add(code);
}

describe("Create deposit", () => {
  it.each(invalidValueRows)("rejects with 1007: %s", async (...row) => {
    await verifyRow(row);
  });

  it.each(createDepositRows)("answers %s", async (...row) => {
    await verifyRow(row);
  });

  it("6015: rejects a currency that is unavailable for this account only", async () => {
    const block = [context.shop.accountId, "1002"] as const;
    await database.sql("insert into account_currency_block values ($1, $2)", block);
    await verifyRow(["", merchant({}, "1002"), "400 6015 /data/relationships/currency"]);
    const body = newDeposit(context.stranger.wallets.merchant, {}, "1002");
    expect(await arrangeDepositOf(api, context.stranger.token, body)).toMatch(/^\d+$/);
    await database.sql("delete from account_currency_block");
  });

  it("5006: rejects a deposit while the price is too old", async () => {
    await database.sql(
      "update rate_quote set expired_at = '2026-01-01T00:00:00Z' where symbol = 'ETH'",
    );
    // A process caches prices for up to a second.
    api.clock.advance(2);
    await verifyRow(["", merchant({}, "1002"), "400 5006"]);
  });
});

describe("Create payout", () => {
  it.each(createPayoutRows)("answers %s", async (...row) => {
    await verifyRow(row);
  });

  it("3019: rejects payouts from a wallet whose payouts are paused", async () => {
    const block = (isBlocked: boolean) =>
      database.sql("update wallet set payouts_blocked = $2 where id = $1", [
        ...[context.shop.wallets.ether, isBlocked],
      ]);
    await block(true);
    await verifyRow(["", payoutOf(systemRandom.uuid()), "403 3019 /data/relationships/wallet"]);
    await block(false);
  });

  it("1004 and 4012: rejects a used key and a used tracking_id", async () => {
    const key = systemRandom.uuid();
    const created = await api.ask(payoutOf(key, { tracking_id: "t" })(context));
    expect(created.status).toBe(201);
    await verifyRow(["", payoutOf(key), "409 1004 idempotency-key"]);
    await verifyRow([
      "",
      payoutOf(systemRandom.uuid(), { tracking_id: "t" }),
      "400 4012 /data/attributes/tracking_id",
    ]);
  });
});

const payoutOf =
  (key: string, attributes: Members = {}) =>
  ({ shop }: RowContext): WholeRequest => ({
    method: "POST",
    path: "/payout/",
    as: shop.token,
    headers: { "idempotency-key": key },
    body: newPayout(shop.wallets.ether, attributes),
  });

describe("Precalculate fee", () => {
  it.each(calculatePayoutRows)("answers %s", async (...row) => {
    await verifyRow(row);
  });
});

describe("Get deposit", () => {
  it.each(getDepositRows)("answers %s", async (...row) => {
    await verifyRow(row);
  });
});

describe("Common errors, and errors for which the interface has no code", () => {
  it.each(generalRows)("answers %s", async (...row) => {
    await verifyRow(row);
  });

  it("405 names the allowed methods, and 415 and 413 take precedence over 401 and the body", async () => {
    const put = await api.ask({ method: "PUT", path: "/deposit/", as: context.shop.token });
    expect(put.headers["allow"]).toBe("GET, POST, HEAD, OPTIONS");
    const untyped = {
      method: "POST",
      path: "/deposit/",
      body: "x",
      headers: { "content-type": "text/plain" },
    };
    expect(describeResponse(await api.ask(untyped))).toBe(
      "415 unsupported_media_type content-type",
    );
    expect(
      describeResponse(
        await api.ask({ method: "POST", path: "/deposit/", body: "x".repeat(70_000) }),
      ),
    ).toBe("401 2007");
  });

  it("2007: answers alike for an unknown login and a wrong password", async () => {
    const bodies = ["nobody", context.shop.owner.login].map(async (name) => {
      const request = await login({ login: name, password: "wrong" })(context);
      return { ...(await api.ask(request)).errors[0], id: "" };
    });
    const [unknown, wrong] = await Promise.all(bodies);
    expect(unknown).toEqual(wrong);
    const noToken = await api.ask({ method: "GET", path: "/deposit/" });
    const detail = "The token is missing, invalid or expired.";
    expect({ ...noToken.errors[0], id: "" }).toEqual({ ...wrong, detail });
  });

  it("2007: rejects an expired token, and one of a revoked credential", async () => {
    const { accountId } = context.shop;
    const member = await api.arrangeMember({ accountId });
    const token = await api.tokenOf(member);
    const request: Row[1] = () => ({ method: "GET", path: "/deposit/", as: token });
    await verifyRow(["", request, "200"]);
    api.clock.advance(15 * 60 + 1);
    await verifyRow(["", request, "401 2007"]);
    api.clock.advance(-(15 * 60 + 1));
    await database.sql("update credential set revoked_at = created_at where login = $1", [
      member.login,
    ]);
    // What this process has just read about a program is reused for five seconds.
    api.clock.advance(6);
    await verifyRow(["", request, "401 2007"]);
    await verifyRow(["", login({ login: member.login, password: member.password }), "401 2007"]);
  });

  it("2016: rejects an address outside the credential's allowed networks", async () => {
    const member = await api.arrangeMember({ accountId: context.shop.accountId });
    const token = await api.tokenOf(member);
    await database.sql("update credential set allowed_networks = '{10.0.0.0/8}' where login = $1", [
      member.login,
    ]);
    await verifyRow(["", () => ({ method: "GET", path: "/deposit/", as: token }), "403 2016"]);
    await verifyRow(["", login({ login: member.login, password: member.password }), "403 2016"]);
    await verifyRow(["", login({ login: member.login, password: "wrong" }), "401 2007"]);
  });

  it("throttled: counts each budget separately and answers when to retry", async () => {
    const { shop } = context;
    const body = newDeposit(shop.wallets.ether);
    const requests: readonly WholeRequest[] = [
      { method: "GET", path: "/wallet/", as: shop.token },
      { method: "POST", path: "/deposit/", as: shop.token, body },
      { method: "POST", path: "/token/", body: { data: { type: "auth-token" } } },
    ];
    api.clock.advance(61);
    for (const request of requests) {
      expect((await frugal.ask(request)).status).not.toBe(429);
      expect((await frugal.ask(request)).status).not.toBe(429);
      const before = await databaseDigest(database);
      const refused = await frugal.ask({
        ...request,
        headers: { "idempotency-key": "c9bf9e57-1685-4c89-bafb-ff5af830be8a" },
      });
      expect(describeResponse(refused)).toBe("429 throttled");
      expect(await databaseDigest(database)).toEqual(before);
      expect(refused.headers).toMatchObject({
        "retry-after": expect.stringMatching(/^([1-9]|[1-5]\d|60)$/) as string,
        ratelimit: expect.stringMatching(/^"(read|create|token)";r=0;t=\d+$/) as string,
        "ratelimit-policy": expect.stringMatching(/^"(read|create|token)";q=2;w=60$/) as string,
      });
      for (const error of refused.errors) covered.add(error.code);
    }
    api.clock.advance(61);
    expect((await frugal.ask(requests[0]!)).status).toBe(200);
  });

  it("500: hides the details of an internal error and logs it", async () => {
    await database.sql("alter table deposit rename to elsewhere");
    const answer = await api.ask({ method: "GET", path: "/deposit/", as: context.shop.token });
    await database.sql("alter table elsewhere rename to deposit");
    expect(describeResponse(answer)).toBe("500 500");
    expect(answer.text).not.toMatch(/relation|select|postgres|at /i);
    expect(api.failures().join()).toContain('relation \\"deposit\\" does not exist');
    covered.add("500");
  });

  it("503: answers while the database is unavailable, and recovers", async () => {
    const name = new URL(database.url).pathname.slice(1);
    await administer(
      database.url.replace(name, "sluice"),
      `alter database ${name} with allow_connections false`,
    );
    await administer(
      database.url.replace(name, "sluice"),
      // Resolves once the connections have ended.
      `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${name}'`,
    );
    const request = { method: "GET", path: "/deposit/", as: context.shop.token };
    await api.exchange(request);
    await api.exchange(request);
    const answer = await api.ask(request);
    await administer(
      database.url.replace(name, "sluice"),
      `alter database ${name} with allow_connections true`,
    );
    expect(describeResponse(answer)).toBe("503 service_unavailable");
    // More than a second when the previous requests were slow.
    expect(answer.headers["retry-after"]).toMatch(/^([12]?[1-9]|[123]0)$/);
    covered.add("service_unavailable");
    await expect.poll(async () => (await api.ask(request)).status).toBe(200);
  });
});

/**
 * Rows that need tokens, coins that pay fees, or a node that errs: `src/http/payouts/payout-refusals.test.ts`; or (408, 417, 431)
 * a connection: `live-server.test.ts`.
 */
const elsewhere = new Set([
  ...["4007", "4010", "4019", "node_unavailable"],
  ...["request_timeout", "headers_too_large", "expectation_failed"],
  // People's sessions: `second-factor.test.ts` and `passkey.test.ts` in `src/http/accounts`.
  ...["second_factor_required", "confirmation_required"],
  // Payment page: `src/http/deposits/payment-page.test.ts`.
  ...["deposit_ended", "currency_chosen", "rate_in_force", "refund_not_asked"],
]);

describe("this file", () => {
  it("contains every row of the error table, except those of other deployments", () => {
    const codes = Object.values(rejections).map(({ code }) => code);
    expect(codes.filter((code) => !covered.has(code))).toEqual(
      codes.filter((code) => elsewhere.has(code)),
    );
  });
});
