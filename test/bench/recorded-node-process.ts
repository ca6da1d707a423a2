import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { bitcoin } from "../support/known-chains.ts";
import {
  type BuiltBlock,
  buildBlock,
  type Coin,
  fanOut,
  fullPayments,
  payment,
  transactionsPerBlock,
} from "./full-blocks.ts";

// A node in a separate process that answers like bitcoind from prepared answers.

export type RecordedNodeOrder = {
  /** For each block from height 1: the scripts (hex) paid by its first transactions. */
  readonly blocks: readonly { readonly hits: readonly string[] }[];
  /** The amount of each of these payments. */
  readonly hitUnits: bigint;
};

type Question = { readonly id: number; readonly method: string; readonly params: unknown[] };

const genesis = bitcoin.networks.regtest.genesisHash;
const firstTime = 1_700_000_000;

class RecordedNode {
  readonly #blocks: readonly BuiltBlock[];
  readonly #byHash: ReadonlyMap<string, BuiltBlock>;
  /** Number of visible blocks. */
  #height = 0;
  /** Ends the long polls. */
  #revealed = new AbortController();

  constructor(order: RecordedNodeOrder) {
    const plain = fullPayments(coinsFrom("plain"), "plain");
    let parentHash = genesis;
    this.#blocks = order.blocks.map(({ hits }, index) => {
      const coins = coinsFrom(`hits ${index}`);
      const paying = hits.map((script, at) =>
        payment(coins[at] ?? noCoin, [script], order.hitUnits),
      );
      const site = { parentHash, height: index + 1, time: firstTime + 600 * (index + 1) };
      const block = buildBlock(site, [...paying, ...plain.slice(hits.length)]);
      parentHash = block.hash;
      return block;
    });
    this.#byHash = new Map(this.#blocks.map((block) => [block.hash, block]));
  }

  reveal(height: number): void {
    this.#height = height;
    this.#revealed.abort();
    this.#revealed = new AbortController();
  }

  async answer(text: string): Promise<string> {
    const requests = JSON.parse(text) as Question | Question[];
    if (Array.isArray(requests))
      return `[${requests.map((question) => this.#answerOne(question)).join(",")}]`;
    if (requests.method === "waitfornewblock")
      await systemClock.sleep(Number(requests.params[0]), this.#revealed.signal);
    return this.#answerOne(requests);
  }

  #answerOne({ id, method, params }: Question): string {
    return `{"jsonrpc":"2.0","id":${id},"result":${this.#result(method, params)}}`;
  }

  #result(method: string, [first]: unknown[]): string {
    switch (method) {
      case "getblockchaininfo":
        return '{"chain":"regtest"}';
      case "getnetworkinfo":
        // The services of Bitcoin Core: network, witness, limited network.
        return '{"localservices":"0000000000000409","subversion":"/recorded/"}';
      case "getbestblockhash":
        return `"${this.#blocks[this.#height - 1]?.hash ?? genesis}"`;
      case "getblockhash":
        return `"${first === 0 ? genesis : (this.#blocks[Number(first) - 1]?.hash ?? "")}"`;
      case "getblockheader":
        return JSON.stringify(this.#header(String(first)));
      case "getblock":
        return `"${this.#byHash.get(String(first))?.hex ?? ""}"`;
      case "getrawtransaction":
        return `"${parentHex}"`;
      case "getrawmempool":
        return '{"txids":[],"mempool_sequence":1}';
      default:
        return "null";
    }
  }

  #header(hash: string): object {
    if (hash === genesis) return { hash, height: 0, time: firstTime, confirmations: 1 };
    const block = this.#byHash.get(hash);
    if (block === undefined) throw new Error(`no block ${hash}`);
    const { height, time, parentHash } = block.site;
    return { hash, height, time, confirmations: 1, previousblockhash: parentHash };
  }
}

const noCoin: Coin = { hash: Buffer.alloc(32), index: 0, units: 100_000_000n };

/** Coins that do not exist; nothing checks them here. */
function coinsFrom(seed: string): readonly Coin[] {
  return Array.from({ length: transactionsPerBlock }, (_, index) => ({
    hash: createHash("sha256").update(`${seed} ${index}`).digest(),
    index: 0,
    units: 100_000_000n,
  }));
}

/** The transaction that created the spent coins, as a node with a transaction index finds it. Its id is compared by nobody. */
const parentHex = fanOut(noCoin, 1).bytes.toString("hex");

let node: RecordedNode | null = null;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    void node?.answer(Buffer.concat(chunks).toString()).then((body) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
  });
});
process.on("message", (order: RecordedNodeOrder | { readonly reveal: number }) => {
  if ("reveal" in order) {
    node?.reveal(order.reveal);
    process.send?.({});
    return;
  }
  node = new RecordedNode(order);
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
process.on("disconnect", () => process.exit());
