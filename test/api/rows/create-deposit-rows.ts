import type { JsonObject, JsonValue } from "../../../src/platform/kernel/json.ts";
import { newDeposit } from "../../support/whole-tenant.ts";
import { attribute, enterprise, merchant, post, type Row, raw, related } from "./row.ts";

const pageUrl = (length: number): string => "https://shop.example/".padEnd(length, "p");
const naturalPerson = (name: JsonValue): JsonObject => ({
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [name] }],
          geographicAddress: [{ addressLine: ["Any Street 1"], addressType: "HOME" }],
        },
      },
    ],
  },
});
const person = "travel_rule_info/beneficiary/beneficiaryPersons/0/naturalPerson";

/** 1007 for every field and every reason in the interface. */
export const invalidValueRows: readonly Row[] = [
  ["label of 33", enterprise({ label: "x".repeat(33) }), attribute("label")],
  ["label: an object", enterprise({ label: {} }), attribute("label")],
  ["label: an array", enterprise({ label: ["a"] }), attribute("label")],
  ["label: true", enterprise({ label: true }), attribute("label")],
  ["label with U+0000", enterprise({ label: "a\u0000" }), attribute("label")],
  ["label: half a pair", enterprise({ label: "\ud800" }), attribute("label")],
  ["tracking_id of 129", enterprise({ tracking_id: "x".repeat(129) }), attribute("tracking_id")],
  ["confirmations -1", enterprise({ confirmations_needed: -1 }), attribute("confirmations_needed")],
  [
    "confirmations 101",
    enterprise({ confirmations_needed: 101 }),
    attribute("confirmations_needed"),
  ],
  [
    "confirmations 1.5",
    enterprise({ confirmations_needed: 1.5 }),
    attribute("confirmations_needed"),
  ],
  ["confirmations x", enterprise({ confirmations_needed: "x" }), attribute("confirmations_needed")],
  ["callback of 257", enterprise({ callback_url: pageUrl(257) }), attribute("callback_url")],
  ["callback: not a URL", enterprise({ callback_url: "shop" }), attribute("callback_url")],
  ["callback: ftp", enterprise({ callback_url: "ftp://a.example/" }), attribute("callback_url")],
  ["callback: http", enterprise({ callback_url: "http://a.example/" }), attribute("callback_url")],
  [
    "callback with a password",
    enterprise({ callback_url: "https://a:b@c.example/" }),
    attribute("callback_url"),
  ],
  [
    "callback to loopback",
    enterprise({ callback_url: "https://127.0.0.1/" }),
    attribute("callback_url"),
  ],
  [
    "callback to metadata",
    enterprise({ callback_url: "https://169.254.169.254/" }),
    attribute("callback_url"),
  ],
  ["callback to [::1]", enterprise({ callback_url: "https://[::1]/" }), attribute("callback_url")],
  [
    "redirect: script",
    enterprise({ payment_page_redirect_url: "javascript:alert(1)" }),
    attribute("payment_page_redirect_url"),
  ],
  [
    "redirect of 2049",
    enterprise({ payment_page_redirect_url: pageUrl(2049) }),
    attribute("payment_page_redirect_url"),
  ],
  [
    "button text of 65",
    enterprise({ payment_page_button_text: "x".repeat(65) }),
    attribute("payment_page_button_text"),
  ],
  ["status 1", enterprise({ status: 1 }), attribute("status")],
  ["status 6", enterprise({ status: 6 }), attribute("status")],
  ["address_type of 17", enterprise({ address_type: "x".repeat(17) }), attribute("address_type")],
  ["address_type of ether", enterprise({ address_type: "base58" }), attribute("address_type")],
  [
    "address_type of bitcoin",
    post(({ bitcoin }) => newDeposit(bitcoin, { address_type: "cash" })),
    attribute("address_type"),
  ],
  ["time_limit 58", merchant({ time_limit: 58 }), attribute("time_limit")],
  ["time_limit 2592001", merchant({ time_limit: 2_592_001 }), attribute("time_limit")],
  ["time_limit, Enterprise", enterprise({ time_limit: 60 }), attribute("time_limit")],
  [
    "requested -1",
    merchant({ target_amount_requested: "-1" }),
    attribute("target_amount_requested"),
  ],
  ["requested 0", merchant({ target_amount_requested: "0" }), attribute("target_amount_requested")],
  [
    "requested 0.001 dollars",
    merchant({ target_amount_requested: "0.001" }),
    attribute("target_amount_requested"),
  ],
  [
    "requested, Enterprise",
    enterprise({ target_amount_requested: "1" }),
    attribute("target_amount_requested"),
  ],
  [
    "inaccuracy -1",
    merchant({ target_amount_requested: "5", inaccuracy: "-1" }),
    attribute("inaccuracy"),
  ],
  ["inaccuracy alone", merchant({ inaccuracy: "1" }), attribute("inaccuracy")],
  [
    "inaccuracy as requested",
    merchant({ target_amount_requested: "5", inaccuracy: "5" }),
    attribute("inaccuracy"),
  ],
  ["inaccuracy, Enterprise", enterprise({ inaccuracy: "1" }), attribute("inaccuracy")],
  ["no wallet", raw({ data: { type: "deposit" } }), related("wallet")],
  [
    "wallet null",
    raw({ data: { type: "deposit", relationships: { wallet: { data: null } } } }),
    related("wallet"),
  ],
  [
    "wallet: an array",
    raw({ data: { type: "deposit", relationships: { wallet: { data: [] } } } }),
    related("wallet"),
  ],
  ["unknown wallet", post(() => newDeposit("99999999")), related("wallet")],
  ["wallet abc", post(() => newDeposit("abc")), related("wallet")],
  [
    "wallet of another account",
    ({ shop, stranger }) => ({
      method: "POST",
      path: "/deposit/",
      as: shop.token,
      body: newDeposit(stranger.wallets.ether),
    }),
    related("wallet"),
  ],
  [
    "wallet not granted",
    ({ shop, clerk }) => ({
      method: "POST",
      path: "/deposit/",
      as: clerk,
      body: newDeposit(shop.wallets.bitcoin),
    }),
    related("wallet"),
  ],
  ["wallet for NFT", post(({ nft }) => newDeposit(nft)), related("wallet")],
  ["unknown currency", merchant({}, "9999"), related("currency")],
  ["currency in fiat", merchant({}, "978"), related("currency")],
  ["currency of another wallet", enterprise({}, "1000"), related("currency")],
  ["travel rule: text", enterprise({ travel_rule_info: "x" }), attribute("travel_rule_info")],
  [
    "travel rule: no first name",
    enterprise({ travel_rule_info: naturalPerson({ primaryIdentifier: "A" }) }),
    attribute(`${person}/name/0/nameIdentifier/0/secondaryIdentifier`),
  ],
  [
    "several, sorted by pointer",
    enterprise({ tracking_id: {}, label: {}, status: 9 }),
    "400 1007 /data/attributes/label 1007 /data/attributes/status 1007 /data/attributes/tracking_id",
  ],
  [
    "attributes: an array",
    raw({ data: { type: "deposit", attributes: [] } }),
    "400 1007 /data/attributes",
  ],
  ["data: an array", raw({ data: [] }), "400 1007 /data"],
  ["no data", raw({}), "400 1007 /data"],
  ["no body", raw(undefined), "400 1007 /data"],
];

