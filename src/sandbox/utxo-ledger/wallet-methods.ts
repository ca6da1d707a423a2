import { readTransaction } from "./family-methods.ts";
import type { FaucetPayment } from "./faucet.ts";
import type { LedgerNode } from "./node.ts";
import {
  integerAt,
  listAt,
  type Methods,
  objectAt,
  RpcFault,
  type RpcJson,
  rpcCode,
  textAt,
  unitsOf,
} from "./rpc.ts";

/** Methods of the wallet that holds the faucet's coins, and those that write raw transactions for it. */
export function walletMethods(node: LedgerNode, walletName: string): Methods {
  const { faucet, ledger } = node;
  const pay = async (payments: readonly FaucetPayment[]): Promise<string> => {
    const transaction = faucet.compose(payments);
    await ledger.send(transaction);
    return transaction.txid;
  };
  return {
    listwallets: () => [walletName],
    getnewaddress: () => faucet.newAddress(),
    getbalance: () => balanceOf(node),
    sendtoaddress: (params) => pay([paymentOf(node, textAt(params, 0), params[1])]),
    sendmany: (params) =>
      pay(
        Object.entries(objectAt(params, 1)).map(([address, amount]) =>
          paymentOf(node, address, amount),
        ),
      ),
    getreceivedbyaddress: (params) => receivedBy(node, textAt(params, 0), integerAt(params, 1, 1)),
    listunspent: (params) => listUnspent(node, integerAt(params, 0, 1)),
    gettransaction: (params) => transactionOf(node, textAt(params, 0)),
    createrawtransaction: (params) => composeRaw(node, params),
    signrawtransactionwithwallet: (params) => {
      const transaction = readTransaction(node, textAt(params, 0));
      const hex = faucet.sign(transaction);
      const missing = transaction.spends.filter((outpoint) => {
        const coin = node.pool.coinAt(outpoint);
        return coin === null || !faucet.isOurs(coin.script);
      });
      if (missing.length === 0) return { hex, complete: true };
      const errors = missing.map((outpoint) => {
        const [txid = "", vout = ""] = outpoint.split(":");
        return { txid, vout: Number(vout), error: "Input not found or already spent" };
      });
      return { hex, complete: false, errors };
    },
  };
}

function paymentOf({ rules }: LedgerNode, address: string, amount: unknown): FaucetPayment {
  const script = rules.scriptOfAddress(address);
  if (script === null) throw new RpcFault(rpcCode.invalidAddressOrKey, `Invalid address`);
  const units = unitsOf(amount);
  if (units === 0n) throw new RpcFault(rpcCode.type, "Invalid amount for send");
  return { script, units };
}

function balanceOf({ faucet }: LedgerNode): bigint {
  return faucet.coins().reduce((sum, { coin }) => sum + coin.units, 0n);
}

/** All that the best chain ever paid to the address, whether it is spent or not. */
function receivedBy(
  { chain, faucet, pool, rules }: LedgerNode,
  address: string,
  minimum: number,
): bigint {
  const script = rules.scriptOfAddress(address);
  if (script === null) throw new RpcFault(rpcCode.invalidAddressOrKey, "Invalid address");
  if (!faucet.isOurs(script)) throw new RpcFault(rpcCode.wallet, "Address not found in wallet");
  const highest = chain.tip().height - minimum + 1;
  let units = 0n;
  for (let height = 0; height <= highest; height += 1)
    for (const { outputs } of chain.blockAt(height)?.transactions ?? [])
      for (const output of outputs) if (output.script === script) units += output.units;
  if (minimum > 0) return units;
  for (const { transaction } of pool.entries())
    for (const output of transaction.outputs) if (output.script === script) units += output.units;
  return units;
}

function listUnspent({ chain, faucet }: LedgerNode, minimum: number): RpcJson {
  return faucet
    .coins()
    .map(({ address, coin, outpoint }) => {
      const [txid = "", vout = ""] = outpoint.split(":");
      const confirmations = coin.height === null ? 0 : chain.tip().height - coin.height + 1;
      return {
        txid,
        vout: Number(vout),
        address,
        scriptPubKey: coin.script,
        amount: coin.units,
        confirmations,
        spendable: true,
        solvable: true,
        safe: true,
      };
    })
    .filter(({ confirmations }) => confirmations >= minimum);
}

function transactionOf({ chain, pool }: LedgerNode, txid: string): RpcJson {
  const pending = pool.find(txid);
  if (pending !== null)
    return { txid, confirmations: 0, time: pending.time, hex: pending.transaction.raw };
  const found = chain.findTransaction(txid);
  if (found === null)
    throw new RpcFault(rpcCode.invalidAddressOrKey, "Invalid or non-wallet transaction id");
  const { block, transaction } = found;
  const isBest = chain.isBest(block);
  return {
    txid,
    confirmations: isBest ? chain.tip().height - block.height + 1 : 0,
    ...(isBest ? { blockhash: block.hash, blocktime: block.time } : {}),
    time: block.time,
    hex: transaction.raw,
  };
}

function composeRaw(node: LedgerNode, params: readonly unknown[]): string {
  const { chain, rules } = node;
  const spends = listAt(params, 0).map((_, index) => {
    const input = objectAt(listAt(params, 0), index);
    const { txid, vout, sequence } = input as {
      txid?: unknown;
      vout?: unknown;
      sequence?: unknown;
    };
    if (typeof txid !== "string" || typeof vout !== "number")
      throw new RpcFault(rpcCode.invalidParameter, "Invalid parameter, missing vout key");
    return {
      outpoint: `${txid}:${vout}`,
      sequence: typeof sequence === "number" ? sequence : null,
    };
  });
  const sent = params[1];
  const entries = Array.isArray(sent)
    ? sent.flatMap((_, index) => Object.entries(objectAt(sent, index)))
    : Object.entries(objectAt(params, 1));
  const outputs = entries.map(([address, amount]) => paymentOf(node, address, amount));
  return rules.wallet.compose({ spends, outputs, height: chain.next().height });
}
