import { describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { emptyPayoutRequest, type PayoutRequest } from "../payout-documents.ts";
import type { Route } from "./decide-route.ts";
import { type ChargedAmounts, decideTerms } from "./decide-terms.ts";

/** What a new payout stores of its request, its route and its charges. */

const bitcoin = present(
  builtInCurrencies.find(({ alpha }) => alpha === "BTC"),
  "BTC",
);
const walletCurrency = "840" as CurrencyId;

const onChain = {
  kind: "chain",
  destination: { address: "there", addressType: null, tag: null },
} as const satisfies Route;

const toWallet: Route = {
  kind: "internal",
  target: {
    kind: "wallet",
    accountId: "1",
    walletId: "9",
    walletType: 2,
    walletStatus: 3,
    currency: bitcoin.id,
  },
};

const ownDeposit = {
  kind: "deposit",
  accountId: "2",
  walletId: "9",
  depositId: "4",
  paymentPageId: "page",
  currency: bitcoin.id,
  chain: "BTC",
  address: "its address",
  addressType: "p2wpkh",
  tag: "6",
} as const;

const charged: ChargedAmounts = {
  units: 100n,
  paidUnits: 100n,
  feeUnits: 5n,
  feeCurrency: bitcoin.id,
  feeWalletId: "7",
  commissionUnits: 2n,
  rate: { units: 3n, exp: 0 },
  chargedUnits: 321n,
  chargedFeeUnits: 0n,
};

describe("decideTerms", () => {
  const named: Partial<PayoutRequest> = {
    label: "rent",
    tracking_id: "order-1",
    confirmations_needed: 3,
    callback_url: "https://shop.example/",
    tag_type: "memo",
  };
  const legalPerson = (type: string) => ({
    name: { nameIdentifier: [{ legalPersonName: "A", legalPersonNameIdentifierType: type }] },
    geographicAddress: [],
  });

  function terms(
    route: Route,
    change: Partial<PayoutRequest> = {},
    isScreened = true,
    chain = "BTC",
  ) {
    return decideTerms(
      {
        request: { ...emptyPayoutRequest, ...named, ...change },
        principal: {
          accountId: "1",
          memberId: "2",
          credentialId: "3",
          role: "owner",
          accountIsReady: true,
          wallets: "all",
        },
        wallet: {
          type: 2,
          currency: "1000",
          status: 3,
          needsActivation: false,
          payoutsBlocked: false,
          payoutsBlockedReason: null,
          available: 0n,
        },
        walletId: "7",
        walletCurrency,
        currency: bitcoin,
        chain,
        route,
        charged,
      },
      { isScreened },
    );
  }

  it("are what was asked, by whom, and what is charged", () => {
    expect(
      terms({ ...onChain, destination: { address: "there", addressType: "p2pkh", tag: "5" } }),
    ).toEqual({
      ...charged,
      accountId: "1",
      walletId: "7",
      walletType: 2,
      walletCurrency,
      currency: bitcoin.id,
      chain: "BTC",
      isFeeIncluded: false,
      address: "there",
      addressType: "p2pkh",
      tag: "5",
      tagType: "memo",
      targetDeposit: null,
      targetDepositId: null,
      targetWalletId: null,
      forceBlockchain: false,
      isInternal: false,
      label: "rent",
      trackingId: "order-1",
      confirmationsNeeded: 3,
      callbackUrl: "https://shop.example/",
      isTravelRuleFlagged: false,
      riskStatus: 2,
      createdByCredentialId: "3",
      createdByMemberId: "2",
    });
    expect(terms(onChain)).toMatchObject({ addressType: "", tag: null });
    expect(terms(onChain, { is_fee_included: true, force_blockchain: true })).toMatchObject({
      isFeeIncluded: true,
      forceBlockchain: true,
    });
  });

  it("name a wallet as the receiver without an address", () => {
    expect(terms(toWallet)).toMatchObject({
      isInternal: true,
      address: null,
      addressType: "",
      tag: null,
      tagType: "memo",
      targetDeposit: null,
      targetDepositId: null,
      targetWalletId: "9",
    });
  });

  it("name a deposit by its address, and by its page where the request did", () => {
    const receiver = {
      isInternal: true,
      address: "its address",
      addressType: "p2wpkh",
      tag: "6",
      tagType: "memo",
      targetDepositId: "4",
      targetWalletId: null,
    };
    const route: Route = { kind: "internal", target: ownDeposit };
    expect(terms(route)).toMatchObject({ ...receiver, targetDeposit: null });
    expect(terms(route, { target_deposit: "PAGE" })).toMatchObject({
      ...receiver,
      targetDeposit: "page",
    });
  });

  it("have the tag_type of their memo, also of one that the address or the deposit brings", () => {
    const typeOf = (tag: string | null, tag_type: string | null, chain = "XLM") => {
      const { destination } = onChain;
      const route = { ...onChain, destination: { ...destination, tag } };
      return terms(route, { tag_type }, true, chain).tagType;
    };
    expect([typeOf("5", null), typeOf("5", "1"), typeOf("0", null)]).toEqual(["1", "1", "1"]);
    expect([typeOf(null, null), typeOf(null, "0")]).toEqual([null, "0"]);
    expect([typeOf("5", null, "XRP"), typeOf("5", null, "TON")]).toEqual([null, null]);
    const target = { ...ownDeposit, chain: "XLM", addressType: "" } as const;
    const toDeposit = terms({ kind: "internal", target }, { tag_type: null }, true, "XLM");
    expect(toDeposit).toMatchObject({ tag: "6", tagType: "1" });
  });

  it("queue for screening what goes to the chain, where payouts are screened", () => {
    expect(terms(onChain).riskStatus).toBe(2);
    expect(terms(onChain, {}, false).riskStatus).toBe(4);
    expect(terms(toWallet).riskStatus).toBe(4);
  });

  it("flag travel-rule data in which a legal person has no legal name", () => {
    const about = (type: string) => ({
      travelRule: { beneficiary: { beneficiaryPersons: [{ legalPerson: legalPerson(type) }] } },
    });
    expect(terms(onChain, about("LEGL")).isTravelRuleFlagged).toBe(false);
    expect(terms(onChain, about("TRAD")).isTravelRuleFlagged).toBe(true);
  });
});
