import { describe, expect, it } from "vitest";
import { btc, eth, testCurrencies, usd, usdt } from "../../../test/support/deposit-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import { present } from "../../platform/kernel/assert.ts";
import { type Rejection, rejection } from "../../platform/kernel/rejection.ts";
import { emptyPayoutRequest, type PayoutRequest } from "../payout-documents.ts";
import type { TravelRuleInfo } from "../travel-rule/travel-rule.ts";
import { decideNewPayout, type PayoutSettings, type PayoutSubject } from "./decide-new-payout.ts";
import type { PayoutFacts, WalletFacts } from "./facts.store.ts";

/* Which requests create a payout, every fault of those that do not, and what the fee is quoted for. */

const owner: Principal = {
  accountId: "1",
  memberId: "1",
  credentialId: "1",
  role: "owner",
  accountIsReady: true,
  wallets: "all",
};

const someone: TravelRuleInfo = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
        },
      },
    ],
  },
} as unknown as TravelRuleInfo;

const request: PayoutRequest = {
  ...emptyPayoutRequest,
  wallet: "7",
  currency: btc,
  amount: "1",
  fee_amount: "0.001",
  address: "there",
  travelRule: someone,
};

const wallet: WalletFacts = {
  type: walletType.enterprise,
  currency: btc,
  status: walletStatus.active,
  needsActivation: false,
  payoutsBlocked: false,
  payoutsBlockedReason: null,
  available: 200_000_000n,
};

const facts: PayoutFacts = {
  used: null,
  wallet,
  availability: "available",
  commissionTerms: { ratePpm: 0, fixedUnits: 0n, minimumUnits: 0n },
  isTrackingIdUsed: false,
  pauses: [],
  coinWallet: null,
  limits: [],
  travelRuleFrom: null,
};

const destination = { address: "there", addressType: "bech32", tag: null };

type Change = {
  readonly principal?: Partial<Principal>;
  readonly request?: Partial<PayoutRequest>;
  readonly wallet?: Partial<WalletFacts> | null;
  readonly facts?: Partial<PayoutFacts>;
  readonly subject?: Partial<PayoutSubject>;
  readonly settings?: Partial<PayoutSettings>;
};

function decide(change: Change) {
  const asked = { ...request, ...change.request };
  const ownWallet = change.wallet === null ? null : { ...wallet, ...change.wallet };
  return decideNewPayout(
    {
      principal: { ...owner, ...change.principal },
      request: asked,
      faults: [],
      currency: asked.currency === null ? null : testCurrencies.find(asked.currency),
      addressing: null,
      payee: { kind: "address", destination, watchKey: "" },
      facts: { ...facts, wallet: ownWallet, ...change.facts },
      destination: { internal: null, isAllowlistOnly: false, isAllowlisted: false },
      rate: null,
      missingTravelRule: null,
      incomingUnits: null,
      ...change.subject,
    },
    {
      currencies: testCurrencies,
      callbackUrlFault: (url) => (url.startsWith("https:") ? null : "Use https."),
      tokenFees: "operator",
      travelRuleThresholds: new Map(),
      isScreened: false,
      ...change.settings,
    },
  );
}

const described = ({ name, source, detail }: Rejection): string => {
  const pointer = source !== undefined && "pointer" in source ? source.pointer : "";
  return `${name} ${pointer.replace("/data/", "")}: ${detail}`;
};
const faults = (change: Change) => decide(change).faults.map(described);

