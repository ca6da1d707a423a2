import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Account,
  Asset,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { request } from "undici";
import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { createStellarAdapter } from "../../src/chains/stellar/adapter.ts";
import { noChannels } from "../../src/chains/stellar/channels.ts";
import { verifyStellarNode } from "../../src/chains/stellar/network.ts";
import { createStellarNode } from "../../src/chains/stellar/stellar-node.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { secondsBetween } from "../../src/platform/kernel/clock.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "../../src/sandbox/stellar/start-stellar.ts";
import type { Ed25519Keys, ExtendedEd25519Keys } from "../../src/signer/draft-signer.ts";
import { deriveExtendedEd25519, icarusRoot } from "../../src/signer/keys/bip32-ed25519.ts";
import { deriveEd25519 } from "../../src/signer/keys/ed25519-keys.ts";
import { createStellarDraftSigner } from "../../src/signer/stellar/draft-signer.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";

/*
 * Runs the conformance suite of the chain port against the simulated Stellar network. The SDK builds, signs and sends the external payments.
 * Deposits share the hot account, which cannot pay itself, so the signer of another deployment pays.
 */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const { signal } = new AbortController();
const coin = "1021" as CurrencyId;
const path = "m/44'/148'/1'";
const ours = deriveEd25519(Buffer.alloc(64, 1), path).publicKey;
const payerSeed = Buffer.alloc(64, 2);
const theirs = deriveEd25519(payerSeed, path).publicKey;
const payerKeys: Ed25519Keys & ExtendedEd25519Keys = {
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (at) => deriveEd25519(payerSeed, at),
  extendedEd25519At: (at) => deriveExtendedEd25519(icarusRoot(payerSeed), at),
};

let folder = "";
let network: Stellar;
let gateway: HttpGateway;
let closers: (() => Promise<void>)[] = [];

function connect(url: string, hotKey: Uint8Array, passphrase = network.networkPassphrase) {
  const nodes = createHttpNodes({
    nodes: [{ url }],
    chain: "XLM",
    timeoutMs: 5_000,
    ...world,
    ...(passphrase === network.networkPassphrase
      ? { verify: verifyStellarNode({ passphrase }) }
      : {}),
  });
  const node = createStellarNode("XLM", nodes);
  closers.push(node.close);
  const currencies = builtInCurrencies.filter(({ id }) => id === coin);
  return createStellarAdapter({
    network: { passphrase },
    node,
    hotKey,
    channels: noChannels,
    currencies,
    clock: systemClock,
    history: null,
  });
}

