import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import algosdk, {
  type Account,
  type Algodv2,
  type SuggestedParams,
  type Transaction,
} from "algosdk";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Algorand, startAlgorand } from "../../src/sandbox/algorand/start-algorand.ts";

export type Answer = Readonly<Record<string, unknown>>;

export type PrivateAlgorand = {
  readonly algorand: Algorand;
  readonly folder: string;
  /** The client of the chain's own SDK, as its authors published it. */
  readonly client: Algodv2;
  readonly faucet: Account;
  /** The id of the test USDC. */
  readonly usdc: bigint;
  /** A path of algod's interface, with the token unless another one is given. */
  readonly ask: (
    path: string,
    token?: string,
  ) => Promise<{ readonly status: number; readonly body: Answer }>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (path: string, body?: object) => Promise<Answer>;
  /** Adds blocks. */
  readonly mine: (blocks?: number) => Promise<void>;
  readonly params: (change?: Partial<SuggestedParams>) => Promise<SuggestedParams>;
  /** Signs with one key and submits; resolves with the id. Rejects with the node's message. */
  readonly send: (transaction: Transaction, key?: Account) => Promise<string>;
  /** Sends microAlgos from the faucet and adds a block; resolves with the id. */
  readonly pay: (address: string, microAlgos: bigint) => Promise<string>;
  /** Transfers units of the test USDC from the faucet and adds a block; resolves with the id. */
  readonly payUsdc: (address: string, units: bigint) => Promise<string>;
  /** A new account with that balance, which holds the test USDC if `optsIn`. */
  readonly newAccount: (
    microAlgos?: bigint,
    options?: { readonly optsIn?: boolean },
  ) => Promise<Account>;
  readonly microAlgosOf: (address: string) => Promise<bigint>;
  readonly usdcOf: (address: string) => Promise<bigint>;
  readonly stop: () => Promise<void>;
};

/** A simulated Algorand network that adds blocks on demand. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateAlgorand({
  folder,
  port = 0,
}: {
  readonly folder?: string;
  readonly port?: number;
} = {}): Promise<PrivateAlgorand> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-algorand-")));
  const algorand = await startAlgorand({
    folder: home,
    port,
    minesOnTime: false,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const client = new algosdk.Algodv2(algorand.token, "http://127.0.0.1", algorand.port);
  const faucet = algosdk.mnemonicToSecretKey(algorand.faucetMnemonic);
  const usdc = algorand.assets["USDC-ALGO"] ?? 0n;
  const control: PrivateAlgorand["control"] = async (path, body = {}) => {
    const url = algorand.sandboxUrl + path;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  };
  const mine = async (blocks = 1): Promise<void> => {
    await control("/mine", { blocks });
  };
  const params: PrivateAlgorand["params"] = async (change = {}) => ({
    ...(await client.getTransactionParams().do()),
    ...change,
  });
  const send: PrivateAlgorand["send"] = async (transaction, key = faucet) => {
    const [signed] = await signedBy(key, [transaction]);
    const { txid } = await client.sendRawTransaction(signed ?? new Uint8Array()).do();
    return txid;
  };
  const pay: PrivateAlgorand["pay"] = async (receiver, amount) => {
    const suggestedParams = await params();
    const payment = { sender: faucet.addr, receiver, amount, suggestedParams, note: unique() };
    const txid = await send(algosdk.makePaymentTxnWithSuggestedParamsFromObject(payment));
    await mine();
    return txid;
  };
  const transferUsdc = async (sender: Account, receiver: string, amount: bigint) => {
    const suggestedParams = await params();
    const transfer = {
      sender: sender.addr,
      receiver,
      amount,
      assetIndex: usdc,
      suggestedParams,
      note: unique(),
    };
    const built = algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject(transfer);
    const txid = await send(built, sender);
    await mine();
    return txid;
  };
  return {
    algorand,
    folder: home,
    client,
    faucet,
    usdc,
    ask: async (path, token = algorand.token) => {
      const response = await fetch(algorand.url + path, { headers: { "x-algo-api-token": token } });
      return { status: response.status, body: (await response.json()) as Answer };
    },
    control,
    mine,
    params,
    send,
    pay,
    payUsdc: (address, units) => transferUsdc(faucet, address, units),
    newAccount: async (microAlgos = 10_000_000n, { optsIn = false } = {}) => {
      const account = algosdk.generateAccount();
      await pay(account.addr.toString(), microAlgos);
      if (optsIn) await transferUsdc(account, account.addr.toString(), 0n);
      return account;
    },
    microAlgosOf: async (address) => (await client.accountInformation(address).do()).amount,
    usdcOf: async (address) => {
      const { assetHolding } = await client.accountAssetInformation(address, usdc).do();
      return assetHolding?.amount ?? 0n;
    },
    stop: async () => {
      await algorand.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** The signed transactions, as the SDK signs a group. */
export function signedBy(key: Account, group: readonly Transaction[]): Promise<Uint8Array[]> {
  const every = group.map((_transaction, at) => at);
  return algosdk.makeBasicAccountTransactionSigner(key)([...group], every);
}

/** Two payments that are otherwise equal are one transaction on this chain. */
function unique(): Uint8Array {
  return Uint8Array.from(systemRandom.bytes(8));
}
