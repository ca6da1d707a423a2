import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import { expect } from "vitest";
import type { TronCall, TronTransaction } from "../../src/chains/tron/build-transaction.ts";
import { writeBody } from "../../src/chains/tron/draft-body.ts";
import { microsPerSecond } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { DraftRefused, type KeyRing } from "../../src/signer/draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../../src/signer/intent.ts";
import { createTronDraftSigner } from "../../src/signer/tron/draft-signer.ts";
import { addressAt, addressText, ownPaths } from "../../src/signer/tron/own-accounts.ts";
import { manualClock } from "./manual-clock.ts";

/* A signer of TRON with well-known keys, and one valid draft of each kind with its intent. */

export const words = "test test test test test test test test test test test junk";
const seed = mnemonicToSeedSync(words);
export const keys: KeyRing = { at: (path) => HDKey.fromMasterSeed(seed).derive(path) };
export const paths = ownPaths("main");
export const own = (path: string): string => addressText(addressAt(keys, path));
export const hot = own(paths.hot);
export const gas = own(paths.gas);
export const deposit = own(paths.depositAt(7));
export const payee = "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV";
export const stranger = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC";
export const cold = "TQLCsShbQNXMTVCjprY64qZmEA4rBarpQp";
export const tether = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

export const clock = manualClock();
export const nowSeconds = Math.floor(clock.now() / microsPerSecond);
export const signer = createTronDraftSigner({
  chain: "TRX",
  network: "main",
  coldAddress: cold,
  clock,
});

export const rest: Omit<TronTransaction, "call"> = {
  refBlock: { bytes: "f6d8", hash: "e1f1b28e9c3a7d55" },
  expiration: BigInt(nowSeconds + 600) * 1_000n,
  timestamp: BigInt(nowSeconds) * 1_000n + 7n,
  feeLimit: 0n,
};
export const draftOf = (
  call: TronCall,
  more: Partial<TronTransaction> = {},
  keyIndex: number | null = null,
): JsonObject =>
  writeBody({
    ...rest,
    feeLimit: call.type === "token" ? 20_000_000n : 0n,
    call,
    ...more,
    keyIndex,
  });

export const coin = { kind: "coin" } as const;
export const token = { kind: "token", locator: tether } as const;
export const common = { spendId: "1", chain: "TRX", feeCeiling: "25000000" };
export const payout: ApprovedPayout = {
  payoutId: "12345678",
  chain: "TRX",
  address: payee,
  tag: null,
  currency: "1026",
  asset: coin,
  units: "5000000",
  approval: "",
};
export const paying = (...payouts: readonly ApprovedPayout[]): SpendIntent => ({
  ...common,
  kind: "payout",
  payouts,
});
export const sweeping = (asset: ApprovedPayout["asset"]): SpendIntent => ({
  ...common,
  kind: "sweep",
  sources: [{ keyIndex: 7, address: deposit, assets: [asset] }],
});

export const coinCall = {
  type: "transfer",
  from: hot,
  to: payee,
  units: 5_000_000n,
} as const satisfies TronCall;
export const tokenCall = {
  ...coinCall,
  type: "token",
  contract: tether,
} as const satisfies TronCall;
export const lending = { from: gas, to: deposit, units: 90_000_000n } as const;

/** A valid draft of each kind, its intent, and the most that it burns. */
export const valid: readonly (readonly [string, JsonObject, SpendIntent, bigint])[] = [
  ["a payout of coin", draftOf(coinCall), paying(payout), 1_100_000n],
  [
    "a payout of a token",
    draftOf(tokenCall),
    paying({ ...payout, asset: token }),
    20_000_000n + 345_000n,
  ],
  [
    "coin to the cold address",
    draftOf({ ...coinCall, to: cold }),
    { ...common, kind: "cold", asset: coin, units: "5000000" },
    1_100_000n,
  ],
  [
    "a token to the cold address",
    draftOf({ ...tokenCall, to: cold }),
    { ...common, kind: "cold", asset: token, units: "5000000" },
    20_345_000n,
  ],
  [
    "a sweep of coin",
    draftOf({ ...coinCall, from: deposit, to: hot }, {}, 7),
    sweeping(coin),
    1_100_000n,
  ],
  [
    "a sweep of a token",
    draftOf({ ...tokenCall, from: deposit, to: hot }, {}, 7),
    sweeping(token),
    20_345_000n,
  ],
  [
    "a top-up",
    draftOf({ type: "transfer", ...lending }),
    { ...common, kind: "top_up", keyIndex: 7, units: "90000000" },
    1_100_000n,
  ],
  [
    "a delegation of energy",
    draftOf({ type: "delegate", ...lending }),
    { ...common, kind: "delegate", keyIndex: 7, units: "90000000" },
    278_000n,
  ],
  [
    "the end of a delegation",
    draftOf({ type: "undelegate", ...lending }),
    { ...common, kind: "undelegate", keyIndexes: [7] },
    280_000n,
  ],
];

/** Expects that the signer refuses the draft for the intent. */
export function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}
