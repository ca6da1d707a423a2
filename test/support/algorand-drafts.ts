import { mnemonicToSeedSync } from "@scure/bip39";
import { expect } from "vitest";
import {
  type AlgorandCall,
  type AlgorandTransaction,
  leaseOf,
} from "../../src/chains/algorand/build-transaction.ts";
import { draftOf as writeDraft } from "../../src/chains/algorand/draft-body.ts";
import { algorandAddressText } from "../../src/currencies/algorand-address.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { createAlgorandDraftSigner } from "../../src/signer/algorand/draft-signer.ts";
import { addressAt, ownPaths } from "../../src/signer/algorand/own-accounts.ts";
import { DraftRefused, type Ed25519Keys } from "../../src/signer/draft-signer.ts";
import type { ApprovedPayout, SpendIntent } from "../../src/signer/intent.ts";
import { deriveEd25519 } from "../../src/signer/keys/ed25519-keys.ts";

/* A signer of Algorand with well-known keys, and one valid draft of each kind with its intent. */

const words = "test test test test test test test test test test test junk";
/** The keys of a seed, of the only curve that the chain has. */
export const seedKeys = (seed: Uint8Array): Ed25519Keys => ({
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (path) => deriveEd25519(seed, path),
});
export const keys = seedKeys(mnemonicToSeedSync(words));
export const paths = ownPaths("main");
export const own = (path: string): string => addressAt(keys, path);
export const hot = own(paths.hot);
export const gas = own(paths.gas);
export const deposit = own(paths.depositAt(7));
export const payee = algorandAddressText(new Uint8Array(32).fill(1));
export const stranger = algorandAddressText(new Uint8Array(32).fill(2));
export const cold = algorandAddressText(new Uint8Array(32).fill(3));
export const usdc = "31566704";
export const genesisHash = "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=";

export const signer = createAlgorandDraftSigner({
  chain: "ALGO",
  network: "main",
  genesisHash,
  assets: [{ kind: "coin" }, { kind: "token", locator: usdc }],
  coldAddress: cold,
});

export const payout: ApprovedPayout = {
  payoutId: "12345678",
  chain: "ALGO",
  address: payee,
  tag: null,
  currency: "1141",
  asset: { kind: "coin" },
  units: "5000000",
  approval: "",
};
export const lease = leaseOf(payout.payoutId);

export const draftOf = (
  call: AlgorandCall,
  more: Partial<AlgorandTransaction> = {},
  keyIndex: number | null = null,
): JsonObject =>
  writeDraft({
    fee: 1_000n,
    firstValid: 40_000_000,
    lastValid: 40_000_200,
    genesisHash,
    lease: null,
    call,
    ...more,
    keyIndex,
  }).body;

export const coin = { kind: "coin" } as const;
export const token = { kind: "token", locator: usdc } as const;
export const common = { spendId: "1", chain: "ALGO", feeCeiling: "2000" };
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
  type: "payment",
  from: hot,
  to: payee,
  units: 5_000_000n,
} as const satisfies AlgorandCall;
export const tokenCall = {
  ...coinCall,
  type: "transfer",
  asset: usdc,
} as const satisfies AlgorandCall;

/** A valid draft of each kind, and its intent. */
export const valid: readonly (readonly [string, JsonObject, SpendIntent])[] = [
  ["a payout of coin", draftOf(coinCall, { lease }), paying(payout)],
  ["a payout of a token", draftOf(tokenCall, { lease }), paying({ ...payout, asset: token })],
  [
    "coin to the cold address",
    draftOf({ ...coinCall, to: cold }),
    { ...common, kind: "cold", asset: coin, units: "5000000" },
  ],
  [
    "a token to the cold address",
    draftOf({ ...tokenCall, to: cold }),
    { ...common, kind: "cold", asset: token, units: "5000000" },
  ],
  ["a sweep of coin", draftOf({ ...coinCall, from: deposit, to: hot }, {}, 7), sweeping(coin)],
  ["a sweep of a token", draftOf({ ...tokenCall, from: deposit, to: hot }, {}, 7), sweeping(token)],
  [
    "an activation",
    draftOf({ ...coinCall, from: gas, to: deposit, units: 201_000n }),
    { ...common, kind: "top_up", keyIndex: 7, units: "201000" },
  ],
  [
    "an opt-in of a deposit address",
    draftOf({ type: "optIn", from: deposit, asset: usdc }, {}, 7),
    { ...common, kind: "opt_in", keyIndex: 7, asset: token },
  ],
  [
    "an opt-in of the hot account",
    draftOf({ type: "optIn", from: hot, asset: usdc }),
    { ...common, kind: "opt_in", keyIndex: null, asset: token },
  ],
];

export function expectRefused(body: JsonObject, intent: SpendIntent): void {
  expect(() => signer.inspect(body, intent, keys)).toThrow(DraftRefused);
}
