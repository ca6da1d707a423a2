import { binToHex, cashAddressToLockingBytecode, hexToBin } from "@bitauth/libauth";
import type { DrivenNode } from "../../src/sandbox/drive-utxo-node.ts";
import { createLibauthWallet } from "./libauth-payer.ts";

const fundedUnits = 100_000_000n;
const feeUnits = 10_000n;

/**
 * Pays an address fungible CashTokens of a new category, together with so many satoshis. The payer is a wallet of libauth, which
 * the node's faucet funds. Resolves with the outpoint's transaction, whose output 0 it is.
 */
export async function payTokens(
  node: DrivenNode,
  address: string,
  { amount, units }: { readonly amount: bigint; readonly units: bigint },
): Promise<{ readonly txid: string; readonly category: string }> {
  const wallet = createLibauthWallet();
  const own = scriptOf(wallet.address);
  const funding = await node.faucet<string>("sendtoaddress", [wallet.address, "1"]);
  const { vout } = await node.command<{
    readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[];
  }>("getrawtransaction", [funding, true]);
  const index = vout.findIndex(({ scriptPubKey }) => scriptPubKey.hex === own);
  const rest = fundedUnits - feeUnits;
  // The category is the id of the transaction whose output 0 is spent.
  const category = await node.command<string>("sendrawtransaction", [
    wallet.spend(
      [{ txid: funding, vout: index, units: fundedUnits }],
      [{ script: own, units: rest }],
    ),
  ]);
  const txid = await node.command<string>("sendrawtransaction", [
    wallet.spend(
      [{ txid: category, vout: 0, units: rest }],
      [
        { script: scriptOf(address), units, token: { category: hexToBin(category), amount } },
        { script: own, units: rest - units - feeUnits },
      ],
    ),
  ]);
  return { txid, category };
}

function scriptOf(address: string): string {
  const decoded = cashAddressToLockingBytecode(address);
  if (typeof decoded === "string") throw new Error(decoded);
  return binToHex(decoded.bytecode);
}
