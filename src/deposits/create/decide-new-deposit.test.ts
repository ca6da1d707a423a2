import { describe, expect, it } from "vitest";
import {
  btc,
  eth,
  testCurrencies,
  testKeyspace,
  usd,
  usdt,
} from "../../../test/support/deposit-world.ts";
import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import type { Keyspace } from "../../currencies/keyspace.ts";
import { addSeconds, type Instant } from "../../platform/kernel/clock.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { noValues } from "../../platform/resources/define-document.ts";
import { newDepositDocument } from "../deposit-documents.ts";
import type { CreationFacts } from "./creation-facts.store.ts";
import {
  type DecisionContext,
  type DepositInput,
  decideNewDeposit,
  faultsWithoutWallet,
} from "./decide-new-deposit.ts";

/* Which requests create a deposit, on which terms, and every fault of those that do not. */

const now = 1_800_000_000_000_000 as Instant;
const expiresAt = addSeconds(now, 30);
const emptyInput: DepositInput = noValues(newDepositDocument);

const enterprise: CreationFacts = {
  walletType: walletType.enterprise,
  walletCurrency: btc,
  walletStatus: walletStatus.active,
  needsActivation: false,
  currency: btc,
  availability: "available",
  commissionTerms: { ratePpm: 5_000, fixedUnits: 1n, minimumUnits: 2n },
  accountHelpEmail: "help@example.com",
  defaults: {
    underpayment: { ppm: null, units: null },
    overpayment: { ppm: null, units: null },
    toleranceCurrency: null,
    timeLimit: 900,
    callbackUrl: "https://shop.example/default",
    redirectUrl: "https://shop.example/back",
    buttonText: "Back to the shop",
  },
};

/** A wallet in dollars, paid in `currency`. */
const merchant = (currency: string | null = btc): CreationFacts => ({
  ...enterprise,
  walletType: walletType.merchant,
  walletCurrency: usd,
  currency,
});

const dollars = (text: string): bigint => {
  const { exp } = testCurrencies.get(usd);
  return BigInt(text) * 10n ** BigInt(exp);
};

type Change = {
  readonly input?: Partial<DepositInput>;
  readonly facts?: CreationFacts;
  readonly context?: Partial<DecisionContext>;
};

/** Ten thousand and one hundred dollars per bitcoin, bid and ask. */
const price = { bid: { units: 10_000n, exp: 0 }, ask: { units: 10_100n, exp: 0 }, expiresAt };

function decide({ input = {}, facts = enterprise, context = {} }: Change) {
  const known = facts.currency === null ? null : testCurrencies.find(facts.currency);
  return decideNewDeposit({ ...emptyInput, ...input }, "7", facts, {
    currencies: testCurrencies,
    keyspace: known === null ? null : testKeyspace(known.id),
    rate: price,
    rateLockSeconds: 600,
    now,
    unread: [],
    callbackUrlFault: (url) => (url.startsWith("https:") ? null : "callback_url must use https."),
    ...context,
  });
}

function created(change: Change) {
  const decision = decide(change);
  if (decision.kind === "rejected") throw new Error(JSON.stringify(decision.rejections));
  return decision.deposit;
}

const described = ({ name, source, detail }: Rejection): string => {
  const pointer = source !== undefined && "pointer" in source ? source.pointer : "";
  return `${name} ${pointer.replace("/data/", "")}: ${detail}`;
};

function faults(change: Change): readonly string[] {
  const decision = decide(change);
  return decision.kind === "created" ? [] : decision.rejections.map(described);
}

