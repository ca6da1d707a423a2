import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { WebSocket } from "ws";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Cardano, startCardano } from "../../src/sandbox/cardano/start-cardano.ts";

export type Answer = Readonly<Record<string, unknown>>;

/** What Ogmios answers: a result, or an error with its code and data. */
export type OgmiosAnswer = {
  readonly jsonrpc: string;
  readonly method?: string;
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

export type PrivateCardano = {
  readonly cardano: Cardano;
  readonly folder: string;
  readonly faucet: csl.PrivateKey;
  readonly faucetAddress: string;
  /** A method of Ogmios over HTTP. */
  readonly ask: (method: string, params?: object) => Promise<OgmiosAnswer>;
  /** The result of a method. Rejects with the code and the message of an error. */
  readonly result: (method: string, params?: object) => Promise<unknown>;
  /** A path of Kupo. */
  readonly kupo: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (path: string, body?: object) => Promise<Answer>;
  /** Adds blocks. */
  readonly mine: (blocks?: number) => Promise<void>;
  readonly submit: (transaction: Uint8Array) => Promise<OgmiosAnswer>;
  /** The transactions that wait for a block. */
  readonly mempool: () => Promise<readonly unknown[]>;
  readonly stop: () => Promise<void>;
};

/** A simulated Cardano network that adds blocks on demand. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateCardano({
  folder,
  port = 0,
}: {
  readonly folder?: string;
  readonly port?: number;
} = {}): Promise<PrivateCardano> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-cardano-")));
  const cardano = await startCardano({
    folder: home,
    port,
    minesOnTime: false,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const faucet = csl.PrivateKey.from_bech32(cardano.faucetPrivateKey);
  const ask: PrivateCardano["ask"] = async (method, params = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, params, id: 7 });
    const response = await fetch(cardano.ogmiosUrl, { method: "POST", body });
    return (await response.json()) as OgmiosAnswer;
  };
  const control: PrivateCardano["control"] = async (path, body = {}) => {
    const url = cardano.sandboxUrl + path;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  };
  return {
    cardano,
    folder: home,
    faucet,
    faucetAddress: addressOfKey(faucet),
    ask,
    result: async (method, params) => {
      const { error, result } = await ask(method, params);
      if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    kupo: async (path) => {
      // Kupo's health answers with metrics in text to clients that accept anything.
      const headers = { accept: "application/json" };
      const response = await fetch(cardano.kupoUrl + path, { headers });
      const text = await response.text();
      return { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
    },
    control,
    mine: async (blocks = 1) => {
      await control("/mine", { blocks });
    },
    submit: (transaction) =>
      ask("submitTransaction", {
        transaction: { cbor: Buffer.from(transaction).toString("hex") },
      }),
    mempool: () => readMempool(cardano.ogmiosWsUrl),
    stop: async () => {
      await cardano.stop();
      if (folder === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** The transactions that wait at an Ogmios. Over one connection: a snapshot belongs to it. */
export async function readMempool(url: string): Promise<readonly Answer[]> {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const call = async (method: string, params: object): Promise<Answer> => {
    const answer = once(socket, "message") as Promise<[Buffer]>;
    socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
    const [data] = await answer;
    return (JSON.parse(data.toString("utf8")) as { readonly result: Answer }).result;
  };
  await call("acquireMempool", {});
  const transactions: Answer[] = [];
  for (;;) {
    const { transaction } = (await call("nextTransaction", { fields: "all" })) as {
      readonly transaction: Answer | null;
    };
    if (transaction === null) break;
    transactions.push(transaction);
  }
  socket.close();
  return transactions;
}

/** The address of a key without stake on a test network. */
export function addressOfKey(key: csl.PrivateKey): string {
  const credential = csl.Credential.from_keyhash(key.to_public().hash());
  return csl.EnterpriseAddress.new(0, credential).to_address().to_bech32();
}
