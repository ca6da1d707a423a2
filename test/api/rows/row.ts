import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import type { WholeRequest } from "../../support/whole-api.ts";
import { newDeposit, type Tenant } from "../../support/whole-tenant.ts";

/** The objects that rows refer to. */
export type RowContext = {
  readonly shop: Tenant;
  readonly stranger: Tenant;
  /** A member of the shop who may view its ether wallet only. */
  readonly clerk: string;
  /** Of the shop. */
  readonly reader: string;
  /** Deposits of the shop's ether wallet, its bitcoin wallet, and the other account. */
  readonly deposits: { readonly ether: string; readonly bitcoin: string; readonly foreign: string };
  readonly wallets: Readonly<
    Record<"inactive" | "inactiveNft" | "registering" | "dormant" | "litecoin", string>
  >;
};

/** A request and its expected response: status, then code and pointer of each error. */
export type Row = readonly [
  what: string,
  request: (context: RowContext) => WholeRequest | Promise<WholeRequest>,
  answer: string,
];

export const attribute = (name: string): string => `400 1007 /data/attributes/${name}`;
export const related = (name: string): string => `400 1007 /data/relationships/${name}`;

/** A deposit of the shop's ether wallet. */
export const enterprise = (attributes: Readonly<Record<string, JsonValue>>, currency?: JsonValue) =>
  post((wallets) => newDeposit(wallets.ether, attributes, currency));

/** A deposit of the shop's Merchant wallet in dollars. */
export const merchant = (attributes: Readonly<Record<string, JsonValue>>, currency?: JsonValue) =>
  post((wallets) => newDeposit(wallets.merchant, attributes, currency));

type Wallets = Tenant["wallets"] & RowContext["wallets"];

export function post(body: (wallets: Wallets) => JsonObject): Row[1] {
  return ({ shop, wallets }) => ({
    method: "POST",
    path: "/deposit/",
    as: shop.token,
    body: body({ ...shop.wallets, ...wallets }),
  });
}

/** Sends a document unchanged to `POST /deposit/`. */
export function raw(body: WholeRequest["body"], headers: WholeRequest["headers"] = {}): Row[1] {
  return ({ shop }) => ({
    method: "POST",
    path: "/deposit/",
    as: shop.token,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** A request of the shop's owner, without a body. */
export function errorRow(
  method: string,
  path: string | ((context: RowContext) => string),
  headers: WholeRequest["headers"] = {},
): Row[1] {
  return (on) => ({
    method,
    headers,
    as: on.shop.token,
    path: typeof path === "string" ? path : path(on),
  });
}
