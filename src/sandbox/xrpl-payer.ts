import { ed25519 } from "@noble/curves/ed25519.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { base58xrp } from "@scure/base";
import { encode, encodeForSigning } from "ripple-binary-codec";
import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId } from "../currencies/currency.ts";
import { classicAddress, readXAddress } from "../currencies/xrpl-address.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import type { ChainPayer } from "./chain-payer.ts";
import type { XrplSite } from "./sandbox-file.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
const feeDrops = "20";
/** Others may pay from the same account at the same time, and use the sequence first. */
const triesMax = 10;
/** Ledgers in which a payment may be included. */
const validityLedgers = 20;
const unnamedNetworkMax = 1024;

type Answer = Readonly<Record<string, unknown>>;

/** Pays from the ledger's faucet account. Each ledger is final, so nothing is ever reorganized. */
export function createXrplPayer(chainId: ChainId, site: XrplSite, world: World): ChainPayer {
  const { faucet_seed, rpc_url, sandbox_url } = site;
  const nodes = createHttpNodes({ nodes: [{ url: rpc_url }], chain: chainId, timeoutMs, ...world });
  const { pathname } = new URL(sandbox_url);
  const post = (path: string, body: JsonObject): Promise<Answer> =>
    nodes.run(
      async (link) => {
        const { document } = await link.send({ method: "POST", path, body: JSON.stringify(body) });
        const { error, result } = document as { error?: string; result?: Answer };
        if (error !== undefined) throw new NodeError(error);
        const fault = result?.["error"];
        if (typeof fault === "string") throw new NodeError(fault);
        return result ?? (document as Answer);
      },
      never,
      { attempts: 1 },
    );
  const ask = (method: string, params: JsonObject = {}): Promise<Answer> =>
    post("", { method, params: [{ ...params, api_version: 2 }] });
  const key = keyOf(faucet_seed);

  const payOnce = async (payee: Payee, units: bigint): Promise<Answer> => {
    const { account_data } = await ask("account_info", { account: key.address });
    const { ledger_index } = await ask("ledger", { ledger_index: "validated" });
    const transaction = {
      TransactionType: "Payment",
      Account: key.address,
      Destination: payee.address,
      ...(payee.tag === null ? {} : { DestinationTag: Number(payee.tag) }),
      Amount: String(units),
      Fee: feeDrops,
      Sequence: Number((account_data as Answer)["Sequence"]),
      LastLedgerSequence: Number(ledger_index) + validityLedgers,
      ...(site.network_id > unnamedNetworkMax ? { NetworkID: site.network_id } : {}),
      SigningPubKey: key.publicKey,
    };
    return await ask("submit", { tx_blob: sign(transaction, key.secret) });
  };

  return {
    pay: async (_currency, address, units, tag) => {
      const payee = payeeOf(address, tag);
      for (let tried = 1; ; tried += 1) {
        const { engine_result, engine_result_message, tx_json } = await payOnce(payee, units);
        if (engine_result === "tesSUCCESS") return String((tx_json as Answer)["hash"]);
        if (engine_result !== "tefPAST_SEQ" || tried === triesMax)
          throw new NodeError(`${String(engine_result)} ${String(engine_result_message)}`);
      }
    },
    mine: async (count) => {
      await post(`${pathname}/mine`, { blocks: count });
    },
    reorg: () => reject("invalidValue", "Ledgers of the XRP Ledger are final."),
    tip: async () => {
      const { ledger_hash, ledger_index } = await ask("ledger", { ledger_index: "validated" });
      return { height: Number(ledger_index), hash: String(ledger_hash) };
    },
    reorgDepthMax: 0,
    close: nodes.close,
  };
}

type Payee = { readonly address: string; readonly tag: string | null };

/** The account and the tag in an X-address, or a classic address with the tag beside it. */
function payeeOf(address: string, tag: string | null): Payee {
  const spelled = readXAddress(address);
  return spelled === null
    ? { address, tag }
    : { address: classicAddress(spelled.accountId), tag: spelled.tag ?? tag };
}

function sign(transaction: object, secret: Uint8Array): string {
  const signed = Buffer.from(encodeForSigning(transaction), "hex");
  const signature = Buffer.from(ed25519.sign(signed, secret)).toString("hex").toUpperCase();
  return encode({ ...transaction, TxnSignature: signature });
}

/** Three bytes make the text of an Ed25519 seed begin with sEd; 16 bytes of entropy follow. */
const [entropyFrom, entropyTo] = [3, 19];

function keyOf(seed: string): {
  readonly secret: Uint8Array;
  readonly publicKey: string;
  readonly address: string;
} {
  const entropy = base58xrp.decode(seed).subarray(entropyFrom, entropyTo);
  const secret = sha512(entropy).subarray(0, 32);
  const publicKey = Uint8Array.from([0xed, ...ed25519.getPublicKey(secret)]);
  return {
    secret,
    publicKey: Buffer.from(publicKey).toString("hex").toUpperCase(),
    address: classicAddress(ripemd160(sha256(publicKey))),
  };
}
