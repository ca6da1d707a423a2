/**
 * Pays on real bitcoind and litecoind: every kind of coin and of address, batches, replacements, repeated broadcasts, conflicts.
 * The writer drafts, the signer's own code reads and signs, and the node validates. One node per coin.
 */
import { RawTx } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { balanceAtTip } from "../../src/chains/conformance/balance-at-tip.ts";
import type { Coin, Draft, SpendStatus } from "../../src/chains/paying-port.ts";
import type { DerivedAddressing, Destination } from "../../src/chains/port.ts";
import type { JsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { dustOf } from "../../src/chains/utxo/dust.ts";
import { payeeOfAddress } from "../../src/chains/utxo/output-script.ts";
import { encodeSegwitAddress } from "../../src/chains/utxo/segwit-address.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { mineBlocks, reorgBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import { alterSignature } from "../support/alter-signature.ts";
import { eventually } from "../support/eventually.ts";
import {
  addressTypeNames,
  coins,
  describeWithDaemon,
  openAdapter,
  startTestNode,
  type TestNode,
} from "../support/utxo-node.ts";
import { burntFee, createUtxoPayer, type UtxoPayer } from "../support/utxo-payer.ts";

const never = new AbortController().signal;

type Accepted = { readonly allowed: boolean; readonly vsize?: number } & Readonly<
  Record<string, unknown>
>;

for (const coin of coins) {
  const { chain } = coin;
  const network = chain.networks.regtest;
  describeWithDaemon(coin, `${chain.chain} payouts on ${coin.daemon}`, (program) => {
    let running: TestNode;
    let adapter: ChainAdapter<DerivedAddressing>;
    let rpc: JsonRpc;
    let payer: UtxoPayer;
    let lastPayee = 0;
    beforeAll(async () => {
      running = await startTestNode(coin, program);
      ({ adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]));
      payer = createUtxoPayer(coin, running, adapter);
    });
    afterAll(async () => {
      await rpc.close();
      await running.stop();
    });

    /** An unrelated address, as far as the chain can tell. */
    const payee = (type: string | null = null): Destination =>
      adapter.addressing.depositAt((lastPayee += 1), type);
    const scriptHashPayee = (): Destination => {
      const program = new Uint8Array(32).fill((lastPayee += 1));
      const address = encodeSegwitAddress(network.segwitPrefix!, { version: 0, program });
      return adapter.addressing.parse(address, null)!;
    };
    const hexOf = (raw: Uint8Array): string => Buffer.from(raw).toString("hex");
    const judged = async (raw: Uint8Array): Promise<Accepted> => {
      const [verdict] = await running.node.command<readonly Accepted[]>("testmempoolaccept", [
        [hexOf(raw)],
        0,
      ]);
      return verdict!;
    };
    const minedFee = (txid: string): Promise<bigint> => burntFee(running.node, txid);
    /** A conflict is reported once the node's index has caught up with its tip. */
    const settled = (txid: string, draft: Draft): Promise<SpendStatus> =>
      eventually(
        () => payer.writer.status(txid, draft, never),
        ({ kind }) => kind !== "unknown",
      );
    const bech32Coins = (...units: readonly bigint[]): Promise<readonly Coin[]> =>
      payer.coins(units.map((each) => ({ addressType: "bech32", units: each })));

    it("quotes the test rates on an empty network", async () => {
      const owned = await bech32Coins(300_000n);
      const funds = payer.funds(owned);
      const payment = payer.payment(payee("bech32"), 100_000n);
      const quote = await payer.writer.quote({ payment, funds, balance: 300_000n }, never);
      expect(quote).toEqual({
        low: 282n,
        medium: 705n,
        high: 1_410n,
        dust: chain.dustUnits.p2wpkh,
        warning: null,
      });
      const draft = await payer.draft({ payments: [payment], funds, feeTarget: quote.medium });
      expect(draft.feeUnits).toBe(quote.medium);
      expect(await judged(payer.sign(draft, [payment]).raw)).toMatchObject({ allowed: true });
    });

    it("spends each kind of coin alone, with the drafted size and fee", async () => {
      for (const addressType of addressTypeNames) {
        const owned = await payer.coins([{ addressType, units: 1_000_000n }]);
        const payments = [payer.payment(payee(), 300_000n)];
        const draft = await payer.draft({ payments, funds: payer.funds(owned), feeTarget: 2_345n });
        expect(draft.feeUnits).toBe(2_345n);
        expect(draft.claims).toEqual(owned.map(({ claim }) => claim));
        const { raw, txid } = payer.sign(draft, payments);
        expect(await judged(raw)).toMatchObject({ allowed: true, txid });
        expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "accepted" });
        await mineBlocks(running.node, 1);
        expect(await minedFee(txid)).toBe(2_345n);
      }
    });

    it("pays all kinds of addresses from all kinds of coins together", async () => {
      const owned = await payer.coins(
        addressTypeNames.map((addressType) => ({ addressType, units: 200_000n })),
      );
      const destinations = [...addressTypeNames.map((type) => payee(type)), scriptHashPayee()];
      const payments = destinations.map((to, index) => payer.payment(to, 150_000n + BigInt(index)));
      const draft = await payer.draft({ payments, funds: payer.funds(owned) });
      expect(draft.claims).toHaveLength(4);
      const { raw, txid } = await payer.send(draft, payments);
      await mineBlocks(running.node, 1);
      const tip = await adapter.reader.tip(never);
      const { transfers } = (await adapter.reader.readBlock(tip, never))!;
      for (const [index, to] of destinations.entries()) {
        const paid = transfers.filter(
          (transfer) => transfer.to === adapter.addressing.watchKey(to),
        );
        expect(paid.map(({ asset }) => asset)).toEqual([
          { kind: "currency", amount: payments[index]!.amount },
        ]);
        expect(paid[0]!.key.txid).toBe(txid);
      }
      expect(await adapter.reader.receiptsIn([txid], tip, never)).toHaveLength(1);
      expect(await minedFee(txid)).toBe(draft.feeUnits);
      expect(raw.length).toBeGreaterThan(0);
    });

    it("drafts with the size that the node measures", async () => {
      for (const types of [
        ["legacy"],
        ["p2sh-segwit"],
        ["bech32"],
        ["bech32m"],
        addressTypeNames,
      ]) {
        const wanted = addressTypeNames.filter((name) => types.includes(name));
        const owned = await payer.coins(
          wanted.map((addressType) => ({ addressType, units: 100_000n })),
        );
        const total = BigInt(100_000 * owned.length);
        const payments = [payer.payment(payee(), total / 2n)];
        const funds = payer.funds(owned);
        // At 1 unit per virtual byte and change, the fee is the planned size.
        const draft = await payer.draft({ payments, funds, feeTarget: 1n });
        const verdict = await judged(payer.sign(draft, payments).raw);
        expect(verdict.allowed).toBe(true);
        const planned = draft.feeUnits;
        expect(planned).toBeGreaterThanOrEqual(BigInt(verdict.vsize!));
        expect(planned).toBeLessThanOrEqual(BigInt(verdict.vsize! + draft.claims.length));
      }
    });

    it("sends twenty payments in one transaction, at the average of the rates they paid", async () => {
      const owned = await bech32Coins(1_000_000n, 1_000_000n, 1_000_000n);
      const payments = Array.from({ length: 20 }, (_, index) =>
        payer.payment(payee(addressTypeNames[index % 4]), 100_000n + BigInt(index)),
      );
      const feeTarget = 20n * 141n * 5n;
      const draft = await payer.draft({ payments, funds: payer.funds(owned), feeTarget });
      const { raw, txid } = await payer.send(draft, payments);
      const { vsize } = await running.node.command<{ vsize: number }>("decoderawtransaction", [
        hexOf(raw),
      ]);
      const rate = Number((draft.feeUnits * 1000n) / BigInt(vsize)) / 1000;
      expect(rate).toBeGreaterThan(4.5);
      expect(rate).toBeLessThan(5.5);
      expect(draft.feeUnits).toBeLessThan(feeTarget);
      await mineBlocks(running.node, 1);
      expect(await minedFee(txid)).toBe(draft.feeUnits);
    });

    it("creates two outputs for two payments to one address", async () => {
      const owned = await bech32Coins(500_000n);
      const to = payee();
      const payments = [payer.payment(to, 100_000n), payer.payment(to, 100_000n)];
      const draft = await payer.draft({ payments, funds: payer.funds(owned) });
      await payer.send(draft, payments);
      await mineBlocks(running.node, 1);
      expect(await balanceAtTip(adapter.reader, [to.address], chain.currency, never)).toBe(
        200_000n,
      );
    });

    it("receives change and spends it again", async () => {
      const owned = await bech32Coins(400_000n);
      const payments = [payer.payment(payee(), 100_000n)];
      const funds = payer.funds(owned);
      const draft = await payer.draft({ payments, funds, feeTarget: 1_000n });
      const { txid } = await payer.send(draft, payments);
      await mineBlocks(running.node, 1);
      const vout = (draft.body["outputs"] as readonly JsonObject[]).findIndex(
        ({ change }) => change !== null,
      );
      const { addressType, keyIndex } = funds.change;
      const change: Coin = {
        claim: `${txid}:${vout}`,
        units: 299_000n,
        addressType,
        branch: 1,
        keyIndex,
      };
      const further = [payer.payment(payee(), 298_000n)];
      const next = await payer.draft({
        payments: further,
        funds: payer.funds([change]),
        feeTarget: 1_000n,
      });
      expect(next.body["outputs"]).toHaveLength(1);
      const last = await payer.send(next, further);
      await mineBlocks(running.node, 1);
      expect(await minedFee(last.txid)).toBe(1_000n);
    });

    it("splits change into four coins, replaces them with one, and accepts whichever transaction is mined", async () => {
      const owned = await bech32Coins(80_000_000n);
      const payments = [1, 2, 3].map((each) =>
        payer.payment(payee("bech32"), 1_000_000n + BigInt(each)),
      );
      const targets = [0, 1, 2, 3].map(() => payer.funds([]).change);
      const funds = { ...payer.funds(owned), extraChange: targets.slice(1) };
      const feeTarget = 3n * 141n * 5n;
      const first = await payer.draft({ payments, funds, feeTarget });
      const partsOf = (draft: Draft): readonly Coin[] => payer.writer.changeOf!("", draft);
      expect(partsOf(first)).toHaveLength(4);
      expect(first.feeUnits).toBeLessThanOrEqual(feeTarget);
      const old = await payer.send(first, payments);
      const request = { payments, funds, feeTarget: null, replaces: first };
      const second = await payer.draft({ ...request, feeCeiling: 100_000n });
      expect(partsOf(second)).toHaveLength(1);
      const { raw, txid } = payer.sign(second, payments);
      // A miner has the cheaper one.
      const address = await running.node.faucet<string>("getnewaddress");
      await running.node.command("generateblock", [address, [old.txid]]);
      expect(await minedFee(old.txid)).toBe(first.feeUnits);
      expect(await settled(txid, second)).toMatchObject({ kind: "mined", txid: old.txid });
      expect(await payer.writer.broadcast(raw, never)).toMatchObject({ kind: "rejected" });
      // Each part can be spent alone, all in one block.
      for (const change of payer.writer.changeOf!(old.txid, first)) {
        const again = [payer.payment(payee(), 1_000_000n)];
        const draft = await payer.draft({ payments: again, funds: payer.funds([change]) });
        await payer.send(draft, again);
      }
      await mineBlocks(running.node, 1);
    });

    it("recognizes the same bytes in the mempool, in a block, and after all outputs are spent", async () => {
      const [owned] = await bech32Coins(400_000n);
      const funds = payer.funds([owned!]);
      const draft = await payer.draft({ payments: [], funds });
      const { raw, txid } = await payer.send(draft, []);
      expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
      await mineBlocks(running.node, 1);
      expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
      const { addressType, keyIndex } = funds.change;
      const units = 400_000n - draft.feeUnits;
      const change: Coin = { claim: `${txid}:0`, units, addressType, branch: 1, keyIndex };
      await payer.send(await payer.draft({ payments: [], funds: payer.funds([change]) }), []);
      await mineBlocks(running.node, 1);
      expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
    });

    it("consolidates every kind of coin into one change address", async () => {
      const owned = await payer.coins(
        addressTypeNames.flatMap((addressType) => [
          { addressType, units: 50_000n },
          { addressType, units: 60_000n },
        ]),
      );
      const funds = payer.funds(owned);
      const draft = await payer.draft({ payments: [], funds });
      expect(draft.claims).toHaveLength(8);
      await payer.send(draft, []);
      await mineBlocks(running.node, 1);
      expect(
        await balanceAtTip(adapter.reader, [funds.change.address], chain.currency, never),
      ).toBe(440_000n - draft.feeUnits);
    });

    it("replaces a transaction, is mined instead of it, and is reported for it", async () => {
      const owned = await bech32Coins(300_000n, 200_000n);
      const payments = [payer.payment(payee(), 290_000n)];
      const funds = payer.funds(owned.slice(0, 1));
      const first = await payer.draft({ payments, funds, feeTarget: 300n });
      const old = await payer.send(first, payments);
      expect(await payer.writer.status(old.txid, first, never)).toEqual({ kind: "pending" });
      const request = { payments, feeTarget: null, feeCeiling: 100_000n };
      const second = await payer.draft({
        ...request,
        funds: payer.funds(owned),
        replaces: first,
      });
      expect(second.claims[0]).toBe(first.claims[0]);
      const next = await payer.send(second, payments);
      expect(await payer.writer.status(next.txid, second, never)).toEqual({ kind: "pending" });
      // A third one aims far above what the first coin can pay, and adds the second one.
      const third = await payer.draft({
        ...request,
        funds: payer.funds(owned),
        feeTarget: 15_000n,
        replaces: second,
      });
      expect(third.claims.slice(0, second.claims.length)).toEqual(second.claims);
      expect(third.claims).toHaveLength(2);
      expect(third.feeUnits).toBe(15_000n);
      const last = await payer.send(third, payments);
      await mineBlocks(running.node, 1);
      const block = await adapter.reader.tip(never);
      const mined = { kind: "mined", block, txid: last.txid, hasSucceeded: true };
      expect(await payer.writer.status(last.txid, third, never)).toEqual({
        ...mined,
        feeUnits: null,
      });
      // The earlier ones can never be mined, but their payments must not be reported as failed.
      for (const [txid, draft] of [
        [old.txid, first],
        [next.txid, second],
      ] as const)
        expect(await settled(txid, draft)).toEqual({
          ...mined,
          feeUnits: 15_000n,
        });
      expect(await payer.writer.broadcast(old.raw, never)).toMatchObject({ kind: "rejected" });
    });

    it("accepts many replacements in a row, until the ceiling", async () => {
      const owned = await payer.coins([
        { addressType: "legacy", units: 60_000n },
        { addressType: "p2sh-segwit", units: 50_000n },
        { addressType: "bech32m", units: 40_000n },
      ]);
      const payments = [payer.payment(payee(), 100_000n)];
      const request = { payments, funds: payer.funds(owned), feeCeiling: 2_000n };
      let draft: Draft = await payer.draft({ ...request, feeTarget: 300n });
      let replacements = 0;
      for (;;) {
        const { raw } = payer.sign(draft, payments);
        expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "accepted" });
        const outcome = await payer.outcome({ ...request, feeTarget: 300n, replaces: draft });
        if (outcome.kind !== "draft") {
          expect(outcome).toMatchObject({ kind: "tooExpensive" });
          break;
        }
        expect(outcome.draft.feeUnits).toBeGreaterThan(draft.feeUnits);
        ({ draft } = outcome);
        replacements += 1;
      }
      expect(replacements).toBeGreaterThan(3);
      await mineBlocks(running.node, 1);
    });

    it("reports a conflict once a transaction that spent the coin is in a block", async () => {
      const owned = await bech32Coins(300_000n);
      const ours = [payer.payment(payee(), 100_000n)];
      const others = [payer.payment(payee(), 200_000n)];
      const draft = await payer.draft({ payments: ours, funds: payer.funds(owned) });
      const rivalDraft = await payer.draft({
        payments: others,
        funds: payer.funds(owned),
        feeTarget: 20_000n,
      });
      const { raw, txid } = await payer.send(draft, ours);
      const rival = await payer.send(rivalDraft, others);
      expect(await payer.writer.status(txid, draft, never)).toEqual({ kind: "unknown" });
      await mineBlocks(running.node, 1);
      const { height, hash } = await adapter.reader.tip(never);
      const conflicted = { kind: "conflicted", by: rival.txid, block: { height, hash } };
      expect(await settled(txid, draft)).toEqual(conflicted);
      expect(await payer.writer.broadcast(raw, never)).toMatchObject({ kind: "rejected" });
      // Too far back to name the winner.
      await mineBlocks(running.node, 25);
      expect(await settled(txid, draft)).toEqual(conflicted);
    });

    it("reverses a mined payment in a reorg, after which it is mined again", async () => {
      const owned = await bech32Coins(300_000n);
      const payments = [payer.payment(payee(), 100_000n)];
      const draft = await payer.draft({ payments, funds: payer.funds(owned) });
      const { raw, txid } = await payer.send(draft, payments);
      await mineBlocks(running.node, 1);
      expect(await payer.writer.status(txid, draft, never)).toMatchObject({ kind: "mined" });
      await reorgBlocks(running.node, 1, "wait");
      expect(await payer.writer.status(txid, draft, never)).toEqual({ kind: "pending" });
      expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
      await mineBlocks(running.node, 1);
      expect(await payer.writer.status(txid, draft, never)).toMatchObject({
        kind: "mined",
        txid,
        block: await adapter.reader.tip(never),
      });
    });

    it("counts a payment as made whose signature and id changed", async () => {
      const owned = await payer.coins([{ addressType: "legacy", units: 300_000n }]);
      const payments = [payer.payment(payee(), 100_000n)];
      const draft = await payer.draft({ payments, funds: payer.funds(owned), feeTarget: 2_000n });
      const { raw, txid } = payer.sign(draft, payments);
      const address = await running.node.faucet<string>("getnewaddress");
      await running.node.command("generateblock", [address, [hexOf(alterSignature(raw))]]);
      const status = await settled(txid, draft);
      expect(status).toMatchObject({ kind: "mined", feeUnits: 2_000n, hasSucceeded: true });
      expect(status).not.toMatchObject({ txid });
      const block = await adapter.reader.readBlock(await adapter.reader.tip(never), never);
      const [altered] = block!.spends.transactionsFrom(new Set(draft.claims));
      expect(altered!.txid).not.toBe(txid);
      expect(payer.writer.isEquivalent!(draft, altered!)).toBe(true);
      const [less] = altered!.payments;
      expect(payer.writer.isEquivalent!(draft, { ...altered!, payments: [less!] })).toBe(false);
      const claims = [...altered!.claims, `${txid}:0`];
      expect(payer.writer.isEquivalent!(draft, { ...altered!, claims })).toBe(false);
    });

    it("reports a rejection in the node's words", async () => {
      const owned = await bech32Coins(300_000n);
      const payments = [payer.payment(payee(), 100_000n)];
      const draft = await payer.draft({ payments, funds: payer.funds(owned) });
      const { raw } = payer.sign(draft, payments);
      const transaction = RawTx.decode(raw);
      const unsigned = RawTx.encode({ ...transaction, segwitFlag: false, witnesses: undefined });
      const outcome = await payer.writer.broadcast(unsigned, never);
      if (outcome.kind !== "rejected") throw new Error(`it was ${outcome.kind}`);
      expect(outcome.reason).toMatch(/script/i);
    });

    it("uses the node's own dust limit for every kind of address", async () => {
      const owned = await bech32Coins(300_000n);
      for (const to of [...addressTypeNames.map((type) => payee(type)), scriptHashPayee()]) {
        const dust = dustOf(chain, payeeOfAddress(network, to.address)!);
        const payments = [payer.payment(to, dust)];
        const funds = payer.funds(owned);
        const draft = await payer.draft({ payments, funds, feeTarget: 1_000n });
        expect(await judged(payer.sign(draft, payments).raw)).toMatchObject({ allowed: true });
        const less = [payer.payment(to, dust - 1n)];
        expect(await payer.outcome({ payments: less, funds })).toMatchObject({
          kind: "impossible",
        });
        const outputs = (draft.body["outputs"] as readonly JsonObject[]).map((output) =>
          output["change"] === null ? { ...output, units: (dust - 1n).toString() } : output,
        );
        const forced = {
          ...draft,
          body: { ...draft.body, outputs },
          feeUnits: draft.feeUnits + 1n,
        };
        const verdict = await judged(payer.sign(forced, less).raw);
        expect(verdict.allowed).toBe(false);
        expect(verdict["reject-reason"]).toMatch(/^dust/);
      }
    });

    it("reports an unavailable node for every call", async () => {
      const owned = await bech32Coins(300_000n);
      const payments = [payer.payment(payee(), 100_000n)];
      const funds = payer.funds(owned);
      const draft = await payer.draft({ payments, funds, feeTarget: 1_000n });
      const { raw, txid } = payer.sign(draft, payments);
      const resume = await running.pause();
      // Another adapter, which has no cached quote.
      const other = openAdapter(coin, [running.node.rpcUrl]);
      const writer = other.adapter.writer!;
      const request = { payments, funds, feeTarget: null, feeCeiling: 1_000n, replaces: null };
      const quoted = { payment: payments[0]!, funds, balance: 0n };
      await expect(writer.broadcast(raw, never)).rejects.toThrow(Unavailable);
      await expect(writer.status(txid, draft, never)).rejects.toThrow(Unavailable);
      await expect(writer.draft(request, never)).rejects.toThrow(Unavailable);
      await expect(writer.quote(quoted, never)).rejects.toThrow(Unavailable);
      await resume();
      expect(await writer.broadcast(raw, never)).toEqual({ kind: "accepted" });
      await other.rpc.close();
      await mineBlocks(running.node, 1);
    });
  });

  describeWithDaemon(
    coin,
    `${chain.chain} payouts on ${coin.daemon} without a transaction index`,
    (program) => {
      it("proves legacy coins as well, and recognizes mined transactions", async () => {
        const running = await startTestNode(coin, program, { settings: ["-txindex=0"] });
        const { adapter, rpc } = openAdapter(coin, [running.node.rpcUrl]);
        try {
          const payer = createUtxoPayer(coin, running, adapter);
          const owned = await payer.coins([
            { addressType: "legacy", units: 300_000n },
            { addressType: "bech32", units: 300_000n },
          ]);
          await mineBlocks(running.node, 3);
          const payments = [payer.payment(adapter.addressing.depositAt(1, null), 500_000n)];
          const draft = await payer.draft({ payments, funds: payer.funds(owned) });
          const { raw, txid } = await payer.send(draft, payments);
          expect(await payer.writer.status(txid, draft, never)).toEqual({ kind: "pending" });
          await mineBlocks(running.node, 1);
          const block = await adapter.reader.tip(never);
          await mineBlocks(running.node, 2);
          expect(await payer.writer.status(txid, draft, never)).toMatchObject({
            kind: "mined",
            block,
            txid,
          });
          expect(await payer.writer.broadcast(raw, never)).toEqual({ kind: "alreadyKnown" });
        } finally {
          await rpc.close();
          await running.stop();
        }
      });
    },
  );
}
