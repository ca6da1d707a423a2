/** What the hot account lacks before payers may be sent to it, and the transaction that sets it up, on the simulated network. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asset, Keypair, Operation, rpc, TransactionBuilder, type xdr } from "@stellar/stellar-sdk";
import { Transaction, TransactionEnvelope, TransactionV1Envelope } from "@stellar/stellar-sdk/xdr";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "../../sandbox/stellar/start-stellar.ts";
import type { AccountReadiness, ChainWriter } from "../paying-port.ts";
import { createHttpNodes } from "../rpc/http-nodes.ts";
import { readAccountStates } from "./account-state.ts";
import { native } from "./asset.ts";
import { noChannels } from "./channels.ts";
import { createStellarNode, type StellarNode } from "./stellar-node.ts";
import { createStellarWriter } from "./writer.ts";

const { signal } = new AbortController();
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };

let folder = "";
let network: Stellar;
let server: rpc.Server;
let node: StellarNode;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
  network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
  server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  const nodes = [{ url: network.rpcUrl }];
  node = createStellarNode(
    "XLM",
    createHttpNodes({ nodes, chain: "XLM", timeoutMs: 5_000, ...world }),
  );
});
afterAll(async () => {
  await node.close();
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A writer of a deployment with these tokens. */
function writerWith(tokens: readonly string[]): ChainWriter {
  const [coin, token] = ["XLM", "USDC-XLM"].map((alpha) =>
    present(
      builtInCurrencies.find((currency) => currency.alpha === alpha),
      alpha,
    ),
  ) as [Currency, Currency];
  const named = tokens.map(
    (locator, at): Currency => ({
      ...token,
      id: `${3_000 + at}` as Currency["id"],
      token: { contract: locator, locator },
    }),
  );
  return createStellarWriter({
    node,
    network: { passphrase: network.networkPassphrase },
    currencies: [coin, ...named],
    channels: noChannels,
    clock: systemClock,
  });
}

async function submit(transaction: Parameters<rpc.Server["sendTransaction"]>[0]): Promise<void> {
  const { hash, status } = await server.sendTransaction(transaction);
  expect(status).toBe("PENDING");
  const closed = await request(`${network.sandboxUrl}/mine`, { method: "POST", body: "{}" });
  await closed.body.dump();
  expect((await server.getTransaction(hash)).status).toBe("SUCCESS");
}

async function fromFaucet(operation: xdr.Operation): Promise<void> {
  const faucet = Keypair.fromSecret(network.faucetSecret);
  const builder = new TransactionBuilder(await server.getAccount(faucet.publicKey()), {
    fee: "100",
    networkPassphrase: network.networkPassphrase,
  });
  const transaction = builder.addOperation(operation).setTimeout(0).build();
  transaction.sign(faucet);
  await submit(transaction);
}

const readinessOf = async (writer: ChainWriter, address: string): Promise<AccountReadiness> =>
  await present(writer.account?.readiness, "a question")(address, signal);

/** Drafts without a payment. */
async function setUp(writer: ChainWriter, address: string) {
  const sequence = await present(writer.account?.nextSequence, "sequences")(address, signal);
  const outcome = await writer.draft(
    {
      payments: [],
      funds: { kind: "account", address, sequence },
      feeTarget: null,
      feeCeiling: 10_000n,
      replaces: null,
    },
    signal,
  );
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  return outcome.draft.body;
}

/** Signs a draft's bytes with the SDK, and submits them. */
async function execute(body: Awaited<ReturnType<typeof setUp>>, keys: Keypair): Promise<void> {
  const tx = Transaction.fromXdr(body["transaction"] as string, "hex");
  const envelope = TransactionEnvelope.envelopeTypeTx(
    new TransactionV1Envelope({ tx, signatures: [] }),
  );
  const transaction = TransactionBuilder.fromXdr(envelope, network.networkPassphrase);
  transaction.sign(keys);
  await submit(transaction);
}

describe("the hot account", () => {
  it("lacks existence, then funds, then each trust line, and is ready after it made them", async () => {
    const dollar = present(network.tokens["USDC-XLM"], "the test token");
    const other = `EUR:${await newIssuer()}`;
    const writer = writerWith([dollar, other]);
    const own = Keypair.random();
    const address = own.publicKey();
    expect(await readinessOf(writer, address)).toBe("missing");
    await fromFaucet(Operation.createAccount({ destination: address, startingBalance: "1.5" }));
    expect(await readinessOf(writer, address)).toBe("needsFunds");
    expect(await setUp(writer, address)).toMatchObject({ operations: [{ type: "useSequence" }] });
    await fromFaucet(
      Operation.payment({ destination: address, asset: Asset.native(), amount: "1" }),
    );
    for (const asset of [dollar, other]) {
      expect(await readinessOf(writer, address)).toBe("needsSetUp");
      const body = await setUp(writer, address);
      expect(body).toMatchObject({ operations: [{ type: "changeTrust", asset }] });
      await execute(body, own);
    }
    expect(await readinessOf(writer, address)).toBe("ready");
    expect(await setUp(writer, address)).toMatchObject({ operations: [{ type: "useSequence" }] });
  });

  it("does not wait for a token whose issuer has no account", async () => {
    const absent = `USDC:${Keypair.random().publicKey()}`;
    expect(await readinessOf(writerWith([absent]), await newIssuer())).toBe("ready");
  });
});

describe("keys that are asked for twice", () => {
  it("are answered for two tokens of one issuer", async () => {
    const issuer = await newIssuer();
    const writer = writerWith([`EUR:${issuer}`, `CHF:${issuer}`]);
    const own = Keypair.random();
    const address = own.publicKey();
    await fromFaucet(Operation.createAccount({ destination: address, startingBalance: "10" }));
    for (const asset of [`EUR:${issuer}`, `CHF:${issuer}`]) {
      expect(await readinessOf(writer, address)).toBe("needsSetUp");
      const body = await setUp(writer, address);
      expect(body).toMatchObject({ operations: [{ type: "changeTrust", asset }] });
      await execute(body, own);
    }
    expect(await readinessOf(writer, address)).toBe("ready");
  });

  it("are answered for several payments to one receiver", async () => {
    const [address, other] = [await newIssuer(), await newIssuer()];
    const states = await node.consult(
      (ask) =>
        readAccountStates(
          ask,
          [address, other, address].map((wanted) => ({ address: wanted, asset: native })),
        ),
      signal,
    );
    const [first, , last] = states;
    expect(states.map((state) => state?.coin.units)).toEqual([
      100_000_000n,
      100_000_000n,
      100_000_000n,
    ]);
    expect(last).toEqual(first);
  });
});

async function newIssuer(): Promise<string> {
  const destination = Keypair.random().publicKey();
  await fromFaucet(Operation.createAccount({ destination, startingBalance: "10" }));
  return destination;
}
