import { type Role, roles } from "../../src/accounts/principal.ts";
import { relayEvents } from "../../src/callbacks/events/event-feed.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { fillPool } from "./deposit-world.ts";
import { payee, receiver } from "./payout-world.ts";
import type { WholeApi } from "./whole-api.ts";
import { payAll } from "./whole-payments.ts";
import { arrangePayoutOf, newPayout } from "./whole-payouts.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  setPrices,
  type Tenant,
} from "./whole-tenant.ts";

export type Owned = { readonly id: string; readonly wallet_id: string };
export type Objects = Readonly<Record<string, readonly Owned[]>>;

export type Someone = { readonly tenant: Tenant; readonly token: string };

/** Two accounts with objects of every kind, and members of the first one. */
export type TwoTenants = {
  readonly shop: Tenant;
  readonly stranger: Tenant;
  readonly objects: { readonly shop: Objects; readonly stranger: Objects };
  /** Of the shop; sees only its ether wallet and has every right there. */
  readonly clerk: Someone;
  /** The same without the right to pay. */
  readonly watcher: Someone;
  /** Of the shop; sees no wallet. */
  readonly newcomer: Someone;
  readonly roles: Readonly<Record<Role, Someone>>;
};

export const shopMark = "shopmark";
export const strangerMark = "strangermark";

const subjects = `(select 'deposit' as object_type, id, wallet_id from deposit
  union all select 'payout', id, wallet_id from payout)`;

/** Lists of the account's objects by first path segment: a member sees those of its wallets. */
export const owned: Readonly<Record<string, string>> = {
  wallet: "select id, id as wallet_id from wallet where account_id = $1",
  deposit: "select id, wallet_id from deposit where account_id = $1",
  payout: "select id, wallet_id from payout where account_id = $1 order by id",
  "payout-batch": "select id, wallet_id from payout_batch where account_id = $1",
  "payout-approval": "select id, wallet_id from payout where account_id = $1",
  transfer: "select id, wallet_id from transfer where account_id = $1",
  callback: `select c.id, s.wallet_id from callback c
    join ${subjects} s on s.object_type = c.object_type and s.id = c.object_id where c.account_id = $1`,
  event: `select e.seq as id, s.wallet_id from event e
    join ${subjects} s on s.object_type = e.object_type and s.id = e.object_id where e.account_id = $1`,
};

/** Lists of the account's objects that belong to no wallet, by first path segment. */
export const accountWide: Readonly<Record<string, string>> = {
  beneficiary: "select id from beneficiary where account_id = $1",
  payee: "select id from address_book where account_id = $1",
  "webhook-endpoint": "select id from webhook_endpoint where account_id = $1",
  "callback-receiver": "select host as id from callback_host where account_id = $1",
};

export async function arrangeTwoTenants(api: WholeApi): Promise<TwoTenants> {
  await fillPool(api.world(), "evm", "", 100);
  await fillPool(api.world(), "BTC", "bech32", 100);
  await setPrices(api, { ETH: 2000, BTC: 100_000, USDT: 1 });
  const shop = await arrangeTenant(api);
  const stranger = await arrangeTenant(api);
  await arrangeDeposits(api, shop, shopMark, 3);
  await arrangeDeposits(api, stranger, strangerMark, 2);
  await arrangePayouts(api, shop, shopMark, 3);
  await arrangePayouts(api, stranger, strangerMark, 2);
  await arrangeWide(api, shop, shopMark);
  await arrangeWide(api, stranger, strangerMark);
  await relayEvents(api.database);
  const member = async (role: Role, wallets?: ReadonlyMap<string, { mayPay: boolean }>) => {
    const created = await api.arrangeMember({
      accountId: shop.accountId,
      role,
      ...(wallets === undefined ? {} : { wallets }),
    });
    return { tenant: shop, token: await api.tokenOf(created) };
  };
  const ofRoles = roles.map(async (role) => [role, await member(role)] as const);
  const granted = (mayPay: boolean) => new Map([[shop.wallets.ether, { mayPay }]]);
  return {
    shop,
    stranger,
    objects: { shop: await objectsOf(api, shop), stranger: await objectsOf(api, stranger) },
    clerk: await member("owner", granted(true)),
    watcher: await member("owner", granted(false)),
    newcomer: await member("owner", new Map()),
    roles: Object.fromEntries(await Promise.all(ofRoles)) as TwoTenants["roles"],
  };
}

/** `count` paid deposits of each of three wallets, with the mark in their texts. */
async function arrangeDeposits(
  api: WholeApi,
  tenant: Tenant,
  mark: string,
  count: number,
): Promise<void> {
  const { wallets, accountId, token } = tenant;
  const texts = {
    label: mark,
    tracking_id: mark,
    callback_url: `https://${mark}.example/`,
    travel_rule_info: receiver,
  };
  const make = async (wallet: string, currency: string, amount: string) => {
    const body = newDeposit(wallet, texts, currency);
    const created = Array.from({ length: count }, () => arrangeDepositOf(api, token, body));
    return (await Promise.all(created)).map((id) => ({ accountId, id, amount }));
  };
  const ether = await make(wallets.ether, "1002", "1.5");
  const merchant = await make(wallets.merchant, "1002", "0.25");
  const bitcoin = await make(wallets.bitcoin, "1000", "0.5");
  await payAll(api, "ETH", [...ether, ...merchant]);
  await payAll(api, "BTC", bitcoin);
  const relabel = Object.values(wallets).map((id) =>
    api.ask({
      method: "PATCH",
      path: `/wallet/${id}/`,
      as: token,
      body: patch("wallet", { label: mark }),
    }),
  );
  await Promise.all(relabel);
}