describe("a deposit to an Enterprise wallet", () => {
  it("takes everything that the request says", () => {
    expect(
      created({
        input: {
          label: "Label",
          tracking_id: "order-1",
          confirmations_needed: 0,
          callback_url: "https://shop.example/own",
          payment_page_redirect_url: "https://shop.example/thanks",
          payment_page_button_text: "Thanks",
          description: "Two shirts",
          help_email: "own@example.com",
          address_type: "legacy",
        },
      }),
    ).toEqual({
      walletId: "7",
      walletType: 2,
      walletCurrency: btc,
      currency: btc,
      chain: "BTC",
      keyspace: "BTC",
      isActive: true,
      addressType: "legacy",
      rate: { units: 1n, exp: 0 },
      rateExpiresAt: null,
      sourceAmountRequested: null,
      commissionTerms: enterprise.commissionTerms,
      label: "Label",
      trackingId: "order-1",
      confirmationsNeeded: 0,
      timeLimit: null,
      invoiceUpdatedAt: null,
      expiresAt: null,
      callbackUrl: "https://shop.example/own",
      paymentPageRedirectUrl: "https://shop.example/thanks",
      paymentPageButtonText: "Thanks",
      description: "Two shirts",
      helpEmail: "own@example.com",
      inaccuracy: null,
      toleranceBelow: null,
      toleranceAbove: null,
      targetAmountRequested: null,
      createdAt: now,
    });
  });

  it("takes the account's defaults for the rest, except the time limit", () => {
    expect(created({})).toMatchObject({
      callbackUrl: "https://shop.example/default",
      paymentPageRedirectUrl: "https://shop.example/back",
      paymentPageButtonText: "Back to the shop",
      helpEmail: "help@example.com",
      addressType: "bech32",
      timeLimit: null,
      expiresAt: null,
    });
  });

  it("uses the account's button text only for the account's link", () => {
    const link = "https://shop.example/own";
    expect(created({ input: { payment_page_redirect_url: link } })).toMatchObject({
      paymentPageRedirectUrl: link,
      paymentPageButtonText: null,
    });
    expect(created({ input: { payment_page_button_text: "Own" } })).toMatchObject({
      paymentPageRedirectUrl: "https://shop.example/back",
      paymentPageButtonText: "Own",
    });
  });

  it("ignores an address type where the currency has one form only", () => {
    const facts = { ...enterprise, walletCurrency: eth, currency: eth };
    expect(created({ facts, input: { address_type: "bech32" } })).toMatchObject({
      chain: "ETH",
      keyspace: "evm",
      addressType: "",
    });
  });

  it("waits for its activation where the chain needs one, and says where its address waits", () => {
    const keyspace: Keyspace = {
      name: "TRX",
      chain: "TRX",
      addressTypes: ["address", "x-address"],
      defaultAddressType: "address",
      pooledAs: "any",
      needsActivation: true,
    };
    expect(created({ context: { keyspace } })).toMatchObject({
      isActive: false,
      keyspace: "TRX",
      poolType: "any",
      addressType: "address",
    });
    expect(created({})).not.toHaveProperty("poolType");
  });

  it.each(["time_limit", "inaccuracy", "target_amount_requested"] as const)(
    "takes no %s",
    (field) => {
      const value = field === "time_limit" ? 900 : "1";
      expect(faults({ input: { [field]: value } })).toEqual([
        `invalidValue attributes/${field}: Only deposits to Merchant wallets take ${field}.`,
      ]);
    },
  );

  it("takes its own currency only", () => {
    const facts = { ...enterprise, currency: eth };
    expect(faults({ facts, input: { currency: eth } })).toEqual([
      "invalidValue relationships/currency: The wallet takes deposits in its own currency only.",
    ]);
    expect(faults({ input: { currency: btc } })).toEqual([]);
  });
});

