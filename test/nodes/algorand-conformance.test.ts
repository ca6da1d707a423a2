import algosdk from "algosdk";
import { createAlgorandAdapter } from "../../src/chains/algorand/adapter.ts";
import { createAlgodNode } from "../../src/chains/algorand/algod-node.ts";
import { verifyAlgodNode } from "../../src/chains/algorand/network.ts";
import type { Draft, Payment } from "../../src/chains/paying-port.ts";
import { createHttpNodes } from "../../src/chains/rpc/http-nodes.ts";
import { builtInCurrencies } from "../../src/currencies/built-in-currencies.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { createAlgorandDraftSigner } from "../../src/signer/algorand/draft-signer.ts";
import { ownPaths } from "../../src/signer/algorand/own-accounts.ts";
import { seedKeys } from "../support/algorand-drafts.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type PrivateAlgorand, startPrivateAlgorand } from "../support/private-algorand.ts";
import { startTcpGate, type TcpGate } from "../support/tcp-gate.ts";

/*
 * Runs the conformance suite of the chain port against the simulated Algorand network. algosdk builds, signs and sends the external
 * payments, among them one that pays twice: its amount, and what its account closes into the receiver.
 */

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const { signal } = new AbortController();
const coin = "1141" as CurrencyId;
const paths = ownPaths("main");
const keys = seedKeys(Buffer.alloc(64, 1));
const treasuryKeys = {
  hot: keys.ed25519At(paths.hot).publicKey,
  gas: keys.ed25519At(paths.gas).publicKey,
};

let network: PrivateAlgorand;
let genesisHash = "";
let gateway: TcpGate;
let closers: (() => Promise<void>)[] = [];

function connect(url: string, expected = genesisHash) {
  const nodes = createHttpNodes({
    nodes: [{ url, headers: { "x-algo-api-token": network.algorand.token } }],
    chain: "ALGO",
    timeoutMs: 5_000,
    ...world,
    ...(expected === genesisHash ? { verify: verifyAlgodNode({ genesisHash }) } : {}),
  });
  const node = createAlgodNode("ALGO", nodes);
  closers.push(node.close);
  return createAlgorandAdapter({
    network: { genesisHash: expected },
    node,
    treasuryKeys,
    currencies: builtInCurrencies.filter(({ id }) => id === coin),
    clock: systemClock,
  });
}

describeConformance("the Algorand adapter", {
  declares: {
    finality: "final",
    pending: "hidden",
    claims: "none",
    validity: "height",
    deposits: "created",
    includesFailed: false,
    paysSeveral: true,
    pays: true,
  },
  start: async () => {
    network = await startPrivateAlgorand();
    const { faucet, mine, params, send } = network;
    genesisHash = Buffer.from((await params()).genesisHash ?? "").toString("base64");
    gateway = await startTcpGate(network.algorand.url);
    const adapter = connect(gateway.url);
    const elsewhere = connect(gateway.url, Buffer.alloc(32, 7).toString("base64"));
    const hot = algosdk.encodeAddress(treasuryKeys.hot);
    await network.pay(hot, 1_000_000_000n);
    let noted = 0;
    const note = (): Uint8Array => {
      noted += 1;
      return Buffer.from(String(noted));
    };
    return {
      adapter,
      currency: coin,
      units: 200_000n,
      unpayable: [
        algosdk.encodeAddress(new Uint8Array(32)),
        hot.toLowerCase(),
        "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGA",
        network.algorand.faucetMnemonic,
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      ],
      fund: async ({ address }, amount) =>
        await send(
          algosdk.makePaymentTxnWithSuggestedParamsFromObject({
            sender: faucet.addr,
            receiver: address,
            amount,
            note: note(),
            suggestedParams: await params(),
          }),
        ),
      mine: (blocks) => mine(blocks),
      reorg: () => Promise.resolve(),
      fundTwice: async ({ address }, first, second) => {
        const fee = 1_000n;
        const payer = await network.newAccount(first + second + fee);
        return await send(
          algosdk.makePaymentTxnWithSuggestedParamsFromObject({
            sender: payer.addr,
            receiver: address,
            amount: first,
            closeRemainderTo: address,
            suggestedParams: await params({ flatFee: true, fee }),
          }),
          payer,
        );
      },
      fundFailing: null,
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
        funds: () => Promise.resolve({ kind: "account", address: hot, sequence: null }),
        sign,
        burnt: async (txid) => {
          const { txn } = await network.client.pendingTransactionInformation(txid).do();
          return txn.txn.fee;
        },
      },
      outlive: async ({ validity }) => {
        if (validity?.kind !== "height") throw new Error("the draft has no last round");
        const { height } = await adapter.reader.tip(signal);
        await mine(validity.last - height + 1);
      },
    };
  },
  stop: async () => {
    for (const close of closers) await close();
    closers = [];
    await gateway.close();
    await network.stop();
  },
});

/** Signs a draft of the hot account after the signer has found the payment, and the lease of the payout, in it. */
function sign(draft: Draft, [payment]: readonly Payment[], reference: string) {
  if (payment === undefined) throw new Error("a payment");
  const signer = createAlgorandDraftSigner({
    chain: "ALGO",
    network: "main",
    genesisHash,
    assets: [],
    coldAddress: null,
  });
  const { amount, destination } = payment;
  signer.inspect(
    draft.body,
    {
      spendId: "1",
      chain: "ALGO",
      feeCeiling: draft.feeUnits.toString(),
      kind: "payout",
      payouts: [
        {
          payoutId: reference,
          chain: "ALGO",
          address: destination.address,
          tag: destination.tag,
          currency: amount.currency,
          asset: { kind: "coin" },
          units: amount.units.toString(),
          approval: "",
        },
      ],
    },
    keys,
  );
  return signer.sign(draft.body, keys);
}