describe("a payout", () => {
  it("is created with its terms, and a fee is quoted for its amount", () => {
    const decision = decide({});
    expect(decision.faults).toEqual([]);
    expect(decision.route).toEqual({ kind: "chain", destination });
    expect(decision.terms).toMatchObject({
      accountId: "1",
      walletId: "7",
      walletType: walletType.enterprise,
      walletCurrency: btc,
      currency: btc,
      chain: "BTC",
      address: "there",
      paidUnits: 100_000_000n,
      feeUnits: 100_000n,
      createdByMemberId: "1",
    });
    expect(decision.toQuote).toEqual({
      payment: { destination, amount: { units: 100_000_000n, currency: btc } },
      paidUnits: 100_000_000n,
      feeUnits: 100_000n,
      balance: 200_000_000n,
    });
  });

  it("quotes the whole amount, and what the receiver gets, if the fee is included", () => {
    expect(decide({ request: { is_fee_included: true } }).toQuote).toMatchObject({
      payment: { amount: { units: 100_000_000n } },
      paidUnits: 99_900_000n,
    });
  });

  it("quotes what the receiver would get if the fee exceeds the amount", () => {
    const decision = decide({ request: { is_fee_included: true, fee_amount: "2" } });
    expect(decision.terms).toBeNull();
    expect(decision.toQuote).toMatchObject({ paidUnits: 100_000_000n });
  });

  it("has no terms if anything is wrong, though its fee can be quoted", () => {
    const decision = decide({ facts: { isTrackingIdUsed: true }, request: { tracking_id: "x" } });
    expect(decision.terms).toBeNull();
    expect(decision.toQuote).not.toBeNull();
  });

  it("needs no quote if it stays inside the service", () => {
    const internal = {
      kind: "wallet",
      accountId: "1",
      walletId: "8",
      walletType: walletType.enterprise,
      walletStatus: walletStatus.active,
      currency: present(testCurrencies.find(btc), "BTC").id,
    } as const;
    const decision = decide({
      request: { fee_amount: null },
      subject: {
        payee: { kind: "wallet", walletId: "8" },
        destination: { internal, isAllowlistOnly: false, isAllowlisted: false },
      },
    });
    expect(decision.faults).toEqual([]);
    expect(decision.route?.kind).toBe("internal");
    expect(decision.toQuote).toBeNull();
    expect(decision.terms).toMatchObject({ isInternal: true, targetWalletId: "8" });
  });

  it("from a Merchant wallet converts at the price, and waits without one", () => {
    const change: Change = { wallet: { type: walletType.merchant, currency: usd } };
    const rate = { units: 2n, exp: 0 };
    const paid = decide({
      ...change,
      subject: { rate },
      wallet: { ...change.wallet, available: 10n ** 9n },
    });
    expect(paid.faults).toEqual([]);
    expect(paid.toQuote?.balance).toBe(
      (10n ** 9n * 10n ** 8n) / 2n / 10n ** BigInt(testCurrencies.get(usd).exp),
    );
    expect(faults(change)).toContain(
      "feeUnavailable : No fresh rate for BTC in USD is available. Try again shortly.",
    );
  });

  it("from a Merchant wallet in its own currency needs no price", () => {
    expect(faults({ wallet: { type: walletType.merchant } })).toEqual([]);
  });

  it("asks for no price where the wallet cannot pay the currency anyway", () => {
    expect(faults({ wallet: { currency: eth } })).toEqual([
      "invalidValue relationships/currency: This wallet can pay out only its own currency.",
    ]);
  });
});

describe("the caller", () => {
  it.each<[string, Partial<Principal>, string]>([
    ["who only reads", { role: "read_only" }, "permissionDenied : Your role can't create payouts."],
    [
      "whose account is not ready",
      { accountIsReady: false },
      "payoutsBlocked relationships/wallet: Payouts are blocked until the account's registration is complete.",
    ],
    [
      "who sees the wallet and may not pay from it",
      { wallets: new Map([["7", { mayPay: false }]]) },
      "payoutNotPermitted relationships/wallet: You can view this wallet but not pay from it.",
    ],
    [
      "who does not see the wallet",
      { wallets: new Map([["8", { mayPay: true }]]) },
      "payoutNotPermitted relationships/wallet: You don't have access to this wallet, so you can't pay from it.",
    ],
  ])("%s is refused", (_title, principal, fault) => {
    expect(faults({ principal })).toEqual([fault]);
    expect(decide({ principal }).terms).toBeNull();
  });

  it("who does not see the wallet learns nothing else about it", () => {
    const principal = { wallets: new Map([["8", { mayPay: true }]]) };
    const inside = { isTrackingIdUsed: true };
    for (const change of [
      { status: walletStatus.inactive, needsActivation: true },
      { type: walletType.custody, currency: eth },
      { payoutsBlocked: true, available: 0n },
    ])
      expect(
        faults({ principal, wallet: change, facts: inside, request: { tracking_id: "x" } }),
      ).toEqual(faults({ principal }));
    expect(faults({ principal, wallet: null })).toEqual([
      "invalidValue relationships/wallet: There is no such wallet.",
    ]);
  });

  it("who only reads gets no fault of the document, not even one that would take precedence", () => {
    const conflict = rejection("typeConflict", "The type of this related object is wallet.", {
      pointer: "/data/relationships/wallet/data/type",
    });
    expect(faults({ principal: { role: "read_only" }, subject: { faults: [conflict] } })).toEqual([
      "permissionDenied : Your role can't create payouts.",
    ]);
  });

  it("who may pay from this wallet alone is accepted", () => {
    expect(faults({ principal: { wallets: new Map([["7", { mayPay: true }]]) } })).toEqual([]);
  });
});

