import { ed25519 } from "@noble/curves/ed25519.js";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { createHttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import { algorandAddressText, readAlgorandAddress } from "../currencies/algorand-address.ts";
import type { ChainId, Currency } from "../currencies/currency.ts";
import { present } from "../platform/kernel/assert.ts";
import { reject } from "../platform/kernel/rejection.ts";
import type { World } from "../platform/kernel/world.ts";
import { encodeSigned, signTransaction, type Transaction } from "./algorand/transaction.ts";
import type { ChainPayer } from "./chain-payer.ts";
import type { AlgorandSite } from "./sandbox-file.ts";

const timeoutMs = 30_000;
const never = new AbortController().signal;
/** In milliseconds: how often, and for how long, an account that does not hold an asset yet is asked again. */
const optInPauseMs = 500;
const optInPatienceMs = 60_000;
const validityRounds = 200n;

type Answer = Readonly<Record<string, unknown>>;

/** Pays from the ledger's faucet account, which holds ALGO and all test assets. Blocks are final, so nothing is ever reorganized. */
export function createAlgorandPayer(
  chainId: ChainId,
  site: AlgorandSite,
  world: World,
): ChainPayer {
  const { faucet_mnemonic, genesis_hash, rpc_token, rpc_url, sandbox_url, tokens } = site;
  const headers = { "x-algo-api-token": rpc_token };
  const nodes = createHttpNodes({
    nodes: [{ url: rpc_url, headers }],
    chain: chainId,
    timeoutMs,
    ...world,
  });
  const { pathname } = new URL(sandbox_url);
  const send = (
    method: "GET" | "POST",
    path: string,
    body: string | Uint8Array | null,
  ): Promise<{ readonly status: number; readonly document: Answer }> =>
    nodes.run(
      async (link) => {
        const { status, document } = await link.send({ method, path, body });
        return { status, document: document as Answer };
      },
      never,
      { attempts: 1 },
    );
  const ask = async (
    method: "GET" | "POST",
    path: string,
    body: string | Uint8Array | null = null,
  ): Promise<Answer> => {
    const { status, document } = await send(method, path, body);
    if (status >= 400) throw new NodeError(String(document["message"] ?? document["error"]));
    return document;
  };
  const seed = seedOf(faucet_mnemonic);
  const sender = ed25519.getPublicKey(seed);
  const faucet = algorandAddressText(sender);

  /** The service's own account accepts its tokens shortly after it receives coin. */
  const waitForOptIn = async (address: string, asset: string): Promise<void> => {
    for (let waited = 0; waited < optInPatienceMs; waited += optInPauseMs) {
      const { status } = await send("GET", `/v2/accounts/${address}/assets/${asset}`, null);
      if (status < 400) return;
      await world.clock.sleep(optInPauseMs);
    }
  };

  const pay = async (currency: Currency, address: string, units: bigint): Promise<string> => {
    const receiver = present(readAlgorandAddress(address), `the address ${address}`);
    const asset = currency.kind === "coin" ? null : tokens[currency.alpha];
    if (asset === undefined) throw new NodeError(`the faucet has no ${currency.alpha}`);
    if (asset !== null) await waitForOptIn(address, asset);
    const terms = await ask("GET", "/v2/transactions/params");
    const round = BigInt(String(terms["last-round"]));
    const common = {
      snd: sender,
      fee: BigInt(String(terms["min-fee"])),
      fv: round,
      lv: round + validityRounds,
      gh: Buffer.from(genesis_hash, "base64"),
      // Two equal payments are two transactions.
      note: world.random.bytes(8),
    };
    const transaction: Transaction =
      asset === null
        ? { ...common, type: "pay", rcv: receiver, amt: units }
        : { ...common, type: "axfer", arcv: receiver, aamt: units, xaid: BigInt(asset) };
    const raw = encodeSigned(signTransaction(transaction, seed));
    return String((await ask("POST", "/v2/transactions", raw))["txId"]);
  };

  return {
    pay: (currency, address, units) => {
      if (address === faucet) throw new NodeError("the faucet does not pay itself");
      return pay(currency, address, units);
    },
    mine: async (count) => {
      await ask("POST", `${pathname}/mine`, JSON.stringify({ blocks: count }));
    },
    reorg: () => reject("invalidValue", "Blocks of Algorand are final."),
    tip: async () => {
      const { "last-round": round } = await ask("GET", "/v2/status");
      const { blockHash } = await ask("GET", `/v2/blocks/${String(round)}/hash`);
      return { height: Number(round), hash: String(blockHash) };
    },
    reorgDepthMax: 0,
    close: nodes.close,
  };
}

const wordBits = 11;
const seedLength = 32;

/** The key behind 25 words: 24 of 11 bits each, the lowest first, and one that checks them. */
function seedOf(mnemonic: string): Uint8Array {
  const numbers = mnemonic
    .split(" ")
    .slice(0, -1)
    .map((word) => wordlist.indexOf(word));
  const value = numbers.reduceRight(
    (sum, number) => (sum << BigInt(wordBits)) | BigInt(number),
    0n,
  );
  const hex = value.toString(16).padStart(2 * (seedLength + 1), "0");
  return Uint8Array.from(Buffer.from(hex, "hex").reverse().subarray(0, seedLength));
}
