import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Address, beginCell, type Cell, internal, type MessageRelaxed, SendMode } from "@ton/core";
import { keyPairFromSecretKey } from "@ton/crypto";
import { JettonMaster, JettonWallet, TonClient, WalletContractV4 } from "@ton/ton";
import { present } from "../../src/platform/kernel/assert.ts";
import { microsPerSecond } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { startTon, type Ton } from "../../src/sandbox/ton/start-ton.ts";

export type Answer = Readonly<Record<string, unknown>>;

export type PrivateTon = {
  readonly ton: Ton;
  readonly folder: string;
  /** The SDK as its authors published it, over API v2. */
  readonly client: TonClient;
  readonly faucet: WalletContractV4;
  readonly secretKey: Buffer;
  /** The jetton wallet of an owner for the test dollars, and what is in it. */
  readonly dollarWallet: (owner: Address) => Promise<Address>;
  readonly dollarsOf: (owner: Address) => Promise<bigint>;
  /** A method of API v2 over JSON-RPC: the whole answer, also of an error. */
  readonly ask: (method: string, params?: object) => Promise<Answer>;
  /** A path of API v3 with its query. */
  readonly read: (path: string, query?: Readonly<Record<string, string>>) => Promise<Answer>;
  /** A command of the control endpoint, such as `/mine`. */
  readonly control: (path: string, body: object) => Promise<Answer>;
  readonly mine: (blocks?: number) => Promise<void>;
  /** Sends messages from the faucet, in one external message, and makes blocks until every consequence is in one. */
  readonly send: (messages: readonly MessageRelaxed[]) => Promise<void>;
  /** Sends nanotons from the faucet, with a comment if there is one. */
  readonly pay: (to: Address, nano: bigint, comment?: string, bounce?: boolean) => Promise<void>;
  /** Asks the faucet's wallet of the test dollars to send some. */
  readonly dollarTransfer: (
    wallet: Address,
    to: Address,
    units: bigint,
    more?: { readonly forward?: bigint; readonly payload?: Cell; readonly value?: bigint },
  ) => MessageRelaxed;
  /** Sends test dollars from the faucet, of which the receiver is notified with the forwarded nanotons. */
  readonly payDollars: (
    to: Address,
    units: bigint,
    more?: { readonly forward?: bigint; readonly payload?: Cell; readonly value?: bigint },
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
};

const transferOpcode = 0x0f8a7ea5;
/** A transfer of jettons takes five transactions in a row; there is at least one block of the shard in each masterchain block. */
const settlingBlocks = 6;
const dayInSeconds = 86_400;

/** A simulated TON network that makes blocks on demand. With a `folder` it continues the chain there, which `stop` then keeps. */
export async function startPrivateTon({
  folder,
  port = 0,
}: {
  readonly folder?: string;
  readonly port?: number;
} = {}): Promise<PrivateTon> {
  const home = folder ?? (await mkdtemp(join(tmpdir(), "sluice-ton-")));
  const ton = await startTon({
    folder: home,
    port,
    minesOnTime: false,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  const client = new TonClient({ endpoint: ton.url });
  const { publicKey, secretKey } = keyPairFromSecretKey(Buffer.from(ton.faucetSecretKey, "hex"));
  const faucet = WalletContractV4.create({ workchain: 0, publicKey });
  const master = Address.parse(present(ton.tokens["USDT-TON"], "the test dollar"));
  const dollarWallet = (owner: Address): Promise<Address> =>
    client.open(JettonMaster.create(master)).getWalletAddress(owner);
  const dollarTransfer: PrivateTon["dollarTransfer"] = (
    wallet,
    to,
    units,
    { forward = 1n, payload, value = 100_000_000n } = {},
  ) => {
    const body = beginCell()
      .storeUint(transferOpcode, 32)
      .storeUint(0, 64)
      .storeCoins(units)
      .storeAddress(to)
      .storeAddress(faucet.address)
      .storeBit(false)
      .storeCoins(forward)
      .storeMaybeRef(payload ?? null)
      .endCell();
    return internal({ to: wallet, value, bounce: true, body });
  };
  const post = async (url: string, body: object): Promise<Answer> => {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as Answer;
  };
  const mine = async (blocks = 1): Promise<void> => {
    await post(`${ton.sandboxUrl}/mine`, { blocks });
  };
  const send: PrivateTon["send"] = async (messages) => {
    const opened = client.open(faucet);
    const seqno = await opened.getSeqno();
    await opened.sendTransfer({
      seqno,
      secretKey,
      // Tests move the network's time far ahead of ours.
      timeout: Math.floor(systemClock.now() / microsPerSecond) + dayInSeconds,
      messages: [...messages],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    await mine(settlingBlocks);
  };
  return {
    ton,
    folder: home,
    client,
    faucet,
    secretKey,
    dollarWallet,
    dollarsOf: async (owner) =>
      await client.open(JettonWallet.create(await dollarWallet(owner))).getBalance(),
    ask: (method, params = {}) => post(ton.url, { jsonrpc: "2.0", id: "1", method, params }),
    read: async (path, query = {}) => {
      const response = await fetch(`${ton.v3Url}/${path}?${String(new URLSearchParams(query))}`);
      return (await response.json()) as Answer;
    },
    control: (path, body) => post(`${ton.sandboxUrl}${path}`, body),
    mine,
    send,
    pay: async (to, value, comment, bounce = false) => {
      const body = comment === undefined ? {} : { body: comment };
      await send([internal({ to, value, bounce, ...body })]);
    },
    dollarTransfer,
    payDollars: async (to, units, more = {}) => {
      await send([dollarTransfer(await dollarWallet(faucet.address), to, units, more)]);
    },
    stop: async () => {
      await ton.stop();
      if (folder === undefined) await rm(home, { recursive: true });
    },
  };
}