describe("a deposit to a Merchant wallet", () => {
  const facts = merchant();

  it("asks for an amount in the payment currency, rounded up, at the bid, for as long as the rate is locked", () => {
    expect(created({ facts, input: { target_amount_requested: "3" } })).toMatchObject({
      targetAmountRequested: dollars("3"),
      rate: price.bid,
      rateExpiresAt: addSeconds(now, 600),
      // 3 / 10,000 bitcoin.
      sourceAmountRequested: 30_000n,
      timeLimit: 900,
      invoiceUpdatedAt: now,
      expiresAt: addSeconds(now, 900),
    });
    const third = { ...price, bid: { units: 7n, exp: 0 } };
    const input = { target_amount_requested: "1" };
    // 1 / 7 bitcoin is 14,285,714.28 satoshi.
    expect(created({ facts, input, context: { rate: third } }).sourceAmountRequested).toBe(
      14_285_715n,
    );
  });

  it("keeps the price until it expires if it asks for no amount", () => {
    expect(created({ facts })).toMatchObject({
      targetAmountRequested: null,
      sourceAmountRequested: null,
      rate: price.bid,
      rateExpiresAt: expiresAt,
      toleranceBelow: null,
      toleranceAbove: null,
    });
  });

  it("has no price before the payer chooses a currency", () => {
    const input = { target_amount_requested: "3" };
    expect(created({ facts: merchant(null), input })).toMatchObject({
      currency: null,
      chain: null,
      keyspace: null,
      isActive: true,
      addressType: "",
      rate: null,
      rateExpiresAt: null,
      sourceAmountRequested: null,
    });
  });

  it("needs no price in the wallet's own currency", () => {
    const own = { ...merchant(usdt), walletCurrency: usdt };
    const input = { target_amount_requested: "1.5" };
    expect(created({ facts: own, input, context: { rate: null } })).toMatchObject({
      rate: { units: 1n, exp: 0 },
      rateExpiresAt: null,
      sourceAmountRequested: 1_500_000n,
    });
  });

  it("takes the request's time limit before the account's, and none if neither says one", () => {
    expect(created({ facts, input: { time_limit: 60 } })).toMatchObject({
      timeLimit: 60,
      expiresAt: addSeconds(now, 60),
    });
    const unlimited = { ...facts, defaults: { ...facts.defaults, timeLimit: null } };
    expect(created({ facts: unlimited })).toMatchObject({
      timeLimit: null,
      invoiceUpdatedAt: null,
      expiresAt: null,
    });
  });

  it("tolerates what the account tolerates, unless the request says how much", () => {
    const input = { target_amount_requested: "100" };
    expect(created({ facts, input })).toMatchObject({
      inaccuracy: null,
      toleranceBelow: 0n,
      toleranceAbove: dollars("1"),
    });
    const own = { ...input, inaccuracy: "0" };
    expect(created({ facts, input: own })).toMatchObject({
      inaccuracy: 0n,
      toleranceBelow: null,
      toleranceAbove: null,
    });
  });

  it.each([
    [{ target_amount_requested: "0" }, "target_amount_requested must be greater than zero."],
    [{ target_amount_requested: "-1" }, "target_amount_requested must not be negative."],
    [{ target_amount_requested: "1,5" }, "target_amount_requested is not a decimal number."],
    [
      { target_amount_requested: `1.${"1".repeat(testCurrencies.get(usd).exp + 1)}` },
      `USD has at most ${testCurrencies.get(usd).exp} digits after the decimal point.`,
    ],
    [{ inaccuracy: "1" }, "inaccuracy needs a target_amount_requested."],
    [{ inaccuracy: "0" }, "inaccuracy needs a target_amount_requested."],
    [
      { target_amount_requested: "5", inaccuracy: "5" },
      "inaccuracy must be less than target_amount_requested.",
    ],
    [{ target_amount_requested: "5", inaccuracy: "-1" }, "inaccuracy must not be negative."],
    [{ target_amount_requested: "5", inaccuracy: "x" }, "inaccuracy is not a decimal number."],
  ])("rejects %j", (input, detail) => {
    const [field] = detail.startsWith("USD") ? ["target_amount_requested"] : detail.split(" ");
    expect(faults({ facts, input })).toEqual([`invalidValue attributes/${field}: ${detail}`]);
  });

  it("accepts a tolerance just below the amount", () => {
    expect(faults({ facts, input: { target_amount_requested: "5", inaccuracy: "4.99" } })).toEqual(
      [],
    );
  });

  it("does not compare a tolerance with an amount that could not be read", () => {
    const fault = rejection("invalidValue", "unreadable", {
      pointer: "/data/attributes/target_amount_requested",
    });
    expect(faults({ facts, input: { inaccuracy: "5" }, context: { unread: [fault] } })).toEqual([
      described(fault),
    ]);
  });

  it("reports two wrong amounts together, and does not compare them", () => {
    expect(
      faults({ facts, input: { target_amount_requested: "x", inaccuracy: "-1" } }),
    ).toHaveLength(2);
    expect(
      faults({ facts, input: { target_amount_requested: "x", inaccuracy: "1" } }),
    ).toHaveLength(1);
  });

  it("accepts any currency, and needs its price", () => {
    expect(faults({ facts, input: { currency: btc } })).toEqual([]);
    expect(faults({ facts, context: { rate: null } })).toEqual([
      "rateUnavailable : No fresh rate for BTC in USD is available. Try again shortly.",
    ]);
  });
});

