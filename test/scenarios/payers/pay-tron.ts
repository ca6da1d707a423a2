import { TronWeb, type Types } from "tronweb";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { TronSite } from "../../../src/sandbox/sandbox-file.ts";
import { unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** Pays with tronweb. */
export const payTron: OpenThirdParty<TronSite> = (chain, reached) => {
  const { faucet_private_key, rpc_url, tokens } = reached;
  const web = new TronWeb({ fullHost: rpc_url, privateKey: faucet_private_key });
  const faucet = String(web.defaultAddress.base58);
  const contractOf = (alpha: string): string => present(tokens[alpha], alpha);
  const transfer = async (alpha: string, to: string, units: bigint) => {
    if (alpha === chain) return await web.transactionBuilder.sendTrx(to, Number(units), faucet);
    const built: Types.TransactionWrapper = await web.transactionBuilder.triggerSmartContract(
      contractOf(alpha),
      "transfer(address,uint256)",
      { feeLimit: 100_000_000 },
      [
        { type: "address", value: to },
        { type: "uint256", value: units.toString() },
      ],
      faucet,
    );
    return built.transaction;
  };
  const tokensOf = async (alpha: string, address: string): Promise<bigint> => {
    const answer: Types.TransactionWrapper = await web.transactionBuilder.triggerConstantContract(
      contractOf(alpha),
      "balanceOf(address)",
      {},
      [{ type: "address", value: address }],
      faucet,
    );
    const [units] = answer.constant_result as readonly [string];
    return BigInt(`0x${units}`);
  };
  return {
    pay: async (alpha, { address }, amount) => {
      const signed = await web.trx.sign(await transfer(alpha, address, unitsOf(amount, alpha)));
      const { code, message, result } = await web.trx.sendRawTransaction(signed);
      if (!result) throw new Error(`${code}: ${message}`);
    },
    receiver: async (alpha) => {
      const { base58 } = (await web.createAccount()).address;
      return {
        address: base58,
        held: async () =>
          alpha === chain
            ? BigInt(await web.trx.getBalance(base58))
            : await tokensOf(alpha, base58),
      };
    },
    close: () => Promise.resolve(),
  };
};
