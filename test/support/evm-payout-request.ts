import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { publicKeyToAddress } from "viem/accounts";
import { transferData } from "../../src/signer/evm/inspect-payment.ts";
import type { PayoutIntent, SignRequest } from "../../src/signer/intent.ts";
import type { ApprovalKey } from "../../src/signer/keys/approval-key.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import { accountXpub } from "./known-chains.ts";

/** The account that pays payouts of EVM chains, derived from the signer's public keys. */
export async function hotAddress(client: SignerClient): Promise<string> {
  const keys = await client.accountKeys();
  const compressed = HDKey.fromExtendedKey(accountXpub(keys, "evm", "hot")).derive(
    "m/0/0",
  ).publicKey;
  if (compressed === null) throw new Error("no public key");
  const point = secp256k1.Point.fromBytes(compressed).toHex(false);
  return publicKeyToAddress(`0x${point}`).toLowerCase();
}

/** Requests one approved payout of ether or a token, with that nonce of `from`, in a matching draft. */
export function evmPayoutRequest(
  payout: PayoutIntent,
  {
    from,
    nonce,
    chainId,
  }: { readonly from: string; readonly nonce: number; readonly chainId: number },
  key: ApprovalKey,
): SignRequest {
  const { asset, address, units } = payout;
  const approval = Buffer.from(key.approve(payout)).toString("base64");
  const spend = { spendId: payout.payoutId, chain: payout.chain, feeCeiling: "1000000000000000" };
  const isCoin = asset.kind === "coin";
  return {
    intent: { kind: "payout", ...spend, payouts: [{ ...payout, approval }] },
    body: {
      type: "eip1559",
      chainId: String(chainId),
      from,
      nonce: String(nonce),
      to: isCoin ? address : asset.locator,
      value: isCoin ? units : "0",
      data: isCoin ? "0x" : transferData(address.toLowerCase(), BigInt(units)),
      gas: isCoin ? "21000" : "90000",
      dataFee: "0",
      maxFeePerGas: "3000000000",
      maxPriorityFeePerGas: "1000000000",
    },
    claims: [`${from}#${nonce}`],
  };
}
