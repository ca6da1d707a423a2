/** Runs the conformance suite of the chain port against real monerod; Monero's own wallet pays. */
import {
  mineMonero,
  payFromMoneroFaucet,
  reorgMonero,
} from "../../src/sandbox/drive-monero-node.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { openMoneroAdapter, type TestMoneroAdapter, xmr } from "../support/monero-adapter.ts";
import { moneroRegtest } from "../support/monero-network.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";
import { replaceMoneroPayment } from "../support/replace-monero-payment.ts";
import { startTcpGate, type TcpGate } from "../support/tcp-gate.ts";

describeWithMonero("Monero on monerod", (programs) => {
  let node: TestMonero;
  let gate: TcpGate;
  let open: TestMoneroAdapter[] = [];
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
      pays: false,
    },
    start: async () => {
      node = await startTestMonero(programs, { firstBlocks: 200 });
      gate = await startTcpGate(node.rpcUrl);
      const ours = openMoneroAdapter(gate.url);
      const foreign = openMoneroAdapter(gate.url, { ...moneroRegtest, nettype: "mainnet" });
      open = [ours, foreign];
      return {
        adapter: ours.adapter,
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
          gate.isCutOff = true;
          return Promise.resolve(() => {
            gate.isCutOff = false;
            return Promise.resolve();
          });
        },
        misconfigured: foreign.adapter.reader,
        payer: null,
        outlive: null,
      };
    },
    stop: async () => {
      await Promise.all(open.map(({ close }) => close()));
      await gate.close();
      await node.stop();
    },
  });
});
