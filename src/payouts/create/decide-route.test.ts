import { describe, expect, it } from "vitest";
import { walletStatus, walletType } from "../../accounts/wallets/wallet.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { present } from "../../platform/kernel/assert.ts";
import { decideRoute, type RouteSubject } from "./decide-route.ts";
import type { InternalDestination } from "./internal-target.ts";

/** Where funds go: inside the service, on the chain, or nowhere. */

function currencyOf(alpha: string) {
  return present(
    builtInCurrencies.find((known) => known.alpha === alpha),
    alpha,
  );
}

function route(
  alpha: string,
  internal: InternalDestination | null,
  payeeKind: "address" | "deposit" | "wallet",
  change: Partial<RouteSubject> & {
    readonly isForced?: boolean;
    readonly isAllowlisted?: boolean;
  } = {},
) {
  const currency = currencyOf(alpha);
  const destination = { address: "their address", addressType: null, tag: null };
  const payees = {
    address: { kind: "address", destination, watchKey: "" },
    deposit: { kind: "deposit", paymentPageId: "page" },
    wallet: { kind: "wallet", walletId: "8" },
  } as const;
  const { route: decided, faults } = decideRoute({
    request: {
      force_blockchain: change.isForced ?? false,
      targetWalletPointer: "/data/attributes/target_wallet",
    },
    payee: payees[payeeKind],
    destination: {
      internal,
      isAllowlistOnly: change.isAllowlisted !== undefined,
      isAllowlisted: change.isAllowlisted ?? false,
    },
    accountId: "1",
    walletId: "7",
    walletType: walletType.merchant,
    currency,
    chain: present(currency.chain, "chain"),
    addressing: {
      types: [],
      watchKey: () => "",
      parse: (address) => ({ address, addressType: null, tag: null }),
    },
    mayView: () => true,
    ...change,
  });
  return [decided?.kind ?? "nowhere", ...faults.map(({ name }) => name)].join(" ");
}

const deposit = (alpha: string | null, walletId = "9", accountId = "2"): InternalDestination => ({
  kind: "deposit",
  accountId,
  walletId,
  depositId: "3",
  paymentPageId: "page",
  currency: alpha === null ? null : currencyOf(alpha).id,
  chain: alpha === null ? null : currencyOf(alpha).chain,
  address: "their address",
  addressType: "",
  tag: null,
});

const wallet = (alpha: string, type: number, walletId = "8"): InternalDestination => ({
  kind: "wallet",
  accountId: "1",
  walletId,
  walletStatus: walletStatus.active,
  walletType: type as 2,
  currency: currencyOf(alpha).id,
});

describe("an address", () => {
  it.each([
    ["is paid on the chain if it is not ours", null, "chain"],
    [
      "is paid internally if it belongs to a deposit in the same currency",
      deposit("ETH"),
      "internal",
    ],
    [
      "is paid on the chain if it belongs to a deposit in another currency",
      deposit("USDT-ETH"),
      "chain",
    ],
    ["is paid on the chain if it belongs to a deposit without a currency", deposit(null), "chain"],
    [
      "is rejected if it is ours and no deposit uses it",
      { kind: "reserved" } as const,
      "nowhere addressRefused",
    ],
  ])("%s", (_name, own, expected) => {
    expect(route("ETH", own, "address")).toBe(expected);
  });

  it("is paid on the chain if forced, by Merchant wallets only", () => {
    expect(route("ETH", deposit("ETH"), "address", { isForced: true })).toBe("chain");
    const enterprise = { isForced: true, walletType: walletType.enterprise };
    expect(route("ETH", deposit("ETH"), "address", enterprise)).toBe("chain invalidValue");
    expect(route("ETH", null, "address", enterprise)).toBe("chain invalidValue");
  });

  it("must be allowlisted if the account requires that, even if it is ours", () => {
    for (const own of [null, deposit("ETH"), deposit("ETH", "9", "1")]) {
      expect(route("ETH", own, "address", { isAllowlisted: false })).toContain("addressRefused");
      expect(route("ETH", own, "address", { isAllowlisted: true })).not.toContain("addressRefused");
    }
  });
});