async function command(name: string, body: object): Promise<void> {
  const response = await request(`${network.sandboxUrl}${name}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`${name}: HTTP ${response.statusCode}`);
}
const mine = (blocks: number, seconds = 0) => command("/mine", { blocks, seconds });

describeConformance("the Stellar adapter", {
  declares: {
    finality: "final",
    pending: "unseen",
    claims: "sequences",
    validity: "time",
    deposits: "shared",
    includesFailed: true,
    paysSeveral: true,
    pays: true,
  },
  start: async () => {
    folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
    network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
    gateway = await startHttpGateway(new URL(network.rpcUrl).origin);
    const gated = `${gateway.url}/rpc`;
    const adapter = connect(gated, ours);
    const payer = connect(network.rpcUrl, theirs);
    const elsewhere = connect(gated, ours, "another network");
    const server = new rpc.Server(network.rpcUrl, { allowHttp: true });
    const faucet = Keypair.fromSecret(network.faucetSecret);
    const hot = adapter.addressing.treasury.hot.address;
    const paying = payer.addressing.treasury.hot.address;

    const send = async (
      from: Keypair,
      operations: readonly xdr.Operation[],
      memo: Memo = Memo.none(),
    ): Promise<string> => {
      const builder = new TransactionBuilder(await server.getAccount(from.publicKey()), {
        fee: "100",
        networkPassphrase: network.networkPassphrase,
      });
      for (const operation of operations) builder.addOperation(operation);
      const transaction = builder.addMemo(memo).setTimeout(0).build();
      transaction.sign(from);
      const { status, hash } = await server.sendTransaction(transaction);
      if (status !== "PENDING") throw new Error(status);
      return hash;
    };
    const create = (destination: string, startingBalance: string) =>
      Operation.createAccount({ destination, startingBalance });
    // A transaction of an account waits alone, so each payment comes from another account.
    const payers = Array.from({ length: 90 }, () => Keypair.random());
    await send(faucet, [
      create(hot, "1000"),
      create(paying, "1000"),
      ...payers.map((keys) => create(keys.publicKey(), "100")),
    ]);
    await mine(1);
    let next = 0;
    const nextPayer = (): Keypair => {
      next += 1;
      return present(payers[next % payers.length], "a payer");
    };
    const pay = (destination: string, units: bigint) =>
      Operation.payment({
        destination,
        asset: Asset.native(),
        amount: `${units / 10_000_000n}.${String(units % 10_000_000n).padStart(7, "0")}`,
      });
    const spelled = (address: string, tag: string | null): string =>
      tag === null ? address : new MuxedAccount(new Account(address, "0"), tag).accountId();

    return {
      adapter,
      currency: coin,
      units: 200_000n,
      unpayable: [
        "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF",
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA",
        "CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA",
        network.faucetSecret,
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      ],
      fund: async ({ address, tag }, units) => {
        const memo = tag === null ? Memo.none() : Memo.id(tag);
        return await send(nextPayer(), [pay(address, units)], memo);
      },
      mine,
      reorg: () => Promise.resolve(),
      fundTwice: ({ address, tag }, first, second) =>
        send(nextPayer(), [pay(spelled(address, tag), first), pay(spelled(address, tag), second)]),
      fundFailing: ({ address, tag }, units) =>
        send(nextPayer(), [
          pay(spelled(address, tag), units),
          pay(Keypair.random().publicKey(), units),
        ]),
      replace: null,
      cutOff: () => {
        gateway.isCutOff = true;
        return Promise.resolve(() => {
          gateway.isCutOff = false;
          return Promise.resolve();
        });
      },
      misconfigured: elsewhere.reader,
      payer: {
        funds: async () => {
          const account = present(payer.writer?.account, "an account");
          const sequence = (await account.nextSequence?.(paying, signal)) ?? null;
          return { kind: "account", address: paying, sequence };
        },
        sign: (draft, payments) => sign(draft, present(payments[0], "a payment")),
        burnt: async (txid) => {
          const found = await server.getTransaction(txid);
          return found.status === rpc.Api.GetTransactionStatus.NOT_FOUND
            ? 0n
            : found.resultXdr.feeCharged;
        },
      },
      outlive: async ({ validity }) => {
        if (validity?.kind !== "time") throw new Error("the draft has no time");
        const { time } = await adapter.reader.tip(signal);
        await mine(1, Math.max(1, Math.ceil(secondsBetween(time, validity.until)) + 1));
      },
    };
  },
  stop: async () => {
    for (const close of closers) await close();
    closers = [];
    await gateway.close();
    await network.stop();
    await rm(folder, { recursive: true, force: true });
  },
});

/** Signs a draft of the paying account after the signer has found the payment in it. */
function sign(draft: Draft, { amount, destination }: Payment) {
  const signer = createStellarDraftSigner({
    chain: "XLM",
    network: "main",
    passphrase: network.networkPassphrase,
    assets: [],
    channels: 0,
    coldAddress: null,
    clock: systemClock,
  });
  signer.inspect(
    draft.body,
    {
      spendId: "1",
      chain: "XLM",
      feeCeiling: draft.feeUnits.toString(),
      kind: "payout",
      payouts: [
        {
          payoutId: "1",
          chain: "XLM",
          address: destination.address,
          tag: destination.tag,
          currency: amount.currency,
          asset: { kind: "coin" },
          units: amount.units.toString(),
          approval: "",
        },
      ],
    },
    payerKeys,
  );
  return signer.sign(draft.body, payerKeys);
}
