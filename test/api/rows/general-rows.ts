import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import { newDeposit, newWallet } from "../../support/whole-tenant.ts";
import { attribute, errorRow, type Row, type RowContext, raw } from "./row.ts";

/** "Get deposit or payout", and other errors of reads. */
export const getDepositRows: readonly Row[] = [
  ["200", errorRow("GET", ({ deposits }) => `/deposit/${deposits.ether}`), "200"],
  [
    "5001: not granted",
    ({ clerk, deposits }) => ({
      method: "GET",
      path: `/deposit/${deposits.bitcoin}/`,
      as: clerk,
    }),
    "400 5001",
  ],
  [
    "2007: no token",
    ({ deposits }) => ({ method: "GET", path: `/deposit/${deposits.ether}/` }),
    "401 2007",
  ],
  ["404: unknown id", errorRow("GET", "/deposit/99999999/"), "404 404"],
  [
    "404: another account's",
    errorRow("GET", ({ deposits }) => `/deposit/${deposits.foreign}/`),
    "404 404",
  ],
  ["404: malformed id", errorRow("GET", "/deposit/abc/"), "404 404"],
  ["404: id 0", errorRow("GET", "/deposit/0/"), "404 404"],
  ["404: id beyond a bigint", errorRow("GET", `/deposit/${"9".repeat(30)}/`), "404 404"],
  ["404: id of 300 digits", errorRow("GET", `/deposit/${"9".repeat(300)}/`), "404 404"],
  ["404: no such page", errorRow("GET", "/deposit/?page[number]=99"), "404 404 page[number]"],
  ["404: page 0", errorRow("GET", "/deposit/?page[number]=0"), "404 404 page[number]"],
  ["404: page x", errorRow("GET", "/deposit/?page[number]=x"), "404 404 page[number]"],
  ["1007: unknown parameter", errorRow("GET", "/deposit/?color=red"), "400 1007 color"],
  [
    "1007: unknown filter",
    errorRow("GET", "/deposit/?filter[color]=red"),
    "400 1007 filter[color]",
  ],
  ["1007: empty filter", errorRow("GET", "/deposit/?filter[label]="), "400 1007 filter[label]"],
  ["1007: filter's pattern", errorRow("GET", "/deposit/?filter[id]=01"), "400 1007 filter[id]"],
  [
    "1007: filter's length",
    errorRow("GET", "/deposit/?filter[id]=123456789"),
    "400 1007 filter[id]",
  ],
  [
    "1007: filter's choices",
    errorRow("GET", "/deposit/?filter[status]=1"),
    "400 1007 filter[status]",
  ],
  [
    "1007: filter's time",
    errorRow("GET", "/deposit/?filter[created_at_from]=x"),
    "400 1007 filter[created_at_from]",
  ],
  ["1007: sort", errorRow("GET", "/deposit/?sort=color"), "400 1007 sort"],
  ["1007: ordering", errorRow("GET", "/deposit/?ordering=color"), "400 1007 ordering"],
  ["1007: include", errorRow("GET", "/deposit/?include=color"), "400 1007 include"],
  [
    "1007: fields of an unknown type",
    errorRow("GET", "/deposit/?fields[color]=red"),
    "400 1007 fields[color]",
  ],
  ["1007: cursor", errorRow("GET", "/deposit/?page[after]=x"), "400 1007 page[after]"],
  [
    "1007: page and cursor",
    errorRow("GET", "/deposit/?page[after]=&page[number]=1"),
    "400 1007 page[after]",
  ],
];

const good = newDeposit("1");
const typed = (type: JsonValue): JsonObject => ({
  data: { ...(good["data"] as JsonObject), type },
});
const json = JSON.stringify(good);
const media = (type: string | undefined) => raw(json, { "content-type": type });
const accept = (value: string) => errorRow("GET", "/deposit/", { accept: value });
export const login =
  (attributes: JsonObject): Row[1] =>
  () => ({
    method: "POST",
    path: "/token/",
    body: { data: { type: "auth-token", attributes } },
  });
const authorized = (authorization: string | undefined) =>
  errorRow("GET", "/deposit/", { authorization });
const onReading =
  (method: string, path: (context: RowContext) => string, body?: JsonObject): Row[1] =>
  (on) => ({ method, path: path(on), as: on.reader, ...(body === undefined ? {} : { body }) });

