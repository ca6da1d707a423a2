import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { type Address, beginCell, Cell, contractAddress, Dictionary, toNano } from "@ton/core";
import { ton } from "../../currencies/coins/ton.ts";
import contracts from "./contracts.json" with { type: "json" };
import { writeState } from "./machine.ts";

/** An account of the first block, with its name in the form `0:` and 64 hexadecimal digits. */
type FirstAccount = { readonly account: string; readonly state: string };

const faucetSeed = createHash("sha256").update("faucet of a simulated TON network").digest();
const faucetPublicKey = ed25519.getPublicKey(faucetSeed);

/** The secret key of the faucet as SDKs take it: 32 bytes of the seed, then the public key, in hexadecimal. */
export const faucetSecretKey = Buffer.concat([faucetSeed, faucetPublicKey]).toString("hex");

/** What every wallet of version 4 has unless its owner chose another number. */
export const walletId = 698_983_191;

const faucetNano = toNano("50000000");
const faucetDollars = 1_000_000_000_000_000n;
const contractNano = toNano("10");

/** A wallet of version 4, which nobody used, by its public key (32 bytes). */
export function walletV4(publicKey: Uint8Array): Contract {
  return contractAt(
    contracts.walletV4R2,
    beginCell()
      .storeUint(0, 32)
      .storeUint(walletId, 32)
      .storeBuffer(Buffer.from(publicKey))
      .storeBit(false)
      .endCell(),
  );
}

const faucet = walletV4(faucetPublicKey);

const jettonWalletCode = Cell.fromBase64(contracts.jettonWallet.codeBoc);

const dollars = contractAt(
  contracts.jettonMinter,
  beginCell()
    .storeCoins(faucetDollars)
    .storeAddress(faucet.address)
    .storeRef(
      jettonContent({
        name: "Tether USD",
        symbol: "USD₮",
        decimals: "6",
        description: "Test token of a simulated TON network",
      }),
    )
    .storeRef(jettonWalletCode)
    .endCell(),
);

const faucetDollarWallet = contractAt(
  contracts.jettonWallet,
  walletData(faucetDollars),
  walletData(0n),
);

/** Test tokens by alpha code: the address of each jetton master. */
export const tokens: Readonly<Record<string, string>> = Object.fromEntries(
  ton.tokens.map(({ alpha }) => [alpha, dollars.address.toString()]),
);

/** The code of the wallets of each test token, by its master. */
export const jettonWallets = {
  [dollars.address.toString()]: {
    code_hash: jettonWalletCode.hash().toString("hex"),
    code_depth: jettonWalletCode.depth(),
    layout: "tep-74",
  },
} as const;

/** What exists before the first block. */
export function firstAccounts(now: number): readonly FirstAccount[] {
  return [
    accountOf(faucet, faucetNano, now),
    accountOf(dollars, contractNano, now),
    accountOf(faucetDollarWallet, contractNano, now),
  ];
}

type Contract = { readonly address: Address; readonly code: Cell; readonly data: Cell };

/** The address depends on the data with which a contract is deployed. */
function contractAt({ codeBoc }: { readonly codeBoc: string }, data: Cell, first = data): Contract {
  const code = Cell.fromBase64(codeBoc);
  return { address: contractAddress(0, { code, data: first }), code, data };
}

function walletData(units: bigint): Cell {
  return beginCell()
    .storeCoins(units)
    .storeAddress(faucet.address)
    .storeAddress(dollars.address)
    .storeRef(jettonWalletCode)
    .endCell();
}

/** On-chain metadata (TEP-64): texts by the hash of their name. */
function jettonContent(texts: Readonly<Record<string, string>>): Cell {
  const content = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(texts)) {
    const value = beginCell().storeUint(0, 8).storeBuffer(Buffer.from(text)).endCell();
    content.set(createHash("sha256").update(name).digest(), value);
  }
  return beginCell().storeUint(0, 8).storeDict(content).endCell();
}

function accountOf(contract: Contract, coins: bigint, now: number): FirstAccount {
  const { address, code, data } = contract;
  const state = writeState({
    account: {
      addr: address,
      storage: {
        lastTransLt: 0n,
        balance: { coins },
        state: { type: "active", state: { code, data } },
      },
      storageStats: {
        used: { cells: 0n, bits: 0n },
        storageExtra: null,
        lastPaid: now,
        duePayment: null,
      },
    },
    lastTransactionLt: 0n,
    lastTransactionHash: 0n,
  });
  return { account: address.toRawString(), state };
}
