import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type SubmittableTransaction, Wallet } from "xrpl";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Settings } from "../../src/sandbox/xrpl/settings.ts";
import { startXrpl, type Xrpl } from "../../src/sandbox/xrpl/start-xrpl.ts";

export type Answer = Readonly<Record<string, unknown>>;

export type PrivateXrpl = {
  readonly xrpl: Xrpl;
  readonly folder: string;
  /** The chain's own SDK, as its authors published it, connected by WebSocket. */
  readonly client: Client;
  readonly faucet: Wallet;
  /** A method over JSON-RPC, with API version 2. */
  readonly ask: (method: string, params?: object) => Promise<Answer>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (path: string, body: object) => Promise<Answer>;
  /** Closes ledgers. */
  readonly mine: (blocks?: number) => Promise<void>;
  /** Completes a transaction as the SDK does, signs it, and submits it; resolves with the engine's result. */
  readonly send: (
    transaction: SubmittableTransaction,
    wallet?: Wallet,
  ) => Promise<{ readonly txid: string; readonly result: string }>;
  /** Sends drops from the faucet and closes the ledger; resolves with the transaction's id. Rejects unless it succeeds. */
  readonly pay: (address: string, drops: bigint, tag?: number) => Promise<string>;
  /** A new account with that balance. */
  readonly newAccount: (drops?: bigint) => Promise<Wallet>;
  readonly stop: () => Promise<void>;
};

/** A simulated XRP Ledger that closes ledgers on demand. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateXrpl({
  folder,
  port = 0,
  settings = {},
}: {
  readonly folder?: string;
  readonly port?: number;
  readonly settings?: Partial<Settings>;
} = {}): Promise<PrivateXrpl> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-xrpl-")));
  const xrpl = await startXrpl({
    folder: home,
    port,
    closesOnTime: false,
    settings,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const client = new Client(xrpl.wsUrl);
  await client.connect();
  const faucet = Wallet.fromSeed(xrpl.faucetSeed);
  const post = async (url: string, body: object): Promise<unknown> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return response.json();
  };
  const mine = async (blocks = 1): Promise<void> => {
    await post(`${xrpl.sandboxUrl}/mine`, { blocks });
  };
  const send: PrivateXrpl["send"] = async (transaction, wallet = faucet) => {
    const signed = wallet.sign(await client.autofill(transaction));
    const { result } = await client.submit(signed.tx_blob);
    return { txid: signed.hash, result: result.engine_result };
  };
  const pay: PrivateXrpl["pay"] = async (address, drops, tag) => {
    const { txid, result } = await send({
      TransactionType: "Payment",
      Account: faucet.address,
      Destination: address,
      Amount: String(drops),
      ...(tag === undefined ? {} : { DestinationTag: tag }),
    });
    if (result !== "tesSUCCESS") throw new Error(result);
    await mine();
    return txid;
  };
  return {
    xrpl,
    folder: home,
    client,
    faucet,
    ask: async (method, params = {}) => {
      const answer = await post(xrpl.url, { method, params: [{ api_version: 2, ...params }] });
      return (answer as { readonly result: Answer }).result;
    },
    control: async (path, body) => (await post(xrpl.sandboxUrl + path, body)) as Answer,
    mine,
    send,
    pay,
    newAccount: async (drops = 100_000_000n) => {
      const wallet = Wallet.generate();
      await pay(wallet.address, drops);
      return wallet;
    },
    stop: async () => {
      await client.disconnect();
      await xrpl.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}