describe("a wallet", () => {
  const at = "relationships/wallet";
  it.each<[string, Partial<WalletFacts> | null, string]>([
    ["of nobody", null, `invalidValue ${at}: There is no such wallet.`],
    [
      "that is inactive",
      { status: walletStatus.inactive },
      `walletInactive ${at}: The wallet is inactive or still being registered.`,
    ],
    [
      "without its activation",
      { needsActivation: true },
      `walletNotActivated ${at}: The wallet must be activated first.`,
    ],
    [
      "for custody",
      { type: walletType.custody },
      `walletTypeInvalid ${at}: Only Enterprise, Merchant and Swap wallets can make payouts.`,
    ],
    [
      "of NFTs",
      { type: walletType.nft },
      `walletTypeInvalid ${at}: Only Enterprise, Merchant and Swap wallets can make payouts.`,
    ],
    [
      "whose payouts are paused",
      { payoutsBlocked: true, payoutsBlockedReason: "a drill" },
      `payoutsBlocked ${at}: Payouts from this wallet are paused: kill switch (a drill).`,
    ],
  ])("%s pays nothing", (_title, change, fault) => {
    expect(faults({ wallet: change })).toEqual([fault]);
  });

  it("that swaps pays its own currency only", () => {
    expect(faults({ wallet: { type: walletType.swap } })).toEqual([]);
    expect(faults({ wallet: { type: walletType.swap, currency: eth } })).toHaveLength(1);
  });

  it("for custody is refused for its type, not for its currency", () => {
    const names = decide({ wallet: { type: walletType.custody, currency: usd } }).faults.map(
      ({ name }) => name,
    );
    expect(names).toContain("walletTypeInvalid");
    expect(names).not.toContain("invalidValue");
  });

  it("that the request lacks is reported by the document alone", () => {
    const missing = rejection("fieldMissing", "wallet is missing.", {
      pointer: "/data/relationships/wallet",
    });
    expect(faults({ request: { wallet: null }, subject: { faults: [missing] } })).toEqual([
      described(missing),
    ]);
  });
});

describe("a currency", () => {
  const at = "relationships/currency";
  it.each<[string, Change, string]>([
    [
      "is unknown",
      { request: { currency: "9999" } },
      `invalidValue ${at}: There is no such currency.`,
    ],
    ["is no coin", { request: { currency: usd } }, `invalidValue ${at}: USD can't be paid out.`],
    [
      "is another one than the wallet's",
      { request: { currency: eth } },
      `invalidValue ${at}: This wallet can pay out only its own currency.`,
    ],
    [
      "is disabled",
      { facts: { availability: "currencyDisabled" } },
      `currencyDisabled ${at}: BTC is disabled.`,
    ],
    [
      "is paused",
      {
        facts: {
          pauses: [{ kind: "kill_switch", scope: "all", reason: "drill", since: null }],
        },
      },
      "payoutsBlocked : Payouts of BTC are paused: kill switch (drill).",
    ],
  ])("that %s is refused", (_title, change, fault) => {
    expect(faults(change)).toEqual([fault]);
    expect(decide(change).terms).toBeNull();
  });

  it("that cannot be paid has neither route nor quote", () => {
    const decision = decide({ request: { currency: eth } });
    expect([decision.route, decision.toQuote, decision.terms]).toEqual([null, null, null]);
  });

  it("that is disabled still shows the other faults", () => {
    expect(
      faults({ facts: { availability: "currencyDisabled" }, wallet: { available: 0n } }).map(
        (fault) => fault.split(" ")[0],
      ),
    ).toEqual(["currencyDisabled", "insufficientFunds"]);
  });

  it("that the request lacks is reported by the document alone", () => {
    expect(faults({ request: { currency: null } })).toEqual([]);
    expect(decide({ request: { currency: null } }).terms).toBeNull();
  });
});

