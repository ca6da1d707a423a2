import { hexToBin } from "@bitauth/libauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WrongNetwork } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { bchn } from "../../src/sandbox/bchn/bchn.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { utxoChain } from "../support/known-chains.ts";
import { createLibauthWallet } from "../support/libauth-payer.ts";
import { type PrivateUtxoLedger, startPrivateLedger } from "../support/private-utxo-ledger.ts";
import {
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestAdapter,
} from "../support/utxo-node.ts";
import { createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

/* The adapter and the signer on a private chain of Bitcoin Cash, whose inputs libauth's machine verifies. */

const chain = utxoChain("BCH");
const never = new AbortController().signal;

describe("Bitcoin Cash", () => {
  let ledger: PrivateUtxoLedger;
  let opened: TestAdapter;
  let payer: UtxoPayer;

  beforeAll(async () => {
    ledger = await startPrivateLedger(bchn);
    const coin = { chain, daemon: "bitcoind" as const };
    opened = openAdapter(coin, [ledger.ledger.rpcUrl]);
    const command: UtxoNode["command"] = (method, params = []) => ledger.call(method, ...params);
    const node = { command, faucet: command } as UtxoNode;
    payer = createUtxoPayer(
      coin,
      { node, pause: () => Promise.reject(new Error("not here")), stop: ledger.stop },
      opened.adapter,
    );
  });
  afterAll(async () => {
    await opened.rpc.close();
    await ledger.stop();
  });

  const reader = () => opened.adapter.reader;
  const balanceOf = async (address: string): Promise<bigint | undefined> => {
    const { hash } = await reader().tip(never);
    const held = await reader().balancesAt([address], chain.currency, hash, never);
    return held?.[0];
  };

  it("pays many receivers of all kinds, in a transaction that the node relays and mines", async () => {
    const { parse } = opened.adapter.addressing;
    const coins = await payer.coins([
      { addressType: "", units: 400_000n },
      { addressType: "", units: 300_000n },
    ]);
    const key = await ledger.call<string>("getnewaddress");
    const receivers = [key, "2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br"].flatMap(
      (text) => parse(text, null) ?? [],
    );
    expect(receivers).toHaveLength(2);
    const payments = receivers.map((receiver) => payer.payment(receiver, 250_000n));
    const draft = await payer.draft({ payments, funds: payer.funds(coins) });
    const { raw, txid } = await payer.send(draft, payments);
    expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    expect(await payer.writer.status(txid, draft, never)).toEqual({ kind: "pending" });
    await ledger.mine();
    expect(await payer.writer.status(txid, draft, never)).toMatchObject({ kind: "mined", txid });
    expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    expect(await ledger.call("getreceivedbyaddress", key)).toBe(0.0025);
  });

  it("charges the node's one estimate at every speed", async () => {
    const coins = await payer.coins([{ addressType: "", units: 100_000n }]);
    const payee = present(
      opened.adapter.addressing.parse(await ledger.call("getnewaddress"), null),
      "an address",
    );
    const payment = payer.payment(payee, 50_000n);
    const quote = await payer.writer.quote(
      { payment, funds: payer.funds(coins), balance: 100_000n },
      never,
    );
    expect(quote).toMatchObject({ low: quote.medium, high: quote.medium, dust: 546n });
    const draft = await payer.draft({ payments: [payment], funds: payer.funds(coins) });
    expect(draft.feeUnits).toBeGreaterThan(200n);
    expect(draft.feeUnits).toBeLessThan(240n);
  });

  it("replaces no transaction", async () => {
    const coins = await payer.coins([{ addressType: "", units: 100_000n }]);
    const payee = present(
      opened.adapter.addressing.parse(await ledger.call("getnewaddress"), null),
      "an address",
    );
    const payments = [payer.payment(payee, 50_000n)];
    const funds = payer.funds(coins);
    const first = await payer.draft({ payments, funds });
    await payer.send(first, payments);
    expect(await payer.outcome({ payments, funds, replaces: first })).toMatchObject({
      kind: "impossible",
    });
  });

  it("reports an output with tokens as another asset, pending and mined, and leaves it out of the balance", async () => {
    const wallet = createLibauthWallet();
    const script = bchn.rules.scriptOfAddress(wallet.address) ?? "";
    const { addressing } = opened.adapter;
    const deposit = addressing.depositAt(77, null);
    const watched = addressing.watchKey(deposit);
    const funding = await ledger.call<string>("sendtoaddress", wallet.address, "1");
    const { vout } = await ledger.call<{
      readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[];
    }>("getrawtransaction", funding, true);
    const at = vout.findIndex(({ scriptPubKey }) => scriptPubKey.hex === script);
    const parent = { txid: funding, vout: at, units: 100_000_000n };
    const category = await ledger.call<string>(
      "sendrawtransaction",
      wallet.spend([parent], [{ script, units: 99_990_000n }]),
    );
    const token = { category: hexToBin(category), amount: 5_000n };
    const txid = await ledger.call<string>(
      "sendrawtransaction",
      wallet.spend(
        [{ txid: category, vout: 0, units: 99_990_000n }],
        [
          { script: watched, units: 1_000n, token },
          { script: watched, units: 20_000n },
          { script, units: 99_960_000n },
        ],
      ),
    );
    const isOurs = ({ to }: { readonly to: string }): boolean => to === watched;
    const wrong = {
      key: { txid, index: 0 },
      to: watched,
      asset: { kind: "unlisted", locator: category, units: 1n },
      spendableFromHeight: null,
    };
    const right = {
      key: { txid, index: 1 },
      asset: { kind: "currency", amount: { units: 20_000n } },
    };
    const pending = (await reader().pendingTransfers?.(never)) ?? [];
    expect(pending.filter(isOurs)).toMatchObject([wrong, right]);
    await ledger.mine();
    const content = await reader().readBlock(await reader().tip(never), never);
    expect(content?.transfers.filter(isOurs)).toMatchObject([wrong, right]);
    expect(await balanceOf(deposit.address)).toBe(20_000n);
  });

  it("cannot spend a coin that holds tokens, even if asked to", async () => {
    const wallet = createLibauthWallet();
    const script = bchn.rules.scriptOfAddress(wallet.address) ?? "";
    const { addressing } = opened.adapter;
    const watched = addressing.watchKey(addressing.depositAt(78, null));
    const funding = await ledger.call<string>("sendtoaddress", wallet.address, "1");
    const { vout } = await ledger.call<{
      readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[];
    }>("getrawtransaction", funding, true);
    const at = vout.findIndex(({ scriptPubKey }) => scriptPubKey.hex === script);
    const parent = { txid: funding, vout: at, units: 100_000_000n };
    const category = await ledger.call<string>(
      "sendrawtransaction",
      wallet.spend([parent], [{ script, units: 99_990_000n }]),
    );
    const token = { category: hexToBin(category), amount: 5_000n };
    const txid = await ledger.call<string>(
      "sendrawtransaction",
      wallet.spend(
        [{ txid: category, vout: 0, units: 99_990_000n }],
        [{ script: watched, units: 99_980_000n, token }],
      ),
    );
    await ledger.mine();
    const held = {
      claim: `${txid}:0`,
      units: 99_980_000n,
      addressType: "",
      branch: 0 as const,
      keyIndex: 78,
    };
    const payee = present(addressing.parse(wallet.address, null), "an address");
    const payments = [payer.payment(payee, 50_000n)];
    const draft = await payer.draft({ payments, funds: payer.funds([held]) });
    const { raw } = payer.sign(draft, payments);
    const outcome = await payer.writer.broadcast(raw, never);
    expect(outcome).toMatchObject({ kind: "rejected" });
    // Next to another coin, the signer sees the tokens in the transaction that made them.
    const [plain] = await payer.coins([{ addressType: "", units: 90_000n }]);
    const both = [held, present(plain, "a coin")];
    const large = [payer.payment(payee, 100_000_000n)];
    const mixed = await payer.draft({ payments: large, funds: payer.funds(both) });
    expect(() => payer.sign(mixed, large)).toThrow("does not belong to the key");
  });

  it("has a node that no deployment takes for Bitcoin's", async () => {
    const bitcoin = openAdapter({ chain: utxoChain("BTC"), daemon: "bitcoind" }, [
      ledger.ledger.rpcUrl,
    ]);
    await expect(bitcoin.adapter.reader.tip(never)).rejects.toThrow(
      /Bitcoin Cash Node.* does not announce the service WITNESS \(bit 3 of 0000000000000425\)/,
    );
    await bitcoin.rpc.close();
  });
});

describeWithDaemon(
  { chain: utxoChain("BTC"), daemon: "bitcoind" },
  "a node of Bitcoin",
  (program) => {
    it("is not taken for one of Bitcoin Cash, which has the same block 0", async () => {
      const running = await startTestNode({ chain: utxoChain("BTC"), daemon: "bitcoind" }, program);
      const cash = openAdapter({ chain, daemon: "bitcoind" }, [running.node.rpcUrl]);
      await expect(cash.adapter.reader.tip(never)).rejects.toThrow(WrongNetwork);
      await expect(cash.adapter.reader.tip(never)).rejects.toThrow(
        /does not announce the service BITCOIN_CASH \(bit 5 of [0-9a-f]{16}\)/,
      );
      await cash.rpc.close();
      await running.stop();
    });
  },
);