/** "Common", and errors without an interface code. */
export const generalRows: readonly Row[] = [
  ["2007: no header", authorized(undefined), "401 2007"],
  ["2007: another scheme", authorized("Basic YTpi"), "401 2007"],
  ["2007: garbage", authorized("Bearer x.y.z"), "401 2007"],
  [
    "2007: takes precedence over the body",
    () => ({ method: "POST", path: "/deposit/", body: "{" }),
    "401 2007",
  ],
  ["2007: OPTIONS without a token", () => ({ method: "OPTIONS", path: "/deposit/" }), "401 2007"],
  ["2007: unknown login", login({ login: "nobody", password: "x" }), "401 2007"],
  [
    "2007: wrong password",
    ({ shop }) => ({
      method: "POST",
      path: "/token/",
      body: {
        data: { type: "auth-token", attributes: { login: shop.owner.login, password: "x" } },
      },
    }),
    "401 2007",
  ],
  ["2007: unknown client_id", login({ client_id: "nobody", client_secret: "x" }), "401 2007"],
  [
    "2007: unknown refresh token",
    () => ({
      method: "POST",
      path: "/token/refresh/",
      body: { data: { type: "auth-token", attributes: { refresh: "x" } } },
    }),
    "401 2007",
  ],
  ["1007: no password", login({ login: "a" }), attribute("password")],
  ["parse_error: no JSON", raw("{"), "400 parse_error"],
  ["parse_error: not UTF-8", raw(new Uint8Array([0x22, 0xff, 0x22])), "400 parse_error"],
  ["parse_error: too deep", raw("[".repeat(33) + "]".repeat(33)), "400 parse_error"],
  [
    "parse_error: 0x10",
    raw('{"data":{"type":"deposit","attributes":{"confirmations_needed":0x10}}}'),
    "400 parse_error",
  ],
  [
    "unsupported_media_type: json",
    media("application/json"),
    "415 unsupported_media_type content-type",
  ],
  [
    "unsupported_media_type: charset",
    media("application/vnd.api+json; charset=utf-8"),
    "415 unsupported_media_type content-type",
  ],
  [
    "unsupported_media_type: unknown ext",
    media('application/vnd.api+json; ext="https://a.example/"'),
    "415 unsupported_media_type content-type",
  ],
  ["unsupported_media_type: none", media(undefined), "415 unsupported_media_type content-type"],
  ["not_acceptable: json", accept("application/json"), "406 not_acceptable accept"],
  [
    "not_acceptable: parameters only",
    accept("application/vnd.api+json; charset=utf-8"),
    "406 not_acceptable accept",
  ],
  ["not_acceptable: q=0", accept("application/vnd.api+json;q=0"), "406 not_acceptable accept"],
  ["method_not_allowed: DELETE", errorRow("DELETE", "/deposit/"), "405 method_not_allowed"],
  [
    "method_not_allowed: PUT",
    errorRow("PUT", ({ deposits }) => `/deposit/${deposits.ether}/`),
    "405 method_not_allowed",
  ],
  [
    "method_not_allowed: GET of an action",
    errorRow("GET", ({ deposits }) => `/deposit/${deposits.ether}/cancel/`),
    "405 method_not_allowed",
  ],
  ["404: no such address", errorRow("GET", "/deposits/"), "404 404"],
  ["404: no such payout", errorRow("GET", "/payout/99999999/"), "404 404"],
  ["conflict: no type", raw({ data: {} }), "409 conflict /data/type"],
  ["conflict: another type", raw(typed("payout")), "409 conflict /data/type"],
  ["conflict: type 5", raw(typed(5)), "409 conflict /data/type"],
  [
    "conflict: type of the wallet",
    raw({
      data: {
        type: "deposit",
        relationships: { wallet: { data: { type: "currency", id: "1" } } },
      },
    }),
    "409 conflict /data/relationships/wallet/data/type",
  ],
  [
    "conflict: id of another in a PATCH",
    ({ shop, deposits }) => ({
      method: "PATCH",
      path: `/deposit/${deposits.ether}/`,
      as: shop.token,
      body: { data: { type: "deposit", id: deposits.bitcoin } },
    }),
    "409 conflict /data/id",
  ],
  [
    "forbidden: client-generated id",
    raw({ data: { ...(good["data"] as JsonObject), id: "5" } }),
    "403 forbidden /data/id",
  ],
  [
    "payload_too_large",
    raw(JSON.stringify({ ...good, padding: "x".repeat(65_536) })),
    "413 payload_too_large",
  ],
  [
    "permission_denied: creating",
    ({ shop, reader }) => ({
      method: "POST",
      path: "/deposit/",
      as: reader,
      body: newDeposit(shop.wallets.ether),
    }),
    "403 permission_denied",
  ],
  [
    "permission_denied: changing",
    onReading("PATCH", ({ deposits }) => `/deposit/${deposits.ether}/`, {
      data: { type: "deposit", attributes: { label: "x" } },
    }),
    "403 permission_denied",
  ],
  [
    "permission_denied: canceling",
    onReading("POST", ({ deposits }) => `/deposit/${deposits.ether}/cancel/`),
    "403 permission_denied",
  ],
  [
    "permission_denied: a wallet",
    onReading("POST", () => "/wallet/", newWallet(2, "1002")),
    "403 permission_denied",
  ],
];
