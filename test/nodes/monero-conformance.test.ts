/** Runs the conformance suite of the chain port against real monerod; Monero's own wallets pay, view-only and offline for what we send. */
import { present } from "../../src/platform/kernel/assert.ts";
import {
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "../../src/sandbox/drive-monero-node.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { openMoneroAdapter, type TestMoneroAdapter, xmr } from "../support/monero-adapter.ts";
import { moneroRegtest } from "../support/monero-network.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";
import { type MoneroPayer, openMoneroPayer } from "../support/monero-payer.ts";
import { replaceMoneroPayment } from "../support/replace-monero-payment.ts";
import { startTcpGate, type TcpGate } from "../support/tcp-gate.ts";

describeWithMonero("Monero on monerod", (programs) => {
  let node: TestMonero;
  const gates: TcpGate[] = [];
  let payer: MoneroPayer;
  let foreign: TestMoneroAdapter;
  describeConformance("the Monero adapter", {
    declares: {
      finality: "probable",
      pending: "pool",
      claims: "keyImages",
      neverReplaces: true,
      validity: "none",
      deposits: "derived",
      includesFailed: false,
      paysSeveral: true,
      hidesSenders: true,
      knowsNoBalances: true,
      pays: true,
    },
    start: async () => {
      node = await startTestMonero(programs, { firstBlocks: 200 });
      const [gate, walletGate] = [
        await startTcpGate(node.rpcUrl),
        await startTcpGate(node.viewWalletUrl),
      ];
      gates.push(gate, walletGate);
      const gated = { ...node, rpcUrl: gate.url, viewWalletUrl: walletGate.url };
      payer = await openMoneroPayer(gated, programs);
      foreign = openMoneroAdapter(gate.url, { ...moneroRegtest, nettype: "mainnet" });
      return {
        adapter: payer.adapter,
        currency: xmr,
        units: 1_000_000_000n,
        unpayable: [
          // Addresses of Monero's test networks, of other chains, and one with a wrong character.
          "9ujeXrjzf7bfeK3KZdCqnYaMwZVFuXemPU8Ubw335rj2FN1CdMiWNyFV3ksEfMFvRp9L9qum5UxkP5rN9aLcPxbH1au4WAB",
          "53teqCAESLxeJ1REzGMAat1ZeHvuajvDiXqboEocPaDRRmqWoVPzy46GLo866qRFjbNhfkNckyhST3WEvBviDwpUDd7DSzB",
          "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWD9",
          "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
          "0x000000000000000000000000000000000000dEaD",
        ],
        fund: ({ address }, units) => payFromMoneroFaucet(node.drive, [{ address, units }]),
        mine: (blocks) => mineMonero(node.drive, blocks),
        reorg: (depth) => reorgMonero(node.drive, depth, "wait"),
        fundTwice: ({ address }, first, second) =>
          payFromMoneroFaucet(node.drive, [
            { address, units: first },
            { address, units: second },
          ]),
        fundFailing: null,
        replace: (txid) => replaceMoneroPayment(node.drive, txid),
        cutOff: () => {
          for (const one of gates) one.isCutOff = true;
          return Promise.resolve(() => {
            for (const one of gates) one.isCutOff = false;
            return Promise.resolve();
          });
        },
        misconfigured: foreign.adapter.reader,
        payer: {
          funds: async () => ({
            kind: "coins",
            coins: await payer.receive([1_000_000_000_000n, 2_000_000_000_000n]),
            change: { address: "", addressType: "", keyIndex: 0 },
          }),
          sign: (draft, payments) => payer.sign(draft, payments),
          burnt: (txid) => burntFee(node, txid),
        },
        outlive: null,
      };
    },
    stop: async () => {
      await Promise.all([payer.close(), foreign.close()]);
      await Promise.all(gates.map((gate) => gate.close()));
      await node.stop();
    },
  });
});

/** As the node reads it from the transaction. */
async function burntFee({ drive }: TestMonero, txid: string): Promise<bigint> {
  const { txs } = await drive.path<{ readonly txs: readonly { readonly as_json: string }[] }>(
    "/get_transactions",
    { txs_hashes: [txid], decode_as_json: true },
  );
  const { rct_signatures } = JSON.parse(present(txs[0], txid).as_json) as {
    readonly rct_signatures: { readonly txnFee: number };
  };
  return BigInt(rct_signatures.txnFee);
}
