import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError, RpcError } from "../chains/rpc/node-error.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { World } from "../platform/kernel/world.ts";
import { addressText, keyAddress, readAddress } from "./cardano/address.ts";
import { buildTransaction } from "./cardano/build-transaction.ts";
import { readKey } from "./cardano/keys.ts";
import { createOutput, type OutputReference } from "./cardano/transaction.ts";
import { nothing, type Value } from "./cardano/value.ts";
import { type ChainPayer, followedDepth } from "./chain-payer.ts";
import type { CardanoSite } from "./sandbox-file.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
/** Others may pay from the same address at the same time, and spend the same output. */
const triesMax = 20;
const validitySlots = 7_200;
/** Larger than any fee of a payment, and than what the change has to have. */
const reserve = 5_000_000n;
/** Codes of Ogmios for an output that is spent. */
const spentCodes: ReadonlySet<number> = new Set([3117, 3997]);

type Coin = { readonly reference: OutputReference; readonly lovelace: bigint };

/** Pays from the ledger's faucet address, which has ADA in many outputs. */
export function createCardanoPayer(chainId: ChainId, site: CardanoSite, world: World): ChainPayer {
  const { faucet_private_key, rpc_url, sandbox_url } = site;
  const nodes = createHttpNodes({
    nodes: [{ url: rpc_url, headers: {} }],
    chain: chainId,
    timeoutMs,
    ...world,
  });
  const key = readKey(faucet_private_key);
  const faucet = keyAddress(key.hash);
  /** What this payer spent: Ogmios lists an output until a block spends it. */
  const spent = new Set<string>();

  const post = (path: string, body: JsonObject): Promise<unknown> =>
    nodes.run(
      async (link) => {
        const { document } = await link.send({ method: "POST", path, body: JSON.stringify(body) });
        return document;
      },
      never,
      { attempts: 1 },
    );
  const ask = async (method: string, params: JsonObject = {}): Promise<unknown> => {
    const answer = (await post("/", { jsonrpc: "2.0", method, params })) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
    };
    const { error, result } = answer;
    if (error !== undefined) throw new RpcError(error.code, error.message, error.data);
    return result;
  };
  const control = async (command: string, body: JsonObject): Promise<void> => {
    const { error } = (await post(new URL(sandbox_url).pathname + command, body)) as {
      readonly error?: string;
    };
    if (error !== undefined) throw new NodeError(error);
  };
  const tip = async (): Promise<{ readonly slot: number; readonly id: string }> =>
    (await ask("queryNetwork/tip")) as { readonly slot: number; readonly id: string };

  /** Outputs of ADA alone that have enough. */
  const coins = async (needed: bigint): Promise<readonly Coin[]> => {
    const rows = (await ask("queryLedgerState/utxo", {
      addresses: [addressText(faucet)],
    })) as readonly {
      readonly transaction: { readonly id: string };
      readonly index: number;
      readonly value: Readonly<Record<string, Readonly<Record<string, number>>>>;
    }[];
    return rows.flatMap(({ index, transaction, value }) => {
      const lovelace = BigInt(value["ada"]?.["lovelace"] ?? 0);
      const isUsable =
        Object.keys(value).length === 1 &&
        lovelace >= needed &&
        !spent.has(`${transaction.id}#${index}`);
      return isUsable ? [{ reference: { txid: transaction.id, index }, lovelace }] : [];
    });
  };

  const payOnce = async (address: Uint8Array, value: Value): Promise<string> => {
    const found = await coins(value.lovelace + reserve);
    if (found.length === 0) throw new NodeError("the faucet has no output that is large enough");
    const at = (world.random.bytes(1)[0] ?? 0) % found.length;
    const { lovelace, reference } = present(found[at], "an output of the faucet");
    const { slot } = await tip();
    const raw = buildTransaction(
      {
        inputs: [reference],
        outputs: (fee) => [
          createOutput(address, value),
          createOutput(faucet, { ...nothing, lovelace: lovelace - value.lovelace - fee }),
        ],
        invalidAfter: slot + validitySlots,
      },
      key,
    );
    spent.add(`${reference.txid}#${reference.index}`);
    const cbor = Buffer.from(raw).toString("hex");
    const { transaction } = (await ask("submitTransaction", { transaction: { cbor } })) as {
      readonly transaction: { readonly id: string };
    };
    return transaction.id;
  };

  return {
    pay: async (currency: Currency, text, units) => {
      if (currency.kind !== "coin") throw new NodeError(`the faucet has no ${currency.alpha}`);
      const address = present(readAddress(text), `the address ${text}`);
      const value = { ...nothing, lovelace: units };
      for (let tried = 1; ; tried += 1) {
        try {
          return await payOnce(address, value);
        } catch (error) {
          const isSpent = error instanceof RpcError && spentCodes.has(error.code);
          if (!isSpent || tried === triesMax) throw error;
        }
      }
    },
    mine: (count) => control("/mine", { blocks: count }),
    reorg: (depth, transactions) => control("/reorg", { depth, transactions }),
    tip: async () => {
      const { id } = await tip();
      return { height: Number(await ask("queryNetwork/blockHeight")), hash: id };
    },
    reorgDepthMax: followedDepth(chainId),
    close: nodes.close,
  };
}
