import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { algorand } from "../../currencies/coins/algorand.ts";
import { addressText, digestBy, hashOf } from "./address.ts";
import { dispatcherProgram } from "./call-application.ts";
import { mnemonicOf } from "./mnemonic.ts";
import { encodeValue, type ValueMap } from "./msgpack.ts";
import { rules } from "./rules.ts";
import type { Draft } from "./state.ts";
import {
  groupHash,
  type SignedTransaction,
  signTransaction,
  type Transaction,
} from "./transaction.ts";

/** What all nodes of a network agree on from the start. */
export type Network = {
  readonly genesisId: string;
  readonly genesisHash: Uint8Array;
  /** The addresses of the account that fees go to, and of the one that rewards came from. */
  readonly feeSink: string;
  readonly rewardsPool: string;
  /** The account that proposes all blocks. */
  readonly proposer: Uint8Array;
};

type Keys = { readonly seed: Uint8Array; readonly account: Uint8Array; readonly address: string };

/** Test keys that everyone knows. */
function keysOf(name: string): Keys {
  const seed = digestBy("sha256", utf8ToBytes(`${name} of a simulated Algorand network`));
  const account = ed25519.getPublicKey(seed);
  return { seed, account, address: addressText(account) };
}

const faucet = keysOf("faucet");
const issuer = keysOf("issuer");

/** The 25 words of the account that holds the test money. */
export const faucetMnemonic = mnemonicOf(faucet.seed);
/** Of the account that may freeze the test asset and claw it back. */
export const issuerMnemonic = mnemonicOf(issuer.seed);

const feeSink = keysOf("fee sink").address;
const rewardsPool = keysOf("rewards pool").address;
const proposer = keysOf("proposer").account;

const faucetMicroAlgos = 4_000_000_000_000_000n;
const issuerMicroAlgos = 1_000_000_000_000n;

const allocations: readonly (readonly [comment: string, address: string, microAlgos: bigint])[] = [
  ["RewardsPool", rewardsPool, 100_000n],
  ["FeeSink", feeSink, 100_000n],
  ["Faucet", faucet.address, faucetMicroAlgos],
  ["Issuer", issuer.address, issuerMicroAlgos],
];

const genesis = {
  alloc: allocations.map(([comment, addr, algo]) => ({ addr, comment, state: { algo } })),
  fees: feeSink,
  id: "v1",
  network: "sluicesimulated",
  proto: rules.version,
  rwd: rewardsPool,
  // 2026-11-01T00:00:00Z
  timestamp: 1_793_491_200n,
} as const satisfies ValueMap;

export const genesisTimestamp = Number(genesis.timestamp);

/** What `/genesis` answers, for printing. */
export const genesisDocument: ValueMap = genesis;

export const network: Network = {
  genesisId: `${genesis.network}-${genesis.id}`,
  genesisHash: hashOf("GE", encodeValue(genesis)),
  feeSink,
  rewardsPool,
  proposer,
};

/** Assets and applications have ids from 1001 on. */
const firstCounter = 1_000n;

/** Gives the first accounts their money. */
export function allocate(draft: Draft): void {
  for (const [, address, microAlgos] of allocations)
    draft.putAccount(address, { ...draft.account(address), microAlgos });
  draft.setCounter(firstCounter);
}

const dispatcherId = firstCounter + 1n;
const usdcId = firstCounter + 2n;

/** The application that sends the transactions in its arguments, and the test assets by alpha code. */
export const applicationId = dispatcherId;
export const assets: Readonly<Record<string, bigint>> = Object.fromEntries(
  algorand.tokens.map(({ alpha }) => [alpha, usdcId]),
);

/** All units of USDC that there are; most of them belong to the faucet. */
const usdcTotal = 18_446_744_073_709_551_615n;
const faucetUsdc = 10_000_000_000_000_000n;

/** The first block's transactions: the application, the asset, and the faucet's holding of it. */
export function firstGroup(): readonly SignedTransaction[] {
  const header = {
    fee: rules.minFee,
    fv: 1n,
    lv: 1n,
    gen: network.genesisId,
    gh: network.genesisHash,
  };
  const { account: issued } = issuer;
  const drafts: readonly (readonly [Keys, Transaction])[] = [
    [
      issuer,
      { ...header, type: "appl", snd: issued, apap: dispatcherProgram, apsu: dispatcherProgram },
    ],
    [
      issuer,
      {
        ...header,
        type: "acfg",
        snd: issued,
        apar: {
          t: usdcTotal,
          dc: 6n,
          un: "USDC",
          an: "USDC",
          au: "https://example.com/simulated-usdc",
          m: issued,
          r: issued,
          f: issued,
          c: issued,
        },
      },
    ],
    [faucet, { ...header, type: "axfer", snd: faucet.account, xaid: usdcId, arcv: faucet.account }],
    [
      issuer,
      {
        ...header,
        type: "axfer",
        snd: issued,
        xaid: usdcId,
        arcv: faucet.account,
        aamt: faucetUsdc,
      },
    ],
  ];
  const grp = groupHash(drafts.map(([, txn]) => txn));
  return drafts.map(([keys, txn]) => signTransaction({ ...txn, grp }, keys.seed));
}
