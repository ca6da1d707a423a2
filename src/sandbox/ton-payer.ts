import { ed25519 } from "@noble/curves/ed25519.js";
import {
  Address,
  beginCell,
  Cell,
  comment,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
} from "@ton/core";
import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import type { ChainPayer } from "./chain-payer.ts";
import type { TonSite } from "./sandbox-file.ts";
import { walletId, walletV4 } from "./ton/genesis.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
/** Others may pay from the same wallet at the same time, and use the sequence number first. */
const triesMax = 10;
const validitySeconds = 600;
const transferOpcode = 0x0f8a7ea5;
/** What a transfer of jettons carries for its way, and what of it the receiver is notified with; the rest returns. In nanotons. */
const jettonNano = 100_000_000n;
const notificationNano = 10_000_000n;

type Answer = Readonly<Record<string, unknown>>;

/** Pays from the ledger's faucet wallet, which holds TON and all test tokens. Masterchain blocks are final, so nothing is ever reorganized. */
export function createTonPayer(chainId: ChainId, site: TonSite, world: World): ChainPayer {
  const { faucet_secret_key, rpc_url, sandbox_url, tokens } = site;
  const nodes = createHttpNodes({
    nodes: [{ url: new URL(rpc_url).origin }],
    chain: chainId,
    timeoutMs,
    ...world,
  });
  const post = (url: string, body: JsonObject): Promise<Answer> =>
    nodes.run(
      async (link) => {
        const path = new URL(url).pathname;
        const { document } = await link.send({ method: "POST", path, body: JSON.stringify(body) });
        const { error } = document as { readonly error?: string };
        if (error !== undefined) throw new NodeError(error);
        return document as Answer;
      },
      never,
      { attempts: 1 },
    );
  const ask = async (method: string, params: JsonObject = {}): Promise<unknown> =>
    (await post(rpc_url, { jsonrpc: "2.0", id: "1", method, params }))["result"];
  const mine = async (blocks: number): Promise<void> => {
    await post(`${sandbox_url}/mine`, { blocks });
  };

  const secret = Buffer.from(faucet_secret_key, "hex");
  const seed = secret.subarray(0, 32);
  const faucet = walletV4(secret.subarray(32)).address;

  const callMethod = async (
    address: Address,
    method: string,
    stack: readonly (readonly [string, string])[],
  ): Promise<readonly [string, unknown]> => {
    const params = { address: address.toString(), method, stack };
    const { stack: [first] = [] } = (await ask("runGetMethod", params)) as {
      readonly stack?: readonly (readonly [string, unknown])[];
    };
    return present(first, `the result of ${method}`);
  };

  /** The message that pays: to the receiver, or to the faucet's own jetton wallet. */
  const order = async (
    currency: Currency,
    to: Address,
    units: bigint,
    text: Cell | null,
  ): Promise<MessageRelaxed> => {
    if (currency.kind === "coin")
      return internal({
        to,
        value: units,
        bounce: false,
        ...(text === null ? {} : { body: text }),
      });
    const master = tokens[currency.alpha];
    if (master === undefined)
      reject("invalidValue", `This sandbox has no test token ${currency.alpha}.`);
    const owner = beginCell().storeAddress(faucet).endCell().toBoc().toString("base64");
    const [, own] = await callMethod(Address.parse(master), "get_wallet_address", [
      ["tvm.Slice", owner],
    ]);
    const { bytes } = own as { readonly bytes: string };
    const body = beginCell()
      .storeUint(transferOpcode, 32)
      .storeUint(0, 64)
      .storeCoins(units)
      .storeAddress(to)
      .storeAddress(faucet)
      .storeBit(false)
      .storeCoins(notificationNano)
      .storeMaybeRef(text)
      .endCell();
    const wallet = Cell.fromBase64(bytes).beginParse().loadAddress();
    return internal({ to: wallet, value: jettonNano, bounce: true, body });
  };

  /** The hash of the faucet's transaction; null if another message used the sequence number. */
  const payOnce = async (message: MessageRelaxed): Promise<string | null> => {
    const [, seqno] = await callMethod(faucet, "seqno", []);
    const { sync_utime } = (await ask("getAddressInformation", {
      address: faucet.toString(),
    })) as { readonly sync_utime: number };
    const unsigned = beginCell()
      .storeUint(walletId, 32)
      .storeUint(sync_utime + validitySeconds, 32)
      .storeUint(Number(seqno), 32)
      .storeUint(0, 8)
      .storeUint(SendMode.PAY_GAS_SEPARATELY, 8)
      .storeRef(beginCell().store(storeMessageRelaxed(message)).endCell())
      .endCell();
    const body = beginCell()
      .storeBuffer(Buffer.from(ed25519.sign(unsigned.hash(), seed)))
      .storeSlice(unsigned.beginParse())
      .endCell();
    const sent = beginCell()
      .store(storeMessage(external({ to: faucet, body })))
      .endCell();
    try {
      await ask("sendBoc", { boc: sent.toBoc().toString("base64") });
    } catch (error) {
      if (error instanceof NodeError && error.message.includes("exitcode=33")) return null;
      throw error;
    }
    await mine(1);
    const own = (await ask("getTransactions", {
      address: faucet.toString(),
      limit: 20,
    })) as readonly {
      readonly in_msg: { readonly hash: string };
      readonly transaction_id: { readonly hash: string };
    }[];
    const hash = sent.hash().toString("base64");
    const found = own.find(({ in_msg }) => in_msg.hash === hash);
    return found === undefined
      ? null
      : Buffer.from(found.transaction_id.hash, "base64").toString("hex");
  };

  return {
    pay: async (currency, address, units, tag) => {
      const text = tag === null ? null : comment(tag);
      const message = await order(currency, Address.parse(address), units, text);
      for (let tried = 1; ; tried += 1) {
        const txid = await payOnce(message);
        if (txid !== null) return txid;
        if (tried === triesMax) throw new NodeError("other payments used every sequence number");
      }
    },
    mine,
    reorg: () => reject("invalidValue", "Masterchain blocks of TON are final."),
    tip: async () => {
      const { last } = (await ask("getMasterchainInfo")) as {
        readonly last: { readonly seqno: number; readonly root_hash: string };
      };
      return { height: last.seqno, hash: last.root_hash };
    },
    reorgDepthMax: 0,
    close: nodes.close,
  };
}