describe("a wallet that takes no deposits", () => {
  it.each<[Partial<CreationFacts>, string]>([
    [
      { walletType: walletType.nft },
      "invalidValue relationships/wallet: NFT wallets take no deposits.",
    ],
    [
      { walletStatus: walletStatus.inactive },
      "walletInactive relationships/wallet: The wallet is inactive or still being registered.",
    ],
    [
      { walletStatus: walletStatus.beingRegistered },
      "walletInactive relationships/wallet: The wallet is inactive or still being registered.",
    ],
    [
      { needsActivation: true },
      "walletNotActivated relationships/wallet: The wallet still needs its activation transfer.",
    ],
  ])("is refused: %j", (change, fault) => {
    expect(faults({ facts: { ...enterprise, ...change } })).toEqual([fault]);
  });
});

describe("a currency that cannot be used", () => {
  const at = "relationships/currency";
  it.each<[string, CreationFacts, Partial<DecisionContext>, string]>([
    ["is unknown", merchant("9999"), {}, `invalidValue ${at}: There is no such currency.`],
    ["is no coin", merchant(usd), {}, `invalidValue ${at}: USD is not a payment currency.`],
    [
      "is disabled, and needs no price",
      { ...merchant(), availability: "currencyDisabled" },
      { rate: null },
      `currencyDisabled ${at}: BTC is disabled.`,
    ],
    [
      "is not available",
      { ...merchant(), availability: "currencyUnavailable" },
      {},
      `currencyUnavailable ${at}: BTC is not available.`,
    ],
    [
      "is on a chain that nobody follows",
      merchant(),
      { keyspace: null },
      `currencyUnavailable ${at}: BTC is not available.`,
    ],
    [
      "is a token whose listing was not paid",
      { ...merchant(), availability: "tokenNotPaidFor" },
      { keyspace: null },
      `tokenNotPaidFor ${at}: The listing fee for BTC has not been paid.`,
    ],
  ])("%s", (_title, facts, context, fault) => {
    const keyspace = testKeyspace(btc);
    expect(faults({ facts, context: { keyspace, ...context } })).toEqual([fault]);
  });

  it("is reported as foreign and as disabled at once", () => {
    const facts: CreationFacts = { ...enterprise, currency: eth, availability: "currencyDisabled" };
    expect(faults({ facts, input: { currency: eth } })).toEqual([
      `invalidValue ${at}: The wallet takes deposits in its own currency only.`,
      `currencyDisabled ${at}: ETH is disabled.`,
    ]);
  });
});