/** `count` payouts of each of three wallets: external ones in ether, and in bitcoin to a deposit of the tenant. */
async function arrangePayouts(
  api: WholeApi,
  { wallets, token }: Tenant,
  mark: string,
  count: number,
): Promise<void> {
  const deposit = await arrangeDepositOf(
    api,
    token,
    newDeposit(wallets.merchant, { label: mark, travel_rule_info: receiver }, "1000"),
  );
  const { one } = await api.ask({ method: "GET", path: `/deposit/${deposit}/`, as: token });
  const page = one.attributes["payment_page"] as string;
  const inside = {
    address: undefined,
    fee_amount: undefined,
    target_deposit: page.slice(page.lastIndexOf("/") + 1),
  };
  const bitcoin = { currency: { data: { type: "currency", id: "1000" } } };
  for (let number = 1; number <= count; number += 1) {
    const texts = {
      label: mark,
      tracking_id: `${mark} ${number}`,
      callback_url: `https://${mark}.example/`,
    };
    for (const body of [
      newPayout(wallets.ether, texts),
      newPayout(wallets.merchant, texts),
      newPayout(wallets.bitcoin, { ...texts, ...inside }, bitcoin),
    ])
      await arrangePayoutOf(api, token, body);
  }
}

/** One of each object that belongs to no wallet. */
async function arrangeWide(
  { ask, database }: WholeApi,
  tenant: Tenant,
  mark: string,
): Promise<void> {
  await ask({
    method: "POST",
    path: "/beneficiary/",
    as: tenant.token,
    body: newBeneficiary(mark),
  });
  await ask({
    method: "POST",
    path: "/webhook-endpoint/",
    as: tenant.token,
    body: newEndpoint(mark),
  });
  await database.sql(
    `insert into payout_batch (account_id, reference, wallet_id, currency, digest, row_count, total_units, needs_approval,
       created_by_member_id, created_at)
     select account_id, $2 || ' ' || id || ' ' || number, id, '1002', '', 1, 1, false, 1, '2026-01-01Z'
     from wallet cross join generate_series(1, 2) as number where account_id = $1`,
    [tenant.accountId, mark],
  );
  await database.sql(
    "insert into address_book (account_id, chain, address, label, created_at) values ($1, 'ETH', $2, $3, '2026-01-01Z')",
    [tenant.accountId, payee, mark],
  );
  await database.sql(
    `insert into callback_host (account_id, host, consecutive_failures, updated_at) values ($1, $2, 1, '2026-01-01Z')`,
    [tenant.accountId, `${mark}.example`],
  );
}

/** An open invitation by the account's first member. */
export async function arrangeInvitation(
  database: Pick<WholeApi["database"], "sql">,
  accountId: string,
  mark: string,
): Promise<string> {
  const [row] = await database.sql<{ id: string }>(
    `insert into invitation (account_id, email, name, role, invited_by_member_id, created_at, expires_at)
     select $1, $2 || '@shop.example', $2, 'read_only', min(id), '2026-01-01Z', '2100-01-01Z' from member where account_id = $1
     returning id`,
    [accountId, mark],
  );
  return row?.id ?? "";
}

async function objectsOf({ database }: WholeApi, { accountId }: Tenant): Promise<Objects> {
  const each = Object.entries(owned).map(async ([name, sql]) => {
    const rows = await database.sql<Owned>(sql, [accountId]);
    return [name, rows] as const;
  });
  return Object.fromEntries(await Promise.all(each));
}

/** A batch of one payout of ether. */
export function newBatch(
  type: "payout-batch" | "payout-batch-preview",
  wallet: string,
): JsonObject {
  const csv = `address,amount,first_name,last_name,street\n${payee},0.1,Jo,Doe,Some Street 1\n`;
  const fees = type === "payout-batch" ? { fees_max: "1" } : {};
  return {
    data: {
      type,
      attributes: { csv, reference: "January", ...fees },
      relationships: {
        wallet: { data: { type: "wallet", id: wallet } },
        currency: { data: { type: "currency", id: "1002" } },
      },
    },
  };
}

/** An endpoint whose URL names the account, for an event that nothing here causes. */
export function newEndpoint(mark: string): JsonObject {
  const attributes = { url: `https://${mark}.example/`, events: ["deposit.address_activated"] };
  return { data: { type: "webhook-endpoint", attributes } };
}

/** A payee whose address may end in a given digit. */
export function newBeneficiary(name: string, lastDigit = "2"): JsonObject {
  return {
    data: {
      type: "beneficiary",
      attributes: {
        name,
        travel_rule_info: receiver,
        address: `0x${"1".repeat(39)}${lastDigit}`,
      },
      relationships: { currency: { data: { type: "currency", id: "1002" } } },
    },
  };
}

export function patch(type: string, attributes: JsonObject): JsonObject {
  return { data: { type, attributes } };
}