/** The other codes of the interface's table. */
export const createDepositRows: readonly Row[] = [
  [
    "3008: wallet inactive",
    post(({ inactive }) => newDeposit(inactive)),
    "400 3008 /data/relationships/wallet",
  ],
  [
    "3008: wallet being registered",
    post(({ registering }) => newDeposit(registering)),
    "400 3008 /data/relationships/wallet",
  ],
  [
    "3021: activation transfer required",
    post(({ dormant }) => newDeposit(dormant)),
    "400 3021 /data/relationships/wallet",
  ],
  [
    "5005: no address is ready",
    post(({ bitcoin }) => newDeposit(bitcoin, { address_type: "legacy" })),
    "400 5005",
  ],
  ["5006: no fresh price", merchant({}, "1000"), "400 5006"],
  [
    "5007: address_type without a currency",
    merchant({ address_type: "legacy" }),
    "400 5007 /data/attributes/address_type",
  ],
  ["6002: currency disabled", merchant({}, "2015"), "400 6002 /data/relationships/currency"],
  [
    "6015: currency unavailable for all",
    merchant({}, "2014"),
    "400 6015 /data/relationships/currency",
  ],
  ["6015: chain not followed here", merchant({}, "1003"), "400 6015 /data/relationships/currency"],
  [
    "6015: wallet of such a chain",
    post(({ litecoin }) => newDeposit(litecoin)),
    "400 6015 /data/relationships/currency",
  ],
  ["6017: token not paid for", merchant({}, "2068"), "400 6017 /data/relationships/currency"],
  [
    "the table's order: 1007 before 3008",
    post(({ inactive }) => newDeposit(inactive, { callback_url: "https://10.0.0.1/" })),
    attribute("callback_url"),
  ],
  [
    "a specific code beats 1007 on its field",
    post(({ inactiveNft }) => newDeposit(inactiveNft)),
    "400 3008 /data/relationships/wallet",
  ],
];
