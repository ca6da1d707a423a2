import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { Members } from "../../support/payout-world.ts";
import { newCalculation, newPayout } from "../../support/whole-payouts.ts";
import type { Tenant } from "../../support/whole-tenant.ts";
import { attribute, type Row, type RowContext, related } from "./row.ts";

type Wallets = Tenant["wallets"] & RowContext["wallets"];

const to = (
  path: string,
  body: (wallets: Wallets, context: RowContext) => JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Row[1] => {
  const key = { "idempotency-key": systemRandom.uuid() };
  return (context) => ({
    method: "POST",
    path,
    as: context.shop.token,
    headers: { ...key, ...headers },
    body: body({ ...context.shop.wallets, ...context.wallets }, context),
  });
};

/** A payout of the given wallet, in ether by default. */
const pay = (wallet: keyof Wallets, attributes: Members = {}, currency?: JsonValue): Row[1] =>
  to("/payout/", (wallets) => newPayout(wallets[wallet], attributes, paidIn(currency)));

const paidIn = (id: JsonValue = "1002"): Members => ({
  currency: { data: { type: "currency", id } },
});

const by =
  (who: (context: RowContext) => string, request: Row[1]): Row[1] =>
  async (context) => ({ ...(await request(context)), as: who(context) });

const withKey =
  (key: string | undefined): Row[1] =>
  async (context) => ({ ...(await pay("ether")(context)), headers: { "idempotency-key": key } });

const wallet = "/data/relationships/wallet";
const currency = "/data/relationships/currency";

/** "Create payout": the rows of the interface's table that a single request can trigger. */
export const createPayoutRows: readonly Row[] = [
  ["1003: no key", withKey(undefined), "428 1003 idempotency-key"],
  ["1007: a key that is not a UUID4", withKey("5"), "400 1007 idempotency-key"],
  ["1007: no receiver", pay("ether", { address: undefined }), attribute("address")],
  ["1007: no amount", pay("ether", { amount: undefined }), attribute("amount")],
  ["1007: no fee", pay("ether", { fee_amount: undefined }), attribute("fee_amount")],
  [
    "1007: no travel rule",
    pay("ether", { travel_rule_info: undefined }),
    attribute("travel_rule_info"),
  ],
  ["1007: another currency", pay("ether", {}, "1000"), related("currency")],
  ["3008: inactive", pay("inactive"), `400 3008 ${wallet}`],
  ["3008: being registered", pay("registering"), `400 3008 ${wallet}`],
  ["3021: not activated", pay("dormant"), `400 3021 ${wallet}`],
  ["3022: NFT", pay("nft"), `400 3022 ${wallet}`],
  ["4002: not granted", by(({ clerk }) => clerk, pay("ether")), `400 4002 ${wallet}`],
  [
    "4008: more than the balance",
    pay("ether", { amount: "9e20" }),
    "400 4008 /data/attributes/amount",
  ],
  [
    "4009: too low",
    pay("ether", { fee_amount: "0.0000001" }),
    "400 4009 /data/attributes/fee_amount",
  ],
  ["4009: too high", pay("ether", { fee_amount: "0.01" }), "400 4009 /data/attributes/fee_amount"],
  ["4011: nothing", pay("ether", { amount: "0" }), "400 4011 /data/attributes/amount"],
  ["4011: less than zero", pay("ether", { amount: "-1" }), "400 4011 /data/attributes/amount"],
  ["4013: too little", pay("ether", { amount: "1e-18" }), "400 4013 /data/attributes/amount"],
  [
    "4016: ether",
    pay("ether", { is_fee_included: true }),
    "400 4016 /data/attributes/is_fee_included",
  ],
  ["6002: disabled", pay("merchant", { amount: "50" }, "2015"), `400 6002 ${currency}`],
  ["6015: unavailable", pay("merchant", { amount: "50" }, "2014"), `400 6015 ${currency}`],
  ["6017: not paid for", pay("merchant", { amount: "50" }, "2068"), `400 6017 ${currency}`],
  ["7001: no address", pay("ether", { address: "0x12" }), "400 7001 /data/attributes/address"],
  [
    "4018: no fee source",
    pay("bitcoin", { address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080" }, "1000"),
    "503 4018",
  ],
  ["403: Read only", by(({ reader }) => reader, pay("ether")), "403 permission_denied"],
];

const ask = (
  chosen: (context: RowContext) => string,
  attributes: JsonObject = {
    amount: "0.1",
    to_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
  },
): Row[1] =>
  to("/payout/calculate/", (_wallets, context) => newCalculation(chosen(context), attributes));

/** "Precalculate fee". */
export const calculatePayoutRows: readonly Row[] = [
  ["200", ask(({ shop }) => shop.wallets.ether), "200"],
  [
    "1006: no amount",
    ask(({ shop }) => shop.wallets.ether, {
      to_address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72",
    }),
    "400 1006 /data/attributes/amount",
  ],
  ["3008: inactive", ask(({ wallets }) => wallets.inactive), `400 3008 ${wallet}`],
  ["3021: not activated", ask(({ wallets }) => wallets.dormant), `400 3021 ${wallet}`],
  [
    "7001: no address",
    ask(({ shop }) => shop.wallets.ether, { amount: "0.1", to_address: "x" }),
    "400 7001 /data/attributes/to_address",
  ],
  [
    "403: another's wallet",
    ask(({ stranger }) => stranger.wallets.ether),
    "403 403 /data/relationships/wallet",
  ],
];
