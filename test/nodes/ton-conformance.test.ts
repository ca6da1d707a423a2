import { Address, internal, SendMode, toNano } from "@ton/core";
import { type KeyPair, keyPairFromSeed } from "@ton/crypto";
import { WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { present } from "../../src/platform/kernel/assert.ts";
import { secondsBetween } from "../../src/platform/kernel/clock.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTon, startPrivateTon } from "../support/private-ton.ts";
import {
  type ConnectedTon,
  coin,
  connectTon,
  keysOf,
  sign,
  signal,
} from "../support/ton-accounts.ts";

/*
 * Runs the conformance suite of the chain port against the simulated TON network. @ton/ton builds, signs and sends the external payments, each
 * from a wallet of its own. Deposits share the hot account, which cannot pay itself, so the signer of another deployment pays.
 */

let network: PrivateTon;
let gateway: HttpGateway;
let clients: readonly ConnectedTon[] = [];

const ours = keysOf(1);
const theirs = keysOf(2);
const payersMax = 120;
/** A payment takes two transactions, in two blocks. */
const settlingBlocks = 4;

describeConformance("the TON adapter", {
  declares: {
    finality: "final",
    pending: "unseen",
    claims: "sequences",
    validity: "time",
    deposits: "shared",
    includesFailed: true,
    paysSeveral: false,
    arrivesUnderOwnId: true,
    pays: true,
  },
  start: async () => {
    network = await startPrivateTon();
    gateway = await startHttpGateway(new URL(network.ton.url).origin);
    const gated = `${gateway.url}${new URL(network.ton.url).pathname}`;
    const payer = connectTon([network.ton.url], theirs);
    const driven = connectTon([gated], ours, { otherAccounts: [payer.hot] });
    const elsewhere = connectTon([gated], ours, { globalId: -239 });
    clients = [payer, driven, elsewhere];
    await network.pay(Address.parse(payer.hot), toNano("1000"));
    await deploy(payer);
    const wallets = await fundWallets();
    const sentBy = new Map<string, Address>();
    let next = 0;

    const send = async (to: string, units: bigint, comment: string | null, bounce: boolean) => {
      const { keys, wallet } = present(wallets[next], "a wallet that has not paid yet");
      next += 1;
      await network.client.open(wallet).sendTransfer({
        seqno: 0,
        secretKey: keys.secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [
          internal({
            to: Address.parse(to),
            value: units,
            bounce,
            ...(comment === null ? {} : { body: comment }),
          }),
        ],
      });
      const sent = wallet.address.toRawString().slice(2);
      sentBy.set(sent, wallet.address);
      return sent;
    };

    return {
      adapter: driven.adapter,
      currency: coin,
      units: toNano("0.2"),
      unpayable: [
        "UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ",
        "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF",
        network.faucet.address.toString({ testOnly: true }),
        `1:${"ab".repeat(32)}`,
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      ],
      fund: ({ address, tag }, units) => send(address, units, tag, false),
      mine: (blocks) => network.mine(Math.max(blocks, settlingBlocks)),
      reorg: () => Promise.resolve(),
      fundTwice: null,
      // The hot wallet has no code before its first payment, so what may bounce does.
      fundFailing: ({ address, tag }, units) => send(address, units, tag, true),
      arrivalOf: async (sent) => {
        const sender = present(sentBy.get(sent), "a payment");
        const received = await network.client.getTransactions(Address.parse(driven.hot), {
          limit: 100,
        });
        const arrived = received.find(
          ({ inMessage }) => inMessage?.info.src?.toString() === sender.toString(),
        );
        return present(arrived, "its arrival").hash().toString("hex");
      },
      replace: null,
      cutOff: () => {
        gateway.isCutOff = true;
        return Promise.resolve(() => {
          gateway.isCutOff = false;
          return Promise.resolve();
        });
      },
      misconfigured: elsewhere.adapter.reader,
      payer: {
        funds: async () => {
          const account = present(payer.adapter.writer?.account, "an account");
          const known = (await account.nextSequence?.(payer.hot, signal)) ?? 0n;
          given = known > given ? known : given + 1n;
          return { kind: "account", address: payer.hot, sequence: given };
        },
        sign: (draft, payments) => sign(draft, payments, theirs),
        burnt: async (txid) => {
          const sent = await network.client.getTransactions(Address.parse(payer.hot), {
            limit: 100,
          });
          const found = await network.read("transactionsByMessage", { msg_hash: txid });
          const [{ hash }] = found["transactions"] as [{ hash: string }];
          const own = present(
            sent.find((one) => one.hash().toString("base64") === hash),
            "its transaction",
          );
          return own.outMessages
            .values()
            .reduce(
              (sum, { info }) => sum + (info.type === "internal" ? info.forwardFee : 0n),
              own.totalFees.coins,
            );
        },
      },
      outlive: async ({ validity }) => {
        if (validity?.kind !== "time") throw new Error("the draft has no time");
        const { time } = await driven.adapter.reader.tip(signal);
        const seconds = Math.max(1, Math.ceil(secondsBetween(time, validity.until)) + 1);
        await network.control("/mine", { blocks: settlingBlocks, seconds });
      },
    };
  },
  stop: async () => {
    for (const { close } of clients) await close();
    await gateway.close();
    await network.stop();
  },
});

/** The last number that the payer gave out. */
let given = 0n;

/** The first payment brings the wallet's code, which only its own adapter knows. */
async function deploy({ adapter, hot }: ConnectedTon): Promise<void> {
  const payment = {
    destination: { address: clients[1]?.hot ?? "", addressType: null, tag: null },
    amount: { units: toNano("0.1"), currency: coin },
  };
  const writer = present(adapter.writer, "a writer");
  const outcome = await writer.draft(
    {
      payments: [payment],
      funds: { kind: "account", address: hot, sequence: 0n },
      feeTarget: null,
      feeCeiling: toNano("1"),
      replaces: null,
    },
    signal,
  );
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  await writer.broadcast(sign(outcome.draft, [payment], theirs).raw, signal);
  await network.mine(settlingBlocks);
}

type Wallet = { readonly keys: KeyPair; readonly wallet: WalletContractV4 };

/** Wallets that have not paid yet: a message of one would have to wait for the one before. */
async function fundWallets(): Promise<readonly Wallet[]> {
  const wallets = Array.from({ length: payersMax }, (_, at): Wallet => {
    const keys = keyPairFromSeed(Buffer.alloc(32, at + 100));
    return { keys, wallet: WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }) };
  });
  const keys = keyPairFromSeed(Buffer.alloc(32, 99));
  const distributor = WalletContractV5R1.create({
    walletId: { networkGlobalId: -217 },
    publicKey: keys.publicKey,
  });
  await network.pay(distributor.address, toNano("1000"));
  await network.client.open(distributor).sendTransfer({
    seqno: 0,
    secretKey: keys.secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: wallets.map(({ wallet }) =>
      internal({ to: wallet.address, value: toNano("2"), bounce: false }),
    ),
  });
  await network.mine(8);
  return wallets;
}
