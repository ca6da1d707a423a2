import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { queryMonero } from "../../support/query-monero.ts";
import type { ChainControl } from "./chain-control.ts";

/** An account of the faucet's wallet that receives one payout. */
export type Payee = { readonly account: number; readonly address: string };

type Member = { readonly height: number };
type Input = { readonly key: { readonly key_offsets: readonly number[] } };

/** Receivers whom Monero's own wallet shows what they got, and what the node says about transactions. */
export function moneroPayees({ site }: Pick<ChainControl, "site">) {
  if (site.family !== "monero") throw new Error("not a chain of Monero");
  const { faucet_wallet_url, rpc_url } = site;
  const wallet = <Result>(method: string, params: JsonObject = {}): Promise<Result> =>
    queryMonero<Result>(faucet_wallet_url, method, params);
  const path = async <Result>(name: string, body: JsonObject = {}): Promise<Result> => {
    const response = await fetch(rpc_url + name, { method: "POST", body: JSON.stringify(body) });
    return (await response.json()) as Result;
  };
  return {
    create: async (): Promise<Payee> => {
      const { account_index: account, address } = await wallet<{
        readonly account_index: number;
        readonly address: string;
      }>("create_account");
      return { account, address };
    },
    /** The amounts that the account ever received in blocks. */
    received: async ({ account }: Payee): Promise<readonly string[]> => {
      await wallet("refresh");
      const { transfers = [] } = await wallet<{
        readonly transfers?: readonly { readonly amount: number }[];
      }>("incoming_transfers", { transfer_type: "all", account_index: account });
      return transfers.map(({ amount }) => String(amount / 1e12));
    },
    /** Ids of the transactions in the node's pool. */
    waiting: async (): Promise<readonly string[]> => {
      const { transactions = [] } = await path<{
        readonly transactions?: readonly { readonly id_hash: string }[];
      }>("/get_transaction_pool");
      return transactions.map(({ id_hash }) => id_hash);
    },
    send: async (address: string, amount: number): Promise<void> => {
      await wallet("refresh");
      await wallet("transfer", { destinations: [{ address, amount }] });
    },
    /** Without waiting until anyone has read the blocks. */
    mine: async (amount_of_blocks: number): Promise<void> => {
      const { address: wallet_address } = await wallet<{ readonly address: string }>("get_address");
      await queryMonero(rpc_url, "generateblocks", { amount_of_blocks, wallet_address });
    },
    submit: (raw: string): Promise<JsonObject> =>
      path("/send_raw_transaction", { tx_as_hex: raw, do_not_relay: false }),
    /** The height of the newest output that the rings of a transaction name. */
    newestRingMember: async (txid: string): Promise<number> => {
      const { txs } = await path<{ readonly txs: readonly { readonly as_json: string }[] }>(
        "/get_transactions",
        { txs_hashes: [txid], decode_as_json: true },
      );
      const { vin } = JSON.parse(present(txs[0], txid).as_json) as {
        readonly vin: readonly Input[];
      };
      const outputs = vin.flatMap(({ key: { key_offsets } }) => {
        let index = 0;
        return key_offsets.map((offset) => {
          index += offset;
          return { amount: 0, index };
        });
      });
      const { outs } = await path<{ readonly outs: readonly Member[] }>("/get_outs", { outputs });
      return Math.max(...outs.map(({ height }) => height));
    },
  };
}