describe("a deposit", () => {
  it.each([
    ["is paid internally in any account", deposit("ETH"), "internal"],
    ["is rejected in another currency", deposit("USDT-ETH"), "nowhere invalidValue"],
    ["is rejected without a currency", deposit(null), "nowhere invalidValue"],
    ["is rejected if it does not exist", null, "nowhere invalidValue"],
  ])("%s", (_name, own, expected) => {
    expect(route("ETH", own, "deposit")).toBe(expected);
  });

  it("is paid at its address if forced, and needs no allowlist entry if it is the account's own", () => {
    expect(route("ETH", deposit("ETH"), "deposit", { isForced: true })).toBe("chain");
    const bookOnly = { isAllowlisted: false };
    expect(route("ETH", deposit("ETH"), "deposit", bookOnly)).toBe("internal addressRefused");
    expect(route("ETH", deposit("ETH", "9", "1"), "deposit", bookOnly)).toBe("internal");
  });
});

describe("a wallet", () => {
  const { enterprise, merchant, swap, nft } = walletType;
  it.each([
    ["is paid internally in the same currency", wallet("ETH", enterprise), enterprise, "internal"],
    [
      "is rejected in another currency",
      wallet("BTC", enterprise),
      enterprise,
      "nowhere invalidValue",
    ],
    [
      "is paid internally in another currency if it is a Swap wallet",
      wallet("BTC", swap),
      enterprise,
      "internal",
    ],
    [
      "is paid internally in another currency by a Swap wallet",
      wallet("BTC", enterprise),
      swap,
      "internal",
    ],
    ["is paid internally in a fiat currency", wallet("USD", merchant), enterprise, "internal"],
    ["is rejected if it is for NFTs", wallet("ETH", nft), enterprise, "nowhere invalidValue"],
  ])("%s", (_name, own, paying, expected) => {
    expect(route("ETH", own, "wallet", { walletType: paying })).toBe(expected);
  });

  it("cannot be paid on the chain, or by callers who may not view it", () => {
    const own = wallet("ETH", enterprise);
    expect(route("ETH", own, "wallet", { isForced: true })).toBe("nowhere invalidValue");
    expect(route("ETH", own, "wallet", { mayView: () => false })).toBe("nowhere invalidValue");
    expect(route("ETH", null, "wallet")).toBe("nowhere invalidValue");
  });
});

/** The interface under 4007: "allowed only for BTC, BCH, BSC, ADA, DASH, DOGE, ETH, LTC, OMNI, TRX, ZCASH". */
describe("the paying wallet itself", () => {
  const allowed = ["BTC", "BCH", "BNB-BSC", "ADA", "DASH", "DOGE", "ETH", "LTC", "TRX", "ZEC"];
  const tokens = ["USDT-OMNI", "USDT-ETH", "USDC-BSC", "USDT-TRX"];
  it.each([...allowed, ...tokens])("can be paid in %s", (alpha) => {
    expect(route(alpha, deposit(alpha, "7", "1"), "address")).toBe("internal");
    expect(route(alpha, deposit(alpha, "7", "1"), "deposit")).toBe("internal");
    expect(route(alpha, wallet(alpha, walletType.enterprise, "7"), "wallet")).toBe("internal");
  });

  const others = ["XRP", "XLM", "TON", "ALGO", "XMR", "MATIC", "AVAX", "ARB", "OPT", "ETH-BASE"];
  it.each([...others, "USDT-MATIC", "USDC-ETH-BASE"])("cannot be paid in %s", (alpha) => {
    const own = deposit(alpha, "7", "1");
    expect(route(alpha, own, "address")).toBe("internal payoutToItself");
    expect(route(alpha, own, "address", { isForced: true })).toBe("chain payoutToItself");
    expect(route(alpha, own, "deposit")).toBe("internal payoutToItself");
    const self = wallet(alpha, walletType.enterprise, "7");
    expect(route(alpha, self, "wallet")).toBe("internal payoutToItself");
    expect(route(alpha, deposit(alpha, "6", "1"), "address")).toBe("internal");
  });
});
