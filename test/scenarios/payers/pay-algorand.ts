import algosdk, { type Account, type Transaction } from "algosdk";
import { present } from "../../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { AlgorandSite } from "../../../src/sandbox/sandbox-file.ts";
import { unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** What a new receiver of an asset begins with: its minimum balance and fees. */
const startingMicroAlgos = 1_000_000n;

/** Pays with algosdk. */
export const payAlgorand: OpenThirdParty<AlgorandSite> = (chain, reached, site) => {
  const { origin, port } = new URL(reached.rpc_url);
  const client = new algosdk.Algodv2(reached.rpc_token, origin.replace(/:\d+$/, ""), port);
  const faucet = algosdk.mnemonicToSecretKey(reached.faucet_mnemonic);
  const assetOf = (alpha: string): bigint => BigInt(present(reached.tokens[alpha], alpha));
  const send = async (transaction: Transaction, from: Account): Promise<void> => {
    const [signed] = await algosdk.makeBasicAccountTransactionSigner(from)([transaction], [0]);
    await client.sendRawTransaction(present(signed, "a signature")).do();
    await site.onChain(chain, (control) => control.mine(1));
  };
  const move = async (alpha: string, receiver: string, amount: bigint, from = faucet) => {
    const common = {
      sender: from.addr,
      receiver,
      amount,
      note: systemRandom.bytes(8),
      suggestedParams: await client.getTransactionParams().do(),
    };
    await send(
      alpha === chain
        ? algosdk.makePaymentTxnWithSuggestedParamsFromObject(common)
        : algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
            ...common,
            assetIndex: assetOf(alpha),
          }),
      from,
    );
  };
  return {
    pay: (alpha, { address }, amount) => move(alpha, address, unitsOf(amount, alpha)),
    receiver: async (alpha) => {
      const account = algosdk.generateAccount();
      const address = account.addr.toString();
      if (alpha === chain)
        return {
          address,
          held: async () => (await client.accountInformation(address).do()).amount,
        };
      await move(chain, address, startingMicroAlgos);
      // Its opt-in.
      await move(alpha, address, 0n, account);
      const held = async (): Promise<bigint> => {
        const answer = await client.accountAssetInformation(address, assetOf(alpha)).do();
        return present(answer.assetHolding, alpha).amount;
      };
      return { address, held };
    },
    close: () => Promise.resolve(),
  };
};
