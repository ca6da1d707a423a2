import algosdk from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { decodeValues, encodeValue, isMap, without } from "../../src/sandbox/algorand/msgpack.ts";
import {
  hasValidSignature,
  readSignedTransactions,
  transactionId,
} from "../../src/sandbox/algorand/transaction.ts";
import answers from "../recorded/algorand-answers.json" with { type: "json" };
import recorded from "../recorded/algorand-blocks.json" with { type: "json" };
import { type PrivateAlgorand, startPrivateAlgorand } from "../support/private-algorand.ts";

/* The simulated algod next to what real networks and algod's own projects published (test/recorded/algorand-*.json). */

let chain: PrivateAlgorand;
beforeAll(async () => {
  chain = await startPrivateAlgorand();
});
afterAll(async () => {
  await chain.stop();
});

const mainGenesisHash = bytesOf("wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=");

describe("a transaction of the main network", () => {
  it.each(recorded.transactions)(
    "has a signature that the ledger verifies, and the SDK's id: $name",
    ({ base64 }) => {
      const [stored] = decodeValues(bytesOf(base64));
      const found = present(stored, "a transaction");
      if (!isMap(found) || found["txn"] === undefined || !isMap(found["txn"]))
        throw new Error("a transaction is a map");
      // A block leaves out the network that it names, and adds rewards.
      const txn = { ...found["txn"], gh: mainGenesisHash };
      const encoded = encodeValue({ ...without(found, ["rs"]), txn });
      const [signed] = readSignedTransactions(encoded);
      const read = present(signed, "a signed transaction");
      expect(hasValidSignature(read)).toBe(true);
      expect(transactionId(read.txn)).toBe(algosdk.decodeSignedTransaction(encoded).txn.txID());
      const { fee = 0n, ...rest } = read.txn;
      const altered = { ...read, txn: { ...rest, fee: fee + 1n } };
      expect(hasValidSignature(altered)).toBe(false);
    },
  );
});

describe("a block", () => {
  const blockIn = (bytes: Uint8Array): ReadonlyMap<string, unknown> => {
    const whole = algosdk.msgpackRawDecodeAsMap(bytes) as ReadonlyMap<string, unknown>;
    expect([...whole.keys()]).toEqual(["block", "cert"]);
    return whole.get("block") as ReadonlyMap<string, unknown>;
  };
  const newest = async (): Promise<ReadonlyMap<string, unknown>> => {
    const { lastRound } = await chain.client.status().do();
    const response = await fetch(`${chain.algorand.url}/v2/blocks/${lastRound}?format=msgpack`, {
      headers: { "x-algo-api-token": chain.algorand.token },
    });
    expect(response.headers.get("content-type")).toBe("application/msgpack");
    return blockIn(new Uint8Array(await response.arrayBuffer()));
  };

  it("has the members of a recorded one with their types", async () => {
    await chain.pay(algosdk.generateAccount().addr.toString(), 200_000n);
    const own = await newest();
    const real = blockIn(bytesOf(recorded.block));
    const shared = [...own].filter(([name]) => real.has(name));
    expect(shared.map(([name, value]) => [name, kindOf(value)])).toEqual(
      shared.map(([name]) => [name, kindOf(real.get(name))]),
    );
    // The recorded block is empty and older than two hashes, and an account was taken off line by it.
    const onlyHere = [...own.keys()].filter((name) => !real.has(name));
    expect(onlyHere).toEqual(["prev512", "txn", "txn512", "txns"]);
    const onlyThere = [...real.keys()].filter((name) => !own.has(name));
    expect(onlyThere).toEqual(["partupdabs"]);
  });

  it("without transactions has the root of a recorded one without transactions", async () => {
    await chain.mine();
    const root = (await newest()).get("txn256") as Uint8Array;
    const real = blockIn(bytesOf(recorded.block)).get("txn256") as Uint8Array;
    expect(Buffer.from(root).toString("hex")).toBe(Buffer.from(real).toString("hex"));
  });
});

describe("an answer", () => {
  /** A creator that holds an asset, so that all members are there. */
  let holder = "";
  let asset = 0n;
  beforeAll(async () => {
    const creator = await chain.newAccount();
    const txid = await chain.send(
      algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
        sender: creator.addr,
        total: 1_000n,
        decimals: 2,
        defaultFrozen: false,
        assetName: "Voucher",
        unitName: "VCH",
        assetURL: "https://example.com",
        assetMetadataHash: new Uint8Array(32).fill(1),
        manager: creator.addr,
        reserve: creator.addr,
        freeze: creator.addr,
        clawback: creator.addr,
        suggestedParams: await chain.params(),
      }),
      creator,
    );
    await chain.mine();
    ({ assetIndex: asset = 0n } = await chain.client.pendingTransactionInformation(txid).do());
    holder = creator.addr.toString();
  });
  const ask = async (path: string): Promise<JsonValue> => (await chain.ask(path)).body as JsonValue;

  it.each<[name: string, path: string, sample: JsonValue]>([
    ["the node's status", "/v2/status", answers.status],
    ["suggested parameters", "/v2/transactions/params", answers.params],
    ["a holding", "/v2/accounts/HOLDER/assets/ASSET", answers.holding],
    ["an asset", "/v2/assets/ASSET", answers.asset],
  ])("has algod's members with their types: %s", async (_name, path, sample) => {
    const filled = path.replace("HOLDER", holder).replace("ASSET", String(asset));
    const own = shapeOf(await ask(filled));
    expect(own.filter((name) => !isNewer(name))).toEqual(shapeOf(sample));
  });

  it("about an account has only members that algod has, with their types", async () => {
    const sample = shapeOf(answers.account);
    const own = shapeOf(await ask(`/v2/accounts/${holder}`));
    expect(own.filter((name) => !sample.includes(name) && !isNewer(name))).toEqual([]);
    expect(own).toContain(".created-assets[].params.total:number");
  });
});

/** Members of every answer that algod got after the samples were made. */
function isNewer(name: string): boolean {
  return name === ".min-balance:number" || name.endsWith("-kvs:number");
}

/** Every member's path and type, in order. The items of a list have the path of the list. */
function shapeOf(value: JsonValue, path = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shapeOf(item as JsonValue, `${path}[]`));
  if (typeof value !== "object" || value === null) return [`${path}:${typeof value}`];
  return Object.entries(value)
    .flatMap(([name, member]) => shapeOf(member, `${path}.${name}`))
    .toSorted();
}

function kindOf(value: unknown): string {
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return value instanceof Map ? "map" : typeof value;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}
