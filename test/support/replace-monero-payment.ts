import type { MoneroDrive } from "../../src/sandbox/drive-monero-node.ts";

type Decoded = { readonly vin: readonly { readonly key: { readonly k_image: string } }[] };

/**
 * Has the node forget a waiting transaction of the faucet, and spends one of its outputs in another one; resolves with the other's id. Nodes
 * replace no transaction, so that is what two nodes with different pools amount to.
 */
export async function replaceMoneroPayment(drive: MoneroDrive, txid: string): Promise<string> {
  const { txs } = await drive.path<{ readonly txs: readonly { readonly as_json: string }[] }>(
    "/get_transactions",
    { txs_hashes: [txid], decode_as_json: true },
  );
  const { vin } = JSON.parse(txs[0]!.as_json) as Decoded;
  await drive.daemon("flush_txpool", { txids: [txid] });
  // The wallet learns from the node that nothing has spent its outputs.
  await drive.wallet("rescan_spent");
  const { address } = await drive.wallet<{ readonly address: string }>("create_address", {
    account_index: 0,
  });
  const { tx_hash } = await drive.wallet<{ readonly tx_hash: string }>("sweep_single", {
    address,
    key_image: vin[0]!.key.k_image,
  });
  return tx_hash;
}