describe("an address type", () => {
  const at = "attributes/address_type";
  const unread = (pointer: string) => ({
    unread: [rejection("invalidValue", "unreadable", { pointer })],
  });

  it("is one of the currency's", () => {
    expect(faults({ input: { address_type: "cash" } })).toEqual([
      `invalidValue ${at}: address_type of BTC must be one of bech32, p2sh-segwit, legacy.`,
    ]);
    expect(faults({ input: { address_type: "p2sh-segwit" } })).toEqual([]);
  });

  it("is any known one where the currency has one form only", () => {
    const facts = { ...enterprise, walletCurrency: eth, currency: eth };
    expect(faults({ facts, input: { address_type: "cash" } })).toEqual([]);
    expect(faults({ facts, input: { address_type: "other" } })).toEqual([
      `invalidValue ${at}: address_type of ETH must be one of legacy, p2sh-segwit, bech32, bech32m, cash, address, x-address.`,
    ]);
  });

  it("is the only one of a keyspace, whatever a client sends", () => {
    const keyspace: Keyspace = {
      name: "DASH",
      chain: "DASH",
      addressTypes: ["legacy"],
      defaultAddressType: "legacy",
    };
    expect(created({ input: { address_type: "bech32" }, context: { keyspace } })).toMatchObject({
      addressType: "legacy",
    });
  });

  it("needs a currency", () => {
    const facts = merchant(null);
    const needed = `addressTypeWithoutCurrency ${at}: address_type needs a currency.`;
    expect(faults({ facts, input: { address_type: "legacy" } })).toEqual([needed]);
    expect(faults({ facts, context: unread("/data/attributes/address_type") })).toEqual([
      `invalidValue ${at}: unreadable`,
      needed,
    ]);
    expect(
      faults({
        facts,
        input: { address_type: "legacy" },
        context: unread("/data/relationships/currency"),
      }),
    ).toEqual(["invalidValue relationships/currency: unreadable"]);
  });

  it("is not missed beside an unknown currency", () => {
    const facts = merchant("9999");
    const input = { currency: "9999", address_type: "legacy" };
    expect(faults({ facts, input, context: { keyspace: null } })).toEqual([
      "invalidValue relationships/currency: There is no such currency.",
    ]);
  });

  it("that could not be read is not checked again", () => {
    expect(faults({ context: unread("/data/attributes/address_type") })).toEqual([
      `invalidValue ${at}: unreadable`,
    ]);
  });
});

describe("URLs", () => {
  it("are checked, and every fault of the request is reported in order", () => {
    expect(
      faults({
        facts: { ...merchant(), needsActivation: true },
        input: {
          target_amount_requested: "x",
          callback_url: "http://shop.example/",
          payment_page_redirect_url: "ftp://shop.example/",
        },
        context: { unread: [rejection("fieldMissing", "first", { pointer: "/data/type" })] },
      }),
    ).toEqual([
      "fieldMissing type: first",
      "invalidValue attributes/target_amount_requested: target_amount_requested is not a decimal number.",
      "walletNotActivated relationships/wallet: The wallet still needs its activation transfer.",
      "invalidValue attributes/callback_url: callback_url must use https.",
      "invalidValue attributes/payment_page_redirect_url: payment_page_redirect_url must be an http or https URL of at most 2048 characters.",
    ]);
  });

  it.each([
    ["http://shop.example/", []],
    ["https://shop.example/", []],
    [`https://shop.example/${"a".repeat(2048 - 21)}`, []],
    [`https://shop.example/${"a".repeat(2048 - 20)}`, ["payment_page_redirect_url"]],
    ["javascript:alert(1)", ["payment_page_redirect_url"]],
    ["shop.example", ["payment_page_redirect_url"]],
  ])("of the shop are web addresses: %s", (url, expected) => {
    const named = faults({ input: { payment_page_redirect_url: url } }).map(
      (fault) => /attributes\/(\w+):/.exec(fault)?.[1],
    );
    expect(named).toEqual(expected);
  });
});

describe("a request without a readable wallet", () => {
  const context = { currencies: testCurrencies, callbackUrlFault: () => "wrong" };
  const named = (input: Partial<DepositInput>) =>
    faultsWithoutWallet({ ...emptyInput, ...input }, context).map(described);

  it("learns of an unknown currency and of wrong URLs", () => {
    expect(named({})).toEqual([]);
    expect(named({ currency: btc })).toEqual([]);
    expect(named({ currency: "9999", callback_url: "http://shop.example/" })).toEqual([
      "invalidValue relationships/currency: There is no such currency.",
      "invalidValue attributes/callback_url: wrong",
    ]);
  });
});