describe("tracking id and callback URL", () => {
  it("are refused if the id is used, and if the URL is not allowed", () => {
    expect(
      faults({
        request: { tracking_id: "order-1", callback_url: "http://shop.example/" },
        facts: { isTrackingIdUsed: true },
      }),
    ).toEqual([
      "trackingIdUsed attributes/tracking_id: Another payout of this wallet already has this tracking_id. Ids can't be reused.",
      "invalidValue attributes/callback_url: Use https.",
    ]);
    expect(faults({ request: { callback_url: "https://shop.example/" } })).toEqual([]);
    expect(faults({ facts: { isTrackingIdUsed: true } })).toEqual([]);
  });
});

describe("travel-rule data", () => {
  const at = "attributes/travel_rule_info";
  const missingTravelRule = rejection("fieldMissing", "travel_rule_info is missing.", {
    pointer: "/data/attributes/travel_rule_info",
  });
  const none: Change = { request: { travelRule: null }, subject: { missingTravelRule } };

  it("is required", () => {
    expect(faults(none)).toEqual([described(missingTravelRule)]);
    expect(faults({ request: { travelRule: null } })).toEqual([
      `invalidValue ${at}: travel_rule_info must name the payout's beneficiary.`,
    ]);
  });

  it("is required from a threshold of the currency on", () => {
    expect(faults({ ...none, facts: { travelRuleFrom: 100_000_001n } })).toEqual([]);
    expect(faults({ ...none, facts: { travelRuleFrom: 100_000_000n } })).toHaveLength(1);
  });

  it("is required if the amount cannot be read", () => {
    const change = { ...none, request: { ...none.request, amount: null } };
    expect(
      faults({ ...change, facts: { travelRuleFrom: 10n ** 18n } }).filter((fault) =>
        fault.includes(at),
      ),
    ).toHaveLength(1);
  });

  it("is required where nothing else can be checked, whatever the threshold", () => {
    const change = { ...none, request: { ...none.request, currency: "9999" } };
    expect(faults({ ...change, facts: { travelRuleFrom: 10n ** 18n } })).toEqual([
      "invalidValue relationships/currency: There is no such currency.",
      described(missingTravelRule),
    ]);
  });

  it("is not missing if one of its members is invalid", () => {
    const member = rejection("invalidValue", "name is empty.", {
      pointer: "/data/attributes/travel_rule_info/beneficiary",
    });
    const change = { request: { travelRule: null }, subject: { faults: [member] } };
    expect(faults(change)).toEqual([described(member)]);
    const beside = rejection("invalidValue", "Unknown.", {
      pointer: "/data/attributes/travel_rule_info_2",
    });
    expect(faults({ ...change, subject: { faults: [beside] } })).toHaveLength(2);
  });
});

describe("faults", () => {
  it("are reported once each, the document's first", () => {
    const twice = rejection("invalidValue", "There is no such wallet.", {
      pointer: "/data/relationships/wallet",
    });
    expect(faults({ wallet: null, subject: { faults: [twice] } })).toEqual([described(twice)]);
  });

  it("of the same place and different kinds are all reported", () => {
    expect(faults({ wallet: { status: walletStatus.inactive, payoutsBlocked: true } })).toEqual([
      "walletInactive relationships/wallet: The wallet is inactive or still being registered.",
      "payoutsBlocked relationships/wallet: Payouts from this wallet are paused: kill switch.",
    ]);
  });

  it("are none for a token from its own wallet, whose fee the operator pays", () => {
    expect(
      faults({ request: { currency: usdt, fee_amount: "0.001" }, wallet: { currency: usdt } }),
    ).toEqual([]);
  });
});
