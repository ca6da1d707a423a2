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

function decide(
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
  return decideRoute({
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
}

/** Where it goes, and the names of the faults. */
function route(...asked: Parameters<typeof decide>): string {
  const { route: decided, faults } = decide(...asked);
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

describe("a refused payment", () => {
  const { enterprise, merchant, nft } = walletType;
  const forced = "/data/attributes/force_blockchain";
  const wanted = "/data/attributes/target_wallet";
  const named = "/data/attributes/target_deposit";
  it.each<[string, Parameters<typeof decide>, string, string]>([
    [
      "to a wallet that does not exist",
      ["ETH", null, "wallet"],
      "There is no such wallet.",
      wanted,
    ],
    [
      "to a wallet for NFTs",
      ["ETH", wallet("ETH", nft), "wallet"],
      "This wallet can't receive payments.",
      wanted,
    ],
    [
      "to a wallet that is not active",
      [
        "ETH",
        {
          ...wallet("ETH", enterprise),
          walletStatus: walletStatus.inactive,
        } as InternalDestination,
        "wallet",
      ],
      "This wallet can't receive payments.",
      wanted,
    ],
    [
      "to a wallet of another currency",
      ["ETH", wallet("BTC", enterprise), "wallet"],
      "This wallet can't receive ETH.",
      wanted,
    ],
    [
      "to a wallet on the chain",
      ["ETH", wallet("ETH", enterprise), "wallet", { isForced: true }],
      "Wallets have no address, so they can't be paid on the chain.",
      forced,
    ],
    [
      "to a deposit that does not exist",
      ["ETH", null, "deposit"],
      "There is no such deposit.",
      named,
    ],
    [
      "to a deposit whose payer has not chosen",
      ["ETH", deposit(null), "deposit"],
      "The payer has not chosen this deposit's currency yet.",
      named,
    ],
    [
      "to a deposit in another currency",
      ["ETH", deposit("BTC"), "deposit"],
      "This deposit can't be paid in ETH.",
      named,
    ],
    [
      "on the chain to a deposit without an address",
      [
        "ETH",
        { ...deposit("ETH"), address: null } as InternalDestination,
        "deposit",
        { isForced: true },
      ],
      "This deposit has no address yet.",
      named,
    ],
    [
      "on the chain to a deposit of a chain that is not configured",
      ["ETH", deposit("ETH"), "deposit", { isForced: true, addressing: null }],
      "This deposit has no address yet.",
      named,
    ],
    [
      "on the chain from a wallet of another type",
      ["ETH", null, "address", { isForced: true, walletType: enterprise }],
      "force_blockchain is available only for payouts from Merchant wallets.",
      forced,
    ],
    [
      "to the paying wallet itself",
      ["XRP", deposit("XRP", "7", "1"), "address", { walletType: merchant }],
      "On XRP a wallet can't pay itself. Choose another receiver.",
      "/data/attributes/address",
    ],
    [
      "to an address that is not on the list",
      ["ETH", null, "address", { isAllowlisted: false }],
      "This account can pay only allowlisted addresses.",
      "/data/attributes/address",
    ],
    [
      "to an address that is ours and unused",
      ["ETH", { kind: "reserved" }, "address"],
      "Payments to this address would not be credited to anyone. Use another address.",
      "/data/attributes/address",
    ],
  ])("%s says why, and which attribute is wrong", (_, asked, detail, pointer) => {
    expect(decide(...asked).faults).toMatchObject([{ detail, source: { pointer } }]);
  });

  it("without a receiver names what else is wrong", () => {
    const isForced = { isForced: true, walletType: enterprise };
    const none = { ...isForced, payee: { kind: "none" } as const };
    expect(decide("ETH", null, "address", none)).toMatchObject({
      route: null,
      faults: [{ name: "invalidValue" }],
    });
    expect(route("ETH", { kind: "reserved" }, "address", isForced)).toBe(
      "nowhere addressRefused invalidValue",
    );
    expect(route("ETH", null, "deposit", isForced)).toBe("nowhere invalidValue invalidValue");
    expect(route("ETH", null, "wallet", isForced)).toBe("nowhere invalidValue invalidValue");
  });
});

describe("a payment", () => {
  it("carries its receiver", () => {
    const own = deposit("ETH");
    const target = wallet("ETH", walletType.enterprise);
    const there = { address: "their address", addressType: null, tag: null };
    const routeOf = (...asked: Parameters<typeof decide>) => decide(...asked).route;
    expect(routeOf("ETH", null, "address")).toEqual({ kind: "chain", destination: there });
    expect(routeOf("ETH", own, "address")).toEqual({ kind: "internal", target: own });
    expect(routeOf("ETH", own, "deposit")).toEqual({ kind: "internal", target: own });
    expect(routeOf("ETH", target, "wallet")).toEqual({ kind: "internal", target });
    expect(routeOf("ETH", own, "deposit", { isForced: true })).toEqual({
      kind: "chain",
      destination: there,
    });
  });
});
