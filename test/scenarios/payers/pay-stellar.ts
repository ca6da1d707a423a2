import {
  Asset,
  BASE_FEE,
  Horizon,
  Keypair,
  Memo,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { StellarSite } from "../../../src/sandbox/sandbox-file.ts";
import { unitsOf } from "../support/money.ts";
import type { OpenThirdParty } from "./third-party.ts";

/** What a new receiver begins with; its trust line locks half of one. */
const startingBalance = "5";

/** Pays with @stellar/stellar-sdk. */
export const payStellar: OpenThirdParty<StellarSite> = (chain, reached, site) => {
  const server = new rpc.Server(reached.rpc_url, { allowHttp: true });
  const horizon = new Horizon.Server(reached.horizon_url, { allowHttp: true });
  const faucet = Keypair.fromSecret(reached.faucet_secret);
  const assetOf = (alpha: string): Asset => {
    if (alpha === chain) return Asset.native();
    const [code = "", issuer = ""] = present(reached.tokens[alpha], alpha).split(":");
    return new Asset(code, issuer);
  };
  const send = (operation: xdr.Operation, source = faucet, memo: Memo = Memo.none()) =>
    site.onChain(chain, async ({ mine }) => {
      const transaction = new TransactionBuilder(await server.getAccount(source.publicKey()), {
        fee: BASE_FEE,
        memo,
        networkPassphrase: reached.network_passphrase,
      })
        .addOperation(operation)
        .setTimeout(600)
        .build();
      transaction.sign(source);
      const { hash } = await server.sendTransaction(transaction);
      await mine(1);
      const { status } = await server.getTransaction(hash);
      if (status !== rpc.Api.GetTransactionStatus.SUCCESS) throw new Error(`${hash}: ${status}`);
    });
  return {
    pay: (alpha, { address, tag }, amount) =>
      send(
        Operation.payment({ destination: address, amount, asset: assetOf(alpha) }),
        faucet,
        Memo.id(present(tag, "a memo")),
      ),
    receiver: async (alpha) => {
      const keys = Keypair.random();
      const address = keys.publicKey();
      const asset = assetOf(alpha);
      await send(Operation.createAccount({ destination: address, startingBalance }));
      if (!asset.isNative()) await send(Operation.changeTrust({ asset }), keys);
      const held = async (): Promise<bigint> => {
        const { balances } = await horizon.loadAccount(address);
        const own = balances.find((one) =>
          asset.isNative()
            ? one.asset_type === "native"
            : "asset_code" in one && one.asset_code === asset.getCode(),
        );
        return unitsOf(present(own, alpha).balance, alpha);
      };
      return { address, held };
    },
    close: () => Promise.resolve(),
  };
};
