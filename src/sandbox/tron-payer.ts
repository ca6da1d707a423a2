import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { canonicalTronAddress, tronAddressBytes } from "../currencies/tron-address.ts";
import { present } from "../platform/kernel/assert.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import type { ChainPayer, Tip } from "./chain-payer.ts";
import type { TronSite } from "./sandbox-file.ts";
import { addressOfKey } from "./tron/address.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
/** Far more than a transfer costs, in sun. */
const feeLimit = 100_000_000;
/** Blocks above the solid one. A reorg replaces these; those below are final, and only they count as confirmations. */
const depth = 19;

type Unsigned = {
  readonly txID: string;
  readonly raw_data: JsonObject;
  readonly raw_data_hex: string;
};

/** Pays from the ledger's faucet account, which holds TRX and all test tokens. The ledger's own node builds what it signs. */
export function createTronPayer(
  chainId: ChainId,
  { rpc_url, sandbox_url, faucet_private_key, tokens }: TronSite,
  world: World,
): ChainPayer {
  const nodes = createHttpNodes({ nodes: [{ url: rpc_url }], chain: chainId, timeoutMs, ...world });
  const { pathname } = new URL(sandbox_url);
  const post = async <Answer>(path: string, body: JsonObject): Promise<Answer> =>
    nodes.run(
      async (link) => {
        const { document } = await link.send({ method: "POST", path, body: JSON.stringify(body) });
        const { Error: refusal, error } = document as { Error?: string; error?: string };
        const fault = refusal ?? error;
        if (fault !== undefined) throw new NodeError(fault);
        return document as Answer;
      },
      never,
      { attempts: 1 },
    );
  const key = hexToBytes(faucet_private_key);
  const faucet = addressOfKey(secp256k1.getPublicKey(key, false));

  const build = async (currency: Currency, address: string, units: bigint): Promise<Unsigned> => {
    const to = bytesToHex(
      present(tronAddressBytes(canonicalTronAddress(address) ?? ""), `the address ${address}`),
    );
    if (currency.kind === "coin")
      return post("/wallet/createtransaction", {
        owner_address: faucet,
        to_address: to,
        amount: Number(units),
      });
    const contract = tokens[currency.alpha];
    if (contract === undefined)
      reject("invalidValue", `This sandbox has no test token ${currency.alpha}.`);
    const built = await post<{ readonly transaction: Unsigned }>("/wallet/triggersmartcontract", {
      owner_address: faucet,
      contract_address: bytesToHex(present(tronAddressBytes(contract), "a contract")),
      function_selector: "transfer(address,uint256)",
      parameter: to.slice(2).padStart(64, "0") + units.toString(16).padStart(64, "0"),
      fee_limit: feeLimit,
    });
    return built.transaction;
  };

  return {
    pay: async (currency, address, units) => {
      const unsigned = await build(currency, address, units);
      const { result, code, message } = await post<{
        readonly result?: boolean;
        readonly code?: string;
        readonly message?: string;
      }>("/wallet/broadcasttransaction", { ...unsigned, signature: [sign(unsigned.txID, key)] });
      if (result !== true)
        throw new NodeError(`${code ?? ""} ${Buffer.from(message ?? "", "hex").toString("utf8")}`);
      return unsigned.txID;
    },
    mine: async (count) => {
      await post(`${pathname}/mine`, { blocks: count + depth });
    },
    reorg: async (blocks, transactions) => {
      await post(`${pathname}/reorg`, { depth: blocks, transactions: "return" });
      if (transactions === "include") await post(`${pathname}/mine`, { blocks });
    },
    tip: () => solidTip(post),
    reorgDepthMax: depth,
    close: nodes.close,
  };
}

async function solidTip(
  post: <Answer>(path: string, body: JsonObject) => Promise<Answer>,
): Promise<Tip> {
  const { blockID, block_header } = await post<{
    readonly blockID: string;
    readonly block_header: { readonly raw_data: { readonly number?: number } };
  }>("/walletsolidity/getblock", { detail: false });
  return { height: block_header.raw_data.number ?? 0, hash: blockID };
}

/** The library puts the recovery bit first, TRON last. */
function sign(txid: string, key: Uint8Array): string {
  const signature = secp256k1.sign(hexToBytes(txid), key, { prehash: false, format: "recovered" });
  return bytesToHex(Uint8Array.of(...signature.subarray(1), present(signature[0], "a bit")));
}
