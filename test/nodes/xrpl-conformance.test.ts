import { Wallet } from "xrpl";
import { present } from "../../src/platform/kernel/assert.ts";
import { describeConformance } from "../support/describe-conformance.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateXrpl, startPrivateXrpl } from "../support/private-xrpl.ts";
import {
  type ConnectedXrpl,
  coin,
  connectXrpl,
  keysOf,
  sign,
  signal,
} from "../support/xrpl-accounts.ts";

/*
 * Runs the conformance suite of the chain port against the simulated rippled. xrpl.js builds, signs and sends the external payments.
 * Deposits share the hot account, which cannot pay itself, so the signer of another deployment pays.
 */

let ledger: PrivateXrpl;
let gateway: HttpGateway;
let clients: readonly ConnectedXrpl[] = [];

const payers = keysOf(
  "legal winner thank year wave sausage worth useful legal winner thank yellow",
);

describeConformance("the XRP Ledger adapter", {
  declares: {
    finality: "final",
    pending: "hidden",
    claims: "sequences",
    validity: "height",
    deposits: "shared",
    includesFailed: true,
    paysSeveral: false,
    pays: true,
  },
  start: async () => {
    ledger = await startPrivateXrpl();
    gateway = await startHttpGateway(ledger.xrpl.url);
    const ours = connectXrpl([gateway.url]);
    const theirs = connectXrpl([ledger.xrpl.url], { hotXpub: payers.hotXpub });
    const elsewhere = connectXrpl([gateway.url], { networkId: 0, verifies: false });
    clients = [ours, theirs, elsewhere];
    const payer = theirs.adapter.addressing.treasury.hot.address;
    for (const account of [ours.adapter.addressing.treasury.hot.address, payer])
      await ledger.pay(account, 1_000_000_000n);
    const poor = await ledger.newAccount(1_100_000n);
    const stranger = await ledger.newAccount();
    const send = async (from: Wallet, to: string, units: bigint, tag: string | null) => {
      const { txid, result } = await ledger.send(
        {
          TransactionType: "Payment",
          Account: from.address,
          Destination: to,
          Amount: String(units),
          ...(tag === null ? {} : { DestinationTag: Number(tag) }),
        },
        from,
      );
      if (result !== "tesSUCCESS" && result !== "tecUNFUNDED_PAYMENT") throw new Error(result);
      return txid;
    };
    return {
      adapter: ours.adapter,
      currency: coin,
      units: 200_000n,
      unpayable: [
        "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
        "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
        "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnx",
        "XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb",
        "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      ],
      fund: ({ address, tag }, units) => send(ledger.faucet, address, units, tag),
      mine: (blocks) => ledger.mine(blocks),
      reorg: () => Promise.resolve(),
      fundTwice: null,
      fundFailing: ({ address, tag }, units) => send(poor, address, units, tag),
      replace: async () => {
        await ledger.control("/drop-open", {});
        return send(ledger.faucet, stranger.address, 1_000_000n, null);
      },
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
          const account = present(theirs.adapter.writer?.account, "an account");
          const sequence = (await account.nextSequence?.(payer, signal)) ?? null;
          return { kind: "account", address: payer, sequence };
        },
        sign: (draft, payments) => sign(draft, present(payments[0], "a payment"), payers),
        burnt: async (txid) => {
          const { tx_json } = await ledger.ask("tx", { transaction: txid });
          return BigInt((tx_json as { readonly Fee: string }).Fee);
        },
      },
      outlive: async ({ validity }) => {
        if (validity?.kind !== "height") throw new Error("the draft has no height");
        const { height } = await ours.adapter.reader.tip(signal);
        await ledger.mine(Math.max(1, validity.last - height));
      },
    };
  },
  stop: async () => {
    for (const { close } of clients) await close();
    await gateway.close();
    await ledger.stop();
  },
});
