/**
 * Outputs that Monero's view-only wallet finds and its offline wallet cannot spend stop nothing, on real daemons. A stranger makes them by a key
 * in the extra field that is no curve point; here, a miner.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Coin, Payment } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { mineMonero } from "../../src/sandbox/drive-monero-node.ts";
import { mineCraftedReward } from "../support/mine-crafted-reward.ts";
import { xmr } from "../support/monero-adapter.ts";
import { noPoint } from "../support/monero-builder.ts";
import { describeWithMonero, startTestMonero, type TestMonero } from "../support/monero-node.ts";
import { type MoneroPayer, openMoneroPayer } from "../support/monero-payer.ts";
import addresses from "../vectors/monero-addresses.json" with { type: "json" };

const never = new AbortController().signal;
const coin = 1_000_000_000_000n;
const foreign = present(addresses.valid[1], "an address").address;

describeWithMonero("a key in the extra field that is no point", (programs) => {
  let node: TestMonero;
  let payer: MoneroPayer;
  beforeAll(async () => {
    node = await startTestMonero(programs, { firstBlocks: 130 });
    payer = await openMoneroPayer(node, programs);
    // Creates the wallets.
    await payer.receive([coin]);
  }, 900_000);
  afterAll(async () => {
    await payer.close();
    await node.stop();
  }, 60_000);

  const writer = () => present(payer.adapter.writer, "a writer");
  let secrets = 77_000n;

  /** A reward whose first additional key is no point, and whose second leads to the deposit address. */
  const poison = async (number: number) => {
    secrets += 1_000n;
    const { address } = payer.adapter.addressing.depositAt(number, null);
    return await mineCraftedReward(node.drive, {
      secret: secrets,
      hasOutputKeys: true,
      invalidOutputKeys: [0],
      outputs: [
        { address: foreign, units: 1_000n },
        { address, units: 0n },
      ],
    });
  };

  /** Pays from the coins; resolves with the transaction's id once the node has it. */
  const payFrom = async (coins: readonly Coin[], units: bigint): Promise<string> => {
    const { address } = await node.drive.wallet<{ readonly address: string }>("get_address");
    const payments: readonly Payment[] = [
      { destination: { address, addressType: null, tag: null }, amount: money(units, xmr) },
    ];
    const change = { address: "", addressType: "", keyIndex: 0 };
    const funds = { kind: "coins", coins, change } as const;
    const terms = { feeTarget: null, feeCeiling: coin, replaces: null };
    const outcome = await writer().draft({ payments, funds, ...terms }, never);
    if (outcome.kind !== "draft") throw new Error(`no draft: ${outcome.kind}`);
    const { raw, txid } = await payer.sign(outcome.draft, payments);
    expect(await writer().broadcast(raw, never)).toEqual({ kind: "accepted" });
    return txid;
  };

  /** The key image that the view-only wallet shows for the transaction's output. */
  const keyImageShown = async (txid: string): Promise<string> => {
    const params = { transfer_type: "all", account_index: 0 };
    const response = await fetch(`${node.viewWalletUrl}/json_rpc`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "incoming_transfers", params }),
    });
    const { result } = (await response.json()) as {
      readonly result: { readonly transfers: readonly Record<string, string>[] };
    };
    const shown = result.transfers.find(({ tx_hash }) => tx_hash === txid);
    return present(shown?.["key_image"], "its key image");
  };

  /** What the block pays to the deposit address. */
  const paidTo = async (number: number, height: number) => {
    const { addressing, reader } = payer.adapter;
    const block = present(await reader.headerAt(height, never), "the block");
    const { transfers } = present(await reader.readBlock(block, never), "its content");
    const to = addressing.watchKey(addressing.depositAt(number, null));
    return transfers.filter((transfer) => transfer.to === to);
  };

  it("hides no payment if it is the whole transaction's", async () => {
    const { address } = payer.adapter.addressing.depositAt(1, null);
    secrets += 1_000n;
    const { height, rewardId } = await mineCraftedReward(node.drive, {
      secret: secrets,
      extraHead: Uint8Array.of(1, ...noPoint),
      outputs: [{ address, units: 0n }],
    });
    await mineMonero(node.drive, 60);
    const [paid, ...others] = await paidTo(1, height);
    expect(others).toEqual([]);
    const { asset } = present(paid, "the payment");
    const units = asset.kind === "currency" ? asset.amount.units : 0n;
    const coins = await payer.claimed([
      { outpoint: `${rewardId}:0`, units, branch: 0, keyIndex: 1 },
    ]);
    await payFrom(coins, coin);
  }, 900_000);

  it("makes outputs that are no payments, and stop neither key images nor payouts", async () => {
    const before = await payer.receive([coin]);
    const { height, rewardId } = await poison(0);
    await mineMonero(node.drive, 1);
    expect(await paidTo(0, height)).toEqual([]);

    // The view-only wallet has found it, and is replaced by one that finds nothing by itself.
    const after = await payer.receive([coin]);
    const txid = await payFrom([...before, ...after], (coin * 3n) / 2n);
    const change = await payer.receivedBack(txid);
    await poison(0);
    await mineMonero(node.drive, 1);

    // A release before this one credited it.
    const learn = present(writer().keyImagesOf, "key images");
    const credited = { outpoint: `${rewardId}:1`, branch: 0, keyIndex: 0 } as const;
    expect(await learn([credited], never)).toEqual(new Map());
    await payFrom([change], coin / 4n);
  }, 900_000);

  it("stops no payout of a coin that the signer's wallet takes, once the view-only wallet has lost its file", async () => {
    const { address } = payer.adapter.addressing.depositAt(2, null);
    secrets += 1_000n;
    const { rewardId } = await mineCraftedReward(node.drive, {
      secret: secrets,
      hasOutputKeys: true,
      invalidOutputKeys: [1],
      outputs: [
        { address, units: 2n * coin },
        { address: foreign, units: 0n },
      ],
    });
    await mineMonero(node.drive, 60);
    // A release before this one learned its key image. Now it shows when a coin with another key image is to be spent.
    const outpoint = `${rewardId}:0`;
    const place = { outpoint, units: 2n * coin, branch: 0, keyIndex: 2, addressType: "" } as const;
    await expect(payFrom([{ ...place, claim: "00".repeat(32) }], coin)).rejects.toThrow(
      "insufficient",
    );
    const claim = await keyImageShown(rewardId);
    const [small] = await payer.receive([coin / 2n]);
    await payer.loseViewWallet();
    await payFrom([{ ...place, claim }, present(small, "it")], coin);
  }, 900_000);
});
